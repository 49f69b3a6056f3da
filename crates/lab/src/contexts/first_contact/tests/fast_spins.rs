//! Bodies that turn many times in a frame, against brute force.

use super::movers::{Trajectory, cuboid, floor};
use super::{scales, search, separation};
use crate::contexts::first_contact::{Basis, Meeting, Relation};
use gedanken_geometry::{Cone, ConvexHull, Shape};
use gedanken_math::{Vec3, rotation::from_rotation_vector};
use proptest::prelude::*;
use std::sync::Arc;

/// Number of cases: all of them in the long form of the tests, which asks for more than the usual 256.
#[allow(clippy::disallowed_methods, reason = "the number of cases is chosen outside, as for property tests")]
fn cases() -> u32 {
    let asked = std::env::var("PROPTEST_CASES").ok().and_then(|it| it.parse::<u32>().ok());
    if asked.is_some_and(|it| it > 256) { 100 } else { 20 }
}

/// A box, a cone or a hull of four corners.
fn shape(kind: u8, [x, y, z]: [f64; 3]) -> Shape {
    match kind {
        0 => cuboid(x, y, z),
        1 => Shape::Cone(Cone::new(0.5 * x, z).expect("positive lengths")),
        _ => {
            let corners = [[x, 0.0, -0.3], [-0.5, y, -0.3], [-0.5, -y, -0.3], [0.1, 0.1, z]];
            let hull = ConvexHull::new(&corners.map(Vec3::from_array)).expect("four corners");
            Shape::Hull(Arc::new(hull))
        }
    }
}

/// A box of edge 1 over a floor, so high that its edges reach 1e-4 deep: at 3,000 turns of a radian per second
/// the proof ran out of steps, and touches were missed.
#[test]
fn a_box_that_turns_fast_over_a_floor_is_proven() {
    for speed in [2700.0, 3000.0, 10_000.0] {
        let height = 0.5 * std::f64::consts::SQRT_2 - 1e-4;
        let mut turner = Trajectory::at(cuboid(1.0, 1.0, 1.0), Vec3::Z * height).spinning(Vec3::X * speed);
        let frame = 1.0 / 60.0;
        let mut from = 0.0;
        let mut met = 0;
        // The angle at which an edge reaches the floor, from the nearest that is straight down.
        let half = libm::acos(height / (0.5 * std::f64::consts::SQRT_2));
        while from < frame {
            let scales = scales(from, frame, 1.0);
            let found = search(&mut turner, &mut floor(), Relation::Inside, from, frame, scales)
                .expect("no troubles");
            assert_eq!(found.basis, Basis::Proven, "at {speed} rad/s");
            let Meeting::Impact { time, .. } = found.meeting else { break };
            let angle = std::f64::consts::FRAC_PI_4 + f64::from(met) * std::f64::consts::FRAC_PI_2 - half;
            assert!((time * speed - angle).abs() <= 1e-9, "{} {angle}", time * speed);
            met += 1;
            // Out of the floor again.
            from = time + 2.0 * half / speed + 1e-9;
        }
        let turns = (frame * speed - std::f64::consts::FRAC_PI_4 + half) / std::f64::consts::FRAC_PI_2;
        assert_eq!(f64::from(met), turns.ceil(), "at {speed} rad/s");
    }
}

/// A box on its edge, a ten-millionth above the floor, turns out of its way: the edge that was lowest rises with
/// the square of time, so that the first steps of the proof are its shortest. It was given up among them.
#[test]
fn a_box_that_starts_close_and_parts_is_proven() {
    for (gap, speed) in [(1e-6, 13.0), (1e-7, 8.0)] {
        let height = 0.5 * std::f64::consts::SQRT_2 + gap;
        let mut turner = Trajectory::at(cuboid(1.0, 1.0, 1.0), Vec3::Z * height).spinning(Vec3::X * speed);
        turner.orientation = from_rotation_vector(Vec3::X * std::f64::consts::FRAC_PI_4);
        turner.axis_known = false;
        let to = 0.8 / speed;
        let found = search(&mut turner, &mut floor(), Relation::Apart, 0.0, to, scales(0.0, to, 1.0))
            .expect("no troubles");
        assert_eq!((found.basis, found.meeting), (Basis::Proven, Meeting::None { apart: true }), "{gap:e}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(), failure_persistence: None, ..ProptestConfig::default() })]

    /// 10⁵ samples never find an overlap where it was said that none is missed.
    #[test]
    fn no_overlap_of_fast_spins_is_missed_where_it_is_proven(
        kind in 0..3u8,
        sizes in prop::array::uniform3(0.2..1.0f64),
        above in 0.0..0.02f64,
        axis in prop::array::uniform3(-1.0..1.0f64),
        speed in 300.0..6000.0f64,
        fall in -0.5..0.5f64,
        turn in prop::array::uniform3(-3.0..3.0f64),
    ) {
        let spin = Vec3::from(axis).normalize_or(Vec3::X) * speed;
        let shape = shape(kind, sizes);
        // Its farthest point just misses the floor, or just reaches it.
        let reach = gedanken_geometry::bounds::radius_about(&shape, Vec3::ZERO);
        let height = reach * (1.0 + above - 0.01);
        let mut turner = Trajectory::at(shape, Vec3::Z * height).moving(Vec3::Z * fall).spinning(spin);
        turner.orientation = from_rotation_vector(Vec3::from(turn));
        let to = 1.0 / 60.0;
        prop_assume!(separation(&mut turner, &mut floor(), 0.0) > 1e-6);
        let found = search(&mut turner, &mut floor(), Relation::Apart, 0.0, to, scales(0.0, to, 1.0)).expect("no troubles");
        let met = match found.meeting {
            Meeting::Impact { time, .. } | Meeting::Touch { time } => time,
            Meeting::None { .. } => to,
        };
        let proven = found.proven_until.min(met);
        for k in 0..100_000 {
            let t = to * f64::from(k) / 1e5;
            if t >= proven {
                break;
            }
            let gap = separation(&mut turner, &mut floor(), t);
            prop_assert!(gap > -1e-9, "{gap:e} at {t}, proven until {proven}");
        }
    }
}
