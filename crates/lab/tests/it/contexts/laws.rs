//! Laws that jump, grow, build on what was, or change the world.

use super::support::{
    ELASTIC, FLIGHT, STRAIGHT_ON, assert_near, at, ball, block, collisions, events, last, moment, object,
    run, simulation, try_run,
};
use crate::support::{Memory, experiment};
use gedanken_lab::Options;
use gedanken_recording::{EventKind, Moment};

/// Counts hits of a sphere and a static object, and does nothing else.
const COUNT: &str = "context {
    name = count
    type = collision
    attributes = {hits_before}
    compute_first_time_only_attributes = {hits_before}
    functions = {
        hits_before = hits
        hits = hits_before + 1
    }
    applicability = {
        mandatory 1 dynamic sphere and 1 static object
    }
}
";

/// An overlap that a law made by a jump is a collision: once, since the ball stays in the wall.
#[test]
fn a_jump_into_a_wall_is_a_collision() {
    for jump in [0.5, 0.51] {
        for frame_rate in [1.0, 60.0] {
            let text = [
                &object("ball", "dynamic", "sphere", "position = [-2, 0, 0]\n        size = 0.25\n        hits = 0"),
                &block("wall", [0.0; 3], [1.0, 4.0, 4.0]),
                &format!(
                    "context {{\n    name = magic\n    type = free fall\n    functions = {{\n        position = if t < {jump:?} then [-2, 0, 0] else [-0.5, 0, 0]\n    }}\n}}\n"
                ),
                COUNT,
            ]
            .concat();
            let recording = run(&simulation(&text, 2.0, frame_rate, ""));
            let times = collisions(&recording);
            assert_eq!(times.len(), 1, "{times:?}");
            assert_near(times[0], jump, 2e-12);
            assert_eq!(last(&recording, "ball.hits"), [1.0]);
            assert_eq!(last(&recording, "ball.position"), [-0.5, 0.0, 0.0]);
        }
    }
}

/// A ball that grows by a quarter per unit of time reaches the wall at t = 2, and stops growing.
#[test]
fn a_growing_ball_reaches_a_wall() {
    let text = [
        &object(
            "ball",
            "dynamic",
            "sphere",
            "position = [0, 0, 0]\n        size = 0.5\n        growth = 0.25",
        ),
        &block("wall", [1.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        "context {
    name = growing
    type = free fall
    attributes = {t0, size0}
    compute_first_time_only_attributes = {t0, size0}
    functions = {
        t0 = t
        size0 = size
        size = size0 + growth * (t - t0)
    }
}
context {
    name = full
    type = collision
    functions = {
        growth = 0
    }
}
",
    ]
    .concat();
    for frame_rate in [0.2, 60.0] {
        let recording = run(&simulation(&text, 5.0, frame_rate, ""));
        let times = collisions(&recording);
        assert_eq!(times.len(), 1);
        assert_near(times[0], 2.0, 1e-11);
        assert_near(last(&recording, "ball.size")[0], 1.0, 1e-11);
    }
}

/// `previous` is the value at the last frame or event, and `dt` the time since then: sums of dt give the
/// time, whatever happens between.
#[test]
fn an_incremental_law_goes_from_frame_to_frame_and_from_event_to_event() {
    let text = [
        &object(
            "ball",
            "dynamic",
            "sphere",
            "position = [0, 0, 0]\n        size = 0.25\n        v = [0, 0, 0]\n        clock = 0\n        shrinking = 1",
        ),
        "context {
    name = ticking
    type = free fall
    functions = {
        clock = previous(clock) + dt
        shrinking = 0.99 * previous(shrinking)
    }
}
",
    ]
    .concat();
    let recording = run(&simulation(&text, 1.0, 60.0, ""));
    for frame in 1..recording.frames() {
        assert_near(at(&recording, frame, "ball.clock")[0], recording.times[frame], 1e-13);
        let rate =
            at(&recording, frame, "ball.shrinking")[0] / at(&recording, frame - 1, "ball.shrinking")[0];
        assert_near(rate, 0.99, 1e-15);
    }
    assert_near(last(&recording, "ball.clock")[0], 1.0, 1e-13);
}

