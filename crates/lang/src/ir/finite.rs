//! Results that can fail to be finite, and operations that can hide that they did.
//!
//! Two facts about each operation make checks few. Some never fail: the sine of a finite number is finite.
//! And most hide nothing: if x or y is NaN or infinite, so is x + y, and looking at the sum is looking at
//! both. The exceptions are listed here; a test throws every value that is not finite at every operation.

use super::{Graph, Node, NodeId};
use crate::arithmetic::{Binary, Unary};

/// Returns `true` if the result is finite for sure when all operands are.
pub(crate) fn always_finite(graph: &Graph, node: Node) -> bool {
    let constant = |id: NodeId| graph.node(id).known();
    match node {
        Node::Real(bits) => f64::from_bits(bits).is_finite(),
        Node::Fail => false,
        Node::Unary(operation, _) => match operation {
            Unary::Neg | Unary::Abs | Unary::Floor | Unary::Ceil | Unary::Round => true,
            Unary::Sin | Unary::Cos | Unary::Tan | Unary::Atan => true,
            Unary::Sqrt | Unary::Asin | Unary::Acos | Unary::Exp | Unary::Log => false,
            Unary::NextUp | Unary::NextDown => false,
        },
        Node::Binary(operation, x, y) => match operation {
            Binary::Min | Binary::Max | Binary::Atan2 | Binary::Mix | Binary::Uniform => true,
            Binary::Mul => [x, y].into_iter().filter_map(constant).any(|factor| factor.abs() <= 1.0),
            Binary::Div => constant(y).is_some_and(|divisor| divisor.abs() >= 1.0),
            Binary::Mod => constant(y).is_some_and(|divisor| divisor != 0.0 && divisor.is_finite()),
            Binary::Add | Binary::Sub | Binary::Pow => false,
        },
        Node::Truth(_) | Node::Slot(_) | Node::Compare(..) | Node::Not(_) => true,
        Node::And(..) | Node::Or(..) | Node::Select(..) | Node::If(..) | Node::Pick(..) => true,
    }
}

/// Returns `true` if the result can be finite although operand number `operand`, counted from 0, is not.
fn hides(node: Node, operand: usize) -> bool {
    match node {
        Node::Unary(operation, _) => match operation {
            // π/2, 0, and the largest number.
            Unary::Atan | Unary::Exp | Unary::NextUp | Unary::NextDown => true,
            Unary::Neg | Unary::Abs | Unary::Sqrt | Unary::Sin | Unary::Cos | Unary::Tan => false,
            Unary::Asin | Unary::Acos | Unary::Log | Unary::Floor | Unary::Ceil | Unary::Round => false,
        },
        Node::Binary(operation, ..) => match operation {
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Mix | Binary::Uniform => false,
            // x/∞ is 0, and x mod ∞ is x.
            Binary::Div | Binary::Mod => operand == 1,
            Binary::Pow | Binary::Min | Binary::Max | Binary::Atan2 => true,
        },
        // A `Pick` has the value of one result of one arm; the schedule follows it there.
        _ => true,
    }
}

/// Calls `visit` with every operand that the result cannot hide: if the result is finite, so are they.
pub(crate) fn each_shown(node: Node, mut visit: impl FnMut(NodeId)) {
    let mut number = 0;
    node.operands(|operand| {
        if !hides(node, number) {
            visit(operand);
        }
        number += 1;
    });
}

