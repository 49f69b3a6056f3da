//! Four contacts at a time against sums of their impulses, and against contacts one by one.

use super::contacts::WideContacts;
use super::set_up::WideInput;
use crate::collide::contact_table::Touch;
use crate::contacts::contact_rows::{Rows, SweepBody};
use crate::contacts::gauss_seidel::finish_substep::{self, ContactEntries};
use crate::contacts::gauss_seidel::substep_motion::{SubstepMotion, predict_pushes};
use crate::contacts::gauss_seidel::sweep;
use crate::contacts::report::Report;
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::{Mat3, Quat, Twist, Vec3};

/// Bodies, contacts, and the places of the bodies of each contact.
type Island = (Vec<SolverBody>, Vec<Touch>, Vec<[u32; 2]>);

/// Towers of blocks on a floor, all of them turning, sliding and falling; `inverse` is the diagonal of I⁻¹.
fn towers(inverse: Vec3, friction: f64) -> Island {
    let floor = SolverBody { inverse: InverseMass::IMMOVABLE, ..SolverBody::default() };
    let (mut movers, mut touches, mut ends) = (vec![floor], Vec::new(), Vec::new());
    for tower in 0..3u32 {
        for level in 0..5u32 {
            let b = movers.len() as u32;
            let a = if level == 0 { 0 } else { b - 1 };
            let linear = Vec3::new(0.1 * f64::from(level), -0.3, -1.0 - 0.2 * f64::from(tower));
            let angular = Vec3::new(0.2, 0.1 * f64::from(tower), -0.3);
            let (inv_mass, inv_inertia) = (1.0 + 0.1 * f64::from(level), Mat3::from_diagonal(inverse));
            movers.push(SolverBody {
                row: b,
                inverse: InverseMass { inv_mass, inv_inertia },
                twist: Twist::new(linear, angular),
                ..SolverBody::default()
            });
            let mut touch = Touch { a, b, normal: Vec3::Z, friction, count: 4, ..Touch::BLANK };
            let corners = [(0.5, 0.5), (-0.5, 0.5), (-0.5, -0.5), (0.5, -0.5)];
            for (point, (x, y)) in touch.points.iter_mut().zip(corners) {
                (point.arm_a, point.arm_b) = (Vec3::new(x, y, 0.5), Vec3::new(x, y, -0.5));
            }
            touches.push(touch);
            ends.push([a, b]);
        }
    }
    (movers, touches, ends)
}

/// The rows of an island before a sweep.
fn rows_of((movers, touches, ends): &Island) -> Rows {
    let mut rows = Rows::default();
    rows.set_up(movers, touches, ends, 1.0);
    rows
}

fn swept(island: &Island, rounds: usize, sweep: fn(&mut WideContacts, bool) -> f64) -> (Rows, f64) {
    let (mut rows, (_, touches, ends)) = (rows_of(island), island);
    let (mut packs, mut moved) = (WideContacts::default(), 0.0);
    packs.set_up(&WideInput { bodies: &rows.bodies, touches, ends, substeps: 1.0, h: 1.0 });
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
        let (rows, _) = swept(&start, 1, WideContacts::sweep);
        let mut bodies = rows_of(&start).bodies;
        for manifold in &rows.manifolds {
            for point in &rows.points[manifold.first as usize..][..manifold.count as usize] {
                let impulse = manifold.frame * point.impulse;
                bodies[manifold.a as usize].push(-impulse, point.arm_a);
                bodies[manifold.b as usize].push(impulse, point.arm_b);
                let friction = (point.impulse.y * point.impulse.y + point.impulse.z * point.impulse.z).sqrt();
                assert!(point.impulse.x >= 0.0 && friction <= 0.4 * point.impulse.x * (1.0 + 1e-12));
            }
        }
        for (body, entries) in rows.bodies.iter().zip(&bodies) {
            assert!((body.linear - entries.linear).length() < 1e-12);
            assert!((body.angular - entries.angular).length() < 1e-12);
        }
    }
}

#[test]
fn they_end_where_sweeps_one_by_one_end() {
    // Without friction the velocities are those of least energy, whatever the order of the sweeps.
    let start = towers(Vec3::new(6.0, 3.0, 5.0), 0.0);
    let (rows, _) = swept(&start, 3000, WideContacts::sweep);
    let mut slow = rows_of(&start);
    for _ in 0..3000 {
        sweep::symmetric_sweep(&mut slow);
    }
    for (body, other) in rows.bodies.iter().zip(&slow.bodies) {
        assert!((body.linear - other.linear).length() < 1e-6, "{body:?} {other:?}");
        assert!((body.angular - other.angular).length() < 1e-6, "{body:?} {other:?}");
    }
}

