//! Values in notations of paper and of other languages that the parser recognises: `0,8`, `v[1]`, `sine^2(t)`,
//! `v x w`.
//!
//! Each is met where it would otherwise be a riddle. The message names the notation used here. An edit is
//! offered only where it keeps the meaning.

use super::cursor::{Parsed, Parser};
use super::expression::{Tall, boxed};
use super::foreign::comments;
use super::token::Kind;
use super::tree::{Expr, ExprKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::native::Native;
use crate::source::Span;

/// Names under which other languages and books know the functions that are raised to powers.
pub(super) const FUNCTIONS: &[&str] =
    &["sin", "cos", "tan", "sen", "tg", "ln", "lg", "arcsin", "arccos", "arctan"];

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

impl Parser<'_> {
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
    pub(crate) fn bracket_indices(&mut self, (mut left, mut height): Tall) -> Parsed<Tall> {
        // `[[1, 2][3, 4]]` lacks a comma, so a vector is followed by brackets only if those before took an element.
        let mut is_value = matches!(self.last_kind(), Some(Kind::Name | Kind::CloseRound));
        while is_value && self.kind() == Kind::OpenSquare && self.touches() {
            let opening = self.span();
            let (indices, tall) = self.elements()?;
            let brackets = opening.to(self.last_span());
            self.index_in_brackets(left.span, brackets, &indices);
            height = height.max(tall) + 1;
            left = boxed(ExprKind::Missing, left.span.to(brackets));
            is_value = self.last_kind() == Some(Kind::CloseSquare);
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

    /// Explains two values side by side that are one thing in another notation; `None` if they are not.
    pub(crate) fn other_product(&self) -> Option<Diagnostic> {
        let (last, span) = (self.last_span(), self.span());
        if self.kind() == Kind::If {
            return Some(
                Diagnostic::new(Code::E140, span, "the condition stands before both values")
                    .help("write `if condition then value else other_value`"),
            );
        }
        let word = self.word(0)?;
        if word == "x" && self.kind_after(1).starts_value() && !self.token(1).opens_line {
            return Some(
                Diagnostic::new(Code::E105, span, "`x` is written `*` here")
                    .help("a product is written with `*`, the cross product of two vectors too")
                    .edit(span, "*"),
            );
        }
        let is_power =
            word == "x10" && self.last_kind() == Some(Kind::Real) && self.kind_after(1) == Kind::Caret;
        is_power.then(|| {
            let number = self.text_of(last);
            Diagnostic::new(Code::E105, span, "a power of ten is written with `e`, or with `*` and `^`")
                .help(format!("write `{number}e-11` or `{number} * 10^-11` with your own power"))
                .edit(Span { start: last.end, ..span }, " * 10")
        })
    }
}
