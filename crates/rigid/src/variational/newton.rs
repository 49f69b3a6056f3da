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

use super::block_lu::{Block, BlockLu, Six};
use crate::contacts::report::VariationalResiduals;
use gedanken_math::{Cancel, Twist, Vec3};

/// In the place of a body that does not move by forces.
pub(super) const FIXED: u32 = u32::MAX;
/// Compliances of rows that hold, as parts of the compliance of the bodies. The first one leaves an iteration
/// as fast as Newton's; the others help where points that hardly slide nearly repeat each other.
const COMPLIANCES: [f64; 3] = [1e-8, 1e-5, 1e-3];
/// The most Newton steps on all unknowns. Contacts at rest need two or three, landings some six.
const MAX_QUICK_STEPS: u32 = 14;
/// The same after multipliers were brought nearer by other means.
const MAX_POLISHING_STEPS: u32 = 20;
/// The same where the residual is small already, and the residual above which they are taken.
const MAX_LAST_STEPS: u32 = 4;
const POLISHED: f64 = 1e-12;
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
/// Residual at which nothing more is asked for: some hundred roundings.
const FLOOR: f64 = 1e-13;
/// Residual at which the iteration ends when it no longer improves.
const ENOUGH: f64 = 1e-9;
/// Friction nearer to the rim of its disc than this part of the radius is on the rim.
const RIM: f64 = 1e-9;
/// Weight of the residual of friction among the others, where no step is good enough.
const FRICTION_WEIGHT: f64 = 1e-4;
/// Number of merits that a step is compared with.
const MEMORY: usize = 4;
/// The most halvings of a step.
const MAX_HALVINGS: u32 = 8;

/// Kind of a group of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Kind {
    /// c = 0.
    Equal,
    /// c ≥ 0.
    AtLeast,
    /// c = 0 with |λ| at most this.
    Driven(f64),
    /// Three rows: c_n ≥ 0, and friction across.
    Contact(Friction),
}

/// Radius of the disc of friction impulses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Friction {
    /// μ λ_n.
    Coupled(f64),
    /// A given number, N·s.
    Lagged(f64),
    /// Any: pressed points do not slide.
    Unbounded,
}

/// One or three rows between the same bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Group {
    pub(super) kind: Kind,
    /// Places of the bodies, or [`FIXED`].
    pub(super) bodies: [u32; 2],
    /// The first of its rows.
    pub(super) first: u32,
    /// Size of the bodies, m: residuals of feasibility are parts of it.
    pub(super) size: f64,
    /// 1/K of the normal row and of the others: the impulse that moves the value by one.
    pub(super) stiffness: [f64; 2],
    /// Multiple of the stiffness with which sliding counts while the iteration runs. Residuals take 1.
    pub(super) stretch: f64,
}

impl Group {
    /// The group as residuals see it.
    fn unstretched(&self) -> Self {
        Self { stretch: 1.0, ..*self }
    }

    /// ρ of the rows of friction.
    fn sliding_stiffness(&self) -> f64 {
        self.stiffness[1] * self.stretch
    }

    fn rows(&self) -> usize {
        if matches!(self.kind, Kind::Contact(_)) { 3 } else { 1 }
    }
}

/// One row.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Row {
    /// J: impulses on both bodies per λ.
    pub(super) force: [Twist; 2],
    /// ∂c/∂x.
    pub(super) slope: [Twist; 2],
    /// c.
    pub(super) value: f64,
}

/// Units in which the balance of a body is judged.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Scale {
    /// An impulse, N·s.
    pub(super) impulse: f64,
    /// A length, m.
    pub(super) size: f64,
}

/// The equations at a motion.
#[derive(Debug, Default)]
pub(super) struct Equations {
    /// e(x), by body.
    pub(super) unbalanced: Vec<Twist>,
    /// ∂e/∂x on the diagonal, by body.
    pub(super) diagonal: Vec<Block>,
    /// ∂e_i/∂x_j of laws that couple bodies.
    pub(super) couplings: Vec<([u32; 2], Block)>,
    /// Groups of rows; their structure is fixed while an iteration runs.
    pub(super) groups: Vec<Group>,
    pub(super) rows: Vec<Row>,
    pub(super) scales: Vec<Scale>,
}

/// Something that Newton's method can be applied to.
pub(super) trait Stage {
    /// Computes e, ∂e/∂x and all rows at x; multipliers are there for their share in ∂(Jᵀλ)/∂x.
    fn evaluate(&mut self, x: &[Twist], lambda: &[f64], equations: &mut Equations);

