//! Recordings on disk: Arrow, two tables.
//!
//! The table of **frames** (`X.arrow`) has a row per frame: `t`, `frame`, `hash`, `keyframe` (the state from
//! which a run can be resumed, where the engine gave it), then one column for every scalar as
//! [`Schema::columns`](super::Schema::columns) names them, null where there is no value; booleans are 0 and
//! 1; then `#checksum`. The table of **events** (`X.events.arrow`) has a row per event, object and attribute:
//!
//! | column | holds |
//! |---|---|
//! | `index` | the number of the event, from 0; −1 for a notice |
//! | `time`, `kind`, `context` | as in [`Event`](super::Event); kind `notice` is a remark of the run |
//! | `object`, `attribute`, `element` | whose value, which, and which scalar of it (`#1`); no object for the world's and for measures |
//! | `before`, `after` | the value; null where there is none |
//! | `frame` | how many frames there were: the next frame's number |
//! | `detail` | in the first row of an event its objects and the engine's measurements, as JSON; of a notice its message |
//! | `#checksum` | the checksum of the row and all rows before it |
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
//! | file | holds |
//! |---|---|
//! | `schema_metadata` | the schema as metadata of the table of frames |
//! | `table`, `frame_table`, `event_table` | columns of a table; rows of the two tables |
//! | `write_batches` | the sink that writes both tables, batch by batch |
//! | `read`, `read_events` | the recording that is put together from both tables |
//! | `read_messages`, `read_batch`, `read_end` | a stream taken apart into messages; the columns of a batch; the end |
//! | `checksum`, `error` | the checksums of rows; damage, and what is good |
//! | `stream_to_file` | an Arrow file made of a stream |
//!
//! Reading trusts nothing: every length is checked before anything is allocated, and every row by its
//! checksum, so that a damaged recording is an error that says what is still good.
//!
//! The format:
//! <https://arrow.apache.org/docs/format/Columnar.html#serialization-and-interprocess-communication-ipc>

mod checksum;
mod error;
mod event_table;
mod frame_table;
mod read;
mod read_batch;
mod read_end;
mod read_events;
mod read_messages;
mod schema_metadata;
mod stream_to_file;
mod table;
mod write_batches;

pub use error::{Damage, Flaw, ReadError, Spot};
pub use read::{Reading, TableState, read_arrow};
pub use read_end::End;
pub use schema_metadata::{FORMAT_VERSION, Table};
pub use stream_to_file::finish_arrow;
pub use write_batches::ArrowSink;
