//! Bodies that turn, thin ones, fast ones and hollow ones, against independent searches.

use super::movers::{Swing, Trajectory, ball, cuboid, floor};
use super::{meet, proven, scales, search, separation};
use crate::contexts::first_contact::{Basis, Meeting, Relation};
use crate::contexts::trajectory::bounds::Mover;
use gedanken_geometry::{Capsule, Compound, Part, Shape};
use gedanken_math::{Pose, Vec3, rotation::from_rotation_vector};
use proptest::prelude::*;
use std::sync::Arc;

/// The first time of `samples` equally spaced ones at which they overlap by more than `deeper`.
fn first_sample(a: &mut dyn Mover, b: &mut dyn Mover, to: f64, samples: u32, deeper: f64) -> Option<f64> {
    (0..=samples).map(|k| to * f64::from(k) / f64::from(samples)).find(|t| separation(a, b, *t) < -deeper)
}

/// The zero of the separation between two times, by halves.
fn bisected(a: &mut dyn Mover, b: &mut dyn Mover, apart: f64, overlap: f64) -> f64 {
    let (mut apart, mut overlap) = (apart, overlap);
    for _ in 0..200 {
        let middle = 0.5 * (apart + overlap);
        if separation(a, b, middle) < 0.0 { overlap = middle } else { apart = middle }
    }
    apart
}

/// Two boxes, one across the other and beside it.
fn cross(x: f64, y: f64, z: f64) -> Shape {
    let part = |shape, at| Part { shape, pose: Pose::at(at), density: 1.0 };
    let parts =
        vec![part(cuboid(x, y, z), Vec3::ZERO), part(cuboid(z, x, y), Vec3::new(0.5 * x, 0.3 * y, 0.0))];
    Shape::Compound(Arc::new(Compound::new(parts).expect("two boxes")))
}

#[test]
fn a_floor_that_tilts_rises_into_a_ball() {
    // The distance of the ball's centre (2, 0, 1) from the plane is cos θ − 2 sin θ = √5 cos(θ + atan 2).
    let mut floor = floor().spinning(Vec3::Y * -0.5);
    let mut target = Trajectory::at(ball(0.2), Vec3::new(2.0, 0.0, 1.0));
    let expected = (libm::acos(0.2 / libm::sqrt(5.0)) - libm::atan(2.0)) / 0.5;
    for axis_known in [true, false] {
        floor.axis_known = axis_known;
        let time = proven(meet(&mut floor, &mut target, 0.0, 2.0));
        assert!((time - expected).abs() <= 1e-11, "{time} {expected}");
    }
}

#[test]
fn a_bullet_does_not_pass_through_paper() {
    let mut bullet = Trajectory::at(ball(1e-3), Vec3::ZERO).moving(Vec3::X * 1e3);
    let mut paper = Trajectory::at(cuboid(1e-4, 1.0, 1.0), Vec3::new(5.0, 0.1, 0.2));
    let time = proven(meet(&mut bullet, &mut paper, 0.0, 1.0 / 60.0));
    let expected = (5.0 - 0.5e-4 - 1e-3) / 1e3;
    assert!((time - expected).abs() <= 1e-13, "{time} {expected}");
    assert!(bullet.places <= 10, "{}", bullet.places);
    // Beside it the bullet passes.
    paper.start.y = 0.502;
    let found = meet(&mut bullet, &mut paper, 0.0, 1.0 / 60.0);
    assert_eq!((found.meeting, found.basis), (Meeting::None { apart: true }, Basis::Proven));
}

#[test]
fn a_spinning_rod_sweeps_into_a_ball() {
    let capsule = Shape::Capsule(Capsule::new(0.05, 1.0).expect("positive lengths"));
    for shape in [capsule, cuboid(0.1, 0.1, 2.0)] {
        let mut rod = Trajectory::at(shape, Vec3::ZERO).spinning(Vec3::Y * 3.0);
        let mut target =
            Trajectory::at(ball(0.2), Vec3::new(0.7, 0.1, 0.3)).moving(Vec3::new(-0.01, 0.0, 0.02));
        let found = meet(&mut rod, &mut target, 0.0, 2.0);
        let rod_places = rod.places;
        let overlap = first_sample(&mut rod, &mut target, 2.0, 20_000, 0.0).expect("it sweeps over the ball");
        let expected = bisected(&mut rod, &mut target, overlap - 1e-4, overlap);
        let time = proven(found);
        assert!((time - expected).abs() <= 4e-12, "{time} {expected}");
        assert!(rod_places <= 25, "{rod_places}");
    }
}

