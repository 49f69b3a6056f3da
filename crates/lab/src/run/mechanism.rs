//! The interface of a mechanics: one step, its values, its state. Frames, rows, measures, keyframes and stops
//! are the driver's.

use super::clock::StepClock;
use super::events::Events;
use super::options::Stop;
use super::values::Values;
use super::words::{Hash, Words, WordsReader};
use gedanken_recording::Schema;

/// A simulation under way, by one kind of laws.
pub(crate) trait Mechanism: Send {
    /// Schema of its recordings, measures last.
    fn schema(&self) -> &Schema;

    /// Prepares the initial state, which is that of frame 0. `frame_end` is the time of the first frame of
    /// the grid, whatever the duration is. A run that is resumed does not begin.
    fn begin(&mut self, frame_end: f64, events: &mut Events<'_>) -> Result<(), Stop>;

    /// Makes one step. One that fails leaves the state as it was before, unless it is a whole frame of its
    /// own.
    fn step(&mut self, clock: StepClock, events: &mut Events<'_>) -> Result<(), Stop>;

    /// Number of evaluations of laws so far, about, where it varies from frame to frame: the same on every
    /// machine.
    fn evaluations(&self) -> u64 {
        0
    }

    /// Names of the laws that move an object, by its place among those of the schema, or everything.
    fn laws_moving(&self, object: Option<usize>) -> Vec<String>;

    /// Sets the clock to the time of the frame that has been reached: steps may end a rounding beside it.
    fn set_time(&mut self, time: f64);

    /// Everything that is known now, at a frame.
    fn moment(&self) -> Result<Box<dyn Values + '_>, Stop>;

    /// Appends the contacts of the last step, at a frame: [`CONTACT_SCALARS`](gedanken_recording::CONTACT_SCALARS)
    /// reals each. None, unless the schema says that they are recorded.
    fn contacts(&self, _: &mut Vec<f64>) {}

    /// Hash of the whole state, at a frame whose row is `row`.
    fn hash(&self, row: &[f64]) -> u64;

    /// Number of scalars of the state, about: it decides how many frames keyframes are apart.
    fn scalars(&self) -> usize;

    /// Saves the state of a frame: all that decides how the run goes on.
    fn save(&self, to: &mut Words);

    /// Restores a state that [`save`](Self::save) has written at a frame of this time. After an error the run
    /// is of no use.
    fn load(&mut self, time: f64, from: &mut WordsReader<'_>) -> Result<(), Stop>;

    /// Takes in the names of everything that a saved state depends on, beside those of the schema.
    fn fingerprint(&self, hash: &mut Hash);
}
