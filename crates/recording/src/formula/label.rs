//! Label of a formula in legends and tables.

use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::{Binary, Expr, ExprKind};

/// A formula as a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Label {
    /// `a.v - b.v`
    pub(super) text: String,
    /// Text in a form that `#1` can follow: `(a.v - b.v)`.
    pub(super) primary: String,
}

impl Label {
    /// Names as columns are called, `b.v#1` for `b.v # 1`; anything else as it is written, on one line.
    pub(super) fn of(sources: &Sources, expr: &Expr) -> Self {
        let written = sources.slice(expr.span);
        let text: String = match is_plain(expr) {
            true => written.split_ascii_whitespace().collect(),
            false => written.split_ascii_whitespace().collect::<Vec<_>>().join(" "),
        };
        let primary = match expr.kind {
            ExprKind::Name(_) | ExprKind::Call { .. } | ExprKind::Vector(_) | ExprKind::Group(_) => {
                text.clone()
            }
            ExprKind::Binary { operator: Binary::Element, .. } => text.clone(),
            _ => format!("({text})"),
        };
        Self { text, primary }
    }
}

/// Returns `true` if it is made of names, numbers, calls and `#` only, and so needs no blanks.
fn is_plain(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Name(_) | ExprKind::Real(_) => true,
        ExprKind::Call { arguments, .. } => arguments.iter().all(is_plain),
        ExprKind::Binary { operator: Binary::Element, left, right, .. } => is_plain(left) && is_plain(right),
        _ => false,
    }
}
