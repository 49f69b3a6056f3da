//! Messages of the parser for a text that cannot go on as it does: a missing value, operator or comma.

use super::cursor::{Parser, Stop};
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
        let is_native = Native::by_name(before).is_some_and(|native| !native.entry().params.is_empty());
        self.report(match (self.last_kind(), self.kind()) {
            (Some(Kind::Name), Kind::Name | Kind::Real) if one_line && is_native => {
                diagnostic.help(format!("arguments stand in parentheses: `{before}({after})`"))
            }
            (
                Some(Kind::Real | Kind::Name | Kind::CloseRound | Kind::CloseSquare),
                Kind::Real | Kind::Name | Kind::OpenRound | Kind::OpenSquare,
            ) if one_line => diagnostic.help("a product is written with `*`").edit(gap, " * "),
            _ => {
                diagnostic.help("write an operator between them, or begin the next definition with `name =`")
            }
        });
    }

    /// Reports two values side by side in a list; returns `true` to go on as if there were a comma.
    pub(crate) fn missing_comma(&mut self) -> bool {
        if self.touches() && matches!(self.last_kind(), Some(Kind::Real | Kind::CloseRound)) {
            self.missing_operator();
            return false;
        }
        let (last, span) = (self.last_span(), self.span());
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