/// A ball that is moved by increments bounces to and fro, and its clock goes right through all bounces.
#[test]
fn increments_and_collisions_go_together() {
    let text = [
        &object(
            "ball",
            "dynamic",
            "sphere",
            "position = [0, 0, 0]\n        size = 0.25\n        v = [1, 0, 0]\n        clock = 0\n        hits = 0",
        ),
        &block("left", [-1.0, 0.0, 0.0], [1.0, 4.0, 4.0]),
        &block("right", [1.5, 0.0, 0.0], [1.0, 4.0, 4.0]),
        "context {
    name = stepping
    type = free fall
    functions = {
        clock = previous(clock) + dt
        position = previous(position) + v * dt
    }
}
context {
    name = back
    type = collision
    attributes = {v_in}
    compute_first_time_only_attributes = {v_in}
    functions = {
        v_in = v
        v = -v_in
        hits = previous(hits) + 1
    }
}
",
    ]
    .concat();
    for frame_rate in [3.0, 60.0] {
        let recording = run(&simulation(&text, 3.0, frame_rate, ""));
        let times = collisions(&recording);
        assert_eq!(times.len(), 3, "{times:?}");
        for (n, time) in times.iter().enumerate() {
            assert_near(*time, 0.75 + n as f64, 1e-11);
        }
        assert_eq!(last(&recording, "ball.hits"), [3.0]);
        assert_near(last(&recording, "ball.clock")[0], 3.0, 1e-12);
        assert_near(last(&recording, "ball.position")[0], 0.5, 1e-10);
    }
}

/// Two pairs that meet at the same instant and one later, with `law` in their collision context.
pub(crate) fn two_hits(law: &str) -> String {
    let pair = |k: usize, x: f64| {
        let y = 5.0 * k as f64;
        let ball =
            |side: &str, x: f64| ball(&format!("{side}{k}"), [x, y, 0.0], 0.5, [-x.signum(), 0.0, 0.0], 1.0);
        [ball("left", -x), ball("right", x)].concat()
    };
    let elastic = ELASTIC.replace("v1_in = v1\n", &format!("v1_in = v1\n        {law}\n"));
    let text = [
        "world attributes {\n    hits = 0\n    latest = 0\n}\n",
        &pair(0, 2.0),
        &pair(1, 2.0),
        &pair(2, 2.5),
        STRAIGHT_ON,
        &elastic,
    ]
    .concat();
    simulation(&text, 3.0, 7.0, "")
}

#[test]
fn collisions_count_in_the_world() {
    let recording = run(&two_hits("hits = previous(hits) + 1"));
    let hits = events(&recording, EventKind::Collision);
    assert_eq!(hits.len(), 3);
    for (n, event) in hits.iter().enumerate() {
        assert_eq!(moment(&recording, event, Moment::Before, "hits"), [n as f64]);
        assert_eq!(moment(&recording, event, Moment::After, "hits"), [n as f64 + 1.0]);
    }
    for frame in 0..recording.frames() {
        let t = recording.times[frame];
        let expected = if t < 1.5 {
            0.0
        } else if t < 2.0 {
            2.0
        } else {
            3.0
        };
        // At the frame of the hit itself rounding decides.
        if (t - 1.5).abs() > 1e-9 && (t - 2.0).abs() > 1e-9 {
            assert_eq!(at(&recording, frame, "hits"), [expected], "at t = {t}");
        }
    }
}