#[test]
fn a_rod_that_spins_above_the_reach_of_its_ends_is_proven_clear_at_once() {
    let mut rod = Trajectory::at(cuboid(0.1, 0.1, 2.0), Vec3::new(0.0, 0.0, 1.1)).spinning(Vec3::X * 100.0);
    let found = meet(&mut rod, &mut floor(), 0.0, 1.0);
    assert_eq!((found.meeting, found.basis), (Meeting::None { apart: true }, Basis::Proven));
    assert_eq!(rod.places, 1);
}

#[test]
fn a_ball_in_the_notch_of_a_compound_hits_the_far_arm() {
    // Closest to the floor of an L, flying along it into its wall: no single plane lies between them.
    let part = |shape, at| Part { shape, pose: Pose::at(at), density: 1.0 };
    let compound = Compound::new(vec![
        part(cuboid(2.0, 1.0, 0.2), Vec3::new(0.0, 0.0, -0.1)),
        part(cuboid(0.2, 1.0, 2.0), Vec3::new(1.1, 0.0, 0.9)),
    ]);
    let mut ell = Trajectory::at(Shape::Compound(Arc::new(compound.expect("two parts"))), Vec3::ZERO);
    let mut flyer = Trajectory::at(ball(0.1), Vec3::new(-0.5, 0.0, 0.1001)).moving(Vec3::X);
    let time = proven(meet(&mut ell, &mut flyer, 0.0, 2.0));
    assert!((time - 1.4).abs() <= 1e-11, "{time}");
    assert!(flyer.places <= 12, "{}", flyer.places);
}

#[test]
fn a_box_that_bounces_off_tumbling_is_proven_clear_in_a_few_steps() {
    // On one corner, which leaves the floor slowly while the box turns fast: spin · radius alone would need
    // hundreds.
    let half = Vec3::new(0.5, 0.3, 0.2);
    let orientation = from_rotation_vector(Vec3::new(0.4, 0.5, 0.6));
    let up = orientation.inverse() * Vec3::Z;
    let mut tumbler = Trajectory::at(cuboid(1.0, 0.6, 0.4), Vec3::Z * up.abs().dot(half)).falling(9.81);
    tumbler.orientation = orientation;
    tumbler.spin = Vec3::new(3.0, -2.0, 1.0);
    let corner = -(orientation * (up.signum() * half));
    tumbler.velocity = Vec3::new(0.3, 0.0, 0.2 - tumbler.spin.cross(corner).z);
    let frame = 1.0 / 60.0;
    let scales = scales(0.0, frame, 1.0);
    let found =
        search(&mut tumbler, &mut floor(), Relation::Inside, 0.0, frame, scales).expect("no troubles");
    let places = tumbler.places;
    let least = (1..=10_000)
        .map(|k| separation(&mut tumbler, &mut floor(), frame * f64::from(k) / 1e4))
        .fold(f64::INFINITY, f64::min);
    assert!(least > 0.0, "{least}");
    assert_eq!((found.meeting, found.basis), (Meeting::None { apart: true }, Basis::Proven));
    assert!(places <= 30, "{places}");
}

