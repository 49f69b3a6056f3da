//! The scene of the rigid cases: bodies of one material under gravity, and steps.

use crate::exact::G;
use crate::measurement::MeasureError;
use crate::method::Method;
use gedanken_dynamics::laws::UniformGravity;
use gedanken_dynamics::{ComponentId, ThreeD};
use gedanken_geometry::{Cuboid, HalfSpace, Shape, Sphere};
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_rigid::variational::Order;
use gedanken_rigid::{Body, Material, Simulation, World};

/// Time step, s: the usual one of real-time engines.
pub(super) const STEP: f64 = 1.0 / 240.0;

/// The solver with a fixed number of passes per step, however many contacts there are. Towers are beyond it,
/// and it does not claim them.
pub(super) const JACOBI: Method = Method::Solver("jacobi");

/// Variational steps of first order: dissipative, and half a step behind where something brakes.
pub(super) const BACKWARD_EULER: Method = Method::Variational(Order::First);

/// Bodies of one material.
#[derive(Debug, Clone)]
pub(super) struct RigidScene {
    bodies: Vec<(String, Body)>,
    restitution: f64,
    friction: f64,
    gravity: Vec3,
}

impl RigidScene {
    /// Starts an empty scene under the gravity of Earth.
    pub(super) fn new(restitution: f64, friction: f64) -> Self {
        Self { bodies: Vec::new(), restitution, friction, gravity: Vec3::new(0.0, 0.0, -G) }
    }

    /// Removes gravity.
    pub(super) fn weightless(self) -> Self {
        Self { gravity: Vec3::ZERO, ..self }
    }

    /// Adds a body.
    pub(super) fn with(mut self, name: impl Into<String>, body: Body) -> Self {
        self.bodies.push((name.into(), body));
        self
    }

    /// With a ground through the origin, level if `slope` is 0, else falling along x by that angle.
    pub(super) fn on_ground(self, slope: f64) -> Result<Self, MeasureError> {
        Ok(self.with("ground", ground(slope)?))
    }

    /// Returns the bodies.
    pub(super) fn bodies(&self) -> &[(String, Body)] {
        &self.bodies
    }

    /// Returns the same scene with other bodies.
    pub(super) fn of(&self, bodies: Vec<(String, Body)>) -> Self {
        Self { bodies, ..self.clone() }
    }

    /// Builds the world.
    pub(super) fn world(self) -> Result<World, MeasureError> {
        let material = Material::new("stuff", self.restitution, self.friction)?;
        let bodies = self.bodies.into_iter().map(|(name, body)| (name, body.with_material("stuff")));
        let world = World::new(bodies, [material])?;
        let weight = UniformGravity::<ThreeD>::new(Quantity::new(self.gravity));
        Ok(if self.gravity == Vec3::ZERO { world } else { world.with_laws(weight) })
    }

    /// Builds a simulation with the default settings of a solver.
    pub(super) fn run(self, method: Method) -> Result<Simulation, MeasureError> {
        Ok(Simulation::new(self.world()?, method.settings()?)?)
    }
}

/// A ground through the origin, falling along x by the angle `slope`.
pub(super) fn ground(slope: f64) -> Result<Body, MeasureError> {
    Ok(Body::fixed(Shape::HalfSpace(HalfSpace::new(ground_normal(slope), 0.0)?), Pose::IDENTITY))
}

/// Normal of the ground with this slope.
pub(super) fn ground_normal(slope: f64) -> Vec3 {
    Vec3::new(libm::sin(slope), 0.0, libm::cos(slope))
}

/// Downhill direction of the ground with this slope.
pub(super) fn downhill(slope: f64) -> Vec3 {
    Vec3::new(libm::cos(slope), 0.0, -libm::sin(slope))
}

/// Rotation of bodies that stand on the ground.
pub(super) fn ground_rotation(slope: f64) -> Quat {
    Quat::from_rotation_y(slope)
}

/// A ball of 1 kg.
pub(super) fn ball(radius: f64, place: Vec3) -> Result<Body, MeasureError> {
    Ok(Body::dynamic(Shape::Sphere(Sphere::new(radius)?), Pose::at(place)).with_mass(1.0))
}

/// A box of 1 kg.
pub(super) fn brick(lengths: Vec3, pose: Pose) -> Result<Body, MeasureError> {
    Ok(Body::dynamic(cuboid(lengths)?, pose).with_mass(1.0))
}

/// The shape of a box.
pub(super) fn cuboid(lengths: Vec3) -> Result<Shape, MeasureError> {
    Ok(Shape::Cuboid(Cuboid::new(lengths)?))
}

/// Advances a simulation by a number of equal steps.
pub(super) fn advance(run: &mut Simulation, h: f64, steps: usize) -> Result<(), MeasureError> {
    (0..steps).try_for_each(|_| run.step(h)).map_err(Into::into)
}

/// Position of the centre of mass of a body.
pub(super) fn centre_of_mass(run: &Simulation, id: ComponentId) -> Vec3 {
    run.centre(id).translation
}

/// The middle of `low` and `high` after `rounds` bisections: `beyond` tells what lies above the threshold.
pub(super) fn bisect_threshold(
    mut low: f64,
    mut high: f64,
    rounds: usize,
    mut beyond: impl FnMut(f64) -> Result<bool, MeasureError>,
) -> Result<f64, MeasureError> {
    if beyond(low)? || !beyond(high)? {
        return Err(format!("the threshold is not between {low} and {high}").into());
    }
    for _ in 0..rounds {
        let middle = 0.5 * (low + high);
        if beyond(middle)? { high = middle } else { low = middle }
    }
    Ok(0.5 * (low + high))
}

/// Returns the value that is farthest from `exact`.
pub(super) fn farthest(values: impl IntoIterator<Item = f64>, exact: f64) -> f64 {
    values.into_iter().fold(exact, |worst, value| {
        // Whatever is no number is the worst.
        if (value - exact).abs() <= (worst - exact).abs() { worst } else { value }
    })
}
