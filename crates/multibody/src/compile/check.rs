//! What a description must fulfil to be a model.

use crate::model::{
    Actuator, BodyId, Cone, ContactPair, Description, EqualityKind, Geom, GeomShape, Inequality,
    InequalityKind, Joint, JointId, JointKind, Motor, MotorCoordinate, Mount, Settings, Softness,
};
use crate::tree::topology::Topology;
use gedanken_math::{Pose, Vec3};
use thiserror::Error;

/// Why a description is no model.
#[derive(Debug, Clone, PartialEq, Error)]
pub enum ModelError {
    /// Body 0 is not the world.
    #[error("the first body must be the world")]
    NoWorld,
    /// A parent that is not before its child.
    #[error("body `{body}` stands before the body that carries it")]
    ParentOrder {
        /// The child.
        body: String,
    },
    /// A body that does not follow its relatives.
    #[error(
        "body `{body}` does not stand in the order depth first: the body before it does not lead to its parent"
    )]
    NotDepthFirst {
        /// The body.
        body: String,
    },
    /// Joints that do not stand in the order of their bodies, or belong to the world.
    #[error("joint `{joint}` does not stand in the order of the bodies, or belongs to the world")]
    JointOrder {
        /// The joint.
        joint: String,
    },
    /// A free joint that is not alone, or not at a child of the world.
    #[error("free joint `{joint}`: it must be the only joint of a body that the world carries")]
    FreeJoint {
        /// The joint.
        joint: String,
    },
    /// A rotation after a ball, or a ball after a rotation.
    #[error("body `{body}`: a ball joint cannot be combined with another joint that turns the body")]
    BallAndRotation {
        /// The body.
        body: String,
    },
    /// A prescribed body with joints, or not at the world.
    #[error("prescribed body `{body}`: only a child of the world without joints can be prescribed")]
    Prescribed {
        /// The body.
        body: String,
    },
    /// A number that is not finite, or out of its range.
    #[error("{what} of `{name}` is {value}; it must be {range}")]
    Number {
        /// The quantity.
        what: &'static str,
        /// Its owner.
        name: String,
        /// Its value.
        value: f64,
        /// What is allowed.
        range: &'static str,
    },
    /// A range without numbers in it.
    #[error("range of {what} of `{name}` goes from {low} to {high}; the lower bound must come first")]
    Range {
        /// The quantity.
        what: &'static str,
        /// Its owner.
        name: String,
        /// Its lower bound.
        low: f64,
        /// Its upper bound.
        high: f64,
    },
    /// A freedom that nothing resists.
    #[error("joint `{joint}` moves no mass; give its body a mass, a geom or the joint an armature")]
    NoInertia {
        /// The joint.
        joint: String,
    },
    /// A mass matrix that is not positive definite.
    #[error("the mass matrix is not positive definite")]
    NotPositive,
    /// A reference to something that is not there or does not fit.
    #[error("{what} `{name}`: {why}")]
    Reference {
        /// The kind of part.
        what: &'static str,
        /// Its name.
        name: String,
        /// What is wrong.
        why: &'static str,
    },
}

fn number(
    what: &'static str,
    name: &str,
    value: f64,
    range: &'static str,
    fits: bool,
) -> Result<(), ModelError> {
    if value.is_finite() && fits {
        return Ok(());
    }
    Err(ModelError::Number { what, name: name.to_owned(), value, range })
}

fn pose(what: &'static str, name: &str, pose: &Pose) -> Result<(), ModelError> {
    let length = pose.rotation.length();
    number(what, name, length, "a unit quaternion", (length - 1.0).abs() < 1e-6)?;
    vector(what, name, pose.translation)
}

fn vector(what: &'static str, name: &str, vector: Vec3) -> Result<(), ModelError> {
    vector.to_array().into_iter().try_for_each(|value| number(what, name, value, "finite", true))
}

