//! Decimal commas that read as two values: `[0, 0, -9,81]`, `sqrt(2,25)`.
//!
//! Such a text is valid, so nothing is said of it unless something else does not fit: a vector of four where
//! three are needed, one argument too many.

use super::suspicious::whole_number;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{Expr, ExprKind};

/// Number of elements of nearly every vector.
const USUAL: usize = 3;

/// What is said of decimal commas in the vectors of an expression, if types do not fit.
pub fn decimal_commas(expr: &Expr, found: &mut Vec<Diagnostic>) {
    match &expr.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Name(_) | ExprKind::Missing => {}
        ExprKind::Vector(items) => {
            found.extend(in_vector(items));
            items.iter().for_each(|item| decimal_commas(item, found));
        }
        ExprKind::Call { arguments: items, .. } | ExprKind::Sequence(items) => {
            items.iter().for_each(|item| decimal_commas(item, found));
        }
        ExprKind::Unary { operand: inner, .. } | ExprKind::Group(inner) => decimal_commas(inner, found),
        ExprKind::Binary { left, right, .. } => {
            decimal_commas(left, found);
            decimal_commas(right, found);
        }
        ExprKind::If { condition, then, otherwise } => {
            decimal_commas(condition, found);
            decimal_commas(then, found);
            decimal_commas(otherwise, found);
        }
    }
}

/// Commas without a space between two numbers, each with the numbers.
pub(crate) fn commas(items: &[Expr]) -> Vec<(Span, f64, f64)> {
    let is_comma = |pair: &[Expr]| {
        let [left, right] = pair else { return None };
        let comma = Span { start: left.span.end, end: right.span.start, ..left.span };
        let (before, after) = (whole_number(left)?, digits(right)?);
        (comma.end - comma.start == 1).then_some((comma, before, after))
    };
    items.windows(2).filter_map(is_comma).collect()
}

/// The value of a number without a sign that may begin with zeros, as behind a decimal comma.
fn digits(expr: &Expr) -> Option<f64> {
    let ExprKind::Real(value) = expr.kind else { return None };
    let length = expr.span.end - expr.span.start;
    (value.fract() == 0.0 && value < libm::pow(10.0, length as f64)).then_some(value)
}

fn in_vector(items: &[Expr]) -> Option<Diagnostic> {
    let gap = |pair: &[Expr]| pair[1].span.start - pair[0].span.end;
    let is_spaced = items.windows(2).any(|pair| gap(pair) > 1);
    let mut suspects = commas(items);
    if !is_spaced {
        if items.len() <= USUAL {
            return None;
        }
        // `[0,0,-9,81]`: nobody writes `0,0` for nothing.
        suspects.retain(|(_, _, after)| *after != 0.0);
    }
    let &(comma, ..) = suspects.first()?;
    let at = items.iter().position(|item| item.span.end == comma.start)?;
    let span = items[at].span.to(items[at + 1].span);
    let count = items.len();
    let diagnostic = Diagnostic::new(
        Code::E132,
        span,
        format!("a decimal comma? This vector has {count} elements"),
    )
    .label("these are two numbers")
    .help("a decimal number is written with a point; if two numbers are meant, put a space after the comma");
    Some(if suspects.len() == 1 && (is_spaced || count - 1 == USUAL) {
        diagnostic.edit(comma, ".")
    } else {
        diagnostic
    })
}
