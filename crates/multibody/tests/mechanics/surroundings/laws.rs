//! Laws and conditions from outside: forces on bodies become forces of freedoms, conditions become rows.

use crate::support::build::{at, body, constant_softness, hinge, model};
use crate::support::slopes::order;
use gedanken_math::Vec3;
use gedanken_multibody::model::{
    Body, BodyId, Description, Equality, EqualityKind, Inequality, InequalityKind, Integrator, Joint,
    JointKind,
};
use gedanken_multibody::simulation::Simulation;
use gedanken_multibody::surroundings::{OutsideRow, Surroundings};
use gedanken_multibody::tree::kinematics::Kinematics;
use gedanken_multibody::tree::spatial::Motion;

const INTEGRATORS: [(Integrator, f64); 5] = [
    (Integrator::SemiImplicit, 1.0),
    (Integrator::Euler, 1.0),
    (Integrator::Implicit, 1.0),
    (Integrator::ImplicitFast, 1.0),
    (Integrator::RungeKutta, 4.0),
];

/// Drag on the last body, and a force that turns with time.
struct Winds;

impl Surroundings for Winds {
    fn laws(&self) -> usize {
        2
    }

    fn act(
        &mut self,
        time: f64,
        kinematics: &Kinematics,
        push: &mut dyn FnMut(usize, BodyId, Vec3, Vec3),
    ) -> Result<(), String> {
        let body = BodyId::new(kinematics.poses.len() - 1);
        let velocity = kinematics.velocity_at(body, kinematics.centres[body.index()]);
        push(0, body, velocity * -0.8, Vec3::ZERO);
        push(1, body, Vec3::ZERO, Vec3::Y * libm::sin(3.0 * time));
        Ok(())
    }
}

/// A rod about y: I θ̈ = −m g l sin θ − 0.8 l² θ̇ + sin 3t, with I = 0.2 + m l².
fn rod(integrator: Integrator) -> Simulation {
    let mut description = Description::new("rod");
    description.settings.integrator = integrator;
    let mut rod = body("rod", BodyId::WORLD, 1.5, Vec3::splat(0.2));
    rod.inertia_pose = at(0.0, 0.0, -0.7);
    description.bodies.push(rod);
    description.joints.push(hinge("", BodyId::new(1), Vec3::Y));
    let mut run = Simulation::new(model(description));
    run.state_mut().coordinates[0] = 1.0;
    run
}

