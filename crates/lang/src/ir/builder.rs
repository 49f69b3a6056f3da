//! A graph in the making: equal nodes are one, and what is asked for is kept apart from what is merely
//! written.
//!
//! `record` makes it the [`Arithmetic`] whose reals and truth values are nodes.
//!
//! **Need.** What is computed is noted in the [`Context`] that is open: the root, an arm, or a function. What
//! a function asks for is kept as a group, so that asking for the function again means asking for its group.

use super::compact::{compact, order_slots};
use super::finite::{always_finite, each_shown};
use super::{Arm, ArmId, Graph, GraphOutput, Node, NodeId, Slot};
use crate::arithmetic::{Arithmetic, Binary, Unary};
use crate::program::InputId;
use crate::source::Span;
use std::collections::{HashMap, HashSet};

/// More operations than this stay with the evaluator: compiling them would take longer than running them.
pub(crate) const MOST_NODES: usize = 100_000;
/// All demands of all arms together; they can be many more than nodes, since many arms may ask for the same.
const MOST_DEMANDS: usize = 2_000_000;
/// `if`s inside arms of `if`s: everything that walks over blocks may do so recursively.
pub(crate) const MOST_ARMS: u16 = 256;
/// Additions, products and the like that are rather computed in vain than jumped over.
const CHEAP: usize = 12;

/// Nodes that a function asks for when it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Group(u32);

#[derive(Clone, Copy, Debug)]
enum Asked {
    /// Computed, and must be finite.
    Node(NodeId),
    /// Computed in case it is needed.
    Spare(NodeId),
    /// All nodes that a function asks for.
    Group(Group),
}

/// A stretch of computation that happens as a whole or not at all.
#[derive(Debug, Default)]
struct Context {
    asked: Vec<Asked>,
    nodes: HashSet<NodeId>,
    groups: HashSet<Group>,
    /// `true` if it is an arm of the context below, and so needs not ask again for nodes asked for there.
    arm: bool,
}

/// Reason why nothing more is written down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Full {
    /// Too many nodes or demands.
    Long,
    /// Too many `if`s in each other.
    Deep,
}

/// Records operations as nodes of a graph.
#[derive(Debug)]
pub struct Builder {
    graph: Graph,
    truths: Vec<bool>,
    /// For each node, the number of `if`s that may come to lie in each other's arms to compute it.
    heights: Vec<u16>,
    numbers: HashMap<Node, NodeId>,
    branches: HashMap<(NodeId, Arm, Arm), NodeId>,
    slots: HashMap<(InputId, u32), NodeId>,
    span: Option<Span>,
    contexts: Vec<Context>,
    groups: Vec<Vec<Asked>>,
    demanded: usize,
    full: Option<Full>,
}

impl Default for Builder {
    fn default() -> Self {
        Self::new()
    }
}

/// Result of operations when no more nodes are written down.
const NO_REAL: NodeId = NodeId(0);
const NO_TRUTH: NodeId = NodeId(1);

impl Builder {
    /// Nothing written yet.
    pub fn new() -> Self {
        let mut builder = Self {
            graph: Graph { finite: true, ..Graph::default() },
            truths: Vec::new(),
            heights: Vec::new(),
            numbers: HashMap::new(),
            branches: HashMap::new(),
            slots: HashMap::new(),
            span: None,
            contexts: vec![Context::default()],
            groups: Vec::new(),
            demanded: 0,
            full: None,
        };
        builder.real(0.0);
        builder.truth(false);
        builder
    }

    /// Sets the place in the text of the nodes that are written from now on.
    pub fn set_span(&mut self, span: Option<Span>) {
        self.span = span;
    }

    /// Scalar number `element` of an input, which people call `name`.
    pub fn slot(&mut self, input: InputId, element: u32, name: impl FnOnce() -> String) -> NodeId {
        if let Some(&id) = self.slots.get(&(input, element)) {
            return id;
        }
        let number = u32::try_from(self.graph.slots.len()).unwrap_or(u32::MAX);
        let id = self.write(Node::Slot(number), false);
        self.graph.slots.push(Slot { input, element });
        self.graph.slot_names.push(name());
        self.slots.insert((input, element), id);
        id
    }

    /// The node with this id.
    pub fn node(&self, id: NodeId) -> Node {
        self.graph.node(id)
    }

    /// NaN, without demanding it: for results of what has failed before.
    pub(crate) fn failure(&mut self) -> NodeId {
        self.write(Node::Fail, false)
    }

    /// Returns `true` if the open context has given up.
    pub(crate) fn failed(&self) -> bool {
        self.numbers
            .get(&Node::Fail)
            .is_some_and(|fail| self.asked_before(|context| context.nodes.contains(fail)))
    }

    /// Returns the reason if writing has stopped because there was too much.
    pub(crate) fn full(&self) -> Option<Full> {
        self.full
    }

    /// From here to [`end_group`](Self::end_group) a function is computed.
    pub(crate) fn begin_group(&mut self) {
        self.contexts.push(Context::default());
    }

