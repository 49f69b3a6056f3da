//! The order of functions: the rate of one is known before another that uses it is looked at.

use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{Definition, Expr, ExprKind};
use std::collections::BTreeSet;

/// Names that a formula uses.
pub(super) struct UsedNames<'e> {
    names: BTreeSet<&'e str>,
    /// Names without their `_dot`.
    rates: BTreeSet<&'e str>,
}

impl<'e> UsedNames<'e> {
    pub(super) fn of(body: &'e Expr) -> Self {
        let mut names = BTreeSet::new();
        collect(body, &mut names);
        let rates = names.iter().filter_map(|name| name.strip_suffix("_dot")).collect();
        Self { names, rates }
    }
}

/// All names in an expression. Recursion is bounded by the height of expressions.
fn collect<'e>(expr: &'e Expr, names: &mut BTreeSet<&'e str>) {
    match &expr.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Missing => {}
        ExprKind::Name(name) => {
            names.insert(name);
        }
        ExprKind::Call { callee, arguments, .. } => {
            names.insert(&callee.text);
            arguments.iter().for_each(|one| collect(one, names));
        }
        ExprKind::Vector(several) | ExprKind::Sequence(several) => {
            several.iter().for_each(|one| collect(one, names));
        }
        ExprKind::Unary { operand: one, .. } | ExprKind::Group(one) => collect(one, names),
        ExprKind::Binary { left, right, .. } => {
            collect(left, names);
            collect(right, names);
        }
        ExprKind::If { condition, then, otherwise } => {
            [condition, then, otherwise].into_iter().for_each(|one| collect(one, names));
        }
    }
}

/// For each function, `true` if the rates that it and all its callees need are known.
pub(super) fn ready(
    functions: &[Definition],
    needs: &[UsedNames<'_>],
    is_known: &dyn Fn(&str) -> bool,
) -> Vec<bool> {
    let is_function = |name: &str| functions.iter().any(|it| it.params.is_empty() && it.name.text == name);
    let named = |name: &str| functions.iter().any(|it| it.name.text == name);
    let lacks = |needs: &UsedNames<'_>| {
        let mut rates = needs.rates.iter();
        rates.any(|name| is_function(name) && !named(&format!("{name}_dot")) && !is_known(name))
    };
    let mut ready: Vec<bool> = needs.iter().map(|it| !lacks(it)).collect();
    // What calls something that is not ready is not ready either.
    loop {
        let waits = |index: usize| {
            let mut called = functions.iter().zip(&ready);
            called.any(|(it, ready)| !ready && needs[index].names.contains(it.name.text.as_str()))
        };
        let Some(index) = (0..ready.len()).find(|&index| ready[index] && waits(index)) else { return ready };
        ready[index] = false;
    }
}

pub(super) fn needs_its_rate(knot: &Definition) -> Diagnostic {
    let message = format!("`{}` needs a rate that needs `{}` itself", knot.name.text, knot.name.text);
    Diagnostic::new(Code::E765, knot.span, message)
        .label("these go round in a circle")
        .help("write one of them with coordinates and their rates alone")
}
