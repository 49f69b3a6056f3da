//! Expressions: operators as signs, and parentheses only where the meaning needs them.

use super::level::{
    BASE, LOOSEST, POWER, inner, is_cross, negated, opens_with_digit, opens_with_sign, sides,
};
use super::markup::Markup;
use super::names::{has_spaces, has_subscript, is_letter};
use crate::syntax::tree::{Binary, Expr, ExprKind, Unary};

impl Markup {
    /// An expression, in parentheses if it holds together more loosely than `least`. Recursion is bounded by the height of
    /// expressions.
    pub(super) fn expr(&mut self, expr: &Expr, least: u8) {
        if self.level(expr) < least {
            self.fenced("(", ")", |markup| markup.bare(expr));
        } else {
            self.bare(expr);
        }
    }

    /// An expression as exactly one element.
    pub(super) fn one(&mut self, expr: &Expr, least: u8) {
        if self.level(expr) < least || self.is_single(expr) {
            self.expr(expr, least);
        } else {
            self.element("mrow", |markup| markup.expr(expr, least));
        }
    }

    fn bare(&mut self, expr: &Expr) {
        match &inner(expr).kind {
            ExprKind::Real(value) => self.number(*value),
            ExprKind::Bool(value) => self.leaf("mtext", &[], if *value { "true" } else { "false" }),
            ExprKind::Name(name) => self.name(name),
            ExprKind::Call { callee, arguments, .. } => self.call(&callee.text, arguments),
            ExprKind::Unary { operator, operand, .. } => self.unary(*operator, operand),
            ExprKind::Binary { operator, left, right, .. } => self.binary(*operator, left, right),
            ExprKind::If { .. } => self.cases(inner(expr)),
            ExprKind::Vector(elements) => self.vector(elements),
            ExprKind::Sequence(items) => {
                self.fenced("{", "}", |markup| {
                    markup.separated(items, |markup, item| markup.expr(item, LOOSEST));
                });
            }
            // `inner` has looked behind all groups.
            ExprKind::Group(_) | ExprKind::Missing => {
                self.element("merror", |markup| markup.leaf("mtext", &[], "?"));
            }
        }
    }

    fn unary(&mut self, operator: Unary, operand: &Expr) {
        let sign = match operator {
            Unary::Minus => "−",
            Unary::Plus => "+",
            Unary::Not => "¬",
        };
        self.leaf("mo", &[("form", "prefix")], sign);
        self.expr(operand, POWER);
    }

    fn binary(&mut self, operator: Binary, left: &Expr, right: &Expr) {
        let sign = match operator {
            Binary::Multiply => return self.product(left, right),
            Binary::Divide => return self.quotient(left, right),
            Binary::Power => return self.power(left, right),
            Binary::Element => return self.element_of(left, right, None),
            Binary::Or => "∨",
            Binary::And => "∧",
            Binary::Equal => "=",
            Binary::NotEqual => "≠",
            Binary::Less => "<",
            Binary::LessEqual => "≤",
            Binary::Greater => ">",
            Binary::GreaterEqual => "≥",
            Binary::Join => "++",
            Binary::Add => "+",
            Binary::Subtract => "−",
            Binary::Dot => "⋅",
        };
        let (_, left_least, _) = sides(operator);
        let is_product = operator == Binary::Dot;
        self.expr(left, if is_product && self.is_loose_product(left) { BASE } else { left_least });
        self.sign(sign);
        self.right(operator, right);
    }

    /// The right side of an operator. A sign that opens it would look like a second operator.
    fn right(&mut self, operator: Binary, right: &Expr) {
        let (_, _, least) = sides(operator);
        let adds = matches!(
            operator,
            Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Dot | Binary::Divide
        );
        if adds && self.level(right) >= least && opens_with_sign(right) {
            self.fenced("(", ")", |markup| markup.expr(right, LOOSEST));
        } else {
            self.expr(right, least);
        }
    }

