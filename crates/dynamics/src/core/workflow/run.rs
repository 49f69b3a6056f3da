//! The interpreter: one for all rules, all layers, any number of threads.
//!
//! A rule's written columns are moved out of the branch's own, lent, and moved back, which is three words a
//! column and safe Rust; everything else is lent by reference. Parallel branches run in a binary tree of
//! `rayon::join`, with sums merged afterwards in the order of the workflow, so the result does not depend on
//! how many threads ran.

use super::plan::{Branch, Leaf, Node, Parallel, Sum};
use super::scratch::{BranchScratch, LeafScratch, Scratch};
use super::{StepReport, Workflow};
use crate::core::access::{Lease, Reading, Shared, Verb, some_rows};
use crate::core::column::Values;
use crate::core::component::ComponentId;
use crate::core::fault::{Fault, Trouble};
use crate::core::model::ColumnIndex;
use crate::core::rows::Rows;
use crate::core::rule::Step;
use crate::core::state::State;
use crate::spin_wait;
use gedanken_math::units::Quantity;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

/// The step that is run, and how far it has come.
#[derive(Clone, Copy)]
struct Now {
    /// Time at the beginning of the step.
    start: f64,
    /// The whole step.
    step: f64,
    clock: Clock,
    primed: bool,
    /// `true` if every rule's results are checked at once, to find the one to blame.
    audit: bool,
}

/// Progress of a step. All nodes of a `seq` move one clock, so nesting a `seq` in a `seq` changes no bit
/// of it; branches have one each.
#[derive(Clone, Copy)]
struct Clock {
    /// Fraction of the step that has passed.
    elapsed: f64,
    tick: u64,
}

/// The memory of a part of the plan, with the numbers of its first leaf and branch.
struct ScratchSlice<'a> {
    leaves: &'a mut [LeafScratch],
    first_leaf: usize,
    branches: &'a mut [BranchScratch],
    first_branch: usize,
}

