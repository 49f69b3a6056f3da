//! Sines and cosines: angles in independent units, sums of waves, and the shortest way to write them.

mod angles;
mod forms;
mod waves;

pub(crate) use angles::Angles;
pub(crate) use forms::{Forms, Style};