    /// Returns `true` if motions as large as these can be a solution.
    fn admits(&self, _x: &[Twist]) -> bool {
        true
    }
}

/// Outcome of an iteration.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) residuals: VariationalResiduals,
    pub(super) steps: u32,
}

/// Memory of the iteration.
#[derive(Debug, Default)]
pub(super) struct Newton {
    pub(super) x: Vec<Twist>,
    pub(super) lambda: Vec<f64>,
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

/// The linear piece of a group: dλ = d - W dc.
#[derive(Debug, Clone, Copy)]
struct Piece {
    d: [f64; 3],
    w: [[f64; 3]; 3],
}

impl Newton {
    /// Iterates from the present x and λ. They end at the best that was found.
    pub(super) fn solve(
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
        let mut best = self.residuals(equations);
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
        for step in 0..most {
            // The result of a cancelled step is thrown away.
            let is_done = worst <= FLOOR || (worst <= ENOUGH && worst > 0.25 * last);
            if is_done || cancel.is_asked() || !self.newton_step(equations) {
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

    /// Begins with points that stick wherever they press, and lets go those that need more friction than there
    /// is. Where friction is so strong that a sliding point would be pressed the more the more it slides (a
    /// rod that is dragged, chalk on a board), only this side leads to the solution.
    fn release(
        &mut self,
        stage: &mut impl Stage,
        equations: &mut Equations,
        best: &mut VariationalResiduals,
        cancel: &Cancel,
    ) -> u32 {
        let mut kinds = std::mem::take(&mut self.kinds);
        kinds.clear();
        kinds.extend(equations.groups.iter().map(|group| group.kind));
        for group in &mut equations.groups {
            if matches!(group.kind, Kind::Contact(Friction::Coupled(mu)) if mu > 0.0) {
                group.kind = Kind::Contact(Friction::Unbounded);
            }
        }
        self.x.clone_from(&self.origin.0);
        self.lambda.clone_from(&self.origin.1);
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
    fn relax(
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
        let mut kinds = std::mem::take(&mut self.kinds);
        kinds.clear();
        kinds.extend(equations.groups.iter().map(|group| group.kind));
        self.x.clone_from(&self.origin.0);
        self.lambda.clone_from(&self.origin.1);
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
    fn approach(
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
            self.softness = anchor as usize % COMPLIANCES.len();
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
        let compliance = COMPLIANCES[self.softness];
        self.pieces.clear();
        self.pieces.extend(
            equations.groups.iter().map(|group| Piece::of(group, equations, &self.lambda, compliance)),
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

    /// Takes the balance of forces, and the scales by which it is judged: those of the bodies, or the largest
    /// impulse on them.
    fn weigh(&mut self, equations: &Equations) {
        balance(equations, &self.lambda, &mut self.balance);
        self.scales.clone_from(&equations.scales);
        for group in &equations.groups {
            let pressed = self.lambda[group.first as usize].abs();
            for &body in group.bodies.iter().filter(|body| **body != FIXED) {
                let impulse = &mut self.scales[body as usize].impulse;
                *impulse = impulse.max(pressed);
            }
        }
    }

    /// Sum of the squares of unbalanced forces, in units of the bodies.
    fn unbalanced_squares(&mut self, equations: &Equations) -> f64 {
        self.weigh(equations);
        let bodies = self.balance.iter().zip(&self.scales).map(|(s, scale)| {
            (s.linear.length_squared() + s.angular.length_squared() / (scale.size * scale.size))
                / (scale.impulse * scale.impulse)
        });
        bodies.fold(0.0, |sum, square| sum + square)
    }

    /// Sum of the squares of all residuals.
    fn merit(&mut self, equations: &Equations) -> f64 {
        let bodies = self.unbalanced_squares(equations);
        let unit = largest_impulse(equations, &self.lambda);
        let rows = equations.groups.iter().map(|group| {
            let off = deviation(group, equations, &self.lambda);
            off.iter().fold(0.0, |sum, x| sum + x * x) / (unit * unit)
        });
        rows.fold(bodies, |sum, square| sum + square)
    }

    /// The four residuals at the present motion.
    fn residuals(&mut self, equations: &Equations) -> VariationalResiduals {
        self.weigh(equations);
        let unit = largest_impulse(equations, &self.lambda);
        let mut all = VariationalResiduals::default();
        for (s, scale) in self.balance.iter().zip(&self.scales) {
            let off = s.linear.length().max(s.angular.length() / scale.size) / scale.impulse;
            all.stationarity = larger(all.stationarity, off);
        }
        for group in &equations.groups {
            let first = group.first as usize;
            let (value, lambda) = (equations.rows[first].value / group.size, self.lambda[first] / unit);
            match group.kind {
                Kind::Equal => all.feasibility = larger(all.feasibility, value.abs()),
                Kind::Driven(_) => {
                    let off = deviation(group, equations, &self.lambda)[0] / unit;
                    all.complementarity = larger(all.complementarity, off.abs());
                }
                Kind::AtLeast | Kind::Contact(_) => {
                    all.feasibility = larger(all.feasibility, -value);
                    all.complementarity = larger(all.complementarity, lambda.min(value).abs());
                }
            }
            if let Kind::Contact(_) = group.kind {
                let [_, x, y] = deviation(&group.unstretched(), equations, &self.lambda);
                all.friction = larger(all.friction, (x * x + y * y).sqrt() / unit);
            }
        }
        all
    }
}

/// How well Signorini's and Coulomb's laws hold at the contact points, as speeds.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ContactResiduals {
    pub(super) signorini: f64,
    pub(super) cone: f64,
    pub(super) dissipation: f64,
}

impl ContactResiduals {
    /// The residuals of all contacts; values of rows are displacements over this time, in s, or velocities
    /// with a time of 1.
    pub(super) fn of(equations: &Equations, lambda: &[f64], time: f64) -> Self {
        let mut all = Self::default();
        for group in &equations.groups {
            let Kind::Contact(friction) = group.kind else { continue };
            let first = group.first as usize;
            // Stiffnesses are masses over the time of the rows.
            let [normal_mass, tangent_mass] = group.stiffness.map(|stiffness| stiffness * time);
            let [unfit, _, _] = deviation(group, equations, lambda);
            all.signorini = larger(all.signorini, unfit.abs() / normal_mass);
            let (_, radius) = tangential(group, friction, equations, lambda);
            let rub = [lambda[first + 1], lambda[first + 2]];
            let slide = [1, 2].map(|k| equations.rows[first + k].value / time);
            let [size, speed] = [rub, slide].map(|[x, y]| (x * x + y * y).sqrt());
            all.cone = larger(all.cone, (size - radius).max(0.0) / tangent_mass);
            let unopposed = if lambda[first] <= 0.0 || radius == 0.0 {
                0.0
            } else if size < radius * (1.0 - RIM) || size == 0.0 {
                speed
            } else {
                let [x, y] = [0, 1].map(|k| slide[k] + speed * rub[k] / size);
                (x * x + y * y).sqrt()
            };
            all.dissipation = larger(all.dissipation, unopposed);
        }
        all
    }
}

/// The larger number; NaN if one is.
fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b > a || b.is_nan() { if a.is_nan() { a } else { b } } else { a }
}

pub(super) fn worst_of(residuals: &VariationalResiduals) -> f64 {
    let VariationalResiduals { stationarity, feasibility, complementarity, friction } = *residuals;
    [feasibility, complementarity, friction].into_iter().fold(stationarity, larger)
}

/// Returns `true` if a step with the first residuals is to be preferred. Where none is good enough, bodies that
/// overlap, hover or are pushed by nothing are worse than friction that is not quite Coulomb's.
fn is_better(one: &VariationalResiduals, two: &VariationalResiduals) -> bool {
    let key = |it: &VariationalResiduals| {
        let worst = worst_of(it);
        if worst <= ENOUGH {
            worst
        } else {
            worst_of(&VariationalResiduals { friction: FRICTION_WEIGHT * it.friction, ..*it }).max(ENOUGH)
        }
    };
    let (one, two) = (key(one), key(two));
    one < two || (two.is_nan() && !one.is_nan())
}

fn largest_impulse(equations: &Equations, lambda: &[f64]) -> f64 {
    let scales = equations.scales.iter().map(|scale| scale.impulse);
    let normals = equations.groups.iter().map(|group| lambda[group.first as usize].abs());
    scales.chain(normals).fold(f64::MIN_POSITIVE, f64::max)
}

/// s = e - Jᵀλ.
fn balance(equations: &Equations, lambda: &[f64], out: &mut Vec<Twist>) {
    out.clone_from(&equations.unbalanced);
    for group in &equations.groups {
        let first = group.first as usize;
        for (row, &lambda) in equations.rows[first..first + group.rows()].iter().zip(&lambda[first..]) {
            for side in 0..2 {
                if group.bodies[side] != FIXED {
                    out[group.bodies[side] as usize] -= row.force[side] * lambda;
                }
            }
        }
    }
}

/// Friction of a contact: z = λ_t - ρ c_t, and the radius of the disc.
fn tangential(group: &Group, friction: Friction, equations: &Equations, lambda: &[f64]) -> ([f64; 2], f64) {
    let (first, rho) = (group.first as usize, group.sliding_stiffness());
    let z = [1, 2].map(|k| lambda[first + k] - rho * equations.rows[first + k].value);
    let radius = match friction {
        Friction::Coupled(mu) => mu * lambda[first].max(0.0),
        Friction::Lagged(radius) => radius,
        Friction::Unbounded => {
            let holds = lambda[first] - group.stiffness[0] * equations.rows[first].value > 0.0;
            if holds { f64::INFINITY } else { 0.0 }
        }
    };
    (z, radius)
}

/// Differences between the multipliers of a group and what the conditions ask for, N·s.
fn deviation(group: &Group, equations: &Equations, lambda: &[f64]) -> [f64; 3] {
    let first = group.first as usize;
    let (rho, value) = (group.stiffness[0], equations.rows[first].value);
    let pressed = lambda[first] - (lambda[first] - rho * value).max(0.0);
    match group.kind {
        Kind::Equal => [rho * value, 0.0, 0.0],
        Kind::AtLeast => [pressed, 0.0, 0.0],
        Kind::Driven(most) => [lambda[first] - (lambda[first] - rho * value).clamp(-most, most), 0.0, 0.0],
        Kind::Contact(friction) => {
            let (z, radius) = tangential(group, friction, equations, lambda);
            let length = (z[0] * z[0] + z[1] * z[1]).sqrt();
            let part = if length > radius { radius / length } else { 1.0 };
            [pressed, lambda[first + 1] - z[0] * part, lambda[first + 2] - z[1] * part]
        }
    }
}

impl Piece {
    const NOTHING: Self = Self { d: [0.0; 3], w: [[0.0; 3]; 3] };

    fn of(group: &Group, equations: &Equations, lambda: &[f64], compliance: f64) -> Self {
        let first = group.first as usize;
        let (rho, value, pressed) = (group.stiffness[0], equations.rows[first].value, lambda[first]);
        let hold = rho / compliance;
        let mut piece = Self::NOTHING;
        let holds = match group.kind {
            Kind::Equal => true,
            Kind::AtLeast | Kind::Contact(_) => pressed - rho * value > 0.0,
            Kind::Driven(most) => {
                let wanted = pressed - rho * value;
                piece.d[0] = wanted.clamp(-most, most) - pressed;
                wanted.abs() < most
            }
        };
        if holds {
            (piece.d[0], piece.w[0][0]) = (-hold * value, hold);
        } else if matches!(group.kind, Kind::AtLeast | Kind::Contact(_)) {
            piece.d[0] = -pressed;
        }
        let Kind::Contact(friction) = group.kind else { return piece };
        let sliding = [lambda[first + 1], lambda[first + 2]];
        let coupled = matches!(friction, Friction::Coupled(_) | Friction::Unbounded);
        if !holds && coupled {
            (piece.d[1], piece.d[2]) = (-sliding[0], -sliding[1]);
            return piece;
        }
        let (z, radius) = tangential(group, friction, equations, lambda);
        piece.rub(group, equations, sliding, (z, radius), friction, compliance);
        piece
    }

    /// Multipliers of a group that follow from its values and from anchors, and their piece: dλ = -W dc.
    fn anchored(group: &Group, equations: &Equations, anchor: &[f64], stiffness: f64) -> ([f64; 3], Self) {
        let first = group.first as usize;
        let mut piece = Self::NOTHING;
        let mut lambda = [0.0; 3];
        let rho = group.stiffness.map(|rho| rho * stiffness);
        let wanted = anchor[first] - rho[0] * equations.rows[first].value;
        let holds = match group.kind {
            Kind::Equal => true,
            Kind::AtLeast | Kind::Contact(_) => wanted > 0.0,
            Kind::Driven(most) => wanted.abs() < most,
        };
        lambda[0] = match group.kind {
            Kind::Equal => wanted,
            Kind::AtLeast | Kind::Contact(_) => wanted.max(0.0),
            Kind::Driven(most) => wanted.clamp(-most, most),
        };
        piece.w[0][0] = if holds { rho[0] } else { 0.0 };
        let Kind::Contact(friction) = group.kind else { return (lambda, piece) };
        let radius = match friction {
            Friction::Coupled(mu) => mu * lambda[0],
            Friction::Lagged(radius) => radius,
            Friction::Unbounded => {
                if holds {
                    f64::INFINITY
                } else {
                    0.0
                }
            }
        };
        let z = [1, 2].map(|k| anchor[first + k] - rho[1] * equations.rows[first + k].value);
        let length = (z[0] * z[0] + z[1] * z[1]).sqrt();
        if length <= radius {
            (lambda[1], lambda[2]) = (z[0], z[1]);
            (piece.w[1][1], piece.w[2][2]) = (rho[1], rho[1]);
            return (lambda, piece);
        }
        let w = [z[0] / length, z[1] / length];
        let p = [-w[1], w[0]];
        for k in 0..2 {
            lambda[k + 1] = radius * w[k];
            if let Friction::Coupled(mu) = friction {
                piece.w[k + 1][0] = mu * piece.w[0][0] * w[k];
            }
            for j in 0..2 {
                piece.w[k + 1][j + 1] = rho[1] * radius / length * p[k] * p[j];
            }
        }
        (lambda, piece)
    }

    /// Fills in the rows of friction.
    fn rub(
        &mut self,
        group: &Group,
        equations: &Equations,
        lambda: [f64; 2],
        (z, radius): ([f64; 2], f64),
        friction: Friction,
        compliance: f64,
    ) {
        let (first, rho) = (group.first as usize, group.sliding_stiffness());
        let hold = group.stiffness[1] / compliance;
        let length = (z[0] * z[0] + z[1] * z[1]).sqrt();
        // A new contact has no normal force yet: what does not slide sticks.
        let is_new = length == 0.0 && matches!(friction, Friction::Coupled(mu) if mu > 0.0);
        if length < radius || is_new {
            for k in 0..2 {
                self.d[k + 1] = -hold * equations.rows[first + k + 1].value;
                self.w[k + 1][k + 1] = hold;
            }
            return;
        }
        if length == 0.0 {
            (self.d[1], self.d[2]) = (-lambda[0], -lambda[1]);
            return;
        }
        let (w, p) = ([z[0] / length, z[1] / length], [-z[1] / length, z[0] / length]);
        let a = radius / length;
        let along = lambda[0] * w[0] + lambda[1] * w[1];
        let across = lambda[0] * p[0] + lambda[1] * p[1];
        let mut d_along = radius - along;
        if let Friction::Coupled(mu) = friction {
            d_along += mu * self.d[0];
            let pressed = mu * self.w[0][0];
            (self.w[1][0], self.w[2][0]) = (pressed * w[0], pressed * w[1]);
        }
        // At the rim of the disc 1 - a is zero, and friction holds across as if it stuck.
        let rest = (1.0 - a).max(compliance);
        let d_across = -across / rest;
        let stiff = a * rho / rest;
        for k in 0..2 {
            self.d[k + 1] = d_along * w[k] + d_across * p[k];
            for j in 0..2 {
                self.w[k + 1][j + 1] = stiff * p[k] * p[j];
            }
        }
    }

    /// Adds Jᵀ W ∂c/∂x to the matrix and Jᵀd to the right-hand side.
    fn assemble(&self, group: &Group, rows: &[Row], matrix: &mut BlockLu, right: &mut [Six]) {
        let count = group.rows();
        let any = self.w[..count].iter().flatten().any(|w| *w != 0.0);
        for (side, &i) in group.bodies.iter().enumerate().filter(|(_, body)| **body != FIXED) {
            let push = (0..count).fold(Twist::ZERO, |sum, k| sum + rows[k].force[side] * self.d[k]);
            right[i as usize].iter_mut().zip(six(push)).for_each(|(right, push)| *right += push);
            if !any {
                continue;
            }
            for (other, &j) in group.bodies.iter().enumerate().filter(|(_, body)| **body != FIXED) {
                let block = matrix.block_mut(i, j);
                for k in 0..count {
                    let slope =
                        (0..count).fold(Twist::ZERO, |sum, l| sum + rows[l].slope[other] * self.w[k][l]);
                    add_outer(block, six(rows[k].force[side]), six(slope));
                }
            }
        }
    }
}

/// The six numbers of a twist.
pub(super) fn six(twist: Twist) -> Six {
    let (l, a) = (twist.linear, twist.angular);
    [l.x, l.y, l.z, a.x, a.y, a.z]
}

/// A twist from its six numbers.
pub(super) fn twist(six: &Six) -> Twist {
    Twist::new(Vec3::new(six[0], six[1], six[2]), Vec3::new(six[3], six[4], six[5]))
}

fn add(block: &mut Block, other: &Block) {
    block.iter_mut().zip(other).for_each(|(mine, theirs)| *mine += theirs);
}

fn add_outer(block: &mut Block, u: Six, v: Six) {
    for i in 0..6 {
        for j in 0..6 {
            block[i * 6 + j] += u[i] * v[j];
        }
    }
}