    fn product(&mut self, left: &Expr, right: &Expr) {
        let (_, least, _) = sides(Binary::Multiply);
        self.expr(left, if self.is_loose_product(left) { BASE } else { least });
        if is_cross(left, right) {
            self.sign("×");
        } else if opens_with_digit(right) {
            self.sign("⋅");
        } else if is_words(last_factor(left)) || is_words(right) {
            // Between words of which a name consists there are spaces too.
            self.sign("∗");
        } else {
            let between_letters = !is_word(last_factor(left)) && !is_word(right);
            let space = if between_letters { "0.1667em" } else { "0.25em" };
            self.leaf("mo", &[("lspace", "0"), ("rspace", space)], "\u{2062}");
        }
        self.right(Binary::Multiply, right);
    }

    fn quotient(&mut self, left: &Expr, right: &Expr) {
        if self.is_linear() {
            let (_, least, _) = sides(Binary::Divide);
            self.expr(left, if self.is_loose_product(left) { BASE } else { least });
            self.leaf("mo", &[("lspace", "0"), ("rspace", "0")], "/");
            return self.right(Binary::Divide, right);
        }
        let opposite = negated(left);
        if opposite.is_some() {
            self.leaf("mo", &[("form", "prefix")], "−");
        }
        self.fractions += 1;
        self.element("mfrac", |markup| {
            markup.one(opposite.unwrap_or(left), LOOSEST);
            markup.one(right, LOOSEST);
        });
        self.fractions -= 1;
    }

    fn power(&mut self, base: &Expr, exponent: &Expr) {
        if let ExprKind::Binary { operator: Binary::Element, left, right, .. } = &inner(base).kind {
            return self.element_of(left, right, Some(exponent));
        }
        self.element("msup", |markup| {
            markup.one(base, BASE);
            markup.script(|markup| markup.expr(exponent, LOOSEST));
        });
    }

    /// `m # 1 # 2` has one subscript with two indices; an exponent stands above it.
    fn element_of(&mut self, left: &Expr, right: &Expr, exponent: Option<&Expr>) {
        let (mut base, mut indices) = (inner(left), vec![right]);
        while let ExprKind::Binary { operator: Binary::Element, left, right, .. } = &base.kind {
            indices.push(right);
            base = inner(left);
        }
        indices.reverse();
        self.element(if exponent.is_some() { "msubsup" } else { "msub" }, |markup| {
            match &base.kind {
                // `pos₀₃` would be the name `pos03`.
                ExprKind::Name(name) if has_subscript(name) => {
                    markup.fenced("(", ")", |markup| markup.name(name));
                }
                _ => markup.one(base, BASE),
            }
            markup.script(|markup| {
                markup.separated(&indices, |markup, index| markup.expr(index, LOOSEST));
            });
            if let Some(exponent) = exponent {
                markup.script(|markup| markup.expr(exponent, LOOSEST));
            }
        });
    }
}

/// The factor that a product ends with.
fn last_factor(expr: &Expr) -> &Expr {
    let mut expr = inner(expr);
    while let ExprKind::Binary { operator: Binary::Multiply, right, .. } = &expr.kind {
        expr = inner(right);
    }
    expr
}

/// Whether an expression is shown as a name of several words, or opens or ends with one.
fn is_words(expr: &Expr) -> bool {
    match &inner(expr).kind {
        ExprKind::Name(name) => has_spaces(name),
        ExprKind::Binary { operator: Binary::Power | Binary::Element, left, .. } => is_words(left),
        ExprKind::Call { callee, arguments, .. } => {
            has_spaces(&callee.text) || matches!(arguments.as_slice(), [argument] if is_words(argument))
        }
        _ => false,
    }
}

/// Whether an expression is shown as a word, which needs more room beside it than a letter.
fn is_word(expr: &Expr) -> bool {
    match &inner(expr).kind {
        ExprKind::Name(name) => !is_letter(name),
        ExprKind::Call { .. } => true,
        _ => false,
    }
}
