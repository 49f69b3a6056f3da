//! Cost of an operation, known before it runs: no program hangs or fills the memory inside one operation.
//!
//! A step is one instruction. An operation on large values also costs a step for every [`ELEMENTS_PER_STEP`]
//! scalars it has to touch: m·n·k for the product of an m by n and an n by k matrix, n³ for an inverse.

use super::slot::Slot;
use crate::native::Native;
use crate::syntax::tree::Binary;
use crate::value::{Matrix, Value};

/// Maximum number of scalars of a value.
pub(super) const MOST_ELEMENTS: usize = 1_000_000;

/// Maximum number of scalars of all values of an evaluation together.
pub(super) const MOST_ALIVE: usize = 3 * MOST_ELEMENTS;

/// Maximum depth of sequences in sequences: values are walked recursively.
pub(super) const MOST_NESTED: usize = 64;

/// Number of scalars of a vector operation that take about as long as an instruction.
const ELEMENTS_PER_STEP: u64 = 8;

/// Size of an operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Effort {
    /// Steps on top of the one for the instruction.
    pub(super) steps: u64,
    /// Minimum number of scalars in the result.
    pub(super) elements: usize,
}

impl Effort {
    /// To look at, or to write, so many scalars.
    pub(super) fn touching(scalars: usize) -> Self {
        Self { steps: scalars as u64 / ELEMENTS_PER_STEP, elements: 0 }
    }
}

/// Number of scalars that a value holds; an item of a sequence counts at least one.
pub(super) fn elements(value: &Value) -> usize {
    match value {
        Value::Real(_) | Value::Bool(_) => 1,
        Value::Vector(elements) => elements.len(),
        Value::Matrix(matrix) => matrix.elements.len(),
        // The items of a sequence are of one type.
        Value::Sequence(items) if matches!(items.first(), Some(Value::Real(_) | Value::Bool(_))) => {
            items.len()
        }
        Value::Sequence(items) => items.iter().map(|item| elements(item).max(1)).sum(),
    }
}

/// Depth of sequences in sequences.
pub(super) fn nesting(value: &Value) -> usize {
    match value {
        Value::Sequence(items) => {
            let deepest = match items.first() {
                Some(Value::Sequence(_)) => items.iter().map(nesting).max().unwrap_or(0),
                _ => 0,
            };
            1 + deepest
        }
        _ => 0,
    }
}

/// Effort of an operator.
pub(super) fn binary(operator: Binary, left: &Slot, right: &Slot) -> Effort {
    let both = left.elements() + right.elements();
    match (operator, left.value(), right.value()) {
        (_, Value::Real(_) | Value::Bool(_), Value::Real(_) | Value::Bool(_)) => Effort::default(),
        (Binary::Multiply, Value::Matrix(a), Value::Matrix(b)) => {
            let result = a.rows.saturating_mul(b.columns);
            Effort {
                elements: result,
                ..Effort::touching(result.saturating_mul(a.columns).saturating_add(both))
            }
        }
        (Binary::Join, Value::Sequence(_), Value::Sequence(_)) => {
            Effort { elements: both, ..Effort::touching(both) }
        }
        // A row or an item is copied, the rest is not looked at.
        (Binary::Element, Value::Vector(_), _) => Effort::default(),
        (Binary::Element, Value::Matrix(matrix), _) => Effort::touching(matrix.columns),
        _ => Effort::touching(both),
    }
}

/// Effort of an operation that looks at every scalar of its operands once.
pub(super) fn copying(operands: &[Slot]) -> Effort {
    Effort::touching(operands.iter().map(Slot::elements).sum())
}

/// Effort of a native. None makes a result much larger than its arguments, but for `identityMatrix`, which
/// has its own bound.
pub(super) fn native(native: Native, arguments: &[Slot]) -> Effort {
    let elimination = |argument: &Slot| match argument.value() {
        Value::Matrix(Matrix { rows, .. }) if is_cubic(native) => {
            rows.saturating_mul(*rows).saturating_mul(ELIMINATION * rows)
        }
        _ => 0,
    };
    let touched = arguments.iter().map(|argument| argument.elements().saturating_add(elimination(argument)));
    Effort::touching(touched.fold(0, usize::saturating_add))
}

/// Elimination with a search for pivots costs a few times n³.
const ELIMINATION: usize = 4;

/// Returns `true` if it eliminates over a whole matrix.
fn is_cubic(native: Native) -> bool {
    matches!(native.entry().name, "squareMatrixInverse" | "determinant")
}