type Ran = Result<(), Box<Fault>>;

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
        if cfg!(debug_assertions) {
            // Whoever looks at scratch before writing it shall not find something plausible there.
            scratch.own[state.columns.len()..].iter_mut().for_each(Values::poison);
        }
        let now = Now {
            start: state.time,
            step: h,
            clock: Clock { elapsed: 0.0, tick: state.tick },
            primed: self.has_primed(state),
            audit: false,
        };
        let wide = self.leaves.iter().any(|leaf| leaf.rule.goes_wide());
        let attempt = catch_unwind(AssertUnwindSafe(|| {
            if wide {
                spin_wait::with_ready_worker(|| self.attempt(scratch, now))
            } else {
                self.attempt(scratch, now)
            }
        }));
        let ran = attempt.unwrap_or_else(|panic| {
            self.rescue(state, scratch);
            resume_unwind(panic)
        });
        swap_columns(state, scratch);
        let clock = ran.map_err(|fault| *fault)?;
        let ticks = clock.tick - state.tick;
        state.time += h;
        state.tick = clock.tick;
        if (h > 0.0 || !self.changed.is_empty()) && !self.has_primed(state) {
            state.primed_for = Some(self.identity.clone());
        }
        Ok(StepReport { phenomena: &scratch.phenomena, ticks })
    }

    /// Takes back the step that has just been made with this scratch memory, and puts the clock to where it
    /// was.
    pub fn take_back(&self, state: &mut State, scratch: &Scratch, (time, tick): (f64, u64)) {
        for (copy, &column) in scratch.before.iter().zip(&self.changed) {
            state.columns[column].values.copy_from(copy);
        }
        (state.time, state.tick, state.primed_for) = (time, tick, None);
    }

    /// Runs all rules, or none of them: on a fault the columns are as they were.
    fn attempt(&self, scratch: &mut Scratch, now: Now) -> Result<Clock, Box<Fault>> {
        let mut ran = self.run_all(scratch, now);
        if ran.is_ok() && self.changed.iter().any(|&column| scratch.own[column].first_non_finite().is_some())
        {
            // Rules are pure, so running the step again takes the same path: the first bad value names its
            // rule.
            self.undo(scratch);
            ran = self.run_all(scratch, Now { audit: true, ..now });
        }
        if ran.is_err() {
            self.undo(scratch);
        }
        ran
    }

    /// After a panic in a rule, which is a bug in that rule: the columns it held are lost, but their copies
    /// are not. The state is as it was before the step, and the scratch memory is given up.
    fn rescue(&self, state: &mut State, scratch: &mut Scratch) {
        for (copy, &column) in scratch.before.iter_mut().zip(&self.changed) {
            scratch.own[column] = std::mem::take(copy);
        }
        swap_columns(state, scratch);
        scratch.give_up();
    }

    fn run_all(&self, scratch: &mut Scratch, mut now: Now) -> Result<Clock, Box<Fault>> {
        let Scratch { own, leaves, branches, phenomena, .. } = scratch;
        let mut scratch_slice = ScratchSlice { leaves, first_leaf: 0, branches, first_branch: 0 };
        let ran = self.run(&self.root, own, None, &mut scratch_slice, now.step, &mut now);
        phenomena.clear();
        scratch.leaves.iter_mut().for_each(|leaf| phenomena.append(&mut leaf.phenomena));
        phenomena.sort_by(|a, b| a.tick.cmp(&b.tick).then(a.time.total_cmp(&b.time)));
        ran.map(|()| now.clock)
    }

    fn undo(&self, scratch: &mut Scratch) {
        for (copy, &column) in scratch.before.iter().zip(&self.changed) {
            scratch.own[column].copy_from(copy);
        }
    }

    /// Runs a part of the plan, whose rules get this share of the step.
    fn run(
        &self,
        node: &Node,
        own: &mut [Values],
        around: Option<&Shared<'_>>,
        scratch_slice: &mut ScratchSlice<'_>,
        share: f64,
        now: &mut Now,
    ) -> Ran {
        match node {
            Node::Leaf(k) => self.run_leaf(*k, own, around, scratch_slice, share, now),
            Node::Seq(nodes) => {
                nodes.iter().try_for_each(|node| self.run(node, own, around, scratch_slice, share, now))
            }
            Node::Scaled(fraction, node) => self.run(node, own, around, scratch_slice, share * fraction, now),
            Node::Repeat(count, node) => {
                (0..*count).try_for_each(|_| self.run(node, own, around, scratch_slice, share, now))
            }
            Node::Until { flag, name, limit, body } => {
                let start = now.time();
                for _ in 0..*limit {
                    self.run(body, own, around, scratch_slice, share, now)?;
                    if matches!(&own[*flag], Values::Flag(flags) if flags[ComponentId::WORLD.row()]) {
                        return Ok(());
                    }
                }
                Err(Box::new(Fault::Unsettled { name: name.clone(), rounds: *limit, time: start }))
            }
            Node::Prime(_) if now.primed => Ok(()),
            Node::Prime(node) => self.run(node, own, around, scratch_slice, share, now),
            Node::Par(par) => self.run_par(par, own, around, scratch_slice, share, now),
        }
    }

    fn run_par(
        &self,
        par: &Parallel,
        own: &mut [Values],
        around: Option<&Shared<'_>>,
        scratch_slice: &mut ScratchSlice<'_>,
        share: f64,
        now: &mut Now,
    ) -> Ran {
        let start = now.time();
        for later in &par.deferred {
            scratch_slice.leaves[later.leaf - scratch_slice.first_leaf].ran = false;
        }
        for branch in &par.branches {
            let theirs = &mut scratch_slice.branches[branch.index - scratch_slice.first_branch].own;
            branch.moved.iter().for_each(|&column| std::mem::swap(&mut own[column], &mut theirs[column]));
            for private in &branch.private {
                theirs[private.column].copy_rows(&own[private.column], &private.rows_in);
            }
        }
        let shared = Shared { own, around };
        let lent =
            ScratchSlice { leaves: scratch_slice.leaves, branches: scratch_slice.branches, ..*scratch_slice };
        let ran = self.run_branches(&par.branches, &shared, lent, share, *now, par.wide);
        for branch in &par.branches {
            let theirs = &mut scratch_slice.branches[branch.index - scratch_slice.first_branch].own;
            branch.moved.iter().for_each(|&column| std::mem::swap(&mut own[column], &mut theirs[column]));
            for private in &branch.private {
                own[private.column].copy_rows(&theirs[private.column], &private.rows_out);
            }
        }
        now.clock = ran?;
        for later in &par.deferred {
            let (leaf, memory) =
                (&self.leaves[later.leaf], &scratch_slice.leaves[later.leaf - scratch_slice.first_leaf]);
            if memory.ran {
                let column = leaf.adds[later.sum].column;
                merge(&mut own[column], leaf, &leaf.adds[later.sum], &memory.added[later.sum], &later.rows);
                if now.audit {
                    self.audit(later.leaf, column, &own[column], Shared { own, around }, start)?;
                }
            }
        }
        Ok(())
    }

    fn run_branches(
        &self,
        branches: &[Branch],
        around: &Shared<'_>,
        scratch_slice: ScratchSlice<'_>,
        share: f64,
        mut now: Now,
        wide: bool,
    ) -> Result<Clock, Box<Fault>> {
        match branches {
            [] => Ok(now.clock),
            [branch] => {
                let from_here = &mut scratch_slice.branches[branch.index - scratch_slice.first_branch..];
                let (mine, nested) = from_here.split_first_mut().expect("every branch has memory");
                let mut scratch_slice =
                    ScratchSlice { branches: nested, first_branch: branch.index + 1, ..scratch_slice };
                self.run(&branch.node, &mut mine.own, Some(around), &mut scratch_slice, share, &mut now)?;
                Ok(now.clock)
            }
            _ => {
                let (left, right) = branches.split_at(branches.len() / 2);
                let (leaf, branch) = (right[0].leaves.start, right[0].index);
                let (l, r) = scratch_slice.leaves.split_at_mut(leaf - scratch_slice.first_leaf);
                let (lb, rb) = scratch_slice.branches.split_at_mut(branch - scratch_slice.first_branch);
                let first = ScratchSlice { leaves: l, branches: lb, ..scratch_slice };
                let second = ScratchSlice { leaves: r, first_leaf: leaf, branches: rb, first_branch: branch };
                let run_left = || self.run_branches(left, around, first, share, now, wide);
                let run_right = || self.run_branches(right, around, second, share, now, wide);
                let (a, b) = if wide { rayon::join(run_left, run_right) } else { (run_left(), run_right()) };
                Ok(now.clock.after_both(a?, b?))
            }
        }
    }

    fn run_leaf(
        &self,
        k: usize,
        own: &mut [Values],
        around: Option<&Shared<'_>>,
        scratch_slice: &mut ScratchSlice<'_>,
        share: f64,
        now: &mut Now,
    ) -> Ran {
        self.cancel.check().map_err(|_| Box::new(Fault::Cancelled))?;
        let leaf = &self.leaves[k];
        let LeafScratch { written, added, ran, memories, phenomena } =
            &mut scratch_slice.leaves[k - scratch_slice.first_leaf];
        *ran = true;
        let domain = leaf.rule.domain();
        // Columns that the rule writes are swapped out of the state, not copied: the rule owns them while it
        // runs, and reads of the rest borrow the state.
        for (slot, &column) in written.iter_mut().zip(&leaf.writes) {
            std::mem::swap(slot, &mut own[column]);
        }
        for (buffer, sum) in added.iter_mut().zip(&leaf.adds) {
            if sum.in_place {
                std::mem::swap(buffer, &mut own[sum.column]);
            } else {
                buffer.clear(some_rows(&domain[sum.access].rows));
            }
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
            now: (now.clock.tick, time),
            rule: leaf.rule.name(),
        };
        let step = Step { t: Quantity::new(time), h: Quantity::new(share), tick: now.clock.tick };
        let outcome = leaf.rule.run(&mut lease, step);
        for (slot, &column) in written.iter_mut().zip(&leaf.writes) {
            std::mem::swap(slot, &mut own[column]);
        }
        for (buffer, sum) in added.iter_mut().zip(&leaf.adds) {
            if sum.in_place {
                std::mem::swap(buffer, &mut own[sum.column]);
            }
        }
        // Only after everything is back in its place: a fault must leave the state whole.
        outcome.map_err(|trouble| Box::new(self.blame(k, trouble, time)))?;
        for (buffer, sum) in added.iter().zip(&leaf.adds).filter(|(_, sum)| !sum.in_place) {
            if let Some(rows) = &sum.at_once {
                merge(&mut own[sum.column], leaf, sum, buffer, rows);
            }
        }
        if now.audit {
            let columns = Shared { own, around };
            let buffered = added.iter().zip(&leaf.adds).filter(|(_, sum)| !sum.in_place);
            let sums = buffered.map(|(buffer, sum)| (sum.column, buffer));
            let changed = leaf.writes.iter().copied().chain(leaf.adds.iter().map(|sum| sum.column));
            for (column, values) in sums.chain(changed.map(|column| (column, &own[column]))) {
                self.audit(k, column, values, columns, time)?;
            }
        }
        // The clock counts fractions of the step; a step of no length has none.
        if leaf.rule.moves_the_clock() && now.step > 0.0 {
            now.clock.elapsed += share / now.step;
        }
        now.clock.tick += leaf.rule.ticks();
        Ok(())
    }

    /// Blames a rule if a column that it has just changed holds a value that is not finite.
    ///
    /// A column of the state was finite before the rule ran, so any bad value is the rule's; a scratch column
    /// may keep bad values of an earlier step in rows that the rule does not touch.
    fn audit(
        &self,
        k: usize,
        column: ColumnIndex,
        values: &Values,
        columns: Shared<'_>,
        time: f64,
    ) -> Result<(), Box<Fault>> {
        let leaf = &self.leaves[k];
        let accesses = || leaf.places.iter().zip(leaf.rule.domain());
        let declared = |row: usize| {
            let rows = accesses().find(|(place, _)| place.column == column).map(|(_, access)| &access.rows);
            rows.and_then(some_rows).is_none_or(|rows| rows.contains(row))
        };
        let scratch = column >= self.model.schema().len();
        let bad = |row: &usize| !values.is_finite(*row) && (!scratch || declared(*row));
        let Some(row) = (0..values.len()).find(bad) else { return Ok(()) };
        let read = accesses().filter(|(_, access)| {
            access.verb == Verb::Reads && some_rows(&access.rows).is_none_or(|rows| rows.contains(row))
        });
        let inputs =
            read.map(|(place, access)| (access.attribute.name.clone(), columns.find(place.column).show(row)));
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
            Trouble::Veto(measure) => Fault::Vetoed { rule, time, measure },
            Trouble::Cancelled => Fault::Cancelled,
            Trouble::Strained(strain) => Fault::Strained { strain, time },
            Trouble::Failed(message) => Fault::Failed { rule, time, message },
        }
    }

    fn component_name(&self, row: usize) -> String {
        self.model.components().name(ComponentId::from_row(row)).to_owned()
    }
}

