//! Small graphs by hand, and the plainest way to run one.

use crate::dice::Dice;
use gedanken_lang::arithmetic::{Arithmetic, Binary};
use gedanken_lang::ir::{Builder, Graph, GraphOutput, Node, NodeId};
use gedanken_lang::program::{InputId, OutputKind};
use gedanken_lang::types::Type;
use proptest::test_runner::Config;

/// A graph over so many reals, one input each, that gives these reals.
pub(crate) fn graph(slots: u32, make: impl FnOnce(&mut Builder, &[NodeId]) -> Vec<NodeId>) -> Graph {
    let mut builder = Builder::new();
    let inputs: Vec<NodeId> =
        (0..slots).map(|slot| builder.slot(InputId(slot), 0, || format!("x{slot}"))).collect();
    let nodes = make(&mut builder, &inputs);
    let output = |(index, id)| GraphOutput {
        name: format!("y{index}"),
        kind: OutputKind::Law,
        ty: Type::Real,
        nodes: vec![id],
    };
    let graph = builder.finish(nodes.into_iter().enumerate().map(output).collect());
    assert_eq!(graph.slots.len(), slots as usize, "every input is read, so slots are numbered like inputs");
    graph
}

/// The operations of two operands that have rates.
pub(crate) fn differentiable() -> Vec<Binary> {
    let draws = |it: &Binary| matches!(it, Binary::Mix | Binary::Uniform);
    Binary::ALL.iter().copied().filter(|it| !draws(it)).collect()
}

/// Free fall as laws write it: p + v (t - s) + ½ g (t - s)², over the slots t, s, p, v, g.
pub(crate) fn free_fall() -> Graph {
    graph(5, |a, x| {
        let elapsed = a.binary(Binary::Sub, x[0], x[1]);
        let run = a.binary(Binary::Mul, x[3], elapsed);
        let half = a.real(0.5);
        let square = a.binary(Binary::Mul, elapsed, elapsed);
        let pull = a.binary(Binary::Mul, half, x[4]);
        let fall = a.binary(Binary::Mul, pull, square);
        let uniform = a.binary(Binary::Add, x[2], run);
        vec![a.binary(Binary::Add, uniform, fall)]
    })
}

/// All outputs, every node computed in turn. Truth values are 0 and 1.
pub(crate) fn outputs(graph: &Graph, slots: &[f64]) -> Vec<f64> {
    let truth = |truth: bool| f64::from(u8::from(truth));
    let mut values: Vec<f64> = Vec::with_capacity(graph.nodes.len());
    for &node in &graph.nodes {
        let of = |id: NodeId| values[id.0 as usize];
        values.push(match node {
            Node::Real(bits) => f64::from_bits(bits),
            Node::Truth(value) => truth(value),
            Node::Slot(slot) => slots[slot as usize],
            Node::Unary(operation, x) => operation.apply(of(x)),
            Node::Binary(operation, x, y) => operation.apply(of(x), of(y)),
            Node::Compare(comparison, x, y) => truth(comparison.apply(of(x), of(y))),
            Node::Not(x) => 1.0 - of(x),
            Node::And(x, y) => of(x) * of(y),
            Node::Or(x, y) => of(x).max(of(y)),
            Node::Select(c, x, y) => {
                if of(c) == 1.0 {
                    of(x)
                } else {
                    of(y)
                }
            }
            Node::If(c, ..) => of(c),
            Node::Pick(from, result) => match graph.node(from) {
                Node::If(_, then, otherwise) => {
                    let arm = graph.arm(if of(from) == 1.0 { then } else { otherwise });
                    of(arm.results[result as usize])
                }
                _ => unreachable!("a pick takes from an if"),
            },
            Node::Fail => f64::NAN,
        });
    }
    graph.outputs.iter().flat_map(|output| &output.nodes).map(|id| values[id.0 as usize]).collect()
}

/// The intervals that an enclosure gives for inputs in these intervals.
pub(crate) fn intervals(enclosure: &Graph, inputs: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let slots: Vec<f64> = inputs.iter().flat_map(|&(lo, hi)| [lo, hi]).collect();
    let mut ends = Vec::new();
    let flat = outputs(enclosure, &slots);
    let mut at = 0;
    for pair in enclosure.outputs.chunks(2) {
        let count = pair[0].nodes.len();
        ends.extend((0..count).map(|k| (flat[at + k], flat[at + count + k])));
        at += 2 * count;
    }
    ends
}

/// A number anywhere in an interval, often at an end.
pub(crate) fn inside(dice: &mut Dice, (lo, hi): (f64, f64)) -> f64 {
    match dice.below(6) {
        0 => lo.max(f64::MIN),
        1 => hi.min(f64::MAX),
        _ => {
            let (lo, hi) = (lo.max(f64::MIN), hi.min(f64::MAX));
            let share = fraction(dice);
            (lo * (1.0 - share) + hi * share).clamp(lo, hi)
        }
    }
}

/// Returns the number of random programs that a test draws: `usual`, or as many more as property tests are
/// asked for in their long form.
pub(crate) fn programs(usual: u64) -> u64 {
    usual * u64::from(Config::default().cases).div_ceil(256)
}

/// A number from 0 up to, not including, 1.
pub(crate) fn fraction(dice: &mut Dice) -> f64 {
    (dice.next() >> 11) as f64 / (1_u64 << 53) as f64
}
