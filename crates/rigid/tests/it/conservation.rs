//! What a world keeps: momentum and angular momentum of bodies that push each other, rest, energy of fast
//! spins; and walls that stay closed.

use crate::support::*;
use gedanken_dynamics::laws::Springs;
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Account, Body, Material, Settings, Simulation, World};

const H: f64 = 1.0 / 240.0;

fn world(bodies: Vec<(String, Body)>, e: f64, friction: f64) -> World {
    let stuff = Material::new("stuff", e, friction).unwrap();
    World::new(bodies.into_iter().map(|(name, body)| (name, body.with_material("stuff"))), [stuff]).unwrap()
}

/// A body that takes part in the motion of one rigid body: it turns about the origin, which goes with
/// `along`.
fn carried(shape: gedanken_geometry::Shape, place: Vec3, mass: f64, spin: Vec3, along: Vec3) -> Body {
    Body::dynamic(shape, Pose::at(place))
        .with_mass(mass)
        .with_velocity(spin.cross(place) + along)
        .with_angular_velocity(spin)
}

/// Two bodies side by side along x that go round as one, their centres drawn together by a spring of 40 N.
fn pressed_pair(shapes: [gedanken_geometry::Shape; 2], friction: f64, along: Vec3) -> Simulation {
    let spin = Vec3::Z * 3.0;
    let [one, two] = shapes;
    let a = carried(one, Vec3::new(-0.25, 0.0, 0.0), 1.0, spin, along);
    let b = carried(two, Vec3::new(0.25, 0.0, 0.0), 2.0, spin, along);
    let world = world(vec![("a".to_owned(), a), ("b".to_owned(), b)], 0.0, friction);
    let ids = ["a", "b"].map(|name| world.id(name).unwrap());
    let springs = Springs::new().link(ids[0], ids[1], Quantity::new(100.0), Quantity::new(0.1));
    simulation(world.with_laws(springs), Settings::default())
}

/// Σ m r / Σ m.
fn centre_of_mass(run: &Simulation) -> Vec3 {
    let bodies = run.world().bodies().map(|(id, body)| (run.centre(id).translation, body.mass()));
    let (sum, mass) = bodies.fold((Vec3::ZERO, 0.0), |(sum, mass), (r, m)| (sum + r * m, mass + m));
    sum / mass
}

/// Without laws nothing is left but contacts: a tumbling crowd that pushes its way apart keeps P, L and the
/// way of its centre, to rounding.
#[test]
fn contacts_alone_keep_momentum_and_angular_momentum() {
    let along = Vec3::new(1.0, -2.0, 0.5);
    let mut bodies = Vec::new();
    for k in 0..12 {
        let (x, y, z) = (f64::from(k % 3), f64::from(k / 3 % 2), f64::from(k / 6));
        let place = Vec3::new(0.23 * x + 0.02 * y, 0.24 * y - 0.03 * z, 0.22 * z + 0.01 * x);
        let shape = if k % 3 == 0 { sphere(0.1) } else { cuboid(0.2, 0.18, 0.16) };
        let inwards = (Vec3::new(0.23, 0.12, 0.11) - place) * 4.0;
        let spin = Vec3::new(0.5, -1.0, 2.0) * f64::from(k % 4);
        let body = Body::dynamic(shape, Pose::at(place)).with_mass(1.0 + 0.1 * f64::from(k));
        bodies.push((format!("{k:02}"), body.with_velocity(inwards + along).with_angular_velocity(spin)));
    }
    // Correction moves bodies without their motion; see below.
    let settings = Settings { correction: 0.0, ..Settings::default() };
    let mut run = simulation(world(bodies, 0.0, 0.4), settings);
    let (p, l, start) = (run.momentum(), run.angular_momentum(), centre_of_mass(&run));
    let mass: f64 = run.world().bodies().map(|(_, body)| body.mass()).sum();
    let mut pushed = 0;
    for _ in 0..120 {
        run.step(H).unwrap();
        let touches = &run.contacts().touches;
        pushed += touches.iter().filter(|touch| touch.impulse() != Vec3::ZERO).count();
        assert!((run.momentum() - p).length() < 1e-12 * p.length());
        assert!((run.angular_momentum() - l).length() < 1e-11 * l.length(), "{}", run.angular_momentum() - l);
        let gone = centre_of_mass(&run) - start;
        assert!((gone - p / mass * run.time()).length() < 1e-12);
    }
    assert!(pushed > 100, "{pushed}: they hardly met");
}

