//! `joint` blocks as constraints and laws of the core.

use gedanken_dynamics::laws::{AnchoredSprings, Dampers, Law, Laws, Target};
use gedanken_dynamics::{BuildError, ComponentId, Model, Rule, State, StateError, ThreeD};
use gedanken_experiment::{Anchor, Joint, JointKind, Object};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_math::units::Energy;
use gedanken_math::units::Quantity;
use gedanken_math::{Pose, Vec3};
use gedanken_rigid::joints::{
    Coordinate, Distance, Ends, Hinge, JointAnchor, Limit, Motor, Point, Rope, Slider, Universal, Weld,
};
use gedanken_rigid::{Constraint, RigidError, World};
use std::sync::Arc;

/// The two ends of a joint when the simulation begins.
pub(super) struct Placed<'j> {
    pub(super) joint: &'j Joint,
    a: ComponentId,
    b: Option<ComponentId>,
    /// The own frames of the bodies; the world's is the identity.
    poses: [Pose; 2],
    /// The points it holds, in the world.
    points: [Vec3; 2],
}

/// The constraints and the laws that a joint consists of.
type Made = (Vec<Arc<dyn Constraint>>, Vec<Laws<ThreeD>>);

/// How far from holding a joint may be; solvers bring it the rest of the way, m.
const LOOSE: f64 = 1e-3;

impl<'j> Placed<'j> {
    pub(super) fn new(joint: &'j Joint, objects: [Option<(&Object, ComponentId)>; 2]) -> Option<Self> {
        let poses = objects.map(|it| it.map_or(Pose::IDENTITY, |(object, _)| object.pose()));
        let points = match joint.anchor {
            Anchor::World(point) => [Vec3::from_array(point); 2],
            // A joint that both bodies share is where it is said to be; if nobody says, at the first body.
            Anchor::Bodies([None, None]) if !joint.kind.has_two_ends() => [poses[0].translation; 2],
            Anchor::Bodies(ends) => {
                let place = |k: usize| poses[k].point_to_world(Vec3::from_array(ends[k].unwrap_or_default()));
                [place(0), place(1)]
            }
        };
        let [a, b] = objects.map(|it| it.map(|(_, id)| id));
        Some(Self { joint, a: a?, b, poses, points })
    }

    fn other(&self) -> &str {
        self.joint.b.as_ref().map_or("world", |name| &name.text)
    }

    /// What is wrong with where the bodies are.
    pub(super) fn loose(&self) -> Option<Diagnostic> {
        let (joint, far) = (self.joint, (self.points[0] - self.points[1]).length());
        let [one, two] = self.points.map(|point| Value::Vector(point.to_array().to_vec()));
        let (a, b) = (&joint.a.text, self.other());
        let apart = format!("{} m", Value::Real(far));
        let (problem, help) = match (joint.kind, joint.length) {
            (JointKind::Spring | JointKind::Free, _) => return None,
            (JointKind::Distance, Some(length)) if (far - length).abs() > LOOSE => (
                format!("its ends are {apart} apart, but its length is {}", Value::Real(length)),
                "place the bodies at that distance, or leave the length out: then it is as they are placed",
            ),
            (JointKind::Rope, Some(length)) if far > length + LOOSE => (
                format!("its ends are {apart} apart, which is longer than the rope, {}", Value::Real(length)),
                "place the bodies nearer, or take a longer rope",
            ),
            (JointKind::Distance | JointKind::Rope, _) => return None,
            _ if far > LOOSE => (
                format!("its two anchors are {apart} apart"),
                "move a body, or an anchor, so that they meet; with `anchor = […]`, one point of the world, they always do",
            ),
            _ => return None,
        };
        let message = format!("`{}` does not hold at the start: {problem}", joint.name);
        Some(
            Diagnostic::new(Code::E760, joint.anchor_span, message)
                .label("too far apart")
                .note(format!("on `{a}` it is at {one}, on `{b}` at {two}"))
                .help(help),
        )
    }

