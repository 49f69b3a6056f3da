//! Contacts where geometry is degenerate: touching, parallel, concentric, needles and plates; closed forms
//! for each.

use crate::random_shapes::{Polytope, Random, separating_axes, support_gap};
use gedanken_geometry::narrow::{self, Contact, Distance, QueryError, Scratch};
use gedanken_geometry::{Capsule, Compound, ConvexHull, Cuboid, Cylinder, HalfSpace, Part, Shape, Sphere};
use gedanken_math::{Pose, Vec3, rotation};
use std::sync::Arc;

fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

fn contact(a: &Shape, p: &Pose, b: &Shape, q: &Pose) -> Option<Contact> {
    narrow::contact(a, p, b, q, &mut Scratch::default()).unwrap()
}

#[track_caller]
fn expect(contact: Option<Contact>, depth: f64, normal: Vec3) {
    let contact = contact.expect("they touch");
    assert!((contact.depth - depth).abs() < 1e-14, "depth {} for {depth}", contact.depth);
    assert!((contact.normal - normal).length() < 1e-14, "normal {} for {normal}", contact.normal);
    let off = contact.point_a - contact.point_b - contact.normal * contact.depth;
    assert!(off.length() < 1e-14, "witnesses {off}");
}

#[test]
fn touching_is_contact_of_depth_zero() {
    let unit = cuboid(1.0, 1.0, 1.0);
    // Face on face, shifted faces, edge on edge, vertex on vertex.
    for shift in [Vec3::ZERO, Vec3::new(0.3, 0.0, 0.2), Vec3::new(1.0, 0.0, 0.0), Vec3::new(1.0, 0.0, 1.0)] {
        let found = contact(&unit, &Pose::IDENTITY, &unit, &Pose::at(Vec3::Y + shift)).unwrap();
        assert!(found.depth.abs() < 1e-15, "{shift}: {}", found.depth);
        let proved = support_gap(&unit, &Pose::IDENTITY, &unit, &Pose::at(Vec3::Y + shift), found.normal);
        assert!(proved.abs() < 1e-15, "{shift}: the normal {} gives {proved}", found.normal);
        assert!(
            narrow::intersects(
                &unit,
                &Pose::IDENTITY,
                &unit,
                &Pose::at(Vec3::Y + shift),
                &mut Scratch::default()
            )
            .unwrap()
        );
    }
    expect(contact(&sphere(1.0), &Pose::IDENTITY, &sphere(0.5), &Pose::at(Vec3::Z * 1.5)), 0.0, Vec3::Z);
    assert_eq!(contact(&unit, &Pose::IDENTITY, &unit, &Pose::at(Vec3::Y * (1.0 + 1e-12))), None);
    assert_eq!(
        contact(&sphere(1.0), &Pose::IDENTITY, &sphere(0.5), &Pose::at(Vec3::Z * (1.5 + 1e-12))),
        None
    );
}

#[test]
fn a_vertex_exactly_on_a_face() {
    let table = cuboid(4.0, 4.0, 2.0);
    let tip = ConvexHull::new(&[
        Vec3::ZERO,
        Vec3::new(1.0, 0.0, 2.0),
        Vec3::new(-1.0, 1.0, 2.0),
        Vec3::new(-1.0, -1.0, 2.0),
    ]);
    let tip = Shape::Hull(Arc::new(tip.unwrap()));
    for height in [1.0, 0.75] {
        expect(
            contact(&table, &Pose::IDENTITY, &tip, &Pose::at(Vec3::new(0.4, 0.3, height))),
            1.0 - height,
            Vec3::Z,
        );
        expect(
            contact(&tip, &Pose::at(Vec3::new(0.4, 0.3, height)), &table, &Pose::IDENTITY),
            1.0 - height,
            -Vec3::Z,
        );
    }
}

#[test]
fn edges_crossing() {
    // Two square bars turned by 45° about their axes, crossing at a right angle: edge on edge, normal along
    // z.
    let bar = cuboid(4.0, 1.0, 1.0);
    let eighth = std::f64::consts::FRAC_PI_4;
    let lower = Pose::new(rotation::about_axis(0, eighth), Vec3::ZERO);
    let half_diagonal = 0.5f64.sqrt();
    for depth in [0.0, 0.1] {
        let upper = Pose::new(
            rotation::about_axis(2, 2.0 * eighth) * rotation::about_axis(0, eighth),
            Vec3::new(0.2, 0.3, 2.0 * half_diagonal - depth),
        );
        let found = contact(&bar, &lower, &bar, &upper).unwrap();
        assert!(
            (found.depth - depth).abs() < 1e-14 && (found.normal - Vec3::Z).length() < 1e-14,
            "{found:?}"
        );
        assert!((found.point_a - Vec3::new(0.2, 0.0, half_diagonal)).length() < 1e-14, "{found:?}");
    }
}

