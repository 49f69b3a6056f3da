//! A recording in memory.

use super::{Event, Frame, Notice, Schema, Sink};
use std::io;

/// A run, whole or cut short.
#[derive(Clone, Debug)]
pub struct Recording {
    /// What the columns are.
    pub schema: Schema,
    /// The times of all frames.
    pub times: Vec<f64>,
    /// The hash of each frame.
    pub hashes: Vec<u64>,
    /// All events, in order of time.
    pub events: Vec<Event>,
    /// How many frames there were when each event happened.
    pub frames_before: Vec<usize>,
    /// What the run had to say.
    pub notices: Vec<Notice>,
    /// Frames that a run can go on from, increasing.
    pub keyframes: Vec<(usize, Vec<u8>)>,
    rows: Vec<f64>,
}

impl Recording {
    /// Nothing yet.
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
        }
    }

    /// How many frames there are.
    pub fn frames(&self) -> usize {
        self.times.len()
    }

    /// All scalars of a frame.
    pub fn row(&self, frame: usize) -> &[f64] {
        let width = self.schema.width();
        &self.rows[frame * width..][..width]
    }
}

impl Sink for Recording {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        if let Some(keyframe) = frame.keyframe {
            self.keyframes.push((self.times.len(), keyframe.to_vec()));
        }
        self.times.push(frame.time);
        self.hashes.push(frame.hash);
        self.rows.extend_from_slice(frame.row);
        Ok(())
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.frames_before.push(self.times.len());
        self.events.push(event.clone());
        Ok(())
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.notices.push(notice.clone());
        Ok(())
    }
}
