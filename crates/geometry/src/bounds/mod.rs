//! Bounding volumes: boxes along the axes, balls and oriented boxes that hold a shape and are cheap to
//! compare; and radii of shapes.
//!
//! All volumes are closed: touching counts as intersecting. Tests between boxes along the axes are exact.
//! Those with balls and oriented boxes compute distances, which round; they err towards "yes" by a few ε of
//! the numbers involved, so that touching volumes are never missed and a volume contains itself. Squares must
//! not overflow: balls and oriented boxes are for sizes and places below 1e150.

mod aabb;
mod ball;
mod oriented_box;
mod radius;
mod volume;

pub use aabb::Aabb;
pub use ball::{Ball, Support};
pub use oriented_box::Obb;
pub use radius::{radius_about, radius_about_origin};
pub use volume::{Bound, BoundKind};

/// Bound on the rounding of a place that is seen in another frame, in units of the coordinates: two rotations,
/// a difference and the sums of the test are under thirty roundings of ε/2 each.
const SLACK: f64 = 16.0 * f64::EPSILON;

/// Returns a square or a sum of sizes, enlarged by its rounding and by that of the squared distance that it is
/// compared with: ten roundings of ε/2 and less.
fn grown(x: f64) -> f64 {
    x * (1.0 + 8.0 * f64::EPSILON)
}
