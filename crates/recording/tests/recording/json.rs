//! Events as JSON, read back by another reader.

use crate::disk::Disk;
use crate::{any, sample};
use gedanken_lang::types::{Dim, Type};
use gedanken_recording::{JsonEventsSink, Owner, Recording, Sink, write_events_json};
use proptest::prelude::*;
use serde_json::{Value, json};

fn whole(recording: &Recording) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_events_json(&mut bytes, recording).unwrap();
    bytes
}

#[test]
fn an_event_holds_everything_before_and_after() {
    let events: Value = serde_json::from_slice(&whole(&sample::recording())).unwrap();
    let floor = |last: f64| json!({ "normal": [0, -0.0, 1], "stress": [[1, 2], [3, last]] });
    let ball =
        |touches: bool, e: f64| json!({ "mass": 0.1, "position": [0, 0, 0.19], "touches": touches, "e": e });
    let side = |ball: Value, floor: Value, energy: u32| {
        json!({
            "world": { "g": 9.81, "wind": [0.5, 0.9] },
            "objects": { "ball": ball, "floor": floor },
            "measures": { "energy": energy },
        })
    };
    let expected = json!({
        "index": 0,
        "time": 0.9,
        "kind": "collision",
        "context": "bounce",
        "objects": ["floor", "ball"],
        "before": side(ball(false, 0.9), floor(4.0), 7),
        "after": side(ball(true, -0.9), floor(4.5), 6),
        "given": { "collisionPoint": [0, 0.1, 0.2] },
    });
    assert_eq!(numbers(&events[0]), numbers(&expected));
    assert_eq!(events[1]["kind"], "free fall");
    assert_eq!(events[1]["context"], Value::Null);
    assert_eq!(events[1]["objects"], json!(["ball"]));
    assert_eq!(events[1]["after"]["objects"].as_object().unwrap().len(), 1);
    assert_eq!(events.as_array().unwrap().len(), 2);
}

#[test]
fn a_value_outside_its_context_is_null() {
    let mut recording = sample::recording();
    recording.events[0].after[7] = f64::NAN;
    let events: Value = serde_json::from_slice(&whole(&recording)).unwrap();
    assert_eq!(events[0]["after"]["objects"]["ball"]["e"], Value::Null);
    assert_eq!(events[0]["before"]["objects"]["ball"]["e"], 0.9);
}

/// JSON tells no integers from reals: all numbers as reals.
fn numbers(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64().unwrap()),
        Value::Array(items) => items.iter().map(numbers).collect(),
        Value::Object(entries) => entries.iter().map(|(key, value)| (key.clone(), numbers(value))).collect(),
        other => other.clone(),
    }
}

#[test]
fn the_array_is_whole_after_every_event() {
    let recording = sample::recording();
    let disk = Disk::new();
    let mut sink = JsonEventsSink::new(disk.clone(), &recording.schema).unwrap();
    let read = || -> Vec<Value> { serde_json::from_slice(&disk.bytes()).unwrap() };
    assert_eq!(read().len(), 0);
    for (number, event) in recording.events.iter().enumerate() {
        sink.event(event).unwrap();
        assert_eq!(read().len(), number + 1);
    }
    sink.finish().unwrap();
    assert_eq!(disk.bytes(), whole(&recording), "as if written at once");
}

/// The scalars of a value, row by row.
fn scalars(ty: &Type, value: &Value) -> Vec<f64> {
    let reals = |value: &Value| value.as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    match ty {
        Type::Real => vec![value.as_f64().unwrap()],
        Type::Bool => vec![f64::from(value.as_bool().unwrap())],
        Type::Vector(_) => reals(value),
        Type::Matrix(Dim::Is(rows), _) => {
            let lines = value.as_array().unwrap();
            assert_eq!(lines.len(), *rows as usize);
            lines.iter().flat_map(|it| -> Vec<f64> { reals(it) }).collect()
        }
        _ => unreachable!("columns hold no others"),
    }
}

proptest! {
    #[test]
    fn values_read_back_to_the_same_bits(recording in any::recording()) {
        let events: Vec<Value> = serde_json::from_slice(&whole(&recording)).unwrap();
        prop_assert_eq!(events.len(), recording.events.len());
        for (read, event) in events.iter().zip(&recording.events) {
            prop_assert_eq!(read["time"].as_f64().unwrap().to_bits(), event.time.to_bits());
            for (side, row) in [("before", &event.before), ("after", &event.after)] {
                let mut rest = row.as_slice();
                for it in &recording.schema.quantities {
                    let value = match it.owner {
                        Owner::World => &read[side]["world"][&it.name],
                        Owner::Measure => &read[side]["measures"][&it.name],
                        Owner::Object(object) if !event.objects.contains(&object) => continue,
                        Owner::Object(object) => &read[side]["objects"][&recording.schema.objects[object]][&it.name],
                    };
                    let (own, others) = rest.split_at(it.width());
                    rest = others;
                    if own.iter().any(|it| it.is_nan()) {
                        prop_assert_eq!(value, &Value::Null);
                        continue;
                    }
                    let bits = |reals: &[f64]| reals.iter().map(|it| it.to_bits()).collect::<Vec<_>>();
                    prop_assert_eq!(bits(&scalars(&it.ty, value)), bits(own));
                }
                prop_assert!(rest.is_empty());
            }
        }
    }
}