#[test]
fn a_spin_close_above_a_floor_ends_by_patience() {
    // The bounds know no axis, so that a disc that only spins could tip over at any time.
    let mut plate =
        Trajectory::at(cuboid(1.0, 1.0, 0.1), Vec3::new(0.0, 0.0, 0.05 + 1e-7)).spinning(Vec3::Z * 50.0);
    plate.axis_known = false;
    let found = meet(&mut plate, &mut floor(), 0.0, 1.0);
    assert_eq!((found.meeting, found.basis), (Meeting::None { apart: true }, Basis::Exhausted));
    assert!(plate.places < 10_000, "{}", plate.places);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// Swings have angular velocities that change: the bounds of the turning must follow them.
    #[test]
    fn a_swinging_box_meets_a_ball_at_the_first_zero_of_their_separation(
        sizes in prop::array::uniform3(0.1..2.0f64),
        axis in prop::array::uniform3(-1.0..1.0f64),
        at in prop::array::uniform3(-1.5..1.5f64),
        velocity in prop::array::uniform3(-0.5..0.5f64),
        amplitude in 0.2..3.0f64,
        rate in 0.5..6.0f64,
    ) {
        let axis = Vec3::from(axis).normalize_or(Vec3::X);
        let mut swing = Swing { shape: cuboid(sizes[0], sizes[1], sizes[2]), axis, amplitude, rate, places: 0 };
        let mut target = Trajectory::at(ball(0.2), Vec3::from(at)).moving(Vec3::from(velocity));
        let to = 2.0;
        prop_assume!(separation(&mut swing, &mut target, 0.0) > 1e-6);
        let found = meet(&mut swing, &mut target, 0.0, to);
        prop_assert_eq!(found.basis, Basis::Proven);
        prop_assert!(target.places < 100, "{} places", target.places);
        match (found.meeting, first_sample(&mut swing, &mut target, to, 10_000, 0.0)) {
            (Meeting::Impact { time, jump: false }, Some(sample)) if sample - time < to * 1e-4 => {
                let expected = bisected(&mut swing, &mut target, sample - to * 1e-4, sample);
                prop_assert!((time - expected).abs() < 1e-9, "{time} {expected}");
            }
            (Meeting::Impact { time, jump: false }, sample) => {
                // A graze between two samples.
                prop_assert!(sample.is_none_or(|sample| time <= sample), "{time} after {sample:?}");
                prop_assert!(separation(&mut swing, &mut target, time).abs() < 1e-10);
            }
            (Meeting::None { apart: true }, sample) => prop_assert_eq!(sample, None),
            (other, _) => prop_assert!(false, "{:?}", other),
        }
    }

    /// 10⁴ samples never find an overlap that the search did not, nor an earlier one.
    #[test]
    fn no_overlap_of_spinning_boxes_and_crosses_is_missed(
        sizes in prop::array::uniform6(0.05..1.0f64),
        start in prop::array::uniform3(-2.0..2.0f64),
        aim in prop::array::uniform3(-0.8..0.8f64),
        spins in prop::array::uniform6(-8.0..8.0f64),
        turn in prop::array::uniform3(-3.0..3.0f64),
        g in 0.0..5.0f64,
        axis_known in any::<bool>(),
        hollow in any::<bool>(),
    ) {
        let [x, y, z, u, v, w] = sizes;
        let shape = if hollow { cross(x, y, z) } else { cuboid(x, y, z) };
        let start = Vec3::from(start);
        let mut a = Trajectory::at(shape, start)
            .moving(Vec3::from(aim) - start)
            .falling(g)
            .spinning(Vec3::new(spins[0], spins[1], spins[2]));
        a.axis_known = axis_known;
        a.orientation = from_rotation_vector(Vec3::from(turn));
        let mut b = Trajectory::at(cuboid(u, v, w), Vec3::ZERO).spinning(Vec3::new(spins[3], spins[4], spins[5]));
        b.axis_known = axis_known;
        let to = 1.5;
        prop_assume!(separation(&mut a, &mut b, 0.0) > 1e-6);
        let scales = scales(0.0, to, 10.0);
        let found = search(&mut a, &mut b, Relation::Apart, 0.0, to, scales).expect("no troubles");
        prop_assert_eq!(found.basis, Basis::Proven);
        prop_assert!(a.places < if axis_known { 150 } else { 2000 }, "{} places", a.places);
        let sampled = first_sample(&mut a, &mut b, to, 10_000, 1e-9);
        match found.meeting {
            Meeting::Impact { time, jump: false } => {
                prop_assert!(sampled.is_none_or(|sample| time <= sample), "{time} after {sampled:?}");
                let gap = separation(&mut a, &mut b, time);
                prop_assert!((0.0..=2e-11).contains(&gap), "a gap of {gap}");
                prop_assert!(separation(&mut a, &mut b, time + 2.0 * scales.tick) < 1e-12);
            }
            Meeting::None { apart: true } => prop_assert_eq!(sampled, None),
            other => prop_assert!(false, "{:?}", other),
        }
    }
}
