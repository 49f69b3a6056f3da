//! Runs of texts, for all tests here.

pub(crate) use crate::support::runs::{run, run_with, value, wrong};
use gedanken_recording::{Event, Moment, Owner, Recording};

/// A block, and a simulation of it with these lines.
pub(crate) fn simulated(block: &str, lines: &str) -> String {
    format!("{block}\nsimulation {{\n    name = s\n    mechanics = lagrangian\n{lines}\n}}\n")
}

/// A real of the world in all frames.
pub(crate) fn series(recording: &Recording, name: &str) -> Vec<f64> {
    (0..recording.frames()).map(|frame| value(recording, frame, "", name)[0]).collect()
}

/// A real of the world in the last frame.
pub(crate) fn last(recording: &Recording, name: &str) -> f64 {
    value(recording, recording.frames() - 1, "", name)[0]
}

/// A real of the world at one side of an event.
pub(crate) fn at_event(recording: &Recording, event: &Event, side: Moment, name: &str) -> f64 {
    let quantity = recording.schema.quantity(Owner::World, name).unwrap();
    let place = recording.schema.event_place(&event.objects, quantity.start).unwrap();
    match side {
        Moment::Before => event.before[place],
        Moment::After => event.after[place],
    }
}
