//! The experiments of the gallery read without a word of complaint, and to the expected models.

use crate::support;
use gedanken_experiment::Experiment;
use gedanken_experiment::Files;
use gedanken_lab::report;
use gedanken_lang::diagnostic::{Style, render};
use support::{Gallery, experiment, text_of};

fn read(name: &str) -> Experiment {
    let text = Gallery.text(name).unwrap();
    let (sources, result) = experiment(&Gallery, &text, &[]);
    let found = result.unwrap_or_else(|found| panic!("{}", render(&found, &sources, Style::Plain)));
    assert_eq!(render(&found.warnings, &sources, Style::Plain), "", "{name}");
    found
}

#[test]
fn bouncing_ball() {
    insta::assert_snapshot!(text_of(&read("bouncing_ball.lab")));
}

#[test]
fn two_spheres() {
    insta::assert_snapshot!(text_of(&read("two_spheres.lab")));
}

#[test]
fn chapter5() {
    let found = read("chapter5.lab");
    insta::assert_snapshot!(format!("{}\n{}", text_of(&found), report(&found)));
}

/// Every file of the folder, so that none is forgotten.
#[test]
fn every_experiment_of_the_gallery_is_sound() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".lab") {
            let found = read(&name);
            for object in &found.objects {
                object.solid(&found.objects).unwrap();
            }
            count += 1;
        }
    }
    assert!(count >= 3, "the gallery has experiments");
}
