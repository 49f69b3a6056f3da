//! Notations of paper and of other languages that the parser recognises: `0,8`, `v[1]`, `sine^2(t)`, `v += a`,
//! `dv/dt`, `x''`, `let x = 1`, `2 kg`.
//!
//! Each is met where it would otherwise be a riddle. The message names the notation used here. An edit is
//! offered only where it keeps the meaning.

use super::cursor::{Parsed, Parser};
use super::expression::{Tall, boxed};
use super::foreign::comments;
use super::token::Kind;
use super::tree::{Binary, Definition, Expr, ExprKind, Name};
use crate::diagnostic::{Code, Diagnostic};
use crate::native::Native;
use crate::source::Span;

/// Names under which other languages and books know the functions that are raised to powers.
const FUNCTIONS: &[&str] = &["sin", "cos", "tan", "sen", "tg", "ln", "lg", "arcsin", "arccos", "arctan"];

/// Functions and their inverses.
const INVERSES: &[(&str, &str)] = &[
    ("sine", "inverseSine"),
    ("sin", "inverseSine"),
    ("sen", "inverseSine"),
    ("cosine", "inverseCosine"),
    ("cos", "inverseCosine"),
    ("tangent", "inverseTangent"),
    ("tan", "inverseTangent"),
    ("tg", "inverseTangent"),
];

/// Words that declare a variable in other languages.
const DECLARING: &[&str] = &[
    "let", "var", "val", "const", "def", "double", "float", "real", "int", "vec3", "vector", "local", "set",
];

/// Head of a definition that is written as a derivative.
pub(crate) struct Derivative<'t> {
    /// `v` of `dv/dt`.
    variable: &'t str,
    /// 1 for a rate, 2 for an acceleration.
    order: u32,
    /// Number of tokens before the `=`.
    tokens: usize,
}

impl<'a> Parser<'a> {
    /// Returns `true` if digits, a comma and digits stand here without a space: `0,8`.
    pub(crate) fn at_decimal_comma(&self) -> bool {
        let [left, comma, right] = [0, 1, 2].map(|ahead| self.token(ahead));
        (left.kind, comma.kind, right.kind) == (Kind::Real, Kind::Comma, Kind::Real)
            && left.end == comma.start
            && comma.end == right.start
    }

    /// `0,8` where no list is: one number.
    pub(crate) fn decimal_comma(&mut self) -> Box<Expr> {
        let left = self.bump();
        let mut parts = vec![self.text_of(left)];
        let mut comma = self.span();
        while self.kind() == Kind::Comma && self.kind_after(1) == Kind::Real && self.touches() {
            comma = self.bump();
            parts.push(self.slice());
            self.bump();
        }
        let span = left.to(self.last_span());
        let written = self.text_of(span);
        let diagnostic = Diagnostic::new(
            Code::E132,
            span,
            format!("a decimal number is written with a point: `{written}`"),
        )
        .label("a comma separates values");
        let is_thousands =
            parts[0] != "0" && parts[0].len() <= 3 && parts[1..].iter().all(|part| part.len() == 3);
        self.report(match (&parts[..], is_thousands) {
            ([_, _], true) => diagnostic.help(format!(
                "write `{}` if the comma groups digits, `{}` if it is the decimal point",
                parts.concat(),
                parts.join(".")
            )),
            (_, true) => {
                diagnostic.help("digits stand without separators between them").edit(span, parts.concat())
            }
            ([whole, _], false) if whole.bytes().all(|byte| byte.is_ascii_digit()) => {
                diagnostic.help(format!("write `{}`", parts.join("."))).edit(comma, ".")
            }
            _ => diagnostic.help("write one point, and no other separators"),
        });
        boxed(ExprKind::Missing, span)
    }

    /// `v[1]`, behind the value that it is an element of.
    pub(crate) fn bracket_indices(&mut self, (left, mut height): Tall) -> Parsed<Tall> {
        let mut left = left;
        while self.kind() == Kind::OpenSquare
            && self.touches()
            && matches!(self.last_kind(), Some(Kind::Name | Kind::CloseRound | Kind::CloseSquare))
        {
            let opening = self.span();
            let (indices, tall) = self.elements()?;
            let brackets = opening.to(self.last_span());
            self.index_in_brackets(left.span, brackets, &indices);
            height = height.max(tall) + 1;
            left = boxed(ExprKind::Missing, left.span.to(brackets));
        }
        Ok((left, height))
    }

