//! Experiments of the gallery to the bit: collisions, contacts, integrated rates, workflows, and the measures
//! of all of them, which are part of every row. The fingerprints were made once; every build, optimized or
//! not, every executor of laws, every number of threads and every processor must reproduce them. `make test`
//! runs this file in debug and release, and once more on an emulated processor without AVX and FMA.
//!
//! A change that is meant to change results makes them anew:
//!
//! ```text
//! INSTA_UPDATE=always cargo test -p gedanken-lab --test golden
//! ```
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

use gedanken_experiment::Experiment;
use gedanken_experiment::Files;
use gedanken_lab::{Options, Run, read};
use gedanken_lang::source::Sources;
use gedanken_recording::{Event, Frame, Notice, Sink};
use std::fmt::Write;
use std::io;

/// Simulations and their number of frames: long enough for everything in them to have happened.
const EXPERIMENTS: [(&str, u64); 18] = [
    // Collisions: of turning bodies, and of a ball with the floor until it rests.
    ("off_centre", 90),
    ("bouncing_to_rest", 400),
    // Contacts that look at each other, and impacts with friction.
    ("stack", 150),
    ("chapter5_scene", 80),
    // Rates, one by one and of several objects together.
    ("falling_with_drag", 120),
    ("two_body", 60),
    // Rules.
    ("workflow_orbit", 15),
    ("workflow_thermostat", 300),
    // Rigid bodies: contacts and impacts, joints in a loop, a potential and a force of the file's own.
    ("dominoes", 40),
    ("four_bar", 40),
    ("anharmonic", 40),
    // Soft constraints: contacts, a loop, a chain without constraints.
    ("soft_landing", 60),
    ("soft_linkage", 60),
    ("ball_chain", 30),
    // A kinematic root with motors and friction, a coupling of joints, two loops, a figure in contact.
    ("gripper", 40),
    ("cam", 60),
    ("six_bar", 60),
    ("soft_figure", 60),
];

/// The gallery.
struct Gallery;

impl Files for Gallery {
    fn text(&self, path: &str) -> Result<String, String> {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments/");
        std::fs::read_to_string(format!("{folder}{path}")).map_err(|error| error.to_string())
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.text(path).map(String::into_bytes)
    }
}

/// Keeps nothing but the hash of the last frame, and how many events there were.
#[derive(Debug, Default, PartialEq)]
struct Fingerprint {
    hash: u64,
    events: u64,
}

impl Sink for Fingerprint {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.hash = frame.hash;
        Ok(())
    }

    fn event(&mut self, _event: &Event) -> io::Result<()> {
        self.events += 1;
        Ok(())
    }

    fn notice(&mut self, _notice: &Notice) -> io::Result<()> {
        Ok(())
    }
}

fn run(experiment: &Experiment, frames: u64, options: Options) -> Fingerprint {
    let mut run = Run::new(experiment, &experiment.simulations[0], options).unwrap();
    let mut found = Fingerprint::default();
    while run.frame() < Some(frames) {
        assert!(run.advance(&mut found).unwrap(), "there are {frames} frames");
    }
    found
}

#[test]
fn experiments_are_the_same_everywhere() {
    let mut table = String::new();
    for (name, frames) in EXPERIMENTS {
        let path = format!("{name}.lab");
        let text = Gallery.text(&path).unwrap();
        let experiment = read(&Gallery, &mut Sources::new(), &path, text, &[]).unwrap();
        let found = run(&experiment, frames, Options::default());
        let evaluated = run(&experiment, frames, Options { native: false, ..Options::default() });
        assert_eq!(found, evaluated, "{name}: native code differs from the evaluator");
        let shared = run(&experiment, frames, Options { threads: 2, ..Options::default() });
        assert_eq!(found, shared, "{name}: two threads differ from one");
        let Fingerprint { hash, events } = found;
        writeln!(table, "{name:<20} frame {frames:>3}  {events:>3} events  {hash:016x}").unwrap();
    }
    insta::assert_snapshot!(table);
}
