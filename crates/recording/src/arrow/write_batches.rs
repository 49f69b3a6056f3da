//! Writes both tables as streams while a run goes on.

use super::events::{self, Layout, PendingEvents};
use super::frames::{self, PendingFrames};
use super::table::{Cells, TableHead, batch, io_error, options};
use crate::{Event, Frame, Notice, Place, Schema, Sink};
use arrow_ipc::writer::StreamWriter;
use arrow_schema::ArrowError;
use std::io::{self, Write};
use std::sync::Arc;

/// A batch is written when it has so many frames,
const FRAMES: usize = 64;
/// or so many bytes.
const BYTES: usize = 4 << 20;
/// Offsets within a batch have 31 bits; a single text or keyframe may take half of them.
const LARGEST: usize = 1 << 30;

/// One table under way.
struct Stream<W: Write> {
    writer: StreamWriter<W>,
    schema: Arc<arrow_schema::Schema>,
    /// Whether a write failed: part of a batch may be there, behind which nothing could be read.
    is_broken: bool,
}

impl<W: Write> Stream<W> {
    fn new(writer: W, head: &TableHead) -> io::Result<Self> {
        let schema = Arc::new(head.to_arrow());
        let mut writer = StreamWriter::try_new_with_options(writer, &schema, options()?).map_err(io_error)?;
        writer.flush().map_err(io_error)?;
        Ok(Self { writer, schema, is_broken: false })
    }

    fn write(&mut self, columns: Vec<Cells>) -> io::Result<()> {
        let batch = batch(&self.schema, columns)?;
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
    /// How many frames there were.
    count: u64,
    is_finished: bool,
}

impl<F: Write, E: Write> ArrowSink<F, E> {
    /// Writes what the tables are.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(frames: F, events: E, schema: &Schema) -> io::Result<Self> {
        Ok(Self {
            places: frames::places(schema),
            layout: Layout::new(schema),
            frames: Stream::new(frames, &frames::head(schema))?,
            events: Stream::new(events, &events::head(schema))?,
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
        self.events.write(self.pending_events.take())
    }

    fn write_many_events(&mut self) -> io::Result<()> {
        if self.pending_events.bytes() >= BYTES { self.write_events() } else { Ok(()) }
    }
}

fn check_size(what: &str, bytes: usize) -> io::Result<()> {
    if bytes <= LARGEST {
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
        if self.pending_frames.len() >= FRAMES || self.pending_frames.bytes() >= BYTES {
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
        self.frames.write(self.pending_frames.take(&self.schema, &self.places))
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
