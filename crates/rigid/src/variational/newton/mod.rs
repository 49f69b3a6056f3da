//! Semismooth Newton: balances forces under equalities, limits, motors and Coulomb's friction, all at once.
//!
//! Unknowns are the motions x of the bodies (displacements over a step, or velocities) and the multipliers λ.
//! With the unbalanced forces s(x, λ) = e(x) - Jᵀλ, values c(x) of the rows and a scale ρ they solve
//!
//! | | |
//! |---|---|
//! | bodies | s = 0 |
//! | equalities | c = 0 |
//! | limits, normals | λ = max(0, λ - ρ c) |
//! | motors | λ = λ - ρ c, but at most `most` in size |
//! | friction | λ_t = λ_t - ρ c_t, projected onto the disc of radius μ λ_n |
//!
//! The last four are piecewise smooth. Each piece is linear in (x, λ) to first order,
//!
//! dλ = d - W (∂c/∂x) dx,
//!
//! so multipliers are eliminated and a sparse system in x is left: (∂e/∂x + Jᵀ W ∂c/∂x) dx = -s + Jᵀd. A row
//! that holds has W = 1/δ with a small compliance δ: the Newton step is that of a proximal point method, it
//! exists also where rows repeat each other (four corners of a face), and multipliers stay as near to where
//! they began as they can. δ slows the end of the iteration by 1e-8 a step, and changes no solution: what is
//! zero in the end is s and c.
//!
//! Friction sticks inside of the disc, where its rows hold as equalities do, so a body at rest does not creep.
//! On the rim, with w the direction of z = λ_t - ρ c_t and a = μ λ_n/|z|,
//!
//! dλ·w = μ (λ_n + dλ_n) - λ_t·w,     (1 - a) dλ_⟂ = -λ_⟂ - a ρ (dc_t)_⟂.
//!
//! The merit is the sum of the squares of all residuals, in units of the largest impulse. Steps are halved
//! until it is below the largest of the last few; sets of pressed and sliding points change too abruptly for
//! a merit that falls in every step.

mod equations;
mod fallback;
mod piece;
mod residuals;

use super::block_lu::{BlockLu, Six};
use crate::contacts::report::VariationalResiduals;
use equations::balance;
pub(crate) use equations::{Equations, FIXED, Friction, Group, Kind, Row, Scale, Stage, mass_block};
use gedanken_math::{Cancel, Twist};
use piece::{Piece, add};
pub(crate) use piece::{six, twist};
use residuals::is_better;
pub(super) use residuals::{ContactResiduals, worst_of};

/// The most Newton steps on all unknowns. Contacts at rest need two or three, landings some six.
const MAX_QUICK_STEPS: u32 = 14;
/// The same where the residual is small already, and the residual above which they are taken.
const MAX_LAST_STEPS: u32 = 4;
const POLISHED: f64 = 1e-12;
/// Residual at which nothing more is asked for: some hundred roundings.
const FLOOR: f64 = 1e-13;
/// Residual at which the iteration ends when it no longer improves.
const ENOUGH: f64 = 1e-9;
/// Number of merits that a step is compared with.
const MEMORY: usize = 4;
/// The most halvings of a step.
const MAX_HALVINGS: u32 = 8;

/// Outcome of an iteration.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    pub(crate) residuals: VariationalResiduals,
    pub(crate) steps: u32,
}

/// Memory of the iteration.
#[derive(Debug, Default)]
pub(crate) struct Newton {
    pub(crate) x: Vec<Twist>,
    pub(crate) lambda: Vec<f64>,
    matrix: BlockLu,
    edges: Vec<[u32; 2]>,
    right: Vec<Six>,
    change: Vec<f64>,
    pieces: Vec<Piece>,
    balance: Vec<Twist>,
    scales: Vec<Scale>,
    start: (Vec<Twist>, Vec<f64>),
    best: (Vec<Twist>, Vec<f64>),
    origin: (Vec<Twist>, Vec<f64>),
    anchor: Vec<f64>,
    kinds: Vec<Kind>,
    radii: Vec<f64>,
    /// Which of the compliances is used.
    softness: usize,
}

