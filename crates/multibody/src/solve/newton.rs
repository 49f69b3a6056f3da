//! Newton's method with a Cholesky factor of the exact Hessian.
//!
//! Without elliptic contacts the cost is piecewise quadratic: a full step that changes no zone lands on the
//! minimum. When few rows change their zone, the factor is updated by one rank each; sliding elliptic
//! contacts change their curvature at every step, and the factor is made anew.

use super::cost::{Zone, sliding_hessian};
use super::envelope::Envelope;
use super::{Problem, Solver, relative};
use crate::constraints::rows::{RowKind, Rows};

/// Iterations without progress after which rounding is blamed.
const MAX_STALLS: usize = 3;

/// The factor, and the zones it was made for.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    factor: Envelope,
    zones: Vec<Zone>,
    is_fresh: bool,
}

impl Solver {
    /// Iterates until the certificate is good enough; returns the number of iterations.
    pub(super) fn newton(&mut self, problem: &Problem<'_>) -> usize {
        self.newton.factor.lay_out(problem.topology, problem.rows);
        self.newton.is_fresh = false;
        let mut improvement = None;
        let (mut least, mut stalls) = (f64::INFINITY, 0);
        for iteration in 0..problem.settings.iterations {
            let [error, size] = self.error(problem);
            if self.is_done(problem, error, improvement) {
                return iteration;
            }
            // Near the minimum rounding moves the gradient about; it has to shrink now and then.
            if error < 0.5 * least {
                (least, stalls) = (error, 0);
            } else {
                stalls += 1;
            }
            if stalls > MAX_STALLS && relative(error, size) < 1e-6 {
                return iteration;
            }
            if !self.refresh_factor(problem) {
                return iteration;
            }
            self.direction.clone_from(&self.gradient);
            self.direction.iter_mut().for_each(|it| *it = -*it);
            self.newton.factor.solve(&mut self.direction);
            let gained = self.advance(problem);
            improvement = Some(gained);
            if gained <= 0.0 && stalls > 0 {
                return iteration + 1;
            }
        }
        problem.settings.iterations
    }

    /// Makes the factor that of the present zones; `false` if the Hessian is not positive definite.
    fn refresh_factor(&mut self, problem: &Problem<'_>) -> bool {
        let rows = problem.rows;
        let has_sliding = self.zones.contains(&Zone::Sliding);
        let had_sliding = self.newton.is_fresh && self.newton.zones.contains(&Zone::Sliding);
        if self.newton.is_fresh && !has_sliding && !had_sliding && self.update_factor(rows) {
            self.newton.zones.clone_from(&self.zones);
            return true;
        }
        let factor = &mut self.newton.factor;
        factor.set_mass(problem.topology, problem.matrix);
        for block in &rows.blocks {
            let columns = &rows.columns[block.columns..block.columns + block.width];
            let values = |row: usize| {
                let start = block.values + row * block.width;
                &rows.values[start..start + block.width]
            };
            if block.kind == RowKind::Elliptic && self.zones[block.first] == Zone::Sliding {
                let mut hessian = [[0.0; 6]; 6];
                let excess = &self.excess[block.first..block.first + block.count];
                sliding_hessian(rows, block, excess, &mut hessian);
                for k in 0..block.count {
                    factor.add_outer(columns, values(k), hessian[k][k]);
                    for j in k + 1..block.count {
                        factor.add_symmetric(columns, values(k), values(j), 2.0 * hessian[k][j]);
                    }
                }
                continue;
            }
            for row in 0..block.count {
                if self.zones[block.first + row] == Zone::Quadratic {
                    factor.add_outer(columns, values(row), rows.stiffness[block.first + row]);
                }
            }
        }
        self.newton.zones.clone_from(&self.zones);
        self.newton.is_fresh = true;
        self.newton.factor.factor()
    }

    /// Updates the factor row by row; `false` if too much has changed, or rounding would spoil it.
    fn update_factor(&mut self, rows: &Rows) -> bool {
        let curved = |zone: Zone| zone == Zone::Quadratic;
        let changes = self.zones.iter().zip(&self.newton.zones).filter(|(a, b)| curved(**a) != curved(**b));
        // An update costs about as much as a row of the factor.
        if changes.count() * 4 > self.gradient.len() {
            return false;
        }
        for block in &rows.blocks {
            let columns = &rows.columns[block.columns..block.columns + block.width];
            for row in 0..block.count {
                let number = block.first + row;
                let (now, before) = (curved(self.zones[number]), curved(self.newton.zones[number]));
                if now == before {
                    continue;
                }
                let start = block.values + row * block.width;
                let weight = if now { rows.stiffness[number] } else { -rows.stiffness[number] };
                if !self.newton.factor.update(columns, &rows.values[start..start + block.width], weight) {
                    return false;
                }
            }
        }
        true
    }
}
