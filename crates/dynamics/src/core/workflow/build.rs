//! Building: from a flow to a plan, or to every reason why not.

use super::Workflow;
use super::plan::{Branch, Deferred, Leaf, Node, Parallel, Private, Sum};
use crate::core::access::{Access, Place, Verb};
use crate::core::attribute::{AttributeInfo, Life};
use crate::core::column::Kind;
use crate::core::component::ComponentId;
use crate::core::fault::{BuildError, Clash};
use crate::core::flow::Flow;
use crate::core::model::{ColumnIndex, Model};
use crate::core::rows::{RowSet, Rows};
use crate::core::rule::Rule;
use gedanken_math::Cancel;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Work (in units of [`Rule::with_cost`] × rows) beside the largest branch from which several threads pay.
/// Waking a second thread costs some microseconds, which is this many short rows.
const MIN_PARALLEL_COST: f64 = 20_000.0;

impl Flow {
    /// Checks the flow against a model and makes it runnable, or says everything that is wrong with it.
    pub fn build(&self, model: &Model) -> Result<Workflow, BuildError> {
        let mut builder = Builder::new(model);
        let mut root = builder.node(self)?;
        if builder.leaves.is_empty() {
            return Err(BuildError::Empty);
        }
        builder.refuse_clashes(&root)?;
        builder.refuse_unwritten(&root, &mut Written::new())?;
        builder.assign(&mut root, &mut vec![], &Waiting::new())?;
        builder.mark_fresh(&root, &mut BTreeSet::new());
        Ok(builder.finish(root))
    }
}

/// Maximum number of clashes that are told: there may be one for every pair of rules.
const MAX_CLASHES: usize = 1000;

/// The cells whose sums wait for the end of an enclosing `par`, by column.
type Waiting = BTreeMap<ColumnIndex, Wait>;

/// The scratch cells written so far in a step, by column.
type Written = BTreeMap<ColumnIndex, RowSet>;

#[derive(Default, Clone)]
struct Wait {
    once: RowSet,
    /// The same, where a loop stands between the `par` and the rule.
    looped: RowSet,
}

impl Wait {
    fn all(&self) -> RowSet {
        let mut rows = self.once.clone();
        rows.unite(&self.looped);
        rows
    }

    fn inside_a_loop(&self) -> Wait {
        Wait { once: RowSet::new(), looped: self.all() }
    }
}

/// The rows of one column that a branch touches, under each verb.
#[derive(Default, Clone)]
struct Touch {
    reads: RowSet,
    writes: RowSet,
    adds: RowSet,
    /// Some rule takes the column to read or write, be it no row of it.
    looks: bool,
    sets: bool,
}

impl Touch {
    fn note(&mut self, verb: Verb, rows: &RowSet) {
        match verb {
            Verb::Reads => self.reads.unite(rows),
            Verb::Writes => self.writes.unite(rows),
            Verb::Adds => self.adds.unite(rows),
        }
        self.looks |= verb != Verb::Adds;
        self.sets |= verb == Verb::Writes;
    }

    /// Rows about which two branches do not agree: one changes them, and the other does something else to them.
    fn disputed(&self, other: &Touch) -> RowSet {
        let mut rows = self.writes.intersection(&other.writes);
        for (one, another) in [(self, other), (other, self)] {
            rows.unite(&one.reads.intersection(&another.writes));
            rows.unite(&one.reads.intersection(&another.adds));
            rows.unite(&one.writes.intersection(&another.adds));
        }
        rows
    }

    /// Adds all that another branch does.
    fn unite(&mut self, other: &Touch) {
        self.reads.unite(&other.reads);
        self.writes.unite(&other.writes);
        self.adds.unite(&other.adds);
        self.looks |= other.looks;
        self.sets |= other.sets;
    }

    fn needs_the_column(&self) -> bool {
        self.looks || !self.adds.is_empty()
    }

    fn changes(&self) -> bool {
        self.sets || !self.adds.is_empty()
    }
}

