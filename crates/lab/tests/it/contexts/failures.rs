//! Failures keep all that was computed, and name who, where and when.

use super::support::{
    ELASTIC, MIRROR, STRAIGHT_ON, at, ball, block, collisions, events, object, run_with, simulation, try_run,
};
use gedanken_lab::Options;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_recording::EventKind;

fn says(stop: &Diagnostic, words: &[&str]) {
    let mut told = vec![stop.message.clone()];
    told.extend(stop.notes.iter().map(ToString::to_string));
    told.push(stop.primary.text.clone());
    let told = told.join("\n");
    for word in words {
        assert!(told.contains(word), "`{word}` is not in\n{told}");
    }
}

#[test]
fn a_law_that_divides_by_zero_stops_the_run_and_keeps_the_frames_before() {
    for native in [true, false] {
        let text = [
            &ball("other", [5.0, 0.0, 0.0], 0.5, [0.0; 3], 1.0),
            &object(
                "probe",
                "dynamic",
                "sphere",
                "position = [0, 0, 0]\n        size = 0.5\n        v = [1, 0, 0]\n        heat = 0",
            ),
            STRAIGHT_ON,
            "context {
    name = heating
    type = free fall
    functions = {
        heat = 1 / max(0, 0.5 - t)
    }
    applicability = {
        mandatory probe
    }
}
",
        ]
        .concat();
        let options = Options { native, ..Options::default() };
        let (recording, stop) = try_run(&simulation(&text, 1.0, 60.0, ""), options);
        let stop = stop.unwrap();
        assert!(stop.code.as_str().starts_with("E5"), "{}", stop.code);
        says(&stop, &["`probe`", "`heating`", "t = 0.5"]);
        assert_eq!(recording.frames(), 30, "all before t = 0.5");
        assert_eq!(at(&recording, 15, "probe.heat"), [4.0]);
    }
}

/// A failure in the middle of a frame, at an impact.
#[test]
fn a_collision_law_that_fails_stops_the_run_at_its_instant() {
    let text = [
        &ball("ball", [-1.0, 0.0, 0.0], 0.25, [1.0, 0.0, 0.0], 1.0),
        &block("wall", [0.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        STRAIGHT_ON,
        &MIRROR.replace("reflectVector(v_in, collisionNormal)", "v_in / (1 + v_in . collisionNormal)"),
    ]
    .concat();
    let (recording, stop) = try_run(&simulation(&text, 2.0, 10.0, ""), Options::default());
    let stop = stop.unwrap();
    assert!(stop.code.as_str().starts_with("E5"), "{}", stop.code);
    says(&stop, &["`ball`", "`wall`", "`mirror`", "t = 0.7"]);
    assert_eq!(recording.frames(), 8, "all before t = 0.75");
}

/// A law that fails only at places where nobody looks stops nothing: a branch not taken is not evaluated.
#[test]
fn a_branch_not_taken_does_not_fail() {
    let text = [
        &object("probe", "dynamic", "sphere", "position = [0, 0, 0]\n        size = 0.5\n        heat = 0"),
        "context {
    name = heating
    type = free fall
    functions = {
        heat = if t == 0.5 then 0 else 1 / (0.5 - t)
    }
}
",
    ]
    .concat();
    let recording = run_with(&simulation(&text, 1.0, 60.0, ""), Options::default());
    assert_eq!(at(&recording, 30, "probe.heat"), [0.0]);
    assert_eq!(at(&recording, 60, "probe.heat"), [-2.0]);
}

/// A ball between two walls that close in on it: the closer they come, the more often it hits them,
/// infinitely often before they meet. The bound stops it, and says who and when.
#[test]
fn a_runaway_is_stopped_by_its_bound() {
    let wall = |name: &str, x: f64, speed: f64| {
        let attributes =
            format!("position = [{x:?}, 0, 0]\n        size = [1, 4, 4]\n        speed = {speed:?}");
        object(name, "dynamic", "cuboid", &attributes)
    };
    let text = [
        &ball("ball", [0.0; 3], 0.25, [10.0, 0.0, 0.0], 1.0),
        &wall("left", -1.5, 0.5),
        &wall("right", 1.5, -0.5),
        &STRAIGHT_ON.replace("}\n}\n", "}\n    applicability = {\n        mandatory ball\n    }\n}\n"),
        "context {
    name = closing
    type = free fall
    attributes = {t0, pos0}
    compute_first_time_only_attributes = {t0, pos0}
    functions = {
        t0 = t
        pos0 = position
        position = pos0 + [speed * (t - t0), 0, 0]
    }
    applicability = {
        mandatory 1 dynamic cuboid
    }
}
context {
    name = back
    type = collision
    attributes = {v_in}
    compute_first_time_only_attributes = {v_in}
    aliases = {
        use v as attribute v of object with index 0
        use v_in as attribute v_in of object with index 0
        use n as attribute collisionNormal of object with index 0
        use speed as attribute speed of object with index 1
    }
    functions = {
        v_in = v
        v = v_in - 2 * ((v_in - [speed, 0, 0]) . n) * n
    }
    applicability = {
        mandatory ball and 1 dynamic cuboid
    }
}
",
    ]
    .concat();
    let options = Options { most_collisions: 1000, ..Options::default() };
    let (recording, stop) = try_run(&simulation(&text, 3.0, 0.25, ""), options);
    let stop = stop.unwrap();
    assert_eq!(stop.code, "E804");
    says(&stop, &["`ball`", "1000 collisions", "t = 1."]);
    // They would meet when each has gone 0.75: at t = 1.5.
    let times = collisions(&recording);
    assert!(times.len() >= 1000 && times.last().is_some_and(|it| *it < 1.5), "{}", times.len());
    assert_eq!(recording.frames(), 1, "the initial state");
}