/// A pair that spins, pressed together by a spring: the spring's points are those half way through the step,
/// and L changes by no more than what these are off by, which is of second order; before, it was of first
/// order, 13 % in a second.
#[test]
fn a_pressed_pair_keeps_its_angular_momentum() {
    let along = Vec3::new(3.0, -2.0, 1.0);
    let bricks = || [cuboid(0.5, 0.4, 0.3), cuboid(0.5, 0.3, 0.4)];
    let balls = || [sphere(0.25), sphere(0.25)];
    for (what, shapes, friction) in [
        ("bricks", bricks(), 0.5),
        ("bricks", bricks(), 0.0),
        ("balls", balls(), 0.5),
        ("balls", balls(), 0.0),
    ] {
        let mut run = pressed_pair(shapes, friction, along);
        let (p, l, e) = (run.momentum(), run.angular_momentum(), run.energy());
        let ids = ["a", "b"].map(|name| id(&run, name));
        crate::support::run(&mut run, H, 240);
        let apart = (run.centre(ids[1]).translation - run.centre(ids[0]).translation).length();
        assert!((apart - 0.5).abs() < 1e-3, "{what}: they are {apart} apart");
        assert!((run.momentum() - p).length() < 1e-12 * p.length());
        let change = (run.angular_momentum() - l).length();
        assert!(change < 1e-4, "{what} with friction {friction}: {change:e}");
        let gained = run.energy() - e;
        // Of 9.6 J, of which 1.5 J are motion.
        assert!(gained.abs() < 5e-3, "{what} with friction {friction}: {gained:e} J");
        if what == "balls" && friction == 0.0 {
            // Nothing can turn a smooth ball; what is left is of second order.
            assert!(ids.iter().all(|&id| (run.twist(id).angular - Vec3::Z * 3.0).length() < 1e-3));
        }
    }
}

/// Correction moves the common centre of mass nowhere, and at rest the cluster does not turn: Σ m δ = 0, Σ (r
/// × m δ + I δφ) = 0.
#[test]
fn correction_neither_moves_nor_turns_the_whole() {
    let place = |x: f64, y: f64| {
        Pose::new(from_rotation_vector(Vec3::new(0.1, 0.0, 0.2) * y), Vec3::new(x, y, 0.1 * x))
    };
    let shape = || cuboid(0.5, 0.4, 0.3);
    let bodies = [(-0.24, 0.0), (0.24, 0.13), (0.1, 0.45)].into_iter().enumerate();
    let bodies = bodies.map(|(k, (x, y))| {
        let body = Body::dynamic(shape(), place(x, y)).with_mass(1.0 + k as f64);
        (format!("{k}"), body)
    });
    let mut run = simulation(world(bodies.collect(), 0.0, 0.3), Settings::default());
    let ids = ["0", "1", "2"].map(|name| id(&run, name));
    let (centre, before) = (centre_of_mass(&run), ids.map(|id| run.centre(id)));
    run.step(H).unwrap();
    let (mut turned, mut moved) = (Vec3::ZERO, 0.0_f64);
    for (id, before) in ids.into_iter().zip(before) {
        let (body, now) = (run.world().body(id).unwrap(), run.centre(id));
        let shift = now.translation - before.translation;
        let by = now.rotation * before.rotation.conjugate();
        let angle = Vec3::new(by.x, by.y, by.z) * (2.0 * by.w.signum());
        let inertia = before.rotation * (body.moments() * (before.rotation.inverse() * angle));
        turned += (before.translation - centre).cross(shift) * body.mass() + inertia;
        moved = moved.max(shift.length());
    }
    assert!(moved > 1e-4, "{moved}: nothing to correct");
    assert!((centre_of_mass(&run) - centre).length() < 1e-15);
    // What is left is of second order in the displacement.
    assert!(turned.length() < 4.0 * moved * moved, "{turned} after {moved} m");
    assert_eq!(run.momentum(), Vec3::ZERO);
}

/// A stack that can bounce and is put down just touching is at rest, from the first step on, and carries its
/// weight: also far from the origin, where gaps are rounded to 1e-13 m.
#[test]
fn a_stack_that_can_bounce_is_put_down_at_rest() {
    for far in [Vec3::ZERO, Vec3::new(600.0, -480.0, 640.0)] {
        let mut bodies =
            vec![("ground".to_owned(), Body::fixed(ground().shape().unwrap().clone(), Pose::at(far)))];
        for k in 0..5 {
            let place = far + Vec3::new(0.01 * f64::from(k), 0.0, 0.25 + 0.5 * f64::from(k));
            bodies
                .push((format!("{k}"), Body::dynamic(cuboid(0.5, 0.5, 0.5), Pose::at(place)).with_mass(1.0)));
        }
        let mut run = simulation(world(bodies, 0.4, 0.4).with_laws(gravity()), Settings::default());
        for step in 0..24 {
            run.step(H).unwrap();
            assert!(run.impacts().is_empty(), "an impact in step {step}");
            for k in 0..5 {
                let twist = run.twist(id(&run, &format!("{k}")));
                // A step of free fall would make 0.04 m/s.
                assert!(twist.linear.length() < 1e-6 && twist.angular.length() < 1e-6, "box {k}: {twist:?}");
            }
        }
        for touch in run.contacts().touches.iter() {
            // The box in row k has 6 - k boxes on it and in it; rows begin with those, by name, then the
            // ground.
            let above = 5.0 - f64::from(touch.a.min(touch.b)) + if touch.b == 6 { 1.0 } else { 0.0 };
            let load = touch.impulse().z.abs() / H;
            assert!((load / (above * G) - 1.0).abs() < 1e-6, "{load} N for {above} boxes");
        }
    }
}

