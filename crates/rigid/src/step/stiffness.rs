//! Stiffness: how fast the laws of a world would move its bodies to and fro, or stop them, against the length of
//! a step.
//!
//! Laws tell the slopes of their forces by places, P, and by velocities, D. The largest eigenvalue of -M⁻¹P is the
//! square of the fastest frequency ω; an explicit method is stable while ω h is below a limit of its own
//! ([`gedanken_dynamics::Integrator::stability_limit`]). The largest eigenvalue of M⁻¹D in size is the fastest rate
//! c at which velocities relax, or turn in a magnetic field; beyond c h = 2 a step goes through the end of that.
//! Both are found by the power method. Bodies on joints are left out, for joints may hold what a law would move,
//! and so are laws that cannot tell their slopes.

use super::simulation::Simulation;
use crate::world::body::BodyKind;
use crate::world::solver_body::InverseMass;
use gedanken_dynamics::laws::{PairSlope, SlopeAnswer, SlopeBlock, Slopes};
use gedanken_dynamics::{ComponentId, Inertia, Mass, Orientation};
use gedanken_math::{Twist, Vec3};
use std::ops::Range;
use std::sync::Arc;

/// Rounds of the power method: a rate is found to a few per cent, unless others are as large.
const ROUNDS: usize = 60;
/// Product of rate of relaxation and step beyond which a step goes through the end of the relaxation.
const RELAXATION_LIMIT: f64 = 2.0;

/// The fastest motion that laws would make at a moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Stiffness {
    /// Label of the law with the largest part in it.
    pub law: Arc<str>,
    /// The body that moves most in it.
    pub body: ComponentId,
    /// Its rate, rad/s or 1/s.
    pub rate: f64,
    /// The longest step that follows it, s.
    pub step: f64,
    /// Kind of motion.
    pub kind: StiffnessKind,
}

/// Kind of a fast motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StiffnessKind {
    /// To and fro, as on a spring: longer steps make it grow without bound.
    Oscillation,
    /// Velocities relax, as by drag, or turn, as in a magnetic field: longer steps go too far.
    Relaxation,
}

/// Slopes of all laws, with the place of each law among them.
struct Told {
    slopes: Slopes,
    laws: Vec<(Arc<str>, Range<usize>)>,
    inverses: Vec<InverseMass>,
}

impl Simulation {
    /// The fastest motions that its laws would make now, of either kind, as far as they can tell; none if steps are
    /// implicit.
    #[must_use]
    pub fn stiffness(&self) -> Vec<Stiffness> {
        let limit = self.settings().integrator.stability_limit();
        let is_implicit = self.settings().solver.island_solver().is_none();
        let (false, Some(limit), Some(told)) = (is_implicit, limit, self.told()) else { return Vec::new() };
        let oscillation = told.dominant(|pair| pair.place, true).map(|(square, law, body)| {
            let rate = square.sqrt();
            Stiffness { law, body, rate, step: limit / rate, kind: StiffnessKind::Oscillation }
        });
        let relaxation = told.dominant(|pair| pair.motion, false).map(|(rate, law, body)| {
            let kind = StiffnessKind::Relaxation;
            Stiffness { law, body, rate, step: RELAXATION_LIMIT / rate, kind }
        });
        oscillation.into_iter().chain(relaxation).collect()
    }

    fn told(&self) -> Option<Told> {
        let (world, state) = (self.world(), self.state());
        let (mut slopes, mut laws) = (Slopes::new(), Vec::new());
        for term in world.laws().terms().iter().filter(|term| !term.law.is_constant()) {
            let before = slopes.pairs().len();
            if let Ok(SlopeAnswer::Exact) = term.slopes(state, &mut slopes) {
                laws.push((term.label.clone(), before..slopes.pairs().len()));
            }
        }
        if slopes.pairs().is_empty() {
            return None;
        }
        let (m, i, q) =
            (state.all::<Mass>().ok()?, state.all::<Inertia>().ok()?, state.all::<Orientation>().ok()?);
        let mut inverses: Vec<InverseMass> =
            (0..m.len()).map(|row| InverseMass::new(m[row].si(), i[row].si(), q[row])).collect();
        for constraint in world.constraints() {
            let (a, b) = constraint.bodies();
            for id in [Some(a), b].into_iter().flatten() {
                inverses[id.row()] = InverseMass::IMMOVABLE;
            }
        }
        debug_assert!(
            world
                .bodies()
                .all(|(id, body)| { body.kind() == BodyKind::Dynamic || !inverses[id.row()].is_movable() })
        );
        Some(Told { slopes, laws, inverses })
    }
}