/// Nothing is silently overwritten: two collisions at one instant that set the same attribute are a conflict,
/// and those at different times are none.
#[test]
fn two_collisions_at_one_instant_that_set_the_same_attribute_are_a_conflict() {
    let (recording, stop) = try_run(&two_hits("latest = t"), Options::default());
    let stop = stop.unwrap();
    assert_eq!(stop.code, "E803");
    assert!(stop.message.contains("`latest`"), "{}", stop.message);
    assert!(stop.notes.iter().any(|it| it.contains("t = 1.")), "{:?}", stop.notes);
    assert!(recording.times.iter().all(|it| *it < 1.5) && recording.frames() == 11, "{:?}", recording.times);
    // One pair alone may do so.
    let alone = two_hits("latest = t").replace("left1, right1, ", "");
    let recording = run(&alone);
    assert_eq!(collisions(&recording).len(), 2);
    assert_near(last(&recording, "latest")[0], 2.0, 1e-11);
}

/// A hit of one object changes the world, and so the way of another that has no part in it: its first contact
/// is found on the new way, within the same frame, whether that is a law or an integral.
#[test]
fn what_a_collision_changes_in_the_world_moves_others() {
    let sail = |functions: &str| {
        [
            "world attributes {\n    wind = 0\n}\n",
            &ball("hitter", [-2.0, 5.0, 0.0], 0.25, [1.0, 0.0, 0.0], 1.0),
            &block("wall", [0.25, 5.0, 0.0], [2.0, 1.0, 1.0]),
            &ball("sail", [0.0, 0.0, 0.0], 0.25, [1.0, 0.0, 0.0], 1.0),
            &block("goal", [6.0, 0.0, 0.0], [2.0, 1.0, 1.0]),
            STRAIGHT_ON,
            &format!("context {{\n    name = sailing\n    type = free fall\n    {functions}\n    applicability = {{\n        mandatory sail\n    }}\n}}\n"),
            "context {\n    name = gust\n    type = collision\n    attributes = {v_in}\n    compute_first_time_only_attributes = {v_in}\n    functions = {\n        v_in = v\n        v = -v_in\n        wind = 1\n    }\n    applicability = {\n        mandatory 1 dynamic sphere and 1 static object\n    }\n}\n",
        ]
        .concat()
    };
    let law = "attributes = {t0, p0}\n    compute_first_time_only_attributes = {t0, p0}\n    functions = {\n        t0 = t\n        p0 = position\n        position = p0 + wind * (t - t0) * v\n    }";
    let rate = "functions = {\n        position' = wind * v\n    }";
    // The wall is hit at t = 1. The goal is 4.75 away: by the law x = t from then on, by the rate x = t - 1.
    for (functions, arrival) in [(law, 4.75), (rate, 5.75)] {
        for frame_rate in [0.1, 10.0] {
            let recording = run(&simulation(&sail(functions), 10.0, frame_rate, ""));
            let times = collisions(&recording);
            assert_eq!(times.len(), 2, "{times:?} at {frame_rate}");
            assert_near(times[0], 1.0, 1e-11);
            assert_near(times[1], arrival, 1e-9);
        }
    }
}

/// Helpers are recorded wherever they stand: needed by rates alone, by nothing at all, and in a collision, whose event
/// shows them.
#[test]
fn helpers_are_recorded_wherever_they_stand() {
    let text = [
        &ball("ball", [0.0, 0.0, 2.5], 0.5, [0.0; 3], 1.0),
        &block("floor", [0.0, 0.0, -0.5], [9.0, 9.0, 1.0]),
        "context {\n    name = air\n    type = free fall\n    functions = {\n        drag = -2 * v\n        height = position # 3 - size\n        v' = [0, 0, -10] + drag\n        position' = v\n    }\n}\n",
        "context {\n    name = bounce\n    type = collision\n    functions = {\n        push = -2 * (previous(v) . collisionNormal)\n        v = previous(v) + push * collisionNormal\n    }\n}\n",
    ]
    .concat();
    let recording = run(&simulation(&text, 0.5, 60.0, "    record = {v, drag, height, push}\n"));
    // v' = -10 - 2 v gives v = -5 (1 - e^(-2t)), and z = 2.5 - 5 t + 2.5 (1 - e^(-2t)).
    let fallen = 1.0 - libm::exp(-1.0);
    assert_near(last(&recording, "ball.drag")[2], 10.0 * fallen, 1e-8);
    assert_near(last(&recording, "ball.height")[0], 2.0 - 2.5 + 2.5 * fallen, 1e-8);

    let recording = run(&simulation(&text, 1.0, 60.0, "    record = {v, drag, height, push}\n"));
    let hits = events(&recording, EventKind::Collision);
    let before = moment(&recording, hits[0], Moment::Before, "ball.v")[2];
    let push = hits[0].given.iter().find(|(name, _)| name == "push").map(|(_, scalars)| scalars.clone());
    assert_eq!(push, Some(vec![-2.0 * before]));
}

