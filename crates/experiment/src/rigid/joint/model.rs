//! A joint of the experiment: the bodies that it connects, and the motions that it leaves free.

use crate::object::model::Object;
use crate::rigid::soft;
use crate::rigid::soft::SoftJoint;
use crate::simulation::model::Simulation;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Name;

/// Kind of a joint, by the motions that it prevents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointKind {
    /// A point.
    Point,
    /// A point and an axis.
    Hinge,
    /// Everything but a shift along an axis.
    Slider,
    /// A point, and two axes across each other.
    Universal,
    /// Everything.
    Weld,
    /// A distance.
    Distance,
    /// A distance at most.
    Rope,
    /// Nothing is held: a body floats.
    Free,
    /// Nothing is held: a spring pulls.
    Spring,
}

impl JointKind {
    /// All of them.
    pub const ALL: [Self; 9] = [
        Self::Point,
        Self::Hinge,
        Self::Slider,
        Self::Universal,
        Self::Weld,
        Self::Distance,
        Self::Rope,
        Self::Free,
        Self::Spring,
    ];

    /// Name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Point => "point",
            Self::Hinge => "hinge",
            Self::Slider => "slider",
            Self::Universal => "universal",
            Self::Weld => "weld",
            Self::Distance => "distance",
            Self::Rope => "rope",
            Self::Free => "free",
            Self::Spring => "spring",
        }
    }

    /// Name in messages, after `a`.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Free => "free joint",
            _ => self.name(),
        }
    }

    /// The keys it must have, with an example.
    pub(super) fn needs(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Hinge | Self::Slider => &[("axis", "[0, 0, 1]")],
            Self::Universal => &[("axis", "[1, 0, 0]"), ("axis2", "[0, 1, 0]")],
            Self::Rope => &[("length", "2")],
            Self::Spring => &[("stiffness", "100")],
            Self::Point | Self::Weld | Self::Distance | Self::Free => &[],
        }
    }

    /// The keys it may have beside.
    pub(super) fn may_have(self) -> &'static [&'static str] {
        match self {
            Self::Hinge => &["limits", "motor_speed", "motor_torque"],
            Self::Slider => &["limits", "motor_speed", "motor_force"],
            Self::Distance => &["length"],
            Self::Spring => &["rest_length", "damping"],
            Self::Point | Self::Universal | Self::Weld | Self::Rope | Self::Free => &[],
        }
    }

    /// The keys that it may have with the solver `soft`.
    pub(crate) fn soft_keys(self) -> &'static [&'static str] {
        match self {
            Self::Hinge | Self::Slider => &soft::joint::KEYS,
            Self::Point | Self::Universal | Self::Free => {
                const { soft::joint::KEYS.split_first().expect("there are keys").1 }
            }
            Self::Weld | Self::Distance | Self::Rope => &soft::softness::KEYS,
            Self::Spring => &[],
        }
    }

    /// Returns `true` if it has a use for a key.
    pub(super) fn has(self, key: &str) -> bool {
        self.may_have().contains(&key)
            || self.soft_keys().contains(&key)
            || self.needs().iter().any(|row| row.0 == key)
    }

    /// Returns `true` if it needs an anchor.
    pub(super) fn needs_anchor(self) -> bool {
        matches!(self, Self::Point | Self::Hinge | Self::Universal)
    }

    /// Returns `true` if the bodies it joins can touch each other unless it says otherwise.
    pub fn lets_touch(self) -> bool {
        self.has_two_ends() || self == Self::Free
    }

    /// Returns `true` if only the solver `soft` knows it.
    pub fn is_soft_only(self) -> bool {
        self == Self::Free
    }

    /// The kind of this name in files.
    pub(super) fn by_name(name: &str) -> Option<Self> {
        match name {
            "ball" => Some(Self::Point),
            _ => Self::ALL.into_iter().find(|kind| kind.name() == name),
        }
    }

    /// Names of all kinds in files, of couplings too.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        Self::ALL.into_iter().map(Self::name).chain(["ball", super::coupling::KIND])
    }

    /// Returns `true` if its ends are two points, rather than one that both bodies share.
    pub fn has_two_ends(self) -> bool {
        matches!(self, Self::Distance | Self::Rope | Self::Spring)
    }
}

/// Position of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Anchor {
    /// At a point of the world, when the simulation begins.
    World([f64; 3]),
    /// At a point of each body, in its own frame; at its origin, if `None`.
    Bodies([Option<[f64; 3]>; 2]),
}

/// Motor of a joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motor {
    /// The speed it aims at, rad/s or m/s.
    pub speed: f64,
    /// The greatest torque or force, N·m or N.
    pub most: f64,
}

/// `joint NAME { … }`.
#[derive(Clone, Debug)]
pub struct Joint {
    /// Its name; no two laws or joints have the same.
    pub name: String,
    /// Its kind.
    pub kind: JointKind,
    /// The first body.
    pub a: Name,
    /// The second body; the world, if `None`.
    pub b: Option<Name>,
    /// Its position.
    pub anchor: Anchor,
    /// Its axes in the world, when the simulation begins: unit vectors; as many as its kind has.
    pub axes: Vec<[f64; 3]>,
    /// A length: of a rope, a rod, or a spring at rest.
    pub length: Option<f64>,
    /// Limits of its motion, rad or m.
    pub limits: Option<[f64; 2]>,
    /// Its motor.
    pub motor: Option<Motor>,
    /// Stiffness of a spring, N/m.
    pub stiffness: f64,
    /// Damping of a spring, N·s/m.
    pub damping: f64,
    /// Numbers that only soft constraints have a use for.
    pub soft: SoftJoint,
    /// Keys that only soft constraints have a use for, as far as they are written, with their positions.
    pub soft_keys: Vec<(&'static str, Span)>,
    /// `true` if its two bodies can touch each other; as is usual for its kind, if `None`.
    pub collide: Option<bool>,
    /// Position of its name in the text.
    pub span: Span,
    /// Position of its anchor in the text, else of its name.
    pub anchor_span: Span,
}

impl Joint {
    /// Returns `true` if it acts in a simulation: its bodies take part.
    pub fn belongs_to(&self, simulation: &Simulation, objects: &[Object]) -> bool {
        // Objects are sorted by name, and those of a simulation by their indices.
        let takes_part = |name: &Name| {
            let index = objects.binary_search_by(|object| object.name.cmp(&name.text));
            index.is_ok_and(|index| simulation.objects.binary_search(&index).is_ok())
        };
        takes_part(&self.a) && self.b.as_ref().is_none_or(takes_part)
    }
}
