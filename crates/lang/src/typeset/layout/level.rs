//! Levels: how tightly written expressions hold together, which decides about parentheses.
//!
//! The levels are those of the language, but for what paper shows by its form: a fraction needs no
//! parentheses as a factor, and what stands in an exponent, under a root or in a bracket needs none at all.

use super::medium::Place;
use super::numbers::{Written, vulgar};
use crate::syntax::tree::{Binary, Expr, ExprKind, Unary};

/// Everything may stand here.
pub(crate) const LOOSEST: u8 = 1;
pub(super) const PRODUCT: u8 = 7;
pub(super) const SIGN: u8 = 8;
pub(super) const POWER: u8 = 9;
/// Level of what can carry an exponent or an index.
pub(super) const BASE: u8 = 10;
pub(super) const ATOM: u8 = 11;

/// An expression without the parentheses that the author put around it.
pub(super) fn inner(expr: &Expr) -> &Expr {
    let mut expr = expr;
    while let ExprKind::Group(inside) = &expr.kind {
        expr = inside;
    }
    expr
}

/// The level of an operator, and the least levels that its sides need.
pub(super) fn sides(operator: Binary) -> (u8, u8, u8) {
    match operator {
        Binary::Or => (2, 2, 3),
        Binary::And => (3, 3, 4),
        Binary::Equal
        | Binary::NotEqual
        | Binary::Less
        | Binary::LessEqual
        | Binary::Greater
        | Binary::GreaterEqual => (4, 5, 5),
        Binary::Join => (5, 6, 5),
        Binary::Add | Binary::Subtract => (6, 6, PRODUCT),
        Binary::Multiply | Binary::Divide | Binary::Dot => (PRODUCT, PRODUCT, SIGN),
        Binary::Power => (POWER, BASE, LOOSEST),
        Binary::Element => (BASE, BASE, LOOSEST),
    }
}

impl Place {
    /// Returns `true` if a quotient that stands here is written in one line.
    pub(super) fn is_linear(&self) -> bool {
        self.is_line || self.in_script || self.fractions >= 2
    }

    /// Returns how tightly an expression holds together when it stands here.
    pub(super) fn level(&self, expr: &Expr) -> u8 {
        match &inner(expr).kind {
            ExprKind::If { .. } => LOOSEST,
            ExprKind::Unary { .. } => SIGN,
            ExprKind::Binary { operator: Binary::Divide, left, right, .. }
                if self.is_line && vulgar(left, right).is_some() =>
            {
                ATOM
            }
            ExprKind::Binary { operator: Binary::Divide, left, .. } if !self.is_linear() => {
                if is_negated(left) { SIGN } else { POWER }
            }
            ExprKind::Binary { operator, .. } => sides(*operator).0,
            ExprKind::Real(value) => Written::new(*value).level(),
            _ => ATOM,
        }
    }

    /// Returns `true` if a product would read wrongly if it went on directly behind this one: `a ⋅ b c` looks
    /// like `a ⋅ (b c)`.
    pub(super) fn is_loose_product(&self, expr: &Expr) -> bool {
        match &inner(expr).kind {
            ExprKind::Binary { operator: Binary::Dot, .. } => true,
            ExprKind::Binary { operator: Binary::Divide, left, right, .. } => {
                self.is_linear() && !(self.is_line && vulgar(left, right).is_some())
            }
            ExprKind::Binary { operator: Binary::Multiply, left, right, .. } => is_cross(left, right),
            _ => false,
        }
    }

    /// Returns `true` if an expression is one element without a row around it, when nothing puts parentheses
    /// around it.
    pub(super) fn is_single(&self, expr: &Expr) -> bool {
        match &inner(expr).kind {
            ExprKind::Unary { .. } => false,
            ExprKind::Binary { operator, left, .. } => match operator {
                Binary::Divide => !self.is_linear() && !is_negated(left),
                Binary::Power | Binary::Element => true,
                _ => false,
            },
            ExprKind::Real(value) => Written::new(*value).level() > PRODUCT,
            _ => true,
        }
    }
}

/// Returns `true` if a numerator opens with a minus, which stands before the fraction.
pub(super) fn is_negated(numerator: &Expr) -> bool {
    match &inner(numerator).kind {
        ExprKind::Unary { operator, .. } => *operator == Unary::Minus,
        ExprKind::Binary { operator: Binary::Multiply, left, .. } => is_negated(left),
        _ => false,
    }
}

/// A numerator without the minus that it opens with.
pub(super) fn without_minus(numerator: &Expr) -> Expr {
    let numerator = inner(numerator);
    match &numerator.kind {
        ExprKind::Unary { operator: Unary::Minus, operand, .. } => (**operand).clone(),
        ExprKind::Binary { operator: Binary::Multiply, operator_span, left, right } => Expr {
            kind: ExprKind::Binary {
                operator: Binary::Multiply,
                operator_span: *operator_span,
                left: Box::new(without_minus(left)),
                right: right.clone(),
            },
            span: numerator.span,
        },
        _ => numerator.clone(),
    }
}

/// Returns `true` if an expression opens with a sign, as the right side of a sum or product must not.
pub(super) fn opens_with_sign(expr: &Expr) -> bool {
    match &inner(expr).kind {
        ExprKind::Unary { operator, .. } => *operator != Unary::Not,
        ExprKind::Binary { operator: Binary::Multiply | Binary::Dot, left, .. } => opens_with_sign(left),
        ExprKind::Binary { operator: Binary::Divide, left, .. } => is_negated(left),
        _ => false,
    }
}

/// Returns `true` if the first thing to be seen of a factor is a digit: `x 2` would look like a name.
pub(super) fn opens_with_digit(expr: &Expr) -> bool {
    match &inner(expr).kind {
        ExprKind::Real(_) => true,
        ExprKind::Binary { operator: Binary::Power | Binary::Element, left, .. } => {
            matches!(inner(left).kind, ExprKind::Real(_))
        }
        _ => false,
    }
}

/// Returns `true` if both sides are vectors, written out: their product is surely the cross product.
pub(super) fn is_cross(left: &Expr, right: &Expr) -> bool {
    let is_vector = |expr: &Expr| match &inner(expr).kind {
        ExprKind::Vector(elements) => {
            elements.iter().all(|element| !matches!(element.kind, ExprKind::Vector(_)))
        }
        _ => false,
    };
    is_vector(left) && is_vector(right)
}
