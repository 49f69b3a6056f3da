//! Expressions that are valid and probably mean something else: `sine(30)`, `6.67*10-11`.
//!
//! They are worth a word only if nobody would write them so on purpose. Each has a way to say that it is meant.

use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{Binary, Expr, ExprKind, Unary};

/// Functions of an angle, and which of their arguments it is.
const OF_ANGLES: &[(&str, usize)] =
    &[("sine", 0), ("cosine", 0), ("tangent", 0), ("quaternionFromAxisAndAngle", 1)];

/// Whole numbers from here on are rare as angles in radians.
const LEAST_DEGREES: f64 = 10.0;

/// A turn, and the largest angle that is taken for degrees.
const MOST_DEGREES: f64 = 360.0;

/// Warnings about an expression and all its parts. Recursion is safe: the height of expressions is bounded.
pub fn suspicious(expr: &Expr, found: &mut Vec<Diagnostic>) {
    match &expr.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Missing => {}
        ExprKind::Call { callee, arguments, .. } => {
            let angle =
                OF_ANGLES.iter().find(|row| row.0 == callee.text).and_then(|row| arguments.get(row.1));
            found.extend(angle.and_then(|angle| degrees(&callee.text, angle)));
            arguments.iter().for_each(|argument| suspicious(argument, found));
        }
        ExprKind::Unary { operand, .. } => suspicious(operand, found),
        ExprKind::Binary { left, right, .. } => {
            found.extend(power_of_ten(expr));
            suspicious(left, found);
            suspicious(right, found);
        }
        ExprKind::If { condition, then, otherwise } => {
            suspicious(condition, found);
            suspicious(then, found);
            suspicious(otherwise, found);
        }
        ExprKind::Vector(items) | ExprKind::Sequence(items) => {
            items.iter().for_each(|item| suspicious(item, found))
        }
        ExprKind::Group(inner) => suspicious(inner, found),
    }
}

/// The value of a whole number that is written with digits alone, with a sign or without.
pub(crate) fn whole_number(expr: &Expr) -> Option<f64> {
    match &expr.kind {
        ExprKind::Unary { operator: Unary::Minus | Unary::Plus, operand, .. } => whole_number(operand),
        ExprKind::Real(value) => {
            let digits = expr.span.end - expr.span.start;
            // `30.0` and `3e1` are longer than their digits.
            (value.fract() == 0.0 && value.to_string().len() == digits as usize).then_some(*value)
        }
        _ => None,
    }
}

/// `sine(30)`.
fn degrees(function: &str, angle: &Expr) -> Option<Diagnostic> {
    let value = whole_number(angle).filter(|value| (LEAST_DEGREES..=MOST_DEGREES).contains(value))?;
    Some(
        Diagnostic::new(
            Code::W301,
            angle.span,
            format!("angles are in radians: `{function}` of {value} radians?"),
        )
        .label(format!("{:.1} turns", value / std::f64::consts::TAU))
        .help(format!("if degrees are meant, write `{value} * pi / 180`; if radians are, write `{value}.0`")),
    )
}

/// Warns of an orientation that is written in whole numbers too large for radians: `[0, 0, 90]`.
pub fn degrees_of_rotation(expr: &Expr) -> Option<Diagnostic> {
    let ExprKind::Vector(angles) = &expr.kind else { return None };
    let (angle, value) = angles.iter().find_map(|angle| {
        let value = whole_number(angle).filter(|value| (LEAST_DEGREES..=MOST_DEGREES).contains(value))?;
        Some((angle, value))
    })?;
    (angles.len() == 3).then(|| {
        Diagnostic::new(
            Code::W301,
            angle.span,
            format!("an orientation is in radians: a turn by {value} radians?"),
        )
        .label(format!("{:.1} turns", value / std::f64::consts::TAU))
        .help(format!("if degrees are meant, write `{value} * pi / 180`; if radians are, write `{value}.0`"))
    })
}

/// `6.67*10-11`, the minus without spaces.
fn power_of_ten(expr: &Expr) -> Option<Diagnostic> {
    let ExprKind::Binary { operator: Binary::Subtract, operator_span, left, right } = &expr.kind else {
        return None;
    };
    let ExprKind::Binary { operator: Binary::Multiply, left: factor, right: ten, .. } = &left.kind else {
        return None;
    };
    let is_number = |expr: &Expr| match &expr.kind {
        ExprKind::Unary { operand, .. } => matches!(operand.kind, ExprKind::Real(_)),
        kind => matches!(kind, ExprKind::Real(_)),
    };
    // The exponent may have a product behind it: `6.67*10-11 * m`.
    let exponent = first_factor(right);
    let power = whole_number(exponent)?;
    let touches = left.span.end == operator_span.start && operator_span.end == exponent.span.start;
    if !touches || !is_number(factor) || whole_number(ten) != Some(10.0) {
        return None;
    }
    let number = match &factor.kind {
        ExprKind::Real(value) => value.to_string(),
        _ => "…".to_owned(),
    };
    let span = left.span.to(exponent.span);
    Some(
        Diagnostic::new(
            Code::W302,
            span,
            format!("this is a difference, not a power of ten: {power} is subtracted"),
        )
        .label("ten to the power of a negative number?")
        .help(format!(
            "if a power of ten is meant, write `{number}e-{power}`; if not, put spaces around the minus"
        )),
    )
}

/// The factor that a product begins with.
fn first_factor(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Binary { operator: Binary::Multiply | Binary::Divide, left, .. } => first_factor(left),
        _ => expr,
    }
}
