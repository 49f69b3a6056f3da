//! Mechanisms of the soft cases: free bodies on a floor, and the ways to move and read them.

use crate::exact::G;
use crate::measurement::MeasureError;
use gedanken_math::{Pose, Quat, Vec3};
use gedanken_multibody::compile::Model;
use gedanken_multibody::model::{
    Body, BodyId, Cone, Description, Geom, GeomShape, Impedance, Integrator, Joint, JointKind, Reference,
    Softness,
};
use gedanken_multibody::simulation::Simulation;

/// Cones, with their names in the table.
pub(super) const CONES: [(&str, Cone); 4] = [
    ("elliptic", Cone::Elliptic),
    ("4 edges", Cone::Pyramid { edges: 4 }),
    ("8 edges", Cone::Pyramid { edges: 8 }),
    ("16 edges", Cone::Pyramid { edges: 16 }),
];

/// Integrators, with their names in experiments.
pub(super) const INTEGRATORS: [(&str, Integrator); 5] = [
    ("semi-implicit", Integrator::SemiImplicit),
    ("euler", Integrator::Euler),
    ("implicit", Integrator::Implicit),
    ("implicit fast", Integrator::ImplicitFast),
    ("rk4", Integrator::RungeKutta),
];

/// Constant impedance `d` with a time constant, critically damped.
pub(super) fn softness(d: f64, time_constant: f64) -> Softness {
    Softness {
        reference: Reference::Oscillator { time_constant, damping_ratio: 1.0 },
        impedance: Impedance { start: d, end: d, ..Impedance::MUJOCO },
    }
}

/// A level floor of one softness and friction; bodies stand on it, and weight may be inclined.
pub(super) struct Floor {
    description: Description,
    softness: Softness,
    friction: f64,
}

impl Floor {
    /// Makes an empty floor; the incline is that of the weight, towards x.
    pub(super) fn new(cone: Cone, step: f64, incline: f64, friction: f64, softness: Softness) -> Self {
        let mut description = Description::new("floor");
        description.settings.cone = cone;
        description.settings.time_step = step;
        description.settings.gravity = Vec3::new(G * libm::sin(incline), 0.0, -G * libm::cos(incline));
        let mut floor = Self { description, softness, friction };
        floor.cover("floor", BodyId::WORLD, GeomShape::Plane);
        floor
    }

    /// Gives a body its shape and surface.
    fn cover(&mut self, name: &str, body: BodyId, shape: GeomShape) {
        let mut geom = Geom::new(name, body, shape);
        geom.surface.friction[0] = self.friction;
        geom.surface.softness = self.softness;
        self.description.geoms.push(geom);
    }

    /// Adds a free body with these moments of inertia.
    pub(super) fn with(mut self, shape: GeomShape, mass: f64, moments: Vec3, pose: Pose) -> Self {
        let number = self.description.bodies.len();
        let (name, id) = (format!("body {number}"), BodyId::new(number));
        let body = Body { mass, inertia: moments, pose, ..Body::new(&name, BodyId::WORLD) };
        self.description.bodies.push(body);
        self.description.joints.push(Joint::new(&name, id, JointKind::Free));
        self.cover(&name, id, shape);
        self
    }

    /// Adds a free box.
    pub(super) fn with_box(self, lengths: Vec3, mass: f64, pose: Pose) -> Self {
        let square = lengths * lengths;
        let moments =
            Vec3::new(square.y + square.z, square.x + square.z, square.x + square.y) * (mass / 12.0);
        self.with(GeomShape::Box { half_sides: lengths * 0.5 }, mass, moments, pose)
    }

    /// Adds a free solid ball that touches the floor.
    pub(super) fn with_ball(self, radius: f64, mass: f64) -> Self {
        let moments = Vec3::splat(0.4 * mass * radius * radius);
        self.with(GeomShape::Sphere { radius }, mass, moments, Pose::at(Vec3::Z * radius))
    }

    /// Lets the description be changed.
    pub(super) fn changed(mut self, change: impl FnOnce(&mut Description)) -> Self {
        change(&mut self.description);
        self
    }

    /// Starts it.
    pub(super) fn run(self) -> Result<Simulation, MeasureError> {
        start(self.description)
    }
}

/// Starts a mechanism.
pub(super) fn start(description: Description) -> Result<Simulation, MeasureError> {
    Ok(Simulation::new(Model::new(description)?))
}

/// Advances by some seconds.
pub(super) fn advance(run: &mut Simulation, seconds: f64) -> Result<(), MeasureError> {
    let steps = (seconds / run.model().description.settings.time_step).round() as usize;
    (0..steps).try_for_each(|_| run.step()).map_err(Into::into)
}

/// Place of the free body with this number, from 0.
pub(super) fn place(run: &Simulation, body: usize) -> Vec3 {
    Vec3::from_slice(&run.state().coordinates[7 * body..7 * body + 3])
}

/// Rotation that begins at a coordinate.
pub(super) fn rotation(run: &Simulation, first: usize) -> Quat {
    let q = &run.state().coordinates[first..first + 4];
    Quat::from_xyzw(q[1], q[2], q[3], q[0])
}
