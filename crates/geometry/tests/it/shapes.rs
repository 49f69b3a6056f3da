//! Every shape's queries against each other and against an independent description: its surface as points
//! drawn by formula, and its inside as an inequality.
//!
//! Tolerances: sizes are below 4 and points below 12, so coordinates carry errors of a few times 12 ε ≈
//! 3e-15, a distance a few of those, and 1e-13 leaves room for the longest chain of operations. Where a
//! square root is taken near zero (grazing rays), the tolerance says so.

use gedanken_geometry::{
    Capsule, Compound, Cone, Cuboid, Cylinder, HalfSpace, Part, Ray, Shape, ShapeError, Solid, Sphere,
    TriangleMesh,
};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use proptest::prelude::*;
use std::f64::consts::TAU;
use std::sync::Arc;

const ROUNDING: f64 = 1e-13;

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

fn direction() -> impl Strategy<Value = Vec3> {
    vector(1.0).prop_filter("a direction has a length", |v| v.length() > 0.1)
}

/// The five bounded primitives, of random sizes.
fn primitive() -> impl Strategy<Value = Shape> {
    (0..5u8, prop::array::uniform3(0.1..4.0f64)).prop_map(|(kind, sizes)| of_kind(kind, sizes))
}

fn of_kind(kind: u8, [a, b, c]: [f64; 3]) -> Shape {
    match kind {
        0 => Shape::Sphere(Sphere::new(a).unwrap()),
        1 => Shape::Cuboid(Cuboid::new(Vec3::new(a, b, c)).unwrap()),
        2 => Shape::Capsule(Capsule::new(a, b).unwrap()),
        3 => Shape::Cylinder(Cylinder::new(a, b).unwrap()),
        _ => Shape::Cone(Cone::new(a, b).unwrap()),
    }
}

/// Excess of a point by the inequality that defines the shape: positive outside, negative inside,
/// zero on the surface; not a distance.
fn excess(shape: &Shape, p: Vec3) -> f64 {
    let rho = (p.x * p.x + p.y * p.y).sqrt();
    match shape {
        Shape::Sphere(s) => p.length() - s.radius(),
        Shape::Cuboid(s) => (p.abs() - s.half_extents()).max_element(),
        Shape::Capsule(s) => {
            let over = (p.z.abs() - s.half_length()).max(0.0);
            (rho * rho + over * over).sqrt() - s.radius()
        }
        Shape::Cylinder(s) => (rho - s.radius()).max(p.z.abs() - s.half_height()),
        Shape::Cone(s) => {
            let width = s.radius() * (s.apex_z() - p.z) / s.height();
            let slant = (s.radius() * s.radius() + s.height() * s.height()).sqrt();
            ((rho - width) * s.height() / slant).max(s.base_z() - p.z)
        }
        _ => unreachable!("only primitives are drawn"),
    }
}

/// A point of the surface, from two numbers in [0, 1): `u` chooses the face and the place on it, `v` goes
/// around.
fn on_surface(shape: &Shape, u: f64, v: f64) -> Vec3 {
    let round = |rho: f64, z: f64| Vec3::new(rho * libm::cos(TAU * v), rho * libm::sin(TAU * v), z);
    let (face, within) = ((u * 3.0).floor(), (u * 3.0).fract());
    let ball = |r: f64, cos: f64| round(r * (1.0 - cos * cos).max(0.0).sqrt(), r * cos);
    match shape {
        Shape::Sphere(s) => ball(s.radius(), 2.0 * u - 1.0),
        Shape::Cuboid(s) => {
            let axis = face as usize;
            let side = if within < 0.5 { -1.0 } else { 1.0 };
            let mut p = s.half_extents();
            p[axis] *= side;
            p[(axis + 1) % 3] *= 4.0 * (within % 0.5) - 1.0;
            p[(axis + 2) % 3] *= 2.0 * v - 1.0;
            p
        }
        Shape::Capsule(s) => match face as u8 {
            0 => round(s.radius(), s.half_length() * (2.0 * within - 1.0)),
            1 => ball(s.radius(), within) + Vec3::Z * s.half_length(),
            _ => ball(s.radius(), -within) - Vec3::Z * s.half_length(),
        },
        Shape::Cylinder(s) => match face as u8 {
            0 => round(s.radius(), s.half_height() * (2.0 * within - 1.0)),
            1 => round(s.radius() * within, s.half_height()),
            _ => round(s.radius() * within, -s.half_height()),
        },
        Shape::Cone(s) => match face as u8 {
            0 => round(s.radius() * within, s.base_z()),
            _ => {
                let down = (u * 1.5 - 0.5).clamp(0.0, 1.0);
                round(s.radius() * down, s.apex_z() - s.height() * down)
            }
        },
        _ => unreachable!("only primitives are drawn"),
    }
}

