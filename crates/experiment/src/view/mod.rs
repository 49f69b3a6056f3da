//! What the page shows of a simulation at first: camera, plots, arrows, and what is drawn beside the bodies.
//!
//! A view has no effect on results, and none on fingerprints of recordings. `drawing` has the kinds of things that can be
//! drawn.

pub(crate) mod drawing;
pub(crate) mod model;
pub(crate) mod read;
mod read_drawing;
