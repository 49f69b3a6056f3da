//! Laws in notations of paper and of other languages that the parser recognises: `v += a`, `dv/dt = a`, `x'' = a`,
//! `v.z = 1`, `let x = 1`, `if c then v = 1`, `return v`.
//!
//! Each is met where a definition begins. The message says how such a law is written here. An edit is offered
//! only where it keeps the meaning.

use super::cursor::Parser;
use super::token::Kind;
use super::tree::{Binary, Definition, Expr, ExprKind, Name};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

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

    /// Returns `true` if the law of one component stands here: `v.z = …`.
    pub(crate) fn at_component_law(&self) -> bool {
        [0, 1, 2, 3].map(|ahead| self.kind_after(ahead)) == [Kind::Name, Kind::Dot, Kind::Name, Kind::Equals]
            && self.token(0).end == self.token(1).start
    }

    /// `v.z = …` or `ball.v = …`: says that attributes have laws as a whole.
    pub(crate) fn component_law(&mut self) -> Definition {
        let name = self.name();
        self.bump();
        let part = self.name();
        let span = name.span.to(part.span);
        let help = if matches!(part.text.as_str(), "x" | "y" | "z") {
            format!("give the whole vector: `{} = [x, y, z]`", name.text)
        } else {
            format!(
                "write the attribute alone, `{} = …`: a law is for the objects that its context applies to",
                part.text
            )
        };
        self.report(
            Diagnostic::new(
                Code::E118,
                span,
                format!(
                    "a law sets an attribute, and not a part of something: `{}.{}`",
                    name.text, part.text
                ),
            )
            .help(help),
        );
        self.bump();
        if self.expression().is_ok() {
            self.finish();
        } else {
            self.skip_to_definition();
        }
        let name = if matches!(part.text.as_str(), "x" | "y" | "z") { name } else { part };
        let body = Expr { kind: ExprKind::Missing, span: span.after() };
        Definition { name, prime: None, params: Vec::new(), body, span }
    }

    /// `return v`: says that a law is its value, and passes over the line.
    pub(crate) fn return_statement(&mut self) {
        let span = self.span();
        self.report(
            Diagnostic::new(Code::E117, span, "nothing is returned here")
                .help("a definition is its value: `f(x) = x + 1`; parts of it are definitions of their own"),
        );
        self.pass_line();
    }

    /// Returns `true` if a condition stands here that chooses between laws: `if t > 1 then v = …`.
    pub(crate) fn at_conditional_law(&self) -> bool {
        let mut line =
            (1..64).take_while(|&ahead| !self.token(ahead).opens_line && self.kind_after(ahead) != Kind::End);
        self.kind() == Kind::If
            && line.any(|ahead| {
                let behind = [1, 2].map(|more| self.kind_after(ahead + more));
                self.kind_after(ahead) == Kind::Then && behind == [Kind::Name, Kind::Equals]
            })
    }

    /// Says that a condition is a value, and passes over the line.
    pub(crate) fn conditional_law(&mut self) {
        let span = self.span();
        let line = (1..64).find(|&ahead| self.kind_after(ahead) == Kind::Then);
        let name = line.and_then(|then| self.word(then + 1)).unwrap_or("v");
        self.report(
            Diagnostic::new(Code::E117, span, "a condition chooses between values, not between laws")
                .help(format!("write one law: `{name} = if condition then value else other_value`")),
        );
        self.pass_line();
    }

    /// Passes over the rest of the line.
    fn pass_line(&mut self) {
        self.bump();
        while !self.at_end() && !self.token(0).opens_line && self.kind() != Kind::CloseCurly {
            self.bump();
        }
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
