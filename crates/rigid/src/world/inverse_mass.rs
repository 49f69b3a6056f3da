//! Inverse mass of one body: what an impulse divides by.

use crate::step::free_rotation::Top;
use gedanken_math::rotation::to_world;
use gedanken_math::{Mat3, Quat, Twist, Vec3};

/// M⁻¹ of one body: 1/m and I⁻¹ in the world frame. All zero for a body that impulses do not move.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Inverse {
    /// 1/m.
    pub mass: f64,
    /// R I⁻¹ Rᵀ, symmetric bit for bit.
    pub inertia: Mat3,
}

impl Inverse {
    /// A body that nothing moves.
    pub const IMMOVABLE: Inverse = Inverse { mass: 0.0, inertia: Mat3::ZERO };

    /// Of a body with this mass and these principal moments, turned like this. A mass of zero means
    /// immovable.
    #[must_use]
    pub fn new(mass: f64, moments: Vec3, orientation: Quat) -> Self {
        if mass <= 0.0 {
            return Self::IMMOVABLE;
        }
        if moments.x == moments.y && moments.y == moments.z {
            return Self { mass: 1.0 / mass, inertia: Mat3::from_diagonal(Vec3::ONE / moments) };
        }
        if let Some(top) = Top::of(moments) {
            return Self { mass: 1.0 / mass, inertia: top.inverse_inertia(top.direction(orientation)) };
        }
        let axes = Vec3::AXES.map(|axis| to_world(orientation, axis));
        let inverse = Vec3::ONE / moments;
        let entry = |i: usize, j: usize| {
            axes[0][i] * axes[0][j] * inverse.x
                + axes[1][i] * axes[1][j] * inverse.y
                + axes[2][i] * axes[2][j] * inverse.z
        };
        let (xy, xz, yz) = (entry(0, 1), entry(0, 2), entry(1, 2));
        let inertia = Mat3::from_cols(
            Vec3::new(entry(0, 0), xy, xz),
            Vec3::new(xy, entry(1, 1), yz),
            Vec3::new(xz, yz, entry(2, 2)),
        );
        Self { mass: 1.0 / mass, inertia }
    }

    /// The change of velocity that an impulse makes: M⁻¹ p.
    #[must_use]
    pub fn apply(&self, impulse: Twist) -> Twist {
        Twist { linear: impulse.linear * self.mass, angular: self.inertia * impulse.angular }
    }

    /// Whether impulses move it.
    #[must_use]
    pub fn is_movable(&self) -> bool {
        self.mass > 0.0
    }
}
