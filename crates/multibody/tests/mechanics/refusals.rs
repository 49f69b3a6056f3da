//! Descriptions that are no model are refused with reasons; a step that fails leaves the state as before.

use crate::support::build::{body, hinge, model};
use crate::support::scenes::{CONES, scene};
use gedanken_math::{Quat, Vec3};
use gedanken_multibody::compile::Model;
use gedanken_multibody::model::{
    Actuator, Body, BodyId, Cone, ContactDimension, ContactPair, Description, Equality, EqualityKind, Geom,
    GeomId, GeomShape, Integrator, Joint, JointId, JointKind, Keyframe, Softness,
};
use gedanken_multibody::simulation::Simulation;

/// An arm of two links, to be spoilt.
fn arm() -> Description {
    let mut description = Description::new("arm");
    description.bodies.push(body("upper", BodyId::WORLD, 1.0, Vec3::splat(0.1)));
    description.bodies.push(body("lower", BodyId::new(1), 1.0, Vec3::splat(0.1)));
    description.joints.push(hinge("shoulder", BodyId::new(1), Vec3::Y));
    description.joints.push(hinge("elbow", BodyId::new(2), Vec3::Y));
    description.geoms.push(Geom::new("skin", BodyId::new(1), GeomShape::Sphere { radius: 0.1 }));
    description
}

fn motor(joint: usize) -> Actuator {
    Actuator::motor("motor", JointId::new(joint))
}

fn equality(kind: EqualityKind) -> Equality {
    Equality { name: "tie".to_owned(), kind, softness: Softness::MUJOCO, is_active: true }
}

