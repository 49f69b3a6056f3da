//! Building: from a flow to a plan, or to every reason why not.

use super::Workflow;
use super::plan::{Branch, Leaf, Node, Parallel, Private, Sum};
use crate::world::access::{Access, Place, Verb};
use crate::world::attribute::{AttributeInfo, Life};
use crate::world::column::Kind;
use crate::world::component::ComponentId;
use crate::world::fault::{BuildError, Clash};
use crate::world::flow::Flow;
use crate::world::model::{ColumnIndex, Model};
use crate::world::rows::{RowSet, Rows};
use crate::world::rule::Rule;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;

/// Work (in units of [`Rule::with_cost`] × rows) beside the largest branch from which several threads pay. Waking a
/// second thread costs some microseconds, which is this many short rows.
const WIDE: f64 = 20_000.0;

impl Flow {
    /// Checks the flow against a model and makes it runnable, or says everything that is wrong with it.
    pub fn build(&self, model: &Model) -> Result<Workflow, BuildError> {
        let mut builder = Builder::new(model);
        let mut root = builder.node(self)?;
        if builder.leaves.is_empty() {
            return Err(BuildError::Empty);
        }
        builder.refuse_clashes(&root)?;
        builder.refuse_unwritten(&root, &mut BTreeSet::new())?;
        builder.assign(&mut root, &mut vec![], &Deferred::new())?;
        Ok(builder.finish(root))
    }
}

/// The columns whose sums an enclosing `par` adds up, and whether a loop stands between it and the rule.
type Deferred = BTreeMap<ColumnIndex, bool>;

/// The rows of one column under each verb.
#[derive(Default, Clone)]
struct Touch {
    reads: RowSet,
    writes: RowSet,
    adds: RowSet,
}

impl Touch {
    fn rows_mut(&mut self, verb: Verb) -> &mut RowSet {
        match verb {
            Verb::Reads => &mut self.reads,
            Verb::Writes => &mut self.writes,
            Verb::Adds => &mut self.adds,
        }
    }
}

struct Builder<'m> {
    model: &'m Model,
    rows: usize,
    leaves: Vec<Leaf>,
    transients: Vec<AttributeInfo>,
    branch_columns: Vec<Vec<ColumnIndex>>,
}

impl<'m> Builder<'m> {
    fn new(model: &'m Model) -> Self {
        let rows = model.components().len();
        Self { model, rows, leaves: vec![], transients: vec![], branch_columns: vec![] }
    }

