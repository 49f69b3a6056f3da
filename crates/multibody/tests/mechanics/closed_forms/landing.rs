//! Soft landing: a mass sinks by g (1 − d) T² ζ², whatever it weighs.

use crate::support::build::{body, constant_softness, model};
use gedanken_math::Vec3;
use gedanken_multibody::model::{
    BodyId, Cone, ContactDimension, Description, Geom, GeomShape, Integrator, Joint, JointKind,
};
use gedanken_multibody::simulation::Simulation;

/// Depth to which a sphere of radius 0.1 m has sunk after three seconds.
fn sink(mass: f64, cone: Cone, integrator: Integrator, dimension: ContactDimension) -> f64 {
    let mut description = Description::new("landing");
    description.settings.cone = cone;
    description.settings.integrator = integrator;
    description.geoms.push(Geom::new("floor", BodyId::WORLD, GeomShape::Plane));
    let mut sphere = body("sphere", BodyId::WORLD, mass, Vec3::splat(0.4 * mass * 0.01));
    sphere.pose.translation = Vec3::new(0.0, 0.0, 0.1);
    description.bodies.push(sphere);
    description.joints.push(Joint::new("free", BodyId::new(1), JointKind::Free));
    description.geoms.push(Geom::new("sphere", BodyId::new(1), GeomShape::Sphere { radius: 0.1 }));
    for geom in &mut description.geoms {
        geom.surface.dimension = dimension;
        geom.surface.softness = constant_softness(0.9, 0.02, 1.0);
    }
    let mut run = Simulation::new(model(description));
    for _ in 0..1500 {
        run.step().expect("a step");
    }
    0.1 - run.state().coordinates[2]
}

#[test]
fn a_sphere_of_any_mass_sinks_as_deep() {
    let pyramid = Cone::Pyramid { edges: 4 };
    for mass in [1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0, 1e3] {
        for integrator in [Integrator::Euler, Integrator::ImplicitFast, Integrator::RungeKutta] {
            let depth = sink(mass, pyramid, integrator, ContactDimension::Frictionless);
            assert!((depth / 3.924e-4 - 1.0).abs() < 1e-6, "{mass} kg, {integrator:?}: {depth}");
        }
    }
}

/// A normal force without friction is the same in an elliptic cone; a pyramid of μ = 1 is made to agree.
#[test]
fn cones_at_rest_sink_as_deep() {
    for cone in [Cone::Elliptic, Cone::Pyramid { edges: 4 }, Cone::Pyramid { edges: 16 }] {
        let depth = sink(1.0, cone, Integrator::Euler, ContactDimension::Sliding);
        assert!((depth / 3.924e-4 - 1.0).abs() < 1e-6, "{cone:?}: {depth}");
    }
}
