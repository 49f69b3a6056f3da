//! Recordings: the results of a simulation, as columns over time and a list of events.
//!
//! Every run writes to a [`Sink`], and everything that looks at results reads a [`Recording`]; nothing else
//! passes between them. A frame is a row of reals, one for each column of the [`Schema`]; booleans are 0 and
//! 1, and NaN is *no value*: no computed value is ever NaN, so that a context attribute outside its context
//! needs no mark of its own. Quantities that never change stand once in the schema and in no row.
//!
//! | file | holds |
//! |---|---|
//! | `schema`, `columns`, `selection` | quantities; the names of their scalars; the quantity that a name stands for |
//! | `event`, `event_row` | events between frames; the values that an event keeps |
//! | `recording`, `sample`, `series`, `value` | a recording in memory; the moments it has values for; values over time |
//! | `sink`, `csv`, `json`, `derived_formulas`, [`arrow`] | the receiver of results; those that write files |
//! | [`formula`] | expressions over recorded quantities |
//! | `hash` | the fingerprint of a frame |

pub mod arrow;
mod columns;
mod csv;
mod derived_formulas;
mod event;
mod event_row;
pub mod formula;
mod hash;
mod json;
mod recording;
mod sample;
mod schema;
mod selection;
mod series;
mod shortest_real;
mod sink;
mod value;

pub use columns::{Column, Place};
pub use csv::CsvSink;
pub use derived_formulas::DerivedSink;
pub use event::{Event, EventKind};
pub use event_row::Moment;
pub use hash::hash_row;
pub use json::{JsonEventsSink, write_events_json};
pub use recording::Recording;
pub use sample::Sample;
pub use schema::{Constant, Owner, Quantity, Schema};
pub use selection::Selection;
pub use sink::{CONTACT_SCALARS, Frame, Notice, Sink};
pub use value::value_of;