    fn ends(&self, world: &World) -> Result<Ends, RigidError> {
        let (joint, name) = (self.joint, self.joint.name.as_str());
        let axis = |k: usize| joint.axes.get(k).map(|axis| Vec3::from_array(*axis));
        let ends = match (axis(0), axis(1)) {
            (None, _) => Ends::spanning(world, name, self.a, self.b, self.points)?,
            // Axes are given in the world, points perhaps in the bodies: all are told in the bodies' own
            // frames.
            (Some(first), second) => {
                let grip = |k: usize, body: ComponentId, axis: Vec3| {
                    let pose = &self.poses[k];
                    JointAnchor::along(body, pose.point_to_body(self.points[k]), pose.vector_to_body(axis))
                };
                let b = self.b.unwrap_or(ComponentId::WORLD);
                Ends::between(world, name, grip(0, self.a, first), grip(1, b, second.unwrap_or(first)))?
            }
        };
        Ok(match joint.collide {
            Some(collide) => ends.letting_touch(collide),
            None => ends,
        })
    }

    /// The constraints of the joint, and its laws.
    pub(super) fn made(&self, world: &World) -> Result<Made, RigidError> {
        let joint = self.joint;
        let ends = self.ends(world)?;
        let (mut constraints, mut laws): (Vec<Arc<dyn Constraint>>, _) = (Vec::new(), Vec::new());
        let mut coordinate: Option<Coordinate> = None;
        match joint.kind {
            JointKind::Point => constraints.push(Arc::new(Point::new(ends)?)),
            JointKind::Hinge => {
                let hinge = Hinge::new(ends)?;
                coordinate = Some(hinge.angle());
                constraints.push(Arc::new(hinge));
            }
            JointKind::Slider => {
                let slider = Slider::new(ends)?;
                coordinate = Some(slider.travel());
                constraints.push(Arc::new(slider));
            }
            JointKind::Universal => constraints.push(Arc::new(Universal::new(ends)?)),
            JointKind::Weld => constraints.push(Arc::new(Weld::new(ends)?)),
            JointKind::Distance => constraints.push(Arc::new(match joint.length {
                Some(length) => Distance::new(ends, length)?,
                None => Distance::as_placed(ends)?,
            })),
            JointKind::Rope => {
                let length = joint.length.unwrap_or_else(|| (self.points[0] - self.points[1]).length());
                constraints.push(Arc::new(Rope::new(ends, length)?));
            }
            JointKind::Spring => laws = self.spring(&ends),
            JointKind::Free => {}
        }
        if let (Some(coordinate), Some([least, most])) = (coordinate, joint.limits) {
            let limit = Limit::new(format!("limits of {}", joint.name), coordinate, least, most)?;
            constraints.push(Arc::new(limit));
        }
        if let (Some(coordinate), Some(motor)) = (coordinate, joint.motor) {
            let motor = Motor::new(format!("motor of {}", joint.name), coordinate, motor.speed, motor.most)?;
            constraints.push(Arc::new(motor));
        }
        Ok((constraints, laws))
    }

    fn spring(&self, ends: &Ends) -> Vec<Laws<ThreeD>> {
        let (joint, [a, b]) = (self.joint, ends.anchors());
        let rest = joint.length.unwrap_or_else(|| (self.points[0] - self.points[1]).length());
        let spring = AnchoredSprings::new().link(a, b, Quantity::new(joint.stiffness), Quantity::new(rest));
        let mut laws = vec![Laws::of(Named { name: joint.name.clone(), law: spring })];
        if joint.damping > 0.0 {
            let damper = Dampers::new().link(a, b, Quantity::new(joint.damping));
            laws.push(Laws::of(Named { name: format!("{}_damping", joint.name), law: damper }));
        }
        laws
    }
}

/// A law of the core under the name of a block.
#[derive(Debug)]
struct Named<L> {
    name: String,
    law: L,
}

impl<L: Law<ThreeD>> Law<ThreeD> for Named<L> {
    fn name(&self) -> &str {
        &self.name
    }

    fn rule(&self, model: &Model, target: &Target) -> Result<Rule, BuildError> {
        self.law.rule(model, target)
    }

    fn energy(&self, state: &State) -> Result<Option<Quantity<Energy>>, StateError> {
        self.law.energy(state)
    }

    fn turns(&self) -> bool {
        self.law.turns()
    }
}
