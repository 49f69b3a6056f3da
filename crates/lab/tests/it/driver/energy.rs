//! Laws that are too fast for the step are named at the start, a motion that gains energy from nothing ends, and
//! drag and magnetic fields gain none.

use super::texts::{drive, one_per_line, ready};
use crate::support::model;
use gedanken_lab::Stop;
use gedanken_lang::diagnostic::Code;
use gedanken_recording::{Owner, Recording};

/// A run of a ball of 1 kg under a law.
fn ran(ball: &str, law: &str, settings: &str) -> (Recording, Option<Stop>) {
    let text = format!(
        "object {{ name = ball  physical type = dynamic  geometrical type = sphere  collides = false
    attributes = {{ {ball}  size = 0.1  mass = 1 }} }}
{law}
simulation {{ name = s  mechanics = rigid  {settings} }}
"
    );
    let experiment = model(&one_per_line(&text));
    drive(&mut ready(&experiment, &experiment.simulations[0]))
}

/// The last value of a vector of the ball.
fn last(recording: &Recording, name: &str) -> [f64; 3] {
    let start = recording.schema.quantity(Owner::Object(0), name).unwrap().start;
    let row = recording.row(recording.frames() - 1);
    [row[start], row[start + 1], row[start + 2]]
}

const SPRING: &str = "potential spring { of = {ball}  energy = 26000 * position . position }";

#[test]
fn an_unstable_spring_is_named_and_stops() {
    let settings = "duration = 10  time step = 0.01  frame rate = 10";
    let (recording, stop) = ran("position = [1, 0, 0]", SPRING, settings);
    let [notice] = recording.notices.as_slice() else { panic!("{:?}", recording.notices) };
    for word in ["`spring`", "`ball`", "228 rad/s", "0.00877 s", "implicit_midpoint"] {
        assert!(notice.message.contains(word), "{word}: {}", notice.message);
    }
    let Some(Stop::Experiment(diagnostic)) = stop else { panic!("{stop:?}") };
    assert_eq!(diagnostic.code, Code::E810);
    let help = diagnostic.help.unwrap_or_default();
    assert!(help.contains("`spring` moves `ball`") && help.contains("`time step = "), "{help}");
    assert!(recording.frames() < 5, "it ends before it has run away");
}

/// The same without a potential: what work such a force may do is not known, but that it is too fast for the step.
#[test]
fn an_unstable_force_without_a_potential_stops_too() {
    let law = "force spring { of = {ball}  force = -52000 * position }";
    let settings = "duration = 10  time step = 0.01  frame rate = 10";
    let (recording, stop) = ran("position = [1, 0, 0]", law, settings);
    assert!(recording.notices[0].message.contains("`spring` moves `ball`"), "{:?}", recording.notices);
    let Some(Stop::Experiment(diagnostic)) = stop else { panic!("{stop:?}") };
    assert_eq!(diagnostic.code, Code::E810);
    assert!(recording.frames() < 5);
}

#[test]
fn the_implicit_midpoint_rule_holds_the_same_spring() {
    let settings = "duration = 10  time step = 0.01  frame rate = 10  integrator = implicit_midpoint";
    let (recording, stop) = ran("position = [1, 0, 0]", SPRING, settings);
    assert!(stop.is_none() && recording.notices.is_empty(), "{stop:?} {:?}", recording.notices);
    for frame in 0..recording.frames() {
        let start = recording.schema.quantity(Owner::Object(0), "position").unwrap().start;
        assert!(recording.row(frame)[start].abs() <= 1.0 + 1e-9);
    }
}

#[test]
fn stiff_drag_ends_at_its_terminal_speed() {
    let law = "force drag { of = {ball}  force = -250 * velocity }";
    let settings = "gravity = [0, 0, -9.81]  duration = 4  time step = 0.01  frame rate = 10";
    let (recording, stop) = ran("position = [0, 0, 10]  velocity = [3, 0, 0]", law, settings);
    assert!(stop.is_none(), "{stop:?}");
    let [notice] = recording.notices.as_slice() else { panic!("{:?}", recording.notices) };
    assert!(notice.message.contains("`drag`") && notice.message.contains("250"), "{}", notice.message);
    let [x, y, z] = last(&recording, "velocity");
    assert!(x.abs() < 1e-12 && y == 0.0 && (z + 9.81 / 250.0).abs() < 1e-12, "{x} {y} {z}");
}

/// E × B: the mean velocity is E/B across both, and kinetic and electric energy change into each other.
#[test]
fn a_charge_in_crossed_fields_drifts_by_their_ratio() {
    let law = "force lorentz { of = {ball}  force = [0, 0.5, 0] + 5 * [velocity # 2, 0 - velocity # 1, 0] }";
    for method in ["leapfrog", "forest_ruth", "yoshida8"] {
        let settings = format!("duration = 20  time step = 0.01  integrator = {method}");
        let (recording, stop) = ran("position = [0, 0, 0]  velocity = [1, 0, 0]", law, &settings);
        assert!(stop.is_none() && recording.notices.is_empty(), "{stop:?} {:?}", recording.notices);
        let (place, v) = (last(&recording, "position"), last(&recording, "velocity"));
        // v_x - E/B and v_y turn with the rate B.
        let (sin, cos) = libm::sincos(5.0 * 20.0);
        let exact = [0.1 + 0.9 * cos, -0.9 * sin];
        // Boris's rotation is short by a part (Bh)²/12 of its angle.
        let short = 100.0 * 0.05 * 0.05 / 12.0;
        let allowed = if method.starts_with("leapfrog") { 0.9 * 1.42 * short } else { 1e-3 };
        assert!((v[0] - exact[0]).abs() + (v[1] - exact[1]).abs() < allowed, "{method}: {v:?} {exact:?}");
        let energy = 0.5 * (v[0] * v[0] + v[1] * v[1]) - 0.5 * place[1];
        assert!((energy - 0.5).abs() < 1e-12, "{method}: {energy}");
    }
}

#[test]
fn a_force_that_jumps_with_the_velocity_is_told_once() {
    let law = "force friction { of = {ball}  force = if velocity . velocity > 0 then -3 * velocity / sqrt(velocity . velocity) else [0, 0, 0] }";
    let settings = "duration = 1  time step = 0.01  frame rate = 10";
    let (recording, stop) = ran("position = [0, 0, 0]  velocity = [1, 0, 0]", law, settings);
    assert!(stop.is_none(), "{stop:?}");
    let told = recording.notices.iter().filter(|it| it.message.contains("jumps with the velocity")).count();
    assert_eq!(told, 1, "{:?}", recording.notices);
    assert!(last(&recording, "velocity")[0].abs() < 0.031);
}

/// A driven potential gives energy that is nobody's work, and grows as it should.
#[test]
fn a_driven_potential_may_feed_the_motion() {
    let law = "potential pump { of = {ball}  energy = 2 * (1 + 0.5 * cosine(4 * t)) * position . position }";
    let settings = "duration = 30  time step = 0.01  frame rate = 10";
    let (recording, stop) = ran("position = [1, 0, 0]", law, settings);
    assert!(stop.is_none(), "{stop:?}");
    assert!(last(&recording, "velocity")[0].abs() > 10.0 || last(&recording, "position")[0].abs() > 10.0);
}
