//! Keyframes of other runs, and damaged ones, are refused in words.

use super::texts::{all, lasting, ready, run};
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lab::Stop;
use gedanken_recording::{Event, Frame, Notice, Recording, Sink};
use proptest::prelude::*;
use std::io;

/// Why a keyframe is refused.
#[track_caller]
fn refusal(experiment: &Experiment, simulation: &Simulation, frame: u64, bytes: &[u8]) -> String {
    match ready(experiment, simulation).resume(frame, bytes) {
        Err(Stop::Keyframe(why)) => why,
        other => panic!("{other:?}"),
    }
}

#[test]
fn keyframes_of_other_runs_are_refused_in_words() {
    let all = all();
    let keyframes: Vec<Vec<u8>> =
        all.iter().map(|(_, experiment)| run(experiment, 0.5).keyframes[3].1.clone()).collect();
    for (place, (name, experiment)) in all.iter().enumerate() {
        let usual = &experiment.simulations[0];
        for (other, keyframe) in all.iter().zip(&keyframes).filter(|it| it.0.0 != *name) {
            let why = refusal(experiment, usual, 3, keyframe);
            assert_eq!(why, format!("it is one of {}, not of {name}", other.0));
        }
        let own = &keyframes[place];
        assert_eq!(refusal(experiment, usual, 4, own), "it belongs to frame 3, not to 4");
        let mut renamed = usual.clone();
        renamed.name = "other".to_owned();
        if name != &"a workflow" {
            assert!(refusal(experiment, &renamed, 3, own).contains("another experiment"), "{name}");
        }
        let slower = Simulation { frame_rate: 5.0, ..usual.clone() };
        let why = refusal(experiment, &slower, 3, own);
        assert!(why.contains("it is of t = 0.3, and frame 3 is at t = 0.6"), "{name}: {why}");
        let later = Simulation { initial_time: 1.0, ..usual.clone() };
        assert!(refusal(experiment, &later, 3, own).contains("t = 1.3"), "{name}");
        assert_eq!(refusal(experiment, usual, 3, b"nonsense"), "it is not a keyframe");
        assert_eq!(refusal(experiment, usual, 3, b""), "it is not a keyframe");
        let mut newer = own.clone();
        newer[8] = 77;
        assert!(refusal(experiment, usual, 3, &newer).contains("version 77"), "{name}");
        let mut begun = ready(experiment, usual);
        begun.advance(&mut Recording::new(begun.schema().clone())).unwrap();
        assert!(matches!(begun.resume(3, own), Err(Stop::Keyframe(_))), "{name}: a run that has begun");
        ready(experiment, usual).resume(3, own).unwrap();
    }
}

/// What is recorded does not depend on how long a run lasts: frames of a short run are those of a long one.
#[test]
fn a_run_goes_on_to_any_end() {
    for (name, experiment) in all() {
        let short = run(&experiment, 0.5);
        let long = lasting(&experiment, 1e9);
        let mut resumed = ready(&experiment, &long);
        assert_eq!(resumed.schema().quantities, short.schema.quantities, "{name}");
        let (frame, keyframe) = &short.keyframes[3];
        resumed.resume(*frame as u64, keyframe).unwrap();
        let mut recording = Recording::new(resumed.schema().clone());
        assert!(resumed.advance(&mut recording).unwrap());
        assert_eq!(recording.hashes[0], short.hashes[frame + 1], "{name}");
    }
}

/// A sink from which no run goes on.
struct Final(Recording);

impl Sink for Final {
    fn frame(&mut self, frame: Frame<'_>) -> io::Result<()> {
        self.0.frame(frame)
    }

    fn wants_keyframes(&self) -> bool {
        false
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        self.0.event(event)
    }

    fn notice(&mut self, notice: &Notice) -> io::Result<()> {
        self.0.notice(notice)
    }
}

#[test]
fn a_sink_that_wants_no_keyframes_gets_none_and_the_same_frames() {
    for (name, experiment) in all() {
        let whole = run(&experiment, 0.5);
        let simulation = lasting(&experiment, 0.5);
        let mut run = ready(&experiment, &simulation);
        let mut sink = Final(Recording::new(run.schema().clone()));
        while run.advance(&mut sink).unwrap() {}
        assert!(sink.0.keyframes.is_empty() && !whole.keyframes.is_empty(), "{name}");
        assert_eq!((sink.0.times, sink.0.hashes), (whole.times, whole.hashes), "{name}");
    }
}

#[test]
fn a_keyframe_that_is_cut_anywhere_is_refused() {
    for (name, experiment) in all() {
        let simulation = lasting(&experiment, 0.5);
        let (frame, keyframe) = run(&experiment, 0.5).keyframes.swap_remove(3);
        for length in 0..keyframe.len() {
            let why = refusal(&experiment, &simulation, frame as u64, &keyframe[..length]);
            let known = why.contains("not a keyframe") || why.contains("damaged");
            assert!(known, "{name}: {length} of {}: {why}", keyframe.len());
        }
        let longer = [keyframe.as_slice(), &[0; 8]].concat();
        assert!(refusal(&experiment, &simulation, frame as u64, &longer).contains("damaged"), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_is_changed_in_a_keyframe_is_noticed(
        which in 0_usize..4,
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1_u8..), 1..5),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (_, experiment) = &all()[which];
        let simulation = lasting(experiment, 0.5);
        let (frame, keyframe) = run(experiment, 0.5).keyframes.swap_remove(3);
        let mut changed = keyframe.clone();
        for (place, mask) in changes {
            let place = place.index(changed.len());
            changed[place] ^= mask;
        }
        if let Some(cut) = cut {
            changed.truncate(cut.index(keyframe.len()));
        }
        prop_assume!(changed != keyframe);
        let why = refusal(experiment, &simulation, frame as u64, &changed);
        prop_assert!(["damaged", "not a keyframe", "version"].iter().any(|it| why.contains(it)), "{}", why);
    }

    #[test]
    fn no_bytes_are_mistaken_for_a_keyframe(which in 0_usize..4, bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (_, experiment) = &all()[which];
        refusal(experiment, &experiment.simulations[0], 0, &bytes);
    }
}
