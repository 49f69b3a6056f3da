//! Prediction: what two objects that touch do by the laws that hold now. They come apart, stay together, or
//! sink into each other.

use super::super::Engine;
use super::super::ids::ActorId;
use crate::run::options::Stop;

/// Behaviour of two objects that touch, in free fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// They do not touch.
    Apart,
    /// They separate.
    Leave,
    /// They do not separate. `overlapping` is `true` if they sink into each other.
    Stay { overlapping: bool },
}

impl Engine<'_> {
    /// Predicts the motion of two objects that may touch, by the laws that hold now. Returns their touch band
    /// as well.
    pub(super) fn predict(&mut self, a: ActorId, b: ActorId, t: f64) -> Result<(Outcome, f64), Stop> {
        let touch = self.touch(a, b, t)?;
        let band = self.search.band(&self.world, a, b).at(touch.farthest);
        if touch.gap > band {
            return Ok((Outcome::Apart, band));
        }
        let (tick, frame) = (self.search.tick, self.frame_length());
        let approach = self.approach(a, b, &touch, t)?;
        if approach.speed < -1e3 * approach.noise {
            // Fast enough to decide by one snapshot, if nothing holds them back.
            let soon = t + (2.0 * (band - touch.gap) / -approach.speed).max(4.0 * tick);
            if soon < t + frame && self.gap(a, b, soon)? > band {
                return Ok((Outcome::Leave, band));
            }
        }
        let mut wait = 4.0 * tick;
        loop {
            let last = wait >= frame;
            let gap = self.gap(a, b, t + wait.min(frame))?;
            if gap > band {
                return Ok((Outcome::Leave, band));
            }
            if gap < -band && gap < touch.gap {
                return Ok((Outcome::Stay { overlapping: true }, band));
            }
            if last {
                return Ok((Outcome::Stay { overlapping: false }, band));
            }
            wait *= 2.0;
        }
    }
}
