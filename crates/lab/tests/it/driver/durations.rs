//! A duration is always reached, and a run that is made in parts is the same as one.

use super::texts::{all, finished, lasting, ready, run};
use gedanken_experiment::Experiment;
use gedanken_recording::Recording;
use proptest::prelude::*;

fn bits(row: &[f64]) -> Vec<u64> {
    row.iter().map(|it| it.to_bits()).collect()
}

#[test]
fn the_last_frame_is_at_the_end_of_the_duration() {
    for (name, experiment) in all() {
        for (duration, frames) in [(0.3, 3), (0.1 * 3.0, 3), (0.35, 4), (0.3517, 4), (0.01, 1), (1e-7, 1)] {
            let recording = run(&experiment, duration);
            assert_eq!(recording.frames(), frames + 1, "{name} until {duration}");
            assert_eq!(recording.times[frames].to_bits(), duration.to_bits(), "{name}");
            assert!(recording.times.is_sorted_by(|a, b| a < b), "{name} {:?}", recording.times);
        }
    }
}

/// In all four the ball falls 1 − g t² / 2, up to the error of a step of 0.01, wherever the end is.
#[test]
fn a_short_frame_is_part_of_the_same_motion() {
    for (name, experiment) in all() {
        for duration in [0.2, 0.25, 0.25501, 0.2999, 0.299_999_999] {
            let recording = run(&experiment, duration);
            let height = recording.schema.quantities.last().unwrap().start;
            let found = recording.row(recording.frames() - 1)[height];
            let exact = 1.0 - 0.5 * 9.81 * duration * duration;
            let error = 9.81 * duration * 0.01;
            assert!((found - exact).abs() <= error, "{name} at {duration}: {found} and not {exact}");
        }
    }
}

#[test]
fn a_frame_that_the_end_cuts_short_is_no_keyframe() {
    for (name, experiment) in all() {
        let keyframes = |duration| -> Vec<usize> {
            run(&experiment, duration).keyframes.into_iter().map(|(frame, _)| frame).collect()
        };
        assert_eq!(keyframes(0.3), [0, 1, 2, 3], "{name}");
        assert_eq!(keyframes(0.35), [0, 1, 2, 3], "{name}");
        assert_eq!(keyframes(0.05), [0], "{name}");
    }
}

/// Runs until `a`, goes on from the last keyframe until `b`, and compares all of it with one run until `b`.
fn in_two_parts(name: &str, experiment: &Experiment, a: f64, b: f64) {
    let whole = run(experiment, b);
    let first = run(experiment, a);
    let (frame, keyframe) = first.keyframes.last().unwrap();
    let simulation = lasting(experiment, b);
    let mut second = ready(experiment, &simulation);
    second.resume(*frame as u64, keyframe).unwrap();
    let rest = finished(second);
    let at = format!("{name}: {a} and {b}");
    assert_eq!(frame + 1 + rest.frames(), whole.frames().max(frame + 1), "{at}");
    let joined = |at: usize| if at <= *frame { (&first, at) } else { (&rest, at - frame - 1) };
    for k in 0..whole.frames() {
        let (part, place): (&Recording, usize) = joined(k);
        assert_eq!(part.times[place].to_bits(), whole.times[k].to_bits(), "{at}: frame {k}");
        assert_eq!(part.hashes[place], whole.hashes[k], "{at}: frame {k}");
        assert_eq!(bits(part.row(place)), bits(whole.row(k)), "{at}: frame {k}");
    }
    let seen = first.frames_before.iter().filter(|before| **before <= *frame).count();
    let events: Vec<_> = first.events[..seen].iter().chain(&rest.events).collect();
    assert_eq!(events.len(), whole.events.len(), "{at}");
    for (one, other) in events.into_iter().zip(&whole.events) {
        assert_eq!((one.index, one.time.to_bits()), (other.index, other.time.to_bits()), "{at}");
        assert_eq!((bits(&one.before), bits(&one.after)), (bits(&other.before), bits(&other.after)), "{at}");
    }
}

#[test]
fn a_run_in_two_parts_is_one_run() {
    for (name, experiment) in all() {
        for (a, b) in [(1.0, 2.0), (0.55, 1.2), (0.05, 0.6), (0.73, 0.78), (1.234, 1.987_654), (1e-9, 0.31)] {
            in_two_parts(name, &experiment, a, b);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn a_run_in_two_parts_is_one_run_wherever_it_is_cut(a in 0.0..1.5, more in 0.0..0.7, which in 0_usize..4) {
        let (name, experiment) = &all()[which];
        in_two_parts(name, experiment, a + 1e-6, a + 1e-6 + more);
    }
}