fn reference(end: f64) -> [f64; 2] {
    let inertia = 0.2 + 1.5 * 0.49;
    let rate = |t: f64, [angle, speed]: [f64; 2]| {
        let torque = -1.5 * 9.81 * 0.7 * libm::sin(angle) - 0.8 * 0.49 * speed + libm::sin(3.0 * t);
        [speed, torque / inertia]
    };
    let steps = 20_000;
    let h = end / f64::from(steps);
    let mut y = [1.0, 0.0];
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
fn laws_act_at_every_stage_of_every_method() {
    let expected = reference(2.0);
    for (integrator, of_method) in INTEGRATORS {
        let errors = [100, 200, 400].map(|steps: u32| {
            let h = 2.0 / f64::from(steps);
            let mut run = rod(integrator);
            for step in 0..steps {
                run.state_mut().time = f64::from(step) * h;
                run.step_in(h, &mut Winds).expect("a step");
            }
            let state = run.state();
            (h, (state.coordinates[0] - expected[0]).abs() + (state.velocities[0] - expected[1]).abs())
        });
        let fitted = order(&errors);
        assert!((fitted - of_method).abs() < 0.25, "{integrator:?}: order {fitted}, {errors:?}");
    }
}

#[test]
fn each_law_has_its_work() {
    let (steps, h) = (2000, 1e-3);
    let mut run = rod(Integrator::RungeKutta);
    let energy = |run: &Simulation| {
        let (q, v) = (run.state().coordinates[0], run.state().velocities[0]);
        0.5 * (0.2 + 1.5 * 0.49) * v * v - 1.5 * 9.81 * 0.7 * libm::cos(q)
    };
    let before = energy(&run);
    for step in 0..steps {
        run.state_mut().time = f64::from(step) * h;
        run.step_in(h, &mut Winds).expect("a step");
    }
    let [drag, turning] = [run.ledger().laws[0], run.ledger().laws[1]];
    assert!(drag < -0.5 && turning.abs() > 0.01, "{drag} {turning}");
    let off = (energy(&run) - before - drag - turning).abs();
    assert!(off < 1e-9, "{off:e}");
}

/// A ball that is kept on the parabola z = x²/2, which rises at the speed 0.3.
struct Parabola;

const RISING: f64 = 0.3;

impl Surroundings for Parabola {
    fn constrain(
        &mut self,
        time: f64,
        kinematics: &Kinematics,
        rows: &mut Vec<OutsideRow>,
    ) -> Result<(), String> {
        let (place, speed) =
            (kinematics.centres[1], kinematics.velocity_at(BodyId::new(1), kinematics.centres[1]));
        let slope = Motion { angular: Vec3::ZERO, linear: Vec3::new(-place.x, 0.0, 1.0) };
        rows.push(OutsideRow {
            number: 0,
            value: place.z - 0.5 * place.x * place.x - RISING * time,
            slopes: [slope, Motion::ZERO],
            rate: -RISING,
            drift: -speed.x * speed.x,
        });
        Ok(())
    }
}

fn ball(height: f64) -> Description {
    let mut description = Description::new("ball");
    description.settings.integrator = Integrator::RungeKutta;
    description
        .bodies
        .push(Body { pose: at(0.5, 0.0, height), ..body("ball", BodyId::WORLD, 1.0, Vec3::splat(0.1)) });
    description.joints.push(Joint::new("", BodyId::new(1), JointKind::Free));
    description
}

#[test]
fn a_condition_that_moves_is_held() {
    let mut description = ball(0.125);
    description.equalities.push(Equality {
        name: "track".to_owned(),
        kind: EqualityKind::Outside { number: 0, bodies: [BodyId::new(1), BodyId::WORLD] },
        softness: constant_softness(0.999, 0.01, 1.0),
        is_active: true,
    });
    let mut run = Simulation::new(model(description));
    run.state_mut().velocities[2] = RISING;
    let h = 5e-4;
    for step in 0..2000 {
        run.state_mut().time = f64::from(step) * h;
        run.step_in(h, &mut Parabola).expect("a step");
    }
    let [x, z] = [run.state().coordinates[0], run.state().coordinates[2]];
    let off = z - 0.5 * x * x - RISING * run.state().time;
    // As much as the weight and the curve press: (1 − d) T² (g + ẋ²), at most twice g here.
    assert!(off.abs() < 2.0 * 0.001 * 1e-4 * 9.81, "{off:e}");
    // Against a track at rest in the frame that rises with it: E′ = ½ ẋ² + ½ (ż − 0.3)² + g (z − 0.3 t).
    let v = &run.state().velocities;
    let energy = 0.5 * v[0] * v[0] + 0.5 * (v[2] - RISING) * (v[2] - RISING) + 9.81 * (z - RISING);
    assert!((energy - 9.81 * 0.125).abs() < 1e-5, "{energy}");
}

#[test]
fn a_condition_from_one_side_holds_nothing_above_it() {
    let mut description = ball(0.3);
    description.inequalities.push(Inequality {
        name: "bowl".to_owned(),
        kind: InequalityKind::Outside { number: 0, bodies: [BodyId::new(1), BodyId::WORLD] },
        softness: constant_softness(0.9, 0.02, 1.0),
    });
    let mut run = Simulation::new(model(description));
    run.state_mut().time = 0.0;
    for step in 0..400 {
        run.state_mut().time = f64::from(step) * 1e-3;
        run.step_in(1e-3, &mut Parabola).expect("a step");
        let [x, z] = [run.state().coordinates[0], run.state().coordinates[2]];
        let above = z - 0.5 * x * x - RISING * run.state().time;
        assert!(above > -0.05, "step {step}: {above}");
        if step < 100 {
            assert!(run.dynamics().rows.is_empty(), "step {step}");
        }
    }
    assert!(run.ledger().inequalities != 0.0);
}
