//! Expressions: operators as signs, and parentheses only where the meaning needs them.

use super::functions::{call, raised_word};
use super::level::{
    BASE, LOOSEST, POWER, inner, is_cross, is_negated, opens_with_digit, opens_with_sign, sides,
    without_minus,
};
use super::medium::{Fence, Medium, Times};
use super::names::{has_spaces, has_subscript, is_letter, name};
use super::numbers::{Written, vulgar};
use super::tables::{cases, vector};
use crate::syntax::tree::{Binary, Expr, ExprKind, Unary};

/// An expression, in parentheses if it holds together more loosely than `least`. Recursion is bounded by the
/// height of expressions.
pub(crate) fn expr<M: Medium>(medium: &mut M, it: &Expr, least: u8) {
    if medium.place().level(it) < least {
        medium.fenced(Fence::Round, |medium| bare(medium, it));
    } else {
        bare(medium, it);
    }
}

/// An expression as exactly one thing.
pub(super) fn one<M: Medium>(medium: &mut M, it: &Expr, least: u8) {
    let is_one = medium.place().level(it) < least || medium.place().is_single(it);
    medium.one(is_one, |medium| expr(medium, it, least));
}

fn bare<M: Medium>(medium: &mut M, it: &Expr) {
    match &inner(it).kind {
        ExprKind::Real(value) => medium.number(&Written::new(*value)),
        ExprKind::Bool(value) => medium.text(if *value { "true" } else { "false" }),
        ExprKind::Name(it) => name(medium, it),
        ExprKind::Call { callee, arguments, .. } => call(medium, &callee.text, arguments),
        ExprKind::Unary { operator, operand, .. } => unary(medium, *operator, operand),
        ExprKind::Binary { operator, left, right, .. } => binary(medium, *operator, left, right),
        ExprKind::If { .. } => cases(medium, inner(it)),
        ExprKind::Vector(elements) => vector(medium, elements),
        ExprKind::Sequence(items) => medium.fenced(Fence::Brace, |medium| {
            medium.separated(items, |medium, item| expr(medium, item, LOOSEST));
        }),
        // `inner` has looked behind all groups.
        ExprKind::Group(_) | ExprKind::Missing => medium.missing(),
    }
}

fn unary<M: Medium>(medium: &mut M, operator: Unary, operand: &Expr) {
    medium.prefix(match operator {
        Unary::Minus => "−",
        Unary::Plus => "+",
        Unary::Not => "¬",
    });
    expr(medium, operand, POWER);
}

fn binary<M: Medium>(medium: &mut M, operator: Binary, left: &Expr, right: &Expr) {
    let sign = match operator {
        Binary::Multiply => return product(medium, left, right),
        Binary::Divide => return quotient(medium, left, right),
        Binary::Power => return power(medium, left, right),
        Binary::Element => return element_of(medium, left, right, None),
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
    let (_, least, _) = sides(operator);
    let is_product = operator == Binary::Dot;
    let loose = is_product && medium.place().is_loose_product(left);
    expr(medium, left, if loose { BASE } else { least });
    medium.sign(sign);
    right_side(medium, operator, right);
}

/// The right side of an operator. A sign that opens it would look like a second operator.
fn right_side<M: Medium>(medium: &mut M, operator: Binary, right: &Expr) {
    let (_, _, least) = sides(operator);
    let adds =
        matches!(operator, Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Dot | Binary::Divide);
    if adds && medium.place().level(right) >= least && opens_with_sign(right) {
        medium.fenced(Fence::Round, |medium| expr(medium, right, LOOSEST));
    } else {
        expr(medium, right, least);
    }
}

/// The left side of a product or quotient.
fn left_side<M: Medium>(medium: &mut M, operator: Binary, left: &Expr) {
    let (_, least, _) = sides(operator);
    let loose = medium.place().is_loose_product(left);
    expr(medium, left, if loose { BASE } else { least });
}

fn product<M: Medium>(medium: &mut M, left: &Expr, right: &Expr) {
    left_side(medium, Binary::Multiply, left);
    if is_cross(left, right) {
        medium.sign("×");
    } else if opens_with_digit(right) {
        medium.sign("⋅");
    } else if is_words(last_factor(left)) || is_words(right) {
        // Between words of which a name consists there are spaces too.
        medium.sign("∗");
    } else {
        let both = [last_factor(left), right].map(beside);
        let widest = [Times::Words, Times::Calls].into_iter().find(|times| both.contains(times));
        medium.times(widest.unwrap_or(Times::Letters));
    }
    right_side(medium, Binary::Multiply, right);
}

fn quotient<M: Medium>(medium: &mut M, left: &Expr, right: &Expr) {
    if medium.place().is_line
        && let Some(fraction) = vulgar(left, right)
    {
        return medium.text(fraction);
    }
    if medium.place().is_line
        && let Some(fraction) = part_of(left, right)
    {
        medium.text(fraction);
        medium.times(Times::Letters);
        return left_side(medium, Binary::Multiply, left);
    }
    if medium.place().is_linear() {
        left_side(medium, Binary::Divide, left);
        medium.slash();
        return right_side(medium, Binary::Divide, right);
    }
    let opposite = is_negated(left).then(|| without_minus(left));
    if opposite.is_some() {
        medium.prefix("−");
    }
    let above = opposite.as_ref().unwrap_or(left);
    medium.place().fractions += 1;
    medium.fraction(|medium| one(medium, above, LOOSEST), |medium| one(medium, right, LOOSEST));
    medium.place().fractions -= 1;
}

/// The fraction before a product that would be divided by a small number: ½ m v².
fn part_of(product: &Expr, divisor: &Expr) -> Option<&'static str> {
    let is_product = match &inner(product).kind {
        ExprKind::Binary { operator: Binary::Multiply, left, .. } => {
            !opens_with_sign(product) && !opens_with_digit(first_factor(left))
        }
        _ => false,
    };
    let one = Expr { kind: ExprKind::Real(1.0), span: divisor.span };
    is_product.then(|| vulgar(&one, divisor)).flatten()
}

