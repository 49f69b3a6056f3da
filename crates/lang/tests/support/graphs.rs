//! Random graphs, and what they mean by the book: one node after the other when somebody asks for it.

use super::dice::Dice;
use gedanken_lang::arithmetic::{Arithmetic, Binary, Comparison, Failure, Unary};
use gedanken_lang::ir::{Builder, Graph, GraphOutput, Node, NodeId};
use gedanken_lang::program::{InputId, OutputKind};
use gedanken_lang::types::Type;

pub(crate) const SLOTS: usize = 4;

/// A graph of some dozens of nodes with branches in branches; of two operands it has these operations.
pub(crate) fn graph(dice: &mut Dice, operations: &[Binary]) -> Graph {
    let mut builder = Builder::new();
    let mut reals: Vec<NodeId> =
        (0..SLOTS as u32).map(|slot| builder.slot(InputId(slot), 0, || format!("x{slot}"))).collect();
    let size = 3 + dice.below(12);
    stretch(&mut builder, dice, operations, &mut reals, size, 0);
    let outputs = (0..1 + dice.below(3)).map(|index| {
        let node = if dice.happens(2, 3) { reals[reals.len() - 1] } else { dice.one_of(&reals) };
        GraphOutput { name: format!("y{index}"), kind: OutputKind::Law, ty: Type::Real, nodes: vec![node] }
    });
    let outputs = outputs.collect();
    builder.finish(outputs)
}

fn stretch(
    builder: &mut Builder,
    dice: &mut Dice,
    operations: &[Binary],
    reals: &mut Vec<NodeId>,
    size: usize,
    depth: usize,
) {
    for _ in 0..size {
        let recent = |dice: &mut Dice, reals: &[NodeId]| {
            if dice.happens(1, 2) {
                reals[reals.len() - 1 - dice.below(reals.len().min(4))]
            } else {
                dice.one_of(reals)
            }
        };
        let (x, y) = (recent(dice, reals), recent(dice, reals));
        match dice.below(16) {
            0 => {
                let constant = dice.number();
                reals.push(builder.real(constant));
            }
            1..=3 => {
                let operation = unary(dice);
                reals.push(builder.unary(operation, x));
            }
            4..=9 => {
                let operation = dice.one_of(operations);
                reals.push(builder.binary(operation, x, y));
            }
            10 => {
                let operation = dice.one_of(&[Binary::Add, Binary::Mul, Binary::Sub]);
                reals.push(builder.binary(operation, x, y));
            }
            11 => {
                let condition = truth(builder, dice, reals);
                reals.push(builder.select(condition, x, y));
            }
            _ if depth < 3 => {
                let condition = truth(builder, dice, reals);
                let count = 1 + dice.below(2);
                let seeds = [dice.next(), dice.next()];
                let make = |side: usize, builder: &mut Builder| {
                    let mut dice = Dice::new(seeds[side]);
                    let mut inside = reals.clone();
                    let size = 1 + dice.below(5);
                    stretch(builder, &mut dice, operations, &mut inside, size, depth + 1);
                    if dice.happens(1, 12) {
                        inside.push(builder.fail(Failure::Singular));
                    }
                    (0..count).map(|_| recent(&mut dice, &inside)).collect::<Vec<_>>()
                };
                let results = builder.branch(condition, &mut |b| make(0, b), &mut |b| make(1, b));
                reals.extend(results);
            }
            _ => {}
        }
    }
}

/// All but the two that round outwards: no program has them, and they have no rates.
fn unary(dice: &mut Dice) -> Unary {
    let outward = |operation: &Unary| matches!(operation, Unary::NextUp | Unary::NextDown);
    let others: Vec<Unary> = Unary::ALL.iter().copied().filter(|it| !outward(it)).collect();
    dice.one_of(&others)
}

fn truth(builder: &mut Builder, dice: &mut Dice, reals: &[NodeId]) -> NodeId {
    let comparison = dice.one_of(Comparison::ALL);
    let first = builder.compare(comparison, dice.one_of(reals), dice.one_of(reals));
    match dice.below(6) {
        0 => builder.not(first),
        1 => {
            let second = builder.compare(Comparison::Lt, dice.one_of(reals), dice.one_of(reals));
            builder.both(first, second)
        }
        2 => {
            let second = builder.compare(Comparison::Le, dice.one_of(reals), dice.one_of(reals));
            builder.either(first, second)
        }
        _ => first,
    }
}

/// Evaluates a row by the book: the outputs, or `None` if something is not finite that must be.
pub(crate) fn by_the_book(graph: &Graph, slots: &[f64]) -> Option<Vec<f64>> {
    let mut row = Row { graph, slots, values: vec![None; graph.nodes.len()] };
    if graph.finite && !row.all_finite(&graph.demands) {
        return None;
    }
    let outputs = graph.outputs.iter().flat_map(|output| &output.nodes);
    let outputs: Vec<f64> = outputs.map(|&id| row.value(id)).collect();
    (!graph.finite || outputs.iter().all(|value| value.is_finite())).then_some(outputs)
}

struct Row<'a> {
    graph: &'a Graph,
    slots: &'a [f64],
    values: Vec<Option<f64>>,
}

impl Row<'_> {
    fn all_finite(&mut self, demands: &[NodeId]) -> bool {
        demands.iter().all(|&id| match self.graph.node(id) {
            Node::If(condition, then, otherwise) => {
                let arm = if self.value(condition) != 0.0 { then } else { otherwise };
                let demands = self.graph.arm(arm).demands.clone();
                self.all_finite(&demands)
            }
            _ => self.value(id).is_finite(),
        })
    }

    /// Truth values are 0 and 1.
    fn value(&mut self, id: NodeId) -> f64 {
        if let Some(value) = self.values[id.0 as usize] {
            return value;
        }
        let truth = |truth: bool| f64::from(u8::from(truth));
        let value = match self.graph.node(id) {
            Node::Real(bits) => f64::from_bits(bits),
            Node::Truth(constant) => truth(constant),
            Node::Slot(slot) => self.slots[slot as usize],
            Node::Unary(operation, x) => operation.apply(self.value(x)),
            Node::Binary(operation, x, y) => operation.apply(self.value(x), self.value(y)),
            Node::Compare(comparison, x, y) => truth(comparison.apply(self.value(x), self.value(y))),
            Node::Not(x) => 1.0 - self.value(x),
            Node::And(x, y) => self.value(x) * self.value(y),
            Node::Or(x, y) => self.value(x).max(self.value(y)),
            Node::Select(condition, x, y) => {
                let side = if self.value(condition) != 0.0 { x } else { y };
                self.value(side)
            }
            Node::Pick(from, index) => match self.graph.node(from) {
                Node::If(condition, then, otherwise) => {
                    let arm = if self.value(condition) != 0.0 { then } else { otherwise };
                    self.value(self.graph.arm(arm).results[index as usize])
                }
                _ => unreachable!("a pick takes from an if"),
            },
            Node::If(..) | Node::Fail => f64::NAN,
        };
        self.values[id.0 as usize] = Some(value);
        value
    }
}
