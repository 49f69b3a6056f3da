//! Volumes and moments of inertia of simple shapes, solid or hollow.

use crate::mjcf::spec::geom::GeomType;
use gedanken_math::Vec3;
use std::f64::consts::PI;

/// Volume of a solid shape, or area of a hollow one; 0 for shapes without either.
pub(crate) fn measure(kind: GeomType, [a, b, c]: [f64; 3], is_shell: bool) -> f64 {
    match (kind, is_shell) {
        (GeomType::Sphere, false) => 4.0 * PI * a * a * a / 3.0,
        (GeomType::Sphere, true) => 4.0 * PI * a * a,
        (GeomType::Capsule, false) => PI * (a * a * 2.0 * b + 4.0 * a * a * a / 3.0),
        (GeomType::Capsule, true) => 4.0 * PI * a * a + 2.0 * PI * a * 2.0 * b,
        (GeomType::Cylinder, false) => PI * a * a * 2.0 * b,
        (GeomType::Cylinder, true) => 2.0 * PI * a * a + 2.0 * PI * a * 2.0 * b,
        (GeomType::Ellipsoid, false) => 4.0 * PI * a * b * c / 3.0,
        (GeomType::Ellipsoid, true) => {
            // Thomsen's formula, right to 1.1 %, which MuJoCo uses too.
            const POWER: f64 = 1.6075;
            let sum = libm::pow(a * b, POWER) + libm::pow(b * c, POWER) + libm::pow(c * a, POWER);
            4.0 * PI * libm::pow(sum / 3.0, 1.0 / POWER)
        }
        (GeomType::Box, false) => a * b * c * 8.0,
        (GeomType::Box, true) => 8.0 * (a * b + b * c + c * a),
        _ => 0.0,
    }
}

/// Moments of inertia about the own axes of a shape of some mass.
pub(crate) fn moments(kind: GeomType, [a, b, c]: [f64; 3], is_shell: bool, mass: f64) -> Vec3 {
    match (kind, is_shell) {
        (GeomType::Sphere, false) => Vec3::splat(2.0 * mass * a * a / 5.0),
        (GeomType::Sphere, true) => Vec3::splat(2.0 * mass * a * a / 3.0),
        (GeomType::Capsule, false) => solid_capsule(a, 2.0 * b, mass),
        (GeomType::Capsule, true) => hollow_capsule(a, b, mass),
        (GeomType::Cylinder, false) => {
            let across = mass * (3.0 * a * a + 4.0 * b * b) / 12.0;
            Vec3::new(across, across, mass * a * a / 2.0)
        }
        (GeomType::Cylinder, true) => hollow_cylinder(a, b, mass),
        (GeomType::Ellipsoid, false) => squares(a, b, c) * (mass / 5.0),
        (GeomType::Ellipsoid, true) => hollow_ellipsoid([a, b, c], mass),
        (GeomType::Box, false) => squares(a, b, c) * (mass / 3.0),
        (GeomType::Box, true) => hollow_box([a, b, c], mass),
        _ => Vec3::ZERO,
    }
}

/// b² + c², a² + c², a² + b².
fn squares(a: f64, b: f64, c: f64) -> Vec3 {
    Vec3::new(b * b + c * c, a * a + c * c, a * a + b * b)
}

fn solid_capsule(radius: f64, height: f64, mass: f64) -> Vec3 {
    let caps = mass * 4.0 * radius / (4.0 * radius + 3.0 * height);
    let cylinder = mass - caps;
    let sphere = 2.0 * caps * radius * radius / 5.0;
    let across = cylinder * (3.0 * radius * radius + height * height) / 12.0
        + sphere
        + caps * height * (3.0 * radius + 2.0 * height) / 8.0;
    Vec3::new(across, across, cylinder * radius * radius / 2.0 + sphere)
}

fn hollow_capsule(radius: f64, half_height: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half_height;
    let [sphere_area, tube_area] = [4.0 * PI * radius * radius, 2.0 * PI * radius * height];
    let caps = mass * sphere_area / (sphere_area + tube_area);
    let tube = mass - caps;
    let sphere = 2.0 * caps * radius * radius / 3.0;
    // Each hollow cap has its centre of mass half a radius from its rim.
    let (within, from_centre) = (radius / 2.0, half_height + radius / 2.0);
    let across = tube * (6.0 * radius * radius + height * height) / 12.0
        + sphere
        + caps * (from_centre * from_centre - within * within);
    Vec3::new(across, across, tube * radius * radius + sphere)
}

fn hollow_cylinder(radius: f64, half_height: f64, mass: f64) -> Vec3 {
    let height = 2.0 * half_height;
    let [disk_area, tube_area] = [PI * radius * radius, 2.0 * PI * radius * height];
    let disk = mass * disk_area / (2.0 * disk_area + tube_area);
    let tube = mass - 2.0 * disk;
    let across = tube * (6.0 * radius * radius + height * height) / 12.0
        + 2.0 * (disk * radius * radius / 4.0 + disk * half_height * half_height);
    Vec3::new(across, across, tube * radius * radius + disk * radius * radius)
}

/// The difference of two solid ellipsoids, one of them larger by a thin layer, as MuJoCo makes it.
fn hollow_ellipsoid([a, b, c]: [f64; 3], mass: f64) -> Vec3 {
    const LAYER: f64 = 1e-6;
    let [x, y, z] = [a + LAYER, b + LAYER, c + LAYER];
    let [inner, outer] = [4.0 * PI * a * b * c / 3.0, 4.0 * PI * x * y * z / 3.0];
    let density = mass / (outer - inner);
    // In this order: the difference of nearly equal numbers has the digits that rounding leaves.
    squares(x, y, z) * (outer * density) / 5.0 - squares(a, b, c) * (inner * density) / 5.0
}

fn hollow_box([a, b, c]: [f64; 3], mass: f64) -> Vec3 {
    let [x, y, z] = [2.0 * a, 2.0 * b, 2.0 * c];
    let areas = [x * y, y * z, z * x];
    let total = 2.0 * (areas[0] + areas[1] + areas[2]);
    // Masses of one side of each pair, and their moments about their own centres.
    let [top, front, side] = areas.map(|area| mass * area / total);
    let own = Vec3::new(
        (top * y * y + front * (y * y + z * z) + side * z * z) / 12.0,
        (top * x * x + front * z * z + side * (x * x + z * z)) / 12.0,
        (top * (x * x + y * y) + front * y * y + side * x * x) / 12.0,
    );
    let moved =
        Vec3::new(top * c * c + side * b * b, top * c * c + front * a * a, front * a * a + side * b * b);
    2.0 * (own + moved)
}
