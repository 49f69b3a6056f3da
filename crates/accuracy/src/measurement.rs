//! The sheet of a case: targets on one side, measurements on the other, and a verdict for each.

use super::{Case, Cell, Choice, Method, Verdict};
use std::error::Error;

/// Why there is no answer.
pub(super) type Trouble = Box<dyn Error>;

/// What is to be measured, and what should come out.
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
    /// A value that is reported only.
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

    /// It should be this, up to a relative error.
    pub(super) fn near(self, exact: f64, tolerance: f64) -> Self {
        Self { exact: Some(exact), tolerance: Some(tolerance), absolute: exact == 0.0, ..self }
    }

    /// It should be this, up to a difference.
    pub(super) fn within(self, exact: f64, tolerance: f64) -> Self {
        Self { absolute: true, ..self.near(exact, tolerance) }
    }

    /// How it is measured.
    pub(super) fn noting(self, note: impl Into<String>) -> Self {
        Self { note: note.into(), ..self }
    }

    /// It is shown whatever comes out, but the method does not claim it.
    pub(super) fn claimed(self, claimed: bool) -> Self {
        Self { claimed, ..self }
    }

    /// It is cut short in the quick form.
    pub(super) fn long(self) -> Self {
        Self { long: true, ..self }
    }
}

/// The sheet of a case.
pub(super) struct Sheet<'s> {
    case: &'s Case,
    choice: &'s Choice,
    tell: &'s mut dyn FnMut(Method),
    /// What was measured so far.
    pub(super) cells: Vec<Cell>,
}

impl<'s> Sheet<'s> {
    pub(super) fn new(case: &'s Case, choice: &'s Choice, tell: &'s mut dyn FnMut(Method)) -> Self {
        Self { case, choice, tell, cells: Vec::new() }
    }

    /// One value for the full form, another for the quick one.
    pub(super) fn choose<T>(&self, full: T, quick: T) -> T {
        if self.choice.quick { quick } else { full }
    }

    /// Measures several quantities in one run, if the method was asked for.
    pub(super) fn measure<const N: usize>(
        &mut self,
        method: Method,
        targets: [Target; N],
        run: impl FnOnce() -> Result<[f64; N], Trouble>,
    ) {
        if self.choice.method.as_ref().is_some_and(|name| name != method.name()) {
            return;
        }
        (self.tell)(method);
        let (values, why) = match run() {
            Ok(values) => (values, None),
            Err(why) => ([f64::NAN; N], Some(why.to_string())),
        };
        for (target, measured) in targets.into_iter().zip(values) {
            let Target { quantity, exact, tolerance, absolute, long, claimed, note } = target;
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
                case: self.case.number,
                name: self.case.name,
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
