//! Values at one moment of a run: all that rows and measures read.

use std::ops::Range;

/// Maximum number of objects for which measures are taken at every event: an event must cost what its
/// participants cost.
pub(crate) const MAX_OBJECTS_MEASURED_AT_EVENTS: usize = 64;

/// An input of a measure: the object, by its index in the experiment, or the world; and the attribute.
pub(crate) type Input = (Option<usize>, String);

/// Everything that is known at one moment of a run: at a frame, or just before or after an event.
pub(crate) trait Values {
    /// Time of the moment.
    fn time(&self) -> f64;

    /// Appends the scalars of recorded quantities, by their numbers in the schema; NaN where one has no value.
    /// All of a frame are asked for at once: ten thousand bodies have several each.
    fn recorded(&self, quantities: Range<usize>, out: &mut Vec<f64>);

    /// Appends the scalars of an attribute as measures read it.
    fn attribute(&self, object: Option<usize>, name: &str, out: &mut Vec<f64>);

    /// Returns `true` if everything that a measure reads is known at this moment.
    fn knows(&self, inputs: &[Input]) -> bool;
}
