//! Mass properties: closed forms against Gauss–Legendre integration over slices, Mirtich's integrals against
//! closed forms and, on triangulated spheres, the order of convergence; the algebra of shifts, turns and sums
//! against its definition.

use gedanken_geometry::mass::{MassProperties, of_polyhedron};
use gedanken_geometry::{Capsule, Compound, Cone, Cuboid, Cylinder, Part, Shape, ShapeError, Solid, Sphere};
use gedanken_math::linalg::symmetric3::diagonalise;
use gedanken_math::rotation::{from_rotation_vector, to_world};
use gedanken_math::{Mat3, Pose, Vec3};
use proptest::prelude::*;
use std::f64::consts::PI;

fn vector(size: f64) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
}

fn largest(m: Mat3) -> f64 {
    m.to_cols_array().iter().fold(0.0, |most, e| e.abs().max(most))
}

/// Volume, centre and inertia about the centre, from z-slices: area A(z) and second moments per slice, with
/// five-point Gauss–Legendre nodes on each piece. Exact for polynomials of degree nine: A z² of every
/// primitive has at most six.
fn integrate(
    pieces: &[(f64, f64)],
    area: impl Fn(f64) -> f64,
    slice: impl Fn(f64) -> (f64, f64),
) -> MassProperties {
    let outer = (5.0 + 2.0 * (10.0f64 / 7.0).sqrt()).sqrt() / 3.0;
    let inner = (5.0 - 2.0 * (10.0f64 / 7.0).sqrt()).sqrt() / 3.0;
    let (heavy, light) = ((322.0 + 13.0 * 70f64.sqrt()) / 900.0, (322.0 - 13.0 * 70f64.sqrt()) / 900.0);
    let rule = [(-outer, light), (-inner, heavy), (0.0, 128.0 / 225.0), (inner, heavy), (outer, light)];
    let (mut volume, mut first, mut xx, mut yy, mut zz) = (0.0, 0.0, 0.0, 0.0, 0.0);
    for &(low, high) in pieces {
        for (node, weight) in rule {
            let z = 0.5 * (low + high) + 0.5 * (high - low) * node;
            let weight = weight * 0.5 * (high - low);
            let (x2, y2) = slice(z);
            volume += weight * area(z);
            first += weight * area(z) * z;
            xx += weight * x2;
            yy += weight * y2;
            zz += weight * area(z) * z * z;
        }
    }
    let z = first / volume;
    zz -= volume * z * z;
    let inertia = Mat3::from_diagonal(Vec3::new(yy + zz, xx + zz, xx + yy));
    MassProperties { mass: volume, volume, centre: Vec3::new(0.0, 0.0, z), inertia }
}

/// A body of revolution of profile ρ²(z): slices are discs, ∫x² = π ρ⁴/4.
fn revolve(pieces: &[(f64, f64)], rho_squared: impl Fn(f64) -> f64) -> MassProperties {
    let second = |z: f64| PI * rho_squared(z) * rho_squared(z) / 4.0;
    integrate(pieces, |z| PI * rho_squared(z), |z| (second(z), second(z)))
}

