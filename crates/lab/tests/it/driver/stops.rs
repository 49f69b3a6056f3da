//! Whoever takes what a run gives can stop it between any two steps, and go on later.

use super::texts::{Patient, all, finished, lasting, one_per_line, ready, run};
use crate::support::model;
use gedanken_lab::Stop;
use std::fmt::Write;

#[test]
fn a_run_ends_within_one_step_and_can_go_on_from_its_last_keyframe() {
    for (name, experiment) in all() {
        let simulation = lasting(&experiment, 0.95);
        let whole = run(&experiment, 0.95);
        let (_, asked, stop) = Patient::drive(&mut ready(&experiment, &simulation), u64::MAX);
        assert!(stop.is_none(), "{name}");
        // Once before the start and before each step, which in contexts is a frame of several searches.
        let steps = if name == "contexts" { 10 } else { 95 };
        assert!(asked > steps, "{name}: {asked} questions");
        for most in (0..asked).step_by(7) {
            let mut run = ready(&experiment, &simulation);
            let (recording, questions, stop) = Patient::drive(&mut run, most);
            assert!(matches!(stop, Some(Stop::Sink(_))), "{name} {most}");
            assert_eq!(questions, most + 1, "{name}: it ends where it is told to");
            let frames = recording.frames();
            assert_eq!(run.frame(), (frames as u64).checked_sub(1), "{name}");
            if name != "contexts" {
                let done = most.saturating_sub(1) / 10 + u64::from(most > 0);
                assert!(
                    (frames as u64).abs_diff(done) <= 1,
                    "{name}: {frames} frames after {most} questions"
                );
            }
            assert_eq!(recording.hashes, whole.hashes[..frames], "{name}");
            let Some((frame, keyframe)) = recording.keyframes.last() else { continue };
            let mut again = ready(&experiment, &simulation);
            again.resume(*frame as u64, keyframe).unwrap();
            assert_eq!(finished(again).hashes.last(), whole.hashes.last(), "{name} after {most}");
        }
    }
}

/// A sink that says no, and then yes, has lost nothing if the run was between steps.
#[test]
fn a_run_that_was_stopped_between_steps_goes_on() {
    // In contexts a step, which is a frame, asks within itself.
    for (name, experiment) in all().into_iter().filter(|it| it.0 != "contexts") {
        let simulation = lasting(&experiment, 0.35);
        let whole = run(&experiment, 0.35);
        let mut run = ready(&experiment, &simulation);
        let mut hashes = Vec::new();
        for most in (1..).step_by(3) {
            let (recording, _, stop) = Patient::drive(&mut run, most);
            hashes.extend(recording.hashes);
            match stop {
                None => break,
                Some(Stop::Sink(_)) => {}
                Some(other) => panic!("{name}: {other}"),
            }
        }
        assert_eq!(hashes, whole.hashes, "{name}");
    }
}

/// Within a step the state is neither here nor there: then a run says so, and else it goes on as if nothing had
/// been.
#[test]
fn a_run_that_was_stopped_within_a_step_says_so() {
    let (_, experiment) = all().remove(0);
    let simulation = lasting(&experiment, 0.95);
    let (whole, asked, _) = Patient::drive(&mut ready(&experiment, &simulation), u64::MAX);
    let mut torn = 0;
    for most in 0..asked {
        let mut run = ready(&experiment, &simulation);
        let (first, ..) = Patient::drive(&mut run, most);
        match Patient::drive(&mut run, u64::MAX) {
            (rest, _, None) => assert_eq!([first.hashes, rest.hashes].concat(), whole.hashes, "{most}"),
            (rest, questions, Some(Stop::Torn)) => {
                torn += 1;
                assert_eq!((rest.frames(), questions), (0, 0));
            }
            (_, _, Some(stop)) => panic!("{stop}"),
        }
    }
    assert!(torn > 0, "the ball meets the floor within a frame");
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
        let options = gedanken_lab::Options { native: false, threads, ..gedanken_lab::Options::default() };
        let ready = || gedanken_lab::Run::new(&experiment, &experiment.simulations[0], options).unwrap();
        let (whole, asked, stop) = Patient::drive(&mut ready(), u64::MAX);
        assert!(stop.is_none());
        assert_eq!(whole.frames(), 2, "one frame after the start");
        let events = whole.events.len() as u64;
        assert!(asked > 40, "{asked} questions, {events} events");
        let (cut, questions, stop) = Patient::drive(&mut ready(), asked / 2);
        assert!(matches!(stop, Some(Stop::Sink(_))));
        assert_eq!((questions, cut.frames()), (asked / 2 + 1, 1));
        assert!(cut.events.len() < whole.events.len(), "{} of {events} events", cut.events.len());
    }
}
