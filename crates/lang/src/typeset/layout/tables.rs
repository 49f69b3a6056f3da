//! Tables: the cases of an `if`, vectors and matrices.

use super::expression::expr;
use super::level::{LOOSEST, inner};
use super::medium::{Fence, Medium};
use crate::syntax::tree::{Expr, ExprKind};

/// Vectors of at most this many names, numbers, operators and calls stand in a line.
const WIDEST_ROW: usize = 20;

/// `if … then … else if … then … else …`: a brace with a row for each case.
pub(super) fn cases<M: Medium>(medium: &mut M, whole: &Expr) {
    let mut rows = Vec::new();
    let mut rest = inner(whole);
    while let ExprKind::If { condition, then, otherwise } = &rest.kind {
        rows.push((&**then, Some(&**condition)));
        rest = inner(otherwise);
    }
    rows.push((rest, None));
    medium.cases(
        rows.len(),
        |medium, row| expr(medium, rows[row].0, LOOSEST),
        |medium, row| match rows[row].1 {
            Some(condition) => {
                medium.text("if\u{a0}");
                expr(medium, condition, LOOSEST);
            }
            None => medium.text("otherwise"),
        },
    );
}

/// A vector, as a row or a column; or a matrix, if its elements are rows of one length.
pub(super) fn vector<M: Medium>(medium: &mut M, elements: &[Expr]) {
    if let Some(rows) = matrix(elements) {
        let columns = rows.first().map_or(0, |row| row.len());
        return medium.table(rows.len(), columns, |medium, i, j| expr(medium, &rows[i][j], LOOSEST));
    }
    let mut room = WIDEST_ROW;
    if medium.place().is_line || elements.iter().all(|element| fits(element, &mut room)) {
        return medium.fenced(Fence::Square, |medium| {
            medium.separated(elements, |medium, element| expr(medium, element, LOOSEST));
        });
    }
    medium.table(elements.len(), 1, |medium, i, _| expr(medium, &elements[i], LOOSEST));
}

/// The rows of a matrix, if elements are that.
fn matrix(elements: &[Expr]) -> Option<Vec<&[Expr]>> {
    let row = |element: &Expr| match &element.kind {
        ExprKind::Vector(row) => Some(row.len()),
        _ => None,
    };
    let columns = row(elements.first()?)?;
    let rows = elements.iter().map(|element| match &element.kind {
        ExprKind::Vector(row) if row.len() == columns && columns > 0 => Some(row.as_slice()),
        _ => None,
    });
    rows.collect()
}

/// Returns `true` if an expression has room in a line, of which it takes what it needs. Stops looking as soon
/// as there is none left.
fn fits(expr: &Expr, room: &mut usize) -> bool {
    let Some(left) = room.checked_sub(1) else { return false };
    *room = left;
    match &inner(expr).kind {
        ExprKind::If { .. } => false,
        ExprKind::Unary { operand, .. } => fits(operand, room),
        ExprKind::Binary { left, right, .. } => fits(left, room) && fits(right, room),
        ExprKind::Call { arguments: several, .. }
        | ExprKind::Vector(several)
        | ExprKind::Sequence(several) => several.iter().all(|one| fits(one, room)),
        _ => true,
    }
}
