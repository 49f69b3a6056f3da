//! Samples: the moments at which values were recorded, which are frames and both sides of events. Those of
//! events are of who takes part only.

use crate::columns::Place;
use crate::event::Event;
use crate::event_row::Moment;
use crate::recording::Recording;

/// A moment at which values were recorded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// A frame, by its number.
    Frame(usize),
    /// Just before an event, by its number.
    Before(usize),
    /// Just after it.
    After(usize),
}

impl Recording {
    /// All samples, in order of time.
    pub fn samples(&self) -> Vec<Sample> {
        let mut all = Vec::with_capacity(self.frames() + 2 * self.events.len());
        let mut events = self.frames_before.iter().enumerate().peekable();
        for frame in 0..=self.frames() {
            while let Some((event, _)) = events.next_if(|(_, before)| **before <= frame) {
                all.extend([Sample::Before(event), Sample::After(event)]);
            }
            if frame < self.frames() {
                all.push(Sample::Frame(frame));
            }
        }
        all
    }
}

impl Sample {
    /// The sample at one side of an event, by its number.
    pub fn of_event(event: usize, moment: Moment) -> Self {
        match moment {
            Moment::Before => Self::Before(event),
            Moment::After => Self::After(event),
        }
    }

    /// Returns `true` if a recording has this frame or event.
    pub fn is_of(self, recording: &Recording) -> bool {
        match self {
            Self::Frame(frame) => frame < recording.frames(),
            Self::Before(event) | Self::After(event) => event < recording.events.len(),
        }
    }

    /// Its time.
    ///
    /// # Panics
    /// If the recording has no such frame or event.
    pub fn time(self, recording: &Recording) -> f64 {
        match self {
            Self::Frame(frame) => recording.times[frame],
            Self::Before(event) | Self::After(event) => recording.events[event].time,
        }
    }

    /// The event, and the side of it; `None` for a frame.
    ///
    /// # Panics
    /// As [`time`](Self::time).
    pub fn event(self, recording: &Recording) -> Option<(&Event, Moment)> {
        match self {
            Self::Frame(_) => None,
            Self::Before(event) => Some((&recording.events[event], Moment::Before)),
            Self::After(event) => Some((&recording.events[event], Moment::After)),
        }
    }

    /// The scalar that stands at one of these places, whichever has a value then: NaN if none has, `None` if
    /// their owner had no part in the event.
    ///
    /// # Panics
    /// As [`time`](Self::time).
    pub fn scalar(self, recording: &Recording, places: &[Place]) -> Option<f64> {
        let schema = &recording.schema;
        match (self, self.event(recording)) {
            (Self::Frame(frame), _) => Some(schema.scalar(recording.row(frame), places)),
            (_, Some((event, side))) if schema.takes_part(event, places) => {
                Some(schema.event_scalar(event, side, places))
            }
            _ => None,
        }
    }
}
