//! Every pair settles: no error and no wrong yes or no on many random pairs, with and without common axes.

use crate::random_shapes::{Random, support_gap};
use gedanken_geometry::narrow::{self, Distance, Scratch};
use gedanken_math::{Pose, Vec3};

/// Turned alike and set on a grid, shapes touch along faces, edges and generators: all the ties there are.
#[test]
fn aligned_and_random_pairs_settle() {
    let (mut random, mut scratch) = (Random(77), Scratch::default());
    let mut failures = Vec::new();
    for round in 0..40_000 {
        let (i, j) = (round % 6, round / 6 % 6);
        let (a, b) = (random.shape(i), random.shape(j));
        let (mut p, mut q) = (random.pose(0.9), random.pose(0.9));
        if round % 3 == 0 {
            p.rotation = Pose::IDENTITY.rotation;
            q.rotation = Pose::IDENTITY.rotation;
            let grid = |v: Vec3| (v * 4.0).round() / 4.0;
            (p.translation, q.translation) = (grid(p.translation), grid(q.translation));
        }
        match narrow::distance(&a, &p, &b, &q, &mut scratch) {
            Ok(found) => {
                let (gap, normal) = match found {
                    Distance::Separated(apart) => (apart.distance, apart.normal),
                    Distance::Overlapping(contact) => (-contact.depth, contact.normal),
                };
                let proved = support_gap(&a, &p, &b, &q, normal);
                if (proved - gap).abs() > 1e-10 {
                    failures.push(format!("{round}: kinds {i} {j}: {gap} but the normal gives {proved}"));
                }
                let yes = narrow::intersects(&a, &p, &b, &q, &mut scratch).unwrap();
                if gap.abs() > 1e-12 && yes != (gap <= 0.0) {
                    failures.push(format!("{round}: kinds {i} {j}: {gap} and {yes}"));
                }
            }
            Err(error) => failures.push(format!("{round}: kinds {i} {j}: {error}")),
        }
    }
    assert!(failures.is_empty(), "{} failures, {:#?}", failures.len(), &failures[..failures.len().min(12)]);
}
