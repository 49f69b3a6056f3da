//! Why a step could not be made, in the words and at the places of the experiment.

use super::WorkflowMechanism;
use gedanken_dynamics::Fault;
use gedanken_lang::diagnostic::{Code, Diagnostic};

impl WorkflowMechanism<'_> {
    /// Diagnostic of a fault of the core.
    pub(super) fn explain(&self, fault: &Fault) -> Diagnostic {
        let leaf_of = |rule: &str| self.plan.leaves.iter().position(|leaf| *leaf.name == *rule);
        let object = |row: usize| match self.plan.columns.object(row) {
            Some(object) => format!("`{}`", self.layout.schema.objects[object]),
            None => "the world".to_owned(),
        };
        match fault {
            Fault::Failed { rule, time, .. } => {
                if let Some(leaf) = leaf_of(rule)
                    && let Some(failure) = self.bodies[leaf].take_failure()
                {
                    let (name, whom) = (&self.plan.leaves[leaf].rule.name, object(failure.row));
                    let place = format!("in `{}` of `{name}`, for {whom}, at t = {time}", failure.function);
                    return failure.diagnostic.note(place);
                }
            }
            Fault::NotFinite { rule, column, component, time, .. } => {
                if let Some(leaf) = leaf_of(rule) {
                    let attribute = column.split('#').next().unwrap_or_default();
                    let row = component.parse::<usize>().map_or(0, |number| number + 1);
                    let (leaf, whom) = (&self.plan.leaves[leaf], object(row));
                    let message = format!("what is added to `{attribute}` of {whom} is too large in sum");
                    let added = leaf.rule.adds.iter().find(|name| name.text == attribute);
                    return Diagnostic::new(Code::E505, added.map_or(leaf.rule.span, |it| it.span), message)
                        .label("beyond the largest number")
                        .note(format!("in `{}`, for {whom}, at t = {time}", leaf.rule.name))
                        .help("set the attribute to zero before each sum, or add less");
                }
            }
            _ => {}
        }
        // Nothing else can happen to a workflow that was checked.
        Diagnostic::new(Code::E740, self.simulation.span, format!("the workflow cannot go on: {fault}"))
    }
}
