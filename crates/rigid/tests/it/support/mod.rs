//! Bodies, worlds and steps for the tests of rigid bodies.

use gedanken_dynamics::laws::UniformGravity;
use gedanken_dynamics::{ComponentId, ThreeD};
use gedanken_geometry::{Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::rotation::to_body;
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::contacts::SOLVERS;
use gedanken_rigid::{Body, BodyKind, Settings, Simulation, World};

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

/// Kinetic energy, and potential energy in uniform gravity along -z, from poses and velocities alone.
pub(crate) fn energies(run: &Simulation) -> [f64; 2] {
    let (mut kinetic, mut potential) = (0.0, 0.0);
    for (body_id, body) in run.world().bodies().filter(|(_, body)| body.kind() == BodyKind::Dynamic) {
        let (twist, centre) = (run.twist(body_id), run.centre(body_id));
        let spin = to_body(centre.rotation, twist.angular);
        kinetic += 0.5 * (body.mass() * twist.linear.length_squared() + (spin * spin).dot(body.moments()));
        potential += body.mass() * G * centre.translation.z;
    }
    [kinetic, potential]
}

/// A small generator of numbers between 0 and 1.
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        let mut numbers = Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        (0..4).for_each(|_| _ = numbers.next());
        numbers
    }

    pub(crate) fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.next()
    }

    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() * count as f64) as usize
    }

    pub(crate) fn vector(&mut self, size: f64) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }
}
