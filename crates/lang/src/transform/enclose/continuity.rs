//! Boxes of inputs on which a program cannot jump.
//!
//! A rate bounds how far a value moves only if the value moves continuously: `if t < 1 then 0 else 5` has the
//! rate 0 everywhere, and yet it moves. A value is *steady* on a box of inputs if no condition on the way to
//! it is open there, no rounding passes an integer, no remainder wraps, no angle crosses its cut, no
//! random number has a seed or key that varies, and no divisor may be zero.

use super::interval::Encloser;
use super::walk::{Enclosed, real, sides, truth};
use crate::arithmetic::{Binary, Comparison, Unary};
use crate::ir::{Graph, Node, NodeId};

/// Writes for each node a truth value: it is steady, given the enclosures of all nodes.
pub(super) fn steady(e: &mut Encloser, graph: &Graph, found: &[Enclosed]) -> Vec<NodeId> {
    let mut steady: Vec<NodeId> = Vec::with_capacity(graph.nodes.len());
    for &node in &graph.nodes {
        let mut operands = e.writer.truth(true);
        node.operands(|operand| operands = e.writer.and(operands, steady[operand.0 as usize]));
        let of_node = match node {
            Node::Unary(operation, x) => {
                let x = real(found, x);
                match operation {
                    // They jump at integers, or halfway between: not if both ends have the same result.
                    Unary::Floor | Unary::Ceil | Unary::Round => {
                        let ends = [x.lo, x.hi].map(|end| e.writer.unary(operation, end));
                        e.writer.compare(Comparison::Eq, ends[0], ends[1])
                    }
                    Unary::Tan => {
                        let pole = e.meets_pole(x);
                        e.writer.not(pole)
                    }
                    _ => e.writer.truth(true),
                }
            }
            Node::Binary(operation, x, y) => {
                let (x, y) = (real(found, x), real(found, y));
                match operation {
                    Binary::Mod => e.stays_in_period(x, y),
                    Binary::Atan2 => {
                        let cut = e.meets_cut(x, y);
                        e.writer.not(cut)
                    }
                    Binary::Mix | Binary::Uniform => e.are_points(x, y),
                    Binary::Div => {
                        let zero = e.contains(y, 0.0);
                        e.writer.not(zero)
                    }
                    Binary::Pow if e.known(y).is_some_and(|exponent| exponent >= 0.0) => e.writer.truth(true),
                    // Any other exponent may be negative, which divides by the base.
                    Binary::Pow => {
                        let zero = e.writer.real(0.0);
                        e.writer.compare(Comparison::Lt, zero, x.lo)
                    }
                    _ => e.writer.truth(true),
                }
            }
            Node::Compare(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => {
                // Decided is enough: what the operands do then does not show.
                let of_node = truth(found, NodeId(steady.len() as u32));
                operands = e.writer.truth(true);
                e.decided(of_node)
            }
            Node::Select(c, then, otherwise) => {
                operands = steady[c.0 as usize];
                arm(e, &steady, truth(found, c).certain, then, otherwise)
            }
            Node::Pick(from, result) => match sides(graph, from, result) {
                Some((then, otherwise)) => arm(e, &steady, truth(found, from).certain, then, otherwise),
                None => e.writer.truth(false),
            },
            Node::If(..) | Node::Real(_) | Node::Truth(_) | Node::Slot(_) => e.writer.truth(true),
            Node::Fail => e.writer.truth(false),
        };
        steady.push(e.writer.and(operands, of_node));
    }
    steady
}

/// Truth of: the arm that is taken is steady.
fn arm(e: &mut Encloser, steady: &[NodeId], taken: NodeId, then: NodeId, otherwise: NodeId) -> NodeId {
    let w = &mut e.writer;
    let not_taken = w.not(taken);
    let first = w.and(taken, steady[then.0 as usize]);
    let second = w.and(not_taken, steady[otherwise.0 as usize]);
    w.or(first, second)
}
