//! Finding contacts allocates nothing once it has seen what there is: heaps of balls, boxes, compounds, on
//! half-spaces, boxes and meshes, with a solver that lets everything lie where it is, and one pair that comes
//! and goes.

use crate::counting::asked;
use gedanken_dynamics::laws::UniformGravity;
use gedanken_geometry::{Compound, Cuboid, HalfSpace, Part, Shape, Sphere, TriangleMesh};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::contacts::{ContactSolver, IslandSolver, Problem, Report};
use gedanken_rigid::{Body, Settings, Simulation, World};
use std::sync::Arc;

/// Leaves everything where it is, and says that everything presses.
#[derive(Debug)]
struct Still;

static STILL: Still = Still;

impl ContactSolver for Still {
    fn name(&self) -> &'static str {
        "still"
    }
    fn summary(&self) -> &'static str {
        "Nothing that touches moves."
    }
    fn cite(&self) -> &'static str {
        ""
    }
    fn usual(&self, settings: Settings) -> Settings {
        settings
    }
    fn island_solver(&self) -> Option<&dyn IslandSolver> {
        Some(self)
    }
}

impl IslandSolver for Still {
    fn solve(&self, problem: &mut Problem<'_>) -> Report {
        problem.touches.iter_mut().flat_map(|touch| touch.points_mut()).for_each(|p| p.normal_impulse = 1.0);
        Report::nothing()
    }
}

fn heap() -> World {
    let ball = Shape::Sphere(Sphere::new(0.5).unwrap());
    let cube = Shape::Cuboid(Cuboid::new(Vec3::ONE).unwrap());
    let part = |x: f64| Part { shape: ball.clone(), pose: Pose::at(Vec3::X * x), density: 1.0 };
    let dumbbell = Shape::Compound(Arc::new(Compound::new(vec![part(-0.5), part(0.5)]).unwrap()));
    let corners = vec![Vec3::new(-9.0, -9.0, 0.0), Vec3::X * 9.0, Vec3::Y * 9.0, Vec3::new(9.0, 9.0, 0.0)];
    let mesh = TriangleMesh::new(corners, vec![[0, 1, 2], [1, 3, 2]]).unwrap();
    let mut bodies = vec![
        (
            "floor".to_owned(),
            Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), Pose::IDENTITY),
        ),
        ("ground".to_owned(), Body::fixed(Shape::Mesh(Arc::new(mesh)), Pose::at(Vec3::Z * 0.01))),
    ];
    for k in 0..60u32 {
        let at = Vec3::new(f64::from(k % 4), f64::from(k / 4 % 4), 0.49 + 0.99 * f64::from(k / 16));
        let shape = [&ball, &cube, &dumbbell][(k % 3) as usize].clone();
        bodies.push((format!("body {k}"), Body::dynamic(shape, Pose::at(at)).with_mass(1.0)));
    }
    // Two that fly past the heap, one after the other: boxes in the tree move, candidates come and go.
    for (k, x) in [(1, -30.0), (2, -65.0)] {
        let comet = Body::kinematic(ball.clone(), Pose::at(Vec3::new(x, 1.5, 4.8)));
        bodies.push((format!("comet {k}"), comet.with_velocity(Vec3::X * 20.0)));
    }
    World::new(bodies, []).unwrap().with_laws(UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -9.81))))
}

#[test]
fn finding_contacts_allocates_nothing_once_warm() {
    let settings = Settings { solver: &STILL, ledger: false, correction: 0.0, ..Settings::default() };
    let mut run = Simulation::new(heap(), settings).unwrap();
    let mut steps = |count: usize| {
        let before = asked();
        (0..count).for_each(|_| run.step(1.0 / 60.0).unwrap());
        (asked() - before, run.contacts().touches.len())
    };
    // The first comet has come and gone, and then the second.
    let (_, touching) = steps(150);
    assert!(touching > 100, "{touching}");
    assert_eq!(steps(100).0, 0);
}
