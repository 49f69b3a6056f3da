//! Events: when they happen, in which tick, and what was before and after.

use super::run::{ball, run, simulation, value};
use crate::support::Gallery;
use gedanken_experiment::Files;
use gedanken_recording::{Event, EventKind, Owner, Recording};

fn name<'r>(recording: &'r Recording, event: &Event) -> &'r str {
    &recording.schema.contexts[event.context.unwrap()]
}

/// A quantity of the one object of an event, before or after.
fn of(recording: &Recording, event: &Event, row: &[f64], wanted: &str) -> Vec<f64> {
    let mut start = 0;
    for quantity in &recording.schema.quantities {
        let takes_part = match quantity.owner {
            Owner::Object(object) => event.objects.contains(&object),
            _ => true,
        };
        if takes_part && quantity.name == wanted {
            return row[start..][..quantity.width()].to_vec();
        }
        start += if takes_part { quantity.width() } else { 0 };
    }
    panic!("{wanted} is not there");
}

/// Perihelia are a period apart, aphelia half a period later: Kepler's third law with gm = 4 pi² and half
/// axis 1.
#[test]
fn the_orbit_has_its_period() {
    let text = Gallery.text("workflow_orbit.lab").unwrap();
    let recording = run(&text);
    let times = |wanted: &str| -> Vec<f64> {
        recording.events.iter().filter(|it| name(&recording, it) == wanted).map(|it| it.time).collect()
    };
    let (perihelia, aphelia) = (times("perihelion"), times("aphelion"));
    assert_eq!((perihelia.len(), aphelia.len()), (2, 3));
    for (k, time) in perihelia.iter().enumerate() {
        assert!((time - (k as f64 + 1.0)).abs() < 2.0 * 0.0005, "{perihelia:?}");
    }
    for (k, time) in aphelia.iter().enumerate() {
        assert!((time - (k as f64 + 0.5)).abs() < 2.0 * 0.0005, "{aphelia:?}");
    }
    assert!(recording.events.iter().all(|it| it.kind == EventKind::Phenomenon));
    assert!(recording.events.is_sorted_by(|a, b| a.time <= b.time && a.index + 1 == b.index));
}

