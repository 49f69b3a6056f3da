//! A look inside of one step: the cost by terms, and the multiplier of every contact point.

use gedanken_dynamics::{Life, Table};
use gedanken_math::Vec3;

/// Terms of the cost at the end of a step, J. With the exact kinetic term the step is a stationary point and
/// no minimum in general; the terms are then those of the quadratic cost at the same place.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Cost {
    /// Σ m/(2h²)|c - c_p|².
    pub translational: f64,
    /// Σ ½(θ - θ_p)·I(θ - θ_p)/h².
    pub rotational: f64,
    /// Potential energy of all laws that have one, where the step ends.
    pub potential: f64,
    /// Σ μ λ |Δd| over the contact points.
    pub friction: f64,
}

impl Cost {
    /// The sum of all terms.
    #[must_use]
    pub fn total(&self) -> f64 {
        self.translational + self.rotational + self.potential + self.friction
    }
}

/// The forces at one contact point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Multiplier {
    /// Rows of the bodies, the smaller one first.
    pub rows: [u32; 2],
    /// Number of the corner, for corners on a half-space; otherwise the number of the point in its contact.
    pub point: u32,
    /// Place at the end of the step, in the world.
    pub place: Vec3,
    /// The unit normal, from the first body to the second.
    pub normal: Vec3,
    /// Gap at the end of the step, m.
    pub gap: f64,
    /// λ of the pass without friction, N; equal to `normal_force` where friction is coupled.
    pub first_pass: f64,
    /// The normal force on the second body, N.
    pub normal_force: f64,
    /// The friction force on the second body, N.
    pub friction_force: Vec3,
    /// Tangential displacement during the step, m.
    pub sliding: Vec3,
}

/// Everything that a variational step tells about itself beside its residuals.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inspection {
    /// The cost by terms.
    pub cost: Cost,
    /// Contact points that were near enough to matter, in the order of rows and points.
    pub multipliers: Vec<Multiplier>,
    /// Newton iterations, the most of any island and pass.
    pub iterations: u32,
}

impl Inspection {
    /// Forgets the last step, and keeps the memory.
    pub(super) fn clear(&mut self) {
        self.multipliers.clear();
        (self.cost, self.iterations) = (Cost::default(), 0);
    }
}

impl Table for Inspection {
    const NAME: &'static str = "variational step";
    const LIFE: Life = Life::Step;
}

/// A normal force of the first pass that is given from outside, instead of being computed. Only lagged
/// friction looks at it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GivenForce {
    /// Rows of the bodies, the smaller one first.
    pub rows: [u32; 2],
    /// Number of the point, as in [`Multiplier::point`].
    pub point: u32,
    /// The normal force, N.
    pub force: f64,
}
