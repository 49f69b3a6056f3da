//! Conjugate gradients, preconditioned by M (Polak and Ribière's rule, @nocedal2006, 5.2).

use super::{Problem, Solver, dot, relative};

/// The preconditioned gradients of this iteration and the last.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    scaled: Vec<f64>,
    last_scaled: Vec<f64>,
}

/// Iterations without progress after which rounding is blamed.
const MAX_STALLS: usize = 20;

impl Solver {
    /// Iterates until the certificate is good enough; returns the number of iterations.
    pub(super) fn conjugate_gradient(&mut self, problem: &Problem<'_>) -> usize {
        let mut improvement = None;
        let mut last_product = 0.0;
        let (mut least, mut stalls) = (f64::INFINITY, 0);
        self.direction.fill(0.0);
        self.direction_momentum.fill(0.0);
        for iteration in 0..problem.settings.iterations {
            self.conjugate.scaled.clone_from(&self.gradient);
            problem.factor.solve(problem.topology, &mut self.conjugate.scaled);
            let product = dot(&self.gradient, &self.conjugate.scaled);
            let error = product.max(0.0).sqrt();
            if self.is_done(problem, error, improvement) {
                return iteration;
            }
            if error < 0.9 * least {
                (least, stalls) = (error, 0);
            } else {
                stalls += 1;
            }
            // Far from the minimum it is the curvature that holds back, not rounding.
            if stalls > MAX_STALLS && relative(error, self.size(problem)) < 1e-6 {
                return iteration;
            }
            let conjugate = &mut self.conjugate;
            // How much of the last direction is kept; negative would mean to start anew.
            let kept = if iteration == 0 || last_product <= 0.0 {
                0.0
            } else {
                ((product - dot(&self.gradient, &conjugate.last_scaled)) / last_product).max(0.0)
            };
            for (direction, scaled) in self.direction.iter_mut().zip(&conjugate.scaled) {
                *direction = kept * *direction - scaled;
            }
            // M times the preconditioned gradient is the gradient.
            for (momentum, gradient) in self.direction_momentum.iter_mut().zip(&self.gradient) {
                *momentum = kept * *momentum - gradient;
            }
            if dot(&self.direction, &self.gradient) >= 0.0 {
                for (direction, scaled) in self.direction.iter_mut().zip(&conjugate.scaled) {
                    *direction = -scaled;
                }
                for (momentum, gradient) in self.direction_momentum.iter_mut().zip(&self.gradient) {
                    *momentum = -gradient;
                }
            }
            last_product = product;
            core::mem::swap(&mut conjugate.scaled, &mut conjugate.last_scaled);
            improvement = Some(self.advance(problem, false));
        }
        problem.settings.iterations
    }
}