/// Checks everything but sizes that depend on addresses.
pub(super) fn check(description: &Description) -> Result<(), ModelError> {
    bodies(description)?;
    joints(description)?;
    description.geoms.iter().try_for_each(|it| geom(description, it))?;
    description.pairs.iter().try_for_each(|pair| contact_pair(description, pair))?;
    for bodies in &description.excluded {
        let there = bodies.iter().all(|body| body.index() < description.bodies.len());
        reference("excluded pair", &description.name, there, "a body is not there")?;
    }
    for it in &description.equalities {
        equality(description, &it.name, &it.kind)?;
        softness(&it.name, &it.softness)?;
    }
    description.inequalities.iter().try_for_each(|it| inequality(description, it))?;
    description.motors.iter().try_for_each(|it| motor(description, it))?;
    description.actuators.iter().try_for_each(|it| actuator(description, it))?;
    settings(&description.name, &description.settings)
}

fn geom(description: &Description, geom: &Geom) -> Result<(), ModelError> {
    let name = &geom.name;
    pose("pose", name, &geom.pose)?;
    sizes(&geom.shape).iter().try_for_each(|&size| number("size", name, size, "positive", size > 0.0))?;
    let has_body = geom.body.index() < description.bodies.len();
    reference("geom", name, has_body, "its body is not there")?;
    for value in geom.surface.friction {
        number("friction", name, value, "zero or more", value >= 0.0)?;
    }
    number("margin", name, geom.surface.margin, "finite", true)?;
    number("gap", name, geom.surface.gap, "finite", true)?;
    number("mixing weight", name, geom.surface.mixing_weight, "finite", true)?;
    softness(name, &geom.surface.softness)
}

fn actuator(description: &Description, actuator: &Actuator) -> Result<(), ModelError> {
    let name = &actuator.name;
    let fits = actuator.joint.index() < description.joints.len();
    reference("actuator", name, fits, "its joint is not there")?;
    for &value in actuator.gear.iter().chain(&actuator.gain).chain(&actuator.bias) {
        number("gear, gain or bias", name, value, "finite", true)?;
    }
    range("control", name, actuator.control_range)?;
    range("force", name, actuator.force_range)
}

fn settings(name: &str, settings: &Settings) -> Result<(), ModelError> {
    number("time step", name, settings.time_step, "positive", settings.time_step > 0.0)?;
    let ratio = settings.impedance_ratio;
    number("impedance ratio", name, ratio, "positive", ratio > 0.0)?;
    if let Cone::Pyramid { edges } = settings.cone {
        number("edges of the pyramid", name, edges as f64, "4, 8 or 16", matches!(edges, 4 | 8 | 16))?;
    }
    vector("gravity", name, settings.gravity)
}

fn softness(name: &str, softness: &Softness) -> Result<(), ModelError> {
    let (reference, impedance) = (softness.reference.to_solref(), softness.impedance.to_solimp());
    reference
        .into_iter()
        .chain(impedance)
        .try_for_each(|value| number("softness", name, value, "finite", true))
}

/// Checks that the lower bound of a range is not above the higher one.
fn range(what: &'static str, name: &str, range: Option<[f64; 2]>) -> Result<(), ModelError> {
    let Some([low, high]) = range else { return Ok(()) };
    // Infinite bounds are allowed, so that one side can be open.
    if low <= high { Ok(()) } else { Err(ModelError::Range { what, name: name.to_owned(), low, high }) }
}

fn bodies(description: &Description) -> Result<(), ModelError> {
    if description.bodies.first().is_none_or(|world| world.parent != BodyId::WORLD) {
        return Err(ModelError::NoWorld);
    }
    for (index, body) in description.bodies.iter().enumerate().skip(1) {
        let name = &body.name;
        if body.parent.index() >= index {
            return Err(ModelError::ParentOrder { body: name.clone() });
        }
        let mut before = index - 1;
        while before > body.parent.index() {
            before = description.bodies[before].parent.index();
        }
        if before != body.parent.index() {
            return Err(ModelError::NotDepthFirst { body: name.clone() });
        }
        pose("pose", name, &body.pose)?;
        pose("inertial pose", name, &body.inertia_pose)?;
        number("mass", name, body.mass, "zero or more", body.mass >= 0.0)?;
        for moment in body.inertia.to_array() {
            number("moment of inertia", name, moment, "zero or more", moment >= 0.0)?;
        }
        number("gravity compensation", name, body.gravity_compensation, "finite", true)?;
        let has_joint = || description.joints.iter().any(|joint| joint.body == BodyId::new(index));
        if body.is_prescribed && (body.parent != BodyId::WORLD || has_joint()) {
            return Err(ModelError::Prescribed { body: name.clone() });
        }
    }
    Ok(())
}

