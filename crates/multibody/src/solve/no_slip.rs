//! A pass that takes away creeping: friction forces are found anew, without regularisation.
//!
//! Normal forces stay. Friction forces are improved one contact after the other (Gauss and Seidel's way), each
//! within what its normal force allows, so that tangential accelerations become what their references ask
//! for. The result is no longer the minimum of the cost; the certificate remains that of the search before.

#![allow(clippy::needless_range_loop, reason = "entries of small matrices are named by their indices")]

use super::{Problem, Solver};
use crate::constraints::rows::{Block, RowKind};

/// Forces and curvatures below this are none.
const TINY: f64 = 1e-15;
/// Changes that would raise the cost by more are not made: where friction has no effect of its own, its
/// forces stay as they are.
const RISE: f64 = 1e-10;
/// Maximum number of iterations for the multiplier of a cone.
const MAX_CONE_ITERATIONS: usize = 20;
/// A determinant of A, or a pivot where A has more than three rows, below this makes A singular; it is also the
/// accuracy of the multiplier and of the bound. With few passes the forces depend on it: it is MuJoCo's.
const NEGLIGIBLE: f64 = 1e-10;

/// Buffers of the pass.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    /// By row, M⁻¹ Jᵀ of it.
    responses: Vec<f64>,
    row: Vec<f64>,
}

/// Friction of one contact: what it may choose.
struct Tangents<'a> {
    /// A, row by row.
    matrix: &'a [[f64; 5]; 5],
    /// Accelerations that the other forces give.
    offset: &'a [f64; 5],
    /// Coefficients.
    friction: &'a [f64],
    normal: f64,
}

impl Solver {
    /// Makes the passes that the settings ask for.
    pub(super) fn no_slip(&mut self, problem: &Problem<'_>) {
        let settings = &problem.settings;
        self.respond(problem);
        let scale = 1.0 / problem.inertia.max(TINY);
        for pass in 0..settings.no_slip_iterations {
            let mut improvement = 0.0;
            if pass == 0 {
                // The regularisation that the search paid for is given back.
                let costs = self.forces.iter().zip(&problem.rows.regularisation);
                improvement += costs.map(|(force, r)| 0.5 * force * force * r).sum::<f64>();
            }
            for number in 0..problem.rows.blocks.len() {
                let block = &problem.rows.blocks[number];
                improvement -= match block.kind {
                    RowKind::FrictionLoss | RowKind::Motor => self.dry_friction(problem, block),
                    RowKind::PyramidEdge => self.pyramid_friction(problem, block),
                    RowKind::Elliptic => self.elliptic_friction(problem, block),
                    _ => 0.0,
                };
            }
            if improvement * scale < settings.no_slip_tolerance {
                break;
            }
        }
        self.constraint_forces.fill(0.0);
        problem.rows.add_transposed_times(&self.forces, &mut self.constraint_forces);
        self.acceleration.copy_from_slice(&self.constraint_forces);
        problem.factor.solve(problem.topology, &mut self.acceleration);
        for (value, smooth) in self.acceleration.iter_mut().zip(problem.smooth) {
            *value += smooth;
        }
    }

    /// Computes M⁻¹ Jᵀ of all rows, and J a − a_ref.
    fn respond(&mut self, problem: &Problem<'_>) {
        let (rows, freedoms) = (problem.rows, problem.topology.freedoms);
        let Workspace { responses, row } = &mut self.slip;
        responses.clear();
        for block in &rows.blocks {
            let columns = &rows.columns[block.columns..block.columns + block.width];
            for number in 0..block.count {
                row.clear();
                row.resize(freedoms, 0.0);
                let start = block.values + number * block.width;
                for (&column, value) in columns.iter().zip(&rows.values[start..start + block.width]) {
                    row[column] = *value;
                }
                problem.factor.solve(problem.topology, row);
                responses.extend_from_slice(row);
            }
        }
    }

    /// Acceleration of a row per force of another.
    fn coupling(&self, problem: &Problem<'_>, block: &Block, row: usize, other: usize) -> f64 {
        let (rows, freedoms) = (problem.rows, problem.topology.freedoms);
        let start = block.values + row * block.width;
        let values = &rows.values[start..start + block.width];
        let columns = &rows.columns[block.columns..block.columns + block.width];
        let response = &self.slip.responses[other * freedoms..(other + 1) * freedoms];
        columns.iter().zip(values).map(|(&column, value)| value * response[column]).sum()
    }

    /// J a − a_ref of a row, a being that of the present forces.
    fn residual(&self, problem: &Problem<'_>, block: &Block, row: usize) -> f64 {
        let start = block.values + row * block.width;
        let columns = &problem.rows.columns[block.columns..block.columns + block.width];
        let values = &problem.rows.values[start..start + block.width];
        let moved: f64 =
            columns.iter().zip(values).map(|(&column, value)| value * self.acceleration[column]).sum();
        moved - problem.rows.references[block.first + row]
    }

