//! The articulated-body algorithm, the mass matrix and inverse dynamics agree with one another.

use crate::support::build::{model, state, tree};
use crate::support::dice::Dice;
use crate::support::energy::kinetic;
use crate::support::slopes::{distance, dot, largest, times};
use gedanken_math::Vec3;
use gedanken_math::linalg::{DenseMatrix, cholesky};
use gedanken_multibody::compile::Model;
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::state::State;
use gedanken_multibody::tree::articulated::ArticulatedBodies;

/// Number of random trees.
const TREES: u64 = 200;

fn smooth(model: &Model, state: &State) -> Dynamics {
    let mut dynamics = Dynamics::new(model);
    dynamics.place(model, state);
    dynamics.smooth(model, state).expect("a positive mass matrix");
    dynamics
}

/// Solution of M a = right by elimination with pivots, which knows nothing of trees.
fn eliminated(matrix: &[Vec<f64>], right: &[f64]) -> Vec<f64> {
    let count = right.len();
    DenseMatrix::from_fn(count, count, |i, j| matrix[i][j]).solve(right).expect("a regular matrix")
}

fn articulated(
    model: &Model,
    state: &State,
    dynamics: &Dynamics,
    forces: &[f64],
    damping: Option<&[f64]>,
) -> Vec<f64> {
    let gravity: Vec3 = model.description.settings.gravity;
    let mut out = vec![0.0; model.freedoms()];
    let found = ArticulatedBodies::default().accelerations(
        &model.description,
        &model.topology,
        &dynamics.kinematics,
        gravity,
        &state.velocities,
        forces,
        damping,
        &mut out,
    );
    assert!(found);
    out
}

#[test]
fn articulated_bodies_accelerate_as_the_mass_matrix_says() {
    let mut deepest = 0;
    for seed in 0..TREES {
        let mut dice = Dice::new(seed);
        let model = model(tree(&mut dice));
        let state = state(&model, &mut dice);
        let dynamics = smooth(&model, &state);
        let forces = dice.numbers(model.freedoms(), 5.0);
        let mut matrix = dynamics.matrix.to_dense(&model.topology);
        let right: Vec<f64> = forces.iter().zip(&dynamics.bias).map(|(force, bias)| force - bias).collect();
        let expected = eliminated(&matrix, &right);
        let found = articulated(&model, &state, &dynamics, &forces, None);
        let error = distance(&found, &expected) / largest(&expected);
        assert!(error < 1e-11, "seed {seed}: {error:e}");

        let damping: Vec<f64> = dice.numbers(model.freedoms(), 1.0).iter().map(|it| it.abs()).collect();
        for (freedom, row) in matrix.iter_mut().enumerate() {
            row[freedom] += damping[freedom];
        }
        let expected = eliminated(&matrix, &right);
        let found = articulated(&model, &state, &dynamics, &forces, Some(&damping));
        let error = distance(&found, &expected) / largest(&expected);
        assert!(error < 1e-11, "seed {seed}, damped: {error:e}");
        deepest = deepest.max(*model.topology.depth.iter().max().expect("freedoms"));
    }
    assert!(deepest > 12, "the deepest tree has {deepest} freedoms on one way to its root");
}

#[test]
fn factors_of_the_mass_matrix_solve_it() {
    for seed in 0..TREES {
        let mut dice = Dice::new(seed);
        let model = model(tree(&mut dice));
        let state = state(&model, &mut dice);
        let dynamics = smooth(&model, &state);
        let right = dice.numbers(model.freedoms(), 1.0);
        let mut found = right.clone();
        dynamics.factor.solve(&model.topology, &mut found);
        let expected = eliminated(&dynamics.matrix.to_dense(&model.topology), &right);
        let error = distance(&found, &expected) / largest(&expected);
        assert!(error < 1e-11, "seed {seed}: {error:e}");
        let norm = dynamics.factor.inverse_norm_squared(&model.topology, &mut right.clone());
        assert!((norm / dot(&right, &expected) - 1.0).abs() < 1e-11, "seed {seed}");
    }
}

#[test]
fn columns_of_the_mass_matrix_are_forces_of_unit_accelerations() {
    for seed in 0..TREES {
        let mut dice = Dice::new(seed);
        let model = model(tree(&mut dice));
        let state = state(&model, &mut dice);
        let mut dynamics = smooth(&model, &state);
        let count = model.freedoms();
        let matrix = dynamics.matrix.to_dense(&model.topology);
        let mut at_rest = vec![0.0; count];
        dynamics.inverse(&model, &state, &vec![0.0; count], &mut at_rest);
        let scale = matrix.iter().map(|row| largest(row)).fold(0.0, f64::max);
        for column in 0..count {
            let mut unit = vec![0.0; count];
            unit[column] = 1.0;
            let mut forces = vec![0.0; count];
            dynamics.inverse(&model, &state, &unit, &mut forces);
            for row in 0..count {
                let error = (forces[row] - at_rest[row] - matrix[row][column]).abs() / scale;
                assert!(error < 1e-12, "seed {seed}, entry {row}, {column}: {error:e}");
            }
        }
        let dense = DenseMatrix::from_fn(count, count, |i, j| matrix[i][j]);
        assert!(cholesky(&dense).is_some(), "seed {seed}: not positive");
    }
}

#[test]
fn the_mass_matrix_gives_the_kinetic_energy_of_moving_points() {
    for seed in 0..TREES {
        let mut dice = Dice::new(seed);
        let mut description = tree(&mut dice);
        description.joints.iter_mut().for_each(|joint| joint.armature = 0.0);
        let model = model(description);
        let state = state(&model, &mut dice);
        let matrix = smooth(&model, &state).matrix.to_dense(&model.topology);
        let energy = 0.5 * dot(&state.velocities, &times(&matrix, &state.velocities));
        let expected = kinetic(&model, &state, &vec![0.0; model.freedoms()], &state.velocities);
        assert!((energy / expected - 1.0).abs() < 1e-8, "seed {seed}: {energy} instead of {expected}");
    }
}
