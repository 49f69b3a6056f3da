//! Heaps of different shapes: nothing overlaps, whatever touches what.

use super::friction::numbers;
use super::{ORDERS, of_order};
use crate::support::{cuboid, gravity, ground, simulation, sphere};
use gedanken_geometry::narrow::{self, Scratch};
use gedanken_geometry::{Capsule, Cone, ConvexHull, Cylinder, Shape};
use gedanken_math::rotation::from_rotation_vector;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Body, Simulation, World};
use std::sync::Arc;

fn shapes() -> Vec<Shape> {
    let tetrahedron = [
        Vec3::new(0.3, 0.3, 0.3),
        Vec3::new(-0.3, -0.3, 0.3),
        Vec3::new(-0.3, 0.3, -0.3),
        Vec3::new(0.3, -0.3, -0.3),
    ];
    vec![
        cuboid(0.5, 0.4, 0.3),
        sphere(0.25),
        Shape::Capsule(Capsule::new(0.15, 0.4).unwrap()),
        Shape::Cylinder(Cylinder::new(0.2, 0.4).unwrap()),
        Shape::Hull(Arc::new(ConvexHull::new(&tetrahedron).unwrap())),
        Shape::Cone(Cone::new(0.25, 0.5).unwrap()),
        cuboid(0.4, 0.4, 0.4),
    ]
}

/// The deepest overlap of any two bodies, over 0.25 m.
fn overlap(simulation: &Simulation) -> f64 {
    let bodies: Vec<(Shape, Pose)> = simulation
        .world()
        .bodies()
        .map(|(id, body)| (body.shape().unwrap().clone(), simulation.pose(id)))
        .collect();
    let (mut scratch, mut found, mut deepest) = (Scratch::default(), Vec::new(), 0.0f64);
    for (k, (a, p)) in bodies.iter().enumerate() {
        for (b, q) in &bodies[k + 1..] {
            narrow::manifolds(a, p, b, q, 0.0, &mut scratch, &mut found).unwrap();
            for manifold in &found {
                deepest = manifold.points().iter().fold(deepest, |most, point| most.max(point.depth));
            }
        }
    }
    deepest / 0.25
}

#[test]
fn shapes_of_all_kinds_fall_on_each_other_without_overlap() {
    for (order, seed) in ORDERS.into_iter().flat_map(|order| [7, 8, 9].map(|seed| (order, seed))) {
        let mut number = numbers(seed);
        let mut bodies = vec![("ground".to_owned(), ground())];
        for (k, shape) in shapes().into_iter().enumerate() {
            let turn = from_rotation_vector(Vec3::new(number(), number(), number()));
            let place = Vec3::new(0.15 * number(), 0.15 * number(), 0.5 + 0.9 * k as f64);
            bodies.push((format!("{k}"), Body::dynamic(shape, Pose::new(turn, place)).with_mass(1.0)));
        }
        let world = World::new(bodies, []).unwrap().with_laws(gravity());
        let mut simulation = simulation(world, of_order(order));
        let (mut worst, mut bad, mut when) = (0.0f64, 0, 0);
        let steps = 400;
        for step in 0..steps {
            simulation.step(0.005).unwrap();
            bad += u32::from(!simulation.report().converged);
            let now = overlap(&simulation);
            if now > worst {
                (worst, when) = (now, step);
            }
        }
        assert!(worst < 1e-8, "{order:?}, seed {seed}: overlap {worst:e} at step {when}");
        assert!(bad * 50 < steps, "{order:?}, seed {seed}: {bad} of {steps} steps not converged");
    }
}
