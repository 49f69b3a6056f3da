//! Two bodies, or a few, that move.

use super::*;
use gedanken_geometry::{Capsule, Cylinder, Solid as _};
use gedanken_math::Quat;
use gedanken_rigid::{Account, EventKind, Impact, Settings};
use proptest::prelude::*;

/// ACCURACY 9, the sequential law: (v, 0, 0) becomes (0, 0, v), whether the balls touch or not.
#[test]
fn the_cradle_passes_the_motion_on() {
    for (count, gap) in [(3, 0.0), (5, 0.0), (3, 1e-3), (5, 0.01)] {
        let bodies = (0..count).map(|k| {
            let (start, v) = if k == 0 { (-0.013, 1.0) } else { (0.0, 0.0) };
            let place = Vec3::new(k as f64 * (0.2 + gap) + start, 0.0, 0.0);
            (format!("ball {k}"), ball(0.1, place).with_velocity(Vec3::X * v))
        });
        let mut run = Simulation::new(world(bodies, 1.0, 0.3), Settings::default()).unwrap();
        for _ in 0..40 {
            run.step(1.0 / 240.0).unwrap();
        }
        for k in 0..count {
            let v = run.twist(run.world().id(&format!("ball {k}")).unwrap()).linear;
            let expected = if k == count - 1 { 1.0 } else { 0.0 };
            assert!((v - Vec3::X * expected).length() < 1e-10, "{count} balls, gap {gap}: {k} has {v}");
        }
        assert!(run.ledger().total.exchange.of(Account::Impact).energy.abs() < 1e-14);
    }
}

/// ACCURACY 8: how often two balls and a wall meet, for M/m = 100ⁿ, are the first digits of π: ⌈π/arctan
/// √(m/M)⌉ - 1. A thousand impacts within a step are no crowd that collapses where nothing is lost.
#[test]
fn two_balls_and_a_wall_count_the_digits_of_pi() {
    for (n, expected) in [(0, 3), (1, 31), (2, 314), (3, 3141)] {
        let mass = libm::pow(100.0, f64::from(n));
        let bodies = [
            ("wall", wall(Vec3::X, 0.0)),
            ("small", ball(0.5, Vec3::X * 2.0)),
            ("big", ball(0.5, Vec3::X * 5.0).with_mass(mass).with_velocity(-Vec3::X)),
        ];
        let mut run = Simulation::new(world(bodies, 1.0, 0.0), Settings::default()).unwrap();
        let mut hits = 0;
        for _ in 0..14 * 240 {
            run.step(1.0 / 240.0).unwrap();
            hits += run.impacts().len();
        }
        assert_eq!(hits, expected, "M/m = 100^{n}");
        let v = run.twist(run.world().id("big").unwrap()).linear.x;
        assert!(v > 0.9 && v <= 1.0 + 1e-12, "{v}");
    }
}

/// ACCURACY 11: a light ball on a heavy one, dropped together: v₂′ = v (3 m₁ - m₂)/(m₁ + m₂).
#[test]
fn two_balls_dropped_together() {
    for (m1, m2) in [(1.0, 0.1), (3.0, 1.0), (1.0, 1.0), (0.6, 0.05)] {
        let lower = ball(0.1, Vec3::new(0.0, 0.0, 1.1)).with_mass(m1);
        let upper = ball(0.05, Vec3::new(0.0, 0.0, 1.25)).with_mass(m2);
        let world = with_gravity(world([("floor", floor()), ("lower", lower), ("upper", upper)], 1.0, 0.2));
        let upper = world.id("upper").unwrap();
        let mut run = Simulation::new(world, Settings::default()).unwrap();
        while run.impacts().is_empty() {
            run.step(1.0 / 240.0).unwrap();
        }
        let v = (2.0 * G * 1.0f64).sqrt();
        let after = run.impacts()[1].after[1].twist.linear.z;
        let expected = v * (3.0 * m1 - m2) / (m1 + m2);
        assert_eq!(run.impacts()[1].rows[1] as usize, upper.row());
        assert!((after / expected - 1.0).abs() < 1e-9, "{after} {expected}");
    }
}

