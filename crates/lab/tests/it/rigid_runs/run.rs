//! Runs of texts, for all tests here.

use crate::support::runs::owner;
pub(crate) use crate::support::runs::{run, run_with, value, wrong};
use gedanken_recording::{Event, Moment, Recording};

/// The same at one side of an event.
pub(crate) fn at_event(
    recording: &Recording,
    event: &Event,
    side: Moment,
    object: &str,
    name: &str,
) -> Vec<f64> {
    let quantity = recording.schema.quantity(owner(recording, object), name).unwrap();
    let places = (quantity.start..quantity.end()).map(|it| recording.schema.event_place(&event.objects, it));
    places.map(|place| event.row(side)[place.unwrap()]).collect()
}

/// A dynamic ball of radius 0.5.
pub(crate) fn ball(name: &str, attributes: &str) -> String {
    object(name, "dynamic", "sphere", &format!("size = 0.5\n        {attributes}"))
}

/// An object with these attributes.
pub(crate) fn object(name: &str, physical: &str, shape: &str, attributes: &str) -> String {
    format!(
        "object {{\n    name = {name}\n    physical type = {physical}\n    geometrical type = {shape}\n    attributes = {{\n        {attributes}\n    }}\n}}\n"
    )
}

/// The half space below z = 0.
pub(crate) fn ground(attributes: &str) -> String {
    object("ground", "static", "half space", &format!("position = [0, 0, 0]\n        {attributes}"))
}

/// A simulation with these lines.
pub(crate) fn simulation(lines: &str) -> String {
    format!("simulation {{\n    name = s\n    mechanics = rigid\n    {lines}\n}}\n")
}

/// Returns `true` if all numbers are equal within a tolerance.
pub(crate) fn near(found: &[f64], expected: &[f64], tolerance: f64) -> bool {
    found.len() == expected.len() && found.iter().zip(expected).all(|(a, b)| (a - b).abs() <= tolerance)
}
