//! Bodies that move as they are told: a pendulum on a support that shakes, a lift, a belt.

use crate::support::build::{at, body, constant_softness, hinge, model};
use crate::support::slopes::order;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::energy::Energies;
use gedanken_multibody::model::{
    Body, BodyId, Cone, Description, Equality, EqualityKind, Geom, GeomShape, Integrator, Joint, JointKind,
};
use gedanken_multibody::simulation::Simulation;
use gedanken_multibody::state::Prescribed;
use gedanken_multibody::surroundings::Surroundings;
use gedanken_multibody::tree::kinematics::Kinematics;

const G: f64 = 9.81;
const SUPPORT: BodyId = BodyId::WORLD;

/// A support that shakes along x and z.
struct Shaking;

/// Place, velocity and acceleration of the support along x and z.
fn shaken(time: f64) -> [[f64; 2]; 3] {
    let (a, p, b, q) = (0.3, 5.0, 0.1, 9.0);
    [
        [a * libm::sin(p * time), b * libm::cos(q * time)],
        [a * p * libm::cos(p * time), -b * q * libm::sin(q * time)],
        [-a * p * p * libm::sin(p * time), -b * q * q * libm::cos(q * time)],
    ]
}

impl Surroundings for Shaking {
    fn prescribe(&mut self, time: f64, bodies: &mut [Prescribed]) {
        let [place, velocity, acceleration] = shaken(time).map(|[x, z]| Vec3::new(x, 0.0, z));
        bodies[0] =
            Prescribed { velocity, acceleration, ..Prescribed::at_rest(Pose::new(Quat::IDENTITY, place)) };
    }
}

fn support() -> Body {
    Body { is_prescribed: true, ..Body::new("support", SUPPORT) }
}

/// A point mass on a rod of length 1, hung on the support.
fn pendulum(integrator: Integrator, step: f64) -> Simulation {
    let mut description = Description::new("pendulum");
    description.settings.integrator = integrator;
    description.settings.time_step = step;
    description.bodies.push(support());
    let mut bob = body("bob", BodyId::new(1), 2.0, Vec3::ZERO);
    bob.inertia_pose = at(0.0, 0.0, -1.0);
    description.bodies.push(bob);
    description.joints.push(hinge("swing", BodyId::new(2), Vec3::Y));
    let mut run = Simulation::new(model(description));
    run.state_mut().coordinates[0] = 0.4;
    run
}

/// Angle and rate after a time, by Runge and Kutta's method on l θ̈ = ẍ cos θ − (g + z̈) sin θ.
fn reference(end: f64) -> [f64; 2] {
    let rate = |time: f64, [angle, speed]: [f64; 2]| {
        let [x, z] = shaken(time)[2];
        [speed, x * libm::cos(angle) - (G + z) * libm::sin(angle)]
    };
    let steps = 20_000;
    let h = end / f64::from(steps);
    let mut y = [0.4, 0.0];
    for step in 0..steps {
        let t = f64::from(step) * h;
        let moved = |k: [f64; 2], by: f64| [y[0] + by * k[0], y[1] + by * k[1]];
        let one = rate(t, y);
        let two = rate(t + 0.5 * h, moved(one, 0.5 * h));
        let three = rate(t + 0.5 * h, moved(two, 0.5 * h));
        let four = rate(t + h, moved(three, h));
        y = core::array::from_fn(|k| y[k] + h / 6.0 * (one[k] + 2.0 * (two[k] + three[k]) + four[k]));
    }
    y
}

#[test]
fn a_pendulum_on_a_shaking_support_moves_as_its_equation_says() {
    let expected = reference(2.0);
    let methods = [
        (Integrator::SemiImplicit, 1.0),
        (Integrator::Euler, 1.0),
        (Integrator::Implicit, 1.0),
        (Integrator::ImplicitFast, 1.0),
        (Integrator::RungeKutta, 4.0),
    ];
    for (integrator, of_method) in methods {
        let errors = [100, 200, 400].map(|steps: u32| {
            let h = 2.0 / f64::from(steps);
            let mut run = pendulum(integrator, h);
            for step in 0..steps {
                run.state_mut().time = f64::from(step) * h;
                run.step_in(h, &mut Shaking).expect("a step");
            }
            let state = run.state();
            (h, (state.coordinates[0] - expected[0]).abs() + (state.velocities[0] - expected[1]).abs())
        });
        let fitted = order(&errors);
        assert!((fitted - of_method).abs() < 0.25, "{integrator:?}: order {fitted}, {errors:?}");
    }
}

