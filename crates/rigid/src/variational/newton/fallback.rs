//! What is done where Newton's method from the prediction fails, from the quickest to the most patient.
//!
//! | way | begins with | leads where |
//! |---|---|---|
//! | `release` | points that stick wherever they press | friction is so strong that sliding presses the more |
//! | `relax` | no friction, which then grows | points hardly slide, or friction changes which points press |
//! | `approach` | multipliers that follow from the motion | the sets of pressed and sliding points are far off |

use super::equations::{Equations, Friction, Group, Kind, Stage, largest_impulse};
use super::piece::{Piece, SOFTNESSES, twist};
use super::residuals::worst_of;
use super::{ENOUGH, MAX_QUICK_STEPS, Newton};
use crate::contacts::report::VariationalResiduals;
use gedanken_math::Cancel;

/// The same after multipliers were brought nearer by other means.
const MAX_POLISHING_STEPS: u32 = 20;
/// Rounds in which points are let go that were held by more friction than there is.
const MAX_RELEASES: u32 = 16;
/// Rounds in which the normal forces of friction are moved to those that come out, and the part of the way.
const MAX_RELAXATIONS: u32 = 48;
const RELAXATIONS: [f64; 3] = [0.5, 0.2, 0.9];
/// Times that multipliers are anchored anew, and steps for each.
const MAX_ANCHORS: u32 = 30;
const MAX_ANCHORED_STEPS: u32 = 30;
const MAX_ANCHORED_HALVINGS: u32 = 10;
/// Square of the unbalanced part of forces at which anchors are moved.
const ANCHORED_MERIT: f64 = 1e-22;
/// Stiffness of anchored rows in units of the bodies': at first, its growth per anchor, and the largest.
const FIRST_STIFFNESS: f64 = 30.0;
const STIFFNESS_GROWTH: f64 = 4.0;
const MAX_STIFFNESS: f64 = 1e7;
/// Multiples of the stiffness of sliding that are tried in turn. A point that slides by a millionth of what its
/// friction could move it by is all but stuck: with ρ = 1/K its force nearly determines the direction, and
/// Newton's method turns it by small angles only; a larger ρ lets the displacement decide.
const STRETCHES: [f64; 4] = [1.0, 1e2, 1e4, 1e6];

impl Newton {
    /// Goes back to where the iteration began; returns the kinds of the groups, which are about to be changed.
    fn begin_again(&mut self, equations: &Equations) -> Vec<Kind> {
        self.x.clone_from(&self.origin.0);
        self.lambda.clone_from(&self.origin.1);
        let mut kinds = std::mem::take(&mut self.kinds);
        kinds.clear();
        kinds.extend(equations.groups.iter().map(|group| group.kind));
        kinds
    }

    /// Begins with points that stick wherever they press, and lets go those that need more friction than there
    /// is. Where friction is so strong that a sliding point would be pressed the more the more it slides (a
    /// rod that is dragged, chalk on a board), only this side leads to the solution.
    pub(super) fn release(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        best: &mut VariationalResiduals,
        cancel: &Cancel,
    ) -> u32 {
        let kinds = self.begin_again(equations);
        for group in &mut equations.groups {
            if matches!(group.kind, Kind::Contact(Friction::Coupled(mu)) if mu > 0.0) {
                group.kind = Kind::Contact(Friction::Unbounded);
            }
        }
        stage.evaluate(&self.x, &self.lambda, equations);
        let mut steps = 0;
        for _ in 0..MAX_RELEASES {
            // Nothing of this counts: it solves another problem.
            let mut other = self.residuals(equations);
            let kept = std::mem::take(&mut self.best);
            steps += self.iterate(stage, equations, &mut other, MAX_QUICK_STEPS, cancel);
            self.best = kept;
            if cancel.is_asked() || !self.let_go(equations, &kinds) {
                break;
            }
        }
        for (group, kind) in equations.groups.iter_mut().zip(&kinds) {
            group.kind = *kind;
        }
        self.kinds = kinds;
        self.note(stage, equations, best);
        steps += self.iterate(stage, equations, best, MAX_QUICK_STEPS, cancel);
        steps
    }

    /// Begins without friction, and lets its bounds grow towards those that it should have, which for coupled
    /// friction follow from the normal forces that come out. Each of these problems is far better behaved than
    /// the coupled one, which Newton's method then ends. Should nothing end it, the best of them is feasible and
    /// in balance, and friction alone is not what it should be.
    pub(super) fn relax(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        best: &mut VariationalResiduals,
        cancel: &Cancel,
    ) -> u32 {
        let rubs = |group: &Group| match group.kind {
            Kind::Contact(Friction::Coupled(bound) | Friction::Lagged(bound)) => bound > 0.0,
            _ => false,
        };
        if !equations.groups.iter().any(rubs) {
            return 0;
        }
        let kinds = self.begin_again(equations);
        self.radii.clear();
        self.radii.resize(kinds.len(), 0.0);
        let mut steps = 0;
        for round in 0..MAX_RELAXATIONS {
            let part = RELAXATIONS[(round * RELAXATIONS.len() as u32 / MAX_RELAXATIONS) as usize];
            for (group, radius) in equations.groups.iter_mut().zip(&self.radii) {
                if let Kind::Contact(_) = group.kind {
                    group.kind = Kind::Contact(Friction::Lagged(*radius));
                }
            }
            stage.evaluate(&self.x, &self.lambda, equations);
            let mut other = self.residuals(equations);
            let kept = std::mem::take(&mut self.best);
            self.keep_best();
            steps += self.iterate(stage, equations, &mut other, MAX_QUICK_STEPS, cancel);
            let found = std::mem::replace(&mut self.best, kept);
            for ((group, kind), radius) in equations.groups.iter_mut().zip(&kinds).zip(&mut self.radii) {
                let wanted = match kind {
                    Kind::Contact(Friction::Coupled(mu)) => mu * found.1[group.first as usize].max(0.0),
                    Kind::Contact(Friction::Lagged(radius)) => *radius,
                    _ => 0.0,
                };
                *radius += part * (wanted - *radius);
                group.kind = *kind;
            }
            self.x.clone_from(&found.0);
            self.lambda.clone_from(&found.1);
            stage.evaluate(&self.x, &self.lambda, equations);
            self.note(stage, equations, best);
            steps += self.polish(stage, equations, best, round, cancel);
            if worst_of(best) <= ENOUGH || cancel.is_asked() {
                break;
            }
            self.x.clone_from(&found.0);
            self.lambda.clone_from(&found.1);
        }
        self.kinds = kinds;
        steps
    }

