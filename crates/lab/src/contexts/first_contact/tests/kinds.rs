//! Every kind of law and of answer: oscillations, growth, jumps, laws without bounds, approaches without end.

use super::movers::{Height, Range, Short, cosine, floor};
use super::{meet, proven, scales, search};
use crate::contexts::first_contact::{Basis, Found, Meeting, Relation};
use crate::contexts::trajectory::bounds::Mover;
use std::f64::consts::{PI, TAU};

const NEVER: f64 = f64::INFINITY;

/// A ball of radius 1/2 at the height middle + swing · cos(turns · τ t).
fn swinging(middle: f64, swing: f64, turns: f64) -> impl Mover {
    let rate = TAU * turns;
    Height {
        at: move |t| (middle + swing * libm::cos(rate * t), 0.5),
        range: move |from, to| {
            let (least, greatest) = cosine(rate * from, rate * to);
            // −sin x = cos(x + π/2).
            let (slowest, fastest) = cosine(rate * from + 0.5 * PI, rate * to + 0.5 * PI);
            let (speed, hair) = (rate * swing, 1e-14);
            Some((
                middle + swing * least - hair,
                middle + swing * greatest + hair,
                speed * slowest - hair,
                speed * fastest + hair,
                0.5,
                0.0,
                true,
            ))
        },
        fails: NEVER,
    }
}

/// The same without bounds.
fn unbounded(at: impl FnMut(f64) -> (f64, f64)) -> impl Mover {
    Height { at, range: |_: f64, _: f64| -> Option<Range> { None }, fails: NEVER }
}

#[test]
fn a_swing_is_met_each_time_it_comes_back() {
    // s = 0.1 + 0.5 cos(2τ t) crosses zero downwards where cos = −0.2.
    let first = libm::acos(-0.2) / (2.0 * TAU);
    let mut swing = swinging(0.6, 0.5, 2.0);
    let time = proven(meet(&mut swing, &mut floor(), 0.0, 1.0));
    assert!((time - first).abs() <= 1e-11, "{time} {first}");
    // Settled, it sinks in, comes out again and hits half a second later.
    let scales = scales(0.0, 1.0, 10.0);
    let again = search(&mut swing, &mut floor(), Relation::Inside, time, 1.0, scales).expect("no troubles");
    assert!((proven(again) - (first + 0.5)).abs() <= 1e-11, "{again:?}");
}

#[test]
fn a_settled_pair_leaves_and_returns_within_the_interval() {
    for speed in [2.0, 1e-3, 1e-5] {
        let g = 10.0;
        let mut ball = Height {
            at: |t: f64| (0.5 + (speed - 0.5 * g * t) * t, 0.5),
            range: |from: f64, to: f64| {
                let (fast, slow) = (speed - g * from, speed - g * to);
                let height = 0.5 + (speed - 0.5 * g * from) * from;
                let way = to - from;
                Some((height + slow.min(0.0) * way, height + fast.max(0.0) * way, slow, fast, 0.5, 0.0, true))
            },
            fails: NEVER,
        };
        let scales = scales(0.0, 1.0, 1.0);
        let found = search(&mut ball, &mut floor(), Relation::Inside, 0.0, 1.0, scales).expect("no troubles");
        let expected = 2.0 * speed / g;
        // The rounding of a height of 1/2 at this speed.
        let slack = 2.0 * scales.tick + 4.0 * f64::EPSILON / speed;
        assert!((proven(found) - expected).abs() <= slack, "{found:?} {expected}");
    }
}

#[test]
fn a_settled_pair_that_stays_has_never_been_apart() {
    for rate in [0.0, -0.3] {
        let mut asks = 0;
        let mut ball = Height {
            at: |t: f64| {
                asks += 1;
                (0.5 + rate * t, 0.5)
            },
            range: |from: f64, to: f64| {
                Some((0.5 + rate * to, 0.5 + rate * from, rate, rate, 0.5, 0.0, true))
            },
            fails: NEVER,
        };
        let found = search(&mut ball, &mut floor(), Relation::Inside, 0.0, 1.0, scales(0.0, 1.0, 1.0));
        let expected = (Meeting::None { apart: false }, Basis::Proven);
        let found = found.expect("no troubles");
        assert_eq!((found.meeting, found.basis), expected);
        assert!(asks <= 2, "{asks}");
    }
}