    /// Nodes asked for since [`begin_group`](Self::begin_group). They are computed only where
    /// [`ask`](Self::ask) says so.
    pub(crate) fn end_group(&mut self) -> Group {
        let context = self.contexts.pop().unwrap_or_default();
        self.groups.push(context.asked);
        Group(u32::try_from(self.groups.len() - 1).unwrap_or(u32::MAX))
    }

    /// The context that is open asks for a function.
    pub(crate) fn ask(&mut self, group: Group) {
        if !self.groups[group.0 as usize].is_empty()
            && !self.asked_before(|context| context.groups.contains(&group))
        {
            let context = self.context();
            context.groups.insert(group);
            context.asked.push(Asked::Group(group));
        }
    }

    /// The context that is open demands that this real is finite.
    pub fn demand(&mut self, id: NodeId) {
        if !self.asked_before(|context| context.nodes.contains(&id)) {
            let context = self.context();
            context.nodes.insert(id);
            context.asked.push(Asked::Node(id));
        }
    }

    fn context(&mut self) -> &mut Context {
        if self.contexts.is_empty() {
            self.contexts.push(Context::default());
        }
        let last = self.contexts.len() - 1;
        &mut self.contexts[last]
    }

    /// Returns `true` if the open context, or one that it is an arm of, has already asked.
    fn asked_before(&self, has: impl Fn(&Context) -> bool) -> bool {
        for context in self.contexts.iter().rev() {
            if has(context) {
                return true;
            }
            if !context.arm {
                break;
            }
        }
        false
    }

    /// Writes a node, or finds it.
    pub(super) fn write(&mut self, node: Node, truth: bool) -> NodeId {
        if let Some(&id) = self.numbers.get(&node) {
            return id;
        }
        let id = self.push(node, truth);
        self.numbers.insert(node, id);
        id
    }

    fn push(&mut self, node: Node, truth: bool) -> NodeId {
        if self.graph.nodes.len() >= MOST_NODES {
            self.full.get_or_insert(Full::Long);
        }
        if self.full.is_some() {
            return if truth { NO_TRUTH } else { NO_REAL };
        }
        let mut height = 0;
        node.operands(|operand| height = height.max(self.heights[operand.0 as usize]));
        if let Node::If(_, then, otherwise) = node {
            for arm in [then, otherwise].map(|arm| self.graph.arm(arm)) {
                for inside in arm.results.iter().chain(&arm.demands) {
                    height = height.max(self.heights[inside.0 as usize] + 1);
                }
            }
            if height > MOST_ARMS {
                self.full = Some(Full::Deep);
            }
        }
        let id = NodeId(u32::try_from(self.graph.nodes.len()).unwrap_or(u32::MAX));
        self.graph.nodes.push(node);
        self.graph.spans.push(match node {
            Node::Real(_) | Node::Truth(_) => None,
            _ => self.span,
        });
        self.truths.push(truth);
        self.heights.push(height);
        id
    }

    /// Writes an operation that the open context computes.
    pub(super) fn compute(&mut self, node: Node) -> NodeId {
        let id = self.write(node, false);
        self.demand(id);
        id
    }

    /// From here to [`end_arm`](Self::end_arm) one side of an `if` is computed.
    pub(crate) fn begin_arm(&mut self) {
        self.contexts.push(Context { arm: true, ..Context::default() });
    }

    /// The side that was computed since [`begin_arm`](Self::begin_arm).
    pub(crate) fn end_arm(&mut self) -> Side {
        let context = self.contexts.pop().unwrap_or_default();
        self.side(&context)
    }

    /// Nodes that a context asks for, in order.
    fn side(&mut self, context: &Context) -> Side {
        let mut side = Side::default();
        let mut visited: HashSet<Group> = HashSet::new();
        let mut open: Vec<&[Asked]> = vec![&context.asked];
        while let Some(asked) = open.pop() {
            for &asked in asked {
                match asked {
                    Asked::Node(id) if self.asked_before(|outer| outer.nodes.contains(&id)) => {}
                    Asked::Node(id) => side.asked.push(id),
                    Asked::Spare(id) => side.spare.push(id),
                    Asked::Group(group) => {
                        if visited.insert(group) && !self.asked_before(|outer| outer.groups.contains(&group))
                        {
                            open.push(&self.groups[group.0 as usize]);
                        }
                    }
                }
            }
        }
        side.asked.sort_unstable();
        side.asked.dedup();
        side.demands = side.asked.iter().copied().filter(|&id| self.can_fail(id)).collect();
        self.demanded += side.asked.len() + visited.len();
        if self.demanded > MOST_DEMANDS {
            self.full.get_or_insert(Full::Long);
        }
        side
    }

    /// Returns `true` if there is anything to demand of a node, given that its operands are finite.
    fn can_fail(&self, id: NodeId) -> bool {
        let node = self.graph.node(id);
        match node {
            Node::If(_, then, otherwise) => {
                [then, otherwise].into_iter().any(|arm| !self.graph.arm(arm).demands.is_empty())
            }
            // It is asked for only in place of an `if`: then it stands for what its arms ask for.
            Node::Select(..) => true,
            _ => !always_finite(&self.graph, node),
        }
    }