type Spoil = (&'static str, fn(&mut Description));

const SPOILT: &[Spoil] = &[
    ("no world", |it| it.bodies.clear()),
    ("parent later", |it| it.bodies[1].parent = BodyId::new(2)),
    ("parent itself", |it| it.bodies[2].parent = BodyId::new(2)),
    ("not depth first", |it| {
        it.bodies.push(Body::new("beside", BodyId::WORLD));
        it.bodies.push(Body::new("late", BodyId::new(1)));
    }),
    ("joints out of order", |it| it.joints.swap(0, 1)),
    ("joint of the world", |it| it.joints.insert(0, hinge("bolt", BodyId::WORLD, Vec3::X))),
    ("joint of nothing", |it| it.joints.push(hinge("loose", BodyId::new(9), Vec3::X))),
    ("free below", |it| it.joints[1].kind = JointKind::Free),
    ("free beside", |it| {
        it.joints[0].kind = JointKind::Free;
        it.joints.insert(1, hinge("second", BodyId::new(1), Vec3::X));
    }),
    ("ball and hinge", |it| {
        it.joints[0].kind = JointKind::Ball;
        it.joints.insert(1, hinge("second", BodyId::new(1), Vec3::X));
    }),
    ("prescribed with joint", |it| it.bodies[1].is_prescribed = true),
    ("prescribed below", |it| {
        it.joints.pop();
        it.bodies[2].is_prescribed = true;
    }),
    ("mass", |it| it.bodies[1].mass = -1.0),
    ("mass not a number", |it| it.bodies[1].mass = f64::NAN),
    ("moment", |it| it.bodies[2].inertia.y = f64::INFINITY),
    ("rotation", |it| it.bodies[1].pose.rotation = Quat::from_xyzw(0.0, 0.0, 0.0, 2.0)),
    ("place", |it| it.bodies[1].inertia_pose.translation.x = f64::NAN),
    ("compensation", |it| it.bodies[1].gravity_compensation = f64::NAN),
    ("axis", |it| it.joints[0].axis = Vec3::ZERO),
    ("stiffness", |it| it.joints[0].stiffness = -3.0),
    ("damping", |it| it.joints[0].damping = f64::NAN),
    ("limits", |it| it.joints[1].limits = Some([1.0, -1.0])),
    ("margin of limits", |it| it.joints[1].limit_margin = f64::NAN),
    ("range of force", |it| it.joints[1].actuator_force_range = Some([1.0, -1.0])),
    ("no inertia", |it| {
        it.bodies[2].mass = 0.0;
        it.bodies[2].inertia = Vec3::ZERO;
    }),
    ("size", |it| it.geoms[0].shape = GeomShape::Sphere { radius: 0.0 }),
    ("geom of nothing", |it| it.geoms[0].body = BodyId::new(7)),
    ("friction", |it| it.geoms[0].surface.friction[1] = -0.1),
    ("margin", |it| it.geoms[0].surface.margin = f64::NAN),
    ("softness", |it| it.geoms[0].surface.softness.impedance.width = f64::NAN),
    ("pair of nothing", |it| {
        it.pairs.push(ContactPair {
            name: "pair".to_owned(),
            geoms: [GeomId::new(0), GeomId::new(5)],
            dimension: ContactDimension::Sliding,
            friction: [1.0; 5],
            softness: Softness::MUJOCO,
            friction_reference: None,
            margin: 0.0,
            gap: 0.0,
        });
    }),
    ("excluded nothing", |it| it.excluded.push([BodyId::new(1), BodyId::new(12)])),
    ("equality of nothing", |it| {
        let kind = EqualityKind::Connect {
            first: (BodyId::new(1), Vec3::ZERO),
            second: (BodyId::new(40), Vec3::ZERO),
        };
        it.equalities.push(equality(kind));
    }),
    ("point of an equality", |it| {
        let kind = EqualityKind::Connect {
            first: (BodyId::new(1), Vec3::new(f64::NAN, 0.0, 0.0)),
            second: (BodyId::new(2), Vec3::ZERO),
        };
        it.equalities.push(equality(kind));
    }),
    ("length of a distance", |it| {
        let kind = EqualityKind::Distance {
            first: (BodyId::new(1), Vec3::ZERO),
            second: (BodyId::new(2), Vec3::ZERO),
            length: -1.0,
        };
        it.equalities.push(equality(kind));
    }),
    ("polynomial of a ball", |it| {
        it.joints[0].kind = JointKind::Ball;
        let kind = EqualityKind::Polynomial { driven: JointId::new(0), driver: None, coefficients: [0.0; 5] };
        it.equalities.push(equality(kind));
    }),
    ("actuator of nothing", |it| it.actuators.push(motor(3))),
    ("gear", |it| it.actuators.push(Actuator { gear: [f64::NAN; 6], ..motor(0) })),
    ("range of control", |it| {
        it.actuators.push(Actuator { control_range: Some([2.0, 1.0]), ..motor(0) });
    }),
    ("keyframe", |it| {
        it.keyframes.push(Keyframe {
            name: "home".to_owned(),
            time: 0.0,
            coordinates: vec![0.0; 3],
            velocities: vec![0.0; 2],
            controls: Vec::new(),
            prescribed_poses: Vec::new(),
        });
    }),
    ("step", |it| it.settings.time_step = 0.0),
    ("gravity", |it| it.settings.gravity.z = f64::NEG_INFINITY),
    ("ratio", |it| it.settings.impedance_ratio = 0.0),
    ("edges", |it| it.settings.cone = Cone::Pyramid { edges: 5 }),
];

#[test]
fn descriptions_that_are_no_model_are_refused_with_reasons() {
    model(arm());
    let mut told = String::new();
    for (what, spoil) in SPOILT {
        let mut description = arm();
        spoil(&mut description);
        let answer = match Model::new(description) {
            Ok(_) => "TAKEN".to_owned(),
            Err(error) => error.to_string(),
        };
        told += &format!("{what}: {answer}\n");
    }
    insta::assert_snapshot!(told);
}

#[test]
fn a_step_that_is_not_finite_leaves_the_state_as_before() {
    let integrators =
        [Integrator::Euler, Integrator::Implicit, Integrator::ImplicitFast, Integrator::RungeKutta];
    for (seed, integrator) in integrators.into_iter().enumerate() {
        let (mut model, state) = scene(seed as u64, CONES[seed]);
        model.description.settings.integrator = integrator;
        let mut run = Simulation::new(model);
        *run.state_mut() = state;
        run.step().expect("a step");
        let good = run.state().clone();
        run.state_mut().velocities[0] = 1e200;
        let before = run.state().clone();
        let error = run.step().expect_err("no step");
        assert_eq!(*run.state(), before, "{integrator:?}: {error}");
        // What the failed step left in buffers does not matter.
        let mut fresh = Simulation::new(run.model().clone());
        fresh.state_mut().clone_from(&good);
        run.state_mut().clone_from(&good);
        run.step().expect("a step");
        fresh.step().expect("a step");
        assert_eq!(run.state(), fresh.state(), "{integrator:?}");
    }
}

#[test]
fn a_motion_that_ends_is_told_with_its_joint() {
    let mut run = Simulation::new(model(arm()));
    run.state_mut().velocities[1] = f64::INFINITY;
    let error = run.step().expect_err("no step").to_string();
    assert!(error.contains("at 0 s") && error.contains("no longer finite"), "{error}");
    let mut free = Description::new("free");
    free.bodies.push(body("body", BodyId::WORLD, 1.0, Vec3::ONE));
    free.joints.push(Joint::new("loose", BodyId::new(1), JointKind::Free));
    let mut run = Simulation::new(model(free));
    run.state_mut().coordinates[1] = f64::NAN;
    let error = run.step().expect_err("no step").to_string();
    assert!(error.contains("loose") || error.contains("mass matrix"), "{error}");
}
