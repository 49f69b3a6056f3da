//! Values of formulas: in frames, at events, where there is no value, and in every executor the same.

use super::{formula, frames, same, sample};
use crate::support::{Memory, experiment};
use gedanken_lab::{Options, Run};
use gedanken_recording::{Moment, Recording, Sample};

/// A ball that falls for two seconds from a height of 50, thrown up at 3 and forward at 1.
const FALL: &str = "world attributes { g = 9.81 }
object {
    name = ball
    physical type = dynamic
    geometrical type = sphere
    attributes = { position = [0, 0, 50]  size = 0.5  v = [1, 0, 3]  mass = 0.2 }
}
context {
    name = flight
    type = free fall
    attributes = {pos0, v0}
    compute_first_time_only_attributes = {pos0, v0}
    functions = {
        pos0 = position
        v0 = v
        v = v0 - [0, 0, g * t]
        position = pos0 + v0 * t - [0, 0, 0.5 * g * t^2]
    }
}
simulation { name = fall  duration = 2 }
";

fn run(text: &str) -> Recording {
    let experiment = experiment(&Memory(&[]), text, &[]).1.unwrap();
    let mut run = Run::new(&experiment, &experiment.simulations[0], Options::default()).unwrap();
    let mut recording = Recording::new(run.schema().clone());
    while run.advance(&mut recording).unwrap() {}
    recording
}

#[test]
fn the_energy_of_a_falling_ball_is_constant() {
    let recording = run(FALL);
    let mut energy =
        formula(&recording, "0.5 * ball.mass * norm(ball.v)^2 + ball.mass * g * ball.position#3");
    let series = energy.over(&recording, &recording.samples());
    // ½·0.2·(1 + 9) + 0.2·9.81·50
    let expected = 1.0 + 98.1;
    assert!(series.points(0).count() > 120, "frames, and the event that lets it fall");
    for (t, value) in series.points(0) {
        assert!((value / expected - 1.0).abs() < 1e-12, "{value} at {t}");
    }
    let momentum = frames(&recording, "ball.mass * (ball.v . [0, 0, 1])");
    for (t, value) in recording.times.iter().zip(momentum) {
        assert!((value - 0.2 * (3.0 - 9.81 * t)).abs() < 1e-12);
    }
    assert!(energy.failure().is_none());
}

#[test]
fn a_formula_has_no_value_where_a_quantity_has_none() {
    let recording = sample::recording();
    let sum = frames(&recording, "ball.e@free + t");
    assert_eq!(sum[..4], [0.0, 0.5, 1.0, 1.5]);
    assert!(sum[4..].iter().all(|it| it.is_nan()));
    let mut formula = formula(&recording, "[ball.e@free, t]");
    assert_eq!(formula.value(&recording, Sample::Frame(2)), Some(vec![0.5, 0.5]));
    assert_eq!(formula.value(&recording, Sample::Frame(5)), None);
    assert_eq!(formula.value(&recording, Sample::Frame(99)), None);
    assert_eq!(formula.value(&recording, Sample::After(99)), None);
    assert!(formula.failure().is_none(), "nothing failed");
}

#[test]
fn at_events_those_who_take_part_are_known() {
    let recording = sample::recording();
    let both = |text: &str, event| {
        let mut formula = formula(&recording, text);
        [Moment::Before, Moment::After]
            .map(|moment| formula.value(&recording, Sample::of_event(event, moment)).map(|it| it[0]))
    };
    // The first event is of ball and floor, the second of the ball alone.
    assert_eq!(both("floor.stress#2#2 - ball.position#3", 0), [Some(4.0 - 0.19), Some(4.5 - 0.19)]);
    assert_eq!(both("floor.stress#2#2 - ball.position#3", 1), [None, None]);
    assert_eq!(both("2 * ball.position#3", 1), [Some(0.0), Some(16.0)]);
    assert_eq!(both("energy / 2", 0), [Some(3.5), Some(3.0)]);
    assert_eq!(both("wind#2 + t", 1), [Some(2.2), Some(2.2)]);
    assert_eq!(both("ball.e@free", 0), [Some(0.9), None], "no value is no value");
    assert_eq!(both("norm(floor.normal) * ball.mass", 1), [Some(0.1), Some(0.1)], "constants are known");
    assert_eq!(both("if ball.touches then 5 else 6", 0), [Some(6.0), Some(5.0)]);

    let mut partly = formula(&recording, "floor.stress#2#2 - ball.position#3");
    let series = partly.over(&recording, &recording.samples());
    assert_eq!((series.times.len(), series.points(0).count()), (12, 10));
}

