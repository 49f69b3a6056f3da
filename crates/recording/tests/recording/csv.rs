//! CSV: the header, the rows, and that reading a cell gives the bits that were recorded.

use crate::{any, sample};
use gedanken_lang::types::{Dim, Type};
use gedanken_recording::{CsvSink, Owner, Recording, Schema, Sink};
use proptest::prelude::*;
use std::collections::BTreeMap;

fn csv(recording: &Recording, event_rows: bool) -> String {
    let mut sink = CsvSink::new(Vec::new(), &recording.schema, event_rows).unwrap();
    recording.replay(&mut sink).unwrap();
    String::from_utf8(sink.into_inner()).unwrap()
}

#[test]
fn a_frame_is_a_row() {
    let text = csv(&sample::recording(), false);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 8);
    assert_eq!(
        lines[0],
        "t,g,wind#1,wind#2,ball.mass,ball.position#1,ball.position#2,ball.position#3,ball.touches,ball.e,\
         floor.normal#1,floor.normal#2,floor.normal#3,\
         floor.stress#1#1,floor.stress#1#2,floor.stress#2#1,floor.stress#2#2,energy"
    );
    assert_eq!(lines[1], "0,9.81,0.5,0,0.1,0,0,1,0,0,0,-0,1,1,2,3,4,1e-7");
    assert_eq!(lines[6], "1.25,9.81,0.5,1.25,0.1,0,0,-0.5625,1,-1.25,0,-0,1,1,2,3,5.25,1e-7");
}

#[test]
fn an_event_adds_the_state_after_it() {
    let text = csv(&sample::recording(), true);
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 1 + 8 + 2);
    // After frame 3, with everything that the event changed.
    assert_eq!(lines[5], "0.9,9.81,0.5,0.9,0.1,0,0,0.19,1,-0.9,0,-0,1,1,2,3,4.5,6");
    // The floor takes no part in the second event: its stress is that of frame 4, not of the first event.
    assert_eq!(lines[7], "1.1,9.81,0.5,1.1,0.1,0,0,8,1,-1.1,0,-0,1,1,2,3,5,6");
    assert!(lines[6].starts_with("1,") && lines[8].starts_with("1.25,"));
}

#[test]
fn a_cell_without_value_is_empty() {
    let mut schema = sample::schema();
    // Types that differ do not share a column.
    schema.quantities.retain(|it| it.name == "e");
    schema.quantities[0].start = 0;
    schema.quantities[1].start = 1;
    schema.quantities[1].ty = Type::vector(1);
    schema.constants.clear();
    let mut recording = Recording::new(schema);
    for row in [[2.0, f64::NAN], [f64::NAN, 3.0]] {
        let frame = gedanken_recording::Frame {
            index: 0,
            time: 0.5,
            row: &row,
            hash: 0,
            contacts: &[],
            keyframe: None,
        };
        recording.frame(frame).unwrap();
    }
    assert_eq!(csv(&recording, false), "t,ball.e,ball.e@rolling#1\n0.5,2,\n0.5,,3\n");
}

/// The names of all scalars with their values in a row, made without the code under test.
fn expected(schema: &Schema, row: &[f64]) -> BTreeMap<String, f64> {
    let label = |owner, name: &str| match owner {
        Owner::Object(object) => format!("{}.{name}", schema.objects[object]),
        Owner::World | Owner::Measure => name.to_owned(),
    };
    let elements = |ty: &Type| -> Vec<String> {
        match *ty {
            Type::Vector(Dim::Is(n)) => (1..=n).map(|k| format!("#{k}")).collect(),
            Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => {
                (1..=rows).flat_map(|i| (1..=columns).map(move |j| format!("#{i}#{j}"))).collect()
            }
            _ => vec![String::new()],
        }
    };
    let mut all = BTreeMap::new();
    for it in &schema.quantities {
        for (k, element) in elements(&it.ty).into_iter().enumerate() {
            all.insert(label(it.owner, &it.name) + &element, row[it.start + k]);
        }
    }
    for it in &schema.constants {
        for (k, element) in elements(&it.ty).into_iter().enumerate() {
            all.insert(label(it.owner, &it.name) + &element, it.scalars[k]);
        }
    }
    all
}

fn cell(text: &str) -> f64 {
    if text.is_empty() { f64::NAN } else { text.parse().unwrap() }
}

proptest! {
    #[test]
    fn cells_read_back_to_the_same_bits(recording in any::recording()) {
        let text = csv(&recording, false);
        let mut lines = text.lines();
        let header: Vec<&str> = lines.next().unwrap().split(',').collect();
        for frame in 0..recording.frames() {
            let cells: Vec<f64> = lines.next().unwrap().split(',').map(cell).collect();
            let expected = expected(&recording.schema, recording.row(frame));
            prop_assert_eq!(cells.len(), header.len());
            prop_assert_eq!(cells.len(), expected.len() + 1);
            prop_assert_eq!(cells[0].to_bits(), recording.times[frame].to_bits());
            for (name, read) in header.iter().zip(&cells).skip(1) {
                let recorded = expected[*name];
                prop_assert!(read.to_bits() == recorded.to_bits() || (read.is_nan() && recorded.is_nan()), "{}", name);
            }
        }
        prop_assert_eq!(lines.next(), None);
    }
}
