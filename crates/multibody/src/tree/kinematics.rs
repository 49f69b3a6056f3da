//! Forward kinematics: from q to poses, axes of freedoms and inertias about each tree's centre of mass; from
//! v to velocities.

use super::spatial::{Motion, SpatialInertia};
use super::topology::Topology;
use crate::model::{BodyId, Description, Joint, JointKind};
use crate::state::{Prescribed, State};
use gedanken_math::rotation::{axes, from_rotation_vector};
use gedanken_math::{Mat3, Pose, Quat, Vec3};

/// Poses, axes and velocities of a state.
#[derive(Debug, Clone, Default)]
pub struct Kinematics {
    /// By body, its pose in the world.
    pub poses: Vec<Pose>,
    /// By body, its rotation as a matrix.
    pub rotations: Vec<Mat3>,
    /// By body, its centre of mass in the world.
    pub centres: Vec<Vec3>,
    /// By body, the reference point of its tree: the centre of mass of all that its root carries.
    pub references: Vec<Vec3>,
    /// By body, its inertia about the reference point.
    pub inertias: Vec<SpatialInertia>,
    /// By freedom, its axis about the reference point.
    pub axes: Vec<Motion>,
    /// By freedom, the rate of its axis that bias forces come from.
    pub axis_rates: Vec<Motion>,
    /// By body, its velocity about the reference point.
    pub velocities: Vec<Motion>,
    /// Accelerations of the prescribed bodies about their reference points, in their order.
    pub prescribed: Vec<Motion>,
    /// By geom, its pose in the world.
    pub geom_poses: Vec<Pose>,
    /// By joint, its anchor and axis in the world.
    anchors: Vec<(Vec3, Vec3)>,
}

/// Coordinates at `address` as a unit quaternion w, x, y, z. One without a length becomes no rotation.
pub(crate) fn quaternion(coordinates: &[f64], address: usize) -> Quat {
    let [w, x, y, z] = core::array::from_fn(|k| coordinates[address + k]);
    let raw = Quat::from_xyzw(x, y, z, w);
    let length = raw.length();
    if length < 1e-15 { Quat::IDENTITY } else { raw * (1.0 / length) }
}

/// A quaternion scaled to unit length.
#[inline]
fn unit(q: Quat) -> Quat {
    let squared = q.length_squared();
    // Near 1 the inverse root is 1 − ε/2 up to 3/8 ε², below rounding, and no body waits for a root.
    if (squared - 1.0).abs() < 1e-8 { q * (1.5 - 0.5 * squared) } else { q * (1.0 / squared.sqrt()) }
}

/// Rotation vector of a unit quaternion, of length at most π.
pub(crate) fn rotation_vector(q: Quat) -> Vec3 {
    let axis = Vec3::new(q.x, q.y, q.z);
    let sine = axis.length();
    if sine < 1e-15 {
        return Vec3::ZERO;
    }
    let mut angle = 2.0 * libm::atan2(sine, q.w);
    if angle > core::f64::consts::PI {
        angle -= 2.0 * core::f64::consts::PI;
    }
    axis * (angle / sine)
}

/// Pose of a body after one of its joints, whose anchor is at `anchor` in the world.
fn moved_by(joint: &Joint, before: Pose, anchor: Vec3, coordinates: &[f64], address: usize) -> Pose {
    let turned = |turn: Quat| {
        let rotation = before.rotation * turn;
        if joint.anchor == Vec3::ZERO {
            return Pose::new(rotation, before.translation);
        }
        let offset = Pose::new(rotation, Vec3::ZERO).vector_to_world(joint.anchor);
        Pose::new(rotation, anchor - offset)
    };
    match joint.kind {
        JointKind::Free => {
            let [x, y, z] = core::array::from_fn(|k| coordinates[address + k]);
            Pose::new(quaternion(coordinates, address + 3), Vec3::new(x, y, z))
        }
        JointKind::Ball => turned(quaternion(coordinates, address)),
        JointKind::Slide => {
            let path = coordinates[address] - joint.reference;
            let axis = before.vector_to_world(joint.axis);
            Pose::new(before.rotation, before.translation + axis * path)
        }
        JointKind::Hinge => {
            turned(from_rotation_vector(joint.axis * (coordinates[address] - joint.reference)))
        }
    }
}

/// Velocity and acceleration of a prescribed body about a reference point. Both are rates of the space at that
/// point, through which the body moves.
fn about(given: &Prescribed, reference: Vec3) -> [Motion; 2] {
    let arm = reference - given.pose.translation;
    let (spin, spin_rate) = (given.angular_velocity, given.angular_acceleration);
    let linear = given.acceleration + spin_rate.cross(arm) - spin.cross(given.velocity);
    [
        Motion { angular: spin, linear: given.velocity + spin.cross(arm) },
        Motion { angular: spin_rate, linear },
    ]
}