#[test]
fn samples_are_in_order_of_time_and_events_come_before_their_frame() {
    use Sample::{After, Before, Frame};
    let recording = sample::recording();
    let samples = recording.samples();
    let frames = |frames: std::ops::Range<usize>| frames.map(Frame);
    let events = |event| [Before(event), After(event)];
    let expected: Vec<Sample> =
        frames(0..4).chain(events(0)).chain(frames(4..5)).chain(events(1)).chain(frames(5..8)).collect();
    assert_eq!(samples, expected);
    assert!(samples.is_sorted_by_key(|it| it.time(&recording)));
    let stress = recording.schema.find("floor.stress#2#2").unwrap().places;
    assert_eq!(After(0).scalar(&recording, &stress), Some(4.5));
    assert_eq!(After(1).scalar(&recording, &stress), None, "the floor takes no part");
    assert_eq!(Frame(4).scalar(&recording, &stress), Some(5.0));
    let free = recording.schema.find("ball.e@free").unwrap().places;
    assert!(After(1).scalar(&recording, &free).unwrap().is_nan());
}

#[test]
fn failures_are_gaps_and_the_first_is_remembered() {
    let recording = sample::recording();
    let mut formula = formula(&recording, "1 / (t - 0.5)");
    let series = formula.series(&recording, 1..100, 1);
    assert_eq!(series.times, recording.times[1..]);
    for (t, value) in series.points(0) {
        match t == 0.5 {
            true => assert!(value.is_nan()),
            false => assert_eq!(value, 1.0 / (t - 0.5)),
        }
    }
    let failure = formula.failure().unwrap();
    assert_eq!((failure.time, failure.diagnostic.code.as_str()), (0.5, "E501"));
    let place = failure.diagnostic.primary.span;
    assert_eq!(formula.sources().slice(place), "/");
    assert!(failure.to_string().starts_with("no value at t = 0.5: "), "{failure}");

    let mut roots = super::formula(&recording, "sqrt(t - 1)");
    let series = roots.series(&recording, 0..8, 1);
    assert_eq!(series.columns[0][4..], [0.0, 0.5, libm::sqrt(0.5), libm::sqrt(0.75)]);
    assert!(series.columns[0][..4].iter().all(|it| it.is_nan()));
    assert_eq!(roots.failure().unwrap().time, 0.0, "the earliest of four");
    assert!(frames(&recording, "1e308 * (t + 1) * 10").iter().all(|it| it.is_nan()), "too large is no value");
}

#[test]
fn a_series_may_skip_frames() {
    let recording = sample::recording();
    let mut formula = formula(&recording, "10 * t");
    let mut picked = |frames, stride| formula.series(&recording, frames, stride).columns.remove(0);
    assert_eq!(picked(0..8, 3), [0.0, 7.5, 15.0]);
    assert_eq!(picked(2..4, 1), [5.0, 7.5]);
    assert_eq!(picked(6..1000, 0), [15.0, 17.5], "every frame at least once is meant");
    assert_eq!(picked(9..1000, 1), [0.0; 0]);
}

/// Sequences have no intermediate form, so that one of each pair is run by the reference evaluator.
#[test]
fn executors_agree_to_the_bit() {
    let recording = run(FALL);
    for (columns, evaluator) in [
        ("norm(ball.v)^3 / (t + 0.1)", "head({norm(ball.v)^3 / (t + 0.1)})"),
        ("sqrt(1.4 - t)", "{t, sqrt(1.4 - t)} # 2"),
        ("[1 / (t - 1), t]", "head({[1 / (t - 1), t]})"),
        ("ball.v#3 > 0 | t > 1.5", "head({ball.v#3 > 0 | t > 1.5})"),
    ] {
        let (mut one, mut other) = (formula(&recording, columns), formula(&recording, evaluator));
        let samples = recording.samples();
        let (a, b) = (one.over(&recording, &samples), other.over(&recording, &samples));
        assert_eq!((a.columns.len(), &a.recorded), (b.columns.len(), &b.recorded));
        assert!(a.columns.iter().zip(&b.columns).all(|(a, b)| same(a, b)), "{columns}");
        let failure =
            |it: Option<&gedanken_recording::formula::Failure>| it.map(|it| (it.time, it.diagnostic.code));
        assert_eq!(failure(one.failure()), failure(other.failure()), "{columns}");
    }
}

#[test]
fn what_would_take_too_long_is_given_up() {
    let recording = run(FALL);
    let mut formula = formula(&recording, "sum({trace(identityMatrix(900) * identityMatrix(900)) * t})");
    let series = formula.series(&recording, 0..recording.frames(), 1);
    assert!(series.columns[0].iter().all(|it| it.is_nan()));
    assert_eq!(formula.failure().unwrap().diagnostic.code, "E521");
}
