//! The cost against an independent dual: s(x) = max over admissible f of −f·x − ½ fᵀ R f, so that
//! D(f) = −½ ‖Jᵀ f‖² in the norm of M⁻¹ − f·(J a_smooth − a_ref) − ½ fᵀ R f bounds the cost from below.

use crate::support::scenes::{CONES, problem, rows, scene, solve};
use crate::support::slopes::{dot, times};
use gedanken_math::linalg::DenseMatrix;
use gedanken_multibody::constraints::rows::{Block, RowKind, Rows};
use gedanken_multibody::dynamics::Dynamics;
use gedanken_multibody::solve::Problem;

/// The best force of one row between bounds, and what it is worth.
fn best_of_row(x: f64, r: f64, [low, high]: [f64; 2]) -> (f64, f64) {
    let force = (-x / r).clamp(low, high);
    (force, -force * x - 0.5 * r * force * force)
}

/// The best force of an elliptic contact: friction by its closed form, the normal force by a search.
fn best_of_cone(rows: &Rows, block: &Block, friction: &[f64], x: &[f64]) -> (Vec<f64>, f64) {
    let r = &rows.regularisation[block.first..block.first + block.count];
    // In u = f / μ all directions have the same regularisation.
    let uniform = r[1] * friction[0] * friction[0];
    let pull: Vec<f64> = (1..block.count).map(|k| x[k] * friction[k - 1]).collect();
    let size = dot(&pull, &pull).sqrt();
    let forces = |normal: f64| {
        let slide = if size > 0.0 { (size / uniform).min(normal) / size } else { 0.0 };
        let mut forces = vec![normal];
        forces.extend((1..block.count).map(|k| -slide * pull[k - 1] * friction[k - 1]));
        forces
    };
    // What a little more normal force is worth falls as it grows; friction gains while it is at its limit.
    let gain = |normal: f64| -x[0] - r[0] * normal + (size - uniform * normal).max(0.0);
    let (mut low, mut high) = (0.0, (x[0].abs() + size) / r[0].min(uniform) + 1.0);
    for _ in 0..200 {
        let middle = 0.5 * (low + high);
        if gain(middle) > 0.0 { low = middle } else { high = middle }
    }
    let f = forces(low);
    let worth = (0..block.count).map(|k| -f[k] * x[k] - 0.5 * r[k] * f[k] * f[k]).sum();
    (f, worth)
}

/// Forces and cost of all rows, found without the solver.
fn best(dynamics: &Dynamics, x: &[f64]) -> (Vec<f64>, f64) {
    let rows = &dynamics.rows;
    let (mut forces, mut cost) = (Vec::new(), 0.0);
    for block in &rows.blocks {
        let all = block.first..block.first + block.count;
        if block.kind == RowKind::Elliptic {
            let friction = dynamics.contacts[block.owner].friction;
            let (found, worth) = best_of_cone(rows, block, &friction, &x[all]);
            forces.extend(found);
            cost += worth;
            continue;
        }
        for row in all {
            let bounds = match block.kind {
                RowKind::Equality => [f64::NEG_INFINITY, f64::INFINITY],
                RowKind::FrictionLoss => [-rows.friction_losses[row], rows.friction_losses[row]],
                _ => [0.0, f64::INFINITY],
            };
            let (force, worth) = best_of_row(x[row], rows.regularisation[row], bounds);
            forces.push(force);
            cost += worth;
        }
    }
    (forces, cost)
}

/// D(f).
fn dual(problem: &Problem<'_>, forces: &[f64]) -> f64 {
    let count = problem.topology.freedoms;
    let mut pushed = vec![0.0; count];
    problem.rows.add_transposed_times(forces, &mut pushed);
    let matrix = problem.matrix.to_dense(problem.topology);
    let inverse = DenseMatrix::from_fn(count, count, |i, j| matrix[i][j]).solve(&pushed).expect("regular");
    let mut smooth = vec![0.0; forces.len()];
    problem.rows.times(problem.smooth, &mut smooth);
    let mut value = -0.5 * dot(&pushed, &inverse);
    for row in 0..forces.len() {
        value -= forces[row] * (smooth[row] - problem.rows.references[row]);
        value -= 0.5 * problem.rows.regularisation[row] * forces[row] * forces[row];
    }
    value
}

#[test]
fn cost_forces_and_gap_are_those_of_an_independent_dual() {
    let mut open = 0;
    for cone in CONES {
        for seed in 0..40 {
            let (model, state) = scene(seed, cone);
            let dynamics = rows(&model, &state);
            let mut problem = problem(&model, &dynamics);
            for iterations in [0, 1, 2, 4, 200] {
                problem.settings.iterations = iterations;
                let (solver, solution) = solve(&problem, None);
                let a = &solver.acceleration;
                let mut x = vec![0.0; problem.rows.len()];
                problem.rows.times(a, &mut x);
                x.iter_mut().zip(&problem.rows.references).for_each(|(x, reference)| *x -= reference);
                let away: Vec<f64> = a.iter().zip(problem.smooth).map(|(a, smooth)| a - smooth).collect();
                let matrix = problem.matrix.to_dense(problem.topology);
                let (forces, cost) = best(&dynamics, &x);
                let cost = cost + 0.5 * dot(&away, &times(&matrix, &away));
                let what = format!("{cone:?}, seed {seed}, {iterations} iterations");
                assert!((solution.cost - cost).abs() < 1e-9 * cost, "{what}: {} and {cost}", solution.cost);
                let gap = cost - dual(&problem, &forces);
                let error = (solution.duality_gap - gap).abs();
                assert!(error < 1e-8 * (cost + gap), "{what}: gap {} and {gap}", solution.duality_gap);
                open += usize::from(gap > 1e-3 * cost);
            }
        }
    }
    assert!(open > 100, "only {open} gaps were open");
}
