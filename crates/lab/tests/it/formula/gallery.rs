//! Every column of every experiment of the gallery is a formula, with the same bits.

use super::{formula, same};
use crate::support::{Gallery, experiment};
use gedanken_experiment::Files;
use gedanken_experiment::gallery;
use gedanken_lab::{Options, Run};
use gedanken_recording::{Recording, Sample};
use std::collections::BTreeSet;

/// The first frames of every simulation, which is enough for most contexts to come and go.
const FRAMES: usize = 90;

#[test]
fn every_name_is_a_formula() {
    let mut count = 0;
    for file in gallery::FILES.iter().filter(|file| file.name.ends_with(".lab")) {
        let experiment = experiment(&Gallery, &Gallery.text(file.name).unwrap(), &[]).1.unwrap();
        for simulation in &experiment.simulations {
            let mut run = Run::new(&experiment, simulation, Options::default()).unwrap();
            let mut recording = Recording::new(run.schema().clone());
            while recording.frames() < FRAMES && run.advance(&mut recording).unwrap() {}
            count += every_name(&recording, file.name);
        }
    }
    assert!(count > 1000, "only {count} names");
}

fn every_name(recording: &Recording, file: &str) -> usize {
    let schema = &recording.schema;
    let columns = schema.columns();
    let samples = recording.samples();
    let mut names: BTreeSet<&str> = columns.iter().map(|it| it.name.as_str()).collect();
    names.extend(columns.iter().map(|it| &it.name[..it.name.len() - it.element.len()]));
    for &name in &names {
        let found = schema.find(name).unwrap();
        let mut formula = formula(recording, name);
        assert_eq!((formula.ty(), formula.width()), (&found.ty, found.width()), "{file}: {name}");
        let elements = found.elements();
        let element_names: Vec<&str> = elements.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(formula.names(), element_names, "{file}");
        let frames = formula.series(recording, 0..recording.frames(), 1);
        let all = formula.over(recording, &samples);
        for (number, element) in elements.iter().enumerate() {
            assert!(same(&frames.columns[number], &recording.series(element)), "{file}: {name}");
            let scalar = |it: &Sample| it.scalar(recording, &element.places);
            let direct: Vec<Option<f64>> = samples.iter().map(scalar).collect();
            let recorded: Vec<bool> = direct.iter().map(Option::is_some).collect();
            assert_eq!(all.recorded, recorded, "{file}: {name}");
            let direct: Vec<f64> = direct.into_iter().map(|it| it.unwrap_or(f64::NAN)).collect();
            assert!(same(&all.columns[number], &direct), "{file}: {name} at events");
        }
    }
    names.len()
}
