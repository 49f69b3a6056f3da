//! Recordings on disk: Arrow, two tables.
//!
//! The table of **frames** (`X.arrow`) has a row per frame: `t`, `frame`, `hash`, `keyframe` (what going on
//! from there needs, where the engine gave it), then one column for every scalar as
//! [`Schema::columns`](super::Schema::columns) names them, null where there is no value; booleans are 0 and
//! 1. The table of **events** (`X.events.arrow`) has a row per event, object and attribute:
//!
//! | column | holds |
//! |---|---|
//! | `index` | the number of the event, from 0; −1 for a notice |
//! | `time`, `kind`, `context` | as in [`Event`](super::Event); kind `notice` is something that the run had to say |
//! | `object`, `attribute`, `element` | whose value, which, and which scalar of it (`#1`); no object for the world's and for measures |
//! | `before`, `after` | the value; null where there is none |
//! | `frame` | how many frames there were: the next frame's number |
//! | `detail` | in the first row of an event who takes part and what the engine measured, as JSON; of a notice its message |
//!
//! While a run goes on, both tables are Arrow *streams* that [`ArrowSink`] writes batch by batch: one that is
//! cut can be read up to its last whole batch, and events are written before the frames that follow them.
//! [`finish_arrow`] makes of a stream, whole or cut, an Arrow *file*, which pandas, polars and pyarrow open
//! as it is. [`read_arrow`] reads all of them back.
//!
//! The metadata of the table of frames holds the whole schema: the engine's version, the experiment's text,
//! path, imports and parameters as text, and lists (`objects`, `quantities`, `constants`, …) as JSON.
//! Constants are also columns, marked by the field's metadata `constant`.
//!
//! `header` is the schema as metadata, `table` what columns there are, `frames` and `events` are the two
//! tables, `sink` writes them. Reading trusts nothing: `messages` takes a stream apart and checks every
//! length before anything is allocated, `batch` decodes columns, `read` and `read_events` put the recording
//! together; `finish` makes files of streams.
//!
//! The format:
//! <https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc>

mod batch;
mod error;
mod events;
mod finish;
mod frames;
mod header;
mod messages;
mod read;
mod read_events;
mod sink;
mod table;

pub use error::ReadError;
pub use finish::finish_arrow;
pub use read::{Reading, read_arrow};
pub use sink::ArrowSink;
