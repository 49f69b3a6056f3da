//! Bias forces and inverse dynamics by the recursive Newton-Euler algorithm (@featherstone2008, chapter 5).

use super::kinematics::Kinematics;
use super::spatial::{Motion, Wrench};
use super::topology::Topology;
use crate::model::Description;
use gedanken_math::Vec3;

/// Buffers of the recursion.
#[derive(Debug, Clone, Default)]
pub struct NewtonEuler {
    accelerations: Vec<Motion>,
    wrenches: Vec<Wrench>,
}

impl NewtonEuler {
    /// Writes the forces that the motion needs: c(q, v) without `rates`, M a + c with them, but for the
    /// armature.
    pub fn forces(
        &mut self,
        description: &Description,
        topology: &Topology,
        kinematics: &Kinematics,
        gravity: Vec3,
        speeds: &[f64],
        rates: Option<&[f64]>,
        out: &mut [f64],
    ) {
        self.accelerations.clear();
        self.wrenches.clear();
        for (index, body) in description.bodies.iter().enumerate() {
            // To fall freely is to accelerate against gravity.
            let mut acceleration = match index {
                0 => Motion::translation(-gravity),
                _ => self.accelerations[body.parent.index()],
            };
            for freedom in topology.freedoms_of[index].clone() {
                acceleration += kinematics.axis_rates[freedom] * speeds[freedom];
                if let Some(rates) = rates {
                    acceleration += kinematics.axes[freedom] * rates[freedom];
                }
            }
            let inertia = &kinematics.inertias[index];
            let velocity = kinematics.velocities[index];
            let carried = velocity.cross_wrench(inertia.times(velocity));
            self.accelerations.push(acceleration);
            self.wrenches.push(inertia.times(acceleration) + carried);
        }
        for index in (1..description.bodies.len()).rev() {
            let wrench = self.wrenches[index];
            let parent = description.bodies[index].parent.index();
            if parent > 0 {
                self.wrenches[parent] += wrench;
            }
            for freedom in topology.freedoms_of[index].clone() {
                out[freedom] = kinematics.axes[freedom].dot(wrench);
            }
        }
    }

    /// Bias acceleration of the point of a body at `offset` from the reference point: what J̇ v is. Without
    /// gravity; call [`forces`](Self::forces) with no gravity before.
    #[must_use]
    pub fn acceleration_of(&self, body: usize) -> Motion {
        self.accelerations[body]
    }
}
