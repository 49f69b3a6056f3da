//! The intermediate form: a program as scalar operations, each shared value once.
//!
//! Calls are inlined, vectors and matrices are taken apart, and what is left are reals and booleans: a graph
//! of [`Node`]s, equal nodes being one. All executors run it: the column evaluator (`columns`), and native
//! code in a crate of its own. Both go by the same [`Schedule`], so they compute the same operations; what
//! one operation does to bits is fixed by [`arithmetic`](crate::arithmetic).
//!
//! **Need.** An arm of an `if` that is not taken asks for nothing. An [`Arm`] therefore lists what it
//! *demands*: the nodes that the reference evaluator would compute on taking it, those that can fail.
//! Operations are total, so a schedule may compute a node early, outside the arms that need it, when several
//! do; that costs time but is never seen, because only demanded values are checked.
//!
//! **Blame.** That a demanded result is not finite is an error. Executors do not look at each one: a NaN or
//! an infinity that reaches a [`Step::Check`] is seen there, and the schedule puts as few checks as catch
//! them all. A row that fails a check is run again by the reference evaluator, which knows the names and
//! places. It may find nothing wrong (the value was computed early and never needed); then its values, equal
//! to the bit, are taken.

mod build;
mod builder;
mod columns;
mod compact;
mod finite;
mod layout;
mod node_values;
mod record;
mod schedule;
mod simplify;
mod text;
mod validate;

pub use build::{NotFixed, Placement, build, placement};
pub use builder::Builder;
pub(crate) use builder::{Full, Group, MOST_NODES, Side};
pub use columns::ColumnProgram;
pub(crate) use compact::compact;
pub use layout::{Access, Executor, Feed, Layout};
pub use schedule::{Block, Schedule, Step};
pub(crate) use simplify::{Simple, simplify};

use crate::arithmetic::{Binary, Comparison, Unary};
use crate::program::{InputId, OutputKind};
use crate::source::Span;
use crate::types::Type;
use std::fmt;

/// An index into [`Graph::nodes`]. Operands come before what uses them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// An index into [`Graph::arms`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArmId(pub u32);

/// One scalar operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// The real with these bits.
    Real(u64),
    /// A truth value.
    Truth(bool),
    /// The real in slot `0` of the inputs; booleans are stored as 0 and 1.
    Slot(u32),
    /// A real function of a real.
    Unary(Unary, NodeId),
    /// A real function of two reals.
    Binary(Binary, NodeId, NodeId),
    /// A comparison of two reals.
    Compare(Comparison, NodeId, NodeId),
    /// Negation.
    Not(NodeId),
    /// Conjunction.
    And(NodeId, NodeId),
    /// Disjunction.
    Or(NodeId, NodeId),
    /// Condition, and two reals that have been computed.
    Select(NodeId, NodeId, NodeId),
    /// Condition, and two arms of which one is computed. It has no value itself: `Pick` takes its results.
    If(NodeId, ArmId, ArmId),
    /// Result number `1` of the `If` in `0`.
    Pick(NodeId, u32),
    /// NaN: a computation that gave up.
    Fail,
}

/// One side of an `if`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Default)]
pub struct Arm {
    /// Its results, as many as the other side has, of the same kinds.
    pub results: Vec<NodeId>,
    /// Nodes that are computed, and must be finite, when the arm is taken; each once, operands first.
    pub demands: Vec<NodeId>,
}

/// Origin of a scalar input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slot {
    /// Input of the program.
    pub input: InputId,
    /// Index among its scalars, row by row.
    pub element: u32,
}

/// A value that the graph gives.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphOutput {
    /// The attribute, or what the value is called.
    pub name: String,
    /// Value, rate, or value at the start.
    pub kind: OutputKind,
    /// Its type, which is fixed.
    pub ty: Type,
    /// Its scalars, row by row.
    pub nodes: Vec<NodeId>,
}

/// A program in intermediate form.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// Each after its operands.
    pub nodes: Vec<Node>,
    /// Place in the text where each node was first written; `None` for constants made on the way.
    pub spans: Vec<Option<Span>>,
    /// The sides of its `if`s.
    pub arms: Vec<Arm>,
    /// The scalars of all inputs that the program looks at, also those that no node reads in the end: when a
    /// row fails, the values that went in are shown whole.
    pub slots: Vec<Slot>,
    /// Names for people: `position#1`. As many as there are slots, or none.
    pub slot_names: Vec<String>,
    /// The results.
    pub outputs: Vec<GraphOutput>,
    /// Nodes that are computed, and must be finite, always; each once, operands first.
    pub demands: Vec<NodeId>,
    /// `true` if results must be finite. Enclosures need not be.
    pub finite: bool,
}

