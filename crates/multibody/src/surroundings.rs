//! What acts on a mechanism from outside while it moves: motions that are prescribed, forces of laws, and
//! conditions that only those outside know how to write.
//!
//! A step asks its [`Surroundings`] wherever it evaluates a state: once at its start, a step of Runge and Kutta
//! at each stage. Time and place are those of the stage, so that methods keep their order.

use crate::model::BodyId;
use crate::state::Prescribed;
use crate::tree::kinematics::Kinematics;
use crate::tree::spatial::{Motion, Wrench};
use gedanken_math::{Mat3, Vec3};

/// What acts from outside. Every part is absent unless it is written.
pub trait Surroundings {
    /// Writes how prescribed bodies move at a time. Those that are left alone stay where they are.
    fn prescribe(&mut self, _time: f64, _bodies: &mut [Prescribed]) {}

    /// Number of laws, each with an entry of its own in the ledger.
    fn laws(&self) -> usize {
        0
    }

    /// Calls `push` with every law, body, force at its centre of mass, and torque.
    ///
    /// # Errors
    /// Why a law has no force here.
    fn act(
        &mut self,
        _time: f64,
        _kinematics: &Kinematics,
        _push: &mut dyn FnMut(usize, BodyId, Vec3, Vec3),
    ) -> Result<(), String> {
        Ok(())
    }

    /// Appends how forces of laws change with velocities, for steps that are implicit in them. What is left out
    /// acts as at the start of the step. [`act`](Self::act) has been called at the same state.
    fn slopes(&mut self, _slopes: &mut Vec<VelocitySlope>) {}

    /// Appends the rows of all conditions that the description leaves to those outside.
    ///
    /// # Errors
    /// Why a condition has no value here.
    fn constrain(
        &mut self,
        _time: f64,
        _kinematics: &Kinematics,
        _rows: &mut Vec<OutsideRow>,
    ) -> Result<(), String> {
        Ok(())
    }
}

/// Change of force and torque on a body with the velocity of its own or another's centre of mass, and with the
/// angular velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct VelocitySlope {
    /// The body on which the law acts.
    pub on: BodyId,
    /// The body that moves.
    pub of: BodyId,
    /// Force by velocity.
    pub force_linear: Mat3,
    /// Force by angular velocity.
    pub force_angular: Mat3,
    /// Torque by velocity.
    pub torque_linear: Mat3,
    /// Torque by angular velocity.
    pub torque_angular: Mat3,
}

impl VelocitySlope {
    /// Force and torque per unit of a motion.
    pub(crate) fn times(&self, motion: Motion) -> Wrench {
        Wrench {
            force: self.force_linear * motion.linear + self.force_angular * motion.angular,
            torque: self.torque_linear * motion.linear + self.torque_angular * motion.angular,
        }
    }
}

/// A condition C(q, t) that is kept at zero, or not below it, at an instant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutsideRow {
    /// Number of the condition, as the description calls it.
    pub number: usize,
    /// C.
    pub value: f64,
    /// Slopes of C along velocities of the centres of mass of the two bodies, and along angular velocities.
    pub slopes: [Motion; 2],
    /// ∂C/∂t.
    pub rate: f64,
    /// C̈ while both bodies keep their velocities.
    pub drift: f64,
}

/// Nothing outside.
#[derive(Debug, Clone, Copy, Default)]
pub struct Nothing;

impl Surroundings for Nothing {}
