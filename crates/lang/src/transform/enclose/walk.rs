//! Encloses every node of a graph, one after another.
//!
//! A node is *frozen* if it is made of nothing but frozen inputs: it is the same number whenever the program
//! computes it. So it is no interval: it is computed as the program does, once. That spares most of the work
//! where little depends on time.

use super::interval::{Encloser, Interval, Sign};
use super::truth::Truth;
use crate::arithmetic::{Binary, Unary};
use crate::ir::{Graph, Node, NodeId};

/// Enclosure of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Enclosed {
    Real(Interval),
    Truth(Truth),
}

/// Returns for each node `true` if it is frozen, given the frozen slots.
pub(super) fn frozen(graph: &Graph, slot: impl Fn(u32) -> bool) -> Vec<bool> {
    let mut frozen: Vec<bool> = Vec::with_capacity(graph.nodes.len());
    for &node in &graph.nodes {
        let is = |id: NodeId| frozen[id.0 as usize];
        let known = match node {
            Node::Slot(index) => slot(index),
            Node::Fail => false,
            Node::If(condition, ..) => is(condition),
            Node::Pick(from, result) => {
                let sides = sides(graph, from, result);
                is(from) && sides.is_some_and(|(then, otherwise)| is(then) && is(otherwise))
            }
            _ => {
                let mut all = true;
                node.operands(|operand| all &= is(operand));
                all
            }
        };
        frozen.push(known);
    }
    frozen
}

/// The enclosure of every node; of an `if`, that of its condition. `frozen` says which nodes are, none of
/// those beyond its end; `slot` gives the intervals of the inputs.
pub(super) fn walk(
    encloser: &mut Encloser,
    graph: &Graph,
    frozen: &[bool],
    mut slot: impl FnMut(&mut Encloser, u32) -> Interval,
) -> Vec<Enclosed> {
    let mut found: Vec<Enclosed> = Vec::with_capacity(graph.nodes.len());
    for (at, &node) in graph.nodes.iter().enumerate() {
        encloser.writer.at(graph.spans.get(at).copied().flatten());
        let point = frozen.get(at).filter(|it| **it).and_then(|_| point(encloser, &found, node));
        let enclosed = point.unwrap_or_else(|| one(encloser, graph, &found, node, &mut slot));
        found.push(enclosed);
    }
    found
}

/// A frozen node, from operands that are; `None` if an interval of it is as good.
fn point(e: &mut Encloser, found: &[Enclosed], node: Node) -> Option<Enclosed> {
    let (value, sign) = match node {
        Node::Slot(index) => (e.slot(index).lo, Sign::Any),
        Node::Unary(operation, x) => {
            let sign = match operation {
                Unary::Abs | Unary::Sqrt | Unary::Exp => Sign::NotNegative,
                _ => Sign::Any,
            };
            (e.writer.unary(operation, real(found, x).lo), sign)
        }
        Node::Binary(operation, x, y) => {
            let (p, q) = (real(found, x), real(found, y));
            let both = p.sign == Sign::NotNegative && q.sign == Sign::NotNegative;
            let sign = match operation {
                Binary::Mul if x == y => Sign::NotNegative,
                Binary::Add | Binary::Mul | Binary::Div if both => Sign::NotNegative,
                _ => Sign::Any,
            };
            (e.writer.binary(operation, p.lo, q.lo), sign)
        }
        Node::Compare(comparison, x, y) => {
            let truth = e.writer.compare(comparison, real(found, x).lo, real(found, y).lo);
            return Some(Enclosed::Truth(Truth { certain: truth, possible: truth }));
        }
        // What is chosen among points is one by itself.
        _ => return None,
    };
    // A constant without a value: the program fails, and nothing is promised.
    if e.writer.known(value).is_some_and(|it| !it.is_finite()) {
        return Some(Enclosed::Real(e.whole()));
    }
    Some(Enclosed::Real(Interval { lo: value, hi: value, sign }))
}

