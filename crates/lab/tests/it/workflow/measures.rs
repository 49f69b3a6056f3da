//! Measures of workflows: in every frame and on both sides of events, against values by hand.

use super::run::{ball, run, simulation};
use gedanken_recording::{Event, Moment, Owner, Recording};

/// A measure in a frame.
fn at(recording: &Recording, frame: usize, measure: &str) -> Vec<f64> {
    let quantity = recording.schema.quantity(Owner::Measure, measure).unwrap();
    recording.row(frame)[quantity.start..quantity.end()].to_vec()
}

/// A measure at one side of an event; `None` if it has no value.
fn beside(recording: &Recording, event: &Event, moment: Moment, measure: &str) -> Option<f64> {
    let selection = recording.schema.find(measure).unwrap();
    let value = recording.schema.event_value(event, moment, &selection)?;
    Some(value.scalars().unwrap()[0])
}

/// Sums over objects of different shapes, over what changes and what does not, and measures of the world.
#[test]
fn totals_are_the_sums_by_hand() {
    let text = "world attributes { g = 3  count = 0 }\n".to_owned()
        + &ball("b", "x = 1")
        + &ball("a", "x = 2")
        + "object { name = c  physical type = dynamic  geometrical type = cuboid
               attributes = { position = [0, 0, 0]  size = [1, 2, 3]  x = 4 } }
           object { name = away  physical type = static  geometrical type = sphere
               attributes = { position = [0, 0, 0]  size = 1  x = 100 } }
           rule double { of = {b, c}  writes = {x}  functions = { x = 2 * previous(x) } }
           rule grow { of = {c}  writes = {size}  functions = { size = 2 * previous(size) } }
           rule count { writes = {count}  functions = { count = previous(count) + 1 } }
           measure total { of = {c, b, a}  value = g * x }
           measure extent { of = {c, a}  value = x * norm(position) }
           measure place { of = {a, b}  value = position }
           measure clock { value = 10 * t + count }
           measure volume { of = {c}  value = (size # 1) * (size # 2) * (size # 3) }\n"
        + &simulation("seq(double, grow, count)", "duration = 3\n initial time = 7\n frame rate = 1");
    let recording = run(&text);
    let measures = recording.schema.owned(Owner::Measure);
    assert_eq!(recording.schema.width(), measures[4].end(), "measures are the end of a row");
    let names: Vec<&str> = measures.iter().map(|it| it.name.as_str()).collect();
    assert_eq!(names, ["clock", "extent", "place", "total", "volume"]);
    for frame in 0..4 {
        let (k, doubled) = (frame as f64, f64::from(1 << frame));
        assert_eq!(at(&recording, frame, "total"), [3.0 * (2.0 + 5.0 * doubled)]);
        // Only a is away from the origin, by 5, and its x never changes.
        assert_eq!(at(&recording, frame, "extent"), [10.0]);
        assert_eq!(at(&recording, frame, "place"), [0.0, 0.0, 10.0]);
        assert_eq!(at(&recording, frame, "clock"), [70.0 + 11.0 * k]);
        assert_eq!(at(&recording, frame, "volume"), [6.0 * doubled * doubled * doubled]);
    }
    assert!(recording.notices.is_empty());
}

/// `count` balls of which the first is struck once, at 0.75, when it is at 3: then its x goes from 3 to -3.
fn struck(count: usize) -> Recording {
    let balls: String = (0..count).map(|k| ball(&format!("b{k:03}"), "x = 0\n v = 4")).collect();
    let names: Vec<String> = (0..count).map(|k| format!("b{k:03}")).collect();
    let text = balls
        + "rule go { of = {b000}  reads = {v}  writes = {x}  functions = { x = previous(x) + dt * v }  advances = 1 }
           event strike { of = {b000}  writes = {x, v}  functions = { when = previous(x) >= 3  x = -previous(x)  v = -1000 } }\n"
        + &format!("measure sum {{ of = {{{}}}  value = x + 1 }}\n", names.join(", "))
        + "measure clock { value = 2 * t }\n"
        + &simulation("seq(go, strike)", "duration = 1\n time step = 1 / 8\n frame rate = 1");
    run(&text)
}

/// On both sides of an event measures are those of the states there, and the time is the event's.
#[test]
fn events_have_measures_before_and_after() {
    for count in [1, 64] {
        let recording = struck(count);
        let [event] = recording.events.as_slice() else { panic!("{:?}", recording.events) };
        assert_eq!(event.time, 0.75);
        let objects = count as f64;
        let sides = [(Moment::Before, 3.0 + objects), (Moment::After, -3.0 + objects)];
        for (moment, sum) in sides {
            assert_eq!(beside(&recording, event, moment, "sum"), Some(sum));
            assert_eq!(beside(&recording, event, moment, "clock"), Some(1.5));
            assert_eq!(event.row(moment).len(), recording.schema.event_width(&event.objects));
        }
        assert_eq!(at(&recording, 1, "clock"), [2.0]);
    }
}

/// With many objects an event costs what those cost who take part: no measure there, but in every frame.
#[test]
fn events_among_many_have_none() {
    let recording = struck(65);
    let [event] = recording.events.as_slice() else { panic!("{:?}", recording.events) };
    for moment in [Moment::Before, Moment::After] {
        assert_eq!(beside(&recording, event, moment, "sum"), None);
        assert_eq!(event.row(moment).len(), recording.schema.event_width(&event.objects));
    }
    assert_eq!(at(&recording, 0, "sum"), [65.0]);
    // Two more steps of an eighth at -1000 after the event.
    assert_eq!(at(&recording, 1, "sum"), [65.0 - 3.0 - 250.0]);
    assert!(recording.notices.is_empty(), "{:?}", recording.notices);
}

/// A measure without a value is none where it has none, and one notice; the run and the other measures go on.
#[test]
fn a_failing_measure_is_told_once() {
    let text = ball("a", "x = 3")
        + &ball("b", "x = 9")
        + "rule count { writes = {x}  functions = { x = previous(x) - 1 }  advances = 1 }
           event low { reads = {x}  writes = {size}  functions = { when = x <= 0  size = 2 } }
           measure inverse { of = {a, b}  value = 1 / x }
           measure sum { of = {a, b}  value = x }\n"
        + &simulation("seq(count, low)", "duration = 10\n frame rate = 1");
    let recording = run(&text);
    assert_eq!(recording.frames(), 11);
    for frame in 0..11 {
        let (a, b) = (3.0 - frame as f64, 9.0 - frame as f64);
        let inverse = at(&recording, frame, "inverse")[0];
        match frame {
            3 | 9 => assert!(inverse.is_nan()),
            _ => assert_eq!(inverse, 1.0 / a + 1.0 / b),
        }
        assert_eq!(at(&recording, frame, "sum"), [a + b]);
    }
    // It is the event at 3 that meets it first.
    let event = &recording.events[0];
    assert_eq!((event.time, recording.frames_before[0]), (3.0, 3));
    assert_eq!(beside(&recording, event, Moment::Before, "inverse"), None);
    assert_eq!(beside(&recording, event, Moment::After, "sum"), Some(6.0));
    let [notice] = recording.notices.as_slice() else { panic!("{:?}", recording.notices) };
    assert_eq!(notice.time, 3.0);
    assert!(notice.message.starts_with("the measure `inverse` of `a` has no value: "), "{}", notice.message);
}