impl Newton {
    /// Iterates from the present x and λ. They end at the best that was found.
    pub(crate) fn solve(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        cancel: &Cancel,
    ) -> Outcome {
        self.lambda.resize(equations.rows.len(), 0.0);
        stage.evaluate(&self.x, &self.lambda, equations);
        self.set_structure(equations);
        self.origin.0.clone_from(&self.x);
        self.origin.1.clone_from(&self.lambda);
        // Where something is held, a start that balances is not enough: what is left of its velocity would add
        // up over many steps to a drift. One Newton step takes it away. Lagged friction begins anew in each
        // step, and its second pass must not change forces that are right already.
        let is_lagged = |group: &Group| matches!(group.kind, Kind::Contact(Friction::Lagged(_)));
        let mut best = self.residuals(equations);
        if !equations.groups.iter().all(is_lagged) {
            best.stationarity = f64::INFINITY;
        }
        self.keep_best();
        let mut steps = self.iterate(stage, equations, &mut best, MAX_QUICK_STEPS, cancel);
        if worst_of(&best) > ENOUGH {
            steps += self.release(stage, equations, &mut best, cancel);
        }
        if worst_of(&best) > ENOUGH {
            steps += self.relax(stage, equations, &mut best, cancel);
        }
        if worst_of(&best) > ENOUGH {
            steps += self.approach(stage, equations, &mut best, cancel);
        }
        self.take_best(stage, equations);
        if (POLISHED..=ENOUGH).contains(&worst_of(&best)) {
            // Another step costs little, and momentum that is lost to residuals adds up over a run.
            steps += self.iterate(stage, equations, &mut best, MAX_LAST_STEPS, cancel);
            self.take_best(stage, equations);
        }
        if worst_of(&best).is_infinite() {
            // Nothing was better than the start, and that has residuals too.
            best = self.residuals(equations);
        }
        Outcome { residuals: best, steps }
    }

    /// Goes to the best motion that was found.
    fn take_best(&mut self, stage: &mut impl Stage, equations: &mut Equations) {
        self.x.clone_from(&self.best.0);
        self.lambda.clone_from(&self.best.1);
        stage.evaluate(&self.x, &self.lambda, equations);
    }

    /// Newton's method alone, from the present x and λ, which are near a solution or not at all.
    pub(super) fn solve_nearby(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        cancel: &Cancel,
    ) -> Outcome {
        stage.evaluate(&self.x, &self.lambda, equations);
        self.set_structure(equations);
        let mut best = self.residuals(equations);
        self.keep_best();
        let steps = self.iterate(stage, equations, &mut best, MAX_QUICK_STEPS, cancel);
        self.take_best(stage, equations);
        Outcome { residuals: best, steps }
    }

    /// The body whose forces balance least.
    pub(super) fn least_balanced(&mut self, equations: &Equations) -> Option<u32> {
        balance(equations, &self.lambda, &mut self.balance);
        let off = self.balance.iter().zip(&equations.scales);
        let off = off.map(|(s, it)| s.linear.length().max(s.angular.length() / it.size) / it.impulse);
        let mut worst: Option<(f64, u32)> = None;
        for (off, body) in off.zip(0..) {
            if worst.is_none_or(|(most, _)| off > most) {
                worst = Some((off, body));
            }
        }
        worst.map(|(_, body)| body)
    }

    /// Newton's method on motions and multipliers together, for at most so many steps; returns their number.
    fn iterate(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        best: &mut VariationalResiduals,
        most: u32,
        cancel: &Cancel,
    ) -> u32 {
        let mut merits = [f64::INFINITY; MEMORY];
        merits[0] = self.merit(equations);
        let (mut worst, mut last) = (worst_of(&self.residuals(equations)), f64::INFINITY);
        let must_step = worst_of(best).is_infinite();
        for step in 0..most {
            // The result of a cancelled step is thrown away.
            let is_done = worst <= FLOOR || (worst <= ENOUGH && worst > 0.25 * last);
            if (is_done && !(must_step && step == 0)) || cancel.is_asked() || !self.newton_step(equations) {
                return step;
            }
            last = worst;
            self.search(stage, equations, &mut merits);
            worst = self.note(stage, equations, best);
        }
        most
    }

    /// Residual of the present motion, which is kept if it is the best so far.
    fn note(&mut self, stage: &impl Stage, equations: &Equations, best: &mut VariationalResiduals) -> f64 {
        let residuals = self.residuals(equations);
        let worst = worst_of(&residuals);
        if is_better(&residuals, best) && stage.admits(&self.x) {
            *best = residuals;
            self.keep_best();
        }
        worst
    }

    fn keep_best(&mut self) {
        self.best.0.clone_from(&self.x);
        self.best.1.clone_from(&self.lambda);
    }

