//! Results to the bit. The fingerprints below were made once; every build, optimized or not, every number of threads,
//! every vector width and every processor must reproduce them. `make test` runs this file in debug and release, and
//! once more on an emulated processor without AVX and FMA.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

use gedanken_dynamics::integrate::rotation::ROTATIONS;
use gedanken_dynamics::integrate::{INTEGRATORS, Integrator};
use gedanken_dynamics::laws::{NewtonianGravity, UniformGravity};
use gedanken_dynamics::nbody::Width;
use gedanken_dynamics::rigid::constraint::{Ends, Hinge, Point};
use gedanken_dynamics::rigid::solver::SOLVERS;
use gedanken_dynamics::rigid::{Body, Material, Settings, Simulation, World};
use gedanken_dynamics::{Space, State, scenes};
use gedanken_geometry::{Capsule, Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::units::{METRE, Quantity, SECOND};
use gedanken_math::{Pose, Vec3};
use std::fmt::Write;

fn run<S: Space>(scene: &scenes::Scene<S>, integrator: &'static Integrator, h: f64, steps: u32) -> State {
    let (mut stepper, mut state) = scene.prepare(integrator).unwrap();
    for _ in 0..steps {
        stepper.step(&mut state, h * SECOND).unwrap();
    }
    state.validate().unwrap();
    state
}

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

#[test]
fn every_integrator_reproduces_its_golden_run() {
    let mut table = String::new();
    for integrator in INTEGRATORS {
        let kepler = run(&scenes::kepler(0.6), integrator, 0.01, 300).hash();
        let eight = run(&scenes::figure_eight(), integrator, 0.01, 100).hash();
        let pendulum = run(&scenes::pendulum(1.5), integrator, 0.02, 100).hash();
        let chain = run(&scenes::chain(20, 2, 0.1), integrator, 0.1, 50).hash();
        writeln!(table, "{:<18} {kepler:016x} {eight:016x} {pendulum:016x} {chain:016x}", integrator.name)
            .unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn every_rotation_reproduces_its_golden_run() {
    let scene = scenes::tumbling(Vec3::new(1.0, 2.0, 3.0), Vec3::new(0.01, 1.0, 0.02));
    let leapfrog = Integrator::by_name("leapfrog").unwrap();
    let mut table = String::new();
    for rotation in ROTATIONS {
        let (mechanics, mut state) = scene.mechanics(leapfrog).unwrap();
        let mut stepper = leapfrog.prepare(&mechanics.with_rotation(rotation).unwrap()).unwrap();
        for _ in 0..500 {
            stepper.step(&mut state, 0.01 * SECOND).unwrap();
        }
        writeln!(table, "{:<18} {:016x}", rotation.name, state.hash()).unwrap();
    }
    insta::assert_snapshot!(table);
}

#[test]
fn a_cluster_reproduces_its_golden_run_at_every_width_and_thread_count() {
    let leapfrog = Integrator::by_name("leapfrog").unwrap();
    let mut hashes = Vec::new();
    for width in Width::available() {
        let mut scene = scenes::cluster(700, 1, 0.01);
        let gravity =
            NewtonianGravity::new(Quantity::new(1.0)).with_softening(0.01 * METRE).with_width(width);
        scene.laws = gravity.into();
        hashes.push(on_one_and_two_threads(|| run(&scene, leapfrog, 0.01, 3).hash()));
    }
    assert!(hashes.iter().all(|h| *h == hashes[0]), "widths differ: {hashes:x?}");
    insta::assert_snapshot!(format!("{:016x}", hashes[0]));
}

/// Boxes that fall into a heap, balls that bounce among them, a chain that swings through, a wheel on a hinge.
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