/// The cells that several branches add to. As no branch reads or writes what another adds to, nothing else
/// happens to them while the branches run.
fn shared_sums(branches: &[BTreeMap<ColumnIndex, Touch>]) -> BTreeMap<ColumnIndex, RowSet> {
    let mut once: BTreeMap<ColumnIndex, RowSet> = BTreeMap::new();
    let mut shared: BTreeMap<ColumnIndex, RowSet> = BTreeMap::new();
    for (&column, touch) in branches.iter().flatten() {
        let seen = once.entry(column).or_default();
        let again = seen.intersection(&touch.adds);
        if !again.is_empty() {
            shared.entry(column).or_default().unite(&again);
        }
        seen.unite(&touch.adds);
    }
    shared
}

/// Takes sums that wait for later out of what the branches do to a column.
fn take_sums(branches: &mut [BTreeMap<ColumnIndex, Touch>], column: ColumnIndex, rows: &RowSet) {
    for touch in branches.iter_mut().filter_map(|branch| branch.get_mut(&column)) {
        touch.adds = touch.adds.difference(rows);
    }
}

struct Builder<'m> {
    model: &'m Model,
    rows: usize,
    leaves: Vec<Leaf>,
    transients: Vec<AttributeInfo>,
    /// The transients by name.
    transient_columns: BTreeMap<Arc<str>, ColumnIndex>,
    branch_columns: Vec<Vec<ColumnIndex>>,
}

impl<'m> Builder<'m> {
    fn new(model: &'m Model) -> Self {
        let rows = model.components().len();
        let (leaves, transients, branch_columns) = (vec![], vec![], vec![]);
        Self { model, rows, leaves, transients, transient_columns: BTreeMap::new(), branch_columns }
    }

    fn node(&mut self, flow: &Flow) -> Result<Node, BuildError> {
        Ok(match flow {
            Flow::Rule(rule) => Node::Leaf(self.leaf(rule)?),
            Flow::Seq(flows) => Node::Seq(self.nodes(flows)?),
            Flow::Par(flows) if flows.len() == 1 => self.node(&flows[0])?,
            Flow::Par(flows) => {
                let mut branches = Vec::with_capacity(flows.len());
                for flow in flows {
                    let index = self.branch_columns.len();
                    self.branch_columns.push(Vec::new());
                    let start = self.leaves.len();
                    let node = self.node(flow)?;
                    let leaves = start..self.leaves.len();
                    branches.push(Branch { node, index, leaves, moved: vec![], private: vec![] });
                }
                let wide = self.pays_to_go_wide(&branches);
                Node::Par(Parallel { branches, deferred: vec![], wide })
            }
            Flow::Scaled(fraction, flow) => {
                if !fraction.is_finite() {
                    return Err(BuildError::BadScale { name: flow.to_string().into(), fraction: *fraction });
                }
                Node::Scaled(*fraction, Box::new(self.node(flow)?))
            }
            Flow::Repeat(0, flow) | Flow::Until { limit: 0, flow, .. } => {
                return Err(BuildError::NoRounds { name: flow.to_string().into() });
            }
            Flow::Repeat(count, flow) => Node::Repeat(*count, Box::new(self.node(flow)?)),
            Flow::Until { flag, limit, flow } => {
                let start = self.leaves.len();
                let body = Box::new(self.node(flow)?);
                let name: Arc<str> = flow.to_string().into();
                let raised = self.find(flag).filter(|&column| self.can_raise(start, column));
                let flag = raised
                    .ok_or_else(|| BuildError::NeverRaised { name: name.clone(), flag: flag.clone() })?;
                Node::Until { flag, name, limit: *limit, body }
            }
            Flow::Prime(flow) => Node::Prime(Box::new(self.node(flow)?)),
        })
    }

    fn nodes(&mut self, flows: &[Flow]) -> Result<Vec<Node>, BuildError> {
        flows.iter().map(|flow| self.node(flow)).collect()
    }

    /// Returns `true` if a rule from this leaf on writes the flag on the world's row, so that a loop waiting
    /// for it can end.
    fn can_raise(&self, first_leaf: usize, flag: ColumnIndex) -> bool {
        let raises = |(place, access): (&Place, &Access)| {
            let on_world = access.rows.to_set(self.rows).contains(ComponentId::WORLD.row());
            place.column == flag && access.verb == Verb::Writes && on_world
        };
        let mut leaves = self.leaves[first_leaf..].iter();
        self.info(flag).kind == Kind::Flag
            && leaves.any(|leaf| leaf.places.iter().zip(leaf.rule.domain()).any(raises))
    }