/// Elastic balls that meet, and meet again when time runs backwards: reversing all velocities brings them
/// back.
#[test]
fn elastic_impacts_can_be_reversed() {
    let bodies = || {
        let mut bodies = vec![("floor".to_owned(), floor())];
        for k in 0..4 {
            let place = Vec3::new(0.3 * f64::from(k), 0.02 * f64::from(k * k), 0.5 + 0.07 * f64::from(k));
            bodies
                .push((format!("ball {k}"), ball(0.1, place).with_velocity(Vec3::X * (1.5 - f64::from(k)))));
        }
        bodies
    };
    let mut run = Simulation::new(with_gravity(world(bodies(), 1.0, 0.0)), Settings::default()).unwrap();
    let mut hits = 0;
    for _ in 0..240 {
        run.step(1.0 / 240.0).unwrap();
        hits += run.impacts().len();
    }
    let back = bodies().into_iter().map(|(name, body)| {
        let id = run.world().id(&name).unwrap();
        let body = if name == "floor" {
            body
        } else {
            ball(0.1, run.centre(id).translation).with_velocity(-run.twist(id).linear)
        };
        (name, body)
    });
    let mut again =
        Simulation::new(with_gravity(world(back.collect::<Vec<_>>(), 1.0, 0.0)), Settings::default())
            .unwrap();
    for _ in 0..240 {
        again.step(1.0 / 240.0).unwrap();
    }
    assert!(hits > 4, "{hits}");
    for (name, body) in bodies().iter().skip(1) {
        let id = again.world().id(name).unwrap();
        let off = (again.centre(id).translation - body.principal_pose().translation).length();
        // Rounding grows by a factor of about (way/radius) with every impact of balls.
        assert!(off < 1e-8, "{name} is {off:e} off");
    }
}

/// A ball lands on a table, slides off it and lands on the floor: every touch and every leave is told once,
/// in the step that begins with it, whatever the solver makes of the gaps in the meantime.
#[test]
fn touches_are_told_when_they_begin_and_end() {
    for solver in ["gauss-seidel", "jacobi"] {
        let shape = brick(Vec3::new(0.5, 0.5, 0.1));
        let table = Body::fixed(shape.clone(), Pose::at(Vec3::new(0.0, 0.0, 0.5))).with_material("stuff");
        let thrown = ball(0.1, Vec3::new(-0.2, 0.0, 0.85)).with_velocity(Vec3::X * 1.1);
        let world = world([("floor", floor()), ("table", table), ("thrown", thrown)], 0.0, 0.0);
        let mut run = Simulation::new(with_gravity(world), Settings::of_solver(solver).unwrap()).unwrap();
        let id = run.world().id("thrown").unwrap();
        let others = ["floor", "table"].map(|name| run.world().id(name).unwrap().row() as u32);
        let (slop, mut touching, mut told) = (run.settings().slop, [false; 2], [0; 2]);
        for step in 0..240 {
            let place = run.centre(id).translation;
            let gaps = [place.z - 0.1, shape.signed_distance(place - Vec3::Z * 0.5) - 0.1];
            run.step(1.0 / 240.0).unwrap();
            for happening in run.events() {
                let k = others.iter().position(|row| happening.rows.contains(row)).unwrap();
                touching[k] = happening.kind == EventKind::Touch;
                told[k] += 1;
            }
            assert_eq!(touching, gaps.map(|gap| gap <= slop), "{solver}, step {step}: {gaps:?}");
        }
        assert_eq!(told, [1, 2], "{solver}");
    }
}

fn shapes() -> [Shape; 4] {
    [
        sphere(0.2),
        brick(Vec3::new(0.3, 0.2, 0.1)),
        Shape::Capsule(Capsule::new(0.1, 0.2).unwrap()),
        Shape::Cylinder(Cylinder::new(0.2, 0.15).unwrap()),
    ]
}

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    [-size..size, -size..size, -size..size].prop_map(Vec3::from_array)
}

/// A body of any shape, turned and turning, with its centre of mass somewhere off the middle.
fn any_body(place: Vec3, velocity: Vec3) -> impl Strategy<Value = Body> {
    (0..4usize, vector(1.0), vector(3.0), vector(0.05), vector(1.0), 0.1..10.0f64).prop_map(
        move |(shape, turn, spin, centre, aside, mass)| {
            let rotation = Quat::from_scaled_axis(turn * 3.0).normalize();
            let pose = Pose::new(rotation, place + aside * 0.1);
            Body::dynamic(shapes()[shape].clone(), pose)
                .with_mass(mass)
                .with_centre(centre)
                .with_velocity(velocity + aside * 0.2)
                .with_angular_velocity(spin)
                .with_material("stuff")
        },
    )
}

/// Runs until they meet; `None` if they pass.
fn first_impact(a: Body, b: Body, e: f64, mu: f64) -> Option<Impact> {
    let mut run = Simulation::new(world([("a", a), ("b", b)], e, mu), Settings::default()).unwrap();
    for _ in 0..60 {
        run.step(1.0 / 60.0).unwrap();
        if let Some(first) = run.impacts().first() {
            return Some(*first);
        }
    }
    None
}

