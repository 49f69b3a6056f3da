//! Numbers on their way into a kernel and out of it.

use crate::ir::Feed;

/// One scalar of an input, for all rows.
#[derive(Clone, Debug)]
pub enum Column {
    /// The same for all rows.
    Same(f64),
    /// One for each row.
    Each(Vec<f64>),
}

impl Column {
    /// Value in a row.
    ///
    /// # Panics
    /// If the column has no such row.
    pub fn at(&self, row: usize) -> f64 {
        match self {
            Self::Same(value) => *value,
            Self::Each(values) => values[row],
        }
    }

    /// The column as an executor takes it.
    pub fn feed(&self) -> Feed<'_> {
        match self {
            Self::Same(value) => Feed::Same(*value),
            Self::Each(values) => Feed::Column(values),
        }
    }
}

/// Resizes `results` to `width` columns with `rows` places each. Memory is kept.
pub fn resize(results: &mut Vec<Vec<f64>>, width: usize, rows: usize) {
    results.resize_with(width, Vec::new);
    results.iter_mut().for_each(|column| column.resize(rows, 0.0));
}

/// Returns a slice of `width` scalars, on the stack if `few` is long enough: single rows are run so often
/// that an allocation for each would be felt.
pub fn room<'r, const ON_STACK: usize>(
    few: &'r mut [f64; ON_STACK],
    many: &'r mut Vec<f64>,
    width: usize,
) -> &'r mut [f64] {
    if width <= ON_STACK {
        return &mut few[..width];
    }
    many.resize(width, 0.0);
    many
}