    fn leaf(&mut self, rule: &Rule) -> Result<usize, BuildError> {
        if rule.emitters() > 1 {
            return Err(BuildError::DeclaredTwice { rule: rule.name().clone(), column: "phenomena".into() });
        }
        let mut leaf = Leaf { rule: rule.clone(), places: vec![], writes: vec![], adds: vec![] };
        let mut declared = BTreeSet::new();
        for (position, access) in rule.domain().iter().enumerate() {
            let column = self.resolve(rule, access)?;
            if !declared.insert(column) {
                let (rule, column) = (rule.name().clone(), access.attribute.name.clone());
                return Err(BuildError::DeclaredTwice { rule, column });
            }
            leaf.places.push(Place { column, outward: 0 });
            match access.verb {
                Verb::Reads => {}
                Verb::Writes => leaf.writes.push(column),
                Verb::Adds => leaf.adds.push(Sum {
                    column,
                    access: position,
                    at_once: None,
                    fresh: false,
                    in_place: false,
                }),
            }
        }
        self.leaves.push(leaf);
        Ok(self.leaves.len() - 1)
    }

    /// The column of an access, after checking that it exists and is used for what it is.
    fn resolve(&mut self, rule: &Rule, access: &Access) -> Result<ColumnIndex, BuildError> {
        let (info, rule) = (&access.attribute, rule.name().clone());
        let column = info.name.clone();
        if let Rows::Only(rows) = &access.rows
            && let Some(row) = rows.iter().find(|row| *row >= self.rows)
        {
            return Err(BuildError::NoComponent { rule, column, row, count: self.rows });
        }
        if access.verb == Verb::Adds && !matches!(info.kind, Kind::Real | Kind::Vector) {
            return Err(BuildError::NotAdditive { rule, column, kind: info.kind });
        }
        let index = match self.find(&info.name) {
            Some(index) => index,
            None if info.life == Life::Step => {
                let index = self.model.schema().len() + self.transients.len();
                self.transients.push(info.clone());
                self.transient_columns.insert(info.name.clone(), index);
                index
            }
            None => return Err(BuildError::NoColumn { rule, verb: access.verb, column }),
        };
        let held = self.info(index).kind;
        if held == info.kind {
            Ok(index)
        } else {
            Err(BuildError::WrongKind { rule, column, asked: info.kind, held })
        }
    }

    fn find(&self, name: &str) -> Option<ColumnIndex> {
        self.model.column(name).or_else(|| self.transient_columns.get(name).copied())
    }

    fn info(&self, column: ColumnIndex) -> &AttributeInfo {
        let schema = self.model.schema();
        schema.get(column).unwrap_or_else(|| &self.transients[column - schema.len()])
    }

    fn is_transient(&self, column: ColumnIndex) -> bool {
        column >= self.model.schema().len()
    }

    fn pays_to_go_wide(&self, branches: &[Branch]) -> bool {
        let cost = |range: &Range<usize>| -> f64 {
            let of = |leaf: &Leaf| leaf.rule.cost_per_row() * self.largest_access(&leaf.rule) as f64;
            self.leaves[range.clone()].iter().map(of).sum()
        };
        let costs: Vec<f64> = branches.iter().map(|b| cost(&b.leaves)).collect();
        costs.iter().sum::<f64>() - costs.iter().fold(0.0, |a: f64, b| a.max(*b)) >= MIN_PARALLEL_COST
    }

    fn largest_access(&self, rule: &Rule) -> usize {
        let rows = |access: &Access| if let Rows::Only(rows) = &access.rows { rows.len() } else { self.rows };
        rule.domain().iter().map(rows).max().unwrap_or(0)
    }

    /// Compares every rule of each branch with every rule of the later branches, as far as they can clash.
    fn refuse_clashes(&self, root: &Node) -> Result<(), BuildError> {
        let mut clashes = Vec::new();
        self.collect_clashes(root, &mut clashes);
        if clashes.is_empty() { Ok(()) } else { Err(BuildError::Clashes(clashes)) }
    }

