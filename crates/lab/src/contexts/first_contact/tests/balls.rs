//! Balls in uniform motion and in free fall: every answer has a closed form.

use super::movers::{Trajectory, ball, floor};
use super::{meet, proven, scales, search};
use crate::contexts::first_contact::{Basis, Meeting, Relation, Scales};
use crate::contexts::search::band::Band;
use gedanken_math::Vec3;
use proptest::prelude::*;

/// The first root of |p + w t| = r, by the textbook; `None` if they miss.
fn quadratic(p: Vec3, w: Vec3, r: f64) -> Option<f64> {
    let (a, b, c) = (w.dot(w), p.dot(w), p.dot(p) - r * r);
    let root = b * b - a * c;
    (b < 0.0 && root >= 0.0).then(|| c / (-b + root.sqrt()))
}

#[test]
fn a_ball_falls_onto_the_floor() {
    // Far ends of the interval make the speeds uncertain; the answer must not depend on them.
    for (height, up, to) in
        [(2.0, 0.0, 0.6), (2.0, 0.0, 6.0), (9.0, 0.0, 60.0), (0.6, 5.0, 1.2), (0.6, 5.0, 30.0)]
    {
        let g = 9.81;
        let mut ball = Trajectory::at(ball(0.5), Vec3::new(0.3, -0.2, height))
            .moving(Vec3::new(1.0, 2.0, up))
            .falling(g);
        let scales = scales(0.0, to, 10.0);
        let found = search(&mut ball, &mut floor(), Relation::Apart, 0.0, to, scales).expect("no troubles");
        let expected = (up + libm::sqrt(up * up + 2.0 * g * (height - 0.5))) / g;
        assert!((proven(found) - expected).abs() <= scales.tick, "{} {expected}", proven(found));
        assert!(ball.places <= 20 && ball.bounds <= 24, "{} places, {} bounds", ball.places, ball.bounds);
    }
}

#[test]
fn a_hit_of_a_gas_costs_few_places_and_a_miss_one() {
    let (mut hits, mut misses) = (0, 0);
    for k in 0..100 {
        let offset = 0.02 * f64::from(k) - 1.0;
        let mut a = Trajectory::at(ball(0.3), Vec3::new(-2.0, offset, 0.1)).moving(Vec3::new(3.0, 0.1, 0.0));
        let mut b = Trajectory::at(ball(0.4), Vec3::new(2.0, 0.0, 0.0)).moving(Vec3::new(-2.0, 0.0, 0.3));
        let (p, w) = (b.start - a.start, b.velocity - a.velocity);
        let nearest = (p - w * (p.dot(w) / w.dot(w))).length();
        let found = meet(&mut a, &mut b, 0.0, 2.0);
        match quadratic(p, w, 0.7) {
            Some(expected) => {
                hits += 1;
                assert!((proven(found) - expected).abs() <= 1e-12 * expected + 2e-12, "{found:?} {expected}");
                let limit = if nearest < 0.6 { 6 } else { 9 };
                assert!(a.places <= limit && b.places <= limit, "{} {} at {nearest}", a.places, b.places);
                assert!(a.bounds <= 3, "{}", a.bounds);
            }
            None => {
                misses += 1;
                assert_eq!((found.meeting, found.basis), (Meeting::None { apart: true }, Basis::Proven));
                assert_eq!((a.places, b.places, a.bounds, b.bounds), (1, 1, 1, 1));
            }
        }
    }
    assert!(hits > 20 && misses > 20);
}

#[test]
fn grazes_are_told_from_hits_at_the_touch_band() {
    for (deeper, touch, hit) in [
        (1e-13, 1e-12, false),
        (-1e-13, 1e-12, false),
        (1e-11, 1e-12, true),
        (-1e-11, 1e-12, false),
        (1e-13, 1e-14, true),
        (-1e-13, 1e-14, false),
    ] {
        let mut a = Trajectory::at(ball(0.5), Vec3::new(-1.0, 1.0 - deeper, 0.0)).moving(Vec3::X);
        let mut b = Trajectory::at(ball(0.5), Vec3::ZERO);
        let scales = Scales { band: Band::chosen(touch), depth: Band::chosen(touch), tick: 2e-12 };
        let found = search(&mut a, &mut b, Relation::Apart, 0.0, 2.0, scales).expect("no troubles");
        if hit {
            let y = 1.0 - (1.0 - deeper);
            let expected = 1.0 - libm::sqrt(y * (2.0 - y));
            // An angle of grazing α makes the time uncertain by a rounding divided by α.
            assert!((proven(found) - expected).abs() <= 1e-9, "{deeper} {touch}: {found:?} {expected}");
        } else {
            assert_eq!((found.meeting, found.basis), (Meeting::None { apart: true }, Basis::Proven));
        }
    }
}

