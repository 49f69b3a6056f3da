//! Settings of the variational step: its order, its kinetic term, and how friction is found.

/// Order of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Order {
    /// Backward Euler: robust and dissipative. A body in free fall loses ½ m g² h² in each step.
    First,
    /// The symplectic midpoint rule, with positions feasible and velocities projected at the end of the step.
    #[default]
    Second,
}

impl Order {
    /// The order as a number.
    #[must_use]
    pub fn number(self) -> u32 {
        match self {
            Self::First => 1,
            Self::Second => 2,
        }
    }
}

/// Kinetic term of the step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Kinetic {
    /// The discrete Euler-Lagrange equation on the group of rotations: it keeps angular momentum, for any
    /// inertia.
    #[default]
    Exact,
    /// The quadratic term ½(θ - θ_p)·I(θ - θ_p)/h² of the dice: a true minimum, right for isotropic inertia.
    /// Implies [`Order::First`] and [`FrictionIteration::Lagged`].
    Seed,
}

impl Kinetic {
    /// Every term with the name that experiments write.
    pub const ALL: [(&'static str, Kinetic); 2] = [("exact", Self::Exact), ("seed", Self::Seed)];
}

/// The way in which friction follows the normal force.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FrictionIteration {
    /// Normal and friction forces are solved together.
    #[default]
    Coupled,
    /// A first pass without friction gives the normal forces λ; a second one has friction of at most μ λ.
    Lagged,
}

impl FrictionIteration {
    /// Every way with the name that experiments write.
    pub const ALL: [(&'static str, FrictionIteration); 2] =
        [("coupled", Self::Coupled), ("lagged", Self::Lagged)];
}

/// Settings of the variational step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct VariationalSettings {
    /// Order of the step.
    pub order: Order,
    /// Kinetic term.
    pub kinetic: Kinetic,
    /// The way in which friction follows the normal force.
    pub friction: FrictionIteration,
}

impl VariationalSettings {
    /// The step of the dice: backward Euler with the quadratic kinetic term and lagged friction.
    pub const SEED: Self =
        Self { order: Order::First, kinetic: Kinetic::Seed, friction: FrictionIteration::Lagged };

    /// The settings with what they imply.
    #[must_use]
    pub fn implied(self) -> Self {
        if self.kinetic == Kinetic::Seed { Self::SEED } else { self }
    }
}