    fn collect_clashes(&self, node: &Node, clashes: &mut Vec<Clash>) {
        match node {
            Node::Leaf(_) => {}
            Node::Seq(nodes) => nodes.iter().for_each(|n| self.collect_clashes(n, clashes)),
            Node::Scaled(_, n) | Node::Repeat(_, n) | Node::Until { body: n, .. } | Node::Prime(n) => {
                self.collect_clashes(n, clashes);
            }
            Node::Par(par) => {
                let contending = self.contending(par);
                let mut rest = contending.as_slice();
                for (k, earlier) in par.branches.iter().enumerate() {
                    self.collect_clashes(&earlier.node, clashes);
                    let [(branch, leaves), later @ ..] = rest else { continue };
                    if *branch == k {
                        self.compare_branches(leaves, later, clashes);
                        rest = later;
                    }
                }
            }
        }
    }

    /// Compares rules of a branch with those of later branches.
    fn compare_branches(&self, leaves: &[usize], later: &[(usize, Vec<usize>)], clashes: &mut Vec<Clash>) {
        for (_, others) in later {
            for &a in leaves {
                for &b in others {
                    if clashes.len() >= MAX_CLASHES {
                        return;
                    }
                    self.compare(&self.leaves[a], &self.leaves[b], clashes);
                }
            }
        }
    }

    /// Branches of a `par` with those of their leaves that touch a cell which two branches do not agree about.
    /// Only these are compared with each other: usually there are none, and a `par` may have many branches.
    fn contending(&self, par: &Parallel) -> Vec<(usize, Vec<usize>)> {
        let mut seen: BTreeMap<ColumnIndex, Touch> = BTreeMap::new();
        let mut contended: BTreeMap<ColumnIndex, RowSet> = BTreeMap::new();
        for branch in &par.branches {
            for (column, touch) in self.touches(&branch.leaves) {
                let before = seen.entry(column).or_default();
                let rows = touch.disputed(before);
                if !rows.is_empty() {
                    contended.entry(column).or_default().unite(&rows);
                }
                before.unite(&touch);
            }
        }
        if contended.is_empty() {
            return Vec::new();
        }
        let contends = |leaf: &usize| {
            let leaf = &self.leaves[*leaf];
            leaf.places.iter().zip(leaf.rule.domain()).any(|(place, access)| {
                let rows = contended.get(&place.column);
                rows.is_some_and(|rows| !rows.intersection(&access.rows.to_set(self.rows)).is_empty())
            })
        };
        let leaves = par.branches.iter().map(|branch| branch.leaves.clone().filter(contends).collect());
        leaves.enumerate().filter(|(_, leaves): &(usize, Vec<usize>)| !leaves.is_empty()).collect()
    }

    fn compare(&self, a: &Leaf, b: &Leaf, clashes: &mut Vec<Clash>) {
        for (place_a, x) in a.places.iter().zip(a.rule.domain()) {
            for (place_b, y) in b.places.iter().zip(b.rule.domain()) {
                if place_a.column != place_b.column || x.verb.agrees_with(y.verb) {
                    continue;
                }
                let common = x.rows.to_set(self.rows).intersection(&y.rows.to_set(self.rows));
                if !common.is_empty() {
                    let name = |row| self.model.components().name(ComponentId::from_row(row)).to_owned();
                    clashes.push(Clash {
                        first: (a.rule.name().clone(), x.verb),
                        second: (b.rule.name().clone(), y.verb),
                        column: x.attribute.name.clone(),
                        components: common.iter().map(name).collect(),
                    });
                }
            }
        }
    }

    /// Walks the flow in the order of execution and refuses a scratch cell that is used before it is written.
    fn refuse_unwritten(&self, node: &Node, written: &mut Written) -> Result<(), BuildError> {
        match node {
            Node::Leaf(k) => {
                let leaf = &self.leaves[*k];
                for (place, access) in leaf.places.iter().zip(leaf.rule.domain()) {
                    if !self.is_transient(place.column) {
                        continue;
                    }
                    let rows = access.rows.to_set(self.rows);
                    if access.verb == Verb::Writes {
                        written.entry(place.column).or_default().unite(&rows);
                    } else {
                        let missing =
                            written.get(&place.column).map_or(rows.clone(), |done| rows.difference(done));
                        self.refuse_missing(leaf.rule.name(), access.verb, place.column, &missing)?;
                    }
                }
            }
            Node::Seq(nodes) => nodes.iter().try_for_each(|n| self.refuse_unwritten(n, written))?,
            Node::Scaled(_, n) | Node::Repeat(_, n) => self.refuse_unwritten(n, written)?,
            Node::Until { flag, name, body, .. } => {
                self.refuse_unwritten(body, written)?;
                let on_world = RowSet::from_iter([ComponentId::WORLD.row()]);
                let missing = written.get(flag).map_or(on_world.clone(), |done| on_world.difference(done));
                if self.is_transient(*flag) {
                    self.refuse_missing(name, Verb::Reads, *flag, &missing)?;
                }
            }
            // It may be skipped, so what it writes does not count.
            Node::Prime(n) => self.refuse_unwritten(n, &mut written.clone())?,
            Node::Par(par) => {
                let before = written.clone();
                for branch in &par.branches {
                    let mut here = before.clone();
                    self.refuse_unwritten(&branch.node, &mut here)?;
                    here.iter().for_each(|(column, rows)| written.entry(*column).or_default().unite(rows));
                }
            }
        }
        Ok(())
    }

