//! Runs that end before their time, and notices at their start.

use super::run::{ball, ground, run, run_with, simulation, value};
use crate::support::model;
use gedanken_lab::{Options, Run, Stop};
use gedanken_math::Cancel;
use gedanken_recording::Recording;

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

#[test]
fn a_run_ends_within_a_frame_when_it_is_cancelled() {
    let text = ball("ball", "position = [0, 0, 9]\n mass = 1")
        + &simulation("duration = 10\n frame rate = 1\n time step = 0.001\n gravity = [0, 0, -9.81]");
    let experiment = model(&text);
    let looks = |frames: usize| {
        let cancel = Cancel::after(u64::MAX);
        let options = Options { cancel: cancel.clone(), ..Options::default() };
        let mut run = Run::new(&experiment, &experiment.simulations[0], options).unwrap();
        let mut recording = Recording::new(run.schema().clone());
        (0..frames).for_each(|_| assert!(run.advance(&mut recording).unwrap()));
        u64::MAX - cancel.looks_left().unwrap()
    };
    let within = looks(2).midpoint(looks(3));
    let (recording, stop) =
        run_with(&experiment, Options { cancel: Cancel::after(within), ..Options::default() });
    assert!(matches!(stop, Err(Stop::Cancelled)), "{stop:?}");
    assert_eq!(recording.frames(), 2, "the second frame was half done");
}
