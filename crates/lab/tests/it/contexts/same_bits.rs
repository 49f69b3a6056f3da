//! The same bits, whoever computes them: native code or the column evaluator, one thread or two, blocks in
//! any order, in one go or resumed.

use super::support::{Dice, blocks, gallery, read, run, run_with};
use gedanken_lab::{Options, Run};
use gedanken_recording::Recording;

/// Collisions, contacts, rates, geometry, attributes of the world: all that has a state.
fn several() -> Vec<(&'static str, String)> {
    let mut several: Vec<(&str, String)> = [
        "bouncing_to_rest.lab",
        "stack.lab",
        "cradle_on_strings.lab",
        "spring.lab",
        "break_shot.lab",
        "spinning_bounce.lab",
        "two_body.lab",
        "newtons_cradle.lab",
    ]
    .into_iter()
    .map(|name| (name, gallery(name)))
    .collect();
    // One second of standing tells as much as ten.
    several[1].1 = several[1].1.replace("duration = 10\n", "duration = 1\n");
    several.push(("a gas", super::gas::small()));
    several.push(("two hits", super::laws::two_hits("hits = previous(hits) + 1")));
    several
}

#[track_caller]
fn assert_same(one: &Recording, other: &Recording, why: &str) {
    assert_eq!(one.schema, other.schema, "{why}");
    for (frame, hashes) in one.hashes.iter().zip(&other.hashes).enumerate() {
        assert_eq!(hashes.0, hashes.1, "{why}: frame {frame}");
    }
    for (one, other) in one.events.iter().zip(&other.events) {
        assert_eq!(
            (one.index, one.time, one.kind, &one.objects),
            (other.index, other.time, other.kind, &other.objects),
            "{why}"
        );
    }
    assert!(one.is_same(other), "{why}");
}

#[test]
fn native_code_and_the_evaluator_give_the_same_bits() {
    for (name, text) in several() {
        let evaluated = run_with(&text, Options { native: false, ..Options::default() });
        assert_same(&run(&text), &evaluated, name);
    }
}

#[test]
fn one_thread_and_two_give_the_same_bits() {
    for (name, text) in several() {
        assert_same(&run(&text), &run_with(&text, Options { threads: 2, ..Options::default() }), name);
    }
}

#[test]
fn blocks_may_stand_in_any_order() {
    let mut dice = Dice(5);
    for (name, text) in several() {
        let whole = run(&text);
        // Imports come first, and which simulation is the first matters.
        let blocks = blocks(&text);
        let is_fixed = |it: &&String| it.contains("import \"") || it.contains("simulation {");
        let fixed: Vec<String> = blocks.iter().filter(is_fixed).cloned().collect();
        let mut free: Vec<String> = blocks.iter().filter(|it| !is_fixed(it)).cloned().collect();
        assert!(free.len() > 3, "{name}");
        for round in 0..3 {
            if round == 0 {
                free.reverse();
            } else {
                for k in (1..free.len()).rev() {
                    free.swap(k, (dice.next() % (k as u64 + 1)) as usize);
                }
            }
            let permuted = [fixed.concat(), free.concat()].concat();
            assert_same(&whole, &run(&permuted), name);
        }
    }
}

/// The same run, from a keyframe on, for at most so many frames.
fn resumed(
    whole: &Recording,
    engine: &mut Run<'_>,
    frame: usize,
    keyframe: &[u8],
    frames: usize,
) -> Recording {
    engine.resume(frame as u64, keyframe).unwrap();
    let mut recording = Recording::new(whole.schema.clone());
    for _ in 0..frames {
        if !engine.advance(&mut recording).unwrap() {
            break;
        }
    }
    recording
}

/// Everything after `frame` is the same to the last bit.
#[track_caller]
fn assert_goes_on(whole: &Recording, rest: &Recording, frame: usize, why: &str) {
    let end = frame + 1 + rest.frames();
    for k in 0..rest.frames() {
        assert_eq!(whole.times[frame + 1 + k].to_bits(), rest.times[k].to_bits(), "{why}");
        assert_eq!(
            whole.hashes[frame + 1 + k],
            rest.hashes[k],
            "{why}: frame {} from frame {frame}",
            frame + 1 + k
        );
    }
    let same = |k: usize| whole.frames_before[k] > frame && whole.frames_before[k] < end;
    let events: Vec<usize> = (0..whole.events.len()).filter(|&k| same(k)).collect();
    assert_eq!(events.len(), rest.events.len(), "{why}: events from frame {frame}");
    for (&k, event) in events.iter().zip(&rest.events) {
        let bits = |row: &[f64]| row.iter().map(|it| it.to_bits()).collect::<Vec<u64>>();
        let whole = &whole.events[k];
        assert_eq!(
            (whole.index, whole.time.to_bits(), whole.kind),
            (event.index, event.time.to_bits(), event.kind),
            "{why}"
        );
        assert_eq!(
            (whole.context, &whole.objects, &whole.given),
            (event.context, &event.objects, &event.given),
            "{why}"
        );
        assert_eq!(
            (bits(&whole.before), bits(&whole.after)),
            (bits(&event.before), bits(&event.after)),
            "{why}"
        );
    }
    let keyframes = whole.keyframes.iter().filter(|it| it.0 > frame && it.0 < end);
    for (one, other) in keyframes.zip(&rest.keyframes) {
        let at = one.1.iter().zip(&other.1).position(|(a, b)| a != b);
        assert_eq!(
            (at, one.1.len()),
            (None, other.1.len()),
            "{why}: keyframe of frame {} from {frame}",
            one.0
        );
    }
}

/// From every keyframe some frames, and from some of them all. What a run keeps besides its keyframe must not
/// show.
#[test]
fn a_resumed_run_gives_the_same_bits() {
    for (name, text) in several() {
        let whole = run(&text);
        let experiment = read(&text);
        let simulation = experiment.simulation(None).unwrap();
        // The evaluator is ready at once; that it gives the bits of native code is another test.
        let options = Options { native: false, ..Options::default() };
        assert!(whole.keyframes.len() > 10 && whole.keyframes[0].0 == 0, "{name}");
        for (k, (frame, keyframe)) in whole.keyframes.iter().enumerate() {
            let frames = if k % 128 == 0 { usize::MAX } else { 2 };
            let mut engine = Run::new(&experiment, simulation, options.clone()).unwrap();
            let rest = resumed(&whole, &mut engine, *frame, keyframe, frames);
            assert_goes_on(&whole, &rest, *frame, name);
        }
    }
}

/// A keyframe of another experiment, or half of one, is refused, whatever it is cut down to.
#[test]
fn a_damaged_keyframe_is_refused() {
    let text = gallery("bouncing_to_rest.lab");
    let whole = run(&text);
    let experiment = read(&text);
    let simulation = experiment.simulation(None).unwrap();
    let options = Options { native: false, ..Options::default() };
    let (frame, keyframe) = &whole.keyframes[100];
    for length in 0..keyframe.len() {
        let mut engine = Run::new(&experiment, simulation, options.clone()).unwrap();
        assert!(engine.resume(*frame as u64, &keyframe[..length]).is_err(), "{length} of {}", keyframe.len());
    }
    let other = run(&gallery("stack.lab"));
    let mut engine = Run::new(&experiment, simulation, options).unwrap();
    assert!(engine.resume(1, &other.keyframes[1].1).is_err());
}
