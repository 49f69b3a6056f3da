//! Reading a recording in memory: values, series, rates, events.

use crate::sample::{self, NO_VALUE};
use gedanken_lang::value::{Matrix, Value};
use gedanken_recording::{Moment, Owner};
use proptest::prelude::*;

#[test]
fn values_have_their_types() {
    let recording = sample::recording();
    let schema = &recording.schema;
    let value = |frame, owner, name: &str| recording.value(frame, schema.quantity(owner, name).unwrap());
    let ball = Owner::Object(schema.object("ball").unwrap());
    assert_eq!(value(2, ball, "position"), Some(Value::Vector(vec![0.0, 0.0, 0.75])));
    assert_eq!(value(2, ball, "touches"), Some(Value::Bool(false)));
    assert_eq!(value(5, ball, "touches"), Some(Value::Bool(true)));
    let stress = Matrix { rows: 2, columns: 2, elements: vec![1.0, 2.0, 3.0, 4.25] };
    assert_eq!(value(1, Owner::Object(1), "stress"), Some(Value::Matrix(stress)));
    assert_eq!(value(1, ball, "e"), Some(Value::Real(0.25)));
    assert_eq!(value(5, ball, "e"), None, "outside its context");
    let look = |frame, name: &str| recording.look(frame, &schema.find(name).unwrap());
    assert_eq!(look(5, "ball.e"), Some(Value::Real(-1.25)), "that of the other context");
    assert_eq!(look(5, "ball.e@free"), None);
    assert_eq!(look(5, "g"), Some(Value::Real(9.81)));
    assert_eq!(look(5, "floor.stress#2"), Some(Value::Vector(vec![3.0, 5.25])));
}

#[test]
fn series_have_gaps_where_there_is_no_value() {
    let recording = sample::recording();
    let series = |name: &str| recording.series(&recording.schema.find(name).unwrap());
    assert_eq!(series("ball.e"), [0.0, 0.25, 0.5, 0.75, -1.0, -1.25, -1.5, -1.75]);
    assert_eq!(series("g"), [9.81; 8]);
    let free = series("ball.e@free");
    assert_eq!(free[..4], [0.0, 0.25, 0.5, 0.75]);
    assert!(free[4..].iter().all(|it| it.is_nan()));
    // The rate of t is 1, also at the first frame and beside the gap, where the difference is one-sided.
    let rate = recording.derivative(&free);
    assert_eq!(rate[..4], [1.0; 4]);
    assert!(rate[4..].iter().all(|it| it.is_nan()));
}

#[test]
fn the_rate_of_a_parabola_is_exact_between_the_ends() {
    let recording = sample::recording();
    let height = recording.series(&recording.schema.find("ball.position#3").unwrap());
    let rate = recording.derivative(&height);
    for (frame, rate) in rate.iter().enumerate().take(7).skip(1) {
        assert_eq!(*rate, -2.0 * recording.times[frame]);
    }
    // One-sided: the secant's slope, −(t₀ + t₁).
    assert_eq!((rate[0], rate[7]), (-0.25, -(1.5 + 1.75)));
    let lone = [1.0, NO_VALUE, 1.0, NO_VALUE, NO_VALUE, 1.0, 2.0, NO_VALUE];
    let rate = recording.derivative(&lone);
    assert!(rate[0].is_nan() && rate[2].is_nan(), "one value has no rate");
    assert_eq!(rate[5..7], [4.0, 4.0]);
}

proptest! {
    #[test]
    fn the_nearest_frame_is_nearest(time in -1.0..3.0f64) {
        let recording = sample::recording();
        let found = recording.at(time).unwrap();
        let distance = |frame: usize| (recording.times[frame] - time).abs();
        for frame in 0..recording.frames() {
            prop_assert!(distance(found) < distance(frame) || (distance(found) == distance(frame) && found <= frame));
        }
    }
}

#[test]
fn events_are_read_by_name() {
    let recording = sample::recording();
    let schema = &recording.schema;
    let both = sample::event();
    let value = |event, moment, name: &str| schema.event_value(event, moment, &schema.find(name).unwrap());
    assert_eq!(value(&both, Moment::Before, "ball.position#3"), Some(Value::Real(0.19)));
    assert_eq!(value(&both, Moment::Before, "floor.stress#2#2"), Some(Value::Real(4.0)));
    assert_eq!(value(&both, Moment::After, "floor.stress#2#2"), Some(Value::Real(4.5)));
    assert_eq!(value(&both, Moment::Before, "energy"), Some(Value::Real(7.0)));
    assert_eq!(value(&both, Moment::After, "energy"), Some(Value::Real(6.0)));
    assert_eq!(value(&both, Moment::Before, "ball.e"), Some(Value::Real(0.9)));
    assert_eq!(value(&both, Moment::After, "ball.e"), Some(Value::Real(-0.9)));
    assert_eq!(value(&both, Moment::After, "ball.e@free"), None);
    assert_eq!(value(&both, Moment::After, "ball.touches"), Some(Value::Bool(true)));
    assert_eq!(both.given("collisionPoint"), Some(&[0.0, 0.1, 0.2][..]));
    assert_eq!(both.given("normal"), None);
    let alone = sample::lone_event();
    assert_eq!(value(&alone, Moment::After, "ball.position#3"), Some(Value::Real(8.0)));
    assert_eq!(value(&alone, Moment::After, "energy"), Some(Value::Real(6.0)), "not the floor's stress");
    assert_eq!(value(&alone, Moment::After, "floor.stress"), None, "the floor takes no part");
    assert_eq!(value(&alone, Moment::After, "wind#2"), Some(Value::Real(1.1)));
}

#[test]
fn what_an_event_keeps_goes_back_into_a_row() {
    let schema = sample::schema();
    let row: Vec<f64> = (0..13).map(f64::from).collect();
    // The world, the ball, measures.
    let kept = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 12.0];
    assert_eq!(schema.event_width(&[0]), kept.len());
    let mut whole = vec![-1.0; 13];
    schema.paste(&row, &[1, 0], &mut whole);
    assert_eq!(whole, row, "whoever is named first");
    let mut other = vec![-1.0; 13];
    schema.paste(&kept, &[0], &mut other);
    assert_eq!(other[8..12], [-1.0; 4], "the floor's stay");
    assert_eq!((&other[..8], other[12]), (&row[..8], 12.0));
}
