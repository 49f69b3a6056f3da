//! Sweeps: one experiment, run for every point of a grid of parameters.
//!
//! [`Axis`] is a parameter with its values, as `--over` writes it; [`Grid`] is all of their combinations.
//! [`statistics`] sums up what the runs gave. Running them, on all cores, is the business of whoever asks: a
//! run is a [`Run`](crate::Run) of the experiment that was read with the [settings](Grid::settings) of a point.

mod axis;
mod grid;
pub mod statistics;

pub use axis::Axis;
pub use grid::{Grid, MAX_RUNS};