impl Told {
    /// The largest eigenvalue of M⁻¹ times a block of the slopes: of all, in size; or of those below zero, as of a
    /// spring. With the law and the body that have the largest part in it.
    fn dominant(
        &self,
        block: impl Fn(&PairSlope) -> SlopeBlock,
        is_bound: bool,
    ) -> Option<(f64, Arc<str>, ComponentId)> {
        let blocks: Vec<(usize, usize, SlopeBlock)> =
            self.slopes.pairs().iter().map(|pair| (pair.on.row(), pair.of.row(), block(pair))).collect();
        let (size, found) = self.iterate(&blocks, 0.0)?;
        let (rate, x) = if is_bound && self.quotient(&blocks, &found) > 0.0 {
            // A hill is steeper than all springs: what is left of it after a shift by its rate are the springs.
            let (_, x) = self.iterate(&blocks, size)?;
            (-self.quotient(&blocks, &x), x)
        } else {
            (size, found)
        };
        if rate.is_nan() || rate <= 0.0 {
            return None;
        }
        let part = |range: &Range<usize>| {
            let forces = blocks[range.clone()].iter();
            forces.fold(0.0, |sum, (on, of, block)| sum + x[*on].dot(times(block, x[*of]))).abs()
        };
        let law = self.laws.iter().max_by(|a, b| part(&a.1).total_cmp(&part(&b.1)))?;
        let mut force = self.forces(&blocks, &x);
        let share = |(row, force): (usize, &mut Twist)| (x[row].dot(*force).abs(), row);
        let most = force.iter_mut().enumerate().map(share).max_by(|a, b| a.0.total_cmp(&b.0))?;
        Some((rate, law.0.clone(), ComponentId::from_row(most.1)))
    }

    /// The power method for σ - M⁻¹B: the size of the eigenvalue, and its vector.
    fn iterate(&self, blocks: &[(usize, usize, SlopeBlock)], shift: f64) -> Option<(f64, Vec<Twist>)> {
        // No symmetry of a scene is a symmetry of this start.
        let start = |row: usize| {
            let k = 1.0 + 0.37 * (row % 7) as f64;
            Twist::new(Vec3::new(1.0, 0.73 * k, 0.41 + k), Vec3::new(0.59 * k, 1.0, 0.83 + 0.3 * k))
        };
        let mut x: Vec<Twist> =
            self.inverses.iter().enumerate().map(|(row, inverse)| inverse.apply(start(row))).collect();
        let mut sizes = [0.0; 3];
        for _ in 0..ROUNDS {
            let size = x.iter().fold(0.0, |sum: f64, x| sum + x.dot(*x)).sqrt();
            if !(size > 0.0 && size.is_finite()) {
                return None;
            }
            x.iter_mut().for_each(|x| *x = *x * (1.0 / size));
            sizes = [sizes[1], sizes[2], size];
            let forces = self.forces(blocks, &x);
            for ((x, force), inverse) in x.iter_mut().zip(forces).zip(&self.inverses) {
                *x = *x * shift - inverse.apply(force);
            }
        }
        let size = x.iter().fold(0.0, |sum: f64, x| sum + x.dot(*x)).sqrt();
        // Over two rounds, in which a vector that turns comes half way round.
        Some(((size * sizes[2]).sqrt(), x))
    }

    fn forces(&self, blocks: &[(usize, usize, SlopeBlock)], x: &[Twist]) -> Vec<Twist> {
        let mut forces = vec![Twist::ZERO; x.len()];
        for (on, of, block) in blocks.iter().filter(|(on, _, _)| self.inverses[*on].is_movable()) {
            forces[*on] += times(block, x[*of]);
        }
        forces
    }

    /// The Rayleigh quotient of M⁻¹B.
    fn quotient(&self, blocks: &[(usize, usize, SlopeBlock)], x: &[Twist]) -> f64 {
        let forces = self.forces(blocks, x);
        let changed = forces.iter().zip(&self.inverses).map(|(force, inverse)| inverse.apply(*force));
        let (mut along, mut square) = (0.0, 0.0);
        for (x, changed) in x.iter().zip(changed) {
            along += x.dot(changed);
            square += x.dot(*x);
        }
        along / square
    }
}

fn times(block: &SlopeBlock, x: Twist) -> Twist {
    Twist::new(
        block.force_linear * x.linear + block.force_angular * x.angular,
        block.torque_linear * x.linear + block.torque_angular * x.angular,
    )
}
