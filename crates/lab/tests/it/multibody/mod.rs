//! Mechanisms: from MJCF against MuJoCo, and from experiments.

mod joints;
mod oracle;
mod same_motion;
mod soft;
mod surroundings;

use crate::support::guide::run;
use crate::support::model;
use gedanken_recording::Recording;

/// Runs the only simulation of a text to its end.
fn soft_run(text: &str) -> Recording {
    let experiment = model(text);
    let (recording, fault) = run(&experiment, &experiment.simulations[0]);
    assert!(fault.is_none(), "{text}\n{fault:?}");
    recording
}

/// Scalars of a quantity of the world, `joint_work`, or of an object, `ball.position`, in the last frame.
fn last(recording: &Recording, name: &str) -> Vec<f64> {
    let (owner, what) = match name.split_once('.') {
        Some((object, what)) => {
            let place = recording.schema.objects.iter().position(|it| it == object);
            (gedanken_recording::Owner::Object(place.expect("an object")), what)
        }
        None => (gedanken_recording::Owner::World, name),
    };
    let quantity = recording.schema.quantity(owner, what).unwrap_or_else(|| panic!("no {name}"));
    recording.row(recording.frames() - 1)[quantity.start..quantity.end()].to_vec()
}