/// The sensor of two events: it is struck, and in the next tick released; the ball keeps falling through.
const SENSOR: &str = "
    rule fall { writes = {position}  functions = { position = previous(position) - [0, 0, dt] }  advances = 1 }
    event touched { reads = {position, size}  writes = {on_ground}
        functions = { when = position # 3 < size & !previous(on_ground)  on_ground = true } }
    event released { writes = {on_ground}
        functions = { when = previous(on_ground)  on_ground = false } }\n";

#[test]
fn a_sensor_rests_for_one_tick() {
    let text = ball("ball", "on_ground = false")
        + SENSOR
        + &simulation("seq(fall, touched, released)", "duration = 8\n frame rate = 1");
    let recording = run(&text);
    // At 5, 4, 3, 2, 1 nothing; at 0, -1, -2, -3 it is struck and released. A step takes two ticks.
    let told: Vec<(&str, f64, f64)> = recording
        .events
        .iter()
        .map(|it| {
            (name(&recording, it), it.time, it.given.iter().find(|(what, _)| what == "tick").unwrap().1[0])
        })
        .collect();
    let expected: Vec<(&str, f64, f64)> = (5..=8)
        .flat_map(|k| {
            let (t, tick) = (f64::from(k), f64::from(2 * (k - 1)));
            [("touched", t, tick), ("released", t, tick + 1.0)]
        })
        .collect();
    assert_eq!(told, expected);
    for event in &recording.events {
        let before = of(&recording, event, &event.before, "on_ground");
        let after = of(&recording, event, &event.after, "on_ground");
        let struck = name(&recording, event) == "touched";
        assert_eq!((before[0], after[0]), if struck { (0.0, 1.0) } else { (1.0, 0.0) });
        // The fall comes first in the step, and is in both.
        assert_eq!(of(&recording, event, &event.before, "position"), [0.0, 0.0, 5.0 - event.time]);
        assert_eq!(event.before.len(), event.after.len());
    }
    // No frame sees it struck.
    assert!((0..recording.frames()).all(|frame| value(&recording, frame, "ball", "on_ground") == [0.0]));
}

/// Sensors of different balls run side by side, in the same ticks, and are told in the order of the text.
#[test]
fn sensors_side_by_side_share_their_ticks() {
    let of = |name: &str| {
        SENSOR
            .replace("touched {", &format!("touched_{name} {{ of = {{{name}}} "))
            .replace("released {", &format!("released_{name} {{ of = {{{name}}} "))
            .replace("rule fall", &format!("rule fall_{name}"))
            .replace(
                "writes = {position}  functions",
                &format!("of = {{{name}}} writes = {{position}}  functions"),
            )
    };
    let text = ball("a", "on_ground = false")
        + &ball("b", "on_ground = false")
        + &of("a")
        + &of("b")
        + &simulation(
            "par(seq(fall_a, touched_a, released_a), seq(fall_b, touched_b, released_b))",
            "duration = 5\n frame rate = 1",
        );
    let recording = run(&text);
    let told: Vec<(&str, f64, f64)> =
        recording.events.iter().map(|it| (name(&recording, it), it.time, it.given[0].1[0])).collect();
    assert_eq!(
        told,
        [
            ("touched_a", 5.0, 8.0),
            ("touched_b", 5.0, 8.0),
            ("released_a", 5.0, 9.0),
            ("released_b", 5.0, 9.0)
        ]
    );
}

/// Where the condition does not hold, nothing else is asked for: 1 / 0 is never computed.
#[test]
fn what_is_not_needed_cannot_fail() {
    let text = ball("ball", "x = -2")
        + "rule count { writes = {x}  functions = { x = previous(x) + 1 } }
           event inverse { writes = {x}  functions = { when = previous(x) != 0  x = previous(x) / inverse_of  inverse_of = 1 / (1 / previous(x)) } }\n"
        + &simulation("seq(count, inverse)", "duration = 4\n frame rate = 1");
    let recording = run(&text);
    let xs: Vec<f64> = (0..5).map(|frame| value(&recording, frame, "ball", "x")[0]).collect();
    // -2 + 1 = -1, divided by itself is 1; 2 is 1 again, and so on.
    assert_eq!(xs, [-2.0, 1.0, 1.0, 1.0, 1.0]);
    let text = text.replace("x = -2", "x = -1");
    let recording = run(&text);
    assert_eq!(value(&recording, 1, "ball", "x"), [0.0]);
}

/// The temperature of the thermostat stays between its thresholds, but for one step, and the switch is used
/// as often as the closed form says: between switches the temperature is an exponential.
#[test]
fn the_thermostat_switches_as_often_as_exponentials_say() {
    let recording = run(&Gallery.text("workflow_thermostat.lab").unwrap());
    for frame in 0..recording.frames() {
        let temperature = value(&recording, frame, "room", "temperature")[0];
        assert!((18.95..=21.05).contains(&temperature), "{temperature}");
    }
    // Cooling to 5, heating to 5 + 2 / 0.05 = 45, both at the rate 0.05.
    let time = |from: f64, to: f64, limit: f64| libm::log((from - limit) / (to - limit)) / 0.05;
    let (mut t, mut switches) = (time(20.0, 19.0, 5.0), Vec::new());
    while t < 60.0 {
        switches.push(t);
        t += if switches.len() % 2 == 1 { time(19.0, 21.0, 45.0) } else { time(21.0, 19.0, 5.0) };
    }
    assert_eq!(recording.events.len(), switches.len());
    for (event, expected) in recording.events.iter().zip(&switches) {
        // Each of them is late by a step at most, and Euler's method is off by about as much.
        assert!(
            (event.time - expected).abs() < 0.02 * 2.0 * switches.len() as f64,
            "{} {expected}",
            event.time
        );
    }
    let counted = value(&recording, recording.frames() - 1, "room", "switched");
    assert_eq!(counted, [switches.len() as f64]);
}

/// An event of the world happens to no object; its time and its values are the world's.
#[test]
fn the_world_has_events_too() {
    let text = "world attributes { done = false  rounds = 0 }\n".to_owned()
        + &ball("ball", "")
        + "rule count { writes = {rounds}  functions = { rounds = previous(rounds) + 1 }  advances = 1 }
           event enough { reads = {rounds}  writes = {done}  functions = { when = rounds >= 3 & !previous(done)  done = true } }\n"
        + &simulation("seq(count, enough)", "duration = 5\n frame rate = 2");
    let recording = run(&text);
    let [event] = recording.events.as_slice() else { panic!("{:?}", recording.events) };
    assert_eq!((event.time, event.objects.len(), recording.frames_before[0]), (1.5, 0, 3));
    // In the order of the schema: done, rounds.
    assert_eq!((event.before.as_slice(), event.after.as_slice()), (&[0.0, 3.0][..], &[1.0, 3.0][..]));
    assert_eq!(value(&recording, 3, "", "done"), [1.0]);
}

/// An event between others sees and shows what stands before it in the step, and nothing of what comes after.
#[test]
fn before_and_after_are_those_of_the_moment() {
    let text = ball("ball", "x = 0\n y = 0\n hits = 0")
        + "rule add { writes = {x}  functions = { x = previous(x) + 1 } }
           rule later { reads = {x, hits}  writes = {y}  functions = { y = 100 * x + hits } }
           event hit { reads = {x}  writes = {hits}  functions = { when = x > 1.5  hits = previous(hits) + 1 } }\n"
        + &simulation("seq(add, hit, add, later)", "duration = 1\n frame rate = 1");
    let recording = run(&text.replace("x > 1.5", "x > 0.5"));
    let event = &recording.events[0];
    let at = |row: &[f64]| ["x", "hits", "y"].map(|name| of(&recording, event, row, name)[0]);
    assert_eq!(at(&event.before), [1.0, 0.0, 0.0]);
    assert_eq!(at(&event.after), [1.0, 1.0, 0.0]);
    assert_eq!(value(&recording, 1, "ball", "y"), [201.0]);
    assert!(run(&text).events.is_empty(), "the second addition comes after the event");
}
