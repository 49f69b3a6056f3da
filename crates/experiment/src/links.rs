//! What joins the objects of a simulation, as far as the file says it: joints, constraints between two bodies, and
//! the joints and equalities of a model. All of it is for drawing; mechanics read the blocks themselves.

use crate::experiment::Experiment;
use crate::object::model::Object;
use crate::rigid::force_law::model::{ForceLawKind, Targets};
use crate::rigid::joint::model::{Anchor, Joint, JointKind};
use crate::simulation::model::{Imported, Mechanics, Simulation};
use gedanken_math::{Pose, Vec3};
use gedanken_multibody::model::{self, BodyId, EqualityKind, Mount};

/// Something that joins one object to another, or to the world.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// Name of the joint or the constraint; may be empty.
    pub name: String,
    /// Its kind.
    pub kind: LinkKind,
    /// The point that it holds, or its two ends.
    pub ends: Vec<LinkPoint>,
    /// Direction of an axle or a rail, in the frame of an object.
    pub direction: Option<LinkPoint>,
    /// Length of a rope or a rod, or of a spring at rest.
    pub length: Option<f64>,
    /// Range of the motion along a rail, or about an axle.
    pub limits: Option<[f64; 2]>,
}

/// A point or a direction in the frame of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkPoint {
    /// Index of the object in the experiment; the world, if `None`.
    pub object: Option<usize>,
    /// Its coordinates there.
    pub at: Vec3,
}

/// Kind of a link, by what one sees of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LinkKind {
    /// A ball in a socket.
    Ball,
    /// An axle.
    Hinge,
    /// A rail.
    Slider,
    /// Two axles across each other.
    Universal,
    /// Glue.
    Weld,
    /// A rod with two ends.
    Rod,
    /// A rope.
    Rope,
    /// A coil.
    Spring,
    /// A constraint between two bodies, of which nobody knows what it looks like.
    Tie,
}

impl LinkKind {
    /// Name in a word.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ball => "ball",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Universal => "universal",
            Self::Weld => "weld",
            Self::Rod => "rod",
            Self::Rope => "rope",
            Self::Spring => "spring",
            Self::Tie => "tie",
        }
    }

    fn of(kind: JointKind) -> Option<Self> {
        Some(match kind {
            JointKind::Point => Self::Ball,
            JointKind::Hinge => Self::Hinge,
            JointKind::Slider => Self::Slider,
            JointKind::Universal => Self::Universal,
            JointKind::Weld => Self::Weld,
            JointKind::Distance => Self::Rod,
            JointKind::Rope => Self::Rope,
            JointKind::Spring => Self::Spring,
            JointKind::Free => return None,
        })
    }
}

/// Returns what joins the objects of a simulation, in the order of names; of a model, in its own order.
pub fn links(experiment: &Experiment, simulation: &Simulation) -> Vec<Link> {
    match &simulation.mechanics {
        Mechanics::Rigid(_) => {
            let own = |it: &&Joint| it.belongs_to(simulation, &experiment.objects);
            let joints = experiment.joints.iter().filter(own).filter_map(|it| of_joint(experiment, it));
            joints.chain(ties(experiment, simulation)).collect()
        }
        Mechanics::Mechanism(imported) => of_model(simulation, imported),
        _ => Vec::new(),
    }
}

fn of_joint(experiment: &Experiment, joint: &Joint) -> Option<Link> {
    let kind = LinkKind::of(joint.kind)?;
    let objects = [Some(&joint.a), joint.b.as_ref()].map(|it| it.and_then(|it| experiment.object(&it.text)));
    let pose = |it: Option<usize>| it.map_or(Pose::IDENTITY, |it| Object::pose(&experiment.objects[it]));
    let poses = objects.map(pose);
    let points = match joint.anchor {
        Anchor::World(point) => poses.map(|it| it.point_to_body(Vec3::from_array(point))),
        // Where nobody says, a joint that both bodies share is at the first one.
        Anchor::Bodies([None, None]) if !joint.kind.has_two_ends() => {
            poses.map(|it| it.point_to_body(poses[0].translation))
        }
        Anchor::Bodies(points) => points.map(|it| Vec3::from_array(it.unwrap_or_default())),
    };
    // A rail lies on the second body, an axle turns with the first.
    let carrier = usize::from(kind == LinkKind::Slider);
    let direction = |axis: &[f64; 3]| LinkPoint {
        object: objects[carrier],
        at: poses[carrier].vector_to_body(Vec3::from_array(*axis)),
    };
    Some(Link {
        name: joint.name.clone(),
        kind,
        ends: [0, 1].map(|k| LinkPoint { object: objects[k], at: points[k] }).to_vec(),
        direction: joint.axes.first().map(direction),
        length: joint.length,
        limits: joint.limits,
    })
}

