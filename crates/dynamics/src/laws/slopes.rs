//! Slopes of laws: how forces and torques change with the places and motions of bodies, for implicit methods.
//!
//! The change of force and torque on a body when another one (or itself) is shifted by δ and turned by θ, a
//! small rotation vector in the world, and when its velocities change by δv and δω, is
//!
//! (δF, δτ) = P (δ, θ) + M (δv, δω).
//!
//! P and M are the blocks of a [`PairSlope`]. A law lists the pairs that it couples and no others, always the
//! same ones: where a block happens to be zero it is listed as zero, so that the structure of a linear system
//! can be made once. A pair may be listed several times; the sum counts. On a line only the first row and
//! column of the blocks of forces count.

use crate::core::component::ComponentId;
use gedanken_math::matrix::cross_matrix;
use gedanken_math::{Mat3, Vec3};
use std::ops::{AddAssign, Mul};

/// A matrix of six by six, in four parts: rows are force and torque, columns a linear and an angular change.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SlopeBlock {
    /// Force by linear change.
    pub force_linear: Mat3,
    /// Force by angular change.
    pub force_angular: Mat3,
    /// Torque by linear change.
    pub torque_linear: Mat3,
    /// Torque by angular change.
    pub torque_angular: Mat3,
}

impl SlopeBlock {
    /// No slope.
    pub const ZERO: Self = Self {
        force_linear: Mat3::ZERO,
        force_angular: Mat3::ZERO,
        torque_linear: Mat3::ZERO,
        torque_angular: Mat3::ZERO,
    };

    /// A force that changes with a linear change only.
    #[must_use]
    pub const fn of_force(force_linear: Mat3) -> Self {
        Self { force_linear, ..Self::ZERO }
    }

    /// A torque that changes with an angular change only.
    #[must_use]
    pub const fn of_torque(torque_angular: Mat3) -> Self {
        Self { torque_angular, ..Self::ZERO }
    }

    /// Returns `true` if all its numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.parts().iter().all(|part| part.is_finite())
    }

    /// Size of the largest number.
    #[must_use]
    pub fn max_abs(&self) -> f64 {
        let numbers = self.parts().map(|part| part.to_cols_array());
        numbers.iter().flatten().fold(0.0, |most: f64, x| most.max(x.abs()))
    }

    fn parts(&self) -> [Mat3; 4] {
        [self.force_linear, self.force_angular, self.torque_linear, self.torque_angular]
    }
}

impl AddAssign for SlopeBlock {
    fn add_assign(&mut self, other: Self) {
        self.force_linear += other.force_linear;
        self.force_angular += other.force_angular;
        self.torque_linear += other.torque_linear;
        self.torque_angular += other.torque_angular;
    }
}

impl Mul<f64> for SlopeBlock {
    type Output = Self;
    fn mul(self, factor: f64) -> Self {
        Self {
            force_linear: self.force_linear * factor,
            force_angular: self.force_angular * factor,
            torque_linear: self.torque_linear * factor,
            torque_angular: self.torque_angular * factor,
        }
    }
}

/// The slope of force and torque on one body with respect to another, or to itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PairSlope {
    /// The body on which the law acts.
    pub on: ComponentId,
    /// The body that is moved.
    pub of: ComponentId,
    /// By its shift and rotation.
    pub place: SlopeBlock,
    /// By its velocity and angular velocity.
    pub motion: SlopeBlock,
}

impl PairSlope {
    /// Returns `true` if all its numbers are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.place.is_finite() && self.motion.is_finite()
    }
}

/// Answer of a law that is asked for its slopes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlopeAnswer {
    /// All slopes are listed, exactly.
    Exact,
    /// The law cannot tell its slopes, here or anywhere; nothing is listed.
    Unknown,
}

/// Slopes of one law or of several, as a sparse list of pairs of bodies.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Slopes {
    pairs: Vec<PairSlope>,
}

impl Slopes {
    /// No slopes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The pairs, in the order in which they were listed.
    #[must_use]
    pub fn pairs(&self) -> &[PairSlope] {
        &self.pairs
    }

    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.pairs.clear();
    }

    /// Lists the slope of the law on the body `on` with respect to the body `of`. The world does not move and
    /// is not moved: it is left out.
    pub fn add(&mut self, on: ComponentId, of: ComponentId, place: SlopeBlock, motion: SlopeBlock) {
        if on != ComponentId::WORLD && of != ComponentId::WORLD {
            self.pairs.push(PairSlope { on, of, place, motion });
        }
    }

    /// Lets `law` list its slopes with a strength. What it lists before it answers that it cannot tell, or
    /// fails, or where a number is not finite, is taken back, and the answer is that it cannot tell.
    pub(crate) fn with_strength<E>(
        &mut self,
        strength: f64,
        law: impl FnOnce(&mut Self) -> Result<SlopeAnswer, E>,
    ) -> Result<SlopeAnswer, E> {
        let before = self.pairs.len();
        let answer = law(self);
        if !matches!(answer, Ok(SlopeAnswer::Exact)) {
            self.pairs.truncate(before);
            return answer;
        }
        for pair in &mut self.pairs[before..] {
            pair.place = pair.place * strength;
            pair.motion = pair.motion * strength;
        }
        if self.pairs[before..].iter().all(PairSlope::is_finite) {
            return answer;
        }
        self.pairs.truncate(before);
        Ok(SlopeAnswer::Unknown)
    }

    /// Lists a force between points of two bodies and the torques arm × force, from the slopes of the force
    /// with respect to the distance and the relative velocity of the points.
    pub(super) fn add_link(&mut self, ends: &[LinkEnd; 2], link: &LinkSlope) {
        for on in ends {
            for of in ends {
                // δ(c + arm) = δ + θ × arm, and δ(v + ω × arm) = δv + δω × arm + ω × (θ × arm).
                let (arm, sign) = (cross_matrix(of.arm), on.sign * of.sign);
                let turned = link.by_gap * arm + link.by_velocity * cross_matrix(of.spin) * arm;
                let mut place = on.felt(link.by_gap * sign, turned * -sign);
                if on.sign == of.sign {
                    // The arm itself turns under the force: (θ × arm) × F.
                    place.torque_angular += cross_matrix(link.force) * arm * on.sign;
                }
                let motion = on.felt(link.by_velocity * sign, link.by_velocity * arm * -sign);
                self.add(on.body, of.body, place, motion);
            }
        }
    }
}

/// One end of a force between two points.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkEnd {
    pub(super) body: ComponentId,
    /// From the centre of mass to the point, in the world.
    pub(super) arm: Vec3,
    /// Angular velocity of the body.
    pub(super) spin: Vec3,
    /// 1 for the body on which the force acts, -1 for the one on which the opposite force acts.
    pub(super) sign: f64,
}

impl LinkEnd {
    /// The block of a force at this end, from its slopes.
    fn felt(&self, force_linear: Mat3, force_angular: Mat3) -> SlopeBlock {
        let arm = cross_matrix(self.arm);
        SlopeBlock {
            force_linear,
            force_angular,
            torque_linear: arm * force_linear,
            torque_angular: arm * force_angular,
        }
    }
}

/// A force between two points with its slopes.
#[derive(Debug, Clone, Copy)]
pub(super) struct LinkSlope {
    pub(super) force: Vec3,
    pub(super) by_gap: Mat3,
    pub(super) by_velocity: Mat3,
}