#[test]
fn the_registers_do_not_show_in_the_bits() {
    let start = towers(Vec3::new(6.0, 3.0, 5.0), 0.4);
    let (rows, moved) = swept(&start, 3, WideContacts::sweep);
    let (plain, moved_plainly) = swept(&start, 3, WideContacts::sweep_here);
    assert_eq!((rows.bodies, rows.points), (plain.bodies, plain.points));
    assert_eq!(moved.to_bits(), moved_plainly.to_bits());
}

/// A number between -1 and 1 that follows from two others.
fn any(a: u32, b: u32) -> f64 {
    let mixed = (a.wrapping_mul(2_654_435_761) ^ b.wrapping_mul(40_503)).wrapping_mul(2_246_822_519);
    f64::from(mixed >> 8) / f64::from(1u32 << 23) - 1.0
}

fn any_vector(a: u32, b: u32) -> Vec3 {
    Vec3::new(any(a, b), any(a, b + 1), any(a, b + 2))
}

fn any_twist(a: u32, b: u32) -> Twist {
    Twist::new(any_vector(a, b), any_vector(a, b + 3))
}

/// Bodies on a floor that moves, each touching the next one, and contacts with one to four points.
fn ring(count: u32, moments: impl Fn(u32) -> Vec3) -> Island {
    let floor = SolverBody { twist: any_twist(0, 90), ..SolverBody::default() };
    let body = |row: u32| {
        let (mass, moments) = (1.5 + any(row, 80), moments(row));
        let pose = Quat::from_xyzw(any(row, 1), any(row, 2), any(row, 3), 2.0).normalize();
        let inverse = InverseMass::new(mass, moments, pose);
        let (twist, force) = (any_twist(row, 10), any_twist(row, 20));
        SolverBody { row, inverse, mass, moments, twist, force, ..SolverBody::default() }
    };
    let movers: Vec<SolverBody> = std::iter::once(floor).chain((1..=count).map(body)).collect();
    let on_floor = (1..=count).map(|row| [0, row]);
    let ends: Vec<[u32; 2]> = on_floor
        .chain((1..=count).map(|row| [row, row % count + 1]))
        .map(|[a, b]| [a.min(b), a.max(b)])
        .collect();
    let touch = |(k, &[a, b]): (u32, &[u32; 2])| {
        let mut touch = Touch { a, b, normal: any_vector(k, 30).normalize(), ..Touch::BLANK };
        (touch.count, touch.friction) = (1 + (k % 4) as u8, 0.3);
        for (point, l) in touch.points.iter_mut().zip(40..) {
            (point.arm_a, point.arm_b) = (any_vector(k, l), any_vector(k, l + 7));
            (point.gap, point.normal_impulse) = (0.01 * any(k, l + 20), 1.0 + any(k, l + 21));
            let friction = any_vector(k, l + 22) * (0.5 * f64::from(k % 3));
            point.friction_impulse = friction - touch.normal * touch.normal.dot(friction);
        }
        touch
    };
    let touches = (0..).zip(&ends).map(touch).collect();
    (movers, touches, ends)
}

#[track_caller]
fn same(one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-11 * (1.0 + one.abs().max(other.abs())), "{one} {other}");
}

#[track_caller]
fn same_vector(one: Vec3, other: Vec3) {
    one.to_array().into_iter().zip(other.to_array()).for_each(|(one, other)| same(one, other));
}

/// Every point of a pack, with its number among the rows and its lane.
fn each_point(packs: &WideContacts, rows: &Rows, mut visit: impl FnMut(usize, usize, usize)) {
    let mut seen = 0;
    for (pack, chosen) in packs.packs.iter().zip(&packs.contacts) {
        for (lane, &number) in chosen.iter().enumerate() {
            for k in 0..pack.counts[lane] {
                let manifold = &rows.manifolds[number as usize];
                visit((pack.first + k) as usize, lane, (manifold.first + k) as usize);
                seen += 1;
            }
        }
    }
    assert_eq!(seen, rows.points.len());
}

#[test]
fn rows_and_the_contact_table_lead_to_the_same_sweeps() {
    let (substeps, h) = (2.0, 1e-3);
    let mixed = |row: u32| if row.is_multiple_of(3) { Vec3::splat(0.4) } else { Vec3::new(0.3, 0.5, 0.4) };
    for moments in [&mixed as &dyn Fn(u32) -> Vec3, &|_| Vec3::splat(0.2)] {
        let (movers, touches, ends) = ring(11, moments);
        let swept = |way_in: &dyn Fn(&mut WideContacts, &Rows)| {
            let (mut rows, mut packs) = (Rows::default(), WideContacts::default());
            rows.set_up(&movers, &touches, &ends, substeps);
            finish_substep::allow_gaps(&mut rows.points, h);
            way_in(&mut packs, &rows);
            packs.load(&rows);
            let moved = [true, false].map(|forwards| packs.sweep(forwards).to_bits());
            packs.store(&mut rows);
            (rows.bodies, rows.points, moved)
        };
        let copied = swept(&|packs, rows| packs.pack(rows));
        let computed = swept(&|packs, rows| {
            packs.set_up(&WideInput { bodies: &rows.bodies, touches: &touches, ends: &ends, substeps, h });
        });
        assert_eq!(copied, computed);
    }
}

