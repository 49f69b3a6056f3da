//! Rows of equalities: J is the slope of the violation r(q), J̇ v its second derivative along a steady motion.

use crate::support::build::{at, body, constant_softness, model, slide, state, tree};
use crate::support::dice::Dice;
use crate::support::energy::moved;
use crate::support::slopes::{bend, central, distance, dot, largest, order};
use gedanken_math::Vec3;
use gedanken_multibody::compile::Model;
use gedanken_multibody::constraints::rows::Rows;
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::model::{
    BodyId, Description, Equality, EqualityKind, Integrator, Joint, JointId, JointKind, Mount, Softness,
};
use gedanken_multibody::simulation::Simulation;
use gedanken_multibody::state::State;

fn push(description: &mut Description, kind: EqualityKind, softness: Softness) {
    description.equalities.push(Equality { name: String::new(), kind, softness, is_active: true });
}

fn rows(model: &Model, state: &State) -> Rows {
    let mut dynamics = Dynamics::new(model);
    dynamics.place(model, state);
    dynamics.smooth(model, state).expect("a positive mass matrix");
    dynamics.constrain(model, state);
    dynamics.rows
}

/// Tries a kind of equality on random trees, between random bodies.
fn expect_slopes(name: &str, makes: fn(&mut Dice, &Description) -> Option<EqualityKind>, drifts: bool) {
    let mut tried = 0;
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let mut description = tree(&mut dice);
        let Some(kind) = makes(&mut dice, &description) else { continue };
        push(&mut description, kind, Softness::MUJOCO);
        let model = model(description);
        let state = state(&model, &mut dice);
        let found = rows(&model, &state);
        // Ends that no freedom moves against each other have no rows, or rows of rounding.
        if found.values.iter().all(|value| value.abs() < 1e-12) {
            continue;
        }
        tried += 1;
        let jacobian = found.to_dense(model.freedoms());
        let violation =
            |increment: &[f64], t: f64| rows(&model, &moved(&model, &state, increment, t)).positions;
        let direction = dice.numbers(model.freedoms(), 1.0);
        let expected: Vec<f64> = jacobian.iter().map(|row| dot(row, &direction)).collect();
        let errors =
            [4e-3, 2e-3, 1e-3].map(|h| (h, distance(&central(h, |t| violation(&direction, t)), &expected)));
        judge(&format!("{name}, J, seed {seed}"), &errors, largest(&expected).max(1.0));
        if drifts {
            let bent = |h: f64| bend(h, |t| violation(&state.velocities, t));
            let errors = [8e-3, 4e-3, 2e-3].map(|h| (h, distance(&bent(h), &found.drifts)));
            judge(&format!("{name}, drift, seed {seed}"), &errors, largest(&found.drifts).max(1.0));
        } else {
            assert!(found.drifts.iter().all(|drift| *drift == 0.0), "{name}, seed {seed}");
        }
    }
    assert!(tried > 20, "{name}: only {tried} tries");
}

fn judge(what: &str, errors: &[(f64, f64)], scale: f64) {
    assert!(errors[errors.len() - 1].1 < 1e-3 * scale, "{what}: {errors:?}, scale {scale}");
    if errors[errors.len() - 1].1 > 1e-8 * scale {
        let fitted = order(errors);
        assert!((fitted - 2.0).abs() < 0.15, "{what}: order {fitted}, {errors:?}");
    }
}

fn bodies(dice: &mut Dice, description: &Description) -> [BodyId; 2] {
    let count = description.bodies.len();
    [BodyId::new(dice.below(count)), BodyId::new(1 + dice.below(count - 1))]
}

fn mounts(dice: &mut Dice, description: &Description) -> [Mount; 2] {
    bodies(dice, description).map(|body| Mount { body, frame: dice.pose(0.3) })
}

fn points(dice: &mut Dice, description: &Description) -> [(BodyId, Vec3); 2] {
    bodies(dice, description).map(|body| (body, dice.vector(0.3)))
}

#[test]
fn rows_of_connect_are_slopes() {
    expect_slopes(
        "connect",
        |dice, description| {
            let [first, second] = points(dice, description);
            Some(EqualityKind::Connect { first, second })
        },
        true,
    );
}

#[test]
fn rows_of_weld_are_slopes() {
    expect_slopes(
        "weld",
        |dice, description| {
            let [first, second] = mounts(dice, description);
            Some(EqualityKind::Weld { first, second, torque_scale: dice.between(0.1, 2.0) })
        },
        true,
    );
}

#[test]
fn rows_of_hinge_are_slopes() {
    expect_slopes(
        "hinge",
        |dice, description| {
            let [first, second] = mounts(dice, description);
            Some(EqualityKind::Hinge { first, second })
        },
        true,
    );
}

#[test]
fn rows_of_slide_are_slopes() {
    expect_slopes(
        "slide",
        |dice, description| {
            let [first, second] = mounts(dice, description);
            Some(EqualityKind::Slide { first, second })
        },
        true,
    );
}

