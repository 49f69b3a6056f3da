//! The minimum of the cost along a direction.
//!
//! Along a line the cost is convex with a continuous derivative, which is piecewise linear but for sliding
//! elliptic contacts. The exact search finds the zero of the derivative by Newton's method inside a bracket;
//! on piecewise linear ones it ends after finitely many steps at the zero itself. Armijo's search halves the
//! step until the cost falls by a share of what the slope promises (@nocedal2006, 3.1).

use super::cost;
use crate::constraints::rows::{RowKind, Rows};

/// Maximum number of evaluations of the exact search. Bisection alone would need 60.
const MAX_EVALUATIONS: usize = 80;
/// Derivative, relative to that at the start, at which the exact search ends for Newton's method.
pub(super) const FLAT: f64 = 1e-10;
/// The same for conjugate gradients, which gain nothing by more: a pile of 500 balls takes 116.0 iterations a
/// step with 1e-3 and 115.9 with 1e-10, and the search 8 instead of 22 % of the time.
pub(super) const NEARLY_FLAT: f64 = 1e-3;
/// Share of the promised decrease that Armijo's search accepts.
const ARMIJO_SHARE: f64 = 1e-4;
/// Maximum number of halvings.
const MAX_HALVINGS: usize = 50;

/// Blocks whose cost is not one parabola along the line, beside those at the end that push only.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    curved: Vec<usize>,
}

/// The cost along a direction.
pub struct Line<'a> {
    /// Rows of constraints.
    pub rows: &'a Rows,
    /// J a − a_ref at the start.
    pub excess: &'a [f64],
    /// J p.
    pub slope: &'a [f64],
    /// pᵀ (M a − τ).
    pub linear: f64,
    /// pᵀ M p.
    pub quadratic: f64,
}

impl Line<'_> {
    /// Adds up what is one parabola, and lists the other blocks.
    fn prepare(&self, workspace: &mut Workspace) -> [f64; 2] {
        workspace.curved.clear();
        let mut parabola = [self.linear, self.quadratic];
        for (number, block) in self.rows.blocks[..self.rows.before_pushing[0]].iter().enumerate() {
            let slopes = &self.slope[block.first..block.first + block.count];
            if slopes.iter().all(|slope| *slope == 0.0) {
                continue;
            }
            if block.kind == RowKind::Equality {
                let [first, second] = cost::along(self.rows, block, self.excess, self.slope, 0.0);
                parabola[0] += first;
                parabola[1] += second;
            } else {
                workspace.curved.push(number);
            }
        }
        parabola
    }

    /// First and second derivative at `alpha`.
    fn derivatives(&self, parabola: [f64; 2], workspace: &Workspace, alpha: f64) -> [f64; 2] {
        let first = self.rows.before_pushing[1];
        let [one, two] = cost::pushing_along(self.rows, first, self.excess, self.slope, alpha);
        let mut found = [parabola[0] + alpha * parabola[1] + one, parabola[1] + two];
        for &number in &workspace.curved {
            let block = &self.rows.blocks[number];
            let [first, second] = cost::along(self.rows, block, self.excess, self.slope, alpha);
            found[0] += first;
            found[1] += second;
        }
        found
    }

    /// Returns the step to the minimum, where the derivative is `flat` times that at the start; zero if the cost
    /// does not fall.
    pub fn exact(&self, workspace: &mut Workspace, flat: f64) -> f64 {
        let parabola = self.prepare(workspace);
        let [start, curvature] = self.derivatives(parabola, workspace, 0.0);
        if !(start < 0.0 && curvature > 0.0) {
            return 0.0;
        }
        let goal = flat * -start;
        let (mut low, mut high) = (0.0, f64::INFINITY);
        let mut alpha = -start / curvature;
        for _ in 0..MAX_EVALUATIONS {
            let [slope, curvature] = self.derivatives(parabola, workspace, alpha);
            if slope.abs() <= goal {
                return alpha;
            }
            if slope < 0.0 {
                low = alpha;
            } else {
                high = alpha;
            }
            let newton = alpha - slope / curvature;
            alpha = if newton > low && newton < high {
                newton
            } else if high.is_finite() {
                0.5 * (low + high)
            } else {
                2.0 * low
            };
            if alpha == low || alpha == high {
                break;
            }
        }
        // Neighbouring numbers: no step between them is better.
        if low > 0.0 { low } else { alpha }
    }

    /// Returns a step along which the cost falls as its slope promises; zero if there is none.
    pub fn armijo(&self, workspace: &mut Workspace) -> f64 {
        let parabola = self.prepare(workspace);
        let [start, curvature] = self.derivatives(parabola, workspace, 0.0);
        if !(start < 0.0 && curvature > 0.0) {
            return 0.0;
        }
        // The full step of the local parabola; the cost is compared through its derivative's integral.
        let mut alpha = (-start / curvature).max(1.0);
        for _ in 0..MAX_HALVINGS {
            if self.change(parabola, workspace, alpha) <= ARMIJO_SHARE * alpha * start {
                return alpha;
            }
            alpha *= 0.5;
        }
        0.0
    }

    /// Change of the cost over a step.
    fn change(&self, parabola: [f64; 2], workspace: &Workspace, alpha: f64) -> f64 {
        let first = self.rows.before_pushing[1];
        let mut change = alpha * (parabola[0] + 0.5 * alpha * parabola[1]);
        change += cost::pushing_change(self.rows, first, self.excess, self.slope, alpha);
        for &number in &workspace.curved {
            let block = &self.rows.blocks[number];
            change += cost::change(self.rows, block, self.excess, self.slope, alpha);
        }
        change
    }
}
