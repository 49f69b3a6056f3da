//! Shapes of bodies. One file per shape, all in body coordinates.
//!
//! Every shape answers the same queries: farthest point in a direction ([`Convex::support`], for convex
//! ones), bounding box, mass properties, first hit of a ray, closest point of the surface, containment of a
//! point, signed distance. Sizes are checked when a shape is made, so that no query has to.

mod capsule;
mod compound;
mod cone;
mod convex_hull;
mod cuboid;
mod cylinder;
mod direction;
mod half_space;
mod mesh;
mod sphere;

pub use capsule::Capsule;
pub use compound::{Compound, Part};
pub use cone::Cone;
pub use convex_hull::{ConvexHull, Face};
pub use cuboid::Cuboid;
pub use cylinder::Cylinder;
pub use half_space::HalfSpace;
pub use mesh::TriangleMesh;
pub use sphere::Sphere;

use crate::bounds::Aabb;
use crate::error::ShapeError;
use crate::mass::MassProperties;
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};
use std::sync::Arc;

/// A convex body given by its support function: all that GJK and EPA need.
///
/// The body is its *core* widened by [`Convex::margin`]: the core of a sphere is its centre, that of a
/// capsule a segment, that of every other shape the shape itself, with margin zero. Distances between cores
/// are exact where distances between round surfaces would only be approached.
pub trait Convex {
    /// Returns a point of the core that is farthest in `direction` (body frame, any length but zero). Ties go
    /// to the same point for the same bits.
    fn core_support(&self, direction: Vec3) -> Vec3;
    /// Returns the curve or surface on which this farthest point of the core runs as the direction turns; `None`
    /// for a corner, which stays.
    fn rim(&self, _farthest: Vec3) -> Option<Rim> {
        None
    }
    /// Width of the body beyond its core.
    fn margin(&self) -> f64 {
        0.0
    }
    /// Centre: a point deep inside the core.
    fn centre(&self) -> Vec3;
    /// Radius of a ball about the centre that the core holds; zero if none is known.
    fn inner_radius(&self) -> f64 {
        0.0
    }
    /// Radius of a ball about the centre that holds the core; infinite if none is known.
    fn outer_radius(&self) -> f64 {
        f64::INFINITY
    }

    /// Returns a point of the body that is farthest in `direction`.
    fn support(&self, direction: Vec3) -> Vec3 {
        let core = self.core_support(direction);
        if self.margin() == 0.0 { core } else { core + direction * (self.margin() / direction.length()) }
    }
}

/// A curve or a surface on which farthest points run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Rim {
    /// A circle about the body's z axis, the edge of a disc.
    Circle {
        /// Its radius.
        radius: f64,
        /// Its height.
        z: f64,
    },
    /// An ellipsoid about the body's origin, along its axes.
    Ellipsoid {
        /// Its semi-axes.
        semi_axes: Vec3,
    },
}

/// The closest point of a surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Projection {
    /// The point on the surface.
    pub point: Vec3,
    /// The outward unit normal there.
    pub normal: Vec3,
    /// The distance to the surface: negative inside.
    pub signed_distance: f64,
}

/// Queries of all shapes.
pub trait Solid {
    /// Name of the kind of shape, for messages.
    fn kind(&self) -> &'static str;
    /// Returns the smallest box along the world's axes that holds the shape in this pose; infinite for a
    /// half-space.
    fn bounds(&self, pose: &Pose) -> Aabb;
    /// Returns volume, centre and inertia at a density, in the body frame; an error for shapes without a
    /// volume.
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError>;
    /// Returns the point at which a ray (body frame) first enters the shape; its origin if it starts inside.
    fn cast_ray(&self, ray: &Ray) -> Option<Hit>;
    /// Returns the point of the surface closest to `point`.
    fn project(&self, point: Vec3) -> Projection;
    /// Returns the distance to the surface: negative inside.
    fn signed_distance(&self, point: Vec3) -> f64 {
        self.project(point).signed_distance
    }
    /// Returns `true` if the point is inside, or outside by no more than `eps`.
    fn contains(&self, point: Vec3, eps: f64) -> bool {
        self.signed_distance(point) <= eps
    }
}

/// Any shape. Cheap to clone: large ones are shared.
#[derive(Debug, Clone)]
pub enum Shape {
    /// A ball.
    Sphere(Sphere),
    /// A box.
    Cuboid(Cuboid),
    /// A cylinder with half-spheres at its ends.
    Capsule(Capsule),
    /// A cylinder.
    Cylinder(Cylinder),
    /// A cone.
    Cone(Cone),
    /// The side behind a plane.
    HalfSpace(HalfSpace),
    /// A convex polyhedron.
    Hull(Arc<ConvexHull>),
    /// Several shapes, rigidly glued.
    Compound(Arc<Compound>),
    /// A surface of triangles; it has no inside and does not move.
    Mesh(Arc<TriangleMesh>),
}

impl Shape {
    fn solid(&self) -> &dyn Solid {
        match self {
            Self::Sphere(s) => s,
            Self::Cuboid(s) => s,
            Self::Capsule(s) => s,
            Self::Cylinder(s) => s,
            Self::Cone(s) => s,
            Self::HalfSpace(s) => s,
            Self::Hull(s) => &**s,
            Self::Compound(s) => &**s,
            Self::Mesh(s) => &**s,
        }
    }

    /// The shape as a convex body, if it is a bounded convex one.
    #[must_use]
    pub fn convex(&self) -> Option<&(dyn Convex + Send + Sync)> {
        match self {
            Self::Sphere(s) => Some(s),
            Self::Cuboid(s) => Some(s),
            Self::Capsule(s) => Some(s),
            Self::Cylinder(s) => Some(s),
            Self::Cone(s) => Some(s),
            Self::Hull(s) => Some(&**s),
            Self::HalfSpace(_) | Self::Compound(_) | Self::Mesh(_) => None,
        }
    }
}

impl Solid for Shape {
    fn kind(&self) -> &'static str {
        self.solid().kind()
    }
    fn bounds(&self, pose: &Pose) -> Aabb {
        self.solid().bounds(pose)
    }
    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        self.solid().mass_properties(density)
    }
    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        self.solid().cast_ray(ray)
    }
    fn project(&self, point: Vec3) -> Projection {
        self.solid().project(point)
    }
    fn signed_distance(&self, point: Vec3) -> f64 {
        self.solid().signed_distance(point)
    }
    fn contains(&self, point: Vec3, eps: f64) -> bool {
        self.solid().contains(point, eps)
    }
}