/// Equal to `tolerance`, relative to the mass, to the largest moment, and, for the centre, to the body's
/// gyration radius.
fn assert_equal(ours: &MassProperties, other: &MassProperties, tolerance: f64) {
    let size = (largest(other.inertia) / other.mass).sqrt();
    assert!(
        (ours.mass - other.mass).abs() <= tolerance * other.mass,
        "masses {} and {}",
        ours.mass,
        other.mass
    );
    assert!((ours.volume - other.volume).abs() <= tolerance * other.volume);
    assert!(
        (ours.centre - other.centre).length() <= tolerance * size,
        "{} and {}",
        ours.centre,
        other.centre
    );
    let error = largest(ours.inertia - other.inertia);
    assert!(
        error <= tolerance * largest(other.inertia),
        "off by {error:e}\n{}\n{}",
        ours.inertia,
        other.inertia
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    /// The closed forms are the integrals. A few dozen operations of one rounding each: 2e-14 covers them.
    #[test]
    fn closed_forms_are_integrals(r in 0.1..4.0f64, h in 0.1..4.0f64, w in 0.1..4.0f64) {
        let tolerance = 2e-14;
        let sphere = Sphere::new(r).unwrap().mass_properties(1.0).unwrap();
        assert_equal(&sphere, &revolve(&[(-r, 0.0), (0.0, r)], |z| r * r - z * z), tolerance);
        let cylinder = Cylinder::new(r, h).unwrap().mass_properties(1.0).unwrap();
        assert_equal(&cylinder, &revolve(&[(-h, 0.0), (0.0, h)], |_| r * r), tolerance);
        let cone = Cone::new(r, h).unwrap();
        let width = |z: f64| r * (0.75 * h - z) / h;
        let slices = revolve(&[(cone.base_z(), cone.apex_z())], |z| width(z) * width(z));
        assert_equal(&cone.mass_properties(1.0).unwrap(), &slices, tolerance);
        let over = |z: f64| (z.abs() - h).max(0.0);
        let pieces = [(-h - r, -h), (-h, 0.0), (0.0, h), (h, h + r)];
        let capsule = Capsule::new(r, h).unwrap().mass_properties(1.0).unwrap();
        assert_equal(&capsule, &revolve(&pieces, |z| r * r - over(z) * over(z)), tolerance);
        let cuboid = Cuboid::new(Vec3::new(r, w, h)).unwrap().mass_properties(1.0).unwrap();
        let second = (r * r * r * w / 12.0, w * w * w * r / 12.0);
        assert_equal(&cuboid, &integrate(&[(-h / 2.0, 0.0), (0.0, h / 2.0)], |_| r * w, |_| second), tolerance);
    }

    /// Mirtich's integrals of a turned and moved box are its closed form, turned and moved.
    #[test]
    fn polyhedra_agree_with_boxes(size in vector(2.0), turn in vector(3.0), at in vector(10.0), density in 0.1..9.0f64) {
        let cuboid = Cuboid::new(size.abs() + Vec3::splat(0.1)).unwrap();
        let pose = Pose::new(from_rotation_vector(turn), at);
        let (vertices, triangles) = box_surface(cuboid.half_extents());
        let moved: Vec<Vec3> = vertices.iter().map(|&v| pose.point_to_world(v)).collect();
        let ours = of_polyhedron(&moved, &triangles, density).unwrap();
        // Vertices at 10 are rounded by several 10 ε; relative to edges of 0.1 that is 1e-13, and a volume
        // has three.
        assert_equal(&ours, &cuboid.mass_properties(density).unwrap().posed(&pose), 1e-12);
    }

    /// About a point, along any axis n: n·I·n grows by m |n × d|² (parallel axes).
    #[test]
    fn shifts_add_a_point_mass(size in vector(2.0), at in vector(5.0), axis in vector(1.0)) {
        let body = Cuboid::new(size.abs() + Vec3::splat(0.1)).unwrap().mass_properties(2.0).unwrap();
        let shifted = body.shifted(at);
        let expected = axis.dot(body.inertia * axis) + body.mass * axis.cross(at - body.centre).length_squared();
        prop_assert!((axis.dot(shifted * axis) - expected).abs() <= 1e-13 * largest(shifted));
        prop_assert_eq!(shifted, shifted.transpose());
        let moved = body.posed(&Pose::at(-at));
        prop_assert!(largest(moved.shifted(Vec3::ZERO) - shifted) <= 1e-13 * largest(shifted));
    }

    /// Principal axes put the matrix together again, right-handed, also for nearly equal moments: the error is a
    /// few roundings of the largest moment, whatever the gaps.
    #[test]
    fn principal_axes_diagonalise(
        moments in prop::array::uniform3(1.0..2.0f64), turn in vector(3.0), spread in -16..1i32, scale in -60..60i32,
    ) {
        let spread = libm::pow(10.0, f64::from(spread));
        let scale = libm::pow(10.0, f64::from(scale));
        let mut sorted = moments.map(|m| (1.5 + (m - 1.5) * spread) * scale);
        sorted.sort_by(f64::total_cmp);
        let inertia = Mat3::from_diagonal(Vec3::from_array(sorted));
        let body = MassProperties { mass: 1.0, volume: 1.0, centre: Vec3::ZERO, inertia };
        let turned = body.rotated(from_rotation_vector(turn));
        let (mut found, axes) = diagonalise(&turned.inertia);
        let rotation = Mat3::from_cols_array_2d(&axes.map(|axis| axis.to_array()));
        let tolerance = 16.0 * f64::EPSILON * 2.0 * scale;
        let back = rotation * Mat3::from_diagonal(Vec3::from_array(found)) * rotation.transpose();
        prop_assert!(largest(back - turned.inertia) <= tolerance);
        prop_assert!((axes[0].cross(axes[1]) - axes[2]).length() < 32.0 * f64::EPSILON);
        found.sort_by(f64::total_cmp);
        prop_assert!((Vec3::from_array(found) - Vec3::from_array(sorted)).abs().max_element() <= tolerance);
    }

    /// A box cut in two and glued again is the box, whatever the place of the cut.
    #[test]
    fn sums_glue(size in vector(2.0), cut in 0.1..0.9f64, turn in vector(3.0), at in vector(5.0)) {
        let size = size.abs() + Vec3::splat(0.1);
        let whole = Cuboid::new(size).unwrap().mass_properties(1.0).unwrap();
        let pose = Pose::new(from_rotation_vector(turn), at);
        let piece = |low: f64, high: f64| {
            let lengths = Vec3::new(size.x * (high - low), size.y, size.z);
            let middle = Vec3::new(size.x * (0.5 * (low + high) - 0.5), 0.0, 0.0);
            Part { shape: Shape::Cuboid(Cuboid::new(lengths).unwrap()), pose: pose * Pose::at(middle), density: 1.0 }
        };
        let glued = Compound::new(vec![piece(0.0, cut), piece(cut, 1.0)]).unwrap();
        assert_equal(&glued.mass_properties(1.0).unwrap(), &whole.posed(&pose), 1e-12);
    }

    /// Rotations keep the moments and turn the axes.
    #[test]
    fn rotations_turn_inertia(size in vector(2.0), turn in vector(3.0), axis in vector(1.0)) {
        let body = Cuboid::new(size.abs() + Vec3::splat(0.1)).unwrap().mass_properties(1.0).unwrap();
        let q = from_rotation_vector(turn);
        let turned = body.rotated(q);
        let about = to_world(q, axis);
        let change = about.dot(turned.inertia * about) - axis.dot(body.inertia * axis);
        prop_assert!(change.abs() < 1e-13 * largest(body.inertia));
        prop_assert_eq!(turned.inertia, turned.inertia.transpose());
    }
}

fn box_surface(half: Vec3) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let sign = |k: u32, bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
    let vertices = (0..8).map(|k| half * Vec3::new(sign(k, 0), sign(k, 1), sign(k, 2))).collect();
    let quads = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let triangles = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
    (vertices, triangles)
}

