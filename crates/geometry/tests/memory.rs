//! Queries allocate nothing after warm-up, and everything is `Send + Sync`.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

#[path = "support/counting.rs"]
mod counting;
#[path = "support/random_shapes.rs"]
mod random_shapes;

use gedanken_geometry::bounds::Aabb;
use gedanken_geometry::broad::{BroadPhase, Manager};
use gedanken_geometry::narrow::{self, Manifold, Scratch, manifolds};
use gedanken_geometry::{Compound, Part, Ray, Shape, Solid, TriangleMesh};
use gedanken_math::{Pose, Vec3};
use random_shapes::Random;
use std::sync::Arc;

/// Number of allocations of this thread while `work` runs a second time.
fn allocations_when_warm(mut work: impl FnMut()) -> u64 {
    work();
    let before = counting::asked();
    work();
    counting::asked() - before
}

#[test]
fn queries_allocate_nothing_after_warm_up() {
    let (mut random, mut scratch, mut out) = (Random(21), Scratch::default(), Vec::<Manifold>::new());
    let pairs: Vec<_> = (0..720)
        .map(|k| (random.shape(k % 6), random.pose(0.8), random.shape(k / 6 % 6), random.pose(0.8)))
        .collect();
    let count = allocations_when_warm(|| {
        for (a, p, b, q) in &pairs {
            narrow::distance(a, p, b, q, &mut scratch).unwrap();
            narrow::contact(a, p, b, q, &mut scratch).unwrap();
            narrow::intersects(a, p, b, q, &mut scratch).unwrap();
            manifolds(a, p, b, q, 0.02, &mut scratch, &mut out).unwrap();
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn rays_and_projections_allocate_nothing() {
    let mut random = Random(22);
    let cube =
        [[0, 2, 1], [1, 2, 3], [4, 5, 6], [5, 7, 6], [0, 1, 4], [1, 5, 4], [2, 6, 3], [3, 6, 7], [0, 4, 2]];
    let corners =
        (0..8).map(|k| Vec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2))).collect();
    let mesh = Shape::Mesh(Arc::new(TriangleMesh::new(corners, cube.to_vec()).unwrap()));
    let part = |shape, x| Part { shape, pose: Pose::at(Vec3::new(x, 0.0, 0.0)), density: 1.0 };
    let pair = Compound::new(vec![part(random.shape(1), -1.0), part(random.shape(2), 1.0)]).unwrap();
    let mut shapes: Vec<Shape> = (0..6).map(|k| random.shape(k)).collect();
    shapes.extend([mesh, Shape::Compound(Arc::new(pair))]);
    let count = allocations_when_warm(|| {
        for shape in &shapes {
            let ray = Ray::new(Vec3::new(5.0, 0.2, 0.1), Vec3::new(-1.0, 0.01, 0.02));
            assert!(shape.cast_ray(&ray).is_none_or(|hit| hit.t > 0.0));
            assert!(shape.project(ray.origin).signed_distance > 0.0);
            assert!(!shape.contains(ray.origin, 0.0) && shape.bounds(&Pose::IDENTITY).is_finite());
        }
    });
    assert_eq!(count, 0);
}

#[test]
fn broad_phases_allocate_nothing_once_every_frame_was_seen() {
    for kind in [BroadPhase::SweepAndPrune, BroadPhase::UniformGrid { cell: 1.0 }, BroadPhase::Tree] {
        let mut manager = Manager::new(kind).unwrap();
        let place = |k: u32, frame: u32| {
            let turn = f64::from(k * 7 + frame * (k % 5));
            let centre = Vec3::new(libm::sin(turn), libm::cos(1.3 * turn), libm::sin(0.7 * turn)) * 4.0;
            Aabb::new(centre - Vec3::splat(0.4), centre + Vec3::splat(0.4))
        };
        (0..200).for_each(|k| manager.insert(k, place(k, 0)).unwrap());
        let (mut pairs, mut found) = (Vec::new(), Vec::new());
        // The same frames twice: the second time every list has been as long before.
        let count = allocations_when_warm(|| {
            for frame in 0..20 {
                (0..200).for_each(|k| manager.update(k, place(k, frame)).unwrap());
                if frame % 3 == 0 {
                    manager.settle();
                }
                manager.pairs(&mut pairs);
                manager.region(&place(3, frame), &mut found).unwrap();
                manager.ray(&Ray::new(Vec3::splat(-9.0), Vec3::ONE), 20.0, &mut found).unwrap();
            }
        });
        assert_eq!(count, 0, "{kind:?}");
        assert!(!pairs.is_empty());
    }
}

#[test]
fn all_of_it_goes_to_other_threads() {
    fn shareable<T: Send + Sync>() {}
    shareable::<Scratch>();
    shareable::<Manifold>();
    shareable::<narrow::QueryError>();
    shareable::<narrow::Distance>();
    shareable::<Shape>();
    shareable::<Manager>();
}
