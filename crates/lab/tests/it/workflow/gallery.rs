//! The workflows of the gallery and of the book run to their end.

use super::run::{run, value};
use crate::support::Gallery;
use gedanken_experiment::Files;

/// Leapfrog swings around the energy -2 pi², and does not leave it.
#[test]
fn the_orbit_keeps_its_energy() {
    let recording = run(&Gallery.text("workflow_orbit.lab").unwrap());
    let pi = std::f64::consts::PI;
    for frame in 0..recording.frames() {
        let r = value(&recording, frame, "planet", "position");
        let v = value(&recording, frame, "planet", "v");
        let square = |x: &[f64]| x.iter().map(|x| x * x).sum::<f64>();
        let energy = 0.5 * square(&v) - 4.0 * pi * pi / square(&r).sqrt();
        assert!((energy + 2.0 * pi * pi).abs() < 1e-3, "{energy} in frame {frame}");
    }
}

/// The spring of the page about the language: it passes the middle at odd quarters of its period, 2 pi /
/// sqrt(k) = pi.
#[test]
fn the_spring_of_the_book_swings_as_printed() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/language.md");
    let page = std::fs::read_to_string(path).unwrap();
    let fences = page.split("```lab\n").skip(1).map(|rest| rest.split("```").next().unwrap());
    let texts: Vec<&str> = fences.filter(|text| text.contains("mechanics = workflow")).collect();
    let recording = run(texts[0]);
    let times: Vec<f64> = recording.events.iter().map(|event| event.time).collect();
    let pi = std::f64::consts::PI;
    let expected = [pi / 4.0, 3.0 * pi / 4.0];
    assert_eq!(times.len(), expected.len(), "{times:?}");
    for (time, expected) in times.iter().zip(expected) {
        assert!((0.0..=0.0011).contains(&(time - expected)), "{time} {expected}");
    }
}
