//! Rolling down and sliding to rest: accelerations and distances of Coulomb's law, and of the pyramid's own.

use crate::support::build::{at, body, constant_softness, model, slide};
use gedanken_math::Vec3;
use gedanken_multibody::compile::Model;
use gedanken_multibody::model::{BodyId, Cone, Description, Geom, GeomShape, Joint, JointKind, Softness};
use gedanken_multibody::simulation::Simulation;

const G: f64 = 9.81;
const CONES: [Cone; 4] =
    [Cone::Pyramid { edges: 4 }, Cone::Pyramid { edges: 8 }, Cone::Pyramid { edges: 16 }, Cone::Elliptic];

#[test]
fn a_sphere_rolls_down_an_incline() {
    let (theta, mass, k) = (15_f64.to_radians(), 0.1, 0.4);
    for cone in CONES {
        let mut description = Description::new("incline");
        description.settings.cone = cone;
        description.settings.time_step = 1e-3;
        description.settings.gravity = Vec3::new(G * libm::sin(theta), 0.0, -G * libm::cos(theta));
        description.geoms.push(Geom::new("floor", BodyId::WORLD, GeomShape::Plane));
        let mut sphere = body("sphere", BodyId::WORLD, mass, Vec3::splat(k * mass * 0.01));
        sphere.pose = at(0.0, 0.0, 0.1);
        description.bodies.push(sphere);
        description.joints.push(Joint::new("free", BodyId::new(1), JointKind::Free));
        description.geoms.push(Geom::new("sphere", BodyId::new(1), GeomShape::Sphere { radius: 0.1 }));
        // A soft contact shortens the arm of friction; this one sinks by a micrometre.
        for geom in &mut description.geoms {
            geom.surface.softness = constant_softness(0.99, 4e-3, 1.0);
        }
        let mut run = Simulation::new(model(description));
        let mut speed = 0.0;
        for step in 0..1500 {
            run.step().expect("a step");
            if step == 499 {
                speed = run.state().velocities[0];
            }
        }
        let acceleration = run.state().velocities[0] - speed;
        let expected = G * libm::sin(theta) / (1.0 + k);
        assert!((expected - 1.813582).abs() < 1e-6);
        assert!((acceleration / expected - 1.0).abs() < 1e-3, "{cone:?}: {acceleration}");
        let friction = -run.dynamics().solver.constraint_forces[0];
        let expected = mass * G * libm::sin(theta) * k / (1.0 + k);
        assert!((friction / expected - 1.0).abs() < 1e-3, "{cone:?}: friction {friction}");
    }
}

/// A box that slides without turning, with four contacts.
fn sled(cone: Cone, mu: f64, softness: Softness, gravity: Vec3) -> Model {
    let mut description = Description::new("sled");
    description.settings.cone = cone;
    description.settings.time_step = 2.5e-4;
    description.settings.gravity = gravity;
    description.geoms.push(Geom::new("floor", BodyId::WORLD, GeomShape::Plane));
    let mut it = body("sled", BodyId::WORLD, 2.0, Vec3::splat(0.1));
    it.pose = at(0.0, 0.0, 0.1);
    description.bodies.push(it);
    for axis in Vec3::AXES {
        description.joints.push(slide("", BodyId::new(1), axis));
    }
    let shape = GeomShape::Box { half_sides: Vec3::new(0.2, 0.2, 0.1) };
    description.geoms.push(Geom::new("box", BodyId::new(1), shape));
    for geom in &mut description.geoms {
        geom.surface.friction[0] = mu;
        geom.surface.softness = softness;
    }
    model(description)
}

/// Where a body comes to rest, once the floor carries it.
fn rest(model: Model, speed: f64, direction: f64) -> [f64; 2] {
    let mut run = Simulation::new(model);
    for _ in 0..1000 {
        run.step().expect("a step");
    }
    let start = [run.state().coordinates[0], run.state().coordinates[1]];
    let (sine, cosine) = libm::sincos(direction);
    run.state_mut().velocities[0] = speed * cosine;
    run.state_mut().velocities[1] = speed * sine;
    for _ in 0..6000 {
        run.step().expect("a step");
        if libm::hypot(run.state().velocities[0], run.state().velocities[1]) < 1e-4 {
            break;
        }
    }
    [run.state().coordinates[0] - start[0], run.state().coordinates[1] - start[1]]
}

/// Path of a body that a pyramid of n edges stops. Friction is μ m g along the edge that opposes the motion
/// most, until the motion runs halfway between two edges; from there both act, with μ m g cos(π/n) together.
fn stopped(edges: usize, mu: f64, speed: f64, direction: f64) -> [f64; 2] {
    let half = std::f64::consts::PI / edges as f64;
    let nearest = (direction / (2.0 * half)).round() * 2.0 * half;
    let off = direction - nearest;
    let (along, across) = (speed * libm::cos(off), speed * libm::sin(off).abs());
    let (left, slow) = (across / libm::tan(half), across / libm::sin(half));
    let brake = mu * G;
    let path = [
        (along * along - left * left) / (2.0 * brake) + slow * slow / (2.0 * brake),
        across * (along - left) / brake + slow * slow * libm::tan(half) / (2.0 * brake),
    ];
    let across = path[1] * off.signum();
    let (sine, cosine) = libm::sincos(nearest);
    [path[0] * cosine - across * sine, path[0] * sine + across * cosine]
}

#[test]
fn a_sled_stops_where_its_cone_says() {
    let (mu, speed) = (0.4, 2.0);
    let softness = constant_softness(0.999, 0.01, 1.0);
    let whole = speed * speed / (2.0 * mu * G);
    for cone in CONES {
        for number in 0..12 {
            let direction = (7.0 + 30.0 * f64::from(number)).to_radians();
            let (expected, limit) = match cone {
                Cone::Pyramid { edges } => (stopped(edges, mu, speed, direction), 1e-2),
                Cone::Elliptic => ([whole * libm::cos(direction), whole * libm::sin(direction)], 1e-3),
            };
            let found = rest(sled(cone, mu, softness, Vec3::new(0.0, 0.0, -G)), speed, direction);
            let error = libm::hypot(found[0] - expected[0], found[1] - expected[1]) / whole;
            // Edges of a pyramid lift what slides, so that it goes in hops.
            assert!(error < limit, "{cone:?}, direction {number}: {found:?} instead of {expected:?}");
        }
    }
}

#[test]
fn a_sled_climbs_as_far_as_energy_and_friction_let_it() {
    let (theta, mu, speed) = (20_f64.to_radians(), 0.5, 3.0);
    for cone in CONES {
        let gravity = Vec3::new(-G * libm::sin(theta), 0.0, -G * libm::cos(theta));
        let found = rest(sled(cone, mu, constant_softness(0.999, 0.01, 1.0), gravity), speed, 0.0);
        let expected = speed * speed / (2.0 * G * (libm::sin(theta) + mu * libm::cos(theta)));
        assert!((found[0] / expected - 1.0).abs() < 5e-3, "{cone:?}: {found:?} instead of {expected}");
    }
}