    fn index_in_brackets(&mut self, value: Span, brackets: Span, indices: &[Expr]) {
        let value = self.text_of(value);
        let zero = indices.iter().any(|index| matches!(index.kind, ExprKind::Real(0.0)));
        let picked: String = indices.iter().map(|index| format!(" # {}", self.index_text(index))).collect();
        let diagnostic = Diagnostic::new(Code::E139, brackets, "an element is not taken with brackets")
            .label("brackets write a vector");
        self.report(if zero {
            diagnostic.help(format!("write `{value} # 1` for the first element: elements are counted from 1"))
        } else {
            // Whoever counts from 0 means another element, so there is no edit.
            diagnostic.help(format!("write `{value}{picked}`; elements are counted from 1, not from 0"))
        });
    }

    /// The text of an index as it can stand behind `#`.
    fn index_text(&self, index: &Expr) -> String {
        let text = self.text_of(index.span);
        match index.kind {
            ExprKind::Real(_) | ExprKind::Name(_) | ExprKind::Group(_) | ExprKind::Call { .. } => {
                text.to_owned()
            }
            _ => format!("({text})"),
        }
    }

    /// Returns `true` if `sine^2(…` or `sine^-1(…` stands here.
    pub(crate) fn at_power_of_function(&self) -> bool {
        let sign = usize::from(self.kind_after(2) == Kind::Minus);
        let is_powered = self.kind_after(1) == Kind::Caret
            && self.kind_after(2 + sign) == Kind::Real
            && self.kind_after(3 + sign) == Kind::OpenRound
            && self.token(2 + sign).end == self.token(3 + sign).start;
        let is_function =
            |name: &str| Native::by_name(name).is_some_and(|native| !native.entry().params.is_empty());
        is_powered && self.word(0).is_some_and(|name| is_function(name) || FUNCTIONS.contains(&name))
    }

    /// `sine^2(t)`: the power belongs to the value.
    pub(crate) fn power_of_function(&mut self) -> Parsed<Tall> {
        let name = self.name();
        let caret = self.bump();
        let sign = self.eat(Kind::Minus);
        let number = self.bump();
        let power = Span { start: caret.end, end: number.end, ..caret };
        let opening = self.span();
        let (_, height) = self.elements()?;
        let arguments = self.text_of(opening.to(self.last_span()));
        let whole = name.span.to(self.last_span());
        let (function, power) = (name.text.as_str(), self.text_of(power));
        let inverse = INVERSES.iter().find(|row| row.0 == function).map(|row| row.1);
        let (help, meant) = match (sign, inverse) {
            (Some(_), Some(inverse)) if power == "-1" => {
                let meant = format!("{inverse}{arguments}");
                (
                    format!(
                        "the inverse function is `{inverse}`; one over the value is `1 / {function}{arguments}`"
                    ),
                    meant,
                )
            }
            _ => {
                let meant = format!("{function}{arguments}^{power}");
                (format!("raise the value: `{meant}`"), meant)
            }
        };
        let diagnostic = Diagnostic::new(
            Code::E138,
            whole,
            format!("a function has no power, its value has: `{function}^{power}`"),
        )
        .label("the power stands before the argument")
        .help(help);
        self.report(diagnostic.edit(whole, meant));
        Ok((boxed(ExprKind::Missing, whole), height + 1))
    }

    /// Returns `true` if `v += …`, `v -= …` and the like stand here.
    pub(crate) fn at_compound_assignment(&self) -> bool {
        self.kind() == Kind::Name
            && matches!(self.kind_after(1), Kind::Plus | Kind::Minus | Kind::Star | Kind::Slash | Kind::Caret)
            && self.kind_after(2) == Kind::Equals
            && self.token(1).end == self.token(2).start
    }

