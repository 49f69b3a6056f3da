//! `joint` blocks as joints of the tree, or as equalities that close loops.

use gedanken_experiment::{Anchor, Joint, JointKind, Object};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_math::{Mat3, Pose, Quat, Vec3};
use gedanken_multibody::model::{
    self as tree, BodyId, Description, Equality, EqualityKind, Inequality, InequalityKind, JointId, Motor,
    MotorCoordinate, Mount, Softness,
};

/// A joint where it is when the simulation begins.
pub(super) struct JointPlace<'j> {
    joint: &'j Joint,
    /// Frames of the two bodies; that of the ground is the world's.
    frames: [Pose; 2],
    /// The points it holds, in the world.
    points: [Vec3; 2],
}

/// Lets a body float.
pub(super) fn add_free(body: BodyId, description: &mut Description) {
    let name = description.bodies[body.index()].name.clone();
    description.joints.push(tree::Joint::new(name, body, tree::JointKind::Free));
}

impl<'j> JointPlace<'j> {
    /// `poses` are those of the two objects, `stands` whether they stand still.
    pub(super) fn new(joint: &'j Joint, poses: [Pose; 2], stands: [bool; 2]) -> Self {
        let points = match joint.anchor {
            Anchor::World(point) => [Vec3::from_array(point); 2],
            Anchor::Bodies([None, None]) if !joint.kind.has_two_ends() => [poses[0].translation; 2],
            Anchor::Bodies(ends) => core::array::from_fn(|side| {
                poses[side].point_to_world(Vec3::from_array(ends[side].unwrap_or_default()))
            }),
        };
        let frames = core::array::from_fn(|side| if stands[side] { Pose::IDENTITY } else { poses[side] });
        Self { joint, frames, points }
    }

    fn axis(&self, number: usize) -> Vec3 {
        self.joint.axes.get(number).map_or(Vec3::Z, |axis| Vec3::from_array(*axis))
    }

    /// Adds the freedoms that the joint leaves to a body that it carries.
    pub(super) fn carry(
        &self,
        body: BodyId,
        object: &Object,
        usual: Softness,
        description: &mut Description,
    ) {
        let joint = self.joint;
        let is_first = joint.a.text == object.name;
        let frame = self.frames[usize::from(!is_first)];
        let anchor = frame.point_to_body(self.points[usize::from(!is_first)]);
        // Angles and shifts are those of the first body as seen from the second.
        let sign = if is_first { 1.0 } else { -1.0 };
        let mut add = |kind: tree::JointKind, axis: Vec3, name: String| {
            let mut made = tree::Joint::new(name, body, kind);
            made.anchor = anchor;
            made.axis = frame.vector_to_body(axis * sign).normalize();
            made.stiffness = joint.soft.stiffness;
            made.rest = joint.soft.rest;
            made.damping = joint.soft.damping;
            made.armature = joint.soft.armature;
            made.friction_loss = joint.soft.friction_loss;
            made.limits = joint.limits;
            made.limit_softness = joint.soft.softness.or(usual);
            made.friction_softness = joint.soft.softness.or(usual);
            description.joints.push(made);
        };
        let name = joint.name.clone();
        match joint.kind {
            JointKind::Point => add(tree::JointKind::Ball, Vec3::Z, name),
            JointKind::Hinge => add(tree::JointKind::Hinge, self.axis(0), name),
            JointKind::Slider => add(tree::JointKind::Slide, self.axis(0), name),
            JointKind::Free => add(tree::JointKind::Free, Vec3::Z, name),
            JointKind::Universal => {
                // The axis of the carrier comes first, that of the body last.
                let [first, last] = if is_first { [1, 0] } else { [0, 1] };
                add(tree::JointKind::Hinge, self.axis(first), format!("{name}_1"));
                add(tree::JointKind::Hinge, self.axis(last), format!("{name}_2"));
            }
            // A weld leaves nothing; other kinds carry nothing.
            _ => {}
        }
        self.add_motor(
            MotorCoordinate::Joint(JointId::new(description.joints.len().saturating_sub(1))),
            usual,
            description,
        );
    }

