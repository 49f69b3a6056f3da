//! Values, as numbers to draw and as text to read.

use serde::Serialize;

/// A quantity that is recorded, or constant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct QuantityInfo {
    /// Owner: the name of an object, `world` or `measure`.
    pub(crate) owner: String,
    /// Name of the attribute, such as `v`.
    pub(crate) name: String,
    /// Name in formulas: `ball.v`; `ball.v@rolling` where several contexts have one.
    pub(crate) formula: String,
    /// Type as the language writes it: `real`, `boolean`, `vector(3)`.
    pub(crate) ty: String,
    /// Numbers of rows and columns: `[]` for reals and booleans, `[3]` for a vector of 3, `[2, 3]` for a
    /// matrix.
    pub(crate) shape: Vec<u32>,
    /// Context outside which it has no value.
    pub(crate) context: Option<String>,
    /// `true` if it never changes.
    pub(crate) constant: bool,
}

/// A value to be shown.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ValueInfo {
    /// Value as the language writes it: `[0, 0, 1.5]`.
    pub(crate) text: String,
    /// Scalars, row by row; booleans are 0 and 1.
    pub(crate) scalars: Vec<f64>,
}

/// A quantity and its value; before and after, in the table of an event.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct TableRow {
    /// Owner: the name of an object, `world` or `measure`.
    pub(crate) owner: String,
    /// Name of the attribute, such as `v`.
    pub(crate) name: String,
    /// Name in formulas.
    pub(crate) formula: String,
    /// Type as the language writes it.
    pub(crate) ty: String,
    /// Context outside which it has no value.
    pub(crate) context: Option<String>,
    /// Value before the event; always `None` for context attributes and in the values of one moment.
    pub(crate) before: Option<ValueInfo>,
    /// Value after the event, or at the moment; `None` where there is none.
    pub(crate) after: Option<ValueInfo>,
    /// `true` if before and after differ.
    pub(crate) changed: bool,
}

/// One output of the session of the language.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum SessionOutput {
    /// A value.
    Value {
        /// Value as the language writes it.
        text: String,
    },
    /// Text to show unchanged.
    Text {
        /// Text of one or more lines.
        text: String,
    },
    /// An error or a warning.
    Problem {
        /// Message as on a terminal, without colours.
        text: String,
    },
}
