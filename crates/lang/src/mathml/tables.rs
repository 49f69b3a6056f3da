//! What has rows: the cases of an `if`, vectors and matrices.

use super::level::{LOOSEST, inner};
use super::markup::Markup;
use crate::syntax::tree::{Expr, ExprKind};

/// Vectors of at most this many names, numbers, operators and calls stand in a line.
const WIDEST_ROW: usize = 20;

impl Markup {
    /// `if … then … else if … then … else …`: a brace with a row for each case.
    pub(super) fn cases(&mut self, expr: &Expr) {
        self.element("mrow", |markup| {
            markup.leaf("mo", &[("fence", "true"), ("form", "prefix"), ("stretchy", "true")], "{");
            markup.element_with("mtable", &[("class", "cases"), ("columnalign", "left")], |markup| {
                let mut rest = inner(expr);
                while let ExprKind::If { condition, then, otherwise } = &rest.kind {
                    markup.case(then, |markup| {
                        markup.leaf("mtext", &[], "if\u{a0}");
                        markup.expr(condition, LOOSEST);
                    });
                    rest = inner(otherwise);
                }
                markup.case(rest, |markup| markup.leaf("mtext", &[], "otherwise"));
            });
        });
    }

    fn case(&mut self, value: &Expr, when: impl FnOnce(&mut Self)) {
        self.element("mtr", |markup| {
            markup.element("mtd", |markup| markup.expr(value, LOOSEST));
            markup.element("mtd", when);
        });
    }

    /// A vector, as a row or a column; or a matrix, if its elements are rows of one length.
    pub(super) fn vector(&mut self, elements: &[Expr]) {
        if let Some(rows) = matrix(elements) {
            return self.table(&rows);
        }
        let mut room = WIDEST_ROW;
        if elements.iter().all(|element| fits(element, &mut room)) {
            return self.fenced("[", "]", |markup| {
                markup.separated(elements, |markup, element| markup.expr(element, LOOSEST));
            });
        }
        let column: Vec<&[Expr]> = elements.iter().map(std::slice::from_ref).collect();
        self.table(&column);
    }

    fn table(&mut self, rows: &[&[Expr]]) {
        self.fenced("[", "]", |markup| {
            markup.element("mtable", |markup| {
                for row in rows {
                    markup.element("mtr", |markup| {
                        for cell in *row {
                            markup.element("mtd", |markup| markup.expr(cell, LOOSEST));
                        }
                    });
                }
            });
        });
    }
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

/// Whether an expression has room in a line, of which it takes what it needs. Stops looking as soon as there is none left.
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
