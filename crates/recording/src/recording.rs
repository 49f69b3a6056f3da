//! A recording in memory.

use crate::event::Event;
use crate::schema::Schema;
use crate::sink::{Frame, Notice, Sink};
use std::io;

/// A run, whole or cut short.
#[derive(Clone, Debug)]
pub struct Recording {
    /// Description of the columns.
    pub schema: Schema,
    /// The times of all frames.
    pub times: Vec<f64>,
    /// The hash of each frame.
    pub hashes: Vec<u64>,
    /// All events, in order of time.
    pub events: Vec<Event>,
    /// Number of frames before each event.
    pub frames_before: Vec<usize>,
    /// Remarks of the run.
    pub notices: Vec<Notice>,
    /// Frames from which the run can be resumed, increasing, with the state of the engine.
    pub keyframes: Vec<(usize, Vec<u8>)>,
    rows: Vec<f64>,
    /// Contacts of all frames one after the other, and the number of scalars up to the end of each frame.
    contacts: Vec<f64>,
    contacts_until: Vec<usize>,
}

impl Recording {
    /// An empty recording.
    pub fn new(schema: Schema) -> Self {
        Self {
            schema,
            times: Vec::new(),
            hashes: Vec::new(),
            events: Vec::new(),
            frames_before: Vec::new(),
            notices: Vec::new(),
            keyframes: Vec::new(),
            rows: Vec::new(),
            contacts: Vec::new(),
            contacts_until: Vec::new(),
        }
    }

    /// Number of frames.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// All scalars of a frame.
    pub fn row(&self, frame: usize) -> &[f64] {
        let width = self.schema.width();
        &self.rows[frame * width..][..width]
    }

    /// Contacts of a frame, [`CONTACT_SCALARS`](crate::CONTACT_SCALARS) reals each.
    pub fn contacts(&self, frame: usize) -> &[f64] {
        let end = |frame: usize| self.contacts_until.get(frame).copied().unwrap_or(self.contacts.len());
        let start = if frame == 0 { 0 } else { end(frame - 1) };
        &self.contacts[start..end(frame)]
    }

    /// Keeps the first frames, the events before the last of them, and what was remarked until then.
    pub fn truncate(&mut self, frames: usize) {
        if frames >= self.frames() {
            return;
        }
        self.times.truncate(frames);
        self.hashes.truncate(frames);
        self.rows.truncate(frames * self.schema.width());
        self.contacts_until.truncate(frames);
        self.contacts.truncate(self.contacts_until.last().copied().unwrap_or(0));
        self.keyframes.retain(|(at, _)| *at < frames);
        let events = self.frames_before.partition_point(|&before| before < frames);
        self.frames_before.truncate(events);
        self.events.truncate(events);
        let end = self.times.last().copied().unwrap_or(f64::NEG_INFINITY);
        self.notices.retain(|notice| notice.time <= end);
    }

    /// Keeps the frames and events until a time.
    pub fn truncate_at(&mut self, time: f64) {
        self.truncate(self.frames_until(time));
        let events = self.events.partition_point(|event| event.time <= time);
        self.frames_before.truncate(events);
        self.events.truncate(events);
    }

    /// Number of frames until a time.
    pub fn frames_until(&self, time: f64) -> usize {
        self.times.partition_point(|it| *it <= time)
    }

    /// Returns `true` if two recordings are the same to the last bit, where no value is the same as no value.
    pub fn is_same(&self, other: &Self) -> bool {
        self.schema == other.schema
            && same_bits(&self.times, &other.times)
            && self.hashes == other.hashes
            && same_bits(&self.rows, &other.rows)
            && same_bits(&self.contacts, &other.contacts)
            && self.contacts_until == other.contacts_until
            && self.frames_before == other.frames_before
            && self.events.len() == other.events.len()
            && self.events.iter().zip(&other.events).all(|(a, b)| same_event(a, b))
            && self.notices == other.notices
            && self.keyframes == other.keyframes
    }

    /// Hands the first frames to a sink, and the events before each of them.
    ///
    /// # Errors
    /// Errors of the sink.
    pub fn replay_frames(&self, frames: usize, sink: &mut dyn Sink) -> io::Result<()> {
        let mut events = self.events.iter().zip(&self.frames_before).peekable();
        let mut keyframes = self.keyframes.iter().peekable();
        for frame in 0..frames {
            while let Some((event, _)) = events.next_if(|(_, before)| **before <= frame) {
                sink.event(event)?;
            }
            sink.frame(Frame {
                index: frame as u64,
                time: self.times[frame],
                row: self.row(frame),
                hash: self.hashes[frame],
                contacts: self.contacts(frame),
                keyframe: keyframes.next_if(|(at, _)| *at == frame).map(|(_, bytes)| bytes.as_slice()),
            })?;
        }
        Ok(())
    }

    /// Hands everything to a sink, in the order in which it was recorded, but notices at the end, and
    /// finishes it.
    ///
    /// # Errors
    /// Errors of the sink.
    pub fn replay(&self, sink: &mut dyn Sink) -> io::Result<()> {
        self.replay_frames(self.frames(), sink)?;
        let handed = self.frames_before.partition_point(|&before| before < self.frames());
        for event in &self.events[handed..] {
            sink.event(event)?;
        }
        for notice in &self.notices {
            sink.notice(notice)?;
        }
        sink.finish()
    }
}

fn same_bits(a: &[f64], b: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    a.len() == b.len() && a.iter().zip(b).all(same)
}

fn same_event(a: &Event, b: &Event) -> bool {
    (a.index, a.time.to_bits(), a.kind, a.context) == (b.index, b.time.to_bits(), b.kind, b.context)
        && a.objects == b.objects
        && a.given.len() == b.given.len()
        && a.given.iter().zip(&b.given).all(|(a, b)| a.0 == b.0 && same_bits(&a.1, &b.1))
        && same_bits(&a.before, &b.before)
        && same_bits(&a.after, &b.after)
}

impl Sink for Recording {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        if let Some(keyframe) = frame.keyframe {
            self.keyframes.push((self.times.len(), keyframe.to_vec()));
        }
        self.times.push(frame.time);
        self.hashes.push(frame.hash);
        self.rows.extend_from_slice(frame.row);
        self.contacts.extend_from_slice(frame.contacts);
        self.contacts_until.push(self.contacts.len());
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.take_event(event.clone())
    }

    fn take_event(&mut self, event: Event) -> io::Result<()> {
        self.frames_before.push(self.times.len());
        self.events.push(event);
        Ok(())
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.notices.push(notice.clone());
        Ok(())
    }
}
