//! `record`: what a recording leaves out still moves, is measured, and is there when a run goes on.

use super::run::{ball, run_with, simulation, usual};
use crate::support::model;
use gedanken_lab::{Run, Stop};
use gedanken_recording::{Owner, Recording};

/// x grows by y, y by the world's z, and z by one; with `record` a line for the simulation.
fn text(record: &str, measures: &str) -> String {
    "world attributes { z = 0  w = 5 }\n".to_owned()
        + &ball("a", "x = 0\n y = 0\n k = 1")
        + "rule third { writes = {z}  functions = { z = previous(z) + 1 } }
           rule second { reads = {z}  writes = {y}  functions = { y = previous(y) + z } }
           rule first { reads = {y, k}  writes = {x, position}
               functions = { x = previous(x) + k * y  position = [x, 0, 0] } }
           event often { reads = {z}  writes = {size}  functions = { when = z > 70  size = 2 } }\n"
        + measures
        + &simulation(
            "seq(third, second, first, often)",
            &format!("duration = 100\n frame rate = 1\n {record}"),
        )
}

const TOTAL: &str = "measure total { of = {a}  value = k * x + 1000 * y + 1000000 * z }\n";

fn recorded(text: &str) -> Recording {
    let (recording, ended) = run_with(&model(text), usual());
    ended.unwrap();
    recording
}

fn names(recording: &Recording) -> (Vec<&str>, Vec<&str>) {
    let schema = &recording.schema;
    let varying = schema.quantities.iter().map(|it| it.name.as_str());
    (varying.collect(), schema.constants.iter().map(|it| it.name.as_str()).collect())
}

#[test]
fn only_what_is_named_is_recorded_and_where_things_are() {
    let all = recorded(&text("", TOTAL));
    assert_eq!(
        names(&all),
        (vec!["z", "position", "size", "x", "y", "total"], vec!["w", "k", "orientation"])
    );
    assert_eq!(names(&recorded(&text("record = attributes", TOTAL))), names(&all));
    let some = recorded(&text("record = {y, w}", TOTAL));
    assert_eq!(names(&some), (vec!["position", "size", "y", "total"], vec!["w", "orientation"]));
    let least = recorded(&text("record = {}", TOTAL));
    assert_eq!(names(&least), (vec!["position", "size", "total"], vec!["orientation"]));
    // Nothing else is different.
    for other in [&some, &least] {
        assert_eq!(other.hashes, all.hashes);
        for quantity in &other.schema.quantities {
            let same = all.schema.quantity(quantity.owner, &quantity.name).unwrap();
            for frame in 0..all.frames() {
                let [a, b] =
                    [(other, quantity), (&all, same)].map(|(it, of)| &it.row(frame)[of.start..of.end()]);
                assert_eq!(a, b, "{} in frame {frame}", quantity.name);
            }
        }
        for (event, whole) in other.events.iter().zip(&all.events) {
            assert_eq!(event.before.len(), other.schema.event_width(&event.objects));
            assert_eq!(event.after.last(), whole.after.last());
        }
        assert_eq!(other.events.len(), 30);
    }
}

/// After n steps z = n, y = n (n + 1) / 2 and x = n (n + 1) (n + 2) / 6, recorded or not.
#[test]
fn what_is_not_recorded_is_measured() {
    let recording = recorded(&text("record = {}", TOTAL));
    let total = recording.schema.quantity(Owner::Measure, "total").unwrap();
    for frame in 0..=100 {
        let n = frame as f64;
        let (y, x) = (n * (n + 1.0) / 2.0, n * (n + 1.0) * (n + 2.0) / 6.0);
        assert_eq!(recording.row(frame)[total.start], x + 1000.0 * y + 1_000_000.0 * n);
    }
}

/// A keyframe holds the whole state and nothing else: it fits whatever is recorded and measured.
#[test]
fn keyframes_do_not_depend_on_what_is_recorded() {
    let all = recorded(&text("", TOTAL));
    let (frame, keyframe) = &all.keyframes[64];
    assert_eq!(*frame, 64);
    let others =
        [text("", ""), text("record = {}", TOTAL), text("record = {x}", "measure one { value = w / 5 }\n")];
    for text in others {
        let experiment = model(&text);
        let (whole, ended) = run_with(&experiment, usual());
        ended.unwrap();
        assert_eq!(whole.keyframes, all.keyframes);
        let mut run = Run::new(&experiment, &experiment.simulations[0], usual()).unwrap();
        run.resume(*frame as u64, keyframe).unwrap();
        let mut rest = Recording::new(run.schema().clone());
        while run.advance(&mut rest).unwrap() {}
        assert_eq!(rest.frames(), 36);
        assert_eq!(rest.hashes, all.hashes[65..]);
        assert_eq!(rest.events, whole.events);
        for k in 0..rest.frames() {
            assert_eq!(rest.row(k), whole.row(65 + k));
        }
    }
    // Other attributes that change are another matter.
    let other =
        model(&text("", TOTAL).replace(
            "writes = {y}  functions = { y = previous(y) + z }",
            "writes = {k}  functions = { k = z }",
        ));
    let mut run = Run::new(&other, &other.simulations[0], usual()).unwrap();
    match run.resume(64, keyframe) {
        Err(Stop::Keyframe(why)) => assert!(why.contains("another experiment"), "{why}"),
        ended => panic!("{ended:?}"),
    }
}
