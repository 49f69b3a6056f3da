//! Expressions: precedence climbing over the levels of the language, loosest first.
//!
//! ```text
//! 1 if   2 |   3 &   4 == != < <= > >=   5 ++   6 + -   7 * / .   8 unary - + !   9 ^   10 #   11 calls and brackets
//! ```
//!
//! Levels 5 and 9 group to the right, the others to the left; level 4 does not chain. The right side of `^`
//! may open with a sign, and a sign takes in powers: `-x^2` is `-(x^2)`.
//!
//! Two bounds keep every recursion over the tree safe: at most [`MOST_NESTED`] brackets, signs and `if`s
//! inside each other, and at most [`TALLEST`] nodes on the way from the root to a leaf. The second also
//! bounds sums: their trees lean left and are as tall as they have terms.

use super::cursor::{Parsed, Parser, Stop};
use super::token::Kind;
use super::tree::{Binary, Expr, ExprKind, Name, Unary};
use super::{MOST_NESTED, TALLEST};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

const COMPARISON: u8 = 4;
const SIGN: u8 = 8;
const POWER: u8 = 9;
const ELEMENT: u8 = 10;

/// An expression and the height of its tree. Boxed, because frames of the recursion hold several of them.
pub(crate) type Tall = (Box<Expr>, u32);