/// Two walls, this far from the middle, that throw a ball back so many times as fast.
fn between_walls(distance: f64, factor: f64) -> String {
    let law = format!("v = {factor:?} * reflectVector");
    [
        &ball("ball", [0.0; 3], 0.25, [10.0, 0.0, 0.0], 1.0),
        &block("left", [-distance - 0.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        &block("right", [distance + 0.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        STRAIGHT_ON,
        &MIRROR.replace("v = reflectVector", &law),
    ]
    .concat()
}

/// A ball that fits exactly between two walls hits both of them again and again at one instant.
#[test]
fn a_law_that_adds_energy_is_named_when_collisions_of_an_instant_do_not_end() {
    let text = simulation(&between_walls(0.25, 1.0001), 1.0, 10.0, "");
    let stop = try_run(&text, Options::default()).1.unwrap();
    assert_eq!(stop.code, "E804");
    says(
        &stop,
        &["diverges", "`mirror` adds energy", "`ball`", "1.0001 times as fast", "t = 0", "one instant"],
    );
    assert!(stop.help.is_some_and(|it| it.contains("restitution")));
    // Without a gain there is another cause, and another advice.
    let text = simulation(&between_walls(0.25, 1.0), 1.0, 10.0, "");
    let stop = try_run(&text, Options::default()).1.unwrap();
    assert!(!stop.message.contains("diverges"), "{}", stop.message);
}

/// Two balls in a box part faster at each collision: there is no end to them already in the first frame.
#[test]
fn a_law_that_adds_energy_is_named_when_collisions_of_a_frame_do_not_end() {
    for factor in [1.5, 2.0, 3.0] {
        let exchange = format!("j = (1 + {factor:?}) * m1 * m2");
        let text = [
            &ball("ann", [0.0; 3], 0.25, [10.0, 0.0, 0.0], 1.0),
            &ball("bob", [0.6, 0.0, 0.0], 0.25, [-3.0, 0.0, 0.0], 1.0),
            &block("left", [-2.0, 0.0, 0.0], [1.0, 4.0, 4.0]),
            &block("right", [2.0, 0.0, 0.0], [1.0, 4.0, 4.0]),
            STRAIGHT_ON,
            MIRROR,
            &ELASTIC.replace("j = 2 * m1 * m2", &exchange),
        ]
        .concat();
        let options = Options { most_collisions: 20, ..Options::default() };
        let (recording, stop) = try_run(&simulation(&text, 2.0, 0.5, ""), options);
        let stop = stop.unwrap();
        assert_eq!((stop.code.as_str(), recording.frames()), ("E804", 1));
        let part = format!("part {factor} times as fast");
        says(
            &stop,
            &["diverges", "`elastic` adds energy", "`ann` and `bob`", &part, "20 collisions", "t = 0."],
        );
    }
}

/// The ball is soon so fast that it leaves the box: what has made it so fast is named.
#[test]
fn a_law_that_adds_energy_is_named_when_the_motion_diverges() {
    for factor in [1.5, 2.0, 3.0] {
        let recording = run_with(&simulation(&between_walls(0.5, factor), 1.0, 10.0, ""), Options::default());
        let [notice] = recording.notices.as_slice() else { panic!("{:?}", recording.notices) };
        for word in ["`ball` diverges", "moved by `mirror`, "] {
            assert!(notice.message.contains(word), "`{word}` is not in {}", notice.message);
        }
        assert!(notice.time > 0.0 && notice.time < 0.5, "{notice:?}");
    }
}

/// The bound is one on collisions in a frame, not in a run.
#[test]
fn many_frames_may_have_more_collisions_than_one() {
    let text = [
        &ball("ball", [0.0; 3], 0.25, [10.0, 0.0, 0.0], 1.0),
        &block("left", [-1.0, 0.0, 0.0], [1.0, 4.0, 4.0]),
        &block("right", [1.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        STRAIGHT_ON,
        MIRROR,
    ]
    .concat();
    let options = Options { most_collisions: 10, ..Options::default() };
    let recording = run_with(&simulation(&text, 5.0, 1.0, ""), options);
    assert_eq!(events(&recording, EventKind::Collision).len(), 50);
}