    fn node(&mut self, flow: &Flow) -> Result<Node, BuildError> {
        Ok(match flow {
            Flow::Rule(rule) => Node::Leaf(self.leaf(rule)?),
            Flow::Seq(flows) => Node::Seq(self.nodes(flows)?),
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
                    return Err(BuildError::BadScale(*fraction));
                }
                Node::Scaled(*fraction, Box::new(self.node(flow)?))
            }
            Flow::Repeat(0, _) | Flow::Until { limit: 0, .. } => return Err(BuildError::NoRounds),
            Flow::Repeat(count, flow) => Node::Repeat(*count, Box::new(self.node(flow)?)),
            Flow::Until { flag, limit, flow } => {
                let body = Box::new(self.node(flow)?);
                let rule: Arc<str> = flow.to_string().into();
                let missing = || BuildError::NoColumn { rule: rule.clone(), verb: Verb::Reads, column: flag.clone() };
                let flag = self.find(flag).ok_or_else(missing)?;
                Node::Until { flag, name: rule.clone(), limit: *limit, body }
            }
            Flow::Prime(flow) => Node::Prime(Box::new(self.node(flow)?)),
        })
    }

    fn nodes(&mut self, flows: &[Flow]) -> Result<Vec<Node>, BuildError> {
        flows.iter().map(|flow| self.node(flow)).collect()
    }

    fn leaf(&mut self, rule: &Rule) -> Result<usize, BuildError> {
        let mut leaf = Leaf { rule: rule.clone(), places: vec![], writes: vec![], adds: vec![] };
        for (position, access) in rule.domain().iter().enumerate() {
            let column = self.resolve(rule, access)?;
            if leaf.places.iter().any(|place| place.column == column) {
                let (rule, column) = (rule.name().clone(), access.attribute.name.clone());
                return Err(BuildError::DeclaredTwice { rule, column });
            }
            leaf.places.push(Place { column, outward: 0 });
            match access.verb {
                Verb::Reads => {}
                Verb::Writes => leaf.writes.push(column),
                Verb::Adds => leaf.adds.push(Sum { column, access: position, deferred: false }),
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
                self.transients.push(info.clone());
                self.model.schema().len() + self.transients.len() - 1
            }
            None => return Err(BuildError::NoColumn { rule, verb: access.verb, column }),
        };
        let held = self.info(index).kind;
        if held == info.kind { Ok(index) } else { Err(BuildError::WrongKind { rule, column, asked: info.kind, held }) }
    }

    fn find(&self, name: &str) -> Option<ColumnIndex> {
        let transient = || self.transients.iter().position(|info| &*info.name == name);
        self.model.column(name).or_else(|| transient().map(|k| self.model.schema().len() + k))
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
        costs.iter().sum::<f64>() - costs.iter().fold(0.0, |a: f64, b| a.max(*b)) >= WIDE
    }

    fn largest_access(&self, rule: &Rule) -> usize {
        let rows = |access: &Access| if let Rows::Only(rows) = &access.rows { rows.len() } else { self.rows };
        rule.domain().iter().map(rows).max().unwrap_or(0)
    }

    /// Compares every rule of each branch with every rule of the later branches.
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
                for (k, earlier) in par.branches.iter().enumerate() {
                    self.collect_clashes(&earlier.node, clashes);
                    for later in &par.branches[k + 1..] {
                        for a in &self.leaves[earlier.leaves.clone()] {
                            for b in &self.leaves[later.leaves.clone()] {
                                self.compare(a, b, clashes);
                            }
                        }
                    }
                }
            }
        }
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

    /// Walks the flow in the order of execution and refuses a scratch column that is used before it is written.
    fn refuse_unwritten(&self, node: &Node, written: &mut BTreeSet<ColumnIndex>) -> Result<(), BuildError> {
        match node {
            Node::Leaf(k) => {
                let leaf = &self.leaves[*k];
                for (place, access) in leaf.places.iter().zip(leaf.rule.domain()) {
                    let ready = access.verb == Verb::Writes || written.contains(&place.column);
                    if self.is_transient(place.column) && !ready {
                        let (rule, column) = (leaf.rule.name().clone(), access.attribute.name.clone());
                        return Err(BuildError::ReadBeforeWritten { rule, verb: access.verb, column });
                    }
                }
                written.extend(&leaf.writes);
            }
            Node::Seq(nodes) => nodes.iter().try_for_each(|n| self.refuse_unwritten(n, written))?,
            Node::Scaled(_, n) | Node::Repeat(_, n) | Node::Until { body: n, .. } => {
                self.refuse_unwritten(n, written)?;
            }
            // It may be skipped, so what it writes does not count.
            Node::Prime(n) => self.refuse_unwritten(n, &mut written.clone())?,
            Node::Par(par) => {
                let before = written.clone();
                for branch in &par.branches {
                    let mut here = before.clone();
                    self.refuse_unwritten(&branch.node, &mut here)?;
                    written.extend(here);
                }
            }
        }
        Ok(())
    }

    /// Decides where every column stands while branches run. `frames` lists the columns owned by each branch around,
    /// outermost first.
    fn assign(
        &mut self,
        node: &mut Node,
        frames: &mut Vec<BTreeSet<ColumnIndex>>,
        deferred: &Deferred,
    ) -> Result<(), BuildError> {
        match node {
            Node::Leaf(k) => self.place(*k, frames, deferred),
            Node::Seq(nodes) => nodes.iter_mut().try_for_each(|n| self.assign(n, frames, deferred)),
            Node::Scaled(_, n) | Node::Prime(n) => self.assign(n, frames, deferred),
            Node::Repeat(_, n) | Node::Until { body: n, .. } => {
                self.assign(n, frames, &deferred.keys().map(|&column| (column, true)).collect())
            }
            Node::Par(par) => self.assign_branches(par, frames, deferred),
        }
    }

    fn place(&mut self, k: usize, frames: &[BTreeSet<ColumnIndex>], deferred: &Deferred) -> Result<(), BuildError> {
        let leaf = &mut self.leaves[k];
        for place in &mut leaf.places {
            let owner = frames.iter().rposition(|owned| owned.contains(&place.column));
            place.outward = frames.len() - owner.map_or(0, |k| k + 1);
        }
        for sum in &mut leaf.adds {
            let looped = deferred.get(&sum.column);
            sum.deferred = looped.is_some();
            if looped == Some(&true) {
                let column = leaf.rule.domain()[sum.access].attribute.name.clone();
                return Err(BuildError::RepeatedAdder { rule: leaf.rule.name().clone(), column });
            }
        }
        Ok(())
    }

    fn assign_branches(
        &mut self,
        par: &mut Parallel,
        frames: &mut Vec<BTreeSet<ColumnIndex>>,
        deferred_outside: &Deferred,
    ) -> Result<(), BuildError> {
        let touches: Vec<_> = par.branches.iter().map(|b| self.touches(&b.leaves)).collect();
        for (branch, touched) in par.branches.iter_mut().zip(&touches) {
            let mut deferred = deferred_outside.clone();
            for (&column, touch) in touched {
                let alone = touches.iter().filter(|t| t.contains_key(&column)).count() == 1;
                let only_reads = touch.writes.is_empty() && touch.adds.is_empty();
                let only_adds = touch.writes.is_empty() && touch.reads.is_empty();
                if only_reads || deferred_outside.contains_key(&column) {
                    continue;
                }
                if alone {
                    branch.moved.push(column);
                } else if only_adds {
                    deferred.insert(column, false);
                    par.deferred.extend(self.sums(&branch.leaves, column));
                } else {
                    let mut rows_out = touch.writes.clone();
                    rows_out.unite(&touch.adds);
                    let mut rows_in = rows_out.clone();
                    rows_in.unite(&touch.reads);
                    branch.private.push(Private { column, rows_in, rows_out });
                    self.branch_columns[branch.index].push(column);
                }
            }
            let owned = branch.moved.iter().copied().chain(branch.private.iter().map(|p| p.column));
            frames.push(owned.collect());
            self.assign(&mut branch.node, frames, &deferred)?;
            frames.pop();
        }
        par.deferred.sort_unstable();
        Ok(())
    }

    /// The sums that some leaves make into a column: leaf and number of the sum.
    fn sums(&self, leaves: &Range<usize>, column: ColumnIndex) -> Vec<(usize, usize)> {
        let of = |k: usize| {
            let into = move |(s, sum): (usize, &Sum)| (sum.column == column).then_some((k, s));
            self.leaves[k].adds.iter().enumerate().filter_map(into)
        };
        leaves.clone().flat_map(of).collect()
    }

    fn touches(&self, leaves: &Range<usize>) -> BTreeMap<ColumnIndex, Touch> {
        let mut touches: BTreeMap<ColumnIndex, Touch> = BTreeMap::new();
        for leaf in &self.leaves[leaves.clone()] {
            for (place, access) in leaf.places.iter().zip(leaf.rule.domain()) {
                let touch = touches.entry(place.column).or_default();
                touch.rows_mut(access.verb).unite(&access.rows.to_set(self.rows));
            }
        }
        touches
    }

    fn finish(self, root: Node) -> Workflow {
        let mut changed = BTreeSet::new();
        let mut created: BTreeMap<ColumnIndex, RowSet> = BTreeMap::new();
        for leaf in &self.leaves {
            for (place, access) in leaf.places.iter().zip(leaf.rule.domain()) {
                if access.verb != Verb::Reads && !self.is_transient(place.column) {
                    changed.insert(place.column);
                    if let Rows::Only(rows) = &access.rows {
                        created.entry(place.column).or_default().unite(rows);
                    }
                }
            }
        }
        Workflow {
            model: self.model.clone(),
            root,
            leaves: self.leaves,
            transients: self.transients,
            changed: changed.into_iter().collect(),
            created: created.into_iter().collect(),
            branch_columns: self.branch_columns,
            identity: Arc::new(()),
        }
    }
}
