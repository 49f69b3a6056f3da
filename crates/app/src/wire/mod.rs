//! The wire protocol between the page and the server: all messages of both directions.
//!
//! The page sends [`Request`]s as JSON text. The server answers with a [`Reply`], also JSON text, or with a
//! binary chunk of numbers ([`ChunkHead`], [`encode`]). The page chooses the numbers: the `id` of a request
//! comes back in its reply; `run` and `revision` stand in every message about a run or a text, so that the
//! page can drop stale messages. The page numbers runs upwards.
//!
//! ```text
//! edit ──► checked                                     the text, its problems, its laws as mathematics, its numbers
//! run  ──► started, (poses │ happened │ progress)*, ended      while the run goes on; cancel ends it early
//! read, poses, values, contacts, event, events ──► columns, poses, values, contacts, table, list    of a run that goes on or has ended
//! evaluate, complete, hover, derive, library, preview, open, save, disk ──► one reply each, or refused
//! ```
//!
//! The server keeps the recording; the page requests the parts that it shows. Positions in texts are counted in
//! UTF-16 code units, as browsers do. Quaternions are w, x, y, z. A test generates the TypeScript types of the
//! page (`web/src/wire/types.ts`) from these types and fails if they differ.

mod chunk;
mod derived;
mod reply;
mod request;
mod scene;
mod text;
mod values;
mod view;

pub(crate) use chunk::{ChunkHead, SeriesHead, encode};
pub(crate) use derived::{Derived, DerivedLine, DerivedSection};
pub(crate) use reply::{ContactPoint, Ending, EventInfo, LibraryEntry, OnDisk, Reply, Verdict};
pub(crate) use request::{Filter, Moment, Origin, Request};
pub(crate) use scene::{Body, BodyPart, BodyShape, ContextInfo, Scene};
pub(crate) use text::{Completion, Edit, Formula, Label, Number, OwnerAttribute, Problem, Word};
pub(crate) use values::{QuantityInfo, SessionOutput, TableRow, ValueInfo};
pub(crate) use view::{Amount, CameraInfo, CurveInfo, Drawing, Spot, ViewInfo};

/// Maximum size of an experiment, in bytes: of a file that is listed or written, and of a text in a link.
pub(crate) const MAX_TEXT_BYTES: usize = 1 << 20;
/// Maximum size of a request, in bytes. A longer one ends the connection.
pub(crate) const MAX_REQUEST_BYTES: usize = 4 << 20;

#[cfg(test)]
mod generated;