/// Energy that was gained, and the work that was booked.
fn gained(run: &mut Simulation, steps: u32, h: f64) -> [f64; 2] {
    let energy = |run: &Simulation| {
        let (model, state) = (run.model(), run.state());
        let mut view = Kinematics::default();
        view.place(&model.description, &model.topology, state);
        view.set_velocities(&model.description, &model.topology, state);
        let found = Energies::of(model, state, &view);
        found.kinetic + found.potential()
    };
    Shaking.prescribe(0.0, &mut run.state_mut().prescribed);
    let before = energy(run);
    for step in 0..steps {
        run.state_mut().time = f64::from(step) * h;
        run.step_in(h, &mut Shaking).expect("a step");
    }
    [energy(run) - before, run.ledger().total()]
}

#[test]
fn the_work_of_a_support_is_the_energy_that_a_pendulum_gains() {
    let errors = [400, 800, 1600].map(|steps: u32| {
        let h = 2.0 / f64::from(steps);
        let mut run = pendulum(Integrator::RungeKutta, h);
        let [energy, work] = gained(&mut run, steps, h);
        assert!(energy.abs() > 0.5, "{energy}");
        assert_eq!(work, run.ledger().prescribed);
        (h, (energy - work).abs())
    });
    assert!(order(&errors) > 3.7, "{errors:?}");
}

/// A body that a connect holds to the support.
fn held(h: f64) -> Simulation {
    let mut description = Description::new("held");
    description.settings.integrator = Integrator::RungeKutta;
    description.settings.time_step = h;
    description.bodies.push(support());
    description.bodies.push(Body { pose: at(0.0, 0.0, 0.1), ..body("bob", SUPPORT, 2.0, Vec3::splat(0.1)) });
    description.joints.push(Joint::new("", BodyId::new(2), JointKind::Free));
    let kind =
        EqualityKind::Connect { first: (BodyId::new(1), Vec3::ZERO), second: (BodyId::new(2), Vec3::ZERO) };
    let softness = constant_softness(0.99, 0.02, 1.0);
    description.equalities.push(Equality { name: String::new(), kind, softness, is_active: true });
    Simulation::new(model(description))
}

#[test]
fn a_support_that_holds_by_an_equality_works_too() {
    let errors = [1000, 2000, 4000].map(|steps: u32| {
        let h = 2.0 / f64::from(steps);
        let mut run = held(h);
        let [energy, work] = gained(&mut run, steps, h);
        assert!(run.ledger().prescribed.abs() > 0.5, "{}", run.ledger().prescribed);
        // The body follows, as the acceleration of the support stands in the row: it lags by (1 − d) T² per
        // acceleration, and nothing else.
        let place = Vec3::from_slice(&run.state().coordinates[..3]);
        let [[x, z], _, [_, up]] = shaken(2.0);
        let off = (place - Vec3::new(x, 0.0, z)).length();
        assert!(off < 1.2 * 0.01 * 4e-4 * 0.99 * (G + up.abs() + 7.5), "{off:e}");
        (h, (energy - work).abs())
    });
    assert!(order(&errors) > 3.7, "{errors:?}");
}

/// A surface that moves with constant velocity and acceleration.
struct Moving {
    velocity: Vec3,
    acceleration: Vec3,
}

impl Surroundings for Moving {
    fn prescribe(&mut self, time: f64, bodies: &mut [Prescribed]) {
        let place = self.velocity * time + self.acceleration * (0.5 * time * time);
        bodies[0] = Prescribed {
            velocity: self.velocity + self.acceleration * time,
            acceleration: self.acceleration,
            ..Prescribed::at_rest(Pose::new(Quat::IDENTITY, place))
        };
    }
}

