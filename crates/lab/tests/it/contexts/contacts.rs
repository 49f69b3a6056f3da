//! Contacts begin, end, merge and split; what touches or overlaps at the start.

use super::support::{
    FLIGHT, MIRROR, STRAIGHT_ON, assert_all_near, assert_near, at, ball, block, collisions, events, last,
    moment, names, object, run, simulation,
};
use gedanken_recording::{EventKind, Moment, Recording};

const G: f64 = 9.81;

/// Gravity, and a floor whose surface is the plane z = 0.
fn ground() -> String {
    format!("world attributes {{\n    a = [0, 0, -{G:?}]\n}}\n")
        + &block("floor", [0.0, 0.0, -0.5], [6.0, 6.0, 1.0])
}

/// A box of edge 1 with the height `z` of its middle, that leaves its contact at `lift_at` with `lift_speed`.
fn lifted(name: &str, z: f64, lift_at: f64, lift_speed: f64) -> String {
    let attributes = format!(
        "position = [0, 0, {z:?}]\n        size = [1, 1, 1]\n        v = [0, 0, 0]\n        lift_at = {lift_at:?}\n        lift_speed = {lift_speed:?}"
    );
    object(name, "dynamic", "cuboid", &attributes)
}

/// Boxes lie still, and rise at a time of their own.
const LIFTING: &str = "context {
    name = lifting
    type = contact
    attributes = {t0, pos0}
    compute_first_time_only_attributes = {t0, pos0}
    functions = {
        t0 = t
        pos0 = position
        rises = t > lift_at
        v = if rises then [0, 0, lift_speed] else [0, 0, 0]
        position = if rises then pos0 + [0, 0, lift_speed * (t - max(t0, lift_at))] else pos0
    }
}
";

/// Kind, time and members of all events after the start of free falls at t = 0.
fn story(recording: &Recording) -> Vec<(EventKind, f64, Vec<&str>)> {
    let begins = |it: &&gedanken_recording::Event| it.kind != EventKind::FreeFall || it.time > 0.0;
    recording.events.iter().filter(begins).map(|it| (it.kind, it.time, names(recording, it))).collect()
}

#[test]
fn what_touches_at_the_start_is_in_contact_from_the_start() {
    let text = [&ground(), &lifted("box", 0.5, 100.0, 0.0), FLIGHT, LIFTING].concat();
    let recording = run(&simulation(&text, 2.0, 60.0, ""));
    assert_eq!(story(&recording), [(EventKind::Contact, 0.0, vec!["box", "floor"])]);
    for frame in 0..recording.frames() {
        assert_eq!(at(&recording, frame, "box.position"), [0.0, 0.0, 0.5]);
    }
}

/// A contact law that pulls: the box flies off with the speed of the law, as a projectile.
#[test]
fn a_law_that_lifts_ends_a_contact() {
    let text = [&ground(), &lifted("box", 0.5, 1.0, 5.0), FLIGHT, LIFTING].concat();
    for frame_rate in [1.0, 7.0, 60.0] {
        let recording = run(&simulation(&text, 2.0, frame_rate, ""));
        let story = story(&recording);
        assert_eq!(story.len(), 2, "{story:?}");
        assert_eq!(story[0], (EventKind::Contact, 0.0, vec!["box", "floor"]));
        let (kind, time, who) = &story[1];
        assert_eq!((*kind, who.as_slice()), (EventKind::FreeFall, ["box"].as_slice()));
        // When the gap leaves the touch band of 5e-12 at the latest, and a tick later.
        assert_near(*time, 1.0, 5e-12);
        assert_all_near(
            &moment(&recording, recording.events.last().unwrap(), Moment::After, "box.v"),
            &[0.0, 0.0, 5.0],
            1e-9,
        );
        let height = |t: f64| 0.5 + 5.0 * (t - 1.0) - 0.5 * G * (t - 1.0) * (t - 1.0);
        for frame in 0..recording.frames() {
            let t = recording.times[frame];
            let expected = if t <= 1.0 { 0.5 } else { height(t) };
            assert_near(at(&recording, frame, "box.position")[2], expected, 1e-10);
        }
    }
}

