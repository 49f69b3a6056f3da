//! The interpreter: one for all rules, all layers, any number of threads.
//!
//! A rule's written columns are moved out of the branch's own, lent, and moved back, which is three words a column
//! and safe Rust; everything else is lent by reference. Parallel branches run in a binary tree of `rayon::join`, with
//! sums merged afterwards in the order of the workflow, so the result does not depend on how many threads ran.

use super::plan::{Branch, Node, Parallel};
use super::scratch::{BranchScratch, LeafScratch, Scratch};
use super::{StepReport, Workflow};
use crate::world::access::{Lease, Reading, Shared, Verb, some_rows};
use crate::world::column::Values;
use crate::world::component::ComponentId;
use crate::world::fault::{Fault, Trouble};
use crate::world::rule::Step;
use crate::world::state::State;
use gedanken_algebra::units::Quantity;
use std::sync::Arc;

/// The moment a node is run for.
#[derive(Clone, Copy)]
struct Now {
    /// Time at the beginning of the step.
    start: f64,
    /// The whole step.
    step: f64,
    /// How much of the step has gone by, as a fraction.
    elapsed: f64,
    /// The share of the step that a rule gets here.
    share: f64,
    tick: u64,
    primed: bool,
    /// Whether every rule's results are checked at once, to find the one to blame.
    audit: bool,
}

/// By how much a node moved the clock and the tick counter.
#[derive(Clone, Copy, Default)]
struct Passed {
    fraction: f64,
    ticks: u64,
}

/// The memory of a part of the plan, with the numbers of its first leaf and branch.
struct Desk<'a> {
    leaves: &'a mut [LeafScratch],
    first_leaf: usize,
    branches: &'a mut [BranchScratch],
    first_branch: usize,
}

impl Desk<'_> {
    fn reborrow(&mut self) -> Desk<'_> {
        Desk { leaves: self.leaves, branches: self.branches, ..*self }
    }
}

type Ran = Result<Passed, Box<Fault>>;