/// Two that fall side by side are not a stack: they touch, nothing holds them, and each is free.
#[test]
fn what_falls_side_by_side_is_not_held() {
    let bodies = vec![
        ("a".to_owned(), ball(0.1, 1.0, at(0.0, 0.0, 2.0))),
        ("b".to_owned(), ball(0.1, 1.0, at(0.0, 0.0, 2.2))),
        ("ground".to_owned(), ground()),
    ];
    let mut run = simulation(world(bodies, 1.0, 0.0).with_laws(gravity()), Settings::default());
    run.step(H).unwrap();
    assert!(run.contacts().touches.is_empty());
}

/// A brick that turns through many radians in a step keeps its energy, and its angular momentum.
#[test]
fn fast_spins_keep_their_energy() {
    for (size, spin) in [
        (Vec3::new(0.02, 0.008, 0.012), Vec3::new(1500.0, -2000.0, 1600.0)),
        (Vec3::new(0.02, 0.01, 0.01), Vec3::new(100.0, 3000.0, -50.0)),
        (Vec3::new(0.3, 0.2, 0.1), Vec3::new(0.1, 60.0, 0.2)),
    ] {
        let brick = Body::dynamic(cuboid(size.x, size.y, size.z), Pose::IDENTITY).with_mass(1.0);
        let mut run = simulation(
            World::new([("brick", brick.with_angular_velocity(spin))], []).unwrap(),
            Settings::default(),
        );
        let (e, l) = (run.kinetic_energy(), run.angular_momentum());
        for _ in 0..120 {
            run.step(1.0 / 60.0).unwrap();
            let change = run.kinetic_energy() / e - 1.0;
            assert!(change.abs() < 1e-5, "{size}: {change:e}");
            assert!((run.angular_momentum() - l).length() < 1e-11 * l.length());
        }
    }
}

/// Bricks that spin with 3,000 rad/s, 50 radians in a step, and fly at a plate of 1 mm: none is ever behind
/// it, whatever they lose.
#[test]
fn spinning_bullets_do_not_tunnel() {
    let mut seed = 7_u64;
    let mut unit = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64 - 0.5
    };
    for trial in 0..36 {
        let axis = Vec3::new(unit(), unit(), unit()).normalize();
        let turned = from_rotation_vector(Vec3::new(unit(), unit(), unit()) * 4.0);
        let size = [Vec3::new(0.02, 0.01, 0.01), Vec3::new(0.02, 0.008, 0.012)][trial % 2];
        let (speed, start) = [(500.0, 0.0), (150.0, 0.0), (50.0, 3.2), (5.0, 3.25)][trial / 2 % 4];
        let e = [0.0, 0.0, 0.5][trial % 3];
        let plate = Body::fixed(cuboid(0.001, 2.0, 2.0), Pose::at(Vec3::X * 3.3));
        let bullet = Body::dynamic(cuboid(size.x, size.y, size.z), Pose::new(turned, Vec3::X * start))
            .with_mass(1.0)
            .with_velocity(Vec3::new(speed, 3.0, 1.0))
            .with_angular_velocity(axis * 3000.0);
        let mut run = simulation(
            world(vec![("bullet".to_owned(), bullet), ("plate".to_owned(), plate)], e, 0.3),
            Settings::default(),
        );
        let (bullet, energy) = (id(&run, "bullet"), run.kinetic_energy());
        let mut hits = 0;
        for _ in 0..15 {
            run.step(1.0 / 60.0).unwrap();
            hits += run.impacts().len();
            let place = run.centre(bullet).translation;
            assert!(place.x < 3.3, "trial {trial}, e = {e}, {speed} m/s: {place}");
            let gain = run.kinetic_energy() / energy - 1.0;
            assert!(gain < 2e-6, "trial {trial}: {gain:e}");
        }
        assert!(hits > 0, "trial {trial} missed");
        assert!(run.ledger().total.exchange.of(Account::Impact).energy <= 0.0);
    }
}
