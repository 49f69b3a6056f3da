//! Heaps: boxes and balls that fall on each other, and come to rest by the laws of the guide.

use super::support::{
    FLIGHT, assert_near, ball, block, collisions, events, last, object, run, simulation, try_run,
};
use gedanken_lab::Options;
use gedanken_recording::EventKind;

pub(super) const G: f64 = 9.81;

/// A bounce off something that does not move, with the restitution `e` of the world.
pub(super) const BOUNCE: &str = "context {
    name = bounce
    type = collision
    functions = {
        v = previous(v) - (1 + e) * (previous(v) . collisionNormal) * collisionNormal
    }
    applicability = {
        mandatory 1 dynamic object and 1 static object
    }
}
";

/// A hit of two that move, with the restitution `e` of the world.
pub(super) const HIT: &str = "context {
    name = hit
    type = collision
    aliases = {
        use v1 as attribute v of object with index 0
        use v2 as attribute v of object with index 1
        use m1 as attribute mass of object with index 0
        use m2 as attribute mass of object with index 1
        use n as attribute collisionNormal of object with index 0
    }
    functions = {
        j = (1 + e) * m1 * m2 / (m1 + m2) * ((previous(v2) - previous(v1)) . n)
        v1 = previous(v1) + j / m1 * n
        v2 = previous(v2) - j / m2 * n
    }
    applicability = {
        mandatory 2 dynamic objects
    }
}
";

/// The guide's law of things that stand on each other.
pub(super) const STANDING: &str = "context {
    name = standing
    type = contact
    geometric_data_directions = {[0, 0, 1], [0, 0, -1]}
    attributes = {t0, pos0, v0}
    compute_first_time_only_attributes = {t0, pos0, v0}
    functions = {
        t0 = t
        pos0 = position
        v0 = v
        carried = mass + massSumDirVec1
        weight = carried * a
        n = collisionNormalsDirVec2 # 1
        reaction = if hasPathToStaticObjectDirVec2 then -(weight . n) * n else [0, 0, 0]
        acceleration = (weight + reaction) / carried
        v = v0 + acceleration * (t - t0)
        position = pos0 + v0 * (t - t0) + 0.5 * acceleration * (t - t0)^2
    }
}
";

/// Gravity, and the restitution of all.
pub(super) fn world(e: f64) -> String {
    format!("world attributes {{\n    a = [0, 0, -{G:?}]\n    e = {e:?}\n}}\n")
}

/// A dynamic cuboid with a velocity and a mass.
pub(super) fn brick(name: &str, position: [f64; 3], size: [f64; 3], v: [f64; 3], more: &str) -> String {
    let attributes = format!(
        "position = {position:?}\n        size = {size:?}\n        v = {v:?}\n        mass = 1\n        {more}"
    );
    object(name, "dynamic", "cuboid", &attributes)
}

/// Boxes above each other, with air between them.
fn dropped(count: usize, e: f64) -> String {
    let mut text = world(e) + &block("ground", [0.0, 0.0, -0.5], [20.0, 20.0, 1.0]);
    for k in 0..count {
        let z = 0.8 + 1.3 * k as f64;
        text += &brick(&format!("box{k:02}"), [0.0, 0.0, z], [1.0; 3], [0.0; 3], "");
    }
    text + FLIGHT + BOUNCE + HIT + STANDING
}

/// The impact of one box on another that lies on the floor is passed to and fro between them and dies by half
/// each time: 40 times to a part in 10¹². It was followed down to the smallest number that there is, and 1,359
/// collisions.
#[test]
fn an_impact_that_dies_out_ends_at_its_rounding() {
    let recording = run(&simulation(&dropped(2, 0.0), 2.0, 60.0, ""));
    assert!(collisions(&recording).len() < 100, "{} collisions", collisions(&recording).len());
    for (k, name) in ["box00", "box01"].into_iter().enumerate() {
        assert_near(last(&recording, &format!("{name}.position"))[2], 0.5 + k as f64, 1e-10);
    }
}

/// Boxes dropped on each other come to rest, whatever their restitution. With 0 the run was stopped ("still
/// close in"), and with 0.5 a million events later it had got nowhere.
#[test]
fn stacks_of_ten_come_to_rest() {
    for e in [0.0, 0.2, 0.5, 0.8] {
        let (recording, stop) = try_run(&simulation(&dropped(10, e), 6.0, 60.0, ""), Options::default());
        assert!(stop.is_none(), "e = {e}: {stop:?}");
        for k in 0..10 {
            let name = format!("box{k:02}");
            assert_near(last(&recording, &format!("{name}.position"))[2], 0.5 + k as f64, 1e-4);
            assert_near(last(&recording, &format!("{name}.v"))[2], 0.0, 1e-4);
        }
    }
}

/// What is left of the last bounce carries a box off its ramp, and free fall brings it back, 700,000 times in
/// two seconds. It is held, and the speed along the normal is told once, with the cure.
#[test]
fn a_trace_of_the_last_bounce_does_not_end_a_contact() {
    let slope = std::f64::consts::FRAC_PI_6;
    let (down, out) = ([libm::cos(slope), 0.0, -libm::sin(slope)], [libm::sin(slope), 0.0, libm::cos(slope)]);
    let start = [0, 1, 2].map(|k: usize| -8.0 * down[k] + 1.75 * out[k]);
    let text = [
        &world(0.5),
        &object(
            "ramp",
            "static",
            "cuboid",
            "position = [0, 0, 0]\n        orientation = [0, pi / 6, 0]\n        size = [20, 6, 1]",
        ),
        &brick("box", start, [1.0, 1.0, 0.5], [0.0; 3], "orientation = [0, pi / 6, 0]"),
        FLIGHT,
        BOUNCE,
        STANDING,
    ]
    .concat();
    let recording = run(&simulation(&text, 2.0, 60.0, ""));
    assert!(recording.events.len() < 100, "{} events", recording.events.len());
    assert_eq!(events(&recording, EventKind::Contact).len(), 1);
    let told: Vec<&str> = recording.notices.iter().map(|it| it.message.as_str()).collect();
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(told[0].contains("v . n = ") && told[0].contains("`v0 = v - (v . n) * n`"), "{}", told[0]);
}

/// A ball on a ball, by a law for flat ground: it leaves the round one at once and falls back at once. At most
/// ten times it may alternate; then it is held.
#[test]
fn a_law_for_flat_ground_on_a_round_one_is_held() {
    let text = [
        &world(0.0),
        &block("ground", [0.0, 0.0, -0.5], [20.0, 20.0, 1.0]),
        &ball("lower", [0.0, 0.0, 0.5], 0.5, [0.0; 3], 1.0),
        &ball("upper", [0.2, 0.0, 1.7], 0.4, [0.0; 3], 1.0),
        FLIGHT,
        BOUNCE,
        HIT,
        STANDING,
    ]
    .concat();
    let recording = run(&simulation(&text, 1.0, 60.0, ""));
    let contacts = events(&recording, EventKind::Contact).len();
    assert!(contacts < 100, "{contacts} contacts");
    let told = recording.notices.iter().filter(|it| it.message.contains("alternate between")).count();
    assert_eq!(told, 1, "{:?}", recording.notices);
}
