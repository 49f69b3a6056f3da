//! What acts on a mechanism from outside while it moves: motions that are prescribed, forces of laws, and
//! conditions that only those outside know how to write.
//!
//! A step asks its [`Surroundings`] wherever it evaluates a state: once at its start, a step of Runge and Kutta
//! at each stage. Time and place are those of the stage, so that methods keep their order.

use crate::model::BodyId;
use crate::state::Prescribed;
use crate::tree::kinematics::Kinematics;
use crate::tree::spatial::Motion;
use gedanken_math::Vec3;

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
