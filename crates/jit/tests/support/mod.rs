//! Graphs made by hand, and bits compared.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![allow(dead_code, reason = "every test file uses its own part of this")]

use gedanken_jit::{NativeProgram, compile};
use gedanken_lang::ir::{
    Access, Arm, ArmId, Block, Executor as _, Feed, Graph, GraphOutput, Layout, Node, NodeId, Schedule, Slot,
    Step,
};
use gedanken_lang::program::{InputId, OutputKind};
use gedanken_lang::types::Type;

/// Reals at which functions misbehave, and some ordinary ones.
pub(crate) const SPECIAL: &[f64] = &[
    0.0,
    -0.0,
    1.0,
    -1.0,
    0.5,
    -0.5,
    1.5,
    2.0,
    -2.5,
    3.0,
    8.0,
    9.0,
    -7.25,
    0.1,
    std::f64::consts::PI,
    -123_456.789,
    4_503_599_627_370_497.5,
    1e-300,
    -1e-300,
    5e-324,
    -5e-324,
    f64::MIN_POSITIVE,
    1e300,
    -1e300,
    f64::MAX,
    f64::MIN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
];

/// Bits, all NaNs alike: which NaN an operation gives is up to the processor, and no law can tell.
pub(crate) fn bits(x: f64) -> u64 {
    if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }
}

/// A graph in the making. Blocks are explicit: `node` adds to the innermost open one.
pub(crate) struct Sketch {
    pub(crate) graph: Graph,
    open: Vec<Block>,
}

impl Sketch {
    /// With so many slots, which are nodes 0, 1, ...
    pub(crate) fn new(slots: u32) -> Self {
        let mut sketch =
            Self { graph: Graph { finite: true, ..Graph::default() }, open: vec![Block::default()] };
        for slot in 0..slots {
            sketch.graph.slots.push(Slot { input: InputId(slot), element: 0 });
            sketch.push(Node::Slot(slot));
        }
        sketch
    }

    fn push(&mut self, node: Node) -> NodeId {
        self.graph.nodes.push(node);
        self.graph.spans.push(None);
        NodeId(u32::try_from(self.graph.nodes.len() - 1).unwrap())
    }

    fn step(&mut self, step: Step) {
        self.open.last_mut().unwrap().steps.push(step);
    }

    pub(crate) fn node(&mut self, node: Node) -> NodeId {
        let id = self.push(node);
        self.step(Step::Compute(id));
        id
    }

    pub(crate) fn check(&mut self, id: NodeId) {
        self.step(Step::Check(id));
    }

    fn arm(&mut self, build: impl FnOnce(&mut Self) -> Vec<NodeId>) -> (ArmId, Block) {
        self.open.push(Block::default());
        let results = build(self);
        let block = self.open.pop().unwrap();
        self.graph.arms.push(Arm { results, demands: Vec::new() });
        (ArmId(u32::try_from(self.graph.arms.len() - 1).unwrap()), block)
    }

    /// An `if`; gives its results.
    pub(crate) fn branch(
        &mut self,
        condition: NodeId,
        then: impl FnOnce(&mut Self) -> Vec<NodeId>,
        otherwise: impl FnOnce(&mut Self) -> Vec<NodeId>,
    ) -> Vec<NodeId> {
        let then = self.arm(then);
        let otherwise = self.arm(otherwise);
        let results = self.graph.arm(then.0).results.len();
        let node = self.push(Node::If(condition, then.0, otherwise.0));
        self.step(Step::Branch { node, condition, then, otherwise });
        (0..results).map(|index| self.push(Node::Pick(node, u32::try_from(index).unwrap()))).collect()
    }

    pub(crate) fn output(&mut self, id: NodeId) {
        let (name, kind) = (format!("y{}", self.graph.outputs.len()), OutputKind::Law);
        self.graph.outputs.push(GraphOutput { name, kind, ty: Type::Real, nodes: vec![id] });
    }

    pub(crate) fn compile(&self, slots: &[Access]) -> NativeProgram {
        compile(&self.graph, &self.schedule(), &Layout { slots: slots.to_vec() }).unwrap()
    }

    pub(crate) fn schedule(&self) -> Schedule {
        assert_eq!(self.open.len(), 1, "an arm is still open");
        Schedule { root: self.open[0].clone() }
    }
}

/// Runs over whole columns, one per slot; gives one column per output, and the first bad row.
pub(crate) fn run(
    program: &NativeProgram,
    outputs: usize,
    columns: &[&[f64]],
) -> (Vec<Vec<f64>>, Option<usize>) {
    let rows = columns.iter().map(|column| column.len()).max().unwrap_or(1);
    let feeds: Vec<Feed<'_>> = columns.iter().map(|column| Feed::Column(column)).collect();
    let mut results = vec![vec![f64::NAN; rows]; outputs];
    let mut places: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
    let bad = program.run(&feeds, &[], 0..rows, &mut places);
    (results, bad)
}
