//! Sweeps of four contacts at a time against sums of their impulses, and against sweeps one by one.

use super::super::sweep;
use super::Packs;
use crate::rigid::solver::rows::{Manifold, Moving, Point, Rows, tangent_frame};
use gedanken_algebra::{Mat3, Vec3};

/// Towers of blocks on a floor, all of them turning, sliding and falling; `inverse` is the diagonal of I⁻¹.
fn towers(inverse: Vec3, friction: f64) -> Rows {
    let mut rows = Rows::default();
    let ground =
        Moving { linear: Vec3::ZERO, angular: Vec3::ZERO, mass: 0.0, inertia: Mat3::ZERO, round: true };
    rows.bodies.push(ground);
    for tower in 0..3u32 {
        for level in 0..5u32 {
            let place = rows.bodies.len() as u32;
            rows.bodies.push(Moving {
                linear: Vec3::new(0.1 * f64::from(level), -0.3, -1.0 - 0.2 * f64::from(tower)),
                angular: Vec3::new(0.2, 0.1 * f64::from(tower), -0.3),
                mass: 1.0 + 0.1 * f64::from(level),
                inertia: Mat3::from_diagonal(inverse),
                round: inverse.x == inverse.y && inverse.y == inverse.z,
            });
            let (a, frame) = (if level == 0 { 0 } else { place - 1 }, tangent_frame(Vec3::Z));
            let first = rows.points.len() as u32;
            rows.manifolds.push(Manifold { a, b: place, count: 4, first, frame, friction });
            for (x, y) in [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)] {
                let arms = [Vec3::new(x, y, 0.5), Vec3::new(x, y, -0.5)];
                let bodies = [a, place].map(|place| &rows.bodies[place as usize]);
                rows.points.push(Point::new(bodies, arms, &frame));
            }
        }
    }
    rows
}

fn swept(start: &Rows, rounds: usize, sweep: fn(&mut Packs, bool) -> f64) -> (Rows, f64) {
    let mut rows = Rows { bodies: start.bodies.clone(), ..Rows::default() };
    (rows.manifolds, rows.points) = (start.manifolds.clone(), start.points.clone());
    let (mut packs, mut moved) = (Packs::default(), 0.0);
    packs.plan(&rows);
    packs.load(&rows);
    for _ in 0..rounds {
        sweep(&mut packs, true);
        moved = sweep(&mut packs, false);
    }
    packs.store(&mut rows);
    (rows, moved)
}

#[test]
fn bodies_move_by_what_their_points_give_them() {
    for inverse in [Vec3::splat(6.0), Vec3::new(6.0, 3.0, 5.0)] {
        let start = towers(inverse, 0.4);
        let (rows, _) = swept(&start, 1, Packs::sweep);
        let mut bodies = start.bodies.clone();
        for manifold in &rows.manifolds {
            for point in &rows.points[manifold.first as usize..][..manifold.count as usize] {
                let impulse = manifold.frame * point.impulse;
                bodies[manifold.a as usize].push(-impulse, point.arm_a);
                bodies[manifold.b as usize].push(impulse, point.arm_b);
                let friction = (point.impulse.y * point.impulse.y + point.impulse.z * point.impulse.z).sqrt();
                assert!(point.impulse.x >= 0.0 && friction <= 0.4 * point.impulse.x * (1.0 + 1e-12));
            }
        }
        for (body, given) in rows.bodies.iter().zip(&bodies) {
            assert!((body.linear - given.linear).length() < 1e-12);
            assert!((body.angular - given.angular).length() < 1e-12);
        }
    }
}

#[test]
fn they_end_where_sweeps_one_by_one_end() {
    // Without friction the velocities are those of least energy, whatever the order of the sweeps.
    let start = towers(Vec3::new(6.0, 3.0, 5.0), 0.0);
    let (rows, _) = swept(&start, 3000, Packs::sweep);
    let mut slow = start;
    for _ in 0..3000 {
        sweep::to_and_fro(&mut slow);
    }
    for (body, other) in rows.bodies.iter().zip(&slow.bodies) {
        assert!((body.linear - other.linear).length() < 1e-6, "{body:?} {other:?}");
        assert!((body.angular - other.angular).length() < 1e-6, "{body:?} {other:?}");
    }
}

#[test]
fn the_registers_do_not_show_in_the_bits() {
    let start = towers(Vec3::new(6.0, 3.0, 5.0), 0.4);
    let (rows, moved) = swept(&start, 3, Packs::sweep);
    let (plain, moved_plainly) = swept(&start, 3, Packs::sweep_here);
    assert_eq!((rows.bodies, rows.points), (plain.bodies, plain.points));
    assert_eq!(moved.to_bits(), moved_plainly.to_bits());
}
