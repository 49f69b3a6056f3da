//! The experiment as text: what is wrong with it, what it says as mathematics, which numbers stand in it.

use serde::Serialize;

/// Something wrong, or probably not meant.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Problem {
    /// `E201`.
    pub(crate) code: String,
    /// Whether nothing runs because of it.
    pub(crate) is_error: bool,
    /// One sentence.
    pub(crate) message: String,
    /// Where it begins, and what is there.
    pub(crate) place: Label,
    /// Further places.
    pub(crate) labels: Vec<Label>,
    /// Facts, such as the values that went in.
    pub(crate) notes: Vec<String>,
    /// The way out.
    pub(crate) help: Option<String>,
    /// The way out as a change of the text.
    pub(crate) edit: Option<Edit>,
    /// More about the code, as `gedanken explain` tells it.
    pub(crate) explanation: String,
}

/// A place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Label {
    /// The imported file it is in, or the setting; `None` for the text itself.
    pub(crate) source: Option<String>,
    /// From here.
    pub(crate) start: u32,
    /// To here.
    pub(crate) end: u32,
    /// From 1.
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
    /// A few words; may be empty.
    pub(crate) text: String,
}

/// A change of the text.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Edit {
    /// From here.
    pub(crate) start: u32,
    /// To here.
    pub(crate) end: u32,
    /// What stands there then.
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
    /// What it defines.
    pub(crate) name: String,
    /// Where its definition begins.
    pub(crate) start: u32,
    /// Where it ends.
    pub(crate) end: u32,
    /// A `math` element; every symbol carries `data-name`.
    pub(crate) mathml: String,
}

/// A number that stands in the text, and can become a slider.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Number {
    /// Where it begins; a sign before it belongs to it.
    pub(crate) start: u32,
    /// Where it ends.
    pub(crate) end: u32,
    /// What it is.
    pub(crate) value: f64,
    /// What a slider would be called: `restitution`, `ball.v#1`, `drop.duration`.
    pub(crate) label: String,
    /// Whether only whole numbers can stand there, as in `v # 1`.
    pub(crate) counts: bool,
    /// The attribute whose value it stands in, if a setting can replace it.
    pub(crate) owned: Option<OwnerAttribute>,
}

/// An attribute that a setting can replace.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct OwnerAttribute {
    /// `restitution`, `ball.v`.
    pub(crate) name: String,
    /// Where its value begins.
    pub(crate) start: u32,
    /// Where its value ends.
    pub(crate) end: u32,
}

/// Something that can stand at a place.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Completion {
    /// What is listed.
    pub(crate) label: String,
    /// `key`, `value`, `attribute`, `function`, `native`, `object`, `context`, `keyword` or `file`.
    pub(crate) kind: String,
    /// A few words about it.
    pub(crate) detail: String,
    /// What is typed.
    pub(crate) insert: String,
}

/// A word of the language.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Word {
    /// `norm`.
    pub(crate) name: String,
    /// `native` or `keyword`.
    pub(crate) kind: String,
    /// What it does, in a sentence.
    pub(crate) summary: String,
}
