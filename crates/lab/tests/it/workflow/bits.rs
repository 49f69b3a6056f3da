//! Nothing that is not in the text changes a bit: executors, threads, and going on from a keyframe.

use super::run::{ball, run_with, simulation, usual};
use crate::support::{Gallery, model};
use gedanken_experiment::Files;
use gedanken_lab::{Options, Run, Stop};
use gedanken_recording::Recording;

/// Many balls, and two long rules side by side that both add to one attribute.
fn crowd() -> String {
    let balls: String = (0..300)
        .map(|k| ball(&format!("b{k:03}"), &format!("a = {}\n b = 0.1\n sum = 0\n", f64::from(k) / 7.0)))
        .collect();
    let waves =
        |name: &str| (1..12).map(|k| format!("sine({k} * {name} + t) / {k}")).collect::<Vec<_>>().join(" + ");
    format!(
        "{balls}
        rule one {{ writes = {{a}}  adds = {{sum}}  functions = {{ a = previous(a) + dt * w  sum = w  w = {} }} }}
        rule two {{ writes = {{b}}  adds = {{sum}}  functions = {{ b = previous(b) + dt * w  sum = w / 3  w = {} }} }}
        {}",
        waves("previous(a)"),
        waves("previous(b)"),
        simulation("par(one, two)", "duration = 1")
    )
}

#[test]
fn executors_and_threads_give_equal_bits() {
    for text in [crowd(), Gallery.text("workflow_thermostat.lab").unwrap()] {
        let experiment = model(&text);
        let runs: Vec<Recording> = [(true, 1), (false, 1), (true, 2), (false, 2)]
            .map(|(native, threads)| {
                let (recording, ended) =
                    run_with(&experiment, Options { native, threads, ..Options::default() });
                ended.unwrap();
                recording
            })
            .into();
        for other in &runs[1..] {
            assert_eq!(other.hashes, runs[0].hashes);
            assert_eq!(other.events, runs[0].events);
            let bits = |it: &Recording| -> Vec<u64> {
                (0..it.frames()).flat_map(|frame| it.row(frame).iter().map(|x| x.to_bits())).collect()
            };
            assert_eq!(bits(other), bits(&runs[0]));
        }
        assert_ne!(runs[0].hashes[0], runs[0].hashes[1]);
    }
}

/// Rules that share nothing may as well run one after the other.
#[test]
fn independent_rules_do_the_same_in_par_and_in_seq() {
    let text = crowd().replace("adds = {sum}", "").replace("sum = w / 3", "").replace("sum = w", "");
    let text = text.replace(" sum = 0", "");
    let run = |flow: &str| run_with(&model(&text.replace("par(one, two)", flow)), usual()).0.hashes;
    let together = run("par(one, two)");
    assert_eq!(together, run("seq(one, two)"));
    assert_eq!(together, run("seq(two, one)"));
}

#[test]
fn a_run_goes_on_from_a_keyframe_bit_for_bit() {
    let experiment = model(&Gallery.text("workflow_orbit.lab").unwrap());
    let (whole, ended) = run_with(&experiment, usual());
    ended.unwrap();
    assert!(whole.keyframes.len() > 2, "there are keyframes on the way");
    let (frame, keyframe) = &whole.keyframes[1];
    let mut run = Run::new(&experiment, &experiment.simulations[0], usual()).unwrap();
    run.resume(*frame as u64, keyframe).unwrap();
    let mut rest = Recording::new(run.schema().clone());
    while run.advance(&mut rest).unwrap() {}
    assert_eq!(rest.hashes, whole.hashes[frame + 1..]);
    assert_eq!(rest.times, whole.times[frame + 1..]);
    let seen = whole.frames_before.iter().filter(|before| **before <= *frame).count();
    assert_eq!(rest.events, whole.events[seen..]);
    assert!(!rest.events.is_empty(), "something happens after the keyframe");
    for k in 0..rest.frames() {
        assert_eq!(rest.row(k), whole.row(frame + 1 + k));
    }
}

#[test]
fn keyframes_of_others_are_refused() {
    let orbit = model(&Gallery.text("workflow_orbit.lab").unwrap());
    let room = model(&Gallery.text("workflow_thermostat.lab").unwrap());
    let (recording, _) = run_with(&room, usual());
    let keyframe = &recording.keyframes[0].1;
    let refused = |bytes: &[u8], frame: u64, experiment| {
        let experiment: &gedanken_experiment::Experiment = experiment;
        let mut run = Run::new(experiment, &experiment.simulations[0], usual()).unwrap();
        match run.resume(frame, bytes) {
            Err(Stop::Keyframe(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(keyframe, 0, &orbit).contains("another experiment"));
    assert!(refused(keyframe, 1, &room).contains("frame 0"));
    assert!(refused(&keyframe[..keyframe.len() - 3], 0, &room).contains("damaged"));
    assert!(refused(b"nonsense", 0, &room).contains("not a keyframe"));
    let mut nan = keyframe.clone();
    let end = nan.len();
    nan[end - 8..].copy_from_slice(&f64::NAN.to_le_bytes());
    assert!(refused(&nan, 0, &room).contains("damaged"));
}