/// The cube, the 2 × 3 × 4 box and the corner tetrahedron, to rounding at the origin; at offsets of 1e6,
/// where vertices are rounded by 1e-10, to 1e-9.
#[test]
fn known_polyhedra() {
    for lengths in [Vec3::ONE, Vec3::new(2.0, 3.0, 4.0)] {
        let (vertices, triangles) = box_surface(lengths * 0.5);
        let closed = Cuboid::new(lengths).unwrap().mass_properties(3.0).unwrap();
        assert_equal(&of_polyhedron(&vertices, &triangles, 3.0).unwrap(), &closed, 1e-14);
        for offset in [Vec3::splat(1e6), Vec3::new(1e6, -1e6, 0.1), Vec3::new(123_456.789, 1e6 / 3.0, -1e6)] {
            let far: Vec<Vec3> = vertices.iter().map(|&v| v + offset).collect();
            let moved = MassProperties { centre: closed.centre + offset, ..closed };
            assert_equal(&of_polyhedron(&far, &triangles, 3.0).unwrap(), &moved, 1e-9);
        }
    }
    // The tetrahedron 0, x, y, z: V = 1/6, centre 1/4, ∫x² = 1/60 and ∫xy = 1/120 about the origin, hence
    // about the centre ∫x² = 1/60 - V/16 = 1/160 and ∫xy = 1/120 - V/16 = -1/480.
    let vertices = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
    let triangles = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    let (on, off) = (1.0 / 80.0, 1.0 / 480.0);
    let inertia = Mat3::from_cols_array(&[on, off, off, off, on, off, off, off, on]);
    let known = MassProperties { mass: 1.0 / 6.0, volume: 1.0 / 6.0, centre: Vec3::splat(0.25), inertia };
    assert_equal(&of_polyhedron(&vertices, &triangles, 1.0).unwrap(), &known, 1e-14);
    let far = vertices.map(|v| v + Vec3::splat(1e6));
    let moved = MassProperties { centre: known.centre + Vec3::splat(1e6), ..known };
    assert_equal(&of_polyhedron(&far, &triangles, 1.0).unwrap(), &moved, 1e-9);
}