/// A box on a surface that moves.
fn box_on(cone: Cone, integrator: Integrator, friction: f64) -> Simulation {
    let mut description = Description::new("box");
    description.settings.cone = cone;
    description.settings.integrator = integrator;
    description.settings.time_step = 1e-3;
    description.bodies.push(support());
    description.geoms.push(Geom::new("surface", BodyId::new(1), GeomShape::Plane));
    description.bodies.push(Body { pose: at(0.0, 0.0, 0.1), ..body("box", SUPPORT, 3.0, Vec3::splat(0.1)) });
    description.joints.push(Joint::new("", BodyId::new(2), JointKind::Free));
    let shape = GeomShape::Box { half_sides: Vec3::new(0.5, 0.5, 0.1) };
    description.geoms.push(Geom::new("box", BodyId::new(2), shape));
    for geom in &mut description.geoms {
        geom.surface.friction[0] = friction;
        geom.surface.softness = constant_softness(0.95, 0.01, 1.0);
    }
    Simulation::new(model(description))
}

const CONES: [Cone; 2] = [Cone::Pyramid { edges: 4 }, Cone::Elliptic];

#[test]
fn a_lift_pushes_by_weight_and_acceleration() {
    // (h/T)⁴.
    let of_steps = 1e-4;
    for cone in CONES {
        let mut at_rest = None;
        for acceleration in [0.0, -4.0, 2.5] {
            // Steps of order 1 run behind a surface that accelerates.
            let mut run = box_on(cone, Integrator::RungeKutta, 0.5);
            let mut lift = Moving { velocity: Vec3::ZERO, acceleration: Vec3::Z * acceleration };
            for _ in 0..1000 {
                run.step_in(1e-3, &mut lift).expect("a step");
            }
            run.evaluate().expect("an acceleration");
            let force = run.dynamics().solver.constraint_forces[2];
            let expected = 3.0 * (G + acceleration);
            assert!((force / expected - 1.0).abs() < of_steps, "{cone:?}: {force} instead of {expected}");
            // It sinks by R f/m / (d k), as at rest under that weight, R being that of four contacts.
            let sunk = 0.1 + 0.5 * acceleration - run.state().coordinates[2];
            let rested = *at_rest.get_or_insert(sunk / G);
            let off = sunk - rested * (G + acceleration);
            assert!(off.abs() <= of_steps * 1e-4 * acceleration.abs(), "{cone:?}: sunk by {sunk}");
        }
    }
}

#[test]
fn a_belt_drags_a_box_until_it_rides_along() {
    let (mu, speed) = (0.3, 1.5);
    for cone in CONES {
        let mut run = box_on(cone, Integrator::SemiImplicit, mu);
        let mut belt = Moving { velocity: Vec3::X * speed, acceleration: Vec3::ZERO };
        // Settled first, with the belt at rest.
        for _ in 0..200 {
            run.step_in(1e-3, &mut Moving { velocity: Vec3::ZERO, acceleration: Vec3::ZERO })
                .expect("a step");
        }
        let friction_before = run.ledger().friction;
        let mut early = 0.0;
        for step in 0..1000 {
            run.step_in(1e-3, &mut belt).expect("a step");
            if step == 99 {
                early = run.state().velocities[0];
            }
            // A pyramid that slides has the rest of its normal force on other edges, and less friction.
            if step == 299 && cone == Cone::Elliptic {
                let (found, expected) = ((run.state().velocities[0] - early) / 0.2, mu * G);
                assert!((found / expected - 1.0).abs() < 5e-3, "{cone:?}: {found} instead of {expected}");
            }
        }
        let found = run.state().velocities[0];
        assert!((found / speed - 1.0).abs() < 1e-6, "{cone:?}: {found} instead of {speed}");
        // Friction is what moves the box.
        let work = run.ledger().friction - friction_before;
        let expected = 0.5 * 3.0 * speed * speed;
        assert!((work / expected - 1.0).abs() < 5e-3, "{cone:?}: {work} instead of {expected}");
        assert_eq!(run.ledger().prescribed, 0.0);
    }
}
