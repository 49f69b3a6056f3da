//! Notices at the start of a run, of things that are allowed and seldom meant: bodies that overlap, joints that
//! repeat or contradict others.

use gedanken_lang::value::Value;
use gedanken_recording::Notice;
use gedanken_rigid::Notice as Found;
use gedanken_rigid::Simulation;

/// Things of a kind that are named; of the others, how many there are.
const NAMED: usize = 8;

/// Summary of many notices of a kind, by the number of the kind.
const MANY: [&str; 3] = [
    "joints cannot hold together with others",
    "joints repeat what others hold already",
    "pairs overlap at the start",
];

/// The number of a kind: the most surprising one first.
fn kind_of(found: &Found) -> usize {
    match found {
        Found::Conflicting { .. } => 0,
        Found::Redundant { .. } => 1,
        Found::Overlap { .. } => 2,
    }
}

/// Notices of everything that was found before the first step.
pub(in crate::rigid) fn notices(run: &Simulation, time: f64) -> Vec<Notice> {
    let mut notices = Vec::new();
    let mut say = |message: String| notices.push(Notice { time, message });
    for (kind, many) in MANY.iter().enumerate() {
        let found = || run.notices().iter().filter(|found| kind_of(found) == kind);
        found().take(NAMED).for_each(|found| say(words(found)));
        if let Some(more) = found().count().checked_sub(NAMED).filter(|more| *more > 0) {
            say(format!("{more} more {many}"));
        }
    }
    notices
}

fn words(found: &Found) -> String {
    match found {
        Found::Overlap { bodies: [a, b], depth } => {
            let depth = Value::Real(*depth);
            format!(
                "`{a}` and `{b}` overlap by {depth} at the start: they are moved apart, without gaining speed"
            )
        }
        Found::Redundant { joint, repeated, conditions } if repeated == conditions => format!(
            "`{joint}` repeats what other joints hold already: it carries no force, and everything moves as without it"
        ),
        Found::Redundant { joint, repeated, conditions } => format!(
            "`{joint}` repeats what other joints hold already, in {repeated} of its {conditions} conditions: it carries no \
             force there, and everything moves as without them"
        ),
        Found::Conflicting { joint, error, unit } => format!(
            "`{joint}` cannot hold together with other joints: at the start it is off by {} {unit}; take one of them away, \
             or change them so that they agree",
            Value::Real(rounded(*error))
        ),
    }
}

/// A number to three digits.
fn rounded(x: f64) -> f64 {
    format!("{x:.2e}").parse().unwrap_or(x)
}
