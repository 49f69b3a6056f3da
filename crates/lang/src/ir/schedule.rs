//! The order in which nodes are computed, the arm of each, and the places where results are checked.
//!
//! A node belongs to the innermost block that contains all its uses, so what only one arm needs is computed
//! only there. Checks follow need: every demanded node whose result might not be finite must be *covered* in
//! the block that demands it, that is, checked there, or an operand of a covered node there that cannot hide
//! it. x + y hides nothing; 1/x hides an infinite x, a comparison hides anything. What is covered in a block
//! is covered in the blocks inside it, and a result of an arm is covered in that arm where the `Pick` that
//! takes it is covered outside.

use super::finite::{always_finite, doubtful, each_shown};
use super::{ArmId, Graph, Node, NodeId};
use std::collections::HashMap;

/// One step of a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// Compute this node, which is neither an `If` nor a `Pick`.
    Compute(NodeId),
    /// Compute one of the blocks, then the results of this `If` are those of its arm.
    Branch {
        /// The `If`.
        node: NodeId,
        /// Its condition, already computed.
        condition: NodeId,
        /// Its first arm, and the steps for it.
        then: (ArmId, Block),
        /// Its second arm, and the steps for it.
        otherwise: (ArmId, Block),
    },
    /// The row is bad unless this real is finite.
    Check(NodeId),
}

/// Steps in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Every step after those it depends on.
    pub steps: Vec<Step>,
}

/// The order of a whole program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// Steps that are always done.
    pub root: Block,
}

impl Schedule {
    /// The order for `graph`: by node numbers, without what nobody needs.
    pub fn new(graph: &Graph) -> Self {
        let places = Places::new(graph);
        let checks = Checks::new(graph, &places);
        Self { root: assemble(graph, &places, checks) }
    }
}

/// An index into the tree of blocks.
type BlockId = usize;

const ROOT: BlockId = 0;

/// The tree of blocks: the root, and two for each `If`.
#[derive(Default)]
struct Tree {
    /// For each block, the one around it; the root's is itself.
    parents: Vec<BlockId>,
    depths: Vec<u32>,
}

impl Tree {
    fn add(&mut self, parent: BlockId) -> BlockId {
        self.parents.push(parent);
        self.depths.push(self.depths.get(parent).map_or(0, |depth| depth + 1));
        self.parents.len() - 1
    }

    /// Returns `true` if `inner` is `outer` or lies inside it.
    fn contains(&self, outer: BlockId, mut inner: BlockId) -> bool {
        while self.depths[inner] > self.depths[outer] {
            inner = self.parents[inner];
        }
        inner == outer
    }

    /// The innermost block around both.
    fn around(&self, mut a: BlockId, mut b: BlockId) -> BlockId {
        while a != b {
            if self.depths[a] >= self.depths[b] {
                a = self.parents[a];
            } else {
                b = self.parents[b];
            }
        }
        a
    }
}

/// Block in which each node is computed.
struct Places {
    tree: Tree,
    /// Block of each node; `None` for nodes that are not needed. A `Pick` is placed with its `If`.
    blocks: Vec<Option<BlockId>>,
    /// Blocks of each `If` that is needed.
    arms: HashMap<NodeId, [BlockId; 2]>,
    /// For each node, the blocks that demand it to be finite, outer ones first.
    demands: Vec<Vec<BlockId>>,
}

impl Places {
    /// Goes backwards over the nodes: by the time a node is met, everything that uses it has its place.
    fn new(graph: &Graph) -> Self {
        let doubtful = doubtful(graph);
        let asking = asking(graph, &doubtful);
        let mut tree = Tree::default();
        tree.add(ROOT);
        let count = graph.nodes.len();
        let mut places =
            Self { tree, blocks: vec![None; count], arms: HashMap::new(), demands: vec![Vec::new(); count] };
        for &id in graph.outputs.iter().flat_map(|output| &output.nodes) {
            places.use_in(ROOT, id);
        }
        if graph.finite {
            places.demand_in(ROOT, &graph.demands, &doubtful, &asking);
            places.demand_in(ROOT, &unsettled_outputs(graph), &doubtful, &asking);
        }
        for index in (0..count).rev() {
            let Some(block) = places.blocks[index] else { continue };
            let node = graph.nodes[index];
            node.operands(|operand| places.use_in(block, operand));
            if let Node::If(_, then, otherwise) = node {
                let arms = [then, otherwise].map(|arm| {
                    let inside = places.tree.add(block);
                    for &result in &graph.arm(arm).results {
                        places.use_in(inside, result);
                    }
                    if graph.finite {
                        places.demand_in(inside, &graph.arm(arm).demands, &doubtful, &asking);
                    }
                    inside
                });
                places.arms.insert(id_of(index), arms);
            }
        }
        for index in 0..count {
            if let Node::Pick(from, _) = graph.nodes[index]
                && places.blocks[index].is_some()
            {
                places.blocks[index] = places.blocks[from.0 as usize];
            }
        }
        let depths = &places.tree.depths;
        for demands in &mut places.demands {
            demands.sort_by_key(|&block| depths[block]);
        }
        places
    }

    fn use_in(&mut self, block: BlockId, id: NodeId) {
        let place = &mut self.blocks[id.0 as usize];
        *place = Some(place.map_or(block, |before| self.tree.around(before, block)));
    }

