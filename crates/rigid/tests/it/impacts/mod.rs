//! Impacts that are located inside the step, against closed forms.

mod bounces;
mod crowds;
mod pairs;

use gedanken_dynamics::laws::UniformGravity;
use gedanken_geometry::{Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::{Body, Material, Simulation, SolverBody, World};

pub(crate) const G: f64 = 9.81;

pub(crate) fn sphere(radius: f64) -> Shape {
    Shape::Sphere(Sphere::new(radius).unwrap())
}

pub(crate) fn brick(half: Vec3) -> Shape {
    Shape::Cuboid(Cuboid::new(half * 2.0).unwrap())
}

/// A body of 1 kg of the material of the test.
pub(crate) fn body(shape: Shape, place: Vec3) -> Body {
    Body::dynamic(shape, Pose::at(place)).with_mass(1.0).with_material("stuff")
}

pub(crate) fn ball(radius: f64, place: Vec3) -> Body {
    body(sphere(radius), place)
}

/// z ≤ 0.
pub(crate) fn floor() -> Body {
    wall(Vec3::Z, 0.0)
}

/// n·x ≤ d.
pub(crate) fn wall(normal: Vec3, offset: f64) -> Body {
    let shape = Shape::HalfSpace(HalfSpace::new(normal, offset).unwrap());
    Body::fixed(shape, Pose::IDENTITY).with_material("stuff")
}

/// A world in which everything is made of one stuff.
pub(crate) fn world<N: Into<String>>(bodies: impl IntoIterator<Item = (N, Body)>, e: f64, mu: f64) -> World {
    World::new(bodies, [Material::new("stuff", e, mu).unwrap()]).unwrap()
}

pub(crate) fn with_gravity(world: World) -> World {
    world.with_laws(UniformGravity::new(Quantity::new(Vec3::new(0.0, 0.0, -G))))
}

/// The kinetic energy, momentum and angular momentum (about the origin) of bodies.
pub(crate) fn motion(movers: &[SolverBody]) -> (f64, Vec3, Vec3) {
    let mut sums = (0.0, Vec3::ZERO, Vec3::ZERO);
    for mover in movers.iter().filter(|mover| mover.mass > 0.0) {
        let q = mover.pose.rotation;
        let (v, omega) = (mover.twist.linear, mover.twist.angular);
        let spin = to_world(q, mover.moments * to_body(q, omega));
        sums.0 += 0.5 * mover.mass * v.length_squared() + 0.5 * omega.dot(spin);
        sums.1 += v * mover.mass;
        sums.2 += mover.pose.translation.cross(v) * mover.mass + spin;
    }
    sums
}

/// The kinetic energy of everything, and that of position in the gravity of the tests.
pub(crate) fn energy(run: &Simulation) -> f64 {
    let world = run.world();
    world.bodies().fold(0.0, |sum, (id, body)| {
        let (pose, twist) = (run.centre(id), run.twist(id));
        let mover =
            SolverBody { mass: body.mass(), moments: body.moments(), pose, twist, ..SolverBody::default() };
        sum + motion(&[mover]).0 + body.mass() * G * pose.translation.z
    })
}
