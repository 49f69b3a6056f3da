//! Results to the bit. The fingerprints were made once; every build, optimized or not, every number of
//! threads and every processor must reproduce them. `make test` runs this file in debug and release, and once
//! more on an emulated processor without AVX and FMA.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

use gedanken_dynamics::laws::UniformGravity;
use gedanken_geometry::{Capsule, Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::contacts::SOLVERS;
use gedanken_rigid::joints::{Ends, Hinge, Point};
use gedanken_rigid::{Body, Material, Settings, Simulation, World};
use std::fmt::Write;

/// The same computation in pools of one and two threads.
fn on_one_and_two_threads(what: impl Fn() -> u64 + Sync) -> u64 {
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(&what)
    };
    let (one, two) = (on(1), on(2));
    assert_eq!(one, two, "two threads differ from one");
    one
}

/// Boxes that fall into a heap, balls that bounce among them, a chain that swings through, a wheel on a
/// hinge.
fn rigid_world() -> World {
    let at = |x: f64, y: f64, z: f64| Pose::at(Vec3::new(x, y, z));
    let block = |x, y, z| Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap());
    let ball = Shape::Sphere(Sphere::new(0.1).unwrap());
    let ground = Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), Pose::IDENTITY);
    let mut bodies = vec![("ground".to_owned(), ground.with_material("rubber"))];
    for k in 0..12 {
        let (x, y, z) = (0.07 * f64::from(k % 3), 0.05 * f64::from(k % 4), 0.2 + 0.25 * f64::from(k));
        bodies.push((
            format!("box{k}"),
            Body::dynamic(block(0.1, 0.08, 0.06), at(x, y, z)).with_density(500.0),
        ));
        let bouncing = Body::dynamic(ball.clone(), at(1.0 + 0.01 * x, y, z)).with_density(900.0);
        bodies.push((format!("ball{k}"), bouncing.with_material("rubber")));
    }
    let link = Shape::Capsule(Capsule::new(0.1, 0.02).unwrap());
    for k in 0..6 {
        let pose = at(-0.6, 0.0, 1.9 - 0.2 * f64::from(k));
        let body = Body::dynamic(link.clone(), pose).with_mass(0.2).with_velocity(Vec3::X * f64::from(k));
        bodies.push((format!("link{k}"), body));
    }
    let wheel = Body::dynamic(block(0.2, 0.05, 0.1), at(0.0, 3.0, 1.0)).with_mass(2.0);
    bodies.push(("wheel".to_owned(), wheel.with_angular_velocity(Vec3::Y * 7.0)));
    let mut world = World::new(bodies, [Material::new("rubber", 0.8, 0.3).unwrap()]).unwrap();
    for k in 0..6 {
        let (a, b) = (world.id(&format!("link{k}")).unwrap(), k);
        let above = (b > 0).then(|| world.id(&format!("link{}", b - 1)).unwrap());
        let point = Vec3::new(-0.6, 0.0, 2.0 - 0.2 * f64::from(k));
        let joint = Point::new(Ends::at(&world, format!("joint{k}"), a, above, point).unwrap()).unwrap();
        world = world.with_constraint(joint).unwrap();
    }
    let wheel = world.id("wheel").unwrap();
    let ends = Ends::along(&world, "axle", wheel, None, Vec3::new(0.05, 3.0, 1.0), Vec3::Y).unwrap();
    world = world.with_constraint(Hinge::new(ends).unwrap()).unwrap();
    world.with_laws(UniformGravity::new(Quantity::xyz(0.0, 0.0, -9.81)))
}

#[test]
fn every_contact_solver_reproduces_its_golden_run_on_any_number_of_threads() {
    let mut table = String::new();
    for solver in SOLVERS {
        let hash = on_one_and_two_threads(|| {
            let settings = Settings::of_solver(solver.name()).unwrap();
            let mut run = Simulation::new(rigid_world(), settings).unwrap();
            for _ in 0..240 {
                run.step(1.0 / 240.0).unwrap();
            }
            run.state().validate().unwrap();
            run.state().hash()
        });
        writeln!(table, "{:<18} {hash:016x}", solver.name()).unwrap();
    }
    insta::assert_snapshot!(table);
}
