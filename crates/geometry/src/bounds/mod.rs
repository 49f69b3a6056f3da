//! Bounding boxes along the world's axes, and radii of shapes.
//!
//! Boxes are closed: touching counts as intersecting. Every test between them is exact.

mod aabb;
mod radius;

pub use aabb::Aabb;
pub use radius::{radius_about, radius_about_origin};
