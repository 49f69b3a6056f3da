//! Formulas over recordings: what names mean, what comes out, and what is said about a text that is none.

#[path = "../../../../recording/tests/recording/sample.rs"]
#[allow(dead_code, reason = "shared with the tests of recordings, which use all of it")]
mod sample;

mod any;
mod explain;
mod gallery;
mod messages;
mod names;
mod times;
mod values;

use gedanken_recording::Recording;
use gedanken_recording::formula::Formula;

/// A formula without mistakes.
fn formula(recording: &Recording, text: &str) -> Formula {
    Formula::read(&recording.schema, text).unwrap_or_else(|refused| panic!("{refused}"))
}

/// The first number of a formula in every frame.
fn frames(recording: &Recording, text: &str) -> Vec<f64> {
    formula(recording, text).series(recording, 0..recording.frames(), 1).columns.remove(0)
}

/// Returns `true` if two series are the same to the bit, where no value is the same as no value.
fn same(a: &[f64], b: &[f64]) -> bool {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    a.len() == b.len() && a.iter().zip(b).all(same)
}
