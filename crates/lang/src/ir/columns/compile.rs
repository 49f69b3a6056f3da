//! Gives every node a place, and turns steps into instructions.
//!
//! Places are handed on: after the last use of a node, counted along the whole schedule with the first arm of
//! a branch before the second, its place is free again. An instruction never writes a place that it reads.

use super::super::layout::{Access, Layout};
use super::super::{ArmId, Block, Graph, Node, NodeId, Schedule, Step};
use super::{ColumnProgram, Instruction, Output, Real, Side, access};

pub(super) fn compile(graph: &Graph, schedule: &Schedule, layout: &Layout) -> ColumnProgram {
    assert_eq!(layout.slots.len(), graph.slots.len(), "the layout says how to read every slot");
    let truths = graph.truths();
    let mut compiler = Compiler {
        graph,
        layout,
        dying: last_uses(graph, schedule),
        truths,
        reals: Pool::default(),
        conditions: Pool::default(),
        homes: vec![None; graph.nodes.len()],
        picks: picks(graph),
        position: 0,
        deepest: 0,
        program: ColumnProgram {
            layout: layout.clone(),
            instructions: Vec::new(),
            outputs: Vec::new(),
            reals: 0,
            truths: 0,
            depth: 0,
            real_constants: Vec::new(),
            truth_constants: Vec::new(),
            same: Vec::new(),
        },
    };
    let instructions = compiler.block(&schedule.root, 0);
    let outputs = graph.outputs.iter().flat_map(|output| &output.nodes).map(|&id| {
        if compiler.truths[id.0 as usize] {
            Output::Truth(compiler.truth(id))
        } else {
            Output::Real(compiler.real(id))
        }
    });
    let outputs = outputs.collect();
    ColumnProgram {
        instructions,
        outputs,
        reals: compiler.reals.size,
        truths: compiler.conditions.size,
        depth: compiler.deepest,
        ..compiler.program
    }
}

/// Places of one kind.
#[derive(Default)]
struct Pool {
    size: usize,
    free: Vec<usize>,
}

impl Pool {
    fn take(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.size += 1;
            self.size - 1
        })
    }

    /// A place that is never handed on: it is written before the first instruction.
    fn keep(&mut self) -> usize {
        self.size += 1;
        self.size - 1
    }
}

/// Place of a node.
#[derive(Clone, Copy)]
enum Home {
    Place(usize),
    Kept(usize),
    Column(usize),
}

struct Compiler<'a> {
    graph: &'a Graph,
    layout: &'a Layout,
    truths: Vec<bool>,
    /// By position in the schedule, the nodes that are used there for the last time.
    dying: Vec<Vec<NodeId>>,
    reals: Pool,
    conditions: Pool,
    homes: Vec<Option<Home>>,
    /// For each `If`, the used nodes that take its results.
    picks: Vec<Vec<(NodeId, u32)>>,
    position: usize,
    deepest: usize,
    program: ColumnProgram,
}

impl Compiler<'_> {
    fn block(&mut self, block: &Block, depth: usize) -> Vec<Instruction> {
        let mut instructions = Vec::new();
        for step in &block.steps {
            match step {
                Step::Compute(id) => {
                    instructions.extend(self.compute(*id));
                    self.pass();
                }
                Step::Check(id) => {
                    instructions.push(Instruction::Check(self.real(*id)));
                    self.pass();
                }
                Step::Branch { node, condition, then, otherwise } => {
                    self.deepest = self.deepest.max(depth + 1);
                    let condition = self.truth(*condition);
                    let then = self.side(*node, then.0, &then.1, depth + 1);
                    let otherwise = self.side(*node, otherwise.0, &otherwise.1, depth + 1);
                    instructions.push(Instruction::Branch { condition, then, otherwise });
                }
            }
        }
        instructions
    }

    fn side(&mut self, node: NodeId, arm: ArmId, block: &Block, depth: usize) -> Side {
        let mut side = Side { instructions: self.block(block, depth), ..Side::default() };
        for index in 0..self.picks[node.0 as usize].len() {
            let (pick, result) = self.picks[node.0 as usize][index];
            let from = self.graph.arm(arm).results[result as usize];
            // The first arm takes a place, which the second arm then finds.
            if self.truths[pick.0 as usize] {
                let to = self.place(pick);
                side.truths.push((to, self.truth(from)));
            } else {
                let to = self.place(pick);
                side.reals.push((to, self.real(from)));
            }
        }
        self.pass();
        side
    }

    fn compute(&mut self, id: NodeId) -> Option<Instruction> {
        let node = self.graph.node(id);
        match node {
            Node::Real(bits) => {
                let place = self.keep_real(id);
                self.program.real_constants.push((place, f64::from_bits(bits)));
                None
            }
            Node::Fail => {
                let place = self.keep_real(id);
                self.program.real_constants.push((place, f64::NAN));
                None
            }
            Node::Truth(constant) => {
                let place = self.conditions.keep();
                self.homes[id.0 as usize] = Some(Home::Kept(place));
                self.program.truth_constants.push((place, constant));
                None
            }
            Node::Slot(slot) => match access(self.layout, slot) {
                Access::Same => {
                    let place = self.keep_real(id);
                    self.program.same.push((place, slot as usize));
                    None
                }
                Access::Each => {
                    self.homes[id.0 as usize] = Some(Home::Column(slot as usize));
                    None
                }
                Access::Picked(list) => {
                    Some(Instruction::Gather { to: self.place(id), slot: slot as usize, list: list as usize })
                }
            },
            Node::Unary(operation, x) => Some(Instruction::Unary(operation, self.place(id), self.real(x))),
            Node::Binary(operation, x, y) => {
                Some(Instruction::Binary(operation, self.place(id), self.real(x), self.real(y)))
            }
            Node::Compare(comparison, x, y) => {
                Some(Instruction::Compare(comparison, self.place(id), self.real(x), self.real(y)))
            }
            Node::Not(x) => Some(Instruction::Not(self.place(id), self.truth(x))),
            Node::And(x, y) => Some(Instruction::And(self.place(id), self.truth(x), self.truth(y))),
            Node::Or(x, y) => Some(Instruction::Or(self.place(id), self.truth(x), self.truth(y))),
            Node::Select(condition, x, y) => {
                Some(Instruction::Select(self.place(id), self.truth(condition), self.real(x), self.real(y)))
            }
            Node::If(..) | Node::Pick(..) => None,
        }
    }

    fn keep_real(&mut self, id: NodeId) -> usize {
        let place = self.reals.keep();
        self.homes[id.0 as usize] = Some(Home::Kept(place));
        place
    }

    /// The place of `id`, a new one if it has none yet.
    fn place(&mut self, id: NodeId) -> usize {
        if let Some(Home::Place(place)) = self.homes[id.0 as usize] {
            return place;
        }
        let pool = if self.truths[id.0 as usize] { &mut self.conditions } else { &mut self.reals };
        let place = pool.take();
        self.homes[id.0 as usize] = Some(Home::Place(place));
        place
    }

    fn real(&self, id: NodeId) -> Real {
        match self.homes[id.0 as usize] {
            Some(Home::Place(place) | Home::Kept(place)) => Real::Place(place),
            Some(Home::Column(slot)) => Real::Column(slot),
            None => unreachable!("a schedule computes {id} before it is used"),
        }
    }

    fn truth(&self, id: NodeId) -> usize {
        match self.homes[id.0 as usize] {
            Some(Home::Place(place) | Home::Kept(place)) => place,
            _ => unreachable!("a schedule computes the truth value {id} before it is used"),
        }
    }

    /// Ends a step: frees the places of nodes that it used last.
    fn pass(&mut self) {
        for id in std::mem::take(&mut self.dying[self.position]) {
            if let Some(Home::Place(place)) = self.homes[id.0 as usize] {
                let pool = if self.truths[id.0 as usize] { &mut self.conditions } else { &mut self.reals };
                pool.free.push(place);
            }
        }
        self.position += 1;
    }
}