fn one(
    e: &mut Encloser,
    graph: &Graph,
    found: &[Enclosed],
    node: Node,
    slot: &mut impl FnMut(&mut Encloser, u32) -> Interval,
) -> Enclosed {
    match node {
        Node::Real(bits) => Enclosed::Real(e.constant(f64::from_bits(bits))),
        Node::Slot(index) => Enclosed::Real(slot(e, index)),
        Node::Fail => Enclosed::Real(e.whole()),
        Node::Unary(operation, x) => Enclosed::Real(unary(e, operation, real(found, x))),
        Node::Binary(operation, x, y) => {
            Enclosed::Real(binary(e, operation, real(found, x), real(found, y), x == y))
        }
        Node::Truth(value) => Enclosed::Truth(e.truth(value)),
        Node::Compare(comparison, x, y) => {
            Enclosed::Truth(e.compare(comparison, real(found, x), real(found, y), x == y))
        }
        Node::Not(x) => Enclosed::Truth(e.not(truth(found, x))),
        Node::And(x, y) => Enclosed::Truth(e.and(truth(found, x), truth(found, y))),
        Node::Or(x, y) => Enclosed::Truth(e.or(truth(found, x), truth(found, y))),
        Node::Select(c, x, y) => choice(e, truth(found, c), found[x.0 as usize], found[y.0 as usize]),
        Node::If(c, _, _) => Enclosed::Truth(truth(found, c)),
        Node::Pick(from, result) => match sides(graph, from, result) {
            Some((then, otherwise)) => {
                choice(e, truth(found, from), found[then.0 as usize], found[otherwise.0 as usize])
            }
            None => Enclosed::Real(e.whole()),
        },
    }
}

/// The two nodes between which a `Pick` picks.
pub(super) fn sides(graph: &Graph, from: NodeId, result: u32) -> Option<(NodeId, NodeId)> {
    match graph.node(from) {
        Node::If(_, then, otherwise) => {
            Some((graph.arm(then).results[result as usize], graph.arm(otherwise).results[result as usize]))
        }
        _ => None,
    }
}

/// The interval of a node that is a real.
pub(super) fn real(found: &[Enclosed], id: NodeId) -> Interval {
    match found[id.0 as usize] {
        Enclosed::Real(interval) => interval,
        Enclosed::Truth(_) => {
            unreachable!("the operand {id} is a real in every graph that was built from a checked program")
        }
    }
}

/// Enclosure of a node that is a truth value.
pub(super) fn truth(found: &[Enclosed], id: NodeId) -> Truth {
    match found[id.0 as usize] {
        Enclosed::Truth(truth) => truth,
        Enclosed::Real(_) => {
            unreachable!("{id} is a truth value in every graph that was built from a checked program")
        }
    }
}

fn choice(e: &mut Encloser, condition: Truth, then: Enclosed, otherwise: Enclosed) -> Enclosed {
    match (then, otherwise) {
        (Enclosed::Truth(then), Enclosed::Truth(otherwise)) => {
            Enclosed::Truth(e.chosen_truth(condition, then, otherwise))
        }
        (Enclosed::Real(then), Enclosed::Real(otherwise)) => {
            Enclosed::Real(e.chosen(condition, then, otherwise))
        }
        _ => unreachable!("the arms of an `if` give results of the same kinds"),
    }
}

fn unary(e: &mut Encloser, operation: Unary, x: Interval) -> Interval {
    match operation {
        Unary::Neg => e.neg(x),
        Unary::Abs => e.abs(x),
        Unary::Sqrt => e.sqrt(x),
        Unary::Sin => e.sin(x),
        Unary::Cos => e.cos(x),
        Unary::Tan => e.tan(x),
        Unary::Asin => e.asin(x),
        Unary::Acos => e.acos(x),
        Unary::Atan => e.atan(x),
        Unary::Exp => e.exp(x),
        Unary::Log => e.log(x),
        // All of these are exact and never decrease.
        Unary::Floor | Unary::Ceil | Unary::Round | Unary::NextUp | Unary::NextDown => {
            e.rounded(operation, x)
        }
    }
}

fn binary(e: &mut Encloser, operation: Binary, x: Interval, y: Interval, same: bool) -> Interval {
    match operation {
        Binary::Add => e.add(x, y),
        Binary::Sub => e.sub(x, y, same),
        Binary::Mul if same => e.square(x),
        Binary::Mul => e.mul(x, y),
        Binary::Div => e.div(x, y, same),
        Binary::Pow => e.pow(x, y),
        Binary::Min => e.min(x, y),
        Binary::Max => e.max(x, y),
        Binary::Atan2 => e.atan2(x, y),
        Binary::Mod => e.modulo(x, y),
        Binary::Mix => e.random(operation, x, y, -2.0, 2.0),
        Binary::Uniform => e.random(operation, x, y, 0.0, 1.0),
    }
}