/// A light capsule that a heavy one hits off its centre, with more friction than a tyre: taking the normal
/// and the sliding in turns swings between two impulses for ever.
#[test]
fn a_strongly_coupled_impact_has_its_restitution() {
    let capsule = || Shape::Capsule(Capsule::new(0.1, 0.2).unwrap());
    let turned = |q: [f64; 4], place: [f64; 3]| {
        let [x, y, z, w] = q;
        let pose = Pose::new(Quat::from_xyzw(x, y, z, w).normalize(), Vec3::from_array(place));
        Body::dynamic(capsule(), pose).with_material("stuff")
    };
    let heavy = turned([0.4233, 0.4726, -0.5253, -0.5671], [0.0, 0.0446, 0.0247])
        .with_mass(9.1)
        .with_velocity(Vec3::new(1.0, 0.0891, 0.0493))
        .with_angular_velocity(Vec3::new(1.012, -0.977, 0.0));
    let light = turned([0.8533, 0.2116, 0.3501, 0.3234], [1.0, -0.0781, -0.0922])
        .with_mass(0.1)
        .with_centre(Vec3::new(-0.0452, 0.0327, -0.0383))
        .with_velocity(Vec3::new(-1.0, -0.1562, -0.1844))
        .with_angular_velocity(Vec3::new(-1.803, -2.748, 2.068));
    let hit = first_impact(heavy, light, 0.88, 1.58).unwrap();
    let [v_a, v_b] = hit.after.map(|m| m.twist.at(hit.point - m.pose.translation));
    let parting = (v_b - v_a).dot(hit.normal);
    assert!((parting / hit.approach - 0.88).abs() < 1e-12, "{parting} after {}", hit.approach);
    assert!(motion(&hit.after).0 < motion(&hit.before).0);
}

proptest! {
    /// ACCURACY 10: any frictionless impact keeps P and L and loses ½ m_eff (1 - e²) v_n².
    #[test]
    fn impacts_without_friction_lose_what_newton_says(
        a in any_body(Vec3::ZERO, Vec3::X),
        b in any_body(Vec3::X, -Vec3::X),
        e in 0.0..=1.0f64,
    ) {
        let Some(hit) = first_impact(a, b, e, 0.0) else { return Ok(()) };
        let (before, after) = (motion(&hit.before), motion(&hit.after));
        let scale = hit.before.iter().map(|m| m.mass * m.twist.linear.length()).sum::<f64>();
        prop_assert!((after.1 - before.1).length() < 1e-12 * scale);
        prop_assert!((after.2 - before.2).length() < 1e-12 * scale);
        let [k_a, k_b] = hit.before.map(|m| {
            let arm = (hit.point - m.pose.translation).cross(hit.normal);
            let arm = to_body(m.pose.rotation, arm);
            1.0 / m.mass + (arm / m.moments).dot(arm)
        });
        let loss = 0.5 / (k_a + k_b) * (1.0 - e * e) * hit.approach * hit.approach;
        prop_assert!(((before.0 - after.0) - loss).abs() < 1e-12 * before.0, "{:e} {loss:e}", before.0 - after.0);
        prop_assert!((hit.restitution - e).abs() < 1e-15);
    }

    /// With friction P and L are kept, energy never grows, the impulse stays in its cone, and nothing goes on
    /// approaching.
    #[test]
    fn impacts_with_friction_never_raise_energy(
        a in any_body(Vec3::ZERO, Vec3::X),
        b in any_body(Vec3::X, -Vec3::X),
        e in 0.0..=1.0f64,
        mu in 0.0..2.0f64,
    ) {
        let Some(hit) = first_impact(a, b, e, mu) else { return Ok(()) };
        let (before, after) = (motion(&hit.before), motion(&hit.after));
        let scale = hit.before.iter().map(|m| m.mass * m.twist.linear.length()).sum::<f64>();
        prop_assert!((after.1 - before.1).length() < 1e-12 * scale);
        prop_assert!((after.2 - before.2).length() < 1e-12 * scale);
        prop_assert!(after.0 <= before.0 * (1.0 + 1e-14), "{:e}", after.0 / before.0 - 1.0);
        let pushed = hit.impulse.dot(hit.normal);
        prop_assert!((hit.impulse - hit.normal * pushed).length() <= mu * pushed * (1.0 + 1e-12) + 1e-15);
        let [v_a, v_b] = hit.after.map(|m| m.twist.at(hit.point - m.pose.translation));
        prop_assert!((v_b - v_a).dot(hit.normal) > -1e-11 * hit.approach.max(1.0));
    }
}