    /// One of two sides, each with its results.
    pub(crate) fn join(
        &mut self,
        condition: NodeId,
        then: (Side, Vec<NodeId>),
        otherwise: (Side, Vec<NodeId>),
    ) -> Vec<NodeId> {
        debug_assert_eq!(then.1.len(), otherwise.1.len(), "both sides give equally many results");
        if self.is_cheap(&then) && self.is_cheap(&otherwise) {
            return self.join_by_selecting(condition, then, otherwise);
        }
        let results = then.1.iter().map(|id| self.truths[id.0 as usize]).collect::<Vec<_>>();
        let [then, otherwise] =
            [then, otherwise].map(|(side, results)| Arm { results, demands: side.demands });
        let key = (condition, then, otherwise);
        let id = match self.branches.get(&key) {
            Some(&id) => id,
            None => {
                let (_, then, otherwise) = key.clone();
                let number = u32::try_from(self.graph.arms.len()).unwrap_or(u32::MAX);
                self.graph.arms.extend([then, otherwise]);
                let id = self.push(Node::If(condition, ArmId(number), ArmId(number + 1)), false);
                self.branches.insert(key, id);
                id
            }
        };
        if self.full.is_some() {
            return results.into_iter().map(|truth| if truth { NO_TRUTH } else { NO_REAL }).collect();
        }
        self.demand(id);
        (0_u32..).zip(results).map(|(index, truth)| self.write(Node::Pick(id, index), truth)).collect()
    }

    /// Returns `true` if a side may be computed also where it is not taken: it is short, and its demands show
    /// in its results, so that a check of the selected result is a check of all of them.
    fn is_cheap(&self, (side, results): &(Side, Vec<NodeId>)) -> bool {
        if side.asked.len() + side.spare.len() > CHEAP {
            return false;
        }
        let all = side.asked.iter().chain(&side.spare);
        let cheap = |id: &NodeId| match self.graph.node(*id) {
            Node::Unary(operation, _) => matches!(operation, Unary::Neg | Unary::Abs),
            Node::Binary(operation, ..) => {
                matches!(operation, Binary::Add | Binary::Sub | Binary::Mul | Binary::Min | Binary::Max)
            }
            Node::Select(..) => true,
            _ => false,
        };
        if !all.clone().all(cheap) {
            return false;
        }
        let mut shown: Vec<NodeId> = Vec::new();
        let mut open = results.clone();
        while let Some(id) = open.pop() {
            if side.asked.binary_search(&id).is_err() || shown.contains(&id) {
                continue;
            }
            shown.push(id);
            each_shown(self.graph.node(id), |operand| open.push(operand));
        }
        side.demands.iter().all(|id| shown.contains(id))
    }

    fn join_by_selecting(
        &mut self,
        condition: NodeId,
        (then, then_results): (Side, Vec<NodeId>),
        (otherwise, otherwise_results): (Side, Vec<NodeId>),
    ) -> Vec<NodeId> {
        let fails = !(then.demands.is_empty() && otherwise.demands.is_empty());
        let spare = [then, otherwise].into_iter().flat_map(|side| side.asked.into_iter().chain(side.spare));
        let spare: Vec<Asked> = spare.map(Asked::Spare).collect();
        self.context().asked.extend(spare);
        let pairs = then_results.into_iter().zip(otherwise_results);
        let join = |(x, y): (NodeId, NodeId)| {
            if self.truths[x.0 as usize] {
                return self.select_truth(condition, x, y);
            }
            let id = self.select(condition, x, y);
            if fails {
                self.demand(id);
            }
            id
        };
        pairs.map(join).collect()
    }

    fn select_truth(&mut self, condition: NodeId, x: NodeId, y: NodeId) -> NodeId {
        if x == y {
            return x;
        }
        let unless = self.not(condition);
        let yes = self.both(condition, x);
        let no = self.both(unless, y);
        match (self.known_truth(x), self.known_truth(y)) {
            // c or y, which is what `|` comes to.
            (Some(true), _) => self.either(condition, y),
            (_, Some(true)) => self.either(unless, x),
            _ => self.either(yes, no),
        }
    }

    /// The graph for these outputs, without what nobody needs, and with nodes and slots numbered anew.
    pub fn finish(mut self, outputs: Vec<GraphOutput>) -> Graph {
        let context = self.contexts.drain(..).next().unwrap_or_default();
        self.graph.demands = self.side(&context).demands;
        self.graph.outputs = outputs;
        order_slots(compact(self.graph))
    }
}

/// One side of an `if`: the nodes that it computes, those of them that it demands, and those that it computes
/// for others in case they need them.
#[derive(Debug, Default)]
pub(crate) struct Side {
    asked: Vec<NodeId>,
    demands: Vec<NodeId>,
    spare: Vec<NodeId>,
}