#[test]
fn deep_containment_and_coincident_centres() {
    let (small, large) = (cuboid(0.5, 0.6, 0.7), cuboid(4.0, 5.0, 6.0));
    let found = contact(&small, &Pose::IDENTITY, &large, &Pose::IDENTITY).unwrap();
    assert!((found.depth - 2.25).abs() < 1e-14 && (found.normal.x.abs() - 1.0).abs() < 1e-14, "{found:?}");
    expect(contact(&small, &Pose::IDENTITY, &large, &Pose::at(Vec3::X * 0.1)), 2.15, Vec3::X);
    expect(contact(&sphere(1.0), &Pose::IDENTITY, &sphere(0.5), &Pose::IDENTITY), 1.5, Vec3::X);
    expect(contact(&large, &Pose::IDENTITY, &sphere(0.5), &Pose::IDENTITY), 2.5, Vec3::X);
    let rod = Shape::Capsule(Capsule::new(0.25, 1.0).unwrap());
    // Capsules: the same axis, a cross, one beyond the other on the same line, ball on the axis.
    let cross = Pose::new(rotation::about_axis(0, std::f64::consts::FRAC_PI_2), Vec3::ZERO);
    for pose in [Pose::IDENTITY, cross, Pose::at(Vec3::Z * 0.5)] {
        let found = contact(&rod, &Pose::IDENTITY, &rod, &pose).unwrap();
        assert!((found.depth - 0.5).abs() < 1e-15 && found.normal.z.abs() < 1e-15, "{found:?}");
    }
    expect(contact(&rod, &Pose::IDENTITY, &rod, &Pose::at(Vec3::Z * 2.25)), 0.25, Vec3::Z);
    let found = contact(&sphere(0.5), &Pose::at(Vec3::Z * 0.3), &rod, &Pose::IDENTITY).unwrap();
    assert!((found.depth - 0.75).abs() < 1e-15 && found.normal.z.abs() < 1e-15, "{found:?}");
    let drum = Shape::Cylinder(Cylinder::new(1.0, 0.4).unwrap());
    let found = contact(&drum, &Pose::IDENTITY, &drum, &Pose::IDENTITY).unwrap();
    assert!((found.depth - 0.8).abs() < 1e-13 && (found.normal.z.abs() - 1.0).abs() < 1e-13, "{found:?}");
}

#[test]
fn parallel_capsules_and_coaxial_cylinders() {
    let rod = Shape::Capsule(Capsule::new(0.25, 1.0).unwrap());
    expect(contact(&rod, &Pose::IDENTITY, &rod, &Pose::at(Vec3::new(0.4, 0.0, 0.7))), 0.1, Vec3::X);
    let drum = Shape::Cylinder(Cylinder::new(1.0, 0.5).unwrap());
    expect(contact(&drum, &Pose::IDENTITY, &drum, &Pose::at(Vec3::Z * 0.9)), 0.1, Vec3::Z);
    // Side by side: the mantles overlap by 0.1 along x.
    let found = contact(&drum, &Pose::IDENTITY, &drum, &Pose::at(Vec3::new(1.9, 0.0, 0.2))).unwrap();
    assert!((found.depth - 0.1).abs() < 1e-12 && (found.normal - Vec3::X).length() < 1e-12, "{found:?}");
}