/// A sphere of n rings and twice as many segments around.
fn globe(n: u32) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let mut vertices = vec![Vec3::Z, -Vec3::Z];
    let around = 2 * n;
    for ring in 1..n {
        let (sin, cos) = libm::sincos(PI * f64::from(ring) / f64::from(n));
        for k in 0..around {
            let (y, x) = libm::sincos(2.0 * PI * f64::from(k) / f64::from(around));
            vertices.push(Vec3::new(sin * x, sin * y, cos));
        }
    }
    let at = |ring: u32, k: u32| match ring {
        0 => 0,
        _ if ring == n => 1,
        _ => 2 + (ring - 1) * around + k % around,
    };
    let mut triangles = Vec::new();
    for ring in 0..n {
        for k in 0..around {
            let [a, b, c, d] = [at(ring, k), at(ring + 1, k), at(ring + 1, k + 1), at(ring, k + 1)];
            if b != c {
                triangles.push([a, b, c]);
            }
            if a != d {
                triangles.push([a, c, d]);
            }
        }
    }
    (vertices, triangles)
}

/// Inscribed globes approach the ball at order two: halving the facets quarters the error of volume and
/// inertia.
#[test]
fn globes_converge_at_order_two() {
    let ball = Sphere::new(1.0).unwrap().mass_properties(1.0).unwrap();
    let errors: Vec<(f64, f64)> = [16, 32, 64, 128]
        .into_iter()
        .map(|n| {
            let (vertices, triangles) = globe(n);
            let found = of_polyhedron(&vertices, &triangles, 1.0).unwrap();
            assert!(found.centre.length() < 1e-13);
            (1.0 - found.volume / ball.volume, 1.0 - found.inertia.z_axis.z / ball.inertia.z_axis.z)
        })
        .collect();
    for pair in errors.windows(2) {
        let order = |coarse: f64, fine: f64| libm::log2(coarse / fine);
        let (volume, inertia) = (order(pair[0].0, pair[1].0), order(pair[0].1, pair[1].1));
        // The next term of the error is of order four: at n = 16 it bends the slope by about (π/16)².
        assert!((volume - 2.0).abs() < 0.04 && (inertia - 2.0).abs() < 0.04, "orders {volume} and {inertia}");
    }
}

#[test]
fn surfaces_that_are_no_solids_are_refused() {
    let (vertices, triangles) = box_surface(Vec3::ONE);
    let reversed: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let refused = |triangles: &[[u32; 3]]| of_polyhedron(&vertices, triangles, 1.0).unwrap_err();
    assert!(matches!(refused(&reversed), ShapeError::InsideOut { volume } if (volume + 8.0).abs() < 1e-13));
    assert_eq!(refused(&[]), ShapeError::NoTriangles);
    assert!(refused(&triangles[1..]).to_string().contains("only one triangle"));
    let mut one_turned = triangles.clone();
    one_turned[0].swap(0, 1);
    assert!(refused(&one_turned).to_string().contains("the same way"));
    let twice = [triangles.clone(), triangles.clone()].concat();
    assert!(refused(&twice).to_string().contains("more than two"));
    assert!(refused(&[[0, 1, 1]]).to_string().contains("twice"));
    assert!(matches!(refused(&[[0, 1, 9]]), ShapeError::NoVertex { vertex: 9, .. }));
    // Two faces back to back, and a box without thickness: closed, but with nothing inside.
    assert!(matches!(refused(&[[0, 1, 2], [0, 2, 1]]), ShapeError::InsideOut { .. }));
    let flat: Vec<Vec3> =
        vertices.iter().map(|v| Vec3::new(v.x + 0.1, v.y / 3.0, 0.1 * v.x + 0.7 * v.y)).collect();
    assert!(matches!(of_polyhedron(&flat, &triangles, 1.0), Err(ShapeError::InsideOut { .. })));
    assert!(matches!(
        of_polyhedron(&vertices, &triangles, -1.0),
        Err(ShapeError::BadSize { field: "density", .. })
    ));
    let holed = [&vertices[..7], &[Vec3::NAN]].concat();
    assert!(matches!(of_polyhedron(&holed, &triangles, 1.0), Err(ShapeError::NotFinite { index: 7, .. })));
}

/// Needles and plates keep their digits.
#[test]
fn needles_and_plates() {
    for lengths in [Vec3::new(1.0, 1e-4, 1e-4), Vec3::new(1.0, 1.0, 1e-7), Vec3::new(1e-7, 1e-7, 1.0)] {
        let (vertices, triangles) = box_surface(lengths * 0.5);
        let closed = Cuboid::new(lengths).unwrap().mass_properties(1.0).unwrap();
        assert_equal(&of_polyhedron(&vertices, &triangles, 1.0).unwrap(), &closed, 1e-13);
    }
}
