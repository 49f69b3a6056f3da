//! Bodies as solvers see them: pose, twist, force, and what an impulse does to the twist.
//!
//! [`SolverBodies`] is gathered from the columns once per step (rule `start`). Every solver, of joints,
//! contacts and impacts, works on copies of its elements and writes the columns at the end.

use crate::step::free_rotation::SymmetricTop;
use gedanken_dynamics::{Life, Table};
use gedanken_math::rotation::to_world;
use gedanken_math::{Mat3, Pose, Quat, Twist, Vec3};

/// M⁻¹ of one body: 1/m and I⁻¹ in the world frame. All zero for a body that impulses do not move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct InverseMass {
    /// 1/m.
    pub inv_mass: f64,
    /// R I⁻¹ Rᵀ, symmetric bit for bit.
    pub inv_inertia: Mat3,
}

impl InverseMass {
    /// Inverse mass of a body that nothing moves.
    pub const IMMOVABLE: InverseMass = InverseMass { inv_mass: 0.0, inv_inertia: Mat3::ZERO };

    /// Inverse of a mass and of principal moments at an orientation. A mass of zero means immovable.
    #[must_use]
    pub fn new(mass: f64, moments: Vec3, orientation: Quat) -> Self {
        if mass <= 0.0 {
            return Self::IMMOVABLE;
        }
        if moments.x == moments.y && moments.y == moments.z {
            return Self { inv_mass: 1.0 / mass, inv_inertia: Mat3::from_diagonal(Vec3::ONE / moments) };
        }
        if let Some(top) = SymmetricTop::of(moments) {
            return Self {
                inv_mass: 1.0 / mass,
                inv_inertia: top.inverse_inertia(top.direction(orientation)),
            };
        }
        let axes = Vec3::AXES.map(|axis| to_world(orientation, axis));
        let inverse = Vec3::ONE / moments;
        let entry = |i: usize, j: usize| {
            axes[0][i] * axes[0][j] * inverse.x
                + axes[1][i] * axes[1][j] * inverse.y
                + axes[2][i] * axes[2][j] * inverse.z
        };
        let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
        let inv_inertia = Mat3::from_cols(
            Vec3::new(entry(0, 0), xy, xz),
            Vec3::new(xy, entry(1, 1), yz),
            Vec3::new(xz, yz, entry(2, 2)),
        );
        Self { inv_mass: 1.0 / mass, inv_inertia }
    }

    /// Change of velocity that an impulse makes: M⁻¹ p.
    #[must_use]
    pub fn apply(&self, impulse: Twist) -> Twist {
        Twist { linear: impulse.linear * self.inv_mass, angular: self.inv_inertia * impulse.angular }
    }

    /// Returns `true` if impulses move the body.
    #[must_use]
    pub fn is_movable(&self) -> bool {
        self.inv_mass > 0.0
    }
}

/// A body on its way through a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct SolverBody {
    /// Row of the body; 0 is the world.
    pub row: u32,
    /// M⁻¹ at `pose`, zero for a body that impulses do not move.
    pub inverse: InverseMass,
    /// Mass, kg.
    pub mass: f64,
    /// Principal moments of inertia, kg·m².
    pub moments: Vec3,
    /// Pose of the principal frame.
    pub pose: Pose,
    /// Velocity of the centre of mass, and angular velocity.
    pub twist: Twist,
    /// Force of all laws, and their torque about the centre of mass.
    pub force: Twist,
    /// Displacement during kicks of the laws: the sum of h·(v⁻ + v⁺)/2 in this step.
    pub moved: Twist,
    /// Displacement without a velocity, by position correction.
    pub shifted: Twist,
}

impl SolverBody {
    /// Returns `true` if it neither moves nor can be moved by impulses.
    #[must_use]
    pub(crate) fn is_still(&self) -> bool {
        !self.inverse.is_movable() && self.twist == Twist::ZERO
    }
}

/// Every body by row, as it is when the step starts. Rows without a body stand still.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct SolverBodies {
    /// Time at which the step starts, s.
    pub time: f64,
    /// Bodies by row.
    pub bodies: Vec<SolverBody>,
}

impl Table for SolverBodies {
    const NAME: &'static str = "solver bodies";
    const LIFE: Life = Life::Step;
}

/// Displacements of all bodies in a step, by row: from these the ledger computes the work of the laws.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Displacements {
    /// Sum of h·(v⁻ + v⁺)/2 over the kicks of the laws. A constant force of a law does the work force·moved.
    pub moved: Vec<Twist>,
    /// Displacements without a velocity, by position correction. The rule that makes one books -force·shifted
    /// as stabilisation.
    pub shifted: Vec<Twist>,
}

impl Table for Displacements {
    const NAME: &'static str = "displacements";
    const LIFE: Life = Life::Step;
}
