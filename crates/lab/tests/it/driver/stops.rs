//! A run can be cancelled between and within steps, and another one goes on from its last keyframe.

use super::texts::{all, drive, finished, lasting, looks, one_per_line, ready, ready_until, run};
use crate::support::model;
use gedanken_lab::{Options, Run, Stop};
use gedanken_math::Cancel;
use gedanken_recording::{Event, Frame, Notice, Recording, Sink};
use std::fmt::Write;
use std::io;

/// Number of places at which each run is cancelled.
const CUTS: u64 = 40;

#[test]
fn a_run_ends_where_it_is_cancelled_and_can_go_on_from_its_last_keyframe() {
    for (name, experiment) in all() {
        let simulation = lasting(&experiment, 0.95);
        let whole = run(&experiment, 0.95);
        let looks = looks(&experiment, &simulation);
        // Before the start and before each step at least.
        let steps = if name == "contexts" { 10 } else { 95 };
        assert!(looks > steps, "{name}: {looks} looks");
        for most in (0..looks).step_by((looks / CUTS) as usize) {
            let (mut run, _) = ready_until(&experiment, &simulation, most);
            let (recording, stop) = drive(&mut run);
            assert!(matches!(stop, Some(Stop::Cancelled)), "{name} {most}: {stop:?}");
            let frames = recording.frames();
            assert_eq!(run.frame(), (frames as u64).checked_sub(1), "{name}");
            assert_eq!(recording.hashes, whole.hashes[..frames], "{name}");
            // As text, in which no value equals no value.
            let (events, all) = (&recording.events, &whole.events);
            assert_eq!(format!("{events:?}"), format!("{:?}", &all[..events.len()]), "{name}");
            let Some((frame, keyframe)) = recording.keyframes.last() else { continue };
            let mut again = ready(&experiment, &simulation);
            again.resume(*frame as u64, keyframe).unwrap();
            assert_eq!(finished(again).hashes.last(), whole.hashes.last(), "{name} after {most}");
        }
    }
}

/// A token that is asked, and then not any more, has lost nothing if the run was between steps.
#[test]
fn a_run_that_was_cancelled_between_frames_goes_on() {
    for (name, experiment) in all() {
        let simulation = lasting(&experiment, 0.35);
        let whole = run(&experiment, 0.35);
        let (mut run, cancel) = ready_until(&experiment, &simulation, u64::MAX);
        let mut recording = Recording::new(run.schema().clone());
        loop {
            cancel.ask();
            if run.frame() < Some(4) {
                assert!(matches!(run.advance(&mut recording), Err(Stop::Cancelled)), "{name}");
            }
            cancel.forget();
            if !run.advance(&mut recording).unwrap() {
                break;
            }
        }
        assert_eq!(recording.hashes, whole.hashes, "{name}");
    }
}

/// A sink that refuses every frame the first time.
struct Reluctant {
    recording: Recording,
    refused: bool,
}

impl Sink for Reluctant {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.refused = !self.refused;
        if self.refused { Err(io::Error::other("not yet")) } else { self.recording.frame(frame) }
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.recording.event(event)
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.recording.notice(notice)
    }
}

#[test]
fn a_frame_that_was_refused_is_handed_over_again() {
    for (name, experiment) in all() {
        let simulation = lasting(&experiment, 0.35);
        let whole = run(&experiment, 0.35);
        let mut run = ready(&experiment, &simulation);
        let mut sink = Reluctant { recording: Recording::new(run.schema().clone()), refused: false };
        loop {
            match run.advance(&mut sink) {
                Ok(true) | Err(Stop::Sink(_)) => {}
                Ok(false) => break,
                Err(stop) => panic!("{name}: {stop}"),
            }
        }
        assert_eq!(sink.recording.hashes, whole.hashes, "{name}");
    }
}

/// Within a step the state is neither here nor there: then a run says so, and else it goes on as if nothing had
/// been.
#[test]
fn a_run_that_was_cancelled_within_a_step_says_so() {
    for (name, experiment) in all() {
        let simulation = lasting(&experiment, 0.95);
        let whole = run(&experiment, 0.95);
        let looks = looks(&experiment, &simulation);
        let mut torn = 0;
        for most in (0..looks).step_by((looks / CUTS) as usize) {
            let (mut run, cancel) = ready_until(&experiment, &simulation, most);
            let (first, _) = drive(&mut run);
            cancel.forget();
            match drive(&mut run) {
                (rest, None) => assert_eq!([first.hashes, rest.hashes].concat(), whole.hashes, "{most}"),
                (rest, Some(Stop::Torn)) => {
                    torn += 1;
                    assert_eq!(rest.frames(), 0);
                }
                (_, Some(stop)) => panic!("{name}: {stop}"),
            }
        }
        assert!(torn > 0, "{name}: some looks are within a step");
    }
}

/// One frame in which balls meet a thousand times is stopped within it, with one thread and with more.
#[test]
fn a_long_frame_of_contexts_is_stopped_within_it() {
    let mut text = String::new();
    for k in 0..40 {
        let (x, y) = (f64::from(k % 8) * 0.5, f64::from(k / 8) * 0.5);
        let v = [1.0 + 0.1 * f64::from(k % 7), 0.3 * f64::from(k % 5) - 0.5, 0.0];
        writeln!(
            text,
            "object {{ name = b{k:02}  physical type = dynamic  geometrical type = sphere
    attributes = {{ position = [{x}, {y}, 0]  size = 0.1  v = {v:?} }} }}"
        )
        .unwrap();
    }
    text += "context { name = straight  type = free fall
    attributes = {t0, p0}  compute_first_time_only_attributes = {t0, p0}
    functions = { t0 = t  p0 = position  position = p0 + v * (t - t0) } }
context { name = swap  type = collision
    attributes = {v_in}  compute_first_time_only_attributes = {v_in}
    aliases = {
        use v1 as attribute v of object with index 0
        use v2 as attribute v of object with index 1
        use v1_in as attribute v_in of object with index 0
        use v2_in as attribute v_in of object with index 1
        use n as attribute collisionNormal of object with index 0
    }
    functions = { v1_in = v1  v2_in = v2  j = (v2_in - v1_in) . n  v1 = v1_in + j * n  v2 = v2_in - j * n }
    applicability = { mandatory 2 dynamic spheres } }
simulation { name = s  duration = 20  frame rate = 0.05 }
";
    let experiment = model(&one_per_line(&text));
    for threads in [1, 2] {
        let ready = |cancel: &Cancel| {
            let options = Options { native: false, threads, cancel: cancel.clone(), ..Options::default() };
            Run::new(&experiment, &experiment.simulations[0], options).unwrap()
        };
        let cancel = Cancel::after(u64::MAX);
        let (whole, stop) = drive(&mut ready(&cancel));
        assert!(stop.is_none());
        assert_eq!(whole.frames(), 2, "one frame after the start");
        let (looks, events) = (u64::MAX - cancel.looks_left().unwrap(), whole.events.len());
        assert!(looks > 1000, "{looks} looks, {events} events");
        let (cut, stop) = drive(&mut ready(&Cancel::after(looks / 2)));
        assert!(matches!(stop, Some(Stop::Cancelled)), "{stop:?}");
        assert_eq!(cut.frames(), 1);
        assert!(cut.events.len() < events, "{} of {events} events", cut.events.len());
    }
}