    /// Changes the force of a row, and the acceleration with it.
    fn change(&mut self, row: usize, by: f64) {
        if by == 0.0 {
            return;
        }
        self.forces[row] += by;
        let freedoms = self.acceleration.len();
        let response = &self.slip.responses[row * freedoms..(row + 1) * freedoms];
        super::add_scaled(&mut self.acceleration, by, response);
    }

    /// Dry friction of a joint; returns the change of the cost.
    fn dry_friction(&mut self, problem: &Problem<'_>, block: &Block) -> f64 {
        let row = block.first;
        let slope = self.coupling(problem, block, 0, row);
        let residual = self.residual(problem, block, 0);
        let largest = problem.rows.friction_losses[row];
        let force = (self.forces[row] - residual / slope.max(TINY)).clamp(-largest, largest);
        let by = force - self.forces[row];
        let change = by * (residual + 0.5 * slope * by);
        if change > RISE {
            return 0.0;
        }
        self.change(row, by);
        change
    }

    /// Pairs of opposite edges exchange force; returns the change of the cost.
    fn pyramid_friction(&mut self, problem: &Problem<'_>, block: &Block) -> f64 {
        let mut change = 0.0;
        for pair in (0..block.count).step_by(2) {
            let [one, other] = [block.first + pair, block.first + pair + 1];
            let [f0, f1] = [self.forces[one], self.forces[other]];
            let middle = 0.5 * (f0 + f1);
            let a00 = self.coupling(problem, block, pair, one);
            let a01 = self.coupling(problem, block, pair, other);
            let a11 = self.coupling(problem, block, pair + 1, other);
            let [r0, r1] = [self.residual(problem, block, pair), self.residual(problem, block, pair + 1)];
            let [b0, b1] = [r0 - a00 * f0 - a01 * f1, r1 - a01 * f0 - a11 * f1];
            let curvature = a00 + a11 - 2.0 * a01;
            let slide = match curvature {
                it if it < TINY => 0.0,
                it => (-(middle * (a00 - a11) + b0 - b1) / it).clamp(-middle, middle),
            };
            let [d0, d1] = [middle + slide - f0, middle - slide - f1];
            let risen = d0 * (r0 + 0.5 * (a00 * d0 + a01 * d1)) + d1 * (r1 + 0.5 * (a01 * d0 + a11 * d1));
            if risen <= RISE {
                self.change(one, d0);
                self.change(other, d1);
                change += risen;
            }
        }
        change
    }

    /// Tangential forces of an elliptic contact; returns the change of the cost.
    fn elliptic_friction(&mut self, problem: &Problem<'_>, block: &Block) -> f64 {
        let count = block.count - 1;
        let mut matrix = [[0.0; 5]; 5];
        let mut residuals = [0.0; 5];
        for k in 0..count {
            for j in 0..count {
                matrix[k][j] = self.coupling(problem, block, k + 1, block.first + 1 + j);
            }
            residuals[k] = self.residual(problem, block, k + 1);
            matrix[k][k] = matrix[k][k].max(NEGLIGIBLE);
        }
        let mut offset = residuals;
        for k in 0..count {
            for j in 0..count {
                offset[k] -= matrix[k][j] * self.forces[block.first + 1 + j];
            }
        }
        let friction = &block.cone[1..1 + count];
        let normal = self.forces[block.first];
        let best = Tangents { matrix: &matrix, offset: &offset, friction, normal }.best();
        let mut by = [0.0; 5];
        for k in 0..count {
            by[k] = best[k] - self.forces[block.first + 1 + k];
        }
        let quadratic = |k: usize| (0..count).map(|j| matrix[k][j] * by[j]).sum::<f64>();
        let change: f64 = (0..count).map(|k| by[k] * (residuals[k] + 0.5 * quadratic(k))).sum();
        if change > RISE {
            return 0.0;
        }
        for k in 0..count {
            self.change(block.first + 1 + k, by[k]);
        }
        change
    }
}

