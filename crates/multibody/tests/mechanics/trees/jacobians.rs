//! Jacobians of points and J̇ v against finite differences along motions, with fitted orders.

use crate::support::build::{model, state, tree};
use crate::support::dice::Dice;
use crate::support::energy::{moved, turn};
use crate::support::slopes::{bend, central, distance, largest, order};
use gedanken_math::Vec3;
use gedanken_math::rotation::axes;
use gedanken_multibody::compile::Model;
use gedanken_multibody::model::BodyId;
use gedanken_multibody::state::State;
use gedanken_multibody::tree::jacobian;
use gedanken_multibody::tree::kinematics::Kinematics;

/// Place of a point of a body, and the rotation of the body since `from`.
fn mark(model: &Model, state: &State, body: BodyId, offset: Vec3, from: [Vec3; 3]) -> Vec<f64> {
    let mut kinematics = Kinematics::default();
    kinematics.place(&model.description, &model.topology, state);
    let turned = turn(from, axes(kinematics.poses[body.index()].rotation));
    let mut found = kinematics.point(body, offset).to_array().to_vec();
    found.extend(turned.to_array());
    found
}

/// Errors of a difference at falling steps have order 2, or are rounding.
fn expect_second_order(what: &str, errors: &[(f64, f64)], scale: f64) {
    if errors[0].1 < 1e-9 * scale {
        return;
    }
    let fitted = order(errors);
    assert!((fitted - 2.0).abs() < 0.1, "{what}: order {fitted}, errors {errors:?}");
    assert!(errors[errors.len() - 1].1 < 3e-3 * scale, "{what}: errors {errors:?}, scale {scale}");
}

#[test]
fn jacobians_are_slopes_of_points() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let model = model(tree(&mut dice));
        let state = state(&model, &mut dice);
        let body = BodyId::new(1 + dice.below(model.description.bodies.len() - 1));
        let offset = dice.vector(0.3);
        let mut kinematics = Kinematics::default();
        kinematics.place(&model.description, &model.topology, &state);
        let from = axes(kinematics.poses[body.index()].rotation);
        let point = kinematics.point(body, offset);
        let rows = jacobian::dense(&kinematics, &model.topology, body, point);
        for freedom in 0..model.freedoms() {
            let mut unit = vec![0.0; model.freedoms()];
            unit[freedom] = 1.0;
            let column: Vec<f64> = rows.iter().map(|row| row[freedom]).collect();
            let errors = [0.08, 0.04, 0.02].map(|h| {
                let difference =
                    central(h, |t| mark(&model, &moved(&model, &state, &unit, t), body, offset, from));
                (h, distance(&difference, &column))
            });
            expect_second_order(
                &format!("seed {seed}, freedom {freedom}"),
                &errors,
                largest(&column).max(0.1),
            );
        }
    }
}

#[test]
fn the_rate_of_a_jacobian_is_the_acceleration_of_a_steady_motion() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let model = model(tree(&mut dice));
        let state = state(&model, &mut dice);
        let body = BodyId::new(1 + dice.below(model.description.bodies.len() - 1));
        let offset = dice.vector(0.3);
        let mut kinematics = Kinematics::default();
        kinematics.place(&model.description, &model.topology, &state);
        kinematics.set_velocities(&model.description, &model.topology, &state);
        let from = axes(kinematics.poses[body.index()].rotation);
        let point = kinematics.point(body, offset);
        let found = jacobian::rate_times_speed(&kinematics, &model.topology, &state.velocities, body, point);
        let mut expected = found.linear.to_array().to_vec();
        expected.extend(found.angular.to_array());
        let errors = [0.016, 0.008, 0.004].map(|h| {
            let along = |t: f64| moved(&model, &state, &state.velocities, t);
            let difference = bend(h, |t| mark(&model, &along(t), body, offset, from));
            (h, distance(&difference, &expected))
        });
        expect_second_order(&format!("seed {seed}"), &errors, largest(&expected).max(1.0));
    }
}