    /// Newton's method on all unknowns from a start that is near, with another stretch in each round.
    fn polish(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        best: &mut VariationalResiduals,
        round: u32,
        cancel: &Cancel,
    ) -> u32 {
        let stretch = STRETCHES[round as usize % STRETCHES.len()];
        equations.groups.iter_mut().for_each(|group| group.stretch = stretch);
        let steps = self.iterate(stage, equations, best, MAX_POLISHING_STEPS, cancel);
        equations.groups.iter_mut().for_each(|group| group.stretch = 1.0);
        steps
    }

    /// Lets go the points that need the most friction beyond what there is; `false` if there are none.
    fn let_go(&mut self, equations: &mut Equations, kinds: &[Kind]) -> bool {
        let excess = |group: &Group, kind: &Kind, lambda: &[f64]| {
            let (Kind::Contact(Friction::Unbounded), Kind::Contact(Friction::Coupled(mu))) =
                (group.kind, kind)
            else {
                return 0.0;
            };
            let [n, x, y] = [0, 1, 2].map(|k| lambda[group.first as usize + k]);
            (x * x + y * y).sqrt() - mu * n.max(0.0)
        };
        let all = equations.groups.iter().zip(kinds);
        let most = all.fold(0.0f64, |most, (group, kind)| most.max(excess(group, kind, &self.lambda)));
        if most <= 1e-12 * largest_impulse(equations, &self.lambda) {
            return false;
        }
        for (group, kind) in equations.groups.iter_mut().zip(kinds) {
            if excess(group, kind, &self.lambda) > 0.5 * most {
                group.kind = *kind;
            }
        }
        true
    }

    /// The method of multipliers, from where the iteration began: multipliers follow from the motion and from
    /// anchors, which are moved to them again and again. It is slow and hardly ever fails; as soon as the sets
    /// of pressed and sliding points are right, Newton's method on all unknowns ends it.
    pub(super) fn approach(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        best: &mut VariationalResiduals,
        cancel: &Cancel,
    ) -> u32 {
        self.x.clone_from(&self.origin.0);
        self.anchor.clone_from(&self.origin.1);
        let (mut steps, mut stiffness) = (0, FIRST_STIFFNESS);
        for anchor in 0..MAX_ANCHORS {
            self.softness = anchor as usize % SOFTNESSES;
            steps += self.balance_anchored(stage, equations, stiffness, cancel);
            self.note(stage, equations, best);
            self.anchor.clone_from(&self.lambda);
            self.origin.0.clone_from(&self.x);
            steps += self.polish(stage, equations, best, anchor, cancel);
            if worst_of(best) <= ENOUGH || cancel.is_asked() {
                break;
            }
            self.x.clone_from(&self.origin.0);
            stiffness = (stiffness * STIFFNESS_GROWTH).min(MAX_STIFFNESS);
        }
        self.softness = 0;
        steps
    }

    /// Finds the motion at which forces balance, with multipliers that follow from it and from the anchors.
    fn balance_anchored(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        stiffness: f64,
        cancel: &Cancel,
    ) -> u32 {
        let mut merit = self.anchored_merit(stage, equations, stiffness);
        for step in 0..MAX_ANCHORED_STEPS {
            if merit <= ANCHORED_MERIT || cancel.is_asked() {
                return step;
            }
            self.pieces.clear();
            let pieces = equations.groups.iter();
            self.pieces
                .extend(pieces.map(|group| Piece::anchored(group, equations, &self.anchor, stiffness).1));
            if !self.solve_linear(equations) {
                return step;
            }
            self.start.0.clone_from(&self.x);
            let mut part = 1.0;
            let mut found = f64::INFINITY;
            for _ in 0..=MAX_ANCHORED_HALVINGS {
                for ((x, start), dx) in self.x.iter_mut().zip(&self.start.0).zip(&self.right) {
                    *x = *start + twist(dx) * part;
                }
                found = self.anchored_merit(stage, equations, stiffness);
                if found < merit * (1.0 - 1e-4 * part) {
                    break;
                }
                part *= 0.5;
            }
            if !found.is_finite() {
                self.x.clone_from(&self.start.0);
                self.anchored_merit(stage, equations, stiffness);
                return step;
            }
            merit = found;
        }
        MAX_ANCHORED_STEPS
    }

    /// Evaluates all at x with anchored multipliers; the sum of the squares of unbalanced forces.
    fn anchored_merit(&mut self, stage: &mut impl Stage, equations: &mut Equations, stiffness: f64) -> f64 {
        stage.evaluate(&self.x, &self.lambda, equations);
        for group in &equations.groups {
            let (first, rows) = (group.first as usize, group.rows());
            let (lambda, _) = Piece::anchored(group, equations, &self.anchor, stiffness);
            self.lambda[first..first + rows].copy_from_slice(&lambda[..rows]);
        }
        self.unbalanced_squares(equations)
    }
}