    fn refuse_missing(
        &self,
        rule: &Arc<str>,
        verb: Verb,
        column: ColumnIndex,
        missing: &RowSet,
    ) -> Result<(), BuildError> {
        let Some(row) = missing.iter().next() else { return Ok(()) };
        let component = self.model.components().name(ComponentId::from_row(row)).to_owned();
        let column = self.info(column).name.clone();
        Err(BuildError::ReadBeforeWritten { rule: rule.clone(), verb, column, component })
    }

    /// Decides where every column stands while branches run. `frames` lists the columns owned by each branch
    /// around, outermost first.
    fn assign(
        &mut self,
        node: &mut Node,
        frames: &mut Vec<BTreeSet<ColumnIndex>>,
        waiting: &Waiting,
    ) -> Result<(), BuildError> {
        match node {
            Node::Leaf(k) => self.place(*k, frames, waiting),
            Node::Seq(nodes) => nodes.iter_mut().try_for_each(|n| self.assign(n, frames, waiting)),
            Node::Scaled(_, n) | Node::Prime(n) => self.assign(n, frames, waiting),
            Node::Repeat(_, n) | Node::Until { body: n, .. } => {
                let looped = waiting.iter().map(|(&column, wait)| (column, wait.inside_a_loop()));
                self.assign(n, frames, &looped.collect())
            }
            Node::Par(par) => self.assign_branches(par, frames, waiting),
        }
    }

    fn place(
        &mut self,
        k: usize,
        frames: &[BTreeSet<ColumnIndex>],
        waiting: &Waiting,
    ) -> Result<(), BuildError> {
        let leaf = &mut self.leaves[k];
        for place in &mut leaf.places {
            let owner = frames.iter().rposition(|owned| owned.contains(&place.column));
            place.outward = frames.len() - owner.map_or(0, |k| k + 1);
        }
        for sum in &mut leaf.adds {
            let access = &leaf.rule.domain()[sum.access];
            let mut rows = access.rows.to_set(self.rows);
            if let Some(wait) = waiting.get(&sum.column) {
                if !rows.intersection(&wait.looped).is_empty() {
                    let (rule, column) = (leaf.rule.name().clone(), access.attribute.name.clone());
                    return Err(BuildError::RepeatedAdder { rule, column });
                }
                rows = rows.difference(&wait.once);
            }
            sum.at_once = (!rows.is_empty()).then(|| Rows::of_set(rows, self.rows));
        }
        Ok(())
    }

    fn assign_branches(
        &mut self,
        par: &mut Parallel,
        frames: &mut Vec<BTreeSet<ColumnIndex>>,
        waiting_outside: &Waiting,
    ) -> Result<(), BuildError> {
        let mut touches: Vec<_> = par.branches.iter().map(|b| self.touches(&b.leaves)).collect();
        for wait in waiting_outside {
            take_sums(&mut touches, *wait.0, &wait.1.all());
        }
        let mut waiting = waiting_outside.clone();
        for (column, rows) in shared_sums(&touches) {
            take_sums(&mut touches, column, &rows);
            for branch in &par.branches {
                par.deferred.extend(self.sums(&branch.leaves, column, &rows));
            }
            waiting.entry(column).or_default().once.unite(&rows);
        }
        par.deferred.sort_unstable_by_key(|later| (later.leaf, later.sum));
        let mut users: BTreeMap<ColumnIndex, usize> = BTreeMap::new();
        for (&column, _) in touches.iter().flatten().filter(|(_, touch)| touch.needs_the_column()) {
            *users.entry(column).or_default() += 1;
        }
        for (branch, touched) in par.branches.iter_mut().zip(&touches) {
            for (&column, touch) in touched {
                if !touch.changes() {
                    continue;
                }
                if users.get(&column) == Some(&1) {
                    branch.moved.push(column);
                    continue;
                }
                let mut rows_out = touch.writes.clone();
                rows_out.unite(&touch.adds);
                let mut rows_in = rows_out.clone();
                rows_in.unite(&touch.reads);
                branch.private.push(Private { column, rows_in, rows_out });
                self.branch_columns[branch.index].push(column);
            }
            let owned = branch.moved.iter().copied().chain(branch.private.iter().map(|p| p.column));
            frames.push(owned.collect());
            self.assign(&mut branch.node, frames, &waiting)?;
            frames.pop();
        }
        Ok(())
    }

