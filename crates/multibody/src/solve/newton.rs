//! Newton's method with a Cholesky factor of the exact Hessian.
//!
//! Without elliptic contacts the cost is piecewise quadratic: a full step that changes no zone lands on the
//! minimum. When few rows change their zone, the factor is updated by one rank each; sliding elliptic
//! contacts change their curvature at every step, and the factor is made anew.

use super::cost::{Zone, sliding_hessian};
use super::envelope::Envelope;
use super::{Problem, Solver, dot, relative};
use crate::constraints::rows::{Block, RowKind, Rows};
use crate::model::Stopping;

/// Iterations without progress after which rounding is blamed.
const MAX_STALLS: usize = 3;

/// Number of iterations after which M a and J a are computed anew instead of added up.
const MAX_ADDED: usize = 2;
/// Share of ‖a‖ that must be left for them to be added up.
const LEAST_SIZE: f64 = 1e-2;

/// The factor, and the zones it was made for.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    factor: Envelope,
    zones: Vec<Zone>,
    is_fresh: bool,
    /// `false` once updates have made the factor too inexact for this problem.
    is_updatable: bool,
}

impl Solver {
    /// Iterates until the certificate is good enough; returns the number of iterations.
    pub(super) fn newton(&mut self, problem: &Problem<'_>) -> usize {
        self.newton.is_fresh = false;
        self.newton.is_updatable = true;
        let mut improvement = None;
        let (mut least, mut stalls) = (f64::INFINITY, 0);
        for iteration in 0..problem.settings.iterations {
            // A start that is plainly far from the minimum needs no certificate.
            let is_far = iteration == 0 && self.is_far(problem);
            let mut size = self.size(problem);
            if !is_far {
                let known = self.error(problem);
                self.known_error = Some(known);
                let error = known[0];
                size = known[1];
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
            }
            // Updates by one rank add rounding to the factor: without progress it is made anew.
            self.newton.is_updatable &= stalls == 0;
            if !self.refresh_factor(problem) {
                return iteration;
            }
            self.direction.clone_from(&self.gradient);
            self.direction.iter_mut().for_each(|it| *it = -*it);
            self.newton.factor.solve(&mut self.direction);
            problem.matrix.times(problem.topology, &self.direction, &mut self.direction_momentum);
            // Added up once or twice, rounding is that of one product, unless large numbers cancelled.
            let mut gained = self.advance(problem, iteration >= MAX_ADDED);
            if iteration < MAX_ADDED && self.size(problem) <= LEAST_SIZE * size {
                let cost = self.cost;
                self.evaluate(problem);
                gained += cost - self.cost;
            }
            improvement = Some(gained);
            if gained <= 0.0 && stalls > 0 {
                return iteration + 1;
            }
        }
        problem.settings.iterations
    }

    /// Returns `true` if the certificate cannot be good enough: no inertia is above the trace of M, so
    /// ‖g‖² in the norm of M⁻¹ is at least |g|² over the trace.
    fn is_far(&self, problem: &Problem<'_>) -> bool {
        let Stopping::Certificate(tolerance) = problem.settings.stopping else { return false };
        let most = tolerance * self.size(problem);
        dot(&self.gradient, &self.gradient) > 4.0 * most * most * problem.matrix.trace()
    }

    /// Makes the factor that of the present zones; `false` if the Hessian is not positive definite.
    fn refresh_factor(&mut self, problem: &Problem<'_>) -> bool {
        let rows = problem.rows;
        let has_sliding = self.zones.contains(&Zone::Sliding);
        let had_sliding = self.newton.is_fresh && self.newton.zones.contains(&Zone::Sliding);
        let may_update = self.newton.is_fresh && self.newton.is_updatable && !has_sliding && !had_sliding;
        if may_update && self.update_factor(rows) {
            self.newton.zones.clone_from(&self.zones);
            return true;
        }
        let factor = &mut self.newton.factor;
        if !self.newton.is_fresh {
            factor.lay_out(problem.topology, rows);
        }
        factor.set_mass(problem.topology, problem.matrix);
        for block in &rows.blocks {
            add_block(factor, rows, block, &self.zones, &self.excess);
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

/// Adds the curvature of a block.
fn add_block(factor: &mut Envelope, rows: &Rows, block: &Block, zones: &[Zone], excess: &[f64]) {
    let all = block.first..block.first + block.count;
    let zones = &zones[all.clone()];
    if zones.iter().all(|zone| !matches!(zone, Zone::Quadratic | Zone::Sliding)) {
        return;
    }
    let columns = &rows.columns[block.columns..block.columns + block.width];
    let (values, count) = rows.summands(block);
    let weight = |row: usize| match zones[row] {
        Zone::Quadratic => rows.stiffness[block.first + row],
        _ => 0.0,
    };
    if block.base_count > 0 {
        // Edges n ± μ t add up to a matrix in the components of the contact, in which tangents do not mix.
        let mut square = [[0.0; Block::MAX_BASES]; Block::MAX_BASES];
        for k in 1..count {
            let (mu, plus, minus) = (block.cone[k], weight(2 * k - 2), weight(2 * k - 1));
            square[0][0] += plus + minus;
            square[0][k] = mu * (plus - minus);
            square[k][0] = square[0][k];
            square[k][k] = mu * mu * (plus + minus);
        }
        factor.add_block(columns, values, count, &square);
    } else if block.kind == RowKind::Elliptic && zones[0] == Zone::Sliding {
        let mut square = [[0.0; Block::MAX_BASES]; Block::MAX_BASES];
        sliding_hessian(rows, block, &excess[all], &mut square);
        factor.add_block(columns, values, count, &square);
    } else {
        for row in 0..count {
            if zones[row] == Zone::Quadratic {
                let values = &values[row * block.width..(row + 1) * block.width];
                factor.add_outer(columns, values, weight(row));
            }
        }
    }
}
