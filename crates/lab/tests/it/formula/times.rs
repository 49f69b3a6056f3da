//! Value and derivative at any time.

use super::{formula, sample};
use gedanken_recording::formula::At;

fn at(text: &str, t: f64) -> Option<At> {
    let recording = sample::recording();
    formula(&recording, text).at(&recording, t).map(|it| it[0])
}

fn near(found: Option<f64>, expected: f64) -> bool {
    found.is_some_and(|found| (found - expected).abs() < 1e-13)
}

#[test]
fn a_polynomial_is_met_exactly() {
    // Before the first event, at 0.9: the height 1 − t², the wind t.
    for t in [0.0, 0.1, 0.25, 0.4, 0.6, 0.75] {
        let At { value, derivative } = at("ball.position#3", t).unwrap();
        assert!(near(value, 1.0 - t * t) && near(derivative, -2.0 * t), "{t}");
        let At { value, derivative } = at("3 * ball.position#3 * wind#2", t).unwrap();
        assert!(near(value, 3.0 * (t - t * t * t)) && near(derivative, 3.0 - 9.0 * t * t), "{t}");
    }
    let recording = sample::recording();
    let both = formula(&recording, "[ball.mass * t, t^2]").at(&recording, 1.3).unwrap();
    assert!(near(both[0].value, 0.13) && near(both[0].derivative, 0.1));
    assert!(near(both[1].value, 1.69) && near(both[1].derivative, 2.6));
}

#[test]
fn nothing_is_interpolated_across_an_event() {
    // `e` is t until the event at 0.9, and −t from there on.
    for (t, value, slope) in [(0.85, 0.85, 1.0), (0.9, -0.9, -1.0), (0.95, -0.95, -1.0), (1.05, -1.05, -1.0)]
    {
        let found = at("ball.e", t).unwrap();
        assert!(near(found.value, value) && near(found.derivative, slope), "{t}: {found:?}");
        let found = at("2 * ball.e + 1", t).unwrap();
        assert!(
            near(found.value, 2.0 * value + 1.0) && near(found.derivative, 2.0 * slope),
            "{t}: {found:?}"
        );
    }
}

#[test]
fn an_event_of_one_of_two_parts_their_common_curve() {
    // At 1.1 the ball's height jumps; the floor has no part in it, so that the sum is not known there.
    let sum = "ball.position#3 + floor.stress#1#1";
    assert_eq!(at(sum, 1.05).unwrap().value, None);
    assert_eq!(at(sum, 1.2).unwrap().value, None);
    let known = at(sum, 1.3).unwrap();
    assert!(near(known.value, 2.0 - 1.69) && near(known.derivative, -2.6), "{known:?}");
    // What never changes parts nothing.
    let known = at("ball.position#3 + floor.normal#3", 1.105).unwrap();
    assert!(known.value.is_some());
}

#[test]
fn outside_there_is_nothing_and_no_value_is_said_to_be_none() {
    assert_eq!(at("t", -0.1), None);
    assert_eq!(at("t", 1.8), None);
    assert_eq!(at("t", f64::NAN), None);
    assert_eq!(at("ball.e@free", 1.3), Some(At { value: None, derivative: None }));
    assert_eq!(at("ball.mass", 0.3).unwrap().value, Some(0.1));
    assert_eq!(at("1 / (t - 0.5)", 0.5), Some(At { value: None, derivative: None }));
}