impl Workflow {
    pub(super) fn run_step<'s>(
        &self,
        state: &mut State,
        scratch: &'s mut Scratch,
        h: f64,
    ) -> Result<StepReport<'s>, Fault> {
        swap_columns(state, scratch);
        for (copy, &column) in scratch.before.iter_mut().zip(&self.changed) {
            copy.copy_from(&scratch.own[column]);
        }
        let now = Now {
            start: state.time,
            step: h,
            elapsed: 0.0,
            share: h,
            tick: state.tick,
            primed: state.primed,
            audit: false,
        };
        let mut ran = self.run_all(scratch, now);
        if ran.is_ok() && self.changed.iter().any(|&column| scratch.own[column].first_non_finite().is_some()) {
            // Rules are pure, so running the step again takes the same path: the first bad value names its rule.
            self.undo(scratch);
            ran = self.run_all(scratch, Now { audit: true, ..now });
        }
        if ran.is_err() {
            self.undo(scratch);
        }
        swap_columns(state, scratch);
        let passed = ran.map_err(|fault| *fault)?;
        state.time += h;
        state.tick += passed.ticks;
        state.primed = true;
        for (column, rows) in &self.created {
            state.columns[*column].present.unite(rows);
        }
        Ok(StepReport { phenomena: &scratch.phenomena, ticks: passed.ticks })
    }

    fn run_all(&self, scratch: &mut Scratch, now: Now) -> Ran {
        let Scratch { own, leaves, branches, phenomena, .. } = scratch;
        let desk = Desk { leaves, first_leaf: 0, branches, first_branch: 0 };
        let ran = self.run(&self.root, own, None, desk, now);
        phenomena.clear();
        scratch.leaves.iter_mut().for_each(|leaf| phenomena.append(&mut leaf.phenomena));
        phenomena.sort_by_key(|p| p.tick);
        ran
    }

    fn undo(&self, scratch: &mut Scratch) {
        for (copy, &column) in scratch.before.iter().zip(&self.changed) {
            scratch.own[column].copy_from(copy);
        }
    }

    fn run(&self, node: &Node, own: &mut [Values], around: Option<&Shared<'_>>, mut desk: Desk<'_>, now: Now) -> Ran {
        match node {
            Node::Leaf(k) => self.run_leaf(*k, own, around, desk, now),
            Node::Seq(nodes) => {
                let mut passed = Passed::default();
                for node in nodes {
                    let later = now.after(passed);
                    let more = self.run(node, own, around, desk.reborrow(), later)?;
                    passed = passed.then(more);
                }
                Ok(passed)
            }
            Node::Scaled(fraction, node) => {
                self.run(node, own, around, desk, Now { share: now.share * fraction, ..now })
            }
            Node::Repeat(count, node) => {
                let mut passed = Passed::default();
                for _ in 0..*count {
                    let more = self.run(node, own, around, desk.reborrow(), now.after(passed))?;
                    passed = passed.then(more);
                }
                Ok(passed)
            }
            Node::Until { flag, name, limit, body } => {
                let mut passed = Passed::default();
                for _ in 0..*limit {
                    let more = self.run(body, own, around, desk.reborrow(), now.after(passed))?;
                    passed = passed.then(more);
                    if matches!(&own[*flag], Values::Flag(flags) if flags[ComponentId::WORLD.row()]) {
                        return Ok(passed);
                    }
                }
                Err(Box::new(Fault::Unsettled { name: name.clone(), rounds: *limit, time: now.start }))
            }
            Node::Prime(_) if now.primed => Ok(Passed::default()),
            Node::Prime(node) => self.run(node, own, around, desk, now),
            Node::Par(par) => self.run_par(par, own, around, desk, now),
        }
    }

    fn run_par(
        &self,
        par: &Parallel,
        own: &mut [Values],
        around: Option<&Shared<'_>>,
        mut desk: Desk<'_>,
        now: Now,
    ) -> Ran {
        for branch in &par.branches {
            let theirs = &mut desk.branches[branch.index - desk.first_branch].own;
            branch.moved.iter().for_each(|&column| std::mem::swap(&mut own[column], &mut theirs[column]));
            for private in &branch.private {
                theirs[private.column].copy_rows(&own[private.column], &private.rows_in);
            }
        }
        let shared = Shared { own, around };
        let ran = self.run_branches(&par.branches, &shared, desk.reborrow(), now, par.wide);
        for branch in &par.branches {
            let theirs = &mut desk.branches[branch.index - desk.first_branch].own;
            branch.moved.iter().for_each(|&column| std::mem::swap(&mut own[column], &mut theirs[column]));
            for private in &branch.private {
                own[private.column].copy_rows(&theirs[private.column], &private.rows_out);
            }
        }
        let passed = ran?;
        for &(k, s) in &par.deferred {
            let (leaf, sum) = (&self.leaves[k], &self.leaves[k].adds[s]);
            let buffer = &desk.leaves[k - desk.first_leaf].added[s];
            let rows = some_rows(&leaf.rule.domain()[sum.access].rows);
            own[sum.column].accumulate(leaf.rule.gain(), buffer, rows);
        }
        Ok(passed)
    }

    fn run_branches(
        &self,
        branches: &[Branch],
        around: &Shared<'_>,
        desk: Desk<'_>,
        now: Now,
        wide: bool,
    ) -> Ran {
        match branches {
            [] => Ok(Passed::default()),
            [branch] => {
                let (mine, nested) = desk.branches.split_first_mut().expect("every branch has memory");
                let desk = Desk { branches: nested, first_branch: desk.first_branch + 1, ..desk };
                self.run(&branch.node, &mut mine.own, Some(around), desk, now)
            }
            _ => {
                let (left, right) = branches.split_at(branches.len() / 2);
                let (leaf, branch) = (right[0].leaves.start, right[0].index);
                let (l, r) = desk.leaves.split_at_mut(leaf - desk.first_leaf);
                let (lb, rb) = desk.branches.split_at_mut(branch - desk.first_branch);
                let first = Desk { leaves: l, branches: lb, ..desk };
                let second = Desk { leaves: r, first_leaf: leaf, branches: rb, first_branch: branch };
                let run_left = || self.run_branches(left, around, first, now, wide);
                let run_right = || self.run_branches(right, around, second, now, wide);
                let (a, b) = if wide { rayon::join(run_left, run_right) } else { (run_left(), run_right()) };
                Ok(a?.beside(b?))
            }
        }
    }

    fn run_leaf(
        &self,
        k: usize,
        own: &mut [Values],
        around: Option<&Shared<'_>>,
        desk: Desk<'_>,
        now: Now,
    ) -> Ran {
        let leaf = &self.leaves[k];
        let LeafScratch { written, added, memories, phenomena } = &mut desk.leaves[k - desk.first_leaf];
        let domain = leaf.rule.domain();
        for (slot, &column) in written.iter_mut().zip(&leaf.writes) {
            std::mem::swap(slot, &mut own[column]);
        }
        for (buffer, sum) in added.iter_mut().zip(&leaf.adds) {
            buffer.clear(some_rows(&domain[sum.access].rows));
        }
        let time = now.time();
        let mut lease = Lease {
            accesses: domain,
            next: 0,
            reading: Reading { places: &leaf.places, columns: Shared { own, around } },
            written: written.iter_mut(),
            added: added.iter_mut(),
            memories: memories.iter_mut(),
            emitted: Some(phenomena),
            now: (now.tick, time),
            rule: leaf.rule.name(),
        };
        let step = Step { t: Quantity::new(time), h: Quantity::new(now.share), tick: now.tick };
        let ran = leaf.rule.run(&mut lease, step);
        for (slot, &column) in written.iter_mut().zip(&leaf.writes) {
            std::mem::swap(slot, &mut own[column]);
        }
        ran.map_err(|trouble| Box::new(self.blame(k, trouble, time)))?;
        if now.audit {
            self.audit(k, own, around, added, time)?;
        }
        for (buffer, sum) in added.iter().zip(&leaf.adds).filter(|(_, sum)| !sum.deferred) {
            own[sum.column].accumulate(leaf.rule.gain(), buffer, some_rows(&domain[sum.access].rows));
        }
        let fraction = if leaf.rule.moves_the_clock() { now.share / now.step } else { 0.0 };
        Ok(Passed { fraction, ticks: leaf.rule.ticks() })
    }

    /// Finds a value that is not finite among what a rule has just written or summed.
    fn audit(
        &self,
        k: usize,
        own: &[Values],
        around: Option<&Shared<'_>>,
        added: &[Values],
        time: f64,
    ) -> Result<(), Box<Fault>> {
        let leaf = &self.leaves[k];
        let written = leaf.writes.iter().map(|&column| (column, &own[column]));
        let summed = leaf.adds.iter().zip(added).map(|(sum, buffer)| (sum.column, buffer));
        let Some((column, values, row)) =
            written.chain(summed).find_map(|(c, values)| Some((c, values, values.first_non_finite()?)))
        else {
            return Ok(());
        };
        let reading = Reading { places: &leaf.places, columns: Shared { own, around } };
        let reads = leaf.rule.domain().iter().enumerate().filter(|(_, access)| access.verb == Verb::Reads);
        let inputs = reads.map(|(p, access)| (access.attribute.name.clone(), reading.column(p).show(row)));
        Err(Box::new(Fault::NotFinite {
            rule: leaf.rule.name().clone(),
            column: self.column_info(column).name.clone(),
            component: self.component_name(row),
            value: values.show(row),
            time,
            inputs: inputs.collect(),
        }))
    }

    fn blame(&self, k: usize, trouble: Trouble, time: f64) -> Fault {
        let rule: Arc<str> = self.leaves[k].rule.name().clone();
        match trouble {
            Trouble::Undeclared { column, row } => {
                Fault::Undeclared { rule, column, component: self.component_name(row) }
            }
            Trouble::Failed(message) => Fault::Failed { rule, time, message },
        }
    }

    fn component_name(&self, row: usize) -> String {
        self.model.components().name(ComponentId::from_row(row)).to_owned()
    }
}

impl Now {
    fn time(self) -> f64 {
        self.start + self.elapsed * self.step
    }

    fn after(self, passed: Passed) -> Self {
        Self { elapsed: self.elapsed + passed.fraction, tick: self.tick + passed.ticks, ..self }
    }
}

impl Passed {
    fn then(self, more: Passed) -> Self {
        Self { fraction: self.fraction + more.fraction, ticks: self.ticks + more.ticks }
    }

    /// Branches start together, so the longer one tells how much has passed.
    fn beside(self, other: Passed) -> Self {
        Self { fraction: self.fraction.max(other.fraction), ticks: self.ticks.max(other.ticks) }
    }
}

/// Moves the state's columns into the scratch memory, or back.
fn swap_columns(state: &mut State, scratch: &mut Scratch) {
    for (column, slot) in state.columns.iter_mut().zip(&mut scratch.own) {
        std::mem::swap(&mut column.values, slot);
    }
}
