//! The protocol between the page and the engine: everything that one can say to the other, and nothing else
//! passes.
//!
//! The page sends [`Ask`]s as JSON text. The answer is a [`Tell`], JSON text too, or a chunk of numbers
//! ([`Head`], see [`chunk`](encode)). Whoever asks chooses the numbers: `id` of a question comes back with
//! its answer, `run` and `revision` stand in everything that is told about a run or a text, so that a page
//! that has gone on can drop what is stale. Runs are numbered by the page, upwards.
//!
//! ```text
//! edit ──► checked                                     the text, its problems, its laws as mathematics, its numbers
//! run  ──► started, (poses │ happened │ progress)*, ended      while the run goes on; cancel ends it early
//! read, poses, look, event, events ──► columns, poses, values, table, list    of a run that goes on or has ended
//! evaluate, complete, hover, derive, library, preview, open, save ──► one answer each, or refused
//! ```
//!
//! The server keeps the recording; the page asks for what it shows. Places in texts are counted in UTF-16
//! code units, as browsers do. Quaternions are w, x, y, z. The TypeScript types of the page are made from
//! these (`web/src/wire/types.ts`); a test holds them together.

mod chunk;
mod derived;
mod reply;
mod request;
mod scene;
mod text;
mod values;

pub(crate) use chunk::{ChunkHead, SeriesHead, encode};
pub(crate) use derived::{Derived, DerivedLine, DerivedSection};
pub(crate) use reply::{Ending, EventInfo, LibraryEntry, Reply, Verdict};
pub(crate) use request::{Filter, Moment, Origin, Request};
pub(crate) use scene::{Body, BodyPart, BodyShape, ContextInfo, Scene};
pub(crate) use text::{Completion, Edit, Formula, Label, Number, OwnerAttribute, Problem, Word};
pub(crate) use values::{QuantityInfo, SessionOutput, TableRow, ValueInfo};

#[cfg(test)]
mod generated;