/// Returns for each node `true` if its value can be anything but finite.
pub(crate) fn doubtful(graph: &Graph) -> Vec<bool> {
    let mut doubtful: Vec<bool> = Vec::with_capacity(graph.nodes.len());
    for &node in &graph.nodes {
        let doubt = match node {
            Node::Pick(from, index) => match graph.node(from) {
                Node::If(_, then, otherwise) => [then, otherwise]
                    .into_iter()
                    .any(|arm| doubtful[graph.arm(arm).results[index as usize].0 as usize]),
                _ => false,
            },
            Node::If(..) | Node::Compare(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => false,
            Node::Select(_, x, y) => doubtful[x.0 as usize] || doubtful[y.0 as usize],
            _ => {
                let mut doubt = !always_finite(graph, node);
                node.operands(|operand| doubt |= doubtful[operand.0 as usize]);
                doubt
            }
        };
        doubtful.push(doubt);
    }
    doubtful
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BAD: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
    const TELLING: [f64; 14] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -0.5,
        2.0,
        -3.0,
        1e300,
        -1e300,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        -5e-324,
    ];

    /// Any number at all, and often one of those where functions change their behaviour.
    fn number() -> impl Strategy<Value = f64> {
        let telling = TELLING.into_iter().chain(BAD).collect::<Vec<_>>();
        prop_oneof![any::<u64>().prop_map(f64::from_bits), proptest::sample::select(telling), -10.0..10.0]
    }

    fn finite() -> impl Strategy<Value = f64> {
        number().prop_filter("finite", |x| x.is_finite())
    }

    fn unary(operation: Unary) -> Node {
        Node::Unary(operation, NodeId(0))
    }

    fn binary(operation: Binary) -> Node {
        Node::Binary(operation, NodeId(0), NodeId(1))
    }

    fn slots() -> Graph {
        Graph { nodes: vec![Node::Slot(0), Node::Slot(1)], ..Graph::default() }
    }

    proptest! {
        #[test]
        fn what_is_said_to_hide_nothing_hides_nothing(other in number()) {
            for bad in BAD {
                for &operation in Unary::ALL {
                    let result = operation.apply(bad);
                    prop_assert!(hides(unary(operation), 0) || !result.is_finite(), "{operation:?}({bad}) = {result}");
                }
                for &operation in Binary::ALL {
                    let results = [operation.apply(bad, other), operation.apply(other, bad)];
                    for (operand, result) in results.into_iter().enumerate() {
                        prop_assert!(
                            hides(binary(operation), operand) || !result.is_finite(),
                            "{operation:?} of {bad} and {other} is {result}"
                        );
                    }
                }
            }
        }

        #[test]
        fn what_is_said_never_to_fail_never_fails(x in finite(), y in finite(), constant in finite()) {
            let graph = slots();
            for &operation in Unary::ALL {
                let result = operation.apply(x);
                let never = always_finite(&graph, unary(operation));
                prop_assert!(!never || result.is_finite(), "{operation:?}({x}) = {result}");
            }
            let mut with_constant = slots();
            with_constant.nodes[1] = Node::real(constant);
            for &operation in Binary::ALL {
                let result = operation.apply(x, y);
                let never = always_finite(&graph, binary(operation));
                prop_assert!(!never || result.is_finite(), "{operation:?}({x}, {y}) = {result}");
                let result = operation.apply(x, constant);
                let never = always_finite(&with_constant, binary(operation));
                prop_assert!(!never || result.is_finite(), "{operation:?}({x}, {constant}) = {result}");
            }
        }
    }

    /// Saying "hides" too often costs checks: whatever is said to hide does so for some values.
    #[test]
    fn what_is_said_to_hide_does() {
        for &operation in Unary::ALL {
            let does = BAD.into_iter().any(|bad| operation.apply(bad).is_finite());
            assert_eq!(hides(unary(operation), 0), does, "{operation:?}");
        }
        for &operation in Binary::ALL {
            for operand in 0..2 {
                let apply = |bad: f64, other: f64| match operand {
                    0 => operation.apply(bad, other),
                    _ => operation.apply(other, bad),
                };
                let does =
                    BAD.into_iter().any(|bad| TELLING.into_iter().any(|other| apply(bad, other).is_finite()));
                assert_eq!(hides(binary(operation), operand), does, "{operation:?}, operand {operand}");
            }
        }
    }
}
