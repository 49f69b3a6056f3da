//! Writes both tables as Arrow streams while a run goes on, batch by batch.

use super::checksum;
use super::checksum::Chain;
use super::event_table;
use super::event_table::{Layout, PendingEvents};
use super::frame_table;
use super::frame_table::PendingFrames;
use super::table::{Cells, TableHead, io_error, options, record_batch};
use crate::columns::Place;
use crate::event::Event;
use crate::schema::Schema;
use crate::sink::{Frame, Notice, Sink};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use std::io::{self, Write};
use std::sync::Arc;

/// Number of frames with which a batch is written.
const FRAMES_PER_BATCH: usize = 64;
/// Number of bytes with which a batch is written, however few its frames.
const BYTES_PER_BATCH: usize = 4 << 20;
/// Largest text or keyframe. Offsets within a batch have 31 bits, of which a single value may take half.
const MAX_VALUE_BYTES: usize = 1 << 30;

/// One table that is being written.
struct Stream<W: Write> {
    writer: StreamWriter<W>,
    schema: Arc<arrow_schema::Schema>,
    chain: Chain,
    /// `true` after a write failed: part of a batch may be there, behind which nothing could be read.
    is_broken: bool,
}

impl<W: Write> Stream<W> {
    fn new(writer: W, head: TableHead) -> io::Result<Self> {
        let chain = Chain::new(&head.metadata);
        let schema = Arc::new(with_checksum(head, chain.last).to_arrow());
        let mut writer = StreamWriter::try_new_with_options(writer, &schema, options()?).map_err(io_error)?;
        writer.flush().map_err(io_error)?;
        Ok(Self { writer, schema, chain, is_broken: false })
    }

    /// Writes rows as one batch.
    fn write_batch(&mut self, mut columns: Vec<Cells>) -> io::Result<()> {
        columns.push(Cells::Counts(self.chain.extend(&columns)));
        let batch = record_batch(&self.schema, columns)?;
        self.attempt(|writer| {
            writer.write(&batch)?;
            writer.flush()
        })
    }

    fn finish(&mut self) -> io::Result<()> {
        self.attempt(StreamWriter::finish)
    }

    fn attempt(
        &mut self,
        write: impl FnOnce(&mut StreamWriter<W>) -> Result<(), ArrowError>,
    ) -> io::Result<()> {
        if self.is_broken {
            return Err(io::Error::other("nothing can follow a batch that could not be written"));
        }
        let result = write(&mut self.writer).map_err(io_error);
        self.is_broken = result.is_err();
        result
    }
}

/// The head of a table with the checksum of its metadata and the column of checksums.
fn with_checksum(mut head: TableHead, of_metadata: u64) -> TableHead {
    head.metadata.insert(checksum::KEY.to_owned(), checksum::to_text(of_metadata));
    head.columns.push(checksum::column());
    head
}

/// Writes the tables of frames and of events as two streams.
///
/// A batch is written and flushed every 64 frames, or earlier if it is large or if [`flush`](Sink::flush) is
/// called; events always before the frames that follow them, and an event is never parted. What a writer
/// holds at any time is therefore a recording that [`read_arrow`](super::read_arrow) reads and
/// [`finish_arrow`](super::finish_arrow) finishes.
pub struct ArrowSink<F: Write, E: Write> {
    schema: Schema,
    places: Vec<Place>,
    layout: Layout,
    frames: Stream<F>,
    events: Stream<E>,
    pending_frames: PendingFrames,
    pending_events: PendingEvents,
    /// Number of frames so far.
    count: u64,
    is_finished: bool,
}

impl<F: Write, E: Write> ArrowSink<F, E> {
    /// Writes the heads of both tables.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(frames: F, events: E, schema: &Schema) -> io::Result<Self> {
        let frames = Stream::new(frames, frame_table::head(schema))?;
        let events = Stream::new(events, event_table::head(schema, frames.chain.last))?;
        Ok(Self {
            places: frame_table::places(schema),
            layout: Layout::new(schema),
            frames,
            events,
            schema: schema.clone(),
            pending_frames: PendingFrames::default(),
            pending_events: PendingEvents::default(),
            count: 0,
            is_finished: false,
        })
    }

    /// Finishes both streams and gives the writers back: of frames, of events.
    ///
    /// # Errors
    /// If the end of a stream cannot be written.
    pub fn into_inner(mut self) -> io::Result<(F, E)> {
        self.finish()?;
        let events = self.events.writer.into_inner().map_err(io_error)?;
        Ok((self.frames.writer.into_inner().map_err(io_error)?, events))
    }

    fn write_events(&mut self) -> io::Result<()> {
        if self.pending_events.is_empty() {
            return Ok(());
        }
        self.events.write_batch(self.pending_events.take())
    }

    fn write_many_events(&mut self) -> io::Result<()> {
        if self.pending_events.bytes() >= BYTES_PER_BATCH { self.write_events() } else { Ok(()) }
    }
}

fn check_size(what: &str, bytes: usize) -> io::Result<()> {
    if bytes <= MAX_VALUE_BYTES {
        return Ok(());
    }
    let why = format!("{what} of {bytes} bytes is more than a recording holds");
    Err(io::Error::new(io::ErrorKind::InvalidInput, why))
}

impl<F: Write, E: Write> Sink for ArrowSink<F, E> {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.schema.check_row(frame.row)?;
        check_size("a keyframe", frame.keyframe.map_or(0, <[u8]>::len))?;
        self.pending_frames.push(&frame);
        self.count += 1;
        if self.pending_frames.len() >= FRAMES_PER_BATCH || self.pending_frames.bytes() >= BYTES_PER_BATCH {
            return self.flush();
        }
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.schema.check_event(event)?;
        self.pending_events.push(&self.schema, &self.layout, event, self.count);
        self.write_many_events()
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        check_size("a notice", notice.message.len())?;
        self.pending_events.push_notice(notice, self.count);
        self.write_many_events()
    }

    fn flush(&mut self) -> io::Result<()> {
        self.write_events()?;
        if self.pending_frames.len() == 0 {
            return Ok(());
        }
        self.frames.write_batch(self.pending_frames.take(&self.schema, &self.places))
    }

    fn finish(&mut self) -> io::Result<()> {
        if self.is_finished {
            return Ok(());
        }
        self.flush()?;
        self.events.finish()?;
        self.frames.finish()?;
        self.is_finished = true;
        Ok(())
    }
}