#[test]
fn rows_of_distance_are_slopes() {
    expect_slopes(
        "distance",
        |dice, description| {
            let [first, second] = points(dice, description);
            Some(EqualityKind::Distance { first, second, length: dice.between(0.0, 1.0) })
        },
        true,
    );
}

/// As with MuJoCo, nothing makes up for J̇ v of a polynomial coupling: it is left to the damping.
#[test]
fn rows_of_polynomials_are_slopes() {
    expect_slopes(
        "polynomial",
        |dice, description| {
            let scalar =
                |joint: &&(usize, &Joint)| matches!(joint.1.kind, JointKind::Hinge | JointKind::Slide);
            let joints: Vec<_> = description.joints.iter().enumerate().collect();
            let scalars: Vec<_> =
                joints.iter().filter(scalar).map(|(number, _)| JointId::new(*number)).collect();
            let driven = *scalars.first()?;
            let others = [None, Some(driven), scalars.last().copied()];
            let coefficients = [0.0; 5].map(|_: f64| dice.between(-0.5, 0.5));
            Some(EqualityKind::Polynomial { driven, driver: others[dice.below(3)], coefficients })
        },
        false,
    );
}

/// A mass hangs on a soft rod: m g = D k d r with D = m d / (1 − d) and k = 1 / (d T ζ)², so that
/// r = g (1 − d) T² ζ², whatever the mass.
#[test]
fn a_hanging_mass_stretches_a_distance_by_the_closed_form() {
    for (mass, d, time_constant, ratio) in
        [(1e-3, 0.9, 0.02, 1.0), (1.0, 0.95, 0.05, 0.7), (1e3, 0.5, 0.01, 1.3)]
    {
        let mut description = Description::new("hanging");
        description.bodies.push(body("mass", BodyId::WORLD, mass, Vec3::ZERO));
        description.joints.push(slide("down", BodyId::new(1), Vec3::Z));
        description.bodies[1].pose = at(0.0, 0.0, -1.0);
        let kind = EqualityKind::Distance {
            first: (BodyId::new(1), Vec3::ZERO),
            second: (BodyId::WORLD, Vec3::ZERO),
            length: 1.0,
        };
        push(&mut description, kind, constant_softness(d, time_constant, ratio));
        let mut run = Simulation::new(model(description));
        for _ in 0..3000 {
            run.step().expect("a step");
        }
        let expected = 9.81 * (1.0 - d) * time_constant * time_constant * ratio * ratio;
        let stretch = -run.state().coordinates[0];
        assert!((stretch / expected - 1.0).abs() < 1e-9, "mass {mass}: {stretch} instead of {expected}");
    }
}

/// Two masses circle about each other on a soft rod of length L: the stretch r obeys
/// ω² (L + r) (1 − d) T² ζ² = r, whatever the masses.
#[test]
fn circling_masses_stretch_a_distance_by_the_closed_form() {
    let (d, time_constant, spin, length) = (0.9, 0.02, 5.0, 0.8);
    for masses in [[1.0, 1.0], [0.1, 7.0]] {
        let mut description = Description::new("dumbbell");
        description.settings.gravity = Vec3::ZERO;
        description.settings.integrator = Integrator::RungeKutta;
        description.settings.time_step = 1e-3;
        let share = spin * spin * (1.0 - d) * time_constant * time_constant;
        let stretch = share * length / (1.0 - share);
        let whole: f64 = masses.iter().sum();
        for (index, mass) in masses.into_iter().enumerate() {
            let arm = (length + stretch) * (whole - mass) / whole;
            let mut it = body("mass", BodyId::WORLD, mass, Vec3::splat(1e-3 * mass));
            it.pose = at(if index == 0 { arm } else { -arm }, 0.0, 0.0);
            description.bodies.push(it);
            description.joints.push(Joint::new("", BodyId::new(index + 1), JointKind::Free));
        }
        let kind = EqualityKind::Distance {
            first: (BodyId::new(1), Vec3::ZERO),
            second: (BodyId::new(2), Vec3::ZERO),
            length,
        };
        push(&mut description, kind, constant_softness(d, time_constant, 1.0));
        let mut run = Simulation::new(model(description));
        for k in 0..2 {
            run.state_mut().velocities[6 * k + 1] = spin * run.state().coordinates[7 * k];
        }
        for step in 0..1000 {
            run.step().expect("a step");
            let q = &run.state().coordinates;
            let apart = (Vec3::from_slice(&q[0..3]) - Vec3::from_slice(&q[7..10])).length();
            let error = (apart - length) / stretch - 1.0;
            assert!(error.abs() < 1e-6, "masses {masses:?}, step {step}: error {error:e}");
        }
        let [x, y] = [run.state().coordinates[0], run.state().coordinates[1]];
        let angle = libm::atan2(y, x) - (spin * 1.0 - std::f64::consts::TAU);
        assert!(angle.abs() < 1e-6, "masses {masses:?}: angle off by {angle:e}");
    }
}