/// Points all over the surface.
fn surface(shape: &Shape, count: u32) -> impl Iterator<Item = Vec3> + '_ {
    (0..count * count).map(move |k| {
        let (i, j) = (f64::from(k / count), f64::from(k % count));
        on_surface(shape, (i + 0.5) / f64::from(count), j / f64::from(count))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    /// The projection is on the surface, at the distance told, on the side told, with the normal along the
    /// way, and no other point of the surface is closer.
    #[test]
    fn projections_are_closest(shape in primitive(), point in vector(6.0)) {
        let found = shape.project(point);
        prop_assert!(excess(&shape, found.point).abs() < ROUNDING, "off the surface by {}", excess(&shape, found.point));
        prop_assert!((found.normal.length() - 1.0).abs() < 4.0 * f64::EPSILON);
        let way = point - found.point;
        prop_assert!((way.length() - found.signed_distance.abs()).abs() < ROUNDING);
        prop_assert!((way - found.normal * found.signed_distance).length() < ROUNDING);
        prop_assert_eq!(found.signed_distance > 0.0, excess(&shape, point) > 0.0);
        prop_assert_eq!(shape.signed_distance(point), found.signed_distance);
        prop_assert_eq!(shape.contains(point, 0.0), found.signed_distance <= 0.0);
        for other in surface(&shape, 24) {
            prop_assert!((point - other).length() >= found.signed_distance.abs() - ROUNDING);
        }
    }

    /// The normal is the gradient of the distance: central differences, off by h² times the curvature, which
    /// is at most 1/|distance| here, plus rounding over h.
    #[test]
    fn normals_are_gradients(shape in primitive(), point in vector(6.0)) {
        let found = shape.project(point);
        if found.signed_distance < 0.05 {
            return Ok(());
        }
        let h = 1e-5;
        let slope = |axis: Vec3| {
            (shape.signed_distance(point + axis * h) - shape.signed_distance(point - axis * h)) / (2.0 * h)
        };
        let gradient = Vec3::new(slope(Vec3::X), slope(Vec3::Y), slope(Vec3::Z));
        // Second derivatives jump where the closest feature changes: first order in h there, h/distance at
        // most.
        prop_assert!((gradient - found.normal).length() < 2.0 * h / found.signed_distance + 1e-9);
    }

    /// A surface point is its own projection.
    #[test]
    fn surface_points_project_to_themselves(shape in primitive(), u in 0.0..1.0f64, v in 0.0..1.0f64) {
        let point = on_surface(&shape, u, v);
        prop_assert!(shape.signed_distance(point).abs() < ROUNDING);
        prop_assert!((shape.project(point).point - point).length() < ROUNDING);
        prop_assert!(shape.contains(point, ROUNDING));
    }

    /// A hit is on the surface and faces the ray, and nothing before it is inside; a miss never comes inside.
    #[test]
    fn rays_stop_at_the_first_surface(
        shape in primitive(), origin in vector(8.0), aim in vector(3.0), length in 0.01..100.0f64,
    ) {
        let way = aim - origin;
        prop_assume!(way.length() > 0.1);
        let ray = Ray::new(origin, way * (length / way.length()));
        let hit = shape.cast_ray(&ray);
        if excess(&shape, origin) < -ROUNDING {
            let hit = hit.unwrap();
            prop_assert_eq!(hit.t, 0.0);
            prop_assert!((hit.normal + way.normalize()).length() < ROUNDING);
            return Ok(());
        }
        let end = if let Some(hit) = hit {
            let at = ray.at(hit.t);
            prop_assert!(excess(&shape, at).abs() < ROUNDING, "off by {}", excess(&shape, at));
            prop_assert!(hit.normal.dot(ray.direction) <= ROUNDING * length);
            prop_assert!((hit.normal.length() - 1.0).abs() < 4.0 * f64::EPSILON);
            // Straight outside the hit, the closest surface is the hit. Rounding beyond an edge turns it by
            // ε/1e-4.
            let outside = shape.project(at + hit.normal * 1e-4);
            prop_assert!((outside.normal - hit.normal).length() < 1e-8, "{} and {}", outside.normal, hit.normal);
            hit.t
        } else {
            20.0 / length
        };
        for k in 0..500 {
            let before = ray.at(end * f64::from(k) / 500.0);
            prop_assert!(excess(&shape, before) > -ROUNDING, "{before} is inside");
        }
    }

    /// A ray that starts on the surface, to rounding, and leaves it, does not hit the surface again; the
    /// opposite one enters at once. Both count as inside where the start does.
    #[test]
    fn rays_from_the_surface(shape in primitive(), u in 0.0..1.0f64, v in 0.0..1.0f64) {
        let origin = on_surface(&shape, u, v);
        let outward = shape.project(origin).normal;
        let (leaving, entering) = (Ray::new(origin, outward), Ray::new(origin, -outward));
        let (gone, back) = (shape.cast_ray(&leaving), shape.cast_ray(&entering).unwrap());
        if shape.contains(origin, 0.0) {
            prop_assert_eq!((gone.unwrap().t, back.t), (0.0, 0.0));
        } else {
            prop_assert_eq!(gone, None);
            prop_assert!(back.t < ROUNDING);
        }
    }

    /// A ray aimed at an inside point always hits, and from 1e6 sizes away lands on the surface as well as
    /// its origin is known: a few rounding errors of 1e6.
    #[test]
    fn far_rays_hit(shape in primitive(), inside in vector(0.02), back in direction()) {
        let origin = inside + back.normalize() * 1e6;
        let hit = shape.cast_ray(&Ray::new(origin, inside - origin)).unwrap();
        let at = origin + (inside - origin) * hit.t;
        prop_assert!(excess(&shape, at).abs() < 16.0 * f64::EPSILON * 1e6);
    }

    /// No point of the surface is farther along than the support point, which is on the surface, and the box
    /// of the turned shape touches the supports along the axes.
    #[test]
    fn supports_and_bounds_are_farthest(shape in primitive(), along in direction(), turn in vector(3.0), at in vector(5.0)) {
        let convex = shape.convex().unwrap();
        let farthest = convex.support(along);
        prop_assert!(excess(&shape, farthest).abs() < ROUNDING);
        prop_assert!(excess(&shape, convex.centre()) < 0.0);
        for other in surface(&shape, 16) {
            prop_assert!(other.dot(along) <= farthest.dot(along) + ROUNDING);
        }
        let tiny = convex.core_support(along * 1e-200);
        prop_assert!((tiny - convex.core_support(along)).length() < ROUNDING);
        let pose = Pose::new(from_rotation_vector(turn), at);
        let bounds = shape.bounds(&pose);
        for (k, axis) in Vec3::AXES.into_iter().enumerate() {
            let up = pose.point_to_world(convex.support(pose.vector_to_body(axis)))[k];
            let down = pose.point_to_world(convex.support(pose.vector_to_body(-axis)))[k];
            prop_assert!((bounds.max[k] - up).abs() < ROUNDING && (bounds.min[k] - down).abs() < ROUNDING);
        }
    }

    /// Needles, plates and points far away or very near: errors stay at the rounding of the largest length
    /// involved. The longest chain, the roots for a cone, has some thirty operations.
    #[test]
    fn extreme_sizes_keep_their_digits(
        kind in 0..5u8, sizes in prop::array::uniform3(-4.0..4.0f64), place in direction(), far in -6.0..6.0f64,
    ) {
        let sizes = sizes.map(|e| libm::pow(10.0, e));
        let shape = of_kind(kind, sizes);
        let point = place * libm::pow(10.0, far);
        let rounding = 64.0 * f64::EPSILON * (point.length() + sizes[0] + sizes[1] + sizes[2]);
        let found = shape.project(point);
        prop_assert!(excess(&shape, found.point).abs() <= rounding, "{:e} off", excess(&shape, found.point));
        prop_assert!((point - found.point - found.normal * found.signed_distance).length() <= rounding);
        let hit = shape.cast_ray(&Ray::new(point, -place)).unwrap();
        if shape.contains(point, 0.0) {
            prop_assert_eq!(hit.t, 0.0);
        } else {
            let at = point - place * hit.t;
            prop_assert!(excess(&shape, at).abs() <= rounding, "{:e} off", excess(&shape, at));
        }
    }

    /// Everything scaled by a power of two scales the answers, even where squares of lengths leave the range
    /// of numbers.
    #[test]
    fn answers_scale(
        kind in 0..5u8, sizes in prop::array::uniform3(0.1..4.0f64), p in vector(6.0), d in direction(),
        power in prop::sample::select(vec![-700, -300, 300, 700]),
    ) {
        let scale = libm::ldexp(1.0, power);
        let (shape, scaled) = (of_kind(kind, sizes), of_kind(kind, sizes.map(|size| size * scale)));
        let (one, other) = (shape.project(p), scaled.project(p * scale));
        // Between two equally close features rounding decides: the distance is the same, the place need not
        // be.
        prop_assert!((one.signed_distance - other.signed_distance / scale).abs() < ROUNDING);
        let ray = |scale: f64| Ray::new(p * scale, d);
        match (shape.cast_ray(&ray(1.0)), scaled.cast_ray(&ray(scale))) {
            (Some(one), Some(other)) => {
                // A grazing ray moves along the surface by the root of what it is lifted by.
                let graze = one.normal.dot(d).abs().max(1e-6);
                prop_assert!((one.t - other.t / scale).abs() < ROUNDING / graze, "{} and {}", one.t, other.t / scale);
            }
            (None, None) => {}
            (one, other) => prop_assert!(false, "{one:?} but {other:?}"),
        }
    }

    /// A half-space is its inequality.
    #[test]
    fn half_spaces_are_their_inequality(normal in direction(), offset in -3.0..3.0f64, p in vector(6.0), d in direction()) {
        let half = HalfSpace::new(normal, offset).unwrap();
        let found = half.project(p);
        let n = normal.normalize();
        prop_assert!((found.signed_distance - (p.dot(normal) - offset) / normal.length()).abs() < ROUNDING);
        prop_assert!((found.point.dot(normal) - offset).abs() < ROUNDING);
        prop_assert!((found.normal - n).length() < ROUNDING);
        prop_assert_eq!(half.contains(p, 0.0), found.signed_distance <= 0.0);
        match half.cast_ray(&Ray::new(p, d)) {
            Some(hit) if half.contains(p, 0.0) => prop_assert_eq!(hit.t, 0.0),
            Some(hit) => {
                let error = 16.0 * f64::EPSILON * (1.0 + hit.t);
                prop_assert!((p + d * hit.t).dot(n) - half.offset() < error * 4.0);
            }
            None => prop_assert!(found.signed_distance > 0.0 && d.dot(n) >= 0.0),
        }
        prop_assert!(half.mass_properties(1.0).is_err());
        prop_assert_eq!(half.bounds(&Pose::IDENTITY).max, Vec3::INFINITY);
    }

    /// A compound is the union of its parts: containment, distance from outside, rays and box.
    #[test]
    fn compounds_are_unions(
        parts in prop::collection::vec((primitive(), vector(3.0), vector(4.0)), 1..5), p in vector(9.0), aim in vector(4.0),
    ) {
        let d = aim - p;
        let parts: Vec<Part> = parts
            .into_iter()
            .map(|(shape, turn, at)| Part { shape, pose: Pose::new(from_rotation_vector(turn), at), density: 1.0 })
            .collect();
        let compound = Compound::new(parts.clone()).unwrap();
        let local = |part: &Part| part.pose.point_to_body(p);
        let least = parts.iter().map(|part| part.shape.signed_distance(local(part))).fold(f64::INFINITY, f64::min);
        let found = compound.project(p);
        prop_assert_eq!(found.signed_distance, least);
        prop_assert!((p - found.point - found.normal * least).length() < ROUNDING);
        let first = parts
            .iter()
            .filter_map(|part| part.shape.cast_ray(&Ray::new(local(part), part.pose.vector_to_body(d))))
            .map(|hit| hit.t)
            .fold(f64::INFINITY, f64::min);
        prop_assert_eq!(compound.cast_ray(&Ray::new(p, d)).map_or(f64::INFINITY, |hit| hit.t), first);
        let nested = Compound::new(vec![Part {
            shape: Shape::Compound(Arc::new(compound.clone())), pose: Pose::IDENTITY, density: 2.0,
        }]).unwrap();
        prop_assert_eq!(nested.parts().len(), parts.len());
        let (one, two) = (compound.mass_properties(1.0).unwrap(), nested.mass_properties(0.5).unwrap());
        prop_assert!((one.mass - two.mass).abs() < ROUNDING * one.mass);
    }

    /// A mesh answers as the triangles do one by one.
    #[test]
    fn the_tree_changes_no_answer(
        triangles in prop::collection::vec((vector(4.0), vector(1.0), vector(1.0)), 1..60),
        p in vector(6.0), d in direction(),
    ) {
        let mut vertices = Vec::new();
        for &(a, b, c) in &triangles {
            prop_assume!(b.cross(c).length() > 1e-3);
            vertices.extend([a, a + b, a + c]);
        }
        let names: Vec<[u32; 3]> = (0..triangles.len() as u32).map(|k| [3 * k, 3 * k + 1, 3 * k + 2]).collect();
        let mesh = TriangleMesh::new(vertices.clone(), names.clone()).unwrap();
        let alone: Vec<TriangleMesh> =
            names.iter().map(|t| TriangleMesh::new(vertices.clone(), vec![*t]).unwrap()).collect();
        let ray = Ray::new(p, d);
        let nearest = alone.iter().map(|m| m.signed_distance(p)).fold(f64::INFINITY, f64::min);
        let first = alone.iter().filter_map(|m| m.cast_ray(&ray)).map(|h| h.t).fold(f64::INFINITY, f64::min);
        let found = mesh.project(p);
        prop_assert_eq!(found.signed_distance, nearest);
        prop_assert!((p - found.point - found.normal * nearest).length() < ROUNDING);
        prop_assert_eq!(mesh.cast_ray(&ray).map_or(f64::INFINITY, |h| h.t), first);
        let region = Sphere::new(1.0).unwrap().bounds(&Pose::at(p));
        let mut seen = Vec::new();
        mesh.triangles_in(&region, |k| seen.push(k));
        seen.sort_unstable();
        let touching = |k: &u32| {
            let [a, b, c] = mesh.corners(*k);
            a.min(b).min(c).cmple(region.max).all() && a.max(b).max(c).cmpge(region.min).all()
        };
        prop_assert_eq!(seen, (0..names.len() as u32).filter(touching).collect::<Vec<_>>());
        // Closest against points of each triangle, and the hit in its plane.
        for &(a, b, c) in &triangles {
            for k in 0..66u32 {
                let (u, v) = (f64::from(k % 11) / 10.0, f64::from(k / 11) / 10.0);
                let other = a + b * (u * (1.0 - v)) + c * v;
                prop_assert!((p - other).length() >= nearest - ROUNDING);
            }
        }
        if let Some((hit, k)) = mesh.cast(&ray) {
            let [a, _, _] = mesh.corners(k);
            let graze = hit.normal.dot(d).abs();
            prop_assert!((ray.at(hit.t) - a).dot(mesh.normal(k)).abs() < ROUNDING);
            prop_assert!(hit.normal.dot(d) <= 0.0 && graze <= 2.0);
            prop_assert!(mesh.signed_distance(ray.at(hit.t)) < ROUNDING / graze.max(1e-3));
        }
    }

    /// Rays through the edges and corners of a closed surface do not slip between its triangles.
    #[test]
    fn meshes_are_watertight(turn in vector(3.0), from in direction(), edge in 0..18usize, along in 0.0..=1.0f64) {
        let (corners, triangles) = unit_cube();
        let rotation = from_rotation_vector(turn);
        let vertices: Vec<Vec3> = corners.iter().map(|&v| gedanken_math::rotation::to_world(rotation, v)).collect();
        let mesh = TriangleMesh::new(vertices.clone(), triangles.clone()).unwrap();
        let [a, b] = {
            let t = triangles[edge % 12];
            [vertices[t[edge % 3] as usize], vertices[t[(edge + 1) % 3] as usize]]
        };
        // From the outside through a point of an edge, towards the inside: a hit there at the latest.
        let on_edge = a + (b - a) * along;
        let origin = on_edge * 0.999 + from.normalize() * 5.0;
        let hit = mesh.cast_ray(&Ray::new(origin, on_edge * 0.999 - origin)).unwrap();
        prop_assert!(hit.t <= 1.0);
        let through = mesh.cast_ray(&Ray::new(Vec3::ZERO, on_edge)).unwrap();
        prop_assert!((through.t - 1.0).abs() < ROUNDING);
    }
}

fn unit_cube() -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let corner = |k: u32, bit: u32| if k >> bit & 1 == 1 { 0.5 } else { -0.5 };
    let vertices = (0..8).map(|k| Vec3::new(corner(k, 0), corner(k, 1), corner(k, 2))).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    (vertices, triangles)
}

