//! Workflows: flows that were checked against a model and can run.
//!
//! [`build`] resolves columns, refuses clashes and decides which branch owns which column while parallel
//! branches run; [`run`] is the interpreter; [`scratch`] is the memory it reuses. A step either happens whole
//! or not at all: on any fault the state is as it was before.

mod build;
mod plan;
mod run;
mod scratch;

pub use scratch::Scratch;

use super::access::Phenomenon;
use super::attribute::{Attribute, AttributeInfo, labelled_name};
use super::column::Value;
use super::fault::Fault;
use super::model::{ColumnIndex, Model};
use super::rule::Rule;
use super::state::State;
use super::table::{self, Table};
use gedanken_math::Cancel;
use gedanken_math::units::{Quantity, Time};
use plan::{Leaf, Node};
use std::sync::Arc;

/// A flow, checked and ready to run on the states of one model.
#[derive(Debug)]
pub struct Workflow {
    model: Model,
    root: Node,
    leaves: Vec<Leaf>,
    /// Scratch columns, numbered after the model's.
    transients: Vec<AttributeInfo>,
    /// State columns that some rule writes or adds to.
    changed: Vec<ColumnIndex>,
    branch_columns: Vec<Vec<ColumnIndex>>,
    identity: Arc<()>,
    cancel: Cancel,
}

/// Report of a step beside the new state.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepReport<'a> {
    /// Phenomena that rules announced, by tick, then by time, then in the order of the workflow.
    pub phenomena: &'a [Phenomenon],
    /// Number of ticks of the step.
    pub ticks: u64,
}

impl Workflow {
    /// The model whose states the workflow runs on.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The rules, in order.
    pub fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.leaves.iter().map(|leaf| &leaf.rule)
    }

    /// The same workflow, whose steps end with [`Fault::Cancelled`] when the token is asked. It is looked at
    /// before every rule.
    #[must_use]
    pub fn until(self, cancel: Cancel) -> Self {
        Self { cancel, ..self }
    }

    /// Memory for stepping. Reuse it: after the first step, stepping allocates nothing.
    #[must_use]
    pub fn scratch(&self) -> Scratch {
        Scratch::new(self)
    }

    /// Advances the state by `h`, in place. On a fault the state is untouched.
    pub fn step<'s>(
        &self,
        state: &mut State,
        scratch: &'s mut Scratch,
        h: Quantity<Time>,
    ) -> Result<StepReport<'s>, Fault> {
        if h.si() <= 0.0 || !h.si().is_finite() {
            return Err(Fault::BadStep(h.si()));
        }
        self.run_for(state, scratch, h.si())
    }

    /// Runs the rules once at the present instant, without letting time pass (h = 0): to evaluate forces,
    /// say.
    pub fn evaluate<'s>(&self, state: &mut State, scratch: &'s mut Scratch) -> Result<StepReport<'s>, Fault> {
        self.run_for(state, scratch, 0.0)
    }

    /// Returns `true` if the state has not changed since this workflow last ran on it, so that what it keeps
    /// is up to date.
    #[must_use]
    pub fn has_primed(&self, state: &State) -> bool {
        state.primed_for.as_ref().is_some_and(|last| Arc::ptr_eq(last, &self.identity))
    }

    fn run_for<'s>(
        &self,
        state: &mut State,
        scratch: &'s mut Scratch,
        h: f64,
    ) -> Result<StepReport<'s>, Fault> {
        if !(state.time + h).is_finite() {
            return Err(Fault::BadTime(state.time));
        }
        if !state.model().is(&self.model) {
            return Err(Fault::ForeignState);
        }
        if !scratch.belongs_to(&self.identity) {
            return Err(Fault::ForeignScratch);
        }
        self.run_step(state, scratch, h)
    }

    /// The state after a step of `h`: the pure face of [`Workflow::step`].
    pub fn stepped(&self, mut state: State, h: Quantity<Time>) -> Result<State, Fault> {
        self.step(&mut state, &mut self.scratch(), h)?;
        Ok(state)
    }

    /// The values that a scratch attribute had when the last step ended; `None` if the workflow has no such
    /// column.
    #[must_use]
    pub fn transient<'s, A: Attribute>(&self, scratch: &'s Scratch) -> Option<&'s [A::Value]> {
        self.transient_named::<A>(scratch, A::NAME)
    }

    /// The same, for the column of a label.
    #[must_use]
    pub fn transient_labelled<'s, A: Attribute>(
        &self,
        scratch: &'s Scratch,
        label: &str,
    ) -> Option<&'s [A::Value]> {
        self.transient_named::<A>(scratch, &labelled_name::<A>(label))
    }

    /// The table that a step left in scratch memory; `None` if the workflow has no such table.
    #[must_use]
    pub fn transient_table<'s, T: Table>(&self, scratch: &'s Scratch) -> Option<&'s T> {
        let index = self.transients.iter().position(|info| &*info.name == T::NAME)?;
        table::held(scratch.column(self.model.schema().len() + index))
    }

    fn transient_named<'s, A: Attribute>(&self, scratch: &'s Scratch, name: &str) -> Option<&'s [A::Value]> {
        let index = self.transients.iter().position(|info| &*info.name == name)?;
        A::Value::slice(scratch.column(self.model.schema().len() + index))
    }

    fn column_info(&self, column: ColumnIndex) -> &AttributeInfo {
        let schema = self.model.schema();
        schema.get(column).unwrap_or_else(|| &self.transients[column - schema.len()])
    }
}
