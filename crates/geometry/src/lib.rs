//! Shapes and where they touch: the one thing the engine knows by itself.
//!
//! - [`shape`]: spheres, cuboids, capsules, cylinders, cones, half-spaces, convex hulls, compounds, triangle
//!   meshes;
//! - [`hull`]: convex hulls from points, on exact predicates;
//! - [`mass`]: volume, centre and inertia, by closed forms and Mirtich's integrals;
//! - [`bounds`] and [`broad`]: boxes, balls and oriented boxes, and which of them overlap;
//! - [`narrow`]: distances, contacts and contact manifolds of two shapes;
//! - [`import`]: STL and OBJ.
//!
//! Invariants: nothing here knows a time, a force or a mass other than a density. Queries allocate nothing
//! after warm-up, never panic, and answer with a typed error where they cannot answer right. Equal input
//! gives equal bits.

pub mod bounds;
pub mod broad;
mod error;
pub mod hull;
pub mod import;
pub mod mass;
pub mod narrow;
mod ray;
pub mod shape;

pub use error::ShapeError;
pub use gedanken_math::Pose;
pub use ray::{Hit, Ray};
pub use shape::{
    Capsule, Compound, Cone, Convex, ConvexHull, Cuboid, Cylinder, HalfSpace, Part, Projection, Rim, Shape,
    Solid, Sphere, TriangleMesh,
};

/// The programs of the book's page on geometry, compiled and run as tests of the documentation.
#[cfg(doctest)]
mod book {
    #[doc = include_str!("../../../docs/geometry.md")]
    mod geometry {}
}
