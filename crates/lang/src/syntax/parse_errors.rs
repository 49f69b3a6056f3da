//! Messages of the parser for a text that cannot go on as it does: a missing value, operator or comma.

use super::cursor::{Parser, Stop};
use super::foreign::degrees;
use super::other_notations::FUNCTIONS;
use super::token::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::native::Native;
use crate::source::Span;

impl Parser<'_> {
    /// A value is expected here and does not begin.
    pub(crate) fn no_value(&mut self) -> Stop {
        let last = self.last_span();
        let after = self.text_of(last);
        if self.at_end() || self.at_definition_line() {
            let what = match self.last_kind() {
                Some(Kind::Equals) => "nothing stands on the right of `=`".to_owned(),
                Some(_) => format!("a value is missing after `{after}`"),
                None => "there is nothing to compute".to_owned(),
            };
            self.report_unfinished(
                Diagnostic::new(Code::E107, last.after(), what).label("a value is expected here"),
            );
            return Stop::Definition;
        }
        let span = self.span();
        let met = self.slice();
        let diagnostic = match self.kind() {
            Kind::String => Diagnostic::new(Code::E107, span, "text in quotes is not a value")
                .help("quotes are only for names of files: `import \"functions.vfl\"`"),
            Kind::Dollar => Diagnostic::new(Code::E107, span, "`$` is not a value")
                .help("`$` stands at the very beginning of an input, or not at all"),
            Kind::Equals if self.last_kind() == Some(Kind::Equals) => {
                let both = last.to(span);
                Diagnostic::new(Code::E106, both, "two `=`")
                    .help("write one to define, and `==`, without a space, to compare")
            }
            _ if self.is_open_fraction() => {
                Diagnostic::new(Code::E102, last, "a number does not end with a point")
                    .help("write a digit behind the point: `2.0`")
                    .edit(last.after(), "0")
            }
            Kind::Less => Diagnostic::new(Code::E107, span, "a value does not begin with `<`")
                .help("`<` compares two values; a vector is written in square brackets: `[x, y, z]`"),
            kind if kind.closes().is_some() && matches!(self.last_kind(), Some(Kind::Comma)) => {
                Diagnostic::new(Code::E107, span, format!("a value is missing between `,` and `{met}`"))
                    .help("write one more value, or take the comma away")
                    .edit(last, "")
            }
            _ => Diagnostic::new(Code::E107, span, format!("a value is missing before `{met}`"))
                .label("a value is expected here"),
        };
        self.report(diagnostic);
        Stop::Here
    }

    /// Returns `true` behind `2.`, where no digit follows the point.
    fn is_open_fraction(&self) -> bool {
        let Some([number, point]) = self.at.checked_sub(2).map(|at| [self.tokens[at], self.tokens[at + 1]])
        else {
            return false;
        };
        (number.kind, point.kind) == (Kind::Real, Kind::Dot) && number.end == point.start
    }

    /// Two values stand side by side.
    pub(crate) fn missing_operator(&mut self) {
        let (last, span) = (self.last_span(), self.span());
        let (before, after) = (self.text_of(last), self.slice());
        let gap = Span { start: last.end, end: span.start, ..last };
        let one_line = !self.text_of(gap).contains('\n');
        let diagnostic = Diagnostic::new(
            Code::E109,
            span,
            format!("there is no operator between `{before}` and `{after}`"),
        )
        .label("unexpected here");
        if one_line
            && (self.last_kind(), self.kind()) == (Some(Kind::Real), Kind::Name)
            && let Some(diagnostic) = self.unit_behind_number(last)
        {
            return self.report(diagnostic);
        }
        if one_line && let Some(diagnostic) = self.other_product() {
            return self.report(diagnostic);
        }
        if let Some(diagnostic) = self.broken_number().filter(|_| one_line) {
            return self.report(diagnostic);
        }
        if !one_line && self.kind() == Kind::Name {
            let diagnostic = self.without_equals(diagnostic);
            return self.report(diagnostic);
        }
        if one_line && self.is_function_name(before) {
            let diagnostic = self.call_of(diagnostic, last, span);
            return self.report(diagnostic);
        }
        self.report(match (self.last_kind(), self.kind()) {
            (
                Some(Kind::Real | Kind::Name | Kind::CloseRound | Kind::CloseSquare),
                Kind::Real | Kind::Name | Kind::OpenRound | Kind::OpenSquare,
            ) if one_line => diagnostic.help("a product is written with `*`").edit(gap, " * "),
            _ => {
                diagnostic.help("write an operator between them, or begin the next definition with `name =`")
            }
        });
    }

    /// Explains a name that opens a line and is no part of the value before it: a definition whose `=` is missing,
    /// or another sign.
    fn without_equals(&self, diagnostic: Diagnostic) -> Diagnostic {
        let (name, span) = (self.slice(), self.span());
        if let Some(arrow) = self.arrow(1) {
            return self.explain_arrow(arrow);
        }
        let diagnostic = diagnostic.help(format!(
            "if a definition begins here, its `=` is missing: `{name} = …`; if the value goes on, write an operator"
        ));
        let behind = self.token(1);
        let is_value = matches!(behind.kind, Kind::Real | Kind::Name | Kind::OpenSquare | Kind::Minus);
        if is_value && !behind.opens_line && span.end < behind.start {
            diagnostic.edit(span.after(), " =")
        } else {
            diagnostic
        }
    }

    /// The arrow of another language, `<-` or `->`, that stands so many tokens ahead.
    pub(crate) fn arrow(&self, ahead: usize) -> Option<Span> {
        let [left, right] = [self.token(ahead), self.token(ahead + 1)];
        let is_arrow =
            matches!((left.kind, right.kind), (Kind::Less, Kind::Minus) | (Kind::Minus, Kind::Greater));
        (is_arrow && left.end == right.start).then(|| self.span_of(left).to(self.span_of(right)))
    }

    /// What is said of an arrow where `=` belongs.
    pub(crate) fn explain_arrow(&self, arrow: Span) -> Diagnostic {
        let sign = self.text_of(arrow);
        Diagnostic::new(Code::E105, arrow, format!("`{sign}` is written `=` here"))
            .help("a definition is written with `=`")
            .edit(arrow, "=")
    }

    /// Returns `true` for a native that takes arguments, by its name here or in other notations.
    fn is_function_name(&self, name: &str) -> bool {
        Native::by_name(name).is_some_and(|native| !native.entry().params.is_empty())
            || name == "previous"
            || FUNCTIONS.contains(&name)
    }

    /// Says that arguments stand in parentheses, and offers them where it is clear where the argument ends.
    fn call_of(&self, diagnostic: Diagnostic, function: Span, argument: Span) -> Diagnostic {
        let goes_on = matches!(
            self.kind_after(1),
            Kind::OpenRound
                | Kind::OpenSquare
                | Kind::Star
                | Kind::Slash
                | Kind::Dot
                | Kind::Caret
                | Kind::Hash
                | Kind::Prime
        ) || self.kind_after(1).starts_value() && !self.token(1).opens_line;
        let name = self.text_of(function);
        if goes_on || !matches!(self.kind(), Kind::Name | Kind::Real) {
            return diagnostic.help(format!("arguments stand in parentheses: `{name}(…)`"));
        }
        let call = format!("{name}({})", self.text_of(argument));
        diagnostic.help(format!("arguments stand in parentheses: `{call}`")).edit(function.to(argument), call)
    }

    /// Explains digits in groups, `2 000`, `2_000` and `2'000`, and a number with `deg` behind it.
    pub(crate) fn broken_number(&self) -> Option<Diagnostic> {
        let last = self.last_span();
        if self.last_kind() != Some(Kind::Real) {
            return None;
        }
        if matches!(self.word(0), Some("deg" | "degree" | "degrees" | "grad" | "grados" | "graus")) {
            return Some(degrees::explain(self.text, self.span(), Some(last)));
        }
        let written = self.text_of(last);
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        if written.len() > 3 || !is_digits(written) {
            return None;
        }
        let group = |text: &str| text.len() == 3 && is_digits(text);
        let (mut digits, mut end, mut ahead) = (written.to_owned(), last.end, 0);
        loop {
            let mark = usize::from(self.kind_after(ahead) == Kind::Prime);
            let token = self.token(ahead + mark);
            let text = self.text_of(self.span_of(token));
            let text = text.strip_prefix('_').filter(|_| token.start == end).unwrap_or(text);
            if token.opens_line || !group(text) || mark == 1 && self.token(ahead).start != end {
                break;
            }
            digits += text;
            (end, ahead) = (token.end, ahead + mark + 1);
        }
        let whole = Span { end, ..last };
        (ahead > 0).then(|| {
            Diagnostic::new(
                Code::E132,
                whole,
                format!(
                    "the digits of a number stand side by side, not in groups: `{}`",
                    self.text_of(whole)
                ),
            )
            .help(format!("write `{digits}`"))
            .edit(whole, digits)
        })
    }

    /// Reports two values side by side in a list; returns `true` to go on as if there were a comma.
    pub(crate) fn missing_comma(&mut self) -> bool {
        let (last, span) = (self.last_span(), self.span());
        let is_call = self.last_kind() == Some(Kind::Name) && self.is_function_name(self.text_of(last));
        let is_product = self.touches() && matches!(self.last_kind(), Some(Kind::Real | Kind::CloseRound));
        let is_number = self.word(0).is_some() && self.broken_number().is_some();
        if is_product || is_number || is_call && !self.token(0).opens_line {
            self.missing_operator();
            return false;
        }
        let (before, after) = (self.text_of(last), self.slice());
        self.report(
            Diagnostic::new(
                Code::E110,
                last.after(),
                format!("missing comma between `{before}` and `{after}`?"),
            )
            .label("a comma is expected here")
            .also(span, "the next element begins here")
            .help("separate elements by commas; if this is one element, an operator is missing")
            .edit(last.after(), ","),
        );
        true
    }

    /// One closing bracket too many, or several: all of them are read.
    pub(crate) fn too_many_closed(&mut self) {
        let start = self.bump();
        let mut count = 1;
        while self.kind().closes().is_some() && !(self.in_braces && self.kind() == Kind::CloseCurly) {
            self.bump();
            count += 1;
        }
        let span = start.to(self.last_span());
        let sign = &self.text_of(start);
        let message = if count == 1 {
            format!("one `{sign}` too many")
        } else {
            format!("{count} closing brackets too many")
        };
        self.report(
            Diagnostic::new(Code::E112, span, message)
                .label("nothing is open here")
                .help("delete it, or open a bracket before")
                .edit(span, ""),
        );
    }

    /// Something that no definition goes on with.
    pub(crate) fn unexpected(&mut self) {
        let (span, met) = (self.span(), self.slice());
        let diagnostic = match self.kind() {
            Kind::Colon => Diagnostic::new(Code::E121, span, "units are not there yet")
                .label("reserved for units")
                .help("write the number alone, and the unit in a comment: `g = 9.81 // m/s^2`"),
            Kind::Then | Kind::Else => {
                Diagnostic::new(Code::E114, span, format!("`{met}` without an `if` before it"))
                    .help("write `if condition then value else other_value`")
            }
            Kind::String => Diagnostic::new(Code::E107, span, "text in quotes is not a value")
                .help("quotes are only for names of files: `import \"functions.vfl\"`"),
            Kind::Equals => {
                Diagnostic::new(Code::E118, span, "what stands on the left of this `=` cannot be defined")
                    .help("define a name, or a name with parameters: `f(x, y) = x + y`")
            }
            Kind::Semicolon if self.in_list => {
                Diagnostic::new(Code::E110, span, "elements are separated by commas, not by `;`")
                    .help("write a comma; a matrix is a vector of its rows: `[[1, 2], [3, 4]]`")
            }
            kind if kind.starts_value() => return self.missing_operator(),
            Kind::Prime if self.broken_number().is_some() => match self.broken_number() {
                Some(explained) => explained,
                None => return,
            },
            Kind::Dollar => Diagnostic::new(Code::E117, span, "`$` does not belong here")
                .help("names have no sign before them; `$` opens an input of a session")
                .edit(span, ""),
            _ => Diagnostic::new(Code::E117, span, format!("`{met}` does not belong here")),
        };
        self.report(diagnostic);
    }

    /// `,` or `;` between definitions: said, and passed over.
    pub(crate) fn needless_separator(&mut self) {
        let (span, met) = (self.span(), self.slice());
        self.report(
            Diagnostic::new(Code::E120, span, format!("no `{met}` is needed between definitions"))
                .help("delete it; a definition ends where the next one begins")
                .edit(span, ""),
        );
        self.bump();
    }
}
