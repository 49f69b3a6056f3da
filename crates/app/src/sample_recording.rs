//! A small recording made by hand, for tests.

use gedanken_lang::types::Type;
use gedanken_recording::{Constant, Event, EventKind, Frame, Owner, Quantity, Recording, Schema, Sink};

/// Two balls, of which `b` is hit at t = 1.5; `a.x` = t², `b.v` = [2 t, 0] before and [0, t] after, the
/// measure `n` counts.
pub(crate) fn two_balls_recording() -> Recording {
    let quantity = |owner, name: &str, ty: Type, start| Quantity {
        owner,
        name: name.to_owned(),
        ty,
        context: None,
        start,
    };
    let schema = Schema {
        engine: "test".to_owned(),
        text: String::new(),
        path: "two.lab".to_owned(),
        imports: Vec::new(),
        simulation: "meet".to_owned(),
        parameters: Vec::new(),
        initial_time: 0.0,
        duration: 3.0,
        frame_rate: 1.0,
        objects: vec!["a".to_owned(), "b".to_owned()],
        contexts: vec!["hit".to_owned()],
        quantities: vec![
            quantity(Owner::World, "g", Type::Real, 0),
            quantity(Owner::Object(0), "x", Type::Real, 1),
            quantity(Owner::Object(1), "touched", Type::Bool, 2),
            quantity(Owner::Object(1), "v", Type::vector(2), 3),
            quantity(Owner::Measure, "n", Type::Real, 5),
        ],
        constants: vec![Constant {
            owner: Owner::Object(0),
            name: "mass".to_owned(),
            ty: Type::Real,
            scalars: vec![7.0],
        }],
        contacts: false,
        derived: Vec::new(),
    };
    let mut recording = Recording::new(schema);
    for k in 0..4u32 {
        let t = f64::from(k);
        if k == 2 {
            let event = Event {
                index: 0,
                time: 1.5,
                kind: EventKind::Collision,
                context: Some(0),
                objects: vec![1],
                given: Vec::new(),
                before: vec![9.5, f64::NAN, 3.0, 0.0, 1.0],
                after: vec![9.5, 1.0, 0.0, 1.5, 2.0],
            };
            recording.event(&event).unwrap();
        }
        let row = match k {
            0 | 1 => [9.5, t * t, f64::NAN, 2.0 * t, 0.0, 1.0],
            _ => [9.5, t * t, 1.0, 0.0, t, 2.0],
        };
        let frame = Frame {
            index: u64::from(k),
            time: t,
            row: &row,
            hash: u64::from(k),
            contacts: &[],
            keyframe: None,
        };
        recording.frame(frame).unwrap();
    }
    recording
}