#[test]
fn late_times_are_as_good_as_their_last_places() {
    let epoch = 1e6;
    let mut a =
        Trajectory { epoch, ..Trajectory::at(ball(0.5), Vec3::new(-3.0, 0.0, 0.0)).moving(Vec3::X * 7.0) };
    let mut b = Trajectory::at(ball(0.5), Vec3::ZERO);
    let found = meet(&mut a, &mut b, epoch, epoch + 1.0);
    assert!((proven(found) - (epoch + 2.0 / 7.0)).abs() <= scales(epoch, epoch + 1.0, 1.0).tick);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4000, failure_persistence: None, ..ProptestConfig::default() })]

    /// Balls of all sizes, aimed near each other.
    #[test]
    fn two_balls_meet_at_the_root_of_the_quadratic(
        start in prop::array::uniform3(-5.0..5.0f64),
        aim in prop::array::uniform3(-1.2..1.2f64),
        carry in prop::array::uniform3(-2.0..2.0f64),
        radii in (-3.0..0.0f64, -3.0..0.0f64),
        takes in 0.05..3.0f64,
    ) {
        let (r, q) = (libm::exp10(radii.0), libm::exp10(radii.1));
        let (start, carry) = (Vec3::from(start), Vec3::from(carry));
        prop_assume!(start.length() > 1.01 * (r + q));
        // Towards a point beside the other ball, as far as 1.2 (r + q) in each direction.
        let target = Vec3::from(aim) * (r + q);
        let velocity = (target - start) / takes;
        let mut a = Trajectory::at(ball(r), start).moving(velocity + carry);
        let mut b = Trajectory::at(ball(q), Vec3::ZERO).moving(carry);
        let to = 1.0;
        let scales = scales(0.0, to, 10.0);
        let found = search(&mut a, &mut b, Relation::Apart, 0.0, to, scales).expect("no troubles");
        prop_assert_eq!(found.basis, Basis::Proven);
        let nearest = (start - velocity * (start.dot(velocity) / velocity.dot(velocity))).length();
        match quadratic(start, velocity, r + q) {
            Some(expected) if expected < to - 1e-9 && nearest < 0.999 * (r + q) => {
                // The textbook root loses digits to |p|² − r² and to grazing; both are bounded by the
                // geometry.
                let sine = libm::sqrt(1.0 - (nearest / (r + q)) * (nearest / (r + q)));
                let slack = 1e-12 * expected + 2.0 * scales.tick + 1e-14 * start.length() / (r + q) / sine;
                prop_assert!((proven(found) - expected).abs() <= slack, "{:?} {expected} {slack}", found);
                prop_assert!(a.places <= 16, "{} places", a.places);
            }
            Some(expected) if expected < to - 1e-9 && nearest < (r + q) - 1e-10 => {
                prop_assert!(matches!(found.meeting, Meeting::Impact { jump: false, .. }), "{:?}", found);
            }
            Some(expected) if expected > to + 1e-9 => prop_assert_eq!(found.meeting, Meeting::None { apart: true }),
            None if nearest > (r + q) + 1e-10 => prop_assert_eq!(found.meeting, Meeting::None { apart: true }),
            _ => {}
        }
    }

    /// In free fall the bounds of each ball are wide, but what they do to each other is uniform.
    #[test]
    fn two_falling_balls_meet_as_if_they_did_not_fall(
        start in prop::array::uniform3(-3.0..3.0f64),
        aim in prop::array::uniform3(-0.5..0.5f64),
        takes in 0.2..1.5f64,
    ) {
        let start = Vec3::from(start);
        prop_assume!(start.length() > 1.01);
        let velocity = (Vec3::from(aim) - start) / takes;
        let mut a = Trajectory::at(ball(0.5), start).moving(velocity).falling(9.81);
        let mut b = Trajectory::at(ball(0.5), Vec3::ZERO).falling(9.81);
        let scales = scales(0.0, 2.0, 30.0);
        let found = search(&mut a, &mut b, Relation::Apart, 0.0, 2.0, scales).expect("no troubles");
        let expected = quadratic(start, velocity, 1.0).expect("aimed at the ball");
        prop_assert!((proven(found) - expected).abs() <= 1e-12 + 2.0 * scales.tick, "{:?} {expected}", found);
        prop_assert!(a.places <= 30, "{} places", a.places);
    }
}