    /// Reports what needs a coordinate, in a joint that closes a loop and has none.
    fn refuse_coordinates(&self, said: &mut Vec<Diagnostic>) {
        let soft = &self.joint.soft;
        let needs = [
            ("stiffness", soft.stiffness != 0.0),
            ("damping", soft.damping != 0.0),
            ("armature", soft.armature != 0.0),
            ("friction loss", soft.friction_loss != 0.0),
        ];
        for (key, _) in needs.into_iter().filter(|(_, is_there)| *is_there) {
            let name = &self.joint.name;
            let message =
                format!("`{name}` closes a loop, and has no coordinate that its `{key}` could act on");
            let help = format!(
                "give `{key}` to another joint of the loop; joints are taken by distance from what is static or kinematic, then by name"
            );
            said.push(Diagnostic::new(Code::E761, self.joint.span, message).help(help));
        }
    }

    /// Adds the motor, if there is one; only hinges and sliders have some.
    fn add_motor(&self, coordinate: MotorCoordinate, usual: Softness, description: &mut Description) {
        if let Some(motor) = self.joint.motor {
            description.motors.push(Motor {
                name: format!("motor of {}", self.joint.name),
                coordinate,
                speed: motor.speed,
                largest_force: motor.most,
                softness: self.joint.soft.softness.or(usual),
            });
        }
    }

    /// Adds the limits of a hinge or slider that closes a loop.
    fn add_limits(&self, first: Mount, second: Mount, usual: Softness, description: &mut Description) {
        let Some(limits) = self.joint.limits else { return };
        let kind = match self.joint.kind {
            JointKind::Slider => InequalityKind::Shift { first, second, limits },
            _ => InequalityKind::Angle { first, second, limits },
        };
        description.inequalities.push(Inequality {
            name: format!("limits of {}", self.joint.name),
            kind,
            softness: self.joint.soft.softness.or(usual),
        });
    }

    /// Adds the equality that closes a loop.
    pub(super) fn close_loop(
        &self,
        bodies: [BodyId; 2],
        usual: Softness,
        description: &mut Description,
        notices: &mut Vec<String>,
        said: &mut Vec<Diagnostic>,
    ) {
        let joint = self.joint;
        let end = |side: usize| (bodies[side], self.frames[side].point_to_body(self.points[side]));
        // z along an axis of the joint, the same frame on both bodies at the start.
        let mount = |side: usize, axis: usize| Mount {
            body: bodies[side],
            frame: self.frames[side].to(&Pose::new(along(self.axis(axis)), self.points[side])),
        };
        let (first, second) = (mount(0, 0), mount(1, 0));
        let distance = (self.points[0] - self.points[1]).length();
        let softness = joint.soft.softness.or(usual);
        let kind = match joint.kind {
            JointKind::Point => EqualityKind::Connect { first: end(0), second: end(1) },
            JointKind::Hinge => EqualityKind::Hinge { first, second },
            JointKind::Slider => EqualityKind::Slide { first, second },
            JointKind::Universal => EqualityKind::Universal { first, second: mount(1, 1) },
            JointKind::Weld => EqualityKind::Weld { first, second, torque_scale: 1.0 },
            JointKind::Distance => EqualityKind::Distance {
                first: end(0),
                second: end(1),
                length: joint.length.unwrap_or(distance),
            },
            JointKind::Rope => {
                let length = joint.length.unwrap_or(distance);
                let kind = InequalityKind::Rope { first: end(0), second: end(1), length };
                description.inequalities.push(Inequality { name: joint.name.clone(), kind, softness });
                return;
            }
            // A law pulls, and nothing is held.
            JointKind::Spring => return,
            JointKind::Free => {
                let message =
                    format!("`{}` leaves `{}` free, which another joint carries", joint.name, joint.a.text);
                let help = "remove one of the two; of joints to the world the first by name carries a body";
                said.push(Diagnostic::new(Code::E761, joint.span, message).help(help));
                return;
            }
        };
        self.add_motor(
            match joint.kind {
                JointKind::Slider => MotorCoordinate::Slide { first, second },
                _ => MotorCoordinate::Hinge { first, second },
            },
            usual,
            description,
        );
        self.add_limits(first, second, usual, description);
        self.refuse_coordinates(said);
        if joint.kind != JointKind::Distance {
            notices.push(format!(
                "joint `{}` closes a loop: it is held softly, the other joints of the loop exactly",
                joint.name
            ));
        }
        description.equalities.push(Equality { name: joint.name.clone(), kind, softness, is_active: true });
    }
}

/// A rotation that takes z to a unit vector.
fn along(axis: Vec3) -> Quat {
    let across = if axis.x.abs() < 0.6 { Vec3::X } else { Vec3::Y };
    let x = (across - axis * axis.dot(across)).normalize();
    Quat::from_mat3(&Mat3::from_cols(x, axis.cross(x), axis)).normalize()
}
