//! From a [`Description`] to a [`Model`]: checked, addressed, with everything that motion leaves as it is.

mod check;
mod initial;

pub use check::ModelError;

use crate::contacts::CandidatePairs;
use crate::model::{Description, Joint, JointKind};
use crate::state::{Prescribed, State};
use crate::tree::topology::Topology;
use gedanken_math::Pose;

/// A mechanism that can move.
#[derive(Debug, Clone)]
pub struct Model {
    /// What it was made from; springs and actuators that are given by a damping ratio have their numbers.
    pub description: Description,
    /// Addresses and relatives.
    pub topology: Topology,
    /// Quantities of the initial pose.
    pub initial: InitialPose,
    /// Geoms that can meet.
    pub pairs: CandidatePairs,
}

/// Quantities of the initial pose that stand for the inertia that a constraint feels.
#[derive(Debug, Clone, Default)]
pub struct InitialPose {
    /// By body, mean inverse inertia of translation and of rotation.
    pub body_inverse_weights: Vec<[f64; 2]>,
    /// By freedom, mean inverse inertia of its joint.
    pub freedom_inverse_weights: Vec<f64>,
    /// By actuator, the acceleration of its length that a unit force of it gives.
    pub actuator_inverses: Vec<f64>,
    /// Sum of the diagonal of M: mean inertia times number of freedoms.
    pub inertia: f64,
}

impl Model {
    /// Checks a description and makes a model of it.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn new(description: Description) -> Result<Self, ModelError> {
        check::check(&description)?;
        let topology = Topology::new(&description);
        check::check_sizes(&description, &topology)?;
        let pairs = CandidatePairs::new(&description);
        let mut model = Self { description, topology, initial: InitialPose::default(), pairs };
        model.initial = initial::measure(&model)?;
        model.set_spring_dampers();
        model.set_damping_ratios();
        Ok(model)
    }

    /// Number of coordinates.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.topology.coordinates
    }

    /// Number of freedoms.
    #[must_use]
    pub fn freedoms(&self) -> usize {
        self.topology.freedoms
    }

    /// The state in which the mechanism was described: every joint at its reference, at rest.
    #[must_use]
    pub fn initial_state(&self) -> State {
        let bodies = &self.description.bodies;
        let mut coordinates = Vec::with_capacity(self.coordinates());
        for joint in &self.description.joints {
            push_reference(joint, bodies[joint.body.index()].pose, &mut coordinates);
        }
        State {
            time: 0.0,
            coordinates,
            velocities: vec![0.0; self.freedoms()],
            controls: vec![0.0; self.description.actuators.len()],
            warm_start: vec![0.0; self.freedoms()],
            prescribed: bodies
                .iter()
                .filter(|body| body.is_prescribed)
                .map(|body| Prescribed::at_rest(body.pose))
                .collect(),
        }
    }

    /// Springs and dampers given by time constant and damping ratio, for the inertia of the initial pose.
    fn set_spring_dampers(&mut self) {
        for (joint, &freedom) in self.description.joints.iter_mut().zip(&self.topology.freedom_of) {
            let Some([time_constant, damping_ratio]) = joint.spring_damper else { continue };
            let inertia: f64 = 1.0 / self.initial.freedom_inverse_weights[freedom].max(1e-15);
            joint.stiffness = inertia / (time_constant * time_constant * damping_ratio * damping_ratio);
            joint.damping = 2.0 * inertia / time_constant;
        }
    }

    /// Actuators given by a damping ratio, for the inertia of the initial pose.
    fn set_damping_ratios(&mut self) {
        for (actuator, inverse) in self.description.actuators.iter_mut().zip(&self.initial.actuator_inverses)
        {
            if let Some(ratio) = actuator.damping_ratio {
                let inertia = 1.0 / inverse.max(1e-15);
                actuator.bias[2] = -ratio * 2.0 * (-actuator.bias[1] * inertia).max(0.0).sqrt();
            }
        }
    }
}

/// Appends the coordinates of a joint at its reference.
fn push_reference(joint: &Joint, pose: Pose, coordinates: &mut Vec<f64>) {
    match joint.kind {
        JointKind::Free => {
            let (p, q) = (pose.translation, pose.rotation);
            coordinates.extend([p.x, p.y, p.z, q.w, q.x, q.y, q.z]);
        }
        JointKind::Ball => coordinates.extend([1.0, 0.0, 0.0, 0.0]),
        JointKind::Slide | JointKind::Hinge => coordinates.push(joint.reference),
    }
}
