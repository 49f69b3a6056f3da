//! Runs that end before their time, and notices at their start.

use super::run::{ball, ground, run, run_with, simulation, value};
use crate::support::model;
use gedanken_lab::{Options, Run, Stop};
use gedanken_recording::{Event, Frame, Notice, Sink};
use std::io;

/// A ball that is pulled harder the faster it is, v' = v²: at t = 1 its speed is beyond all numbers.
#[test]
fn what_becomes_too_large_stops_the_run_and_is_named() {
    let text = ball("rocket", "position = [0, 0, 0]\n mass = 1\n velocity = [1, 0, 0]")
        + "force boost { of = {rocket}  force = norm(velocity) * velocity }\n"
        + &simulation("duration = 10\n frame rate = 100\n time step = 0.01");
    let (recording, ended) = run_with(&model(&text), Options::default());
    let Err(Stop::Experiment(found)) = ended else { panic!("{ended:?}") };
    let told = format!("{} {:?}", found.message, found.notes);
    assert!(told.contains("rocket") || told.contains("boost") || told.contains("ledger"), "{told}");
    assert!(told.contains("t = "), "{told}");
    assert!(recording.frames() > 10 && recording.frames() < 500, "what was computed is kept");
    for frame in 0..recording.frames() {
        assert!(value(&recording, frame, "rocket", "position")[0].is_finite());
        assert!(recording.row(frame).iter().all(|x| !x.is_infinite()), "a number, or no value");
    }
}

/// Without a law to blame it is the body, or the ledger, that is named.
#[test]
fn a_step_that_cannot_be_made_has_its_code() {
    let text = ball("rocket", "position = [0, 0, 0]\n mass = 1\n velocity = [1e308, 0, 0]")
        + &simulation("duration = 10\n frame rate = 1\n time step = 0.5");
    let (recording, ended) = run_with(&model(&text), Options::default());
    let Err(Stop::Experiment(found)) = ended else { panic!("{ended:?}") };
    assert_eq!(found.code, "E808");
    assert!(found.notes.iter().any(|note| note.contains("t = ")), "{:?}", found.notes);
    assert!(found.help.is_some());
    assert!(!recording.times.is_empty(), "what was computed is kept");
}

#[test]
fn bodies_that_overlap_at_the_start_are_told() {
    let text = ball("low", "position = [0, 0, 0.5]\n mass = 1")
        + &ball("high", "position = [0, 0, 1.4]\n mass = 1")
        + &ground("")
        + &simulation("duration = 0.1\n gravity = [0, 0, -9.81]");
    let recording = run(&text);
    let [notice] = recording.notices.as_slice() else { panic!("{:?}", recording.notices) };
    assert!(notice.message.contains("`low`") && notice.message.contains("`high`"), "{}", notice.message);
    assert!(notice.message.contains("0.1"), "by how much: {}", notice.message);
}

/// A sink that wants no more after so many steps.
struct Impatient(u32);

impl Sink for Impatient {
    fn frame(&mut self, _: Frame<'_>) -> io::Result<()> {
        Ok(())
    }

    fn event(&mut self, _: &Event) -> io::Result<()> {
        Ok(())
    }

    fn notice(&mut self, _: &Notice) -> io::Result<()> {
        Ok(())
    }

    fn goes_on(&mut self) -> io::Result<()> {
        self.0 = self.0.checked_sub(1).ok_or_else(|| io::Error::other("enough"))?;
        Ok(())
    }
}

#[test]
fn a_run_ends_between_steps_when_nobody_wants_it() {
    let text = ball("ball", "position = [0, 0, 9]\n mass = 1")
        + &simulation("duration = 10\n frame rate = 1\n time step = 0.001\n gravity = [0, 0, -9.81]");
    let experiment = model(&text);
    let mut run = Run::new(&experiment, &experiment.simulations[0], Options::default()).unwrap();
    let mut sink = Impatient(1500);
    let stop = loop {
        match run.advance(&mut sink) {
            Ok(_) => {}
            Err(stop) => break stop,
        }
    };
    assert!(matches!(stop, Stop::Sink(_)), "{stop}");
    assert_eq!(run.frame(), Some(1), "the second frame was half done");
}
