//! Laws that depend on the frame rate: they build on the last frame, and do not ask how long ago it was.
//!
//! `a_v = 0.99 * previous(a_v)` takes away one per cent at every frame, whatever its length. A law that also reads
//! `dt` may be right at any rate, so nothing is said of it.

use super::super::resolve::uses;
use super::super::{Binding, Scope};
use crate::diagnostic::{Code, Diagnostic};
use crate::program::{ExprKind, FunctionId, OutputKind, Program};
use crate::source::Span;
use std::collections::BTreeSet;

/// Warns of the laws of a context in which time passes.
pub(crate) fn dependent(program: &Program, scope: &Scope, diagnostics: &mut Vec<Diagnostic>) {
    for output in program.outputs.iter().filter(|it| it.kind == OutputKind::Law) {
        let body = &program.function(output.function).body;
        // The value of a moment ago is asked for, and nothing is made of it.
        if matches!(body.kind, ExprKind::Input(_)) {
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

/// The place where a law reads a previous value, if it does so and does not read `dt`.
fn step_without_length(program: &Program, scope: &Scope, law: FunctionId) -> Option<Span> {
    let mut place = None;
    let mut reads_length = false;
    let mut seen = BTreeSet::from([law]);
    let mut open = vec![law];
    while let Some(function) = open.pop() {
        uses(&program.function(function).body, &mut |kind, span| match kind {
            ExprKind::Call(next, _) => {
                if seen.insert(*next) {
                    open.push(*next);
                }
            }
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
