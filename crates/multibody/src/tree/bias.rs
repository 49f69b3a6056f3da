//! Bias forces and inverse dynamics by the recursive Newton-Euler algorithm (@featherstone2008, chapter 5).

use super::kinematics::Kinematics;
use super::spatial::{Motion, Wrench};
use super::topology::Topology;
use crate::model::{BodyId, Description};
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
        let mut prescribed = kinematics.prescribed.iter();
        for (index, body) in description.bodies.iter().enumerate() {
            // To fall freely is to accelerate against gravity.
            let mut acceleration = match index {
                0 => Motion::translation(-gravity),
                _ => self.accelerations[body.parent.index()],
            };
            if body.is_prescribed
                && let Some(given) = prescribed.next()
            {
                acceleration += *given;
            }
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

    /// Power that prescribed bodies give to what they carry, for the motion that [`forces`](Self::forces) was
    /// called with; `speed` is the velocity of a prescribed body.
    #[must_use]
    pub(crate) fn prescribed_power(
        &self,
        description: &Description,
        topology: &Topology,
        speed: impl Fn(BodyId) -> Motion,
    ) -> f64 {
        let mut power = 0.0;
        for (index, body) in description.bodies.iter().enumerate() {
            let parent = body.parent.index();
            // Where what stands or is told to move ends, and freedoms begin.
            let is_handed = topology.last_freedom[parent].is_none() && topology.last_freedom[index].is_some();
            if topology.driver[index].is_some() && is_handed {
                power += speed(topology.root_of[index]).dot(self.wrenches[index]);
            }
        }
        power
    }
}

/// Slopes of the bias forces with velocity, by a recursion that is linear in a change of velocity.
#[derive(Debug, Clone, Default)]
pub struct BiasSlopes {
    velocities: Vec<Motion>,
    accelerations: Vec<Motion>,
    wrenches: Vec<Wrench>,
}

impl BiasSlopes {
    /// Writes ∂c/∂v of one tree, row by row.
    pub fn of_tree(
        &mut self,
        description: &Description,
        topology: &Topology,
        kinematics: &Kinematics,
        speeds: &[f64],
        freedoms: core::ops::Range<usize>,
        out: &mut Vec<f64>,
    ) {
        let (first, count) = (freedoms.start, freedoms.len());
        out.clear();
        out.resize(count * count, 0.0);
        let root = topology.body_of[first].index();
        let is_of_tree = |body: usize| topology.last_freedom[body].is_some_and(|it| freedoms.contains(&it));
        let end = (root..description.bodies.len()).take_while(|&body| is_of_tree(body)).count() + root;
        for column in freedoms.clone() {
            self.change(description, topology, kinematics, speeds, column, root..end);
            for index in (root..end).rev() {
                let wrench = self.wrenches[index - root];
                let parent = description.bodies[index].parent.index();
                if parent >= root {
                    self.wrenches[parent - root] += wrench;
                }
                for freedom in topology.freedoms_of[index].clone() {
                    out[(freedom - first) * count + column - first] = kinematics.axes[freedom].dot(wrench);
                }
            }
        }
    }

    /// Changes of velocities, accelerations and wrenches of bodies per unit of one velocity.
    fn change(
        &mut self,
        description: &Description,
        topology: &Topology,
        kinematics: &Kinematics,
        speeds: &[f64],
        column: usize,
        bodies: core::ops::Range<usize>,
    ) {
        let root = bodies.start;
        self.velocities.clear();
        self.accelerations.clear();
        self.wrenches.clear();
        for index in bodies {
            let parent = description.bodies[index].parent.index();
            let (mut velocity, mut acceleration) = match parent.checked_sub(root) {
                Some(parent) => (self.velocities[parent], self.accelerations[parent]),
                None => (Motion::ZERO, Motion::ZERO),
            };
            for joint in topology.joints_of[index].clone() {
                let start = topology.freedom_of[joint];
                let kind = description.joints[joint].kind;
                let turns = if kind == crate::model::JointKind::Free { start + 3 } else { start };
                let end = start + kind.freedoms();
                // As with velocities themselves: translations of a free joint first, their axes stand still.
                for freedom in start..turns {
                    velocity += kinematics.axes[freedom] * f64::from(u8::from(freedom == column));
                }
                for (freedom, speed) in (turns..end).zip(&speeds[turns..end]) {
                    acceleration += velocity.cross(kinematics.axes[freedom]) * *speed;
                    if freedom == column {
                        acceleration += kinematics.axis_rates[freedom];
                    }
                }
                for freedom in turns..end {
                    velocity += kinematics.axes[freedom] * f64::from(u8::from(freedom == column));
                }
            }
            let inertia = &kinematics.inertias[index];
            let whole = kinematics.velocities[index];
            let wrench = inertia.times(acceleration)
                + velocity.cross_wrench(inertia.times(whole))
                + whole.cross_wrench(inertia.times(velocity));
            self.velocities.push(velocity);
            self.accelerations.push(acceleration);
            self.wrenches.push(wrench);
        }
    }
}
