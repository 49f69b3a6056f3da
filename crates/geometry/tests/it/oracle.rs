//! The narrow phase against independent answers: exhaustive separating axes, certificates, invariances.

use crate::random_shapes::{Polytope, Random, separating_axes, support_gap};
use gedanken_geometry::Shape;
use gedanken_geometry::narrow::{self, Distance, Scratch};
use gedanken_math::{Pose, Vec3};

/// Depth and normal of overlapping polytopes: 1e-10 of the exhaustive answer. (Random poses: no two axes
/// tie.)
#[test]
fn overlapping_polytopes_agree_with_all_separating_axes() {
    let (mut random, mut scratch, mut overlaps) = (Random(1), Scratch::default(), 0);
    let (mut worst, mut worst_normal) = (0.0f64, 0.0f64);
    for round in 0..3000 {
        let kinds = [[1, 1], [1, 5], [5, 1], [5, 5]][round % 4];
        let (a, b) = (random.shape(kinds[0]), random.shape(kinds[1]));
        let (p, q) = (random.pose(1.0), random.pose(0.6));
        let (separation, axis) = separating_axes(&Polytope::of(&a, &p), &Polytope::of(&b, &q));
        let contact = narrow::contact(&a, &p, &b, &q, &mut scratch).unwrap();
        assert_eq!(contact.is_some(), separation <= 0.0, "round {round}: {separation:e}");
        let Some(contact) = contact else { continue };
        overlaps += 1;
        worst = worst.max((contact.depth + separation).abs());
        assert!(
            (contact.depth + separation).abs() < 1e-10,
            "round {round}: {} and {separation}",
            contact.depth
        );
        let along = support_gap(&a, &p, &b, &q, contact.normal);
        assert!(
            (along - separation).abs() < 1e-10,
            "round {round}: the normal gives {along}, not {separation}"
        );
        worst_normal = worst_normal.max((contact.normal - axis).length());
        assert!((contact.normal - axis).length() < 1e-10, "round {round}: {} for {axis}", contact.normal);
        let apart = contact.point_a - contact.point_b - contact.normal * contact.depth;
        assert!(apart.length() < 1e-10, "round {round}: witnesses are off by {:e}", apart.length());
    }
    println!("{overlaps} overlaps, depth to {worst:e}, normal {worst_normal:e}");
    assert!(overlaps > 1000);
}

/// The distance of the witnesses is an upper bound, the support gap along the normal a lower bound: they must
/// meet.
#[test]
fn separated_pairs_carry_a_certificate() {
    let (mut random, mut scratch) = (Random(2), Scratch::default());
    let (mut worst, mut count) = (0.0f64, 0);
    for round in 0..7200 {
        let (i, j) = (round % 6, round / 6 % 6);
        let (a, b) = (random.shape(i), random.shape(j));
        let (p, q) = (random.pose(2.0), random.pose(2.0));
        let found = narrow::distance(&a, &p, &b, &q, &mut scratch);
        let Distance::Separated(apart) = found.unwrap_or_else(|e| panic!("{round} {i} {j}: {e}")) else {
            continue;
        };
        count += 1;
        let proved = support_gap(&a, &p, &b, &q, apart.normal);
        let shown = (apart.point_b - apart.point_a).length();
        let off = (proved - shown).abs().max((shown - apart.distance).abs());
        worst = worst.max(off);
        assert!(off < 1e-10, "round {round}: kinds {i} {j}: {proved} against {shown}");
        let off = (apart.point_b - apart.point_a - apart.normal * apart.distance).length();
        assert!(off < 1e-10, "round {round}: kinds {i} {j}: {off:e}");
    }
    println!("{count} separated, worst gap {worst:e}");
    assert!(count > 3000);
}

/// Depths of curved pairs: no direction near the answer, and none of many others, gives a smaller overlap.
#[test]
fn curved_overlaps_are_locally_and_globally_smallest() {
    let (mut random, mut scratch) = (Random(3), Scratch::default());
    let (mut worst, mut count, mut local) = (0.0f64, 0, 0.0f64);
    for round in 0..3600 {
        let (i, j) = (round % 6, round / 6 % 6);
        let (a, b) = (random.shape(i), random.shape(j));
        let (p, q) = (random.pose(0.5), random.pose(0.5));
        let found = narrow::contact(&a, &p, &b, &q, &mut scratch);
        let Some(contact) = found.unwrap_or_else(|e| panic!("{round} {i} {j}: {e}")) else { continue };
        count += 1;
        let along = -support_gap(&a, &p, &b, &q, contact.normal);
        worst = worst.max((along - contact.depth).abs());
        assert!(
            (along - contact.depth).abs() < 1e-10,
            "round {round}: kinds {i} {j}: {along} {}",
            contact.depth
        );
        let apart = contact.point_a - contact.point_b - contact.normal * contact.depth;
        assert!(
            apart.length() < 1e-10,
            "round {round}: kinds {i} {j} witnesses are off by {:e}",
            apart.length()
        );
        for k in 0..300 {
            let step = [1e-7, 1e-5, 1e-3, 1e-1, 2.0][k % 5];
            let n = (contact.normal + random.direction() * step).normalize();
            let other = -support_gap(&a, &p, &b, &q, n);
            local = local.max(contact.depth - other);
            assert!(
                other > contact.depth - 1e-10,
                "round {round}: kinds {i} {j} {other} below {}",
                contact.depth
            );
        }
    }
    println!("{count} overlaps, worst {worst:e}, beaten by {local:e}");
}

#[test]
fn the_answer_does_not_depend_on_frame_and_order() {
    let (mut random, mut scratch) = (Random(4), Scratch::default());
    for round in 0..3600 {
        let (i, j) = (round % 6, round / 6 % 6);
        let (a, b) = (random.shape(i), random.shape(j));
        let (p, q) = (random.pose(0.9), random.pose(0.9));
        let mut ask =
            |a: &Shape, p: &Pose, b: &Shape, q: &Pose| match narrow::distance(a, p, b, q, &mut scratch)
                .unwrap()
            {
                Distance::Separated(s) => (s.distance, s.normal),
                Distance::Overlapping(c) => (-c.depth, c.normal),
            };
        let (gap, normal) = ask(&a, &p, &b, &q);
        assert_eq!((gap, normal), ask(&a, &p, &b, &q), "same bits for the same input");
        let swapped = ask(&b, &q, &a, &p);
        let far = Pose::at(Vec3::new(1e3, -1e3, 1e3));
        let moved = ask(&a, &(far * p), &b, &(far * q));
        let turn = random.pose(0.0);
        let turned = ask(&a, &(turn * p), &b, &(turn * q));
        // Positions at 1e3 are rounded to 1e-13.
        let alike = [(swapped, -normal), (moved, normal), (turned, turn.rotation * normal)];
        for ((other, other_normal), expected) in alike {
            assert!((other - gap).abs() < 1e-11, "round {round}: kinds {i} {j}: {other} against {gap}");
            // The vector v between convex sets is unique. One with |w| - h(w/|w|) ≤ δ, the certificate above,
            // is off by
            // |w - v|² ≤ 2δ|w|, an angle of √(2δ/|w|); two such are twice as far apart.
            if gap > 1e-3 {
                let off = (other_normal - expected).length();
                assert!(
                    off < 2.0 * (2e-10 / gap).sqrt(),
                    "round {round}: kinds {i} {j}: normals {off:e} apart"
                );
            }
        }
    }
}