/// Laws of two objects that need each other are found by whoever reads the experiment, not only by its run.
#[test]
fn reading_finds_laws_that_need_each_other() {
    let follows = |name: &str, other: &str| {
        format!(
            "context {{\n    name = {name}_follows\n    type = free fall\n    aliases = {{\n        use other as attribute w of object {other}\n    }}\n    functions = {{\n        w = other + 1\n    }}\n    applicability = {{\n        mandatory {name}\n    }}\n}}\n"
        )
    };
    let body = |name: &str, x: f64| {
        object(
            name,
            "dynamic",
            "sphere",
            &format!("position = [{x:?}, 0, 0]\n        size = 0.25\n        w = 1"),
        )
    };
    let text = [body("one", 0.0), body("two", 4.0), follows("one", "two"), follows("two", "one")].concat();
    let (_, found) = experiment(&Memory(&[]), &simulation(&text, 1.0, 60.0, ""), &[]);
    let codes: Vec<&str> = found.unwrap_err().iter().map(|it| it.code.as_str()).collect();
    assert_eq!(codes, ["E802"]);
}

/// Frames and events that an object completes, and the time between them. An event ends one context and begins
/// another: both are completed at it.
const COUNTING: &str = "        n = previous(n) + 1
        age = previous(age) + dt
";

/// `previous` counts the frames and the events of its own object: at a bounce the flight that ends and the one that
/// begins. What happens to others counts for them, and all the times between add up to the time.
#[test]
fn previous_counts_frames_and_own_events() {
    let counting = |text: &str| text.replace("functions = {\n", &format!("functions = {{\n{COUNTING}"));
    let counted = |text: &str| text.replace("mass = ", "n = 0\n        age = 0\n        mass = ");
    let bounce = "context {
    name = bounce
    type = collision
    functions = {
        v = reflectVector(previous(v), collisionNormal)
    }
    applicability = {
        mandatory 1 dynamic object and 1 static object
    }
}
";
    for rate in [7.0, 60.0, 240.0] {
        let text = "world attributes {\n    a = [0, 0, -9.81]\n}\n".to_owned()
            + &block("ground", [0.0, 0.0, -0.5], [20.0, 20.0, 1.0])
            + &counted(&ball("bouncing", [0.0, 0.0, 2.0], 0.5, [0.0; 3], 1.0))
            + &counted(&ball("falling", [5.0, 0.0, 900.0], 0.5, [0.0; 3], 1.0))
            + &counting(FLIGHT)
            + bounce;
        let recording = run(&simulation(&text, 3.0, rate, ""));
        let bounces = collisions(&recording).len();
        assert!(bounces > 2);
        let frames = recording.frames() - 1;
        // The flight that begins at the start is an event as well.
        assert_eq!(last(&recording, "falling.n"), [(1 + frames) as f64], "at {rate} frames per second");
        assert_eq!(last(&recording, "bouncing.n"), [(1 + frames + 2 * bounces) as f64]);
        for name in ["falling", "bouncing"] {
            assert_near(last(&recording, &format!("{name}.age"))[0], 3.0, 1e-12);
        }
    }
}
