//! Rays and their hits.

use gedanken_math::Vec3;

/// A half-line from `origin` along `direction`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Start.
    pub origin: Vec3,
    /// Direction; distances along the ray are in units of its length.
    pub direction: Vec3,
}

impl Ray {
    /// The ray from `origin` along `direction`.
    #[must_use]
    pub const fn new(origin: Vec3, direction: Vec3) -> Self {
        Self { origin, direction }
    }

    /// The point at the parameter `t`.
    #[must_use]
    pub fn at(&self, t: f64) -> Vec3 {
        self.origin + self.direction * t
    }
}

/// Point at which a ray enters a shape.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Hit {
    /// The parameter of the ray: the point is `ray.at(t)`, t ≥ 0.
    pub t: f64,
    /// The outward unit normal of the surface there; for a ray that starts inside, the direction back.
    pub normal: Vec3,
}