/// One box lies, another falls on it: one contact of both. Then the upper one rises: a contact of one again.
#[test]
fn contacts_merge_and_split() {
    let (drop, lift) = (0.5, 1.0);
    let text = [
        &ground(),
        &lifted("lower", 0.5, 100.0, 0.0),
        &lifted("upper", 1.5 + drop, lift, 5.0),
        FLIGHT,
        LIFTING,
    ]
    .concat();
    let recording = run(&simulation(&text, 1.5, 60.0, ""));
    let story = story(&recording);
    let merge = libm::sqrt(2.0 * drop / G);
    let told: Vec<(EventKind, Vec<&str>)> = story.iter().map(|it| (it.0, it.2.clone())).collect();
    let expected = [
        (EventKind::Contact, vec!["floor", "lower"]),
        (EventKind::Contact, vec!["floor", "lower", "upper"]),
        (EventKind::Contact, vec!["floor", "lower"]),
        (EventKind::FreeFall, vec!["upper"]),
    ];
    assert_eq!(told, expected, "{story:?}");
    for ((_, time, _), expected) in story.iter().zip([0.0, merge, lift, lift]) {
        assert_near(*time, expected, 1e-11);
    }
    let t = recording.times.last().unwrap() - lift;
    assert_near(last(&recording, "upper.position")[2], 1.5 + 5.0 * t - 0.5 * G * t * t, 1e-9);
    assert_all_near(&last(&recording, "lower.position"), &[0.0, 0.0, 0.5], 1e-11);
}

/// Two boxes side by side are two contacts, though they share the floor: a static object joins nobody.
#[test]
fn a_static_object_joins_no_groups() {
    let place = |text: String, x: &str| text.replace("position = [0, 0,", &format!("position = [{x}, 0,"));
    let text = [
        &ground(),
        &place(lifted("left", 0.5, 100.0, 0.0), "-2"),
        &place(lifted("right", 0.5, 1.0, 5.0), "2"),
        FLIGHT,
        LIFTING,
    ]
    .concat();
    let recording = run(&simulation(&text, 1.5, 60.0, ""));
    let told: Vec<(EventKind, Vec<&str>)> = story(&recording).into_iter().map(|it| (it.0, it.2)).collect();
    let expected = [
        (EventKind::Contact, vec!["floor", "left"]),
        (EventKind::Contact, vec!["floor", "right"]),
        (EventKind::FreeFall, vec!["right"]),
    ];
    assert_eq!(told, expected);
}

