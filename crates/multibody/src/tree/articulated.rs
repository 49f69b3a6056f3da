//! Forward dynamics by the articulated-body algorithm: a = M⁻¹ (τ − c) in time linear in the number of bodies
//! (@featherstone2008, chapter 7).
//!
//! Every freedom is taken as a joint of its own, with an articulated inertia that the freedoms of one body
//! hand down one after the other.

use super::kinematics::Kinematics;
use super::spatial::{Motion, SpatialInertia, Wrench};
use super::topology::Topology;
use crate::model::{Body, Description};
use gedanken_math::{Mat3, Vec3};

/// Inertia of a body as felt through the joints below it: a symmetric 6 × 6 matrix in blocks.
#[derive(Debug, Clone, Copy)]
struct Articulated {
    /// Torque per angular acceleration.
    angular: Mat3,
    /// Torque per linear acceleration.
    coupling: Mat3,
    /// Force per linear acceleration.
    linear: Mat3,
}

/// Buffers of the algorithm.
#[derive(Debug, Clone, Default)]
pub struct ArticulatedBodies {
    inertias: Vec<Articulated>,
    wrenches: Vec<Wrench>,
    accelerations: Vec<Motion>,
    /// By body, the acceleration against its parent that speeds alone give it.
    drifts: Vec<Motion>,
    /// By freedom, its column of the articulated inertia, 1/D, and the force left for it.
    columns: Vec<(Wrench, f64, f64)>,
}

impl Articulated {
    fn new(inertia: &SpatialInertia) -> Self {
        Self {
            angular: inertia.rotational,
            coupling: gedanken_math::matrix::cross_matrix(inertia.moment),
            linear: Mat3::from_diagonal(Vec3::splat(inertia.mass)),
        }
    }

    #[inline]
    fn times(&self, motion: Motion) -> Wrench {
        Wrench {
            torque: self.angular * motion.angular + self.coupling * motion.linear,
            force: self.coupling.transpose() * motion.angular + self.linear * motion.linear,
        }
    }

    /// Takes away what a freedom with this column gives way.
    #[inline]
    fn yield_along(&mut self, column: Wrench, inverse: f64) {
        let (torque, force) = (column.torque * inverse, column.force * inverse);
        let outer = |left: Vec3, right: Vec3| Mat3::from_cols(left * right.x, left * right.y, left * right.z);
        self.angular -= outer(torque, column.torque);
        self.coupling -= outer(torque, column.force);
        self.linear -= outer(force, column.force);
    }

    fn add(&mut self, other: &Articulated) {
        self.angular += other.angular;
        self.coupling += other.coupling;
        self.linear += other.linear;
    }
}

impl ArticulatedBodies {
    /// Writes the accelerations that `forces` give; `false` if a freedom has no inertia.
    ///
    /// `forces` are those of freedoms, without the bias, which the algorithm computes by itself. `damping`
    /// adds to the inertia of each freedom beside its armature, as an implicit damper does.
    #[must_use]
    pub fn accelerations(
        &mut self,
        description: &Description,
        topology: &Topology,
        kinematics: &Kinematics,
        gravity: Vec3,
        speeds: &[f64],
        forces: &[f64],
        damping: Option<&[f64]>,
        out: &mut [f64],
    ) -> bool {
        self.inertias.clear();
        self.wrenches.clear();
        self.drifts.clear();
        self.drifts.resize(description.bodies.len(), Motion::ZERO);
        self.columns.clear();
        self.columns.resize(topology.freedoms, (Wrench::ZERO, 0.0, 0.0));
        let is_prescribed = |(_, body): &(usize, &Body)| body.is_prescribed;
        let prescribed = description.bodies.iter().enumerate().filter(is_prescribed);
        for (&given, (index, _)) in kinematics.prescribed.iter().zip(prescribed) {
            self.drifts[index] = given;
        }
        for (inertia, &velocity) in kinematics.inertias.iter().zip(&kinematics.velocities) {
            self.inertias.push(Articulated::new(inertia));
            self.wrenches.push(velocity.cross_wrench(inertia.times(velocity)));
        }
        for index in (1..description.bodies.len()).rev() {
            let mut inertia = self.inertias[index];
            // What speeds alone do to the body comes in one piece, whichever of its freedoms it is from.
            let freedoms = topology.freedoms_of[index].clone();
            let mut drift = Motion::ZERO;
            for freedom in freedoms.clone() {
                drift += kinematics.axis_rates[freedom] * speeds[freedom];
            }
            let mut wrench = self.wrenches[index];
            if !freedoms.is_empty() {
                self.drifts[index] = drift;
                wrench += inertia.times(drift);
            }
            for freedom in freedoms.rev() {
                let axis = kinematics.axes[freedom];
                let column = inertia.times(axis);
                let joint = &description.joints[topology.joint_of[freedom].index()];
                let stiffness =
                    axis.dot(column) + joint.armature + damping.map_or(0.0, |damping| damping[freedom]);
                if stiffness.is_nan() || stiffness <= 0.0 {
                    return false;
                }
                let inverse = 1.0 / stiffness;
                let left = forces[freedom] - axis.dot(wrench);
                self.columns[freedom] = (column, inverse, left);
                wrench += column * (left * inverse);
                inertia.yield_along(column, inverse);
            }
            let parent = description.bodies[index].parent.index();
            if parent > 0 {
                self.inertias[parent].add(&inertia);
                self.wrenches[parent] += wrench;
            }
        }
        self.hand_down(description, topology, kinematics, gravity, out);
        true
    }

    /// From the roots to the leaves: what each freedom does, given what carries it.
    fn hand_down(
        &mut self,
        description: &Description,
        topology: &Topology,
        kinematics: &Kinematics,
        gravity: Vec3,
        out: &mut [f64],
    ) {
        self.accelerations.clear();
        for (index, body) in description.bodies.iter().enumerate() {
            let mut acceleration = match index {
                0 => Motion::translation(-gravity),
                _ => self.accelerations[body.parent.index()],
            };
            for freedom in topology.freedoms_of[index].clone() {
                let (column, inverse, left) = self.columns[freedom];
                let given = acceleration.dot(column);
                let rate = (left - given) * inverse;
                out[freedom] = rate;
                acceleration += kinematics.axes[freedom] * rate;
            }
            self.accelerations.push(acceleration + self.drifts[index]);
        }
    }
}
