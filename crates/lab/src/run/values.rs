//! Values at one moment of a run: all that rows and measures read.

/// Maximum number of objects for which measures are taken at every event: an event must cost what its
/// participants cost.
pub(crate) const MAX_OBJECTS_MEASURED_AT_EVENTS: usize = 64;

/// An input of a measure: the object, by its index in the experiment, or the world; and the attribute.
pub(crate) type Input = (Option<usize>, String);

/// Everything that is known at one moment of a run: at a frame, or just before or after an event.
pub(crate) trait Values {
    /// Time of the moment.
    fn time(&self) -> f64;

    /// Appends the scalars of a recorded quantity, by its number in the schema; NaN where it has no value.
    fn recorded(&self, quantity: usize, out: &mut Vec<f64>);

    /// Appends the scalars of an attribute as measures read it.
    fn attribute(&self, object: Option<usize>, name: &str, out: &mut Vec<f64>);

    /// Returns `true` if everything that a measure reads is known at this moment.
    fn knows(&self, inputs: &[Input]) -> bool;
}
