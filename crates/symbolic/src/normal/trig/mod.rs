//! Sines and cosines: angles in independent units, sums of waves, and the shortest way to write them.

mod angles;
mod forms;
mod waves;

pub(super) use angles::Angles;
pub(super) use forms::{Forms, Style};