fn joints(description: &Description) -> Result<(), ModelError> {
    let mut last = BodyId::WORLD;
    for joint in &description.joints {
        let name = &joint.name;
        let in_order = joint.body >= last && joint.body != BodyId::WORLD;
        if !in_order || joint.body.index() >= description.bodies.len() {
            return Err(ModelError::JointOrder { joint: name.clone() });
        }
        last = joint.body;
        joint_numbers(joint)?;
    }
    for of_body in description.joints.chunk_by(|one, other| one.body == other.body) {
        let body = &description.bodies[of_body[0].body.index()];
        if let Some(free) = of_body.iter().find(|joint| joint.kind == JointKind::Free)
            && (of_body.len() > 1 || body.parent != BodyId::WORLD)
        {
            return Err(ModelError::FreeJoint { joint: free.name.clone() });
        }
        let turns = of_body.iter().filter(|joint| joint.kind != JointKind::Slide).count();
        if turns > 1 && of_body.iter().any(|joint| joint.kind == JointKind::Ball) {
            return Err(ModelError::BallAndRotation { body: body.name.clone() });
        }
    }
    Ok(())
}

fn joint_numbers(joint: &Joint) -> Result<(), ModelError> {
    let name = &joint.name;
    let least = |what, value: f64| number(what, name, value, "zero or more", value >= 0.0);
    least("stiffness", joint.stiffness)?;
    least("damping", joint.damping)?;
    least("armature", joint.armature)?;
    least("friction loss", joint.friction_loss)?;
    vector("anchor", name, joint.anchor)?;
    let length = joint.axis.length();
    number("length of the axis", name, length, "1", (length - 1.0).abs() < 1e-6)?;
    if let Some([low, high]) = joint.limits {
        number("upper limit", name, high, "at least the lower one", high >= low)?;
        number("lower limit", name, low, "finite", true)?;
    }
    number("margin of the limits", name, joint.limit_margin, "finite", true)?;
    range("actuator forces", name, joint.actuator_force_range)?;
    softness(name, &joint.friction_softness)?;
    softness(name, &joint.limit_softness)?;
    number("reference", name, joint.reference, "finite", true)?;
    number("rest", name, joint.rest, "finite", true)
}

fn sizes(shape: &GeomShape) -> Vec<f64> {
    match shape {
        GeomShape::Plane | GeomShape::Hull(_) => Vec::new(),
        GeomShape::Sphere { radius } => vec![*radius],
        GeomShape::Capsule { radius, half_length } | GeomShape::Cylinder { radius, half_length } => {
            vec![*radius, *half_length]
        }
        GeomShape::Ellipsoid { semi_axes: size } | GeomShape::Box { half_sides: size } => {
            size.to_array().to_vec()
        }
    }
}

fn reference(what: &'static str, name: &str, fits: bool, why: &'static str) -> Result<(), ModelError> {
    if fits { Ok(()) } else { Err(ModelError::Reference { what, name: name.to_owned(), why }) }
}

fn contact_pair(description: &Description, pair: &ContactPair) -> Result<(), ModelError> {
    let there = pair.geoms.iter().all(|geom| geom.index() < description.geoms.len());
    reference("contact pair", &pair.name, there, "a geom is not there")?;
    for value in pair.friction {
        number("friction", &pair.name, value, "zero or more", value >= 0.0)?;
    }
    number("margin", &pair.name, pair.margin, "finite", true)?;
    number("gap", &pair.name, pair.gap, "finite", true)?;
    softness(&pair.name, &pair.softness)
}

fn has_bodies(
    description: &Description,
    what: &'static str,
    name: &str,
    bodies: [BodyId; 2],
) -> Result<(), ModelError> {
    let there = bodies[0].max(bodies[1]).index() < description.bodies.len();
    reference(what, name, there, "a body is not there")
}

fn mounts(
    description: &Description,
    what: &'static str,
    name: &str,
    mounts: [&Mount; 2],
) -> Result<(), ModelError> {
    has_bodies(description, what, name, mounts.map(|mount| mount.body))?;
    mounts.into_iter().try_for_each(|mount| pose("frame", name, &mount.frame))
}