impl Tangents<'_> {
    /// The forces that minimise ½ fᵀ A f + bᵀ f with Σ (fₖ/μₖ)² ≤ N².
    fn best(&self) -> [f64; 5] {
        let count = self.friction.len();
        if self.normal < TINY {
            return [0.0; 5];
        }
        // In y = f / μ the bound is a ball. The multiplier λ of the bound is found by Newton's method on |y|.
        let square = |y: &[f64; 5]| y[..count].iter().map(|it| it * it).sum::<f64>();
        let bound = self.normal * self.normal;
        let (mut lambda, mut y) = (0.0, [0.0; 5]);
        for _ in 0..MAX_CONE_ITERATIONS {
            let Some(solved) = self.solve(lambda) else { return [0.0; 5] };
            y = solved;
            let excess = square(&y) - bound;
            if excess < NEGLIGIBLE {
                break;
            }
            let step = -excess / self.derivative(lambda, &y);
            if step.is_nan() || step < NEGLIGIBLE {
                break;
            }
            lambda += step;
        }
        if lambda > 0.0 {
            let stretch = (bound / square(&y).max(TINY)).sqrt();
            y.iter_mut().for_each(|it| *it *= stretch);
        }
        for (value, mu) in y.iter_mut().zip(self.friction) {
            *value *= mu;
        }
        y
    }

    /// −(A' + λ)⁻¹ b', A' and b' being A and b in y; none if A' + λ is singular.
    fn solve(&self, lambda: f64) -> Option<[f64; 5]> {
        let mut right = [0.0; 5];
        for (k, mu) in self.friction.iter().enumerate() {
            right[k] = -self.offset[k] * mu;
        }
        self.solve_for(lambda, right)
    }

    /// d|y|²/dλ = −2 yᵀ (A' + λ)⁻¹ y.
    fn derivative(&self, lambda: f64, y: &[f64; 5]) -> f64 {
        let solved = self.solve_for(lambda, *y).unwrap_or_default();
        -2.0 * y.iter().zip(&solved).map(|(a, b)| a * b).sum::<f64>()
    }

    /// (A' + λ)⁻¹ of a vector, by elimination.
    fn solve_for(&self, lambda: f64, mut right: [f64; 5]) -> Option<[f64; 5]> {
        let count = self.friction.len();
        let mut a = [[0.0; 5]; 5];
        for k in 0..count {
            for j in 0..count {
                a[k][j] = self.matrix[k][j] * self.friction[k] * self.friction[j];
            }
            a[k][k] += lambda;
        }
        let mut determinant = 1.0;
        for k in 0..count {
            determinant *= a[k][k];
            if a[k][k] < if count > 3 { NEGLIGIBLE } else { 0.0 } {
                return None;
            }
            for below in k + 1..count {
                let share = a[below][k] / a[k][k];
                for j in k..count {
                    a[below][j] -= share * a[k][j];
                }
                right[below] -= share * right[k];
            }
        }
        for k in (0..count).rev() {
            let rest: f64 = (k + 1..count).map(|j| a[k][j] * right[j]).sum();
            right[k] = (right[k] - rest) / a[k][k];
        }
        (count > 3 || determinant >= NEGLIGIBLE).then_some(right)
    }
}

#[cfg(test)]
mod tests {
    use crate::compile::Model;
    use crate::model::{Body, BodyId, Cone, Description, Geom, GeomShape, Joint, JointKind};
    use crate::simulation::Simulation;
    use gedanken_math::{Pose, Vec3};

    /// Speed along the slope of a box that friction holds on it, after a second.
    fn creep(cone: Cone, no_slip_iterations: usize) -> f64 {
        let mut description = Description::new("slope");
        description.settings.gravity = Vec3::new(4.0, 0.0, -9.0);
        description.settings.cone = cone;
        description.settings.solver.no_slip_iterations = no_slip_iterations;
        description.settings.solver.no_slip_tolerance = 0.0;
        description.geoms.push(Geom::new("ground", BodyId::WORLD, GeomShape::Plane));
        let mut block = Body::new("block", BodyId::WORLD);
        (block.mass, block.inertia) = (1.0, Vec3::splat(0.01));
        block.pose = Pose::at(Vec3::Z * 0.1);
        description.bodies.push(block);
        let body = BodyId::new(1);
        description.joints.push(Joint::new("free", body, JointKind::Free));
        description.geoms.push(Geom::new("block", body, GeomShape::Box { half_sides: Vec3::splat(0.1) }));
        let mut run = Simulation::new(Model::new(description).expect("a model"));
        for _ in 0..500 {
            run.step().expect("a step");
        }
        run.state().velocities[0].abs()
    }

    #[test]
    fn a_box_that_friction_holds_creeps_only_without_the_pass() {
        // Edges of a pyramid only exchange force with their opposite: where one of a pair has none left, a rest
        // of creeping remains.
        for (cone, share) in [(Cone::Pyramid { edges: 4 }, 0.1), (Cone::Elliptic, 1e-3)] {
            let (soft, held) = (creep(cone, 0), creep(cone, 50));
            assert!(soft > 1e-3, "soft friction gives way: {soft:e} m/s");
            assert!(held < share * soft, "{cone:?}: {held:e} m/s instead of {soft:e}");
        }
    }
}
