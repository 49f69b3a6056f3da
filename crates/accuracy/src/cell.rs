//! One row of the accuracy table: a measured value beside the exact one.

use crate::method::Method;

/// Result of comparing a cell with its tolerance.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The error is within the tolerance.
    Pass,
    /// The error exceeds the tolerance, or there is no value.
    Fail,
    /// The same where the method does not claim that accuracy.
    Miss,
    /// There is no tolerance: the value is reported.
    Reported,
}

/// A measured value beside the exact one.
#[derive(Debug, Clone, PartialEq)]
pub struct Cell {
    /// Number of the case.
    pub case: u32,
    /// Name of the case.
    pub name: &'static str,
    /// Measured quantity.
    pub quantity: String,
    /// Method that computed it.
    pub method: Method,
    /// Measured value; NaN if there is none.
    pub measured: f64,
    /// Exact value; `None` where the measured one is only reported.
    pub exact: Option<f64>,
    /// Error of the measured value: relative, unless `absolute`.
    pub error: f64,
    /// `true` if `error` is the difference of the values.
    pub absolute: bool,
    /// Maximum error; `None` where the value is only reported.
    pub tolerance: Option<f64>,
    /// Result of the comparison.
    pub verdict: Verdict,
    /// `true` if the quick form measured less than the full one.
    pub short: bool,
    /// Conditions of the measurement, or why there is no value.
    pub note: String,
}

impl Cell {
    /// Returns `true` if the method claims the accuracy and misses it.
    #[must_use]
    pub fn failed(&self) -> bool {
        self.verdict == Verdict::Fail
    }
}