/// Returns for each `If` the used nodes that take its results.
fn picks(graph: &Graph) -> Vec<Vec<(NodeId, u32)>> {
    let mut used = vec![false; graph.nodes.len()];
    let mut mark = |id: NodeId| used[id.0 as usize] = true;
    graph.nodes.iter().for_each(|node| node.operands(&mut mark));
    graph.arms.iter().for_each(|arm| arm.results.iter().chain(&arm.demands).copied().for_each(&mut mark));
    graph.outputs.iter().for_each(|output| output.nodes.iter().copied().for_each(&mut mark));
    graph.demands.iter().copied().for_each(&mut mark);
    let mut picks = vec![Vec::new(); graph.nodes.len()];
    for (index, &node) in graph.nodes.iter().enumerate() {
        if let Node::Pick(from, result) = node
            && used[index]
        {
            let id = NodeId(u32::try_from(index).expect("a graph has fewer nodes than a u32 can count"));
            picks[from.0 as usize].push((id, result));
        }
    }
    picks
}

/// By position in the schedule, the nodes whose last use is there. Positions: one per step, and for a branch
/// one at the end of each arm.
fn last_uses(graph: &Graph, schedule: &Schedule) -> Vec<Vec<NodeId>> {
    const OUTPUT: usize = usize::MAX;
    let mut uses = Uses { graph, last: vec![None; graph.nodes.len()], position: 0 };
    uses.block(&schedule.root);
    let count = uses.position;
    for &id in graph.outputs.iter().flat_map(|output| &output.nodes) {
        uses.last[id.0 as usize] = Some(OUTPUT);
    }
    let mut dying = vec![Vec::new(); count];
    for (index, last) in uses.last.iter().enumerate() {
        if let Some(position) = last.filter(|&position| position != OUTPUT) {
            dying[position]
                .push(NodeId(u32::try_from(index).expect("a graph has fewer nodes than a u32 can count")));
        }
    }
    dying
}

struct Uses<'a> {
    graph: &'a Graph,
    last: Vec<Option<usize>>,
    position: usize,
}

impl Uses<'_> {
    fn block(&mut self, block: &Block) {
        for step in &block.steps {
            match step {
                Step::Compute(id) => {
                    // Also of a result that nobody uses the place is free right after.
                    self.note(*id);
                    self.graph.node(*id).operands(|operand| self.note(operand));
                    self.position += 1;
                }
                Step::Check(id) => {
                    self.note(*id);
                    self.position += 1;
                }
                Step::Branch { condition, then, otherwise, .. } => {
                    for (arm, block) in [then, otherwise] {
                        self.block(block);
                        // The condition says which rows the results are for.
                        self.note(*condition);
                        for index in 0..self.graph.arm(*arm).results.len() {
                            self.note(self.graph.arm(*arm).results[index]);
                        }
                        self.position += 1;
                    }
                }
            }
        }
    }

    fn note(&mut self, id: NodeId) {
        self.last[id.0 as usize] = Some(self.position);
    }
}
