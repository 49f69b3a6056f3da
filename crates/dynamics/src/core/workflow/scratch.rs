//! The memory a workflow reuses from step to step: columns on loan, sums, copies for undoing a step.
//!
//! Nothing in it carries information between steps, so it is not part of the state: a step with fresh scratch
//! gives the same bits.

use super::Workflow;
use crate::core::access::Phenomenon;
use crate::core::column::Values;
use crate::core::model::ColumnIndex;
use std::any::Any;
use std::sync::Arc;

/// Reusable memory of one workflow.
#[derive(Debug)]
pub struct Scratch {
    owner: Arc<()>,
    /// All columns while a step runs; between steps the scratch ones only.
    pub(super) own: Vec<Values>,
    pub(super) leaves: Vec<LeafScratch>,
    pub(super) branches: Vec<BranchScratch>,
    /// The changed state columns as they were before the step.
    pub(super) before: Vec<Values>,
    pub(super) phenomena: Vec<Phenomenon>,
}

/// Memory of one rule.
#[derive(Debug)]
pub(super) struct LeafScratch {
    pub(super) written: Vec<Values>,
    pub(super) added: Vec<Values>,
    /// `true` if the rule ran since the `par` around it began: the sums of a skipped rule are not added.
    pub(super) ran: bool,
    pub(super) memories: Vec<Box<dyn Any + Send>>,
    pub(super) phenomena: Vec<Phenomenon>,
}

/// Columns of one parallel branch.
#[derive(Debug)]
pub(super) struct BranchScratch {
    pub(super) own: Vec<Values>,
}

impl Scratch {
    pub(super) fn new(workflow: &Workflow) -> Self {
        let rows = workflow.model.components().len();
        let columns = workflow.model.schema().len() + workflow.transients.len();
        let zeros = |column: ColumnIndex| Values::zeros(workflow.column_info(column).kind, rows);
        let empty = || std::iter::repeat_with(Values::default);
        let mut own: Vec<Values> = empty().take(workflow.model.schema().len()).collect();
        own.extend((workflow.model.schema().len()..columns).map(zeros));
        let leaves = workflow.leaves.iter().map(|leaf| LeafScratch {
            written: empty().take(leaf.writes.len()).collect(),
            added: leaf.adds.iter().map(|sum| zeros(sum.column)).collect(),
            ran: false,
            memories: leaf.rule.memories().iter().map(|make| make()).collect(),
            phenomena: Vec::new(),
        });
        let branches = workflow.branch_columns.iter().map(|private| {
            let mut own: Vec<Values> = empty().take(columns).collect();
            private.iter().for_each(|&column| own[column] = zeros(column));
            BranchScratch { own }
        });
        Self {
            owner: workflow.identity.clone(),
            own,
            leaves: leaves.collect(),
            branches: branches.collect(),
            before: workflow.changed.iter().map(|&column| zeros(column)).collect(),
            phenomena: Vec::new(),
        }
    }

    pub(super) fn belongs_to(&self, identity: &Arc<()>) -> bool {
        Arc::ptr_eq(&self.owner, identity)
    }

    /// Detaches the memory from its state: nothing in it may be relied on.
    pub(super) fn give_up(&mut self) {
        self.owner = Arc::new(());
    }

    pub(super) fn column(&self, column: ColumnIndex) -> &Values {
        &self.own[column]
    }
}