/// Plates and needles of aspect 1e4, against all separating axes.
#[test]
fn needles_and_plates() {
    let (mut random, mut scratch) = (Random(5), Scratch::default());
    let (mut overlaps, mut worst) = (0, 0.0f64);
    for round in 0..1500 {
        let thin = |random: &mut Random, kind: usize| match kind {
            0 => cuboid(1e-4, 1e-4, 1.0),
            1 => cuboid(1.0, 1.0, 1e-4),
            2 => Shape::Hull(Arc::new(random.hull(16, Vec3::new(1.0, 1.0, 1e-4)))),
            _ => Shape::Hull(Arc::new(random.hull(16, Vec3::new(1e-4, 1.0, 1e-4)))),
        };
        let (a, b) = (thin(&mut random, round % 4), thin(&mut random, round / 4 % 4));
        let (p, q) = (random.pose(0.1), random.pose(0.1));
        let (separation, _) = separating_axes(&Polytope::of(&a, &p), &Polytope::of(&b, &q));
        let found = narrow::distance(&a, &p, &b, &q, &mut scratch).unwrap_or_else(|e| panic!("{round}: {e}"));
        match found {
            Distance::Overlapping(contact) => {
                overlaps += 1;
                worst = worst.max((contact.depth + separation).abs());
                assert!(
                    (contact.depth + separation).abs() < 1e-10,
                    "{round}: {} {separation}",
                    contact.depth
                );
                let along = support_gap(&a, &p, &b, &q, contact.normal);
                assert!((along + contact.depth).abs() < 1e-10, "{round}: {along} {}", contact.depth);
            }
            Distance::Separated(apart) => {
                assert!(separation > -1e-12, "{round}: {separation}");
                let along = support_gap(&a, &p, &b, &q, apart.normal);
                assert!((along - apart.distance).abs() < 1e-10, "{round}: {along} {}", apart.distance);
            }
        }
    }
    println!("{overlaps} overlaps, worst {worst:e}");
    assert!(overlaps > 200);
}

#[test]
fn half_spaces_meet_the_lowest_point() {
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.5).unwrap());
    expect(contact(&floor, &Pose::IDENTITY, &sphere(1.0), &Pose::at(Vec3::Z * 1.25)), 0.25, Vec3::Z);
    expect(
        contact(&cuboid(1.0, 1.0, 1.0), &Pose::at(Vec3::Z * 0.75), &floor, &Pose::IDENTITY),
        0.25,
        -Vec3::Z,
    );
    assert_eq!(contact(&floor, &Pose::IDENTITY, &sphere(1.0), &Pose::at(Vec3::Z * 1.75)), None);
}

/// Whichever comes first: that the boxes of the others overlap, too, says nothing about how deep.
#[test]
fn the_deepest_part_of_a_compound_wins() {
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    let part =
        |x: f64, z: f64| Part { shape: sphere(1.0), pose: Pose::at(Vec3::new(x, 0.0, z)), density: 1.0 };
    for heights in [[0.875, 0.5], [0.5, 0.875]] {
        let pair = Compound::new(vec![part(-5.0, heights[0]), part(5.0, heights[1])]).unwrap();
        let pair = Shape::Compound(Arc::new(pair));
        expect(contact(&floor, &Pose::IDENTITY, &pair, &Pose::IDENTITY), 0.5, Vec3::Z);
        expect(contact(&pair, &Pose::IDENTITY, &floor, &Pose::IDENTITY), 0.5, -Vec3::Z);
    }
}

#[test]
fn what_makes_no_sense_is_an_error() {
    let floor = Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap());
    let mut scratch = Scratch::default();
    let found = narrow::contact(&floor, &Pose::IDENTITY, &floor, &Pose::IDENTITY, &mut scratch);
    assert_eq!(found, Err(QueryError::Unsupported { query: "distance", a: "half-space", b: "half-space" }));
    let nowhere = Pose::at(Vec3::new(f64::NAN, 0.0, 0.0));
    let found = narrow::contact(&sphere(1.0), &Pose::IDENTITY, &sphere(1.0), &nowhere, &mut scratch);
    assert_eq!(found, Err(QueryError::BadPose { which: "B" }));
}

/// Walking pairs: the last simplex as a start gives the same answer to rounding, in fewer steps.
#[test]
fn warm_starts_change_only_rounding() {
    use gedanken_geometry::narrow::{Simplex, gjk};
    let mut random = Random(11);
    for _ in 0..50 {
        let (a, b) = (random.hull(24, Vec3::ONE), random.hull(24, Vec3::ONE));
        let (p, mut q) = (random.pose(0.1), random.pose(0.1));
        let mut cache = Simplex::EMPTY;
        for step in 0..20 {
            q.translation = Vec3::new(1.8 + 0.05 * f64::from(step), 0.1, 0.2);
            q.rotation = rotation::about_axis(2, 0.02) * q.rotation;
            let warm = gjk::distance(&a, &p, &b, &q, &mut cache).unwrap();
            let cold = gjk::distance(&a, &p, &b, &q, &mut Simplex::EMPTY.clone()).unwrap();
            match (warm, cold) {
                (gjk::Cores::Apart(warm), gjk::Cores::Apart(cold)) => {
                    assert!((warm.distance - cold.distance).abs() < 1e-13);
                    assert!((warm.normal - cold.normal).length() < 1e-12);
                }
                (warm, cold) => assert_eq!(warm, cold),
            }
        }
    }
}
