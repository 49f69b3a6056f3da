//! The experiment as text: its problems, its laws as mathematics, and its numbers.

use serde::Serialize;

/// An error or a warning about a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Problem {
    /// Code, such as `E201`.
    pub(crate) code: String,
    /// `true` for an error: nothing runs.
    pub(crate) is_error: bool,
    /// Message in one sentence.
    pub(crate) message: String,
    /// Primary place and its label.
    pub(crate) place: Label,
    /// Secondary places.
    pub(crate) labels: Vec<Label>,
    /// Notes, such as the values that went in.
    pub(crate) notes: Vec<String>,
    /// Remedy.
    pub(crate) help: Option<String>,
    /// Remedy as a change of the text.
    pub(crate) edit: Option<Edit>,
    /// Explanation of the code, as `gedanken explain` prints it.
    pub(crate) explanation: String,
}

/// A labelled range of a text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Label {
    /// Name of the imported file or the setting; `None` for the text itself.
    pub(crate) source: Option<String>,
    /// Start, in UTF-16 code units.
    pub(crate) start: u32,
    /// End, in UTF-16 code units.
    pub(crate) end: u32,
    /// Line, from 1.
    pub(crate) line: u32,
    /// Column in characters, from 1.
    pub(crate) column: u32,
    /// Label; may be empty.
    pub(crate) text: String,
}

/// A change of the text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Edit {
    /// Start, in UTF-16 code units.
    pub(crate) start: u32,
    /// End, in UTF-16 code units.
    pub(crate) end: u32,
    /// New text of the range.
    pub(crate) replacement: String,
}

/// A law, a helper or a measure, rendered.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Formula {
    /// The name of its context, rule or measure.
    pub(crate) block: String,
    /// `context`, `rule`, `event`, `lagrangian` or `measure`.
    pub(crate) block_kind: String,
    /// Name that it defines.
    pub(crate) name: String,
    /// Start of the definition.
    pub(crate) start: u32,
    /// End of the range.
    pub(crate) end: u32,
    /// A `math` element; every symbol carries `data-name`.
    pub(crate) mathml: String,
}

/// A number that stands in the text, and can become a slider.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Number {
    /// Start of the number, its sign included.
    pub(crate) start: u32,
    /// End of the range.
    pub(crate) end: u32,
    /// Value.
    pub(crate) value: f64,
    /// Label of a slider for it: `restitution`, `ball.v#1`, `drop.duration`.
    pub(crate) label: String,
    /// `true` if only whole numbers are allowed there, as in `v # 1`.
    pub(crate) counts: bool,
    /// Attribute whose value contains it, if a setting can replace that.
    pub(crate) owned: Option<OwnerAttribute>,
}

/// An attribute that a setting can replace.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OwnerAttribute {
    /// Name: `restitution`, `ball.v`.
    pub(crate) name: String,
    /// Start of its value.
    pub(crate) start: u32,
    /// End of its value.
    pub(crate) end: u32,
}

/// A completion.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Completion {
    /// Text in the list.
    pub(crate) label: String,
    /// `key`, `value`, `attribute`, `function`, `native`, `object`, `context`, `keyword` or `file`.
    pub(crate) kind: String,
    /// Short description.
    pub(crate) detail: String,
    /// Text to insert.
    pub(crate) insert: String,
}

/// A word of the language.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Word {
    /// The word, such as `norm`.
    pub(crate) name: String,
    /// `native` or `keyword`.
    pub(crate) kind: String,
    /// Description in a sentence.
    pub(crate) summary: String,
}
