//! Laws and conditions from outside: forces on bodies become forces of freedoms, conditions become rows.

use crate::support::build::{at, body, constant_softness, hinge, model};
use crate::support::slopes::order;
use gedanken_math::{Mat3, Vec3};
use gedanken_multibody::model::{
    Body, BodyId, Description, Equality, EqualityKind, Inequality, InequalityKind, Integrator, Joint,
    JointKind,
};
use gedanken_multibody::simulation::Simulation;
use gedanken_multibody::surroundings::{OutsideRow, Surroundings, VelocitySlope};
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

/// Strong drag of the last body, against the air or against the body before it, as a matrix.
struct Syrup {
    matrix: Mat3,
    is_relative: bool,
}

impl Syrup {
    fn bodies(&self, kinematics: &Kinematics) -> [BodyId; 2] {
        let last = kinematics.poses.len() - 1;
        [BodyId::new(last), BodyId::new(last - 1)]
    }
}

/// Number of bodies of a rod and of a chain, the world included.
const BODIES: [usize; 2] = [2, 3];

impl Surroundings for Syrup {
    fn laws(&self) -> usize {
        1
    }

    fn act(
        &mut self,
        _time: f64,
        kinematics: &Kinematics,
        push: &mut dyn FnMut(usize, BodyId, Vec3, Vec3),
    ) -> Result<(), String> {
        let [one, other] = self.bodies(kinematics);
        let speed = |body: BodyId| kinematics.velocity_at(body, kinematics.centres[body.index()]);
        let relative = if self.is_relative { speed(one) - speed(other) } else { speed(one) };
        let force = self.matrix * relative;
        push(0, one, force * -1.0, Vec3::ZERO);
        if self.is_relative {
            push(0, other, force, Vec3::ZERO);
        }
        Ok(())
    }

    fn slopes(&mut self, slopes: &mut Vec<VelocitySlope>) {
        let bodies = if self.is_relative { BODIES[1] } else { BODIES[0] };
        let (one, other) = (BodyId::new(bodies - 1), BodyId::new(bodies - 2));
        let mut add = |on: BodyId, of: BodyId, sign: f64| {
            slopes.push(VelocitySlope {
                on,
                of,
                force_linear: self.matrix * sign,
                force_angular: Mat3::ZERO,
                torque_linear: Mat3::ZERO,
                torque_angular: Mat3::ZERO,
            });
        };
        add(one, one, -1.0);
        if self.is_relative {
            add(one, other, 1.0);
            add(other, one, 1.0);
            add(other, other, -1.0);
        }
    }
}

#[test]
fn implicit_steps_survive_strong_drag() {
    // With h c l² / I far beyond 2 an explicit step would explode; backward Euler divides by 1 + h c l² / I.
    let (h, drag, steps) = (0.01, 400.0, 20);
    for integrator in [Integrator::Implicit, Integrator::ImplicitFast] {
        let mut description = rod(integrator).model().description.clone();
        description.settings.gravity = Vec3::ZERO;
        let mut run = Simulation::new(model(description));
        run.state_mut().velocities[0] = 3.0;
        let mut syrup = Syrup { matrix: Mat3::from_diagonal(Vec3::splat(drag)), is_relative: false };
        for _ in 0..steps {
            run.step_in(h, &mut syrup).expect("a step");
        }
        let inertia = 0.2 + 1.5 * 0.49;
        let expected = 3.0 / libm::pow(1.0 + h * drag * 0.49 / inertia, f64::from(steps));
        let found = run.state().velocities[0];
        assert!((found / expected - 1.0).abs() < 1e-10, "{integrator:?}: {found:e} instead of {expected:e}");
    }
}

#[test]
fn the_implicit_step_knows_slopes_between_bodies_of_a_tree() {
    let mut description = Description::new("chain");
    description.settings.integrator = Integrator::Implicit;
    description.settings.gravity = Vec3::ZERO;
    for link in 0..2 {
        let mut made = body("", BodyId::new(link), 1.0, Vec3::splat(0.05));
        made.pose = at(0.0, 0.0, if link == 0 { 0.0 } else { -0.5 });
        made.inertia_pose = at(0.0, 0.0, -0.5);
        description.bodies.push(made);
        description.joints.push(hinge("", BodyId::new(link + 1), Vec3::Y));
    }
    let model = model(description);
    let matrix = Mat3::from_cols(Vec3::new(30.0, 0.0, 4.0), Vec3::Y, Vec3::new(-4.0, 0.0, 20.0));
    let mut syrup = Syrup { matrix, is_relative: true };
    let h = 0.02;
    let mut run = Simulation::new(model.clone());
    run.state_mut().coordinates.copy_from_slice(&[0.4, 0.9]);
    let start = run.state().clone();
    // From rest the force is zero, and so is every change: give it a speed that is small, so that forces that are
    // quadratic in it do not count.
    run.state_mut().velocities.copy_from_slice(&[1e-6, -2e-6]);
    let before = run.state().velocities.clone();
    run.step_in(h, &mut syrup).expect("a step");
    // (M + h Jᵀ C J) v' = M v with J of the difference of both centres.
    let mut kinematics = Kinematics::default();
    kinematics.place(&model.description, &model.topology, &start);
    let jacobian = |number: usize| {
        let body = BodyId::new(number);
        let centre = kinematics.centres[number];
        gedanken_multibody::tree::jacobian::dense(&kinematics, &model.topology, body, centre)
    };
    let (one, other) = (jacobian(2), jacobian(1));
    let column = |freedom: usize| {
        Vec3::new(
            one[0][freedom] - other[0][freedom],
            one[1][freedom] - other[1][freedom],
            one[2][freedom] - other[2][freedom],
        )
    };
    let mut dynamics = gedanken_multibody::dynamics::Dynamics::new(&model);
    dynamics.evaluate(&model, &start).expect("a state");
    let full = [
        [
            dynamics.matrix.entries[dynamics.matrix.starts[0]],
            dynamics.matrix.entries[dynamics.matrix.starts[1] + 1],
        ],
        [
            dynamics.matrix.entries[dynamics.matrix.starts[1] + 1],
            dynamics.matrix.entries[dynamics.matrix.starts[1]],
        ],
    ];
    let after = &run.state().velocities;
    for (row, full) in full.iter().enumerate() {
        let left: f64 = (0..2).map(|k| (full[k] + h * column(row).dot(matrix * column(k))) * after[k]).sum();
        let right: f64 = (0..2).map(|k| full[k] * before[k]).sum();
        assert!((left - right).abs() < 1e-11, "row {row}: {left:e} instead of {right:e}");
    }
}
