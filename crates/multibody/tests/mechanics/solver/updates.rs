//! Rank-one updates of the factor of H equal a factor made anew, and elimination.

use crate::support::dice::Dice;
use crate::support::scenes::{CONES, rows, scene};
use crate::support::slopes::{distance, largest};
use gedanken_math::linalg::DenseMatrix;
use gedanken_multibody::compile::Model;
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::solve::envelope::Envelope;

/// Columns and values of a row, by block and place in it.
fn row(dynamics: &Dynamics, number: usize) -> (&[usize], &[f64]) {
    let rows = &dynamics.rows;
    let block = rows.blocks.iter().rfind(|block| block.first <= number).expect("a block");
    let start = block.values + (number - block.first) * block.width;
    (&rows.columns[block.columns..block.columns + block.width], &rows.values[start..start + block.width])
}

fn fresh(model: &Model, dynamics: &Dynamics, active: &[bool]) -> Envelope {
    let mut made = Envelope::default();
    made.lay_out(&model.topology, &dynamics.rows);
    made.set_mass(&model.topology, &dynamics.matrix);
    for (number, _) in active.iter().enumerate().filter(|(_, active)| **active) {
        let (columns, values) = row(dynamics, number);
        made.add_outer(columns, values, dynamics.rows.stiffness[number]);
    }
    assert!(made.factor(), "positive definite");
    made
}

fn dense(model: &Model, dynamics: &Dynamics, active: &[bool], right: &[f64]) -> Vec<f64> {
    let jacobian = dynamics.rows.to_dense(model.freedoms());
    let mut matrix = dynamics.matrix.to_dense(&model.topology);
    for (number, _) in active.iter().enumerate().filter(|(_, active)| **active) {
        for i in 0..right.len() {
            for j in 0..right.len() {
                matrix[i][j] += dynamics.rows.stiffness[number] * jacobian[number][i] * jacobian[number][j];
            }
        }
    }
    DenseMatrix::from_fn(right.len(), right.len(), |i, j| matrix[i][j]).solve(right).expect("regular")
}

#[test]
fn updated_factors_equal_those_made_anew() {
    let mut updates = 0;
    for seed in 0..60 {
        let (model, state) = scene(seed, CONES[seed as usize % 3]);
        let dynamics = rows(&model, &state);
        let mut dice = Dice::new(seed);
        let mut active: Vec<bool> = (0..dynamics.rows.len()).map(|_| dice.chance(0.5)).collect();
        let mut updated = fresh(&model, &dynamics, &active);
        for _ in 0..6 {
            let number = dice.below(active.len());
            active[number] = !active[number];
            let weight = dynamics.rows.stiffness[number] * if active[number] { 1.0 } else { -1.0 };
            let (columns, values) = row(&dynamics, number);
            if !updated.update(columns, values, weight) {
                updated = fresh(&model, &dynamics, &active);
                continue;
            }
            updates += 1;
            let right = dice.numbers(model.freedoms(), 1.0);
            let (mut one, mut other) = (right.clone(), right.clone());
            updated.solve(&mut one);
            fresh(&model, &dynamics, &active).solve(&mut other);
            let exact = dense(&model, &dynamics, &active, &right);
            let scale = largest(&exact);
            assert!(distance(&other, &exact) < 1e-9 * scale, "seed {seed}: factor made anew");
            assert!(
                distance(&one, &other) < 1e-8 * scale,
                "seed {seed}: {:e}",
                distance(&one, &other) / scale
            );
        }
    }
    assert!(updates > 300, "only {updates} updates");
}