    fn demand_in(&mut self, block: BlockId, demands: &[NodeId], doubtful: &[bool], asking: &[bool]) {
        for &id in demands {
            if doubtful[id.0 as usize] {
                self.demands[id.0 as usize].push(block);
                self.use_in(block, id);
            } else if asking[id.0 as usize] {
                self.use_in(block, id);
            }
        }
    }
}

/// Returns for each `If` `true` if taking one of its arms can fail.
fn asking(graph: &Graph, doubtful: &[bool]) -> Vec<bool> {
    let mut asking = vec![false; graph.nodes.len()];
    for (index, &node) in graph.nodes.iter().enumerate() {
        if let Node::If(_, then, otherwise) = node {
            let mut demands = [then, otherwise].into_iter().flat_map(|arm| &graph.arm(arm).demands);
            asking[index] = demands.any(|id| doubtful[id.0 as usize] || asking[id.0 as usize]);
        }
    }
    asking
}

/// The outputs that are not finite just because all demanded nodes are.
fn unsettled_outputs(graph: &Graph) -> Vec<NodeId> {
    // Nothing about a truth value needs to be finite.
    let mut settled = graph.truths();
    for &id in &graph.demands {
        settled[id.0 as usize] = true;
    }
    for (index, &node) in graph.nodes.iter().enumerate() {
        let safe = match node {
            Node::Pick(..) => false,
            _ => always_finite(graph, node),
        };
        if safe && !settled[index] {
            let mut all = true;
            node.operands(|operand| all &= settled[operand.0 as usize]);
            settled[index] = all;
        }
    }
    let outputs = graph.outputs.iter().flat_map(|output| &output.nodes);
    outputs.copied().filter(|id| !settled[id.0 as usize]).collect()
}

/// Blocks in which nodes are checked.
struct Checks {
    /// For each node, the blocks that check it.
    checked: Vec<Vec<BlockId>>,
}

impl Checks {
    /// Goes backwards over the nodes: by the time a node is met, it is known where its uses cover it.
    fn new(graph: &Graph, places: &Places) -> Self {
        let count = graph.nodes.len();
        let mut covered = Covered { tree: &places.tree, blocks: vec![Vec::new(); count] };
        let mut checked = vec![Vec::new(); count];
        // Of each `If`, the results that are covered outside it.
        let mut taken: HashMap<NodeId, Vec<u32>> = HashMap::new();
        for index in (0..count).rev() {
            let Some(block) = places.blocks[index] else { continue };
            for &demanding in &places.demands[index] {
                if !covered.holds(index, demanding) {
                    checked[index].push(demanding);
                    covered.add(index, demanding);
                }
            }
            let node = graph.nodes[index];
            if let Node::Pick(from, result) = node
                && covered.holds(index, block)
            {
                taken.entry(from).or_default().push(result);
            }
            if let (Node::If(_, then, otherwise), Some(results)) = (node, taken.get(&id_of(index))) {
                for (arm, inside) in [then, otherwise].into_iter().zip(places.arms[&id_of(index)]) {
                    for &result in results {
                        covered.add(graph.arm(arm).results[result as usize].0 as usize, inside);
                    }
                }
            }
            each_shown(node, |operand| covered.add_all(operand.0 as usize, index));
        }
        Self { checked }
    }
}

/// Returns for each node the outermost blocks in which it is covered.
struct Covered<'a> {
    tree: &'a Tree,
    blocks: Vec<Vec<BlockId>>,
}

impl Covered<'_> {
    fn holds(&self, index: usize, block: BlockId) -> bool {
        self.blocks[index].iter().any(|&outer| self.tree.contains(outer, block))
    }

    fn add(&mut self, index: usize, block: BlockId) {
        if !self.holds(index, block) {
            let tree = self.tree;
            self.blocks[index].retain(|&inner| !tree.contains(block, inner));
            self.blocks[index].push(block);
        }
    }

    fn add_all(&mut self, index: usize, from: usize) {
        for place in 0..self.blocks[from].len() {
            self.add(index, self.blocks[from][place]);
        }
    }
}

/// Nodes by number into their blocks. What lies inside an `If` has smaller numbers than the `If`, so that its
/// blocks are complete when it is met.
fn assemble(graph: &Graph, places: &Places, checks: Checks) -> Block {
    let mut steps: Vec<Vec<Step>> = vec![Vec::new(); places.tree.parents.len()];
    // What was computed further out is checked first thing inside.
    for (index, checked) in checks.checked.iter().enumerate() {
        for &block in checked.iter().filter(|&&block| places.blocks[index] != Some(block)) {
            steps[block].push(Step::Check(id_of(index)));
        }
    }
    for (index, &node) in graph.nodes.iter().enumerate() {
        let Some(block) = places.blocks[index] else { continue };
        let id = id_of(index);
        match node {
            Node::Pick(..) => {}
            Node::If(condition, then, otherwise) => {
                let [then, otherwise] = [(then, 0), (otherwise, 1)].map(|(arm, side)| {
                    (arm, Block { steps: std::mem::take(&mut steps[places.arms[&id][side]]) })
                });
                steps[block].push(Step::Branch { node: id, condition, then, otherwise });
            }
            _ => steps[block].push(Step::Compute(id)),
        }
        if checks.checked[index].contains(&block) {
            steps[block].push(Step::Check(id));
        }
    }
    Block { steps: std::mem::take(&mut steps[ROOT]) }
}

/// Graphs are far smaller than 2³² nodes; see the builder's limit.
fn id_of(index: usize) -> NodeId {
    NodeId(u32::try_from(index).expect("a graph has fewer nodes than a u32 can count"))
}
