//! A motion that runs away is told, by name and once, while it happens; one that is only fast is not.

use super::texts::{all, drive, lasting, one_per_line, ready};
use crate::support::model;
use gedanken_recording::Notice;

/// What a run of a text says of its divergence, and the number of its frames.
fn said(text: &str) -> (Vec<Notice>, usize) {
    let experiment = model(&one_per_line(text));
    let (recording, stop) = drive(&mut ready(&experiment, &experiment.simulations[0]));
    assert!(stop.is_none(), "{stop:?}");
    let mut notices = recording.notices.clone();
    notices.retain(|it| it.message.contains("diverges"));
    (notices, recording.frames())
}

/// The one notice names all of these, and comes before the end of the run.
fn diverges(text: &str, names: &[&str]) {
    let (notices, frames) = said(text);
    let [notice] = notices.as_slice() else { panic!("{notices:?}") };
    for name in names {
        assert!(notice.message.contains(name), "{name}: {}", notice.message);
    }
    assert!(notice.message.contains("look for"), "{}", notice.message);
    assert!(notice.time > 0.0 && frames > 3, "{notice:?}");
    assert_eq!(said(text).0, notices, "the same every time");
}

#[test]
fn rates_with_a_damping_of_the_wrong_sign() {
    diverges(
        "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 1]  size = 0.1  v = [1, 0, 0] } }
context { name = boosted  type = free fall
    functions = { position' = v  v' = 40 * v } }
simulation { name = s  duration = 1  frame rate = 10 }
",
        &["`ball`", "`boosted`"],
    );
}

#[test]
fn a_force_with_a_damping_of_the_wrong_sign() {
    diverges(
        "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [0, 0, 1]  size = 0.1  velocity = [1, 0, 0]  mass = 1 } }
force boost { of = {ball}  force = 40 * velocity }
simulation { name = s  mechanics = rigid  duration = 1  frame rate = 10  time step = 0.01 }
",
        &["`ball`", "`boost`"],
    );
}

#[test]
fn a_time_step_too_long_for_a_stiff_spring() {
    diverges(
        "object { name = ball  physical type = dynamic  geometrical type = sphere
    attributes = { position = [1, 0, 0]  size = 0.1  v = [0, 0, 0] } }
rule spring { writes = {position, v}
    functions = {
        v = previous(v) - dt * 10000 * previous(position)
        position = previous(position) + dt * previous(v)
    } }
simulation { name = s  mechanics = workflow  workflow = spring  duration = 5  frame rate = 1  time step = 0.1 }
",
        &["`ball`", "`spring`"],
    );
}

#[test]
fn an_energy_without_a_lower_end() {
    diverges(
        "lagrangian hill {
    coordinates = { x = 1 }
    T = 0.5 * x_dot^2
    V = -50 * x^2
}
simulation { name = s  mechanics = lagrangian  duration = 5  frame rate = 1  integrator = rk4  time step = 0.01 }
",
        &["`x`", "`hill`"],
    );
}

/// A hundred million turns in a frame, on a circle of a metre.
#[test]
fn what_is_fast_and_stays_does_not_diverge() {
    let (notices, _) = said(
        "object { name = charge  physical type = dynamic  geometrical type = sphere
    attributes = { position = [1, 0, 0]  size = 0.001 } }
context { name = circle  type = free fall
    functions = { position = [cosine(1e9 * t), sine(1e9 * t), 0] } }
simulation { name = s  duration = 1  frame rate = 10 }
",
    );
    assert_eq!(notices, []);
    for (name, experiment) in all() {
        let (recording, _) = drive(&mut ready(&experiment, &lasting(&experiment, 2.0)));
        assert!(!recording.notices.iter().any(|it| it.message.contains("diverges")), "{name}");
    }
}
