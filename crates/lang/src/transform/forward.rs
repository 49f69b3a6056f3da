//! Forward differentiation: every node of a graph gets, beside its value, its rates in one or more
//! directions.
//!
//! One walk in the order of the nodes. Rates are made only where they can reach a rate of an output (what
//! only decides a comparison has none) and where they are not zero by structure. An `if` hands the rates out
//! of its arms as further results, so an arm not taken computes neither values nor rates. Every rule adds at
//! most a dozen nodes, so the result is at most a few times as large as the program, per direction.
//!
//! Rates that leave an arm or the graph are demanded, that is, must be finite. Inner ones need not be: each
//! rule is linear in the rates, so one that is not finite makes the next one not finite too.

use super::write::Writer;
use super::{NotDifferentiable, rules};
use crate::arithmetic::Unary;
use crate::ir::{Arm, ArmId, Graph, Node, NodeId};
use std::collections::{BTreeMap, BTreeSet};

/// Values and rates of a graph, in a graph that is being written.
pub(super) struct Forward<'g> {
    source: &'g Graph,
    directions: usize,
    pub(super) writer: Writer,
    /// The new node of each old one.
    values: Vec<NodeId>,
    /// The rates of each old node, direction by direction.
    rates: Vec<Option<NodeId>>,
    /// Rates that leave an `if`, by its old node, result and direction.
    leaving: BTreeMap<(NodeId, u32, usize), Option<NodeId>>,
}

impl<'g> Forward<'g> {
    /// Differentiates all of `source`. `seed` gives the rate of a slot in a direction.
    pub(super) fn new(
        source: &'g Graph,
        directions: usize,
        mut seed: impl FnMut(&mut Writer, u32, usize) -> Option<NodeId>,
    ) -> Result<Self, NotDifferentiable> {
        let mut forward = Self {
            source,
            directions,
            writer: Writer::default(),
            values: Vec::with_capacity(source.nodes.len()),
            rates: Vec::with_capacity(source.nodes.len() * directions),
            leaving: BTreeMap::new(),
        };
        let needed = Needed::of(source);
        for (at, &node) in source.nodes.iter().enumerate() {
            forward.writer.at(source.spans.get(at).copied().flatten());
            let id = NodeId(at as u32);
            let value = forward.value(id, node, &needed);
            forward.values.push(value);
            for direction in 0..directions {
                let rate = match node {
                    _ if !needed.rate[at] => None,
                    Node::Slot(slot) => seed(&mut forward.writer, slot, direction),
                    _ => forward.rate(node, value, direction)?,
                };
                forward.rates.push(rate);
            }
        }
        Ok(forward)
    }

    /// The new node of an old one.
    pub(super) fn value_of(&self, id: NodeId) -> NodeId {
        self.values[id.0 as usize]
    }

    /// The rate of an old node, unless it is zero by structure.
    pub(super) fn rate_of(&self, id: NodeId, direction: usize) -> Option<NodeId> {
        self.rates[id.0 as usize * self.directions + direction]
    }

    fn value(&mut self, id: NodeId, node: Node, needed: &Needed) -> NodeId {
        let copy = node.map(|id| self.value_of(id));
        match copy {
            Node::If(condition, then, otherwise) => self.branch(id, condition, then, otherwise, needed),
            _ => self.writer.keep(copy),
        }
    }

    fn rate(
        &mut self,
        node: Node,
        value: NodeId,
        direction: usize,
    ) -> Result<Option<NodeId>, NotDifferentiable> {
        Ok(match node {
            Node::Unary(operation, x) => {
                let dx = self.rate_of(x, direction);
                rules::unary(&mut self.writer, operation, self.values[x.0 as usize], value, dx)?
            }
            Node::Binary(operation, x, y) => {
                let (dx, dy) = (self.rate_of(x, direction), self.rate_of(y, direction));
                let (x, y) = (self.value_of(x), self.value_of(y));
                rules::binary(&mut self.writer, operation, (x, dx), (y, dy), value)?
            }
            Node::Select(c, x, y) => {
                let (dx, dy) = (self.rate_of(x, direction), self.rate_of(y, direction));
                let condition = self.value_of(c);
                (dx.is_some() || dy.is_some()).then(|| rules::either(&mut self.writer, condition, dx, dy))
            }
            Node::Pick(from, result) => self.leaving.get(&(from, result, direction)).copied().flatten(),
            _ => None,
        })
    }

    /// An `if` whose arms give their old results, followed by the rates that differ between them.
    fn branch(
        &mut self,
        id: NodeId,
        condition: NodeId,
        then: ArmId,
        otherwise: ArmId,
        needed: &Needed,
    ) -> NodeId {
        let sides = [self.source.arm(then), self.source.arm(otherwise)];
        let mut arms = sides.map(|side| Arm {
            results: side.results.iter().map(|&id| self.value_of(id)).collect(),
            demands: side.demands.iter().map(|&id| self.value_of(id)).collect(),
        });
        let mut picked = Vec::new();
        for &(_, result) in needed.picks.range((id, 0)..=(id, u32::MAX)) {
            for direction in 0..self.directions {
                let rates = sides.map(|side| self.rate_of(side.results[result as usize], direction));
                if rates == [None, None] {
                    continue;
                }
                let zero = self.writer.real(0.0);
                let further = arms[0].results.len() as u32;
                for (arm, rate) in arms.iter_mut().zip(rates) {
                    arm.results.push(rate.unwrap_or(zero));
                    arm.demands.extend(rate);
                }
                picked.push((result, direction, further));
            }
        }
        for arm in &mut arms {
            keep_first(&mut arm.demands);
        }
        let [then, otherwise] = arms;
        let branch = self.writer.branch(condition, then, otherwise);
        for (result, direction, further) in picked {
            let pick = self.writer.keep(Node::Pick(branch, further));
            self.leaving.insert((id, result, direction), Some(pick));
        }
        branch
    }
}

/// Each once, where it occurs first.
pub(super) fn keep_first(ids: &mut Vec<NodeId>) {
    let mut seen = BTreeSet::new();
    ids.retain(|&id| seen.insert(id));
}

/// Returns for each old node `true` if its rate reaches a rate of an output.
struct Needed {
    rate: Vec<bool>,
    /// Results of `if`s whose rates are needed, in order.
    picks: BTreeSet<(NodeId, u32)>,
}

impl Needed {
    fn of(source: &Graph) -> Self {
        let mut needed = Self { rate: vec![false; source.nodes.len()], picks: BTreeSet::new() };
        for &id in source.outputs.iter().flat_map(|output| &output.nodes) {
            needed.rate[id.0 as usize] = !source.is_truth(id);
        }
        for at in (0..source.nodes.len()).rev() {
            if !needed.rate[at] {
                continue;
            }
            match source.nodes[at] {
                Node::Unary(Unary::Floor | Unary::Ceil | Unary::Round, _) => {}
                Node::Unary(_, x) => needed.rate[x.0 as usize] = true,
                Node::Binary(_, x, y) | Node::Select(_, x, y) => {
                    needed.rate[x.0 as usize] = true;
                    needed.rate[y.0 as usize] = true;
                }
                Node::Pick(from, result) => {
                    needed.picks.insert((from, result));
                    if let Node::If(_, then, otherwise) = source.node(from) {
                        for arm in [then, otherwise] {
                            needed.rate[source.arm(arm).results[result as usize].0 as usize] = true;
                        }
                    }
                }
                _ => {}
            }
        }
        needed
    }
}