/// Powers of functions that everybody writes so stand behind the name: sin²(x).
fn power<M: Medium>(medium: &mut M, base: &Expr, exponent: &Expr) {
    if let ExprKind::Binary { operator: Binary::Element, left, right, .. } = &inner(base).kind {
        return element_of(medium, left, right, Some(exponent));
    }
    let is_whole =
        matches!(inner(exponent).kind, ExprKind::Real(power) if power >= 2.0 && power == libm::trunc(power));
    let exponent = |medium: &mut M| medium.script(|medium| expr(medium, exponent, LOOSEST));
    if let ExprKind::Call { callee, arguments, .. } = &inner(base).kind
        && let [argument] = arguments.as_slice()
        && let Some(word) = raised_word(&callee.text)
        && is_whole
    {
        return medium.row(|medium| {
            medium.power(|medium| medium.function(&callee.text, word), exponent);
            medium.apply(|medium| expr(medium, argument, LOOSEST));
        });
    }
    medium.power(|medium| one(medium, base, BASE), exponent);
}

/// `m # 1 # 2` has one subscript with two indices; an exponent stands above it.
fn element_of<M: Medium>(medium: &mut M, left: &Expr, right: &Expr, exponent: Option<&Expr>) {
    let (mut base, mut indices) = (inner(left), vec![right]);
    while let ExprKind::Binary { operator: Binary::Element, left, right, .. } = &base.kind {
        indices.push(right);
        base = inner(left);
    }
    indices.reverse();
    let write_base = |medium: &mut M| match &base.kind {
        // `pos₀₃` would be the name `pos03`.
        ExprKind::Name(it) if has_subscript(it) => medium.fenced(Fence::Round, |medium| name(medium, it)),
        _ => one(medium, base, BASE),
    };
    let write_indices = |medium: &mut M| {
        medium.script(|medium| medium.separated(&indices, |medium, index| expr(medium, index, LOOSEST)));
    };
    match exponent {
        None => medium.index(write_base, write_indices),
        Some(exponent) => medium.index_and_power(write_base, write_indices, |medium| {
            medium.script(|medium| expr(medium, exponent, LOOSEST));
        }),
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

/// The factor that a product begins with.
fn first_factor(expr: &Expr) -> &Expr {
    let mut expr = inner(expr);
    while let ExprKind::Binary { operator: Binary::Multiply | Binary::Divide, left, .. } = &expr.kind {
        expr = inner(left);
    }
    expr
}

/// Returns `true` if an expression is shown as a name of several words, or opens or ends with one.
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

/// Returns what an expression needs beside it in a product: a word more than a letter.
fn beside(expr: &Expr) -> Times {
    match &inner(expr).kind {
        ExprKind::Name(name) if !is_letter(name) => Times::Words,
        ExprKind::Call { .. } => Times::Calls,
        _ => Times::Letters,
    }
}