    /// `v += a * dt`, from the operator on.
    pub(crate) fn compound_assignment(&mut self, name: Name) -> Definition {
        let operator = self.bump();
        let both = operator.to(self.bump());
        let body = self.expression().ok().map(|(body, _)| body);
        let end = self.last_span();
        let diagnostic = self.explain_assignment(&name, operator, both, body.as_deref());
        self.report(diagnostic);
        if body.is_some() {
            self.finish();
        } else {
            self.skip_to_definition();
        }
        let span = name.span.to(end);
        Definition {
            name,
            prime: None,
            params: Vec::new(),
            body: Expr { kind: ExprKind::Missing, span: end },
            span,
        }
    }

    fn explain_assignment(&self, name: &Name, operator: Span, both: Span, body: Option<&Expr>) -> Diagnostic {
        let (sign, name_text) = (self.text_of(operator), &name.text);
        let diagnostic =
            Diagnostic::new(Code::E136, both, format!("a value is not changed step by step: `{sign}=`"))
                .label("a law says what the value is");
        if let (Some(rate), "+" | "-") = (body.and_then(times_dt), sign) {
            let minus = if sign == "-" { "-" } else { "" };
            let rate_text = self.text_of(rate.span);
            let is_sum = matches!(
                rate.kind,
                ExprKind::Binary { operator: Binary::Add | Binary::Subtract, .. } | ExprKind::If { .. }
            );
            let diagnostic =
                diagnostic.help(format!("write how fast it changes, with a prime: `{name_text}' = {minus}{rate_text}`; the engine adds up"));
            let whole = name.span.to(body.map_or(both, |body| body.span));
            return if is_sum && sign == "-" {
                diagnostic
            } else {
                diagnostic.edit(whole, format!("{name_text}' = {minus}{rate_text}"))
            };
        }
        let diagnostic = diagnostic.help(format!(
            "in a collision write `{name_text} = previous({name_text}) {sign} …`; where time passes give its rate, `{name_text}' = …`"
        ));
        let edit = format!("= previous({name_text}) {sign}");
        if body.is_some_and(|body| keeps_meaning(sign, body)) {
            diagnostic.edit(both, edit)
        } else {
            diagnostic
        }
    }

