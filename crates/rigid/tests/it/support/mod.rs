//! Bodies, worlds and steps for the tests of rigid bodies.

use gedanken_dynamics::laws::UniformGravity;
use gedanken_dynamics::{ComponentId, ThreeD};
use gedanken_geometry::{Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::contacts::SOLVERS;
use gedanken_rigid::{Body, Settings, Simulation, World};

pub(crate) const G: f64 = 9.81;

pub(crate) fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

pub(crate) fn cuboid(x: f64, y: f64, z: f64) -> Shape {
    Shape::Cuboid(Cuboid::new(Vec3::new(x, y, z)).unwrap())
}

/// The ground z = 0.
pub(crate) fn ground() -> Body {
    Body::fixed(Shape::HalfSpace(HalfSpace::new(Vec3::Z, 0.0).unwrap()), Pose::IDENTITY)
}

pub(crate) fn at(x: f64, y: f64, z: f64) -> Pose {
    Pose::new(Quat::IDENTITY, Vec3::new(x, y, z))
}

pub(crate) fn ball(radius: f64, mass: f64, place: Pose) -> Body {
    Body::dynamic(sphere(radius), place).with_mass(mass)
}

pub(crate) fn gravity() -> UniformGravity<ThreeD> {
    UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -G)))
}

pub(crate) fn jacobi() -> Settings {
    Settings::of_solver("jacobi").unwrap()
}

/// The usual settings of every contact solver.
pub(crate) fn every_solver() -> Vec<Settings> {
    SOLVERS.iter().map(|solver| Settings::of_solver(solver.name()).unwrap()).collect()
}

pub(crate) fn simulation(world: World, settings: Settings) -> Simulation {
    Simulation::new(world, settings).unwrap()
}

pub(crate) fn run(simulation: &mut Simulation, h: f64, steps: usize) {
    (0..steps).for_each(|_| simulation.step(h).unwrap());
}

pub(crate) fn id(simulation: &Simulation, name: &str) -> ComponentId {
    simulation.world().id(name).unwrap()
}
