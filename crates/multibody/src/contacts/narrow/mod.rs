//! Where two shapes touch, or nearly so: one function per pair of shapes.

use gedanken_math::Vec3;

/// A point at which two shapes touch, or nearly so.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ShapeContact {
    /// The middle between the two surfaces, in the world.
    pub position: Vec3,
    /// Unit normal from the first shape to the second.
    pub normal: Vec3,
    /// Direction near which the first tangent is to lie; zero if it does not matter.
    pub tangent: Vec3,
    /// Distance of the surfaces; negative where they overlap.
    pub distance: f64,
}
