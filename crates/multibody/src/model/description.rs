//! The description of a mechanism: plain data that a reader fills in and `Model::new` checks.

use super::actuator::Actuator;
use super::body::Body;
use super::equality::Equality;
use super::geom::{ContactPair, Geom};
use super::ids::BodyId;
use super::inequality::Inequality;
use super::joint::Joint;
use super::motor::Motor;
use super::settings::Settings;
use gedanken_math::Pose;

/// Everything that is said of a mechanism.
#[derive(Debug, Clone)]
pub struct Description {
    /// Its name.
    pub name: String,
    /// Bodies, the world first, every parent before its children, depth first.
    pub bodies: Vec<Body>,
    /// Joints, in the order of their bodies.
    pub joints: Vec<Joint>,
    /// Geoms, in the order of their bodies.
    pub geoms: Vec<Geom>,
    /// Pairs of geoms with parameters of their own.
    pub pairs: Vec<ContactPair>,
    /// Pairs of bodies that do not meet.
    pub excluded: Vec<[BodyId; 2]>,
    /// Equalities.
    pub equalities: Vec<Equality>,
    /// Inequalities.
    pub inequalities: Vec<Inequality>,
    /// Motors.
    pub motors: Vec<Motor>,
    /// Actuators.
    pub actuators: Vec<Actuator>,
    /// States with a name.
    pub keyframes: Vec<Keyframe>,
    /// Settings.
    pub settings: Settings,
}

/// A state with a name.
#[derive(Debug, Clone, PartialEq)]
pub struct Keyframe {
    /// Its name; may be empty.
    pub name: String,
    /// Time, in s.
    pub time: f64,
    /// Coordinates, as many as the joints have.
    pub coordinates: Vec<f64>,
    /// Velocities, as many as the joints have freedoms.
    pub velocities: Vec<f64>,
    /// Controls, one per actuator.
    pub controls: Vec<f64>,
    /// Poses of the prescribed bodies, in their order.
    pub prescribed_poses: Vec<Pose>,
}

impl Description {
    /// A mechanism without anything but the world.
    #[must_use]
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            bodies: vec![Body::world()],
            joints: Vec::new(),
            geoms: Vec::new(),
            pairs: Vec::new(),
            excluded: Vec::new(),
            equalities: Vec::new(),
            inequalities: Vec::new(),
            motors: Vec::new(),
            actuators: Vec::new(),
            keyframes: Vec::new(),
            settings: Settings::default(),
        }
    }
}
