//! Reading of the stored data.

use gedanken_geometry::ConvexHull;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::model::GeomShape;
use serde_json::Value;
use std::sync::Arc;

/// The numbers of a list.
pub(crate) fn numbers(value: &Value) -> Vec<f64> {
    list(value).iter().map(number).collect()
}

/// A list of N numbers.
pub(crate) fn array<const N: usize>(value: &Value) -> [f64; N] {
    numbers(value).try_into().expect("a list of this length")
}

/// A list.
pub(crate) fn list(value: &Value) -> &[Value] {
    value.as_array().expect("a list")
}

/// A number.
pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().expect("a number")
}

/// A whole number.
pub(crate) fn index(value: &Value) -> usize {
    value.as_u64().expect("a whole number") as usize
}

/// A pose: position and a quaternion that need not be of unit length.
pub(crate) fn pose(value: &Value) -> Pose {
    let [x, y, z, w, i, j, k] = array(value);
    // In the order in which MuJoCo sums, so that ties end alike.
    let length = ((w * w + i * i) + (j * j + k * k)).sqrt();
    let scale = if (length - 1.0).abs() > 1e-15 { 1.0 / length } else { 1.0 };
    Pose::new(Quat::from_xyzw(i * scale, j * scale, k * scale, w * scale), Vec3::new(x, y, z))
}

/// A shape from its type and its sizes.
pub(crate) fn shape(kind: &str, sizes: &[f64]) -> GeomShape {
    let vector = || Vec3::new(sizes[0], sizes[1], sizes[2]);
    match kind {
        "plane" => GeomShape::Plane,
        "sphere" => GeomShape::Sphere { radius: sizes[0] },
        "capsule" => GeomShape::Capsule { radius: sizes[0], half_length: sizes[1] },
        "ellipsoid" => GeomShape::Ellipsoid { semi_axes: vector() },
        "cylinder" => GeomShape::Cylinder { radius: sizes[0], half_length: sizes[1] },
        "box" => GeomShape::Box { half_sides: vector() },
        "mesh" => {
            let points: Vec<_> = sizes.chunks(3).map(|p| Vec3::new(p[0], p[1], p[2])).collect();
            GeomShape::Hull(Arc::new(hull(&points)))
        }
        other => panic!("no shape is called {other}"),
    }
}

/// Reach of a shape along a direction: max d · x over all its points.
pub(crate) fn reach(shape: &GeomShape, pose: &Pose, direction: Vec3) -> f64 {
    let d = pose.vector_to_body(direction);
    let own = match shape {
        GeomShape::Plane => f64::INFINITY,
        GeomShape::Sphere { radius } => *radius,
        GeomShape::Capsule { radius, half_length } => radius + half_length * d.z.abs(),
        GeomShape::Ellipsoid { semi_axes } => (*semi_axes * d).length(),
        GeomShape::Cylinder { radius, half_length } => {
            radius * libm::hypot(d.x, d.y) + half_length * d.z.abs()
        }
        GeomShape::Box { half_sides } => half_sides.dot(d.abs()),
        GeomShape::Hull(hull) => hull.vertices().iter().map(|v| v.dot(d)).fold(f64::NEG_INFINITY, f64::max),
    };
    own + direction.dot(pose.translation)
}

/// The hull of points that were stored as `f32`.
fn hull(points: &[Vec3]) -> ConvexHull {
    let polytope = gedanken_geometry::hull::convex_within(points, 1e-6).expect("points that span a volume");
    ConvexHull::from_polytope(polytope).expect("a polytope of some volume")
}