impl Parser<'_> {
    /// A whole expression.
    pub(crate) fn expression(&mut self) -> Parsed<Tall> {
        self.level(1)
    }

    /// An expression whose operators bind at least as tightly as `least`.
    fn level(&mut self, least: u8) -> Parsed<Tall> {
        self.depth += 1;
        let result = if self.depth > TALLEST { Err(self.too_deep()) } else { self.operands(least) };
        self.depth -= 1;
        result
    }

    fn operands(&mut self, least: u8) -> Parsed<Tall> {
        let (mut left, mut height) = self.prefix()?;
        while let Some((operator, level)) = self.operator() {
            if level < least {
                break;
            }
            if level == COMPARISON {
                self.refuse_chain(&left);
            }
            let operator_span = self.operator_sign(operator);
            let (right, right_height) = match level {
                ELEMENT => self.index()?,
                5 | POWER => self.deeper(|parser| parser.level(level))?,
                _ => self.level(level + 1)?,
            };
            height = 1 + height.max(right_height);
            if self.depth + height > TALLEST {
                return Err(self.too_deep());
            }
            left = binary(operator, operator_span, left, right);
        }
        Ok((left, height))
    }

    /// The operator that stands here, with its level.
    fn operator(&self) -> Option<(Binary, u8)> {
        Some(match self.kind() {
            Kind::Or => (Binary::Or, 2),
            Kind::And => (Binary::And, 3),
            Kind::Equal => (Binary::Equal, COMPARISON),
            Kind::NotEqual => (Binary::NotEqual, COMPARISON),
            Kind::Less => (Binary::Less, COMPARISON),
            Kind::LessEqual => (Binary::LessEqual, COMPARISON),
            Kind::Greater => (Binary::Greater, COMPARISON),
            Kind::GreaterEqual => (Binary::GreaterEqual, COMPARISON),
            Kind::Join => (Binary::Join, 5),
            Kind::Plus => (Binary::Add, 6),
            Kind::Minus => (Binary::Subtract, 6),
            Kind::Star => (Binary::Multiply, 7),
            Kind::Slash => (Binary::Divide, 7),
            Kind::Dot => (Binary::Dot, 7),
            Kind::Caret => (Binary::Power, POWER),
            Kind::Hash => (Binary::Element, ELEMENT),
            // One `=` where only a comparison makes sense: reported when it is read.
            Kind::Equals if self.function.is_some() || self.nested > 0 => (Binary::Equal, COMPARISON),
            Kind::Name if !self.at_definition() => match self.word(0) {
                Some("and") => (Binary::And, 3),
                Some("or") => (Binary::Or, 2),
                _ => return None,
            },
            _ => return None,
        })
    }

    /// Reads the sign of an operator, in whatever notation it was written.
    fn operator_sign(&mut self, operator: Binary) -> Span {
        let span = self.span();
        match self.kind() {
            Kind::Equals => self.report(
                Diagnostic::new(Code::E106, span, "`=` defines; two values are compared with `==`")
                    .help("write `==`")
                    .edit(span, "=="),
            ),
            Kind::Name => {
                let (word, sign) = (self.slice(), operator.sign());
                self.report(
                    Diagnostic::new(Code::E105, span, format!("`{word}` is written `{sign}` here"))
                        .help(format!("write `{sign}`"))
                        .edit(span, sign),
                );
            }
            _ => {}
        }
        self.bump()
    }

    /// Parses what `#` picks by: a primary, so that `m # 2 # 3` goes to the left.
    fn index(&mut self) -> Parsed<Tall> {
        if matches!(self.kind(), Kind::Minus | Kind::Plus | Kind::Not | Kind::If) {
            return Err(self.no_index());
        }
        self.deeper(|parser| {
            parser.depth += 1;
            let result = parser.primary();
            parser.depth -= 1;
            result
        })
    }

    fn no_index(&mut self) -> Stop {
        let span = self.span();
        self.report(
            Diagnostic::new(Code::E107, span, "`#` needs a number, a name or parentheses on its right")
                .help("write what counts the element in parentheses: `v # (i + 1)`; the first one is 1"),
        );
        Stop::Here
    }

    fn prefix(&mut self) -> Parsed<Tall> {
        let operator = match self.kind() {
            Kind::Minus => Unary::Minus,
            Kind::Plus => Unary::Plus,
            Kind::Not => Unary::Not,
            Kind::If => return self.deeper(Self::conditional),
            Kind::Name if self.at_foreign_if() => return self.deeper(Self::conditional),
            Kind::Name if self.at_word_not() => {
                self.word_not();
                Unary::Not
            }
            _ => return self.primary(),
        };
        let operator_span = self.bump();
        // A sign takes in powers and elements, and other signs.
        let (operand, height) = self.deeper(|parser| parser.level(SIGN + 1))?;
        Ok((unary(operator, operator_span, operand), height + 1))
    }

    fn word_not(&mut self) {
        let span = self.span();
        let diagnostic = Diagnostic::new(Code::E105, span, "`not` is written `!` here");
        // `!` belongs to the value right behind it, `not` of other languages to a whole comparison.
        let is_alone = matches!(
            self.kind_after(2),
            Kind::And | Kind::Or | Kind::Then | Kind::Else | Kind::CloseRound | Kind::CloseSquare | Kind::End
        ) || matches!(self.word(2), Some("and" | "or"))
            || self.token(2).opens_line;
        let gap = Span { end: self.token(1).start, ..span };
        self.report(match is_alone {
            true => diagnostic.help("write `!`").edit(gap, "!"),
            false => diagnostic.help("write `!` before a value in parentheses: `!(a > b)`"),
        });
    }

    fn at_word_not(&self) -> bool {
        self.word(0) == Some("not")
            && matches!(self.kind_after(1), Kind::Name | Kind::Real | Kind::True | Kind::False)
            && !self.at_definition()
    }

    /// Reads something inside brackets, behind a sign or in an `if`, if that is not too deep.
    fn deeper(&mut self, read: impl FnOnce(&mut Self) -> Parsed<Tall>) -> Parsed<Tall> {
        self.nested += 1;
        let result = if self.nested > MOST_NESTED { Err(self.too_deep()) } else { read(self) };
        self.nested -= 1;
        result
    }

    fn conditional(&mut self) -> Parsed<Tall> {
        let Some(start) = self.eat_condition_word(Kind::If) else { return Err(self.no_value()) };
        let mut words = vec![(Kind::If, start)];
        let result = self.arms(start, &mut words);
        self.foreign_condition(&words);
        let (condition, then, otherwise) = result?;
        let height = 1 + condition.1.max(then.1).max(otherwise.1);
        Ok((choice(start, condition.0, then.0, otherwise.0), height))
    }

    /// The condition behind `if` and both values; notes the words between them.
    fn arms(&mut self, start: Span, words: &mut Vec<(Kind, Span)>) -> Parsed<(Tall, Tall, Tall)> {
        let condition = self.expression()?;
        self.branch(Kind::Then, start, words)?;
        let then = self.expression()?;
        let otherwise =
            if self.branch(Kind::Else, start, words)? { self.expression()? } else { self.missing() };
        Ok((condition, then, otherwise))
    }

    /// Reads `then` or `else`, or says that it is missing; whether a value can follow.
    fn branch(&mut self, word: Kind, start: Span, words: &mut Vec<(Kind, Span)>) -> Parsed<bool> {
        if let Some(span) = self.eat_condition_word(word) {
            words.push((word, span));
            return Ok(true);
        }
        let (name, what) =
            if word == Kind::Then { ("then", "its condition") } else { ("else", "its first value") };
        let here = self.last_span().after();
        self.report_unfinished(
            Diagnostic::new(Code::E114, here, format!("`{name}` is missing"))
                .label(format!("`{name}` expected"))
                .also(start, format!("this `if` has no `{name}` after {what}"))
                .help("every `if` has both: `if condition then value else other_value`"),
        );
        let goes_on = self.kind().starts_value() && !self.at_definition_line();
        if goes_on && !self.at_definition() {
            return Ok(true);
        }
        if word == Kind::Else { Ok(false) } else { Err(Stop::Here) }
    }

    fn missing(&self) -> Tall {
        (boxed(ExprKind::Missing, self.last_span().after()), 1)
    }

    fn primary(&mut self) -> Parsed<Tall> {
        if self.at_definition_line() {
            return Err(self.no_value());
        }
        let value = match self.kind() {
            Kind::Name if self.at_power_of_function() => self.power_of_function(),
            Kind::Name => self.named(),
            Kind::OpenRound => {
                let in_list = std::mem::replace(&mut self.in_list, false);
                let group = self.deeper(Self::group);
                self.in_list = in_list;
                group
            }
            Kind::OpenSquare | Kind::OpenCurly => self.list(),
            Kind::Real if !self.in_list && self.at_decimal_comma() => Ok((self.decimal_comma(), 1)),
            _ => self.literal(),
        }?;
        self.bracket_indices(value)
    }

    /// `[a, b]` or `{a, b}`.
    fn list(&mut self) -> Parsed<Tall> {
        let (opened, start) = (self.kind(), self.span());
        let (elements, height) = self.elements()?;
        let span = start.to(self.last_span());
        let vector = opened == Kind::OpenSquare;
        Ok((
            boxed(if vector { ExprKind::Vector(elements) } else { ExprKind::Sequence(elements) }, span),
            height,
        ))
    }

    fn literal(&mut self) -> Parsed<Tall> {
        let span = self.span();
        let kind = match self.kind() {
            Kind::Real => ExprKind::Real(real(self.text_of(span))),
            Kind::True => ExprKind::Bool(true),
            Kind::False => ExprKind::Bool(false),
            Kind::Explained => ExprKind::Missing,
            Kind::Dot if self.kind_after(1) == Kind::Real => return Ok((self.bare_fraction(), 1)),
            _ => return Err(self.no_value()),
        };
        self.bump();
        Ok((boxed(kind, span), 1))
    }

    /// `.5`.
    fn bare_fraction(&mut self) -> Box<Expr> {
        let dot = self.bump();
        let digits = self.slice();
        let span = dot.to(self.bump());
        self.report(
            Diagnostic::new(Code::E102, span, "a number begins with a digit")
                .help(format!("write `0.{digits}`"))
                .edit(dot, "0."),
        );
        boxed(ExprKind::Real(real(self.text_of(span))), span)
    }

    /// A name, a call, or `VFLangNative.name`.
    fn named(&mut self) -> Parsed<Tall> {
        let start = self.span();
        let native = self.slice() == "VFLangNative";
        if native {
            if self.kind_after(1) != Kind::Dot || self.kind_after(2) != Kind::Name {
                return Err(self.no_native());
            }
            self.at += 2;
        }
        if self.kind_after(1) != Kind::OpenRound {
            return Ok((self.lone_name(start, native), 1));
        }
        let callee = self.bump();
        let (arguments, height) = self.elements()?;
        Ok((self.call(start, callee, native, arguments), height))
    }

    fn no_native(&mut self) -> Stop {
        let span = self.bump();
        self.report(
            Diagnostic::new(Code::E131, span, "`VFLangNative` needs the name of a native function after it")
                .help("write `VFLangNative.norm(v)`, or simply `norm(v)`"),
        );
        Stop::Here
    }

    fn lone_name(&mut self, start: Span, native: bool) -> Box<Expr> {
        let name = self.name();
        if native {
            return self.call(start, name.span, true, Vec::new());
        }
        if self.kind() == Kind::Prime {
            let span = name.span.to(self.bump());
            self.report(
                Diagnostic::new(Code::E119, span, format!("a rate can be defined, but not read: `{}'`", name.text)).help(
                    "give what stands on the right of the rate's definition a name of its own, and use that name in both places",
                ),
            );
        }
        boxed(ExprKind::Name(name.text), name.span)
    }

    fn call(&self, start: Span, callee: Span, native: bool, arguments: Vec<Expr>) -> Box<Expr> {
        let callee = Name { text: self.text_of(callee).to_owned(), span: callee };
        boxed(ExprKind::Call { callee, native, arguments }, start.to(self.last_span()))
    }

    /// `(e)`.
    fn group(&mut self) -> Parsed<Tall> {
        let opening = self.bump();
        if self.kind() == Kind::CloseRound {
            return Err(self.empty_group(opening));
        }
        self.open.push((Kind::OpenRound, opening));
        if self.kind().closes().is_some() {
            self.close()?;
            return Ok(self.missing());
        }
        let (inner, height) = match self.expression() {
            Ok(inner) => inner,
            Err(Stop::Here) if self.skip_to_element() => self.missing(),
            Err(stop) => return Err(self.leave(stop)),
        };
        if self.kind() == Kind::Comma {
            self.comma_in_group(opening);
            return Err(self.leave(Stop::Here));
        }
        if self.kind().starts_value() && !self.at_definition_line() {
            self.missing_operator();
            if !self.skip_to_element() {
                return Err(self.leave(Stop::Definition));
            }
        }
        let closing = self.close()?;
        Ok((boxed(ExprKind::Group(inner), opening.to(closing)), height + 1))
    }

    fn empty_group(&mut self, opening: Span) -> Stop {
        let span = self.span();
        self.report(
            Diagnostic::new(Code::E108, span, "there is nothing between `(` and `)`")
                .label("a value is expected before this")
                .also(opening, "opened here")
                .help("write a value inside, or take the parentheses away")
                .edit(opening.to(span), ""),
        );
        self.bump();
        Stop::Definition
    }

    fn comma_in_group(&mut self, opening: Span) {
        let span = self.span();
        self.report(
            Diagnostic::new(Code::E129, span, "parentheses hold one value, but here is a comma")
                .also(opening, "opened here")
                .help("a vector is written in square brackets: `[x, y, z]`"),
        );
        while self.kind() == Kind::Comma {
            self.bump();
            if !self.skip_to_element() {
                return;
            }
        }
        if self.kind() == Kind::CloseRound {
            self.bump();
        }
    }

    /// Forgets the innermost bracket on the way out.
    fn leave(&mut self, stop: Stop) -> Stop {
        self.open.pop();
        stop
    }

    /// `[a, b]`, `{a, b}` or the arguments of a call, from the opening bracket on; with the height of the
    /// whole.
    pub(crate) fn elements(&mut self) -> Parsed<(Vec<Expr>, u32)> {
        self.nested += 1;
        let in_list = std::mem::replace(&mut self.in_list, true);
        let result = if self.nested > MOST_NESTED { Err(self.too_deep()) } else { self.element_list() };
        self.in_list = in_list;
        self.nested -= 1;
        result
    }

    fn element_list(&mut self) -> Parsed<(Vec<Expr>, u32)> {
        let opened = self.kind();
        let opening = self.bump();
        self.open.push((opened, opening));
        let (mut elements, mut height) = (Vec::new(), 0);
        if self.kind().closes().is_some() {
            self.close()?;
            return Ok((elements, 1));
        }
        loop {
            if self.at_end() && self.last_kind() != Some(Kind::Comma) || self.at_definition_line() {
                return Err(self.close().err().unwrap_or(Stop::Definition));
            }
            let (element, tall) = match self.expression() {
                Ok(element) => element,
                Err(Stop::Here) if self.skip_to_element() => self.missing(),
                Err(stop) => return Err(self.leave(stop)),
            };
            height = height.max(tall);
            elements.push(*element);
            if self.eat(Kind::Comma).is_some() {
                continue;
            }
            if self.kind().starts_value() && !self.at_definition_line() {
                if self.missing_comma() {
                    continue;
                }
                if !self.skip_to_element() {
                    return Err(self.leave(Stop::Definition));
                }
                if self.eat(Kind::Comma).is_some() {
                    continue;
                }
            }
            if self.kind().closes().is_none() && !self.at_end() && !self.at_definition_line() {
                self.unexpected();
                if !self.skip_to_element() {
                    return Err(self.leave(Stop::Definition));
                }
                if self.eat(Kind::Comma).is_some() {
                    continue;
                }
            }
            self.close()?;
            if self.depth + height >= TALLEST {
                return Err(self.too_deep());
            }
            return Ok((elements, height + 1));
        }
    }

    /// `a < b < c`.
    fn refuse_chain(&mut self, left: &Expr) {
        let ExprKind::Binary { operator, operator_span, right, .. } = &left.kind else { return };
        if !compares(*operator) || self.kind() == Kind::Equals {
            return;
        }
        let (span, first) = (self.span(), *operator_span);
        let (sign, middle) = (self.slice(), self.text_of(right.span));
        let whole = self.text_of(left.span);
        let mut diagnostic = Diagnostic::new(Code::E115, span, "comparisons do not chain")
            .label("the second comparison")
            .also(first, "the first one gives true or false, which is then compared");
        diagnostic = if middle.len() + whole.len() < 60 {
            diagnostic.help(format!("say both: `{whole} & {middle} {sign} …`"))
        } else {
            diagnostic.help("say both, joined by `&`: `a < b & b < c`")
        };
        self.report(diagnostic);
    }

    fn too_deep(&mut self) -> Stop {
        let span = self.span();
        self.report(
            Diagnostic::new(Code::E116, span, "this expression is nested too deeply")
                .label("too deep from here on")
                .note(format!(
                    "at most {MOST_NESTED} brackets, signs and `if`s inside each other, and {TALLEST} operators in a row"
                ))
                .help("give parts of it names of their own, as definitions without parameters"),
        );
        Stop::Definition
    }
}

