//! Bodies that overlap when a run begins: nothing that the file means, so it is said.

use crate::recording::Notice;
use gedanken_dynamics::rigid::Simulation;
use gedanken_dynamics::rigid::notice::Notice as Found;
use gedanken_lang::value::Value;

/// Pairs that are named; of the others, how many there are.
const NAMED: usize = 8;

/// What was found before the first step.
pub(super) fn notices(run: &Simulation, time: f64) -> Vec<Notice> {
    let said = |found: &Found| {
        let Found::Overlap { bodies: [a, b], depth } = found;
        let depth = Value::Real(*depth);
        let message = format!(
            "`{a}` and `{b}` overlap by {depth} at the start: they are moved apart, without gaining speed"
        );
        Notice { time, message }
    };
    let found = run.notices();
    let mut notices: Vec<Notice> = found.iter().take(NAMED).map(said).collect();
    if let Some(more) = found.len().checked_sub(NAMED).filter(|more| *more > 0) {
        notices.push(Notice { time, message: format!("{more} more pairs overlap at the start") });
    }
    notices
}
