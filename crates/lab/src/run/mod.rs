//! A simulation under way, whichever mechanics moves its objects.
//!
//! [`Run`] is the driver: it owns the times of frames and steps (`clock`), rows and measures, events, and
//! keyframes. A mechanics implements `Mechanism` and says the rest: how to make one step, what is known at a
//! moment, how to save a state and restore it.

pub(crate) mod check;
pub(crate) mod clock;
pub(crate) mod divergence;
mod driver;
pub(crate) mod events;
pub(crate) mod kernel;
mod keyframe;
pub mod measures;
pub(crate) mod mechanism;
pub(crate) mod options;
pub(crate) mod report;
mod rows;
pub(crate) mod schema;
pub(crate) mod values;
pub(crate) mod words;

pub use driver::Run;
pub use kernel::SharedCode;
pub use options::{Options, Stop};
