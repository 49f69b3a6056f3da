//! Walks through a program: their order and their edges, so that no long text makes them go deep.

use crate::program::{Expr, ExprKind, FunctionId, Program};
use crate::syntax::tree::Binary;
use std::collections::HashSet;

/// All functions without parameters that `root` may need, each after those it calls, and `root` itself if it
/// has none: who walks them in this order needs no deep recursion for a long chain of helpers.
pub(crate) fn helpers_first(program: &Program, root: FunctionId) -> Vec<FunctionId> {
    let mut order = Vec::new();
    let mut seen = HashSet::from([root]);
    let mut open = vec![(root, callees(&program.function(root).body), 0)];
    while let Some((function, calls, next)) = open.last_mut() {
        if let Some(&callee) = calls.get(*next) {
            *next += 1;
            if seen.insert(callee) {
                open.push((callee, callees(&program.function(callee).body), 0));
            }
            continue;
        }
        let function = *function;
        open.pop();
        if program.function(function).params.is_empty() {
            order.push(function);
        }
    }
    order
}

/// A sum of hundreds of terms is as tall as it is long: its first operand, and then, outermost first, each
/// whole with its operator and right side. Logical operators end it, for they need not look at their right
/// side.
pub(crate) fn left_spine(expr: &Expr) -> (&Expr, Vec<(&Expr, Binary, &Expr)>) {
    let (mut first, mut spine) = (expr, Vec::new());
    while let ExprKind::Binary(operator, _, left, right) = &first.kind
        && !matches!(operator, Binary::And | Binary::Or)
    {
        spine.push((first, *operator, &**right));
        first = left;
    }
    (first, spine)
}

/// Every function that an expression calls, each once, in order.
fn callees(expr: &Expr) -> Vec<FunctionId> {
    fn visit(expr: &Expr, seen: &mut HashSet<FunctionId>, found: &mut Vec<FunctionId>) {
        match &expr.kind {
            ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Param(_) | ExprKind::Input(_) => {}
            ExprKind::Call(id, arguments) => {
                if seen.insert(*id) {
                    found.push(*id);
                }
                arguments.iter().for_each(|argument| visit(argument, seen, found));
            }
            ExprKind::Native(_, parts) | ExprKind::Vector(parts) | ExprKind::Sequence(parts) => {
                parts.iter().for_each(|part| visit(part, seen, found));
            }
            ExprKind::Unary(_, operand) => visit(operand, seen, found),
            ExprKind::Binary(_, _, left, right) => {
                visit(left, seen, found);
                visit(right, seen, found);
            }
            ExprKind::If(condition, then, otherwise) => {
                visit(condition, seen, found);
                visit(then, seen, found);
                visit(otherwise, seen, found);
            }
        }
    }
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    visit(expr, &mut seen, &mut found);
    found
}
