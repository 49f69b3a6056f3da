//! Laws that depend on the frame rate: they build on the last frame, and do not ask how long ago it was.
//!
//! `a_v = 0.99 * previous(a_v)` takes away one per cent at every frame, whatever its length. A law that also reads
//! `dt` may be right at any rate, so nothing is said of it.

use super::super::resolve::uses;
use super::super::{Binding, Scope};
use crate::diagnostic::{Code, Diagnostic};
use crate::program::{Expr, ExprKind, FunctionId, OutputKind, Program};
use crate::source::Span;
use crate::syntax::tree::Binary;
use std::collections::BTreeSet;

/// Warns of the laws of a context in which time passes.
pub(crate) fn dependent(program: &Program, scope: &Scope, diagnostics: &mut Vec<Diagnostic>) {
    for output in program.outputs.iter().filter(|it| it.kind == OutputKind::Law) {
        let body = &program.function(output.function).body;
        if is_kept(body) {
            continue;
        }
        if let Some(span) = step_without_length(program, scope, output.function) {
            let name = &output.name;
            diagnostics.push(
                Diagnostic::new(Code::W406, span, format!("`{name}` depends on the frame rate"))
                    .label("the value at the last frame or event, however long ago")
                    .help(format!("give the rate of change instead, `{name}' = …`; or multiply by `dt`, the time since then")),
            );
        }
    }
}

/// Returns `true` if stored values stay as they are, or components of them do while others are constant:
/// `[previous(v) # 1, 0, 0]` is the same after one frame and after ten.
fn is_kept(law: &Expr) -> bool {
    let is_component = |(place, part): (usize, &Expr)| match &part.kind {
        ExprKind::Real(_) => true,
        ExprKind::Binary(Binary::Element, _, whole, index) => {
            let is_same = matches!(index.kind, ExprKind::Real(index) if index == place as f64 + 1.0);
            matches!(whole.kind, ExprKind::Input(_)) && is_same
        }
        _ => false,
    };
    match &law.kind {
        ExprKind::Input(_) => true,
        ExprKind::Vector(parts) => parts.iter().enumerate().all(is_component),
        _ => false,
    }
}

/// The place where a law reads a previous value, if it does so and does not read `dt`.
fn step_without_length(program: &Program, scope: &Scope, law: FunctionId) -> Option<Span> {
    let mut place = None;
    let mut reads_length = false;
    let mut seen = BTreeSet::from([law]);
    let mut open = vec![law];
    while let Some(function) = open.pop() {
        uses(&program.function(function).body, &mut |kind, span| match kind {
            ExprKind::Call(next, _) if seen.insert(*next) => open.push(*next),
            ExprKind::Input(input) => {
                let input = program.input(*input);
                if input.previous {
                    place.get_or_insert(span);
                }
                let binding = &scope.variables[input.scope_index].binding;
                reads_length |= matches!(binding, Binding::Engine { name, .. } if name == "dt");
            }
            _ => {}
        });
    }
    place.filter(|_| !reads_length)
}
