//! Mass properties: mass, centre and inertia of bodies of uniform density and of their sums.
//!
//! The inertia is always about the body's own centre of mass, I = ∫ ρ (|x|² 1 - x xᵀ) dV with x from the
//! centre, in the axes of the body frame; about another point it is larger, by m (|d|² 1 - d dᵀ) (the
//! parallel-axis theorem). Primitives have closed forms, in their own files; [`of_polyhedron`] integrates
//! over any closed triangle surface.
//!
//! Invariant: mass and volume are positive and finite, and the inertia is finite and symmetric bit for bit.

mod polyhedron;

pub use polyhedron::of_polyhedron;

use crate::error::{ShapeError, positive};
use gedanken_math::rotation::to_world;
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use std::ops::Add;

/// Mass, volume, centre of mass and inertia of a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MassProperties {
    /// The mass: density × volume.
    pub mass: f64,
    /// The volume.
    pub volume: f64,
    /// The centre of mass, in the body frame.
    pub centre: Vec3,
    /// The inertia about the centre, in the axes of the body frame.
    pub inertia: Mat3,
}

/// Returns |d|² 1 - d dᵀ: the inertia about the origin of a unit point mass at `d`.
fn point_inertia(d: Vec3) -> Mat3 {
    let (s, xy, yz, zx) = (d * d, -d.x * d.y, -d.y * d.z, -d.z * d.x);
    Mat3::from_cols(Vec3::new(s.y + s.z, xy, zx), Vec3::new(xy, s.z + s.x, yz), Vec3::new(zx, yz, s.x + s.y))
}

impl MassProperties {
    /// A body that is symmetric about the coordinate planes through its centre, which is the origin, with
    /// these moments per unit mass.
    pub(crate) fn of_symmetric(
        shape: &'static str,
        density: f64,
        volume: f64,
        moments: Vec3,
    ) -> Result<Self, ShapeError> {
        Self::checked(shape, density, volume, Vec3::ZERO, Mat3::from_diagonal(moments * (density * volume)))
    }

    /// Refuses a density that is not positive and finite, and sizes whose volume or inertia leaves the range
    /// of numbers.
    pub(crate) fn checked(
        shape: &'static str,
        density: f64,
        volume: f64,
        centre: Vec3,
        inertia: Mat3,
    ) -> Result<Self, ShapeError> {
        positive(shape, "density", density)?;
        positive(shape, "volume", volume)?;
        let mass = positive(shape, "mass", density * volume)?;
        if !inertia.is_finite() {
            let largest = inertia.x_axis.x.max(inertia.y_axis.y).max(inertia.z_axis.z);
            return Err(ShapeError::BadSize { shape, field: "inertia", value: largest });
        }
        Ok(Self { mass, volume, centre, inertia })
    }

    /// Returns the inertia about `point`, a point of the body frame: I + m (|d|² 1 - d dᵀ) with d = point -
    /// centre.
    #[must_use]
    pub fn shifted(&self, point: Vec3) -> Mat3 {
        self.inertia + point_inertia(point - self.centre) * self.mass
    }

    /// Returns the properties of the body turned about the origin of its frame: centre Q c, inertia Q I Qᵀ.
    #[must_use]
    pub fn rotated(&self, rotation: Quat) -> Self {
        let turn = |v| to_world(rotation, v);
        let half =
            Mat3::from_cols(turn(self.inertia.x_axis), turn(self.inertia.y_axis), turn(self.inertia.z_axis));
        let rows = half.transpose();
        let turned = Mat3::from_cols(turn(rows.x_axis), turn(rows.y_axis), turn(rows.z_axis));
        Self { centre: turn(self.centre), inertia: symmetric(turned), ..*self }
    }

    /// Returns the properties in the frame in which the body's own frame has this pose.
    #[must_use]
    pub fn posed(&self, pose: &Pose) -> Self {
        let turned = self.rotated(pose.rotation);
        Self { centre: turned.centre + pose.translation, ..turned }
    }
}

/// Returns the mean of a matrix and its transpose: rounding must not make an inertia unsymmetric.
fn symmetric(m: Mat3) -> Mat3 {
    let xy = 0.5 * (m.x_axis.y + m.y_axis.x);
    let yz = 0.5 * (m.y_axis.z + m.z_axis.y);
    let zx = 0.5 * (m.z_axis.x + m.x_axis.z);
    Mat3::from_cols(
        Vec3::new(m.x_axis.x, xy, zx),
        Vec3::new(xy, m.y_axis.y, yz),
        Vec3::new(zx, yz, m.z_axis.z),
    )
}

impl Add for MassProperties {
    type Output = Self;

    /// Sum of two bodies glued together: with d from one centre to the other and μ = m₁m₂/(m₁ + m₂), I = I₁ +
    /// I₂ + μ (|d|² 1 - d dᵀ). Where they overlap, both count.
    fn add(self, other: Self) -> Self {
        let mass = self.mass + other.mass;
        let share = other.mass / mass;
        let between = other.centre - self.centre;
        Self {
            mass,
            volume: self.volume + other.volume,
            centre: self.centre + between * share,
            inertia: self.inertia + other.inertia + point_inertia(between) * (self.mass * share),
        }
    }
}
