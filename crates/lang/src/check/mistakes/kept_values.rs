//! Start values that a context keeps and nothing needs: a sign of a forgotten law.

use super::super::laws::{Laws, Role};
use super::super::names::Names;
use super::super::{Binding, Scope, VariableKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::tree::{Definition, ExprKind};
use std::collections::BTreeSet;

/// Warns of `pos0 = position` if nothing reads `pos0` and `position` has neither law nor rate. Then the attribute
/// stays as it is, and the kept value would be the same.
pub(crate) fn forgotten_laws(
    definitions: &[Definition],
    scope: &Scope,
    names: &Names<'_>,
    laws: &Laws,
    read: &BTreeSet<usize>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let read: BTreeSet<usize> = read.iter().map(|&variable| laws.same[variable]).collect();
    for (definition, role) in definitions.iter().zip(&laws.roles) {
        let Role::FirstTime(kept) = *role else { continue };
        let ExprKind::Name(attribute) = &definition.body.kind else { continue };
        let Some(variable) = names.variable(attribute).map(|variable| laws.same[variable]) else { continue };
        let is_set = laws.law[variable].is_some() || laws.rate[variable].is_some();
        let is_of_context = matches!(scope.variables[kept].binding, Binding::Context { .. });
        let meant = &scope.variables[variable];
        let could_be_set =
            matches!(meant.binding, Binding::Object { .. }) && meant.kind == VariableKind::Attribute;
        if is_set || !is_of_context || !could_be_set || read.contains(&kept) {
            continue;
        }
        let name = &definition.name.text;
        diagnostics.push(
            Diagnostic::new(
                Code::W405,
                definition.name.span,
                format!("`{name}` is kept, but no law needs it: is the law of `{attribute}` missing?"),
            )
            .label(format!("the start value of `{attribute}`"))
            .help(format!("`{attribute}` stays as it is in this context; give it a law, `{attribute} = {name} + …`, or remove `{name}`")),
        );
    }
}