    /// The derivative that stands here as the head of a definition: `dv/dt =`, `d(v)/dt =`, `d^2x/dt^2 =`.
    pub(crate) fn derivative(&self) -> Option<Derivative<'a>> {
        if self.word(0).is_none_or(|word| !word.starts_with('d')) {
            return None;
        }
        let tokens = (1..12).find(|&ahead| self.kind_after(ahead) == Kind::Equals)?;
        if (1..tokens).any(|ahead| self.token(ahead).opens_line) {
            return None;
        }
        let head = self.text_of(self.span().to(self.span_of(self.token(tokens - 1))));
        let (above, below) = head.split_once('/')?;
        let (above, below) = (above.trim().strip_prefix('d')?, below.trim());
        let second =
            |text: &'a str| ["^2", "²", "2"].into_iter().find_map(|two| text.trim_start().strip_prefix(two));
        let below = below.strip_prefix("dt").or_else(|| below.strip_prefix("d t"))?;
        let (order, behind) = match second(below) {
            Some(behind) => (2, behind),
            None => (1, below),
        };
        let above = if order == 2 { second(above)? } else { above };
        let variable = if above.trim().is_empty() { behind } else { above };
        let variable = variable.trim().trim_start_matches('(').trim_end_matches(')').trim();
        let is_name = variable.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && variable.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        is_name.then_some(Derivative { variable, order, tokens })
    }

    /// `dv/dt = a`, read as `v' = a`.
    pub(crate) fn derivative_definition(&mut self, derivative: &Derivative<'_>) -> Definition {
        let variable = derivative.variable;
        let start = self.span();
        self.at += derivative.tokens;
        let head = start.to(self.last_span());
        let written = self.text_of(head);
        let diagnostic =
            Diagnostic::new(Code::E137, head, format!("a rate is written with a prime, not as `{written}`"));
        self.report(if derivative.order == 1 {
            diagnostic.help(format!("write `{variable}'`")).edit(head, format!("{variable}'"))
        } else {
            diagnostic.help(second_order(variable))
        });
        self.bump();
        let mut body = match self.expression() {
            Ok((body, _)) => {
                self.finish();
                *body
            }
            Err(_) => {
                self.skip_to_definition();
                Expr { kind: ExprKind::Missing, span: head.after() }
            }
        };
        if derivative.order > 1 {
            body.kind = ExprKind::Missing;
        }
        let name = Name { text: variable.to_owned(), span: head };
        let span = head.to(body.span);
        Definition { name, prime: Some(head.after()), params: Vec::new(), body, span }
    }

    /// A second prime: `position'' = a`. Returns `true` if there was one.
    pub(crate) fn second_prime(&mut self, name: &Name) -> bool {
        if self.kind() != Kind::Prime {
            return false;
        }
        while self.eat(Kind::Prime).is_some() {}
        let span = name.span.to(self.last_span());
        self.report(
            Diagnostic::new(
                Code::E137,
                span,
                format!("a second derivative cannot be given: `{}''`", name.text),
            )
            .help(second_order(&name.text)),
        );
        true
    }

    /// Reads a comment of another language where something else must begin. Returns `true` if there was one.
    pub(crate) fn foreign_comment(&mut self) -> bool {
        let is_dashes = self.kind() == Kind::Minus
            && self.kind_after(1) == Kind::Minus
            && self.token(0).end == self.token(1).start;
        if self.kind() != Kind::Hash && !is_dashes {
            return false;
        }
        let diagnostic = comments::explain(self.source, self.text, self.span().start as usize);
        self.report(diagnostic);
        self.bump();
        while !self.at_end() && !self.token(0).opens_line {
            self.bump();
        }
        true
    }

    /// Returns `true` if a word stands here that declares the name behind it in other languages: `let x = 1`.
    pub(crate) fn at_declaring_word(&self) -> bool {
        self.word(0).is_some_and(|word| DECLARING.contains(&word))
            && self.kind_after(1) == Kind::Name
            && matches!(self.kind_after(2), Kind::Equals | Kind::OpenRound)
            && !self.token(1).opens_line
    }

    /// Says that no word declares a name, and reads it.
    pub(crate) fn declaring_word(&mut self) {
        let word = self.bump();
        let gap = Span { end: self.span().start, ..word };
        let written = self.text_of(word);
        self.report(
            Diagnostic::new(Code::E118, word, format!("no word like `{written}` declares a name here"))
                .help("a definition begins with the name itself: `name = value`")
                .edit(gap, ""),
        );
    }
}

fn second_order(variable: &str) -> String {
    let velocity = if variable == "v" { "w" } else { "v" };
    format!(
        "give the velocity an attribute of its own and write two rates: `{variable}' = {velocity}` and `{velocity}' = …`"
    )
}

/// The other factor of a product with `dt`.
fn times_dt(body: &Expr) -> Option<&Expr> {
    let ExprKind::Binary { operator: Binary::Multiply, left, right, .. } = &body.kind else { return None };
    let is_dt = |expr: &Expr| matches!(&expr.kind, ExprKind::Name(name) if name == "dt");
    if is_dt(right) { Some(left) } else { is_dt(left).then_some(right) }
}

/// Returns `true` if `x = previous(x) SIGN body` means the same as `x SIGN= body`, without parentheses.
fn keeps_meaning(sign: &str, body: &Expr) -> bool {
    let is_atom = matches!(
        body.kind,
        ExprKind::Real(_)
            | ExprKind::Name(_)
            | ExprKind::Call { .. }
            | ExprKind::Group(_)
            | ExprKind::Vector(_)
    );
    let ExprKind::Binary { operator, .. } = &body.kind else { return is_atom };
    match sign {
        "+" => matches!(
            operator,
            Binary::Add
                | Binary::Subtract
                | Binary::Multiply
                | Binary::Divide
                | Binary::Dot
                | Binary::Power
                | Binary::Element
        ),
        "-" => matches!(
            operator,
            Binary::Multiply | Binary::Divide | Binary::Dot | Binary::Power | Binary::Element
        ),
        _ => false,
    }
}