#[test]
fn an_approach_without_end_is_a_touch() {
    let mut ball = Height {
        at: |t: f64| (0.5 + libm::exp(-t), 0.5),
        range: |from: f64, to: f64| {
            let (high, low) = (libm::exp(-from) * (1.0 + 1e-15), libm::exp(-to) * (1.0 - 1e-15));
            Some((0.5 + low - 1e-15, 0.5 + high + 1e-15, -high, -low, 0.5, 0.0, true))
        },
        fails: NEVER,
    };
    let scales = scales(0.0, 60.0, 1.0);
    let found = search(&mut ball, &mut floor(), Relation::Apart, 0.0, 60.0, scales).expect("no troubles");
    let Found { meeting: Meeting::Touch { time }, basis: Basis::Proven, .. } = found else {
        panic!("{found:?}")
    };
    // Into the band, and not farther than half of it.
    let (enters, half) =
        (12.0 * std::f64::consts::LN_10, 12.0 * std::f64::consts::LN_10 + std::f64::consts::LN_2);
    assert!(time >= enters - 1e-3 && time <= half + 1e-3, "{time}");
}

#[test]
fn a_ball_that_grows_meets_the_floor() {
    let mut ball = Height {
        at: |t: f64| (2.0, 0.5 + t * t),
        range: |_, to: f64| Some((2.0, 2.0, 0.0, 0.0, 0.5 + to * to, 2.0 * to * (1.0 + 1e-15), true)),
        fails: NEVER,
    };
    let time = proven(meet(&mut ball, &mut floor(), 0.0, 3.0));
    assert!((time - libm::sqrt(1.5)).abs() <= 1e-11, "{time}");
}

#[test]
fn a_jump_into_an_overlap_is_found_where_it_leads() {
    let at = |t: f64| (if t < 0.3 { 2.0 } else { 0.2 }, 0.5);
    let range = |from: f64, to: f64| {
        let (high, low) = (if from < 0.3 { 2.0 } else { 0.2 }, if to < 0.3 { 2.0 } else { 0.2 });
        Some((low, high, 0.0, 0.0, 0.5, 0.0, high == low))
    };
    let bounded = meet(&mut Height { at, range, fails: NEVER }, &mut floor(), 0.0, 1.0);
    let sampled = meet(&mut unbounded(at), &mut floor(), 0.0, 1.0);
    for (found, basis) in [(bounded, Basis::Proven), (sampled, Basis::Sampled)] {
        let Meeting::Impact { time, jump: true } = found.meeting else { panic!("{found:?}") };
        assert!((0.3..=0.3 + 1e-12).contains(&time), "{time}");
        assert_eq!(found.basis, basis);
    }
}

#[test]
fn a_jump_to_where_nothing_is_touched_is_none() {
    let mut ball = Height {
        at: |t: f64| (if t < 0.3 { 0.7 } else { 0.9 }, 0.5),
        range: |from: f64, to: f64| {
            let (first, last) = (if from < 0.3 { 0.7 } else { 0.9 }, if to < 0.3 { 0.7 } else { 0.9 });
            // A bound that is wider than the truth while it contains the jump.
            let least = if first == last { first } else { 0.0 };
            Some((least, last, 0.0, 0.0, 0.5, 0.0, first == last))
        },
        fails: NEVER,
    };
    let found = meet(&mut ball, &mut floor(), 0.0, 1.0);
    assert_eq!((found.meeting, found.basis), (Meeting::None { apart: true }, Basis::Proven));
}

#[test]
fn a_fast_swing_without_bounds_is_found_between_its_samples() {
    // s = 0.5 + 0.501 cos(10 τ t): overlaps for 2 % of the time only, less than half a cell.
    let mut swing = unbounded(|t: f64| (1.0 + 0.501 * libm::cos(10.0 * TAU * t), 0.5));
    let found = meet(&mut swing, &mut floor(), 0.0, 1.0);
    let expected = libm::acos(-0.5 / 0.501) / (10.0 * TAU);
    let Found { meeting: Meeting::Impact { time, jump: false }, basis: Basis::Sampled, .. } = found else {
        panic!("{found:?}")
    };
    assert!((time - expected).abs() <= 1e-11, "{time} {expected}");
}

#[test]
fn bounds_that_exist_only_for_short_intervals_prove_all_the_same() {
    let mut short = Short(swinging(0.6, 0.5, 2.0), 0.1);
    let time = proven(meet(&mut short, &mut floor(), 0.0, 1.0));
    assert!((time - libm::acos(-0.2) / (2.0 * TAU)).abs() <= 1e-11, "{time}");
}