fn points(
    description: &Description,
    what: &'static str,
    name: &str,
    points: [&(BodyId, Vec3); 2],
) -> Result<(), ModelError> {
    has_bodies(description, what, name, points.map(|(body, _)| *body))?;
    points.into_iter().try_for_each(|(_, point)| vector("point", name, *point))
}

/// Returns `true` if a joint has one coordinate.
fn is_scalar(description: &Description, joint: JointId) -> bool {
    let kind = description.joints.get(joint.index()).map(|joint| joint.kind);
    matches!(kind, Some(JointKind::Hinge | JointKind::Slide))
}

fn inequality(description: &Description, inequality: &Inequality) -> Result<(), ModelError> {
    let name = &inequality.name;
    softness(name, &inequality.softness)?;
    match &inequality.kind {
        InequalityKind::Rope { first, second, length } => {
            points(description, "rope", name, [first, second])?;
            number("length", name, *length, "zero or more", *length >= 0.0)
        }
        InequalityKind::Angle { first, second, limits } => {
            mounts(description, "inequality", name, [first, second])?;
            let width = limits[1] - limits[0];
            let fits = width > 0.0 && width < std::f64::consts::TAU;
            limits
                .iter()
                .try_for_each(|&at| number("limit", name, at, "less than a turn apart, in order", fits))
        }
        InequalityKind::Shift { first, second, limits } => {
            mounts(description, "inequality", name, [first, second])?;
            let fits = limits[0] < limits[1];
            limits.iter().try_for_each(|&at| number("limit", name, at, "in order", fits))
        }
        InequalityKind::Outside { bodies, .. } => has_bodies(description, "inequality", name, *bodies),
    }
}

fn motor(description: &Description, motor: &Motor) -> Result<(), ModelError> {
    let name = &motor.name;
    softness(name, &motor.softness)?;
    number("speed", name, motor.speed, "finite", true)?;
    number("largest force", name, motor.largest_force, "zero or more", motor.largest_force >= 0.0)?;
    match &motor.coordinate {
        MotorCoordinate::Joint(joint) => {
            let fits = is_scalar(description, *joint);
            reference("motor", name, fits, "it drives a hinge or a slide")
        }
        MotorCoordinate::Hinge { first, second } | MotorCoordinate::Slide { first, second } => {
            mounts(description, "motor", name, [first, second])
        }
    }
}

fn equality(description: &Description, name: &str, kind: &EqualityKind) -> Result<(), ModelError> {
    let mounts = |first: &Mount, second: &Mount| mounts(description, "equality", name, [first, second]);
    let points = |first: &(BodyId, Vec3), second: &(BodyId, Vec3)| {
        points(description, "equality", name, [first, second])
    };
    match kind {
        EqualityKind::Connect { first, second } => points(first, second),
        EqualityKind::Distance { first, second, length } => {
            points(first, second)?;
            number("length", name, *length, "zero or more", *length >= 0.0)
        }
        EqualityKind::Weld { first, second, torque_scale } => {
            mounts(first, second)?;
            number("torque scale", name, *torque_scale, "finite", true)
        }
        EqualityKind::Hinge { first, second }
        | EqualityKind::Slide { first, second }
        | EqualityKind::Universal { first, second } => mounts(first, second),
        EqualityKind::Outside { bodies, .. } => has_bodies(description, "equality", name, *bodies),
        EqualityKind::Polynomial { driven, driver, coefficients } => {
            let scalar = |joint: JointId| is_scalar(description, joint);
            let fits = scalar(*driven) && driver.is_none_or(scalar);
            reference("equality", name, fits, "it couples hinges and slides only")?;
            coefficients.iter().try_for_each(|&value| number("coefficient", name, value, "finite", true))
        }
    }
}

/// Checks that keyframes have as many numbers as there are coordinates.
pub(super) fn check_sizes(description: &Description, topology: &Topology) -> Result<(), ModelError> {
    for key in &description.keyframes {
        let fits = key.coordinates.len() == topology.coordinates
            && key.velocities.len() == topology.freedoms
            && key.controls.len() == description.actuators.len();
        reference("keyframe", &key.name, fits, "its numbers do not fit the joints and actuators")?;
    }
    Ok(())
}