/// Places with no unique closest point, and places on the surface: one answer, always the same, with a unit
/// normal.
#[test]
fn degenerate_places_have_answers() {
    let shapes = [
        Shape::Sphere(Sphere::new(1.0).unwrap()),
        Shape::Cuboid(Cuboid::new(Vec3::splat(2.0)).unwrap()),
        Shape::Capsule(Capsule::new(1.0, 2.0).unwrap()),
        Shape::Cylinder(Cylinder::new(1.0, 2.0).unwrap()),
        Shape::Cone(Cone::new(1.0, 2.0).unwrap()),
    ];
    let heights = [-3.0, -2.0, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 1e-300, 1e-170];
    for shape in &shapes {
        for z in heights {
            for x in [0.0, 1e-300, -1e-170, 1.0, -1.0] {
                let point = Vec3::new(x, 0.0, z);
                let found = shape.project(point);
                assert!(
                    (found.normal.length() - 1.0).abs() < 4.0 * f64::EPSILON,
                    "{shape:?} {point}: {found:?}"
                );
                assert!(excess(shape, found.point).abs() < ROUNDING, "{shape:?} {point}: {found:?}");
                assert!(((point - found.point).length() - found.signed_distance.abs()).abs() < ROUNDING);
            }
        }
        assert!(shape.cast_ray(&Ray::new(Vec3::ZERO, Vec3::ZERO)).is_none());
        assert!(shape.cast_ray(&Ray::new(Vec3::NAN, Vec3::X)).is_none());
        assert!(shape.cast_ray(&Ray::new(Vec3::X * 9.0, Vec3::INFINITY)).is_none());
        for axis in Vec3::AXES {
            for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
                let nowhere = Vec3::select(axis.cmpgt(Vec3::ZERO), Vec3::splat(value), Vec3::ZERO);
                assert!(!shape.contains(nowhere, 1.0), "{shape:?} contains {nowhere}");
            }
        }
        // Along and across the axis, through apex, rim and corner, and tangent to the side.
        for z in heights {
            for origin in [Vec3::new(9.0, 0.0, z), Vec3::new(9.0, 1.0, z), Vec3::new(9.0, 1.0 + 1e-9, z)] {
                if let Some(hit) = shape.cast_ray(&Ray::new(origin, -Vec3::X)) {
                    assert!(
                        excess(shape, origin - Vec3::X * hit.t).abs() < ROUNDING,
                        "{shape:?} {origin} {hit:?}"
                    );
                }
            }
        }
        for (origin, down) in [(Vec3::Z * 9.0, -Vec3::Z), (Vec3::Z * -9.0, Vec3::Z)] {
            let hit = shape.cast_ray(&Ray::new(origin, down)).unwrap();
            assert!(excess(shape, origin + down * hit.t).abs() < ROUNDING);
            assert!((hit.normal + down).length() < ROUNDING, "{shape:?}: {hit:?}");
        }
    }
    assert_eq!(shapes[0].project(Vec3::ZERO).normal, Vec3::Z);
    assert_eq!(shapes[1].project(Vec3::ZERO).normal, Vec3::X);
    assert_eq!(shapes[2].project(Vec3::ZERO).normal, Vec3::X);
    assert_eq!(shapes[3].project(Vec3::ZERO).normal, Vec3::X);
}