#[test]
fn contacts_are_set_up_and_closed_as_one_by_one() {
    let (substeps, h) = (2.0, 1e-3);
    let mixed = |row: u32| if row.is_multiple_of(3) { Vec3::splat(0.4) } else { Vec3::new(0.3, 0.5, 0.4) };
    let (mut rows, mut packs) = (Rows::default(), WideContacts::default());
    for moments in [&mixed as &dyn Fn(u32) -> Vec3, &|_| Vec3::splat(0.2)] {
        let (movers, touches, ends) = ring(11, moments);
        rows.set_up(&movers, &touches, &ends, substeps);
        finish_substep::allow_gaps(&mut rows.points, h);
        // Whatever was packed before leaves no trace.
        let (towers, touches_of_towers, ends_of_towers) = towers(Vec3::splat(6.0), 0.4);
        let bodies: Vec<SweepBody> = towers.iter().map(SweepBody::new).collect();
        let (touches_before, ends_before) = (&touches_of_towers, &ends_of_towers);
        packs.set_up(&WideInput { bodies: &bodies, touches: touches_before, ends: ends_before, substeps, h });
        let input = WideInput { bodies: &rows.bodies, touches: &touches, ends: &ends, substeps, h };
        let meeting = packs.set_up(&input);
        same(
            meeting,
            rows.points.iter().map(|point| point.before.length_squared() * point.normal_mass).sum(),
        );
        each_point(&packs, &rows, |place, lane, number| {
            // To the bit: a large stack has rows and packs side by side.
            let (points, state, point) = (&packs.points[place], &packs.states[place], &rows.points[number]);
            assert_eq!(points.arms.map(|arm| arm.lane(lane)), [point.arm_a, point.arm_b]);
            assert_eq!(points.impulse.lane(lane), point.impulse);
            assert_eq!(state.before.lane(lane), point.before);
            let [coupling, block] = [&points.coupling[..], &points.block[..]]
                .map(|fours| fours.iter().map(|four| four.0[lane]).collect::<Vec<_>>());
            assert_eq!((coupling, block), (point.coupling.to_vec(), point.block.to_vec()));
            for (four, number) in [
                (points.normal_mass, point.normal_mass),
                (points.response, point.response),
                (points.slip, point.slip),
                (points.step, point.step),
                (points.allowed, point.allowed),
                (state.gap, point.gap),
            ] {
                assert_eq!(four.0[lane].to_bits(), number.to_bits());
            }
        });
        let mut motions: Vec<SubstepMotion> =
            movers.iter().map(|mover| SubstepMotion::new(mover, h)).collect();
        predict_pushes(&rows, &mut motions);
        let pushes: Vec<Twist> = motions.iter().map(|motion| motion.push).collect();
        packs.predict_pushes(&mut motions);
        for (motion, push) in motions.iter().zip(pushes) {
            same_vector(motion.push.linear, push.linear);
            same_vector(motion.push.angular, push.angular);
        }
        for (k, (body, motion)) in (0..).zip(rows.bodies.iter_mut().zip(&mut motions)) {
            body.set_twist(any_twist(k, 50));
            motion.drift = any_twist(k, 60);
        }
        packs.load_twists(&rows.bodies);
        let (mut entries, mut given_here) = (ContactEntries::default(), ContactEntries::default());
        finish_substep::finish(&mut rows, &motions, h, &mut entries);
        let meeting = packs.finish(&motions, h, false, &mut given_here);
        same(
            meeting,
            rows.points.iter().map(|point| point.before.length_squared() * point.normal_mass).sum(),
        );
        for (here, there) in [(given_here.normal, entries.normal), (given_here.friction, entries.friction)] {
            same(here.energy, there.energy);
            same_vector(here.momentum, there.momentum);
        }
        let (here, there) = (packs.report(), finish_substep::report(&rows.manifolds, &rows.points));
        assert_eq!(
            (here.islands, here.points, here.converged),
            (there.islands, there.points, there.converged)
        );
        let residuals = |report: Report| [report.signorini, report.cone, report.dissipation, report.overlap];
        residuals(here).into_iter().zip(residuals(there)).for_each(|(here, there)| same(here, there));
        assert!(residuals(there).into_iter().all(|residual| residual > 0.0), "{there:?}");
        let mut kept = touches.clone();
        packs.store_impulses(&mut kept, substeps);
        for ((kept, touch), manifold) in kept.iter().zip(&touches).zip(&rows.manifolds) {
            let own = &rows.points[manifold.first as usize..];
            for ((kept, point), row) in kept.points().iter().zip(touch.points()).zip(own) {
                same(kept.normal_impulse, point.normal_impulse);
                same_vector(kept.friction_impulse, point.friction_impulse);
                same(kept.gap, row.gap);
            }
        }
    }
}
