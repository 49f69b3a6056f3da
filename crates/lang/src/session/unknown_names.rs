//! Names that a definition uses and nobody has defined yet: worth a word, because the name may be misspelt,
//! but no error.

use crate::diagnostic::{Code, Diagnostic};
use crate::native::Native;
use crate::source::Span;
use crate::syntax::tree::{Definition, Expr, ExprKind};

/// A warning for each unknown name in `fresh`, given all definitions.
pub(super) fn warnings(fresh: &[Definition], all: &[Definition]) -> Vec<Diagnostic> {
    let mut unknown: Vec<(&str, Span)> = Vec::new();
    for definition in fresh {
        visit(&definition.body, &mut |name, span| {
            let known = definition.params.iter().any(|param| param.text == name)
                || all.iter().any(|other| other.name.text == name)
                || Native::by_name(name).is_some();
            if !known && unknown.iter().all(|(other, _)| *other != name) {
                unknown.push((name, span));
            }
        });
    }
    let warning = |(name, span): (&str, Span)| {
        Diagnostic::new(Code::W601, span, format!("`{name}` is not defined yet"))
            .label("not known so far")
            .help(format!("define `{name}` before you evaluate this"))
    };
    unknown.into_iter().map(warning).collect()
}

/// Calls `found` with every name that is used. Recursion is safe: the height of expressions is bounded.
fn visit<'a>(expr: &'a Expr, found: &mut impl FnMut(&'a str, Span)) {
    match &expr.kind {
        ExprKind::Name(name) => found(name, expr.span),
        ExprKind::Call { callee, native, arguments } => {
            if !native {
                found(&callee.text, callee.span);
            }
            arguments.iter().for_each(|argument| visit(argument, found));
        }
        ExprKind::Unary { operand, .. } => visit(operand, found),
        ExprKind::Binary { left, right, .. } => {
            visit(left, found);
            visit(right, found);
        }
        ExprKind::If { condition, then, otherwise } => {
            visit(condition, found);
            visit(then, found);
            visit(otherwise, found);
        }
        ExprKind::Vector(items) | ExprKind::Sequence(items) => {
            items.iter().for_each(|item| visit(item, found))
        }
        ExprKind::Group(inner) => visit(inner, found),
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
    }
}