/// A ball that begins in a wall flies out of it without an event, and meets it when it comes back.
#[test]
fn what_overlaps_at_the_start_does_not_meet_until_it_has_been_apart() {
    let text = [
        &ball("ball", [0.25, 0.0, 0.0], 0.5, [1.0, 0.0, 0.0], 1.0),
        &block("left", [-0.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        &block("right", [3.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        STRAIGHT_ON,
        MIRROR,
    ]
    .concat();
    for frame_rate in [1.0, 60.0] {
        let recording = run(&simulation(&text, 5.0, frame_rate, ""));
        // To x = 2.5, back to 0.5, and to 1 at the end.
        let hits = events(&recording, EventKind::Collision);
        let told: Vec<Vec<&str>> = hits.iter().map(|it| names(&recording, it)).collect();
        assert_eq!(told, [["ball", "right"], ["ball", "left"]]);
        assert_near(hits[0].time, 2.25, 1e-11);
        assert_near(hits[1].time, 4.25, 1e-11);
        assert_near(last(&recording, "ball.position")[0], 1.25, 1e-11);
        assert_eq!(recording.notices.len(), 1);
        let said = &recording.notices[0].message;
        assert!(
            said.contains("`ball`") && said.contains("`left`") && said.contains("overlap by 0.25"),
            "{said}"
        );
    }
}

/// Without a context for their contact a ball sinks into the floor: it is said once, and nothing else
/// happens.
#[test]
fn without_a_contact_context_a_ball_sinks() {
    let text = [&ground(), &ball("ball", [0.0, 0.0, 1.0], 0.5, [0.0; 3], 1.0), FLIGHT].concat();
    let recording = run(&simulation(&text, 1.0, 60.0, ""));
    assert!(collisions(&recording).is_empty() && events(&recording, EventKind::Contact).is_empty());
    assert_near(last(&recording, "ball.position")[2], 1.0 - 0.5 * G, 1e-12);
    assert_eq!(recording.notices.len(), 1);
    assert!(recording.notices[0].message.contains("sink into each other"), "{:?}", recording.notices);
    assert_near(recording.notices[0].time, libm::sqrt(1.0 / G), 1e-11);
}

/// A ball falls on two floors side by side, comes to rest on one of them in height, and slides on to the
/// other.
fn sliding(place: [f64; 3], v: [f64; 3]) -> String {
    let text = [
        &format!("world attributes {{\n    a = [0, 0, -{G:?}]\n}}\n"),
        &ball("ball", place, 0.25, v, 1.0),
        &block("floor1", [-2.0, 0.0, -0.5], [4.0, 4.0, 1.0]),
        &block("floor2", [2.0, 0.0, -0.5], [4.0, 4.0, 1.0]),
        FLIGHT,
        "context {
    name = stop
    type = collision
    functions = {
        v = previous(v) - (previous(v) . collisionNormal) * collisionNormal
    }
}
context {
    name = slide
    type = contact
    attributes = {t0, pos0, v0}
    compute_first_time_only_attributes = {t0, pos0, v0}
    functions = {
        t0 = t
        pos0 = position
        v0 = [v # 1, v # 2, 0]
        v = v0
        position = pos0 + v0 * (t - t0)
    }
}
",
    ]
    .concat();
    simulation(&text, 2.25, 60.0, "")
}

/// The seam is no obstacle: the group changes, the motion does not.
#[test]
fn a_ball_slides_over_the_seam_of_two_floors() {
    let recording = run(&sliding([-1.0, 0.0, 0.25], [1.0, 0.0, 0.0]));
    assert!(collisions(&recording).is_empty());
    let told: Vec<(EventKind, Vec<&str>)> = story(&recording).into_iter().map(|it| (it.0, it.2)).collect();
    let expected = [
        (EventKind::Contact, vec!["ball", "floor1"]),
        (EventKind::Contact, vec!["ball", "floor1", "floor2"]),
        (EventKind::Contact, vec!["ball", "floor2"]),
    ];
    assert_eq!(told, expected);
    for frame in 0..recording.frames() {
        let t = recording.times[frame];
        assert_all_near(&at(&recording, frame, "ball.position"), &[t - 1.0, 0.0, 0.25], 1e-11);
        assert_eq!(at(&recording, frame, "ball.v"), [1.0, 0.0, 0.0]);
    }
}

/// So fast that it crosses the whole touch band in less than the resolution of time.
#[test]
fn a_ball_that_comes_fast_and_does_not_bounce_comes_to_rest() {
    let recording = run(&sliding([-1.0, 0.0, 1.0], [1.0, 0.0, -1e6]));
    let times = collisions(&recording);
    assert_near(times[0], 0.75e-6, 1e-13);
    assert!(times.iter().all(|it| *it < 1e-3), "{times:?}");
    let contacts = events(&recording, EventKind::Contact);
    assert_eq!(names(&recording, contacts[0]), ["ball", "floor1"]);
    assert!(contacts[0].time < 1e-3);
    assert_all_near(&last(&recording, "ball.position"), &[1.25, 0.0, 0.25], 1e-9);
    assert_eq!(last(&recording, "ball.v"), [1.0, 0.0, 0.0]);
}
