//! Measurements of a case: each target gets a measured value and a verdict.

use crate::cell::{Cell, Verdict};
use crate::choice::Choice;
use crate::method::Method;
use std::error::Error;

/// Reason why a quantity could not be measured.
pub(super) type MeasureError = Box<dyn Error>;

/// A quantity to measure, and its exact value.
#[derive(Debug, Clone)]
pub(super) struct Target {
    quantity: String,
    exact: Option<f64>,
    tolerance: Option<f64>,
    absolute: bool,
    long: bool,
    claimed: bool,
    note: String,
}

impl Target {
    /// Makes a target that is only reported.
    pub(super) fn of(quantity: impl Into<String>) -> Self {
        Self {
            quantity: quantity.into(),
            exact: None,
            tolerance: None,
            absolute: false,
            long: false,
            claimed: true,
            note: String::new(),
        }
    }

    /// Expects `exact` up to a relative error.
    pub(super) fn near(self, exact: f64, tolerance: f64) -> Self {
        Self { exact: Some(exact), tolerance: Some(tolerance), absolute: exact == 0.0, ..self }
    }

    /// Expects `exact` up to a difference.
    pub(super) fn within(self, exact: f64, tolerance: f64) -> Self {
        Self { absolute: true, ..self.near(exact, tolerance) }
    }

    /// Adds the conditions of the measurement.
    pub(super) fn noting(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// Sets whether the method claims this accuracy; without a claim an error is a miss, not a failure.
    pub(super) fn claimed(self, claimed: bool) -> Self {
        Self { claimed, ..self }
    }

    /// Marks a target that the quick form cuts short.
    pub(super) fn long(self) -> Self {
        Self { long: true, ..self }
    }
}

/// The measurements of one case.
pub(super) struct CaseRun<'s> {
    number: u32,
    name: &'static str,
    choice: &'s Choice,
    begin: &'s mut dyn FnMut(Method),
    /// Cells measured so far.
    pub(super) cells: Vec<Cell>,
}

impl<'s> CaseRun<'s> {
    /// `begin` is called before every measurement.
    pub(super) fn new(
        number: u32,
        name: &'static str,
        choice: &'s Choice,
        begin: &'s mut dyn FnMut(Method),
    ) -> Self {
        Self { number, name, choice, begin, cells: Vec::new() }
    }

    /// Returns `full` or `quick`, by the form of the suite.
    pub(super) fn choose<T>(&self, full: T, quick: T) -> T {
        if self.choice.quick { quick } else { full }
    }

    /// Measures several quantities in one run, if the method is chosen.
    pub(super) fn measure<const N: usize>(
        &mut self,
        method: Method,
        targets: [Target; N],
        run: impl FnOnce() -> Result<[f64; N], MeasureError>,
    ) {
        if self.choice.method.as_ref().is_some_and(|name| name != method.name()) {
            return;
        }
        (self.begin)(method);
        let (values, why) = match run() {
            Ok(values) => (values, None),
            Err(why) => ([f64::NAN; N], Some(why.to_string())),
        };
        for (target, measured) in targets.into_iter().zip(values) {
            let Target { quantity, exact, tolerance, absolute, long, claimed, note } = target;
            let claimed = claimed && method.claims(self.number);
            let error = match exact {
                Some(exact) if absolute => (measured - exact).abs(),
                Some(exact) => (measured / exact - 1.0).abs(),
                None => 0.0,
            };
            let verdict = match tolerance {
                Some(tolerance) if error <= tolerance => Verdict::Pass,
                _ if !claimed => Verdict::Miss,
                None if measured.is_finite() => Verdict::Reported,
                _ => Verdict::Fail,
            };
            self.cells.push(Cell {
                case: self.number,
                name: self.name,
                quantity,
                method,
                measured,
                exact,
                error,
                absolute,
                tolerance,
                verdict,
                short: long && self.choice.quick,
                note: why.clone().unwrap_or(note),
            });
        }
    }
}