    fn set_structure(&mut self, equations: &Equations) {
        self.edges.clear();
        let pairs = equations.groups.iter().map(|group| group.bodies);
        let pairs = pairs.chain(equations.couplings.iter().map(|(pair, _)| *pair));
        let movable = pairs.filter(|[a, b]| *a != FIXED && *b != FIXED && a != b);
        self.edges.extend(movable.map(|[a, b]| [a.min(b), a.max(b)]));
        self.edges.sort_unstable();
        self.edges.dedup();
        self.matrix.set_structure(self.x.len(), &self.edges);
    }

    /// Makes the structure anew if a law couples bodies that it did not couple where the iteration began.
    fn widen_structure(&mut self, equations: &Equations) {
        let is_known = |pair: &[u32; 2]| {
            let [a, b] = *pair;
            a == b || self.edges.binary_search(&[a.min(b), a.max(b)]).is_ok()
        };
        if !equations.couplings.iter().all(|(pair, _)| is_known(pair)) {
            self.set_structure(equations);
        }
    }

    /// Finds dx and dλ; `false` if the matrix is singular.
    fn newton_step(&mut self, equations: &Equations) -> bool {
        self.pieces.clear();
        self.pieces.extend(
            equations.groups.iter().map(|group| Piece::of(group, equations, &self.lambda, self.softness)),
        );
        if !self.solve_linear(equations) {
            return false;
        }
        let Self { right, pieces, change, .. } = self;
        change.clear();
        change.resize(equations.rows.len(), 0.0);
        for (group, piece) in equations.groups.iter().zip(&*pieces) {
            let first = group.first as usize;
            let mut dc = [0.0; 3];
            for (dc, row) in dc.iter_mut().zip(&equations.rows[first..first + group.rows()]) {
                *dc = (0..2).fold(0.0, |sum, side| match group.bodies[side] {
                    FIXED => sum,
                    body => sum + row.slope[side].dot(twist(&right[body as usize])),
                });
            }
            for k in 0..group.rows() {
                change[first + k] = (0..3).fold(piece.d[k], |sum, j| sum - piece.w[k][j] * dc[j]);
            }
        }
        change.iter().all(|number| number.is_finite())
    }

    /// Solves for dx with the present pieces, into `right`; `false` if the matrix is singular.
    fn solve_linear(&mut self, equations: &Equations) -> bool {
        self.widen_structure(equations);
        let Self { matrix, right, pieces, .. } = self;
        balance(equations, &self.lambda, &mut self.balance);
        matrix.clear();
        right.clear();
        right.extend(self.balance.iter().map(|s| six(-*s)));
        for (body, block) in equations.diagonal.iter().enumerate() {
            *matrix.block_mut(body as u32, body as u32) = *block;
        }
        for ([i, j], block) in &equations.couplings {
            add(matrix.block_mut(*i, *j), block);
        }
        for (group, piece) in equations.groups.iter().zip(&*pieces) {
            piece.assemble(group, &equations.rows[group.first as usize..], matrix, right);
        }
        if !matrix.factor() {
            return false;
        }
        matrix.solve(right);
        right.iter().flatten().all(|number| number.is_finite())
    }

    /// Goes along the step as far as the merit allows; the whole way if nothing does.
    fn search(&mut self, stage: &mut impl Stage, equations: &mut Equations, merits: &mut [f64; MEMORY]) {
        self.start.0.clone_from(&self.x);
        self.start.1.clone_from(&self.lambda);
        let known = merits.iter().copied().filter(|merit| merit.is_finite());
        let bound = known.fold(0.0, f64::max);
        let mut part = 1.0;
        for halving in 0..=MAX_HALVINGS {
            if halving == MAX_HALVINGS {
                // No part of the way helps, so the set of pressed points must change: the whole step tells how.
                part = 1.0;
            }
            self.go(part);
            stage.evaluate(&self.x, &self.lambda, equations);
            let merit = self.merit(equations);
            if merit < bound || (halving == MAX_HALVINGS && merit.is_finite()) {
                merits.rotate_right(1);
                merits[0] = merit;
                return;
            }
            part *= 0.5;
        }
    }

    fn go(&mut self, part: f64) {
        for ((x, start), dx) in self.x.iter_mut().zip(&self.start.0).zip(&self.right) {
            *x = *start + twist(dx) * part;
        }
        for ((lambda, start), change) in self.lambda.iter_mut().zip(&self.start.1).zip(&self.change) {
            *lambda = start + change * part;
        }
    }
}