impl Graph {
    /// The node with this id.
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.0 as usize]
    }

    /// The arm with this id.
    pub fn arm(&self, id: ArmId) -> &Arm {
        &self.arms[id.0 as usize]
    }

    /// Returns `true` if it draws random numbers.
    pub fn draws(&self) -> bool {
        self.nodes.iter().any(|node| matches!(node, Node::Binary(Binary::Mix | Binary::Uniform, ..)))
    }

    /// Returns for each node `true` if it is a truth value; quicker for many than
    /// [`is_truth`](Self::is_truth).
    pub fn truths(&self) -> Vec<bool> {
        let mut truths: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for &node in &self.nodes {
            truths.push(match node {
                Node::Truth(_) | Node::Compare(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => true,
                Node::Pick(from, index) => match self.node(from) {
                    Node::If(_, then, _) => truths[self.arm(then).results[index as usize].0 as usize],
                    _ => false,
                },
                _ => false,
            });
        }
        truths
    }

    /// Returns `true` if the node is a truth value.
    pub fn is_truth(&self, mut id: NodeId) -> bool {
        loop {
            match self.node(id) {
                Node::Truth(_) | Node::Compare(..) | Node::Not(_) | Node::And(..) | Node::Or(..) => {
                    return true;
                }
                // Both arms give the same kind. A loop, because an `if` may give what another `if` gave, and
                // so on.
                Node::Pick(from, index) => match self.node(from) {
                    Node::If(_, then, _) => id = self.arm(then).results[index as usize],
                    _ => return false,
                },
                _ => return false,
            }
        }
    }
}

impl Node {
    /// The real constant.
    pub fn real(value: f64) -> Self {
        Self::Real(value.to_bits())
    }

    /// The real, if the node is a constant.
    pub fn known(self) -> Option<f64> {
        match self {
            Self::Real(bits) => Some(f64::from_bits(bits)),
            _ => None,
        }
    }

    /// The truth value, if the node is a constant.
    pub fn known_truth(self) -> Option<bool> {
        match self {
            Self::Truth(constant) => Some(constant),
            _ => None,
        }
    }

    /// Calls `visit` with every operand, in order; of an `If` with its condition, of a `Pick` with its `If`.
    pub fn operands(self, mut visit: impl FnMut(NodeId)) {
        match self {
            Self::Real(_) | Self::Truth(_) | Self::Slot(_) | Self::Fail => {}
            Self::Unary(_, x) | Self::Not(x) | Self::If(x, _, _) | Self::Pick(x, _) => visit(x),
            Self::Binary(_, x, y) | Self::Compare(_, x, y) | Self::And(x, y) | Self::Or(x, y) => {
                visit(x);
                visit(y);
            }
            Self::Select(c, x, y) => {
                visit(c);
                visit(x);
                visit(y);
            }
        }
    }

    /// The same node with other operands, those that [`operands`](Self::operands) visits. The arms of an `If`
    /// stay, and are the caller's business.
    #[must_use]
    pub fn map(self, mut to: impl FnMut(NodeId) -> NodeId) -> Self {
        match self {
            Self::Real(_) | Self::Truth(_) | Self::Slot(_) | Self::Fail => self,
            Self::Unary(operation, x) => Self::Unary(operation, to(x)),
            Self::Binary(operation, x, y) => Self::Binary(operation, to(x), to(y)),
            Self::Compare(comparison, x, y) => Self::Compare(comparison, to(x), to(y)),
            Self::Not(x) => Self::Not(to(x)),
            Self::And(x, y) => Self::And(to(x), to(y)),
            Self::Or(x, y) => Self::Or(to(x), to(y)),
            Self::Select(c, x, y) => Self::Select(to(c), to(x), to(y)),
            Self::If(condition, then, otherwise) => Self::If(to(condition), then, otherwise),
            Self::Pick(from, result) => Self::Pick(to(from), result),
        }
    }
}

impl fmt::Display for NodeId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "%{}", self.0)
    }
}
