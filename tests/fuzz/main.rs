//! Every reader on its stored corpus and on mutations of it: the fuzz targets, without a fuzzer.
//!
//! Inputs are counted, not timed, and the same in every run. An input that fails is written to
//! `target/fuzz-failure-TARGET`; after the cause is mended it belongs into `fuzz/corpus/TARGET`.

#[allow(unreachable_pub, reason = "the fuzzer calls them from another crate")]
#[path = "../../fuzz/src/lib.rs"]
mod targets;

use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use targets::mutate::{Dice, mutate};
use targets::{TARGETS, Target};

/// The stored inputs of a target, by name.
fn corpus(name: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new("../fuzz/corpus").join(name);
    let files = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut inputs: Vec<(String, Vec<u8>)> = files
        .map(|file| {
            let path = file.expect("the folder can be listed").path();
            (path.display().to_string(), fs::read(&path).expect("a stored input can be read"))
        })
        .collect();
    // The order of a folder differs between disks.
    inputs.sort();
    inputs
}

#[allow(clippy::disallowed_methods, reason = "a test keeps what it failed on")]
fn feed(&(name, run): &Target, what: &str, bytes: &[u8]) {
    if panic::catch_unwind(AssertUnwindSafe(|| run(bytes))).is_err() {
        let kept = format!("../target/fuzz-failure-{name}");
        let kept = fs::write(&kept, bytes).map_or_else(|error| format!("lost: {error}"), |()| kept);
        panic!("{name} fails on {what}; the input is {kept}");
    }
}

fn fuzz(name: &str, mutations: usize) {
    let target = TARGETS.iter().find(|it| it.0 == name).expect("the target exists");
    let inputs = corpus(name);
    assert!(inputs.len() >= 5, "{name} has a corpus of {} inputs", inputs.len());
    for (what, bytes) in &inputs {
        feed(target, what, bytes);
    }
    let mut dice = Dice::new(1687);
    for number in 0..mutations {
        let (what, input) = &inputs[dice.below(inputs.len())];
        let other = &inputs[dice.below(inputs.len())].1;
        feed(target, &format!("mutation {number}, of {what}"), &mutate(&mut dice, input, other));
    }
}

macro_rules! targets {
    ($($name:ident $mutations:literal)*) => {
        $(#[test] fn $name() { fuzz(stringify!($name), $mutations); })*

        #[test]
        fn every_target_is_tried() {
            let tried = [$(stringify!($name)),*];
            assert_eq!(TARGETS.map(|(name, _)| name).as_slice(), tried);
        }
    };
}

// As many as take some seconds without optimizations.
targets! {
    stl 200_000
    obj 200_000
    lang_syntax 2_500
    lang_check 8_000
    symbolic 20_000
    experiment 800
    recording 4_000
    session 3_000
    formula 20_000
    setting 4_000
    over 200_000
    keyframe 2_000
    states 2_000
    mechanism_states 1_000
    mjcf 4_000
}