// Nodes are made apart from the recursion, which keeps its frames small.

pub(super) fn boxed(kind: ExprKind, span: Span) -> Box<Expr> {
    Box::new(Expr { kind, span })
}

fn binary(operator: Binary, operator_span: Span, left: Box<Expr>, right: Box<Expr>) -> Box<Expr> {
    let span = left.span.to(right.span);
    boxed(ExprKind::Binary { operator, operator_span, left, right }, span)
}

fn unary(operator: Unary, operator_span: Span, operand: Box<Expr>) -> Box<Expr> {
    let span = operator_span.to(operand.span);
    boxed(ExprKind::Unary { operator, operator_span, operand }, span)
}

fn choice(start: Span, condition: Box<Expr>, then: Box<Expr>, otherwise: Box<Expr>) -> Box<Expr> {
    let span = start.to(otherwise.span);
    boxed(ExprKind::If { condition, then, otherwise }, span)
}

fn compares(operator: Binary) -> bool {
    use Binary::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    matches!(operator, Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual)
}

/// The value of a real as written; what is too large was reported by the lexer.
fn real(text: &str) -> f64 {
    match text {
        "²" => 2.0,
        "³" => 3.0,
        "½" => 0.5,
        _ => text.parse().unwrap_or(0.0),
    }
}
