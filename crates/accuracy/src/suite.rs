//! Runs the chosen cases one after the other.

use crate::cases::table::{CASES, Case};
use crate::cell::Cell;
use crate::choice::Choice;
use crate::measurement::CaseRun;
use crate::method::Method;

/// Position of a run in the suite.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'p> {
    /// Number of chosen cases that are done.
    pub done: usize,
    /// Number of chosen cases.
    pub cases: usize,
    /// Case that is measured now.
    pub case: &'p Case,
    /// Method that is measured now.
    pub method: Method,
}

/// Runs the chosen cases. `progress` is called before every measurement.
pub fn run(choice: &Choice, progress: &mut dyn FnMut(Progress<'_>)) -> Vec<Cell> {
    let chosen: Vec<&Case> =
        CASES.iter().filter(|case| choice.cases.is_empty() || choice.cases.contains(&case.number)).collect();
    let mut cells = Vec::new();
    for (done, case) in chosen.iter().enumerate() {
        let mut begin = |method: Method| progress(Progress { done, cases: chosen.len(), case, method });
        let mut run = CaseRun::new(case.number, case.name, choice, &mut begin);
        (case.run)(&mut run);
        cells.append(&mut run.cells);
    }
    cells
}