    /// Walks the flow in its order and marks the first sum into every column that was set to zero. `zeros`
    /// are the columns known to hold nothing but zeros.
    fn mark_fresh(&mut self, node: &Node, zeros: &mut BTreeSet<ColumnIndex>) {
        match node {
            Node::Leaf(k) => self.mark_fresh_leaf(*k, zeros),
            Node::Seq(nodes) => nodes.iter().for_each(|n| self.mark_fresh(n, zeros)),
            Node::Scaled(_, n) => self.mark_fresh(n, zeros),
            // The second round starts from what the first has left.
            Node::Repeat(_, n) | Node::Until { body: n, .. } => {
                zeros.clear();
                self.mark_fresh(n, zeros);
                zeros.clear();
            }
            Node::Prime(n) => {
                let skipped = zeros.clone();
                self.mark_fresh(n, zeros);
                zeros.retain(|column| skipped.contains(column));
            }
            Node::Par(par) => par.branches.iter().for_each(|branch| self.mark_fresh(&branch.node, zeros)),
        }
    }

    fn mark_fresh_leaf(&mut self, k: usize, zeros: &mut BTreeSet<ColumnIndex>) {
        let leaf = &mut self.leaves[k];
        for sum in &mut leaf.adds {
            let was_zero = zeros.remove(&sum.column);
            sum.fresh = was_zero && leaf.rule.gain() == 1.0;
            sum.in_place = sum.fresh && sum.at_once.as_ref() == Some(&leaf.rule.domain()[sum.access].rows);
        }
        for column in &leaf.writes {
            zeros.remove(column);
        }
        if leaf.rule.zeroes() {
            zeros.extend(&leaf.writes);
        }
    }

    /// The sums that some leaves make into these rows of a column.
    fn sums(&self, leaves: &Range<usize>, column: ColumnIndex, rows: &RowSet) -> Vec<Deferred> {
        let mut sums = Vec::new();
        for leaf in leaves.clone() {
            for (k, sum) in self.leaves[leaf].adds.iter().enumerate().filter(|(_, sum)| sum.column == column)
            {
                let added = self.leaves[leaf].rule.domain()[sum.access].rows.to_set(self.rows);
                let common = added.intersection(rows);
                if !common.is_empty() {
                    sums.push(Deferred { leaf, sum: k, rows: Rows::of_set(common, self.rows) });
                }
            }
        }
        sums
    }

    fn touches(&self, leaves: &Range<usize>) -> BTreeMap<ColumnIndex, Touch> {
        let mut touches: BTreeMap<ColumnIndex, Touch> = BTreeMap::new();
        for leaf in &self.leaves[leaves.clone()] {
            for (place, access) in leaf.places.iter().zip(leaf.rule.domain()) {
                let touch = touches.entry(place.column).or_default();
                touch.note(access.verb, &access.rows.to_set(self.rows));
            }
        }
        touches
    }

    fn finish(self, root: Node) -> Workflow {
        let mut changed = BTreeSet::new();
        for leaf in &self.leaves {
            for (place, access) in leaf.places.iter().zip(leaf.rule.domain()) {
                if access.verb != Verb::Reads && !self.is_transient(place.column) {
                    changed.insert(place.column);
                }
            }
        }
        Workflow {
            model: self.model.clone(),
            root,
            leaves: self.leaves,
            transients: self.transients,
            changed: changed.into_iter().collect(),
            branch_columns: self.branch_columns,
            identity: Arc::new(()),
            cancel: Cancel::never(),
        }
    }
}