/// Constraints between two bodies.
fn ties(experiment: &Experiment, simulation: &Simulation) -> impl Iterator<Item = Link> {
    experiment.force_laws.iter().filter(|it| it.kind == ForceLawKind::Constraint).filter_map(|law| {
        let Targets::Between(names) = &law.targets else { return None };
        let [first, second] = names.each_ref().map(|it| experiment.object_of(simulation, &it.text));
        let end = |object: usize| LinkPoint { object: Some(object), at: Vec3::ZERO };
        Some(plain(&law.name, LinkKind::Tie, vec![end(first?), end(second?)]))
    })
}

fn plain(name: &str, kind: LinkKind, ends: Vec<LinkPoint>) -> Link {
    Link { name: name.to_owned(), kind, ends, direction: None, length: None, limits: None }
}

/// Joints and equalities of a model. What belongs to bodies that are not shown is left out.
fn of_model(simulation: &Simulation, imported: &Imported) -> Vec<Link> {
    let point = |body: BodyId, at: Vec3| {
        let place = || imported.bodies.iter().position(|it| *it == Some(body));
        let object = if body == BodyId::WORLD { None } else { Some(*simulation.objects.get(place()?)?) };
        Some(LinkPoint { object, at })
    };
    let joint = |joint: &model::Joint| {
        let kind = match joint.kind {
            model::JointKind::Free => return None,
            model::JointKind::Ball => LinkKind::Ball,
            model::JointKind::Slide => LinkKind::Slider,
            model::JointKind::Hinge => LinkKind::Hinge,
        };
        let mut link = plain(&joint.name, kind, vec![point(joint.body, joint.anchor)?]);
        link.direction = point(joint.body, joint.axis).filter(|_| kind != LinkKind::Ball);
        link.limits = joint.limits.filter(|_| kind != LinkKind::Ball);
        Some(link)
    };
    let between = |name: &str, kind: LinkKind, ends: [(BodyId, Vec3); 2]| {
        let [first, second] = ends.map(|(body, at)| point(body, at));
        Some(plain(name, kind, vec![first?, second?]))
    };
    let framed = |name: &str, kind: LinkKind, first: &Mount, second: &Mount| {
        let ends = [first, second].map(|it| (it.body, it.frame.translation));
        let direction = point(first.body, first.frame.vector_to_world(Vec3::Z));
        Some(Link { direction, ..between(name, kind, ends)? })
    };
    let equality = |it: &model::Equality| match &it.kind {
        EqualityKind::Connect { first, second } => between(&it.name, LinkKind::Ball, [*first, *second]),
        EqualityKind::Distance { first, second, length } => {
            let rod = between(&it.name, LinkKind::Rod, [*first, *second])?;
            Some(Link { length: Some(*length), ..rod })
        }
        EqualityKind::Weld { first, second, .. } => framed(&it.name, LinkKind::Weld, first, second),
        EqualityKind::Hinge { first, second } => framed(&it.name, LinkKind::Hinge, first, second),
        EqualityKind::Slide { first, second } => framed(&it.name, LinkKind::Slider, first, second),
        EqualityKind::Universal { first, second } => framed(&it.name, LinkKind::Universal, first, second),
        EqualityKind::Polynomial { .. } | EqualityKind::Outside { .. } => None,
    };
    let description = &imported.description;
    let equalities = description.equalities.iter().filter(|it| it.is_active).filter_map(equality);
    description.joints.iter().filter_map(joint).chain(equalities).collect()
}
