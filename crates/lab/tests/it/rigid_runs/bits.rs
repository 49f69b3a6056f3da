//! Nothing that is not in the text changes a bit: executors, threads, frames, and going on from a keyframe.

use super::run::{ball, ground, object, run_with, simulation, value};
use crate::support::model;
use gedanken_experiment::Experiment;
use gedanken_lab::{Options, Run, Stop};
use gedanken_recording::Recording;

/// Balls and boxes fall on each other, bounce, and come to rest.
fn heap() -> String {
    let balls: String = (0..4)
        .map(|k| {
            ball(
                &format!("ball{k}"),
                &format!(
                    "position = [{}, 0, {}]\n mass = 1\n restitution = 0.4",
                    1.05 * f64::from(k),
                    0.8 + 0.3 * f64::from(k)
                ),
            )
        })
        .collect();
    let boxes: String = (0..3)
        .map(|k| {
            object(
                &format!("box{k}"),
                "dynamic",
                "cuboid",
                &format!(
                    "position = [-3, 0, {}]\n orientation = [0, 0.1, 0.2]\n size = [1, 1, 0.5]\n density = 2",
                    0.6 + 0.8 * f64::from(k)
                ),
            )
        })
        .collect();
    balls
        + &boxes
        + &ground("restitution = 0.4")
        + "measure energy { value = total_energy }\n"
        + &simulation("duration = 1.5\n gravity = [0, 0, -9.81]")
}

fn complete(experiment: &Experiment, options: Options) -> Recording {
    let (recording, ended) = run_with(experiment, options);
    ended.unwrap();
    recording
}

#[test]
fn executors_and_threads_give_equal_bits() {
    let experiment = model(&heap());
    let usual = complete(&experiment, Options::default());
    for (native, threads) in [(false, 1), (true, 2), (false, 2)] {
        let other = complete(&experiment, Options { native, threads, ..Options::default() });
        assert!(other.is_same(&usual), "native {native}, {threads} threads");
    }
    assert!(usual.events.len() > 5, "a lot happens: {}", usual.events.len());
    assert_ne!(usual.hashes[10], usual.hashes[11]);
}

#[test]
fn a_run_goes_on_from_any_keyframe_bit_for_bit() {
    let experiment = model(&heap());
    let whole = complete(&experiment, Options::default());
    assert!(whole.keyframes.len() > 90, "small states can go on from every frame");
    for (frame, keyframe) in [&whole.keyframes[0], &whole.keyframes[37], &whole.keyframes[80]] {
        let mut run = Run::new(&experiment, &experiment.simulations[0], Options::default()).unwrap();
        run.resume(*frame as u64, keyframe).unwrap();
        let mut rest = Recording::new(run.schema().clone());
        while run.advance(&mut rest).unwrap() {}
        assert_eq!(rest.hashes, whole.hashes[frame + 1..]);
        assert_eq!(rest.times, whole.times[frame + 1..]);
        for k in 0..rest.frames() {
            let bits = |row: &[f64]| row.iter().map(|x| x.to_bits()).collect::<Vec<u64>>();
            assert_eq!(bits(rest.row(k)), bits(whole.row(frame + 1 + k)), "frame {}", frame + 1 + k);
        }
        let seen = whole.frames_before.iter().filter(|before| **before <= *frame).count();
        assert_eq!(rest.events.len(), whole.events.len() - seen);
        for (one, other) in rest.events.iter().zip(&whole.events[seen..]) {
            assert_eq!((one.index, one.time, &one.objects), (other.index, other.time, &other.objects));
        }
    }
}

#[test]
fn keyframes_of_others_are_refused() {
    let experiment = model(&heap());
    let other = model(&heap().replace("name = ball3", "name = ball9"));
    let whole = complete(&experiment, Options::default());
    let (frame, keyframe) = &whole.keyframes[5];
    let refused = |bytes: &[u8], frame: u64, experiment: &Experiment| {
        let mut run = Run::new(experiment, &experiment.simulations[0], Options::default()).unwrap();
        match run.resume(frame, bytes) {
            Err(Stop::Keyframe(why)) => why,
            other => panic!("{other:?}"),
        }
    };
    let frame = *frame as u64;
    assert!(refused(keyframe, frame, &other).contains("another experiment"));
    assert!(refused(keyframe, frame + 1, &experiment).contains("frame 5"));
    assert!(refused(&keyframe[..keyframe.len() - 8], frame, &experiment).contains("damaged"));
    assert!(refused(&keyframe[..keyframe.len() - 3], frame, &experiment).contains("damaged"));
    assert!(refused(b"nonsense", frame, &experiment).contains("not a keyframe"));
}

/// A coarse run has fewer frames of the same motion.
#[test]
fn frames_are_not_part_of_what_is_computed() {
    let experiment = model(&heap());
    let fine = complete(&experiment, Options::default());
    let mut simulation = experiment.simulations[0].clone();
    simulation.coarser(20.0);
    let mut run = Run::new(&experiment, &simulation, Options::default()).unwrap();
    let mut coarse = Recording::new(run.schema().clone());
    while run.advance(&mut coarse).unwrap() {}
    assert_eq!(coarse.frames(), 31);
    for frame in 0..coarse.frames() {
        let same = fine.times.iter().position(|t| (t - coarse.times[frame]).abs() < 1e-9).unwrap();
        for name in ["ball2", "box1"] {
            let [a, b] = [(&coarse, frame), (&fine, same)].map(|(it, at)| value(it, at, name, "position"));
            assert!(a.iter().zip(&b).all(|(a, b)| (a - b).abs() < 1e-6), "{name} at {}", coarse.times[frame]);
        }
    }
    assert_eq!(coarse.events.len(), fine.events.len());
}