impl Kinematics {
    /// Computes poses, axes and inertias of a state.
    pub fn place(&mut self, description: &Description, topology: &Topology, state: &State) {
        self.poses.clear();
        self.rotations.clear();
        self.centres.clear();
        self.anchors.clear();
        let mut prescribed = state.prescribed.iter();
        for (index, body) in description.bodies.iter().enumerate() {
            let parent = if index == 0 { Pose::IDENTITY } else { self.poses[body.parent.index()] };
            let given = if body.is_prescribed { prescribed.next() } else { None };
            let mut pose = given.map_or_else(|| parent * body.pose, |it| it.pose);
            for number in topology.joints_of[index].clone() {
                let joint = &description.joints[number];
                let anchor = match joint.anchor == Vec3::ZERO {
                    true => pose.translation,
                    false => pose.point_to_world(joint.anchor),
                };
                self.anchors.push((anchor, pose.vector_to_world(joint.axis)));
                pose = moved_by(joint, pose, anchor, &state.coordinates, topology.coordinate_of[number]);
            }
            // Products of unit quaternions drift from unit length along a chain.
            pose.rotation = unit(pose.rotation);
            self.poses.push(pose);
            self.rotations.push(Mat3::from_cols_array_2d(&axes(pose.rotation).map(|axis| axis.to_array())));
            self.centres.push(pose.point_to_world(body.inertia_pose.translation));
        }
        self.place_inertias(description, topology);
        self.place_axes(description, topology);
        self.geom_poses.clear();
        self.geom_poses
            .extend(description.geoms.iter().map(|geom| self.poses[geom.body.index()] * geom.pose));
    }

    /// Reference points of the trees, and inertias about them.
    fn place_inertias(&mut self, description: &Description, topology: &Topology) {
        let count = description.bodies.len();
        self.references.clear();
        self.references.resize(count, Vec3::ZERO);
        let mut masses = core::mem::take(&mut self.inertias);
        masses.clear();
        masses.resize(count, SpatialInertia::ZERO);
        for (index, body) in description.bodies.iter().enumerate() {
            let root = topology.root_of[index].index();
            masses[root].mass += body.mass;
            self.references[root] += self.centres[index] * body.mass;
        }
        for (index, tree) in masses.iter().enumerate() {
            let root = topology.root_of[index].index();
            // Roots come before what they carry, so theirs is divided first.
            if root == index {
                let mass = tree.mass;
                let sum = self.references[index];
                self.references[index] = if mass > 1e-15 { sum * (1.0 / mass) } else { self.centres[index] };
            } else {
                self.references[index] = self.references[root];
            }
        }
        for (index, body) in description.bodies.iter().enumerate() {
            let frame = self.poses[index].rotation * body.inertia_pose.rotation;
            let turn = Mat3::from_cols_array_2d(&axes(frame).map(|axis| axis.to_array()));
            let about_centre = turn * Mat3::from_diagonal(body.inertia) * turn.transpose();
            let offset = self.centres[index] - self.references[index];
            masses[index] = SpatialInertia::new(body.mass, offset, about_centre);
        }
        self.inertias = masses;
    }

    /// Axes of all freedoms.
    fn place_axes(&mut self, description: &Description, topology: &Topology) {
        self.axes.clear();
        for (number, joint) in description.joints.iter().enumerate() {
            let body = joint.body.index();
            let (anchor, axis) = self.anchors[number];
            let turned = self.rotations[body];
            let reference = self.references[topology.root_of[body].index()];
            let about = |axis: Vec3, point: Vec3| Motion::rotation(axis, point - reference);
            match joint.kind {
                JointKind::Free => {
                    self.axes.extend(Vec3::AXES.map(Motion::translation));
                    let origin = self.poses[body].translation;
                    self.axes.extend((0..3).map(|k| about(turned.col(k), origin)));
                }
                // No joint of the body turns it after a ball, so the axes are those of the body.
                JointKind::Ball => self.axes.extend((0..3).map(|k| about(turned.col(k), anchor))),
                JointKind::Slide => self.axes.push(Motion::translation(axis)),
                JointKind::Hinge => self.axes.push(about(axis, anchor)),
            }
        }
    }

    /// Computes velocities of bodies and rates of axes; [`place`](Self::place) comes first.
    pub fn set_velocities(&mut self, description: &Description, topology: &Topology, state: &State) {
        let speeds = &state.velocities;
        let mut prescribed = state.prescribed.iter().peekable();
        self.velocities.clear();
        self.prescribed.clear();
        self.axis_rates.clear();
        self.axis_rates.resize(topology.freedoms, Motion::ZERO);
        for (index, body) in description.bodies.iter().enumerate() {
            let mut velocity = if index == 0 { Motion::ZERO } else { self.velocities[body.parent.index()] };
            if let Some(given) = prescribed.next_if(|_| body.is_prescribed) {
                let [rate, acceleration] = about(given, self.references[index]);
                velocity = rate;
                self.prescribed.push(acceleration);
            }
            for number in topology.joints_of[index].clone() {
                let joint = &description.joints[number];
                let first = topology.freedom_of[number];
                let mut rotations = first..first + joint.kind.freedoms();
                if joint.kind == JointKind::Free {
                    // The world's axes do not turn.
                    for (axis, speed) in self.axes[first..first + 3].iter().zip(&speeds[first..first + 3]) {
                        velocity += *axis * *speed;
                    }
                    rotations.start += 3;
                }
                for freedom in rotations.clone() {
                    self.axis_rates[freedom] = velocity.cross(self.axes[freedom]);
                }
                for freedom in rotations {
                    velocity += self.axes[freedom] * speeds[freedom];
                }
            }
            self.velocities.push(velocity);
        }
    }

    /// Point of a body in the world.
    #[must_use]
    pub fn point(&self, body: BodyId, offset: Vec3) -> Vec3 {
        self.poses[body.index()].translation + self.rotations[body.index()] * offset
    }

    /// Velocity of the point of a body that is at `point` in the world.
    #[must_use]
    pub fn velocity_at(&self, body: BodyId, point: Vec3) -> Vec3 {
        self.velocities[body.index()].at(point - self.references[body.index()])
    }
}