impl Now {
    fn time(&self) -> f64 {
        self.start + self.clock.elapsed * self.step
    }
}

impl Clock {
    /// The clock when two branches that started here are both done: the one that moved it further (be it
    /// backwards, as some methods do for a while) tells.
    fn after_both(self, a: Clock, b: Clock) -> Clock {
        let further = (b.elapsed - self.elapsed).abs() > (a.elapsed - self.elapsed).abs();
        Clock { elapsed: if further { b.elapsed } else { a.elapsed }, tick: a.tick.max(b.tick) }
    }
}

/// Adds some rows of a sum to its column, or puts them there if the column holds nothing but zeros.
fn merge(column: &mut Values, leaf: &Leaf, sum: &Sum, buffer: &Values, rows: &Rows) {
    match some_rows(rows) {
        None if sum.fresh => column.copy_from(buffer),
        Some(rows) if sum.fresh => column.copy_rows(buffer, rows),
        rows => column.accumulate(leaf.rule.gain(), buffer, rows),
    }
}

/// Moves the state's columns into the scratch memory, or back.
fn swap_columns(state: &mut State, scratch: &mut Scratch) {
    for (column, slot) in state.columns.iter_mut().zip(&mut scratch.own) {
        std::mem::swap(&mut column.values, slot);
    }
}
