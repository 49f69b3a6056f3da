//! Values, as numbers to draw and as text to read.

use serde::Serialize;

/// A quantity that is recorded, or constant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct QuantityInfo {
    /// Whose: an object's name, `world` or `measure`.
    pub(crate) owner: String,
    /// `v`.
    pub(crate) name: String,
    /// What a formula calls it: `ball.v`; `ball.v@rolling` where several contexts have one.
    pub(crate) formula: String,
    /// `real`, `boolean`, `vector(3)`, as the language says it.
    pub(crate) ty: String,
    /// Rows and columns: `[]` for reals and booleans, `[3]` for a vector of 3, `[2, 3]` for a matrix.
    pub(crate) shape: Vec<u32>,
    /// The context outside which it has no value.
    pub(crate) context: Option<String>,
    /// Whether it never changes.
    pub(crate) constant: bool,
}

/// A value to be shown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ValueInfo {
    /// As the language writes it: `[0, 0, 1.5]`.
    pub(crate) text: String,
    /// Its scalars, row by row; booleans are 0 and 1.
    pub(crate) scalars: Vec<f64>,
}

/// A quantity and what it is; before and after, where it stands in the table of an event.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TableRow {
    /// Whose: an object's name, `world` or `measure`.
    pub(crate) owner: String,
    /// `v`.
    pub(crate) name: String,
    /// What a formula calls it.
    pub(crate) formula: String,
    /// As the language says it.
    pub(crate) ty: String,
    /// The context outside which it has no value.
    pub(crate) context: Option<String>,
    /// Before; always `None` for context attributes, which have no before, and in the values of one moment.
    pub(crate) before: Option<ValueInfo>,
    /// After, or now; `None` where it has no value.
    pub(crate) after: Option<ValueInfo>,
    /// Whether before and after differ.
    pub(crate) changed: bool,
}

/// An answer of the session of the language.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum SessionOutput {
    /// A value.
    Value {
        /// As the language writes it.
        text: String,
    },
    /// Something to read, as it stands.
    Text {
        /// Lines.
        text: String,
    },
    /// A mistake or a warning.
    Problem {
        /// Drawn as on a terminal, without colours.
        text: String,
    },
}