/// A ray along a generator of a cone, where its quadratic has no quadratic term, and one that starts on the
/// surface.
#[test]
fn rays_along_generators() {
    let cone = Cone::new(3.0, 4.0).unwrap();
    // Down the mantle's own direction, shifted inwards by 1: enters where the mantle is 1 away along x on the
    // other side.
    let generator = Vec3::new(3.0, 0.0, -4.0);
    let start = Vec3::new(-1.0, 0.0, 3.0) - generator;
    let hit = cone.cast_ray(&Ray::new(start, generator)).unwrap();
    let at = start + generator * hit.t;
    // On the far mantle x = -3/4 (3 - z), and on the line x + 1 = 3/4 (3 - z): z = 7/3.
    assert!((at - Vec3::new(-0.5, 0.0, 7.0 / 3.0)).length() < ROUNDING, "{at}");
    assert!((hit.normal - Vec3::new(-0.8, 0.0, 0.6)).length() < ROUNDING);
}

#[test]
fn bad_sizes_are_named() {
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let messages = [
            Sphere::new(bad).unwrap_err().to_string(),
            Cuboid::new(Vec3::new(1.0, bad, 1.0)).unwrap_err().to_string(),
            Capsule::new(1.0, bad).unwrap_err().to_string(),
            Cylinder::new(bad, 1.0).unwrap_err().to_string(),
            Cone::new(1.0, bad).unwrap_err().to_string(),
            Sphere::new(1.0).unwrap().mass_properties(bad).unwrap_err().to_string(),
        ];
        let named = ["radius of a sphere", "length along y of a cuboid", "half length of a capsule"];
        let named =
            named.into_iter().chain(["radius of a cylinder", "height of a cone", "density of a sphere"]);
        for (message, name) in messages.iter().zip(named) {
            assert!(message.contains(name), "{message}");
        }
    }
    assert!(matches!(HalfSpace::new(Vec3::ZERO, 0.0), Err(ShapeError::NoDirection { .. })));
    assert!(matches!(HalfSpace::new(Vec3::NAN, 0.0), Err(ShapeError::NoDirection { .. })));
    assert!(matches!(HalfSpace::new(Vec3::X, f64::NAN), Err(ShapeError::NotFinite { .. })));
    assert!(Sphere::new(1e200).unwrap().mass_properties(1.0).is_err());
    assert_eq!(Compound::new(Vec::new()).unwrap_err(), ShapeError::NoParts);
    let part =
        |shape, pose, density| Compound::new(vec![Part { shape, pose, density }]).unwrap_err().to_string();
    let ball = Shape::Sphere(Sphere::new(1.0).unwrap());
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    assert!(part(floor, Pose::IDENTITY, 1.0).contains("part 0 of a compound is a half-space"));
    assert!(part(ball.clone(), Pose::at(Vec3::NAN), 1.0).contains("pose is not finite"));
    assert!(part(ball, Pose::IDENTITY, 0.0).contains("density"));
    let (vertices, triangles) = unit_cube();
    let mesh = TriangleMesh::new(vertices.clone(), triangles.clone()).unwrap();
    assert!(matches!(mesh.mass_properties(1.0), Err(ShapeError::Without { shape: "mesh", .. })));
    assert!((mesh.as_solid(2.0).unwrap().mass - 2.0).abs() < ROUNDING);
    assert!(part(Shape::Mesh(Arc::new(mesh)), Pose::IDENTITY, 1.0).contains("no inside"));
    let open = TriangleMesh::new(vertices.clone(), triangles[1..].to_vec()).unwrap();
    assert!(matches!(open.as_solid(1.0), Err(ShapeError::Open { .. })));
    assert_eq!(TriangleMesh::new(vertices.clone(), Vec::new()).unwrap_err(), ShapeError::NoTriangles);
    let flat = TriangleMesh::new(vec![Vec3::ZERO, Vec3::ONE, Vec3::splat(3.0)], vec![[0, 1, 2]]);
    assert_eq!(flat.unwrap_err(), ShapeError::FlatTriangle { triangle: 0 });
    let missing = TriangleMesh::new(vertices, vec![[0, 1, 8]]);
    assert_eq!(missing.unwrap_err(), ShapeError::NoVertex { triangle: 0, vertex: 8, count: 8 });
}
