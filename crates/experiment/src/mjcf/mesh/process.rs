//! A mesh about its centre of mass, along its principal axes: the frame in which MuJoCo keeps it.

use crate::mjcf::MeshSurface;
use crate::mjcf::compile::principal_axes::{MESH_TOLERANCE, principal_axes};
use crate::mjcf::spec::mesh::{MeshInertia, MeshSpec};
use crate::mjcf::spec::orientation::quaternion_of;
use gedanken_geometry::ConvexHull;
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use std::sync::Arc;

/// Area or volume below which a mesh has none.
const LEAST: f64 = 1e-15;

/// A mesh in the frame of its centre of mass and principal axes.
#[derive(Debug, Clone)]
pub(crate) struct Mesh {
    /// The surface in that frame.
    pub(crate) surface: Arc<MeshSurface>,
    /// Pose of that frame in the frame of the file.
    pub(crate) frame: Pose,
    /// Volume, or area of a shell.
    pub(crate) measure: f64,
    /// Half the sides of the box of the same mass and moments.
    pub(crate) inertia_box: Vec3,
    /// Largest distances of vertices from the three planes of the axes.
    pub(crate) reach: Vec3,
}

/// Centres and orients a surface; the reason if it has no volume.
pub(crate) fn process(spec: &MeshSpec, mut surface: MeshSurface) -> Result<Mesh, String> {
    transform(spec, &mut surface);
    if surface.vertices.len() < 4 {
        return Err("it has fewer than four vertices".to_owned());
    }
    if surface.triangles.is_empty() {
        surface = hull_of(&surface)?;
    }
    let hull = if spec.inertia == MeshInertia::Convex { Some(hull_of(&surface)?) } else { None };
    let weighed = hull.as_ref().unwrap_or(&surface);
    let centroid = face_centroid(&surface)?;
    let centre = centre_of_mass(weighed, centroid, spec.inertia)?;
    let (measure, inertia) = moments(weighed, centre, spec.inertia);
    let (moments, axes) = principal_axes(inertia, MESH_TOLERANCE);
    if moments.z <= 0.0 {
        return Err("its moments of inertia are not positive".to_owned());
    }
    let side = |a: f64, b: f64, c: f64| 0.5 * (6.0 * (a + b - c).max(0.0) / measure).sqrt();
    let inertia_box = Vec3::new(
        side(moments.y, moments.z, moments.x),
        side(moments.x, moments.z, moments.y),
        side(moments.x, moments.y, moments.z),
    );
    let turn = Mat3::from_quat(axes).transpose();
    let mut reach = Vec3::ZERO;
    for vertex in &mut surface.vertices {
        *vertex = turn * (*vertex - centre);
        reach = reach.max(vertex.abs());
    }
    let frame = Pose::new(axes, centre);
    Ok(Mesh { surface: Arc::new(surface), frame, measure, inertia_box, reach })
}

/// Applies reference position, reference rotation and scale of a mesh. A mirror image turns its triangles.
fn transform(spec: &MeshSpec, surface: &mut MeshSurface) {
    let rotation = quaternion_of(spec.reference_rotation).unwrap_or(Quat::IDENTITY);
    let back = Mat3::from_quat(rotation).transpose();
    let [origin, scale] = [spec.reference_position, spec.scale].map(Vec3::from_array);
    for vertex in &mut surface.vertices {
        *vertex = (back * (*vertex - origin)) * scale;
    }
    if scale.x * scale.y * scale.z < 0.0 && spec.file.is_some() {
        for triangle in &mut surface.triangles {
            triangle.swap(1, 2);
        }
    }
}

/// The convex hull of the vertices, as a surface.
fn hull_of(surface: &MeshSurface) -> Result<MeshSurface, String> {
    let hull = ConvexHull::new(&surface.vertices).map_err(|error| error.to_string())?;
    Ok(MeshSurface { vertices: hull.vertices().to_vec(), triangles: hull.triangles().to_vec() })
}

/// The corners of a triangle.
fn corners(surface: &MeshSurface, triangle: [u32; 3]) -> [Vec3; 3] {
    triangle.map(|corner| surface.vertices[corner as usize])
}

/// Area, unit normal and centre of a triangle.
fn measures([a, b, c]: [Vec3; 3]) -> (f64, Vec3, Vec3) {
    let across = (b - a).cross(c - a);
    let length = across.length();
    let centre = (a + b + c) / 3.0;
    if length < LEAST { (0.0, across, centre) } else { (length / 2.0, across / length, centre) }
}

/// Mean of the centres of the triangles, weighted by their areas.
fn face_centroid(surface: &MeshSurface) -> Result<Vec3, String> {
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for &triangle in &surface.triangles {
        let (area, _, centre) = measures(corners(surface, triangle));
        sum += area * centre;
        total += area;
    }
    if total < LEAST { Err("its surface has no area".to_owned()) } else { Ok(sum / total) }
}

/// Centre of the pyramids from the centroid to the triangles.
fn centre_of_mass(surface: &MeshSurface, centroid: Vec3, way: MeshInertia) -> Result<Vec3, String> {
    let (mut sum, mut total) = (Vec3::ZERO, 0.0);
    for &triangle in &surface.triangles {
        let (area, normal, centre) = measures(corners(surface, triangle));
        let share = weight(area, normal, centre - centroid, way);
        total += share;
        sum += share * (centre * 0.75 + centroid * 0.25);
    }
    if total < LEAST {
        return Err(if total < 0.0 {
            "its triangles are turned inside out".to_owned()
        } else {
            "it encloses no volume".to_owned()
        });
    }
    Ok(sum / total)
}

/// Share of a triangle in the measure of a mesh: its area, or the volume of the pyramid below it.
fn weight(area: f64, normal: Vec3, arm: Vec3, way: MeshInertia) -> f64 {
    let volume = arm.dot(normal) * area / 3.0;
    match way {
        MeshInertia::Shell => area,
        MeshInertia::Legacy => volume.abs(),
        MeshInertia::Convex | MeshInertia::Exact => volume,
    }
}

/// Measure, and inertia about a point, for unit density.
fn moments(surface: &MeshSurface, centre: Vec3, way: MeshInertia) -> (f64, Mat3) {
    let mut total = 0.0;
    // Products xx, yy, zz, xy, xz, yz.
    let mut products = [0.0; 6];
    let divisor = if way == MeshInertia::Shell { 12.0 } else { 20.0 };
    for &triangle in &surface.triangles {
        let [a, b, c] = corners(surface, triangle).map(|corner| corner - centre);
        let (area, normal, middle) = measures([a, b, c]);
        let share = weight(area, normal, middle, way);
        total += share;
        let pairs = [(0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)];
        for (product, (i, j)) in products.iter_mut().zip(pairs) {
            // In this order: meshes with equal moments have the axes that rounding gives them.
            let sum = 2.0 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j])
                + a[i] * b[j]
                + a[j] * b[i]
                + a[i] * c[j]
                + a[j] * c[i]
                + b[i] * c[j]
                + b[j] * c[i];
            *product += share / divisor * sum;
        }
    }
    let [xx, yy, zz, xy, xz, yz] = products;
    let inertia = Mat3::from_cols_array(&[yy + zz, -xy, -xz, -xy, xx + zz, -yz, -xz, -yz, xx + yy]);
    (total, inertia)
}
