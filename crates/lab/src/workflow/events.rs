//! States before and after an event: the step again, up to it.

use super::plan::Tree;
use gedanken_dynamics::{Flow, Model, State, Workflow};
use gedanken_math::units::{Quantity, Time};

/// The parts of a workflow that lead to an event: without it, and with it.
#[derive(Debug)]
pub(super) struct Witness {
    /// `None` if nothing comes before.
    before: Option<Workflow>,
    after: Option<Workflow>,
}

impl Witness {
    /// The witness of leaf `leaf`.
    pub(super) fn new(tree: &Tree, flows: &[Flow], leaf: usize, model: &Model) -> Self {
        let after = tree.until(leaf, flows).build(model).ok();
        let mut without = flows.to_vec();
        without[leaf] = Flow::Seq(Vec::new());
        Self { before: tree.until(leaf, &without).build(model).ok(), after }
    }

    /// The states before and after the event, in a step that started from `state`. The step has succeeded
    /// before, and rules are pure, so these parts of it do.
    pub(super) fn around(&self, state: &State, step: Quantity<Time>) -> [State; 2] {
        [&self.before, &self.after].map(|workflow| {
            let ran = workflow.as_ref().and_then(|workflow| workflow.stepped(state.clone(), step).ok());
            ran.unwrap_or_else(|| state.clone())
        })
    }
}
