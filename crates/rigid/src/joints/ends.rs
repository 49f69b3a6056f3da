//! The ends of a joint: which bodies it joins, and where and how it is mounted in each.
//!
//! A joint is one frame mounted in A and one mounted in B; what it demands is said by comparing them. The x
//! axis of a frame is the axis of the joint, where it has one. Everything a joint tells is *of A as seen from
//! B*: a missing B is the world, so a pendulum's angle is its own. Whoever makes a joint speaks either of the
//! world, with the bodies where they start, or of the bodies' own frames ([`Grip`]); inside, frames are kept
//! in the principal frames of the bodies, where solvers work.

use super::constraint::{Configuration, Gains};
use super::mounts::Mounts;
use crate::world::World;
use crate::world::body::Body;
use crate::world::error::RigidError;
use gedanken_dynamics::ComponentId;
use gedanken_dynamics::laws::Anchor;
use gedanken_math::rotation::to_world;
use gedanken_math::{Pose, Quat, Vec3};
use std::ops::RangeInclusive;

/// Anchor and axis of a joint in a body's own frame, that of its shape; in the world frame for the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grip {
    /// The body, or [`ComponentId::WORLD`].
    pub body: ComponentId,
    /// The point.
    pub point: Vec3,
    /// The direction of the joint's axis, of any length but zero.
    pub axis: Option<Vec3>,
}

impl Grip {
    /// At a point, without an axis.
    #[must_use]
    pub const fn at(body: ComponentId, point: Vec3) -> Self {
        Self { body, point, axis: None }
    }

    /// At a point, with the axis of the joint.
    #[must_use]
    pub const fn along(body: ComponentId, point: Vec3, axis: Vec3) -> Self {
        Self { body, point, axis: Some(axis) }
    }
}

/// Methods that all constraints with ends share: their kind, their number of rows, and whether their bodies
/// touch unless told.
macro_rules! told_by_ends {
    ($kind:literal, rows: $rows:literal, touching: $touching:literal) => {
        fn name(&self) -> &str {
            &self.ends.name
        }

        fn kind(&self) -> &'static str {
            $kind
        }

        fn bodies(&self) -> (ComponentId, Option<ComponentId>) {
            (self.ends.mounts.a, self.ends.mounts.b)
        }

        fn dimension(&self) -> usize {
            $rows
        }

        fn gains(&self) -> Gains {
            self.ends.gains
        }

        fn lets_touch(&self) -> bool {
            self.ends.lets_touch.unwrap_or($touching)
        }
    };
}
pub(super) use told_by_ends;

/// The two ends of a joint with everything that joints of all kinds share.
///
/// ```
/// use gedanken_math::{Mat3, Pose, Vec3};
/// use gedanken_rigid::joints::{Ends, Hinge, Limit, Motor};
/// use gedanken_rigid::{Body, World};
///
/// let door = Body::shapeless(20.0, Mat3::IDENTITY, Pose::at(Vec3::new(0.4, 0.0, 1.0)));
/// let world = World::new([("door", door)], [])?;
/// let hinge = Hinge::new(Ends::along(&world, "hinge", world.id("door")?, None, Vec3::ZERO, Vec3::Z)?)?;
/// let stop = Limit::new("stop", hinge.angle(), 0.0, 1.6)?;
/// let closer = Motor::new("closer", hinge.angle(), -0.5, 5.0)?;
/// let world = world.with_constraint(hinge)?.with_constraint(stop)?.with_constraint(closer)?;
/// assert_eq!(world.constraints().len(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Ends {
    pub(super) name: String,
    pub(super) mounts: Mounts,
    pub(super) start: Configuration,
    pub(super) gains: Gains,
    pub(super) lets_touch: Option<bool>,
    axes: bool,
}

impl Ends {
    /// Both bodies held at one point of the world, as they are placed at the start. Without an axis, the
    /// frames lie along the axes of the world.
    pub fn at(
        world: &World,
        name: impl Into<String>,
        a: ComponentId,
        b: impl Into<Option<ComponentId>>,
        point: Vec3,
    ) -> Result<Self, RigidError> {
        Self::spanning(world, name, a, b, [point, point])
    }

    /// Both bodies held at one point of the world along one axis of it, as they are placed at the start.
    pub fn along(
        world: &World,
        name: impl Into<String>,
        a: ComponentId,
        b: impl Into<Option<ComponentId>>,
        point: Vec3,
        axis: Vec3,
    ) -> Result<Self, RigidError> {
        Self::crossing(world, name, a, b, point, [axis, axis])
    }

    /// Both bodies held at one point of the world, A along the first axis and B along the second.
    pub fn crossing(
        world: &World,
        name: impl Into<String>,
        a: ComponentId,
        b: impl Into<Option<ComponentId>>,
        point: Vec3,
        axes: [Vec3; 2],
    ) -> Result<Self, RigidError> {
        let places = [Place::in_world(point, Some(axes[0])), Place::in_world(point, Some(axes[1]))];
        Self::new(world, name.into(), a, b.into(), places)
    }

    /// Two points of the world, the first held by A and the second by B.
    pub fn spanning(
        world: &World,
        name: impl Into<String>,
        a: ComponentId,
        b: impl Into<Option<ComponentId>>,
        points: [Vec3; 2],
    ) -> Result<Self, RigidError> {
        Self::new(world, name.into(), a, b.into(), points.map(|point| Place::in_world(point, None)))
    }

    /// Points and axes in the bodies' own frames. Where both have an axis, the angle between the bodies about
    /// it is zero as they are placed at the start; without, the frames coincide there.
    pub fn between(world: &World, name: impl Into<String>, a: Grip, b: Grip) -> Result<Self, RigidError> {
        let place = |grip: Grip| Place { point: grip.point, axis: grip.axis, own: true };
        Self::new(world, name.into(), a.body, Some(b.body), [place(a), place(b)])
    }

    /// Sets the gains for solvers of accelerations.
    pub fn with_gains(mut self, gains: Gains) -> Result<Self, RigidError> {
        for (what, value) in [("position gain", gains.alpha), ("velocity gain", gains.beta)] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(refused(what, &self.name, value, "it is zero or positive"));
            }
        }
        self.gains = gains;
        Ok(self)
    }

    /// Returns `true` if the bodies also touch each other. Unless said, those that a rope or a rod joins do,
    /// others do not.
    #[must_use]
    pub fn letting_touch(mut self, lets_touch: bool) -> Self {
        self.lets_touch = Some(lets_touch);
        self
    }

    /// The name of the joint.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Configuration of the bodies at the start.
    #[must_use]
    pub fn start(&self) -> &Configuration {
        &self.start
    }

    /// The two points, as laws want them: a spring can hold where a joint would.
    #[must_use]
    pub fn anchors(&self) -> [Anchor; 2] {
        let Mounts { a, b, in_a, in_b } = self.mounts;
        [Anchor::on(a, in_a.translation), Anchor::on(b.unwrap_or(ComponentId::WORLD), in_b.translation)]
    }

    /// Refuses ends that have no axis, or whose axes at the start have a cosine that is not in the range.
    pub(super) fn with_axes(
        self,
        cosines: RangeInclusive<f64>,
        reason: &'static str,
    ) -> Result<Self, RigidError> {
        if !self.axes {
            let reason = "this kind of joint needs a direction in both bodies";
            return Err(refused("axis", &self.name, "missing", reason));
        }
        let (frame_a, frame_b) = self.mounts.turns(&self.start);
        let cosine = to_world(frame_a, Vec3::X).dot(to_world(frame_b, Vec3::X));
        if !cosines.contains(&cosine) {
            let shown = format!("{:.1}°", libm::acos(cosine.clamp(-1.0, 1.0)).to_degrees());
            return Err(refused("angle between the axes", &self.name, shown, reason));
        }
        Ok(self)
    }

    fn new(
        world: &World,
        name: String,
        a: ComponentId,
        b: Option<ComponentId>,
        places: [Place; 2],
    ) -> Result<Self, RigidError> {
        let b = b.filter(|b| *b != ComponentId::WORLD);
        let nothing = |reason: String| RigidError::JoinsNothing { joint: name.clone(), reason };
        if a == ComponentId::WORLD {
            return Err(nothing(
                "its first end is the world: name the body first, then the world".to_owned(),
            ));
        }
        if Some(a) == b {
            return Err(nothing(format!("both of its ends are '{}'", world.model().components().name(a))));
        }
        let known =
            |id| world.body(id).ok_or_else(|| nothing("one of its ends is not in this world".to_owned()));
        let bodies = [Some(known(a)?), b.map(known).transpose()?];
        for Place { point, .. } in places {
            if !point.is_finite() {
                return Err(refused("anchor", &name, point, "it must be made of finite numbers"));
            }
        }
        let poses = bodies.map(|body| body.map_or(Pose::IDENTITY, Body::principal_pose));
        let mut axes = [None; 2];
        for k in 0..2 {
            if let Some(axis) = places[k].axis {
                axes[k] = Some(places[k].axis_in_world(direction(&name, axis)?, bodies[k], poses[k]));
            }
        }
        let turn_a = axes[0].map_or(Quat::IDENTITY, |axis| arc(Vec3::X, axis));
        let turn_b = match axes {
            [Some(one), Some(two)] => (arc(one, two) * turn_a).normalize(),
            _ => turn_a,
        };
        let mounted = |k: usize, turn: Quat| {
            let rotation = (poses[k].rotation.conjugate() * turn).normalize();
            Pose::new(rotation, places[k].arm(bodies[k], poses[k]))
        };
        Ok(Self {
            mounts: Mounts { a, b, in_a: mounted(0, turn_a), in_b: mounted(1, turn_b) },
            start: Configuration { a: poses[0], b: poses[1], time: 0.0 },
            gains: Gains::default(),
            lets_touch: None,
            axes: axes.iter().all(Option::is_some),
            name,
        })
    }
}

/// A point and perhaps an axis, in the world or in the own frame of a body.
#[derive(Debug, Clone, Copy)]
struct Place {
    point: Vec3,
    axis: Option<Vec3>,
    own: bool,
}

impl Place {
    fn in_world(point: Vec3, axis: Option<Vec3>) -> Self {
        Self { point, axis, own: false }
    }

    /// The point in the principal frame of a body with this pose.
    fn arm(&self, body: Option<&Body>, pose: Pose) -> Vec3 {
        if self.own { frame_of(body).point_to_world(self.point) } else { pose.point_to_body(self.point) }
    }

    fn axis_in_world(&self, axis: Vec3, body: Option<&Body>, pose: Pose) -> Vec3 {
        if self.own { pose.vector_to_world(frame_of(body).vector_to_world(axis)).normalize() } else { axis }
    }
}

/// The own frame of a body in its principal one; the world has but one frame.
fn frame_of(body: Option<&Body>) -> Pose {
    body.map_or(Pose::IDENTITY, Body::frame)
}

pub(super) fn refused(
    what: &'static str,
    of: &str,
    value: impl std::fmt::Display,
    reason: &'static str,
) -> RigidError {
    RigidError::BadNumber { what, of: of.to_owned(), value: value.to_string(), reason }
}

/// The cosines that the axes of a hinge or a slider may have at the start: a joint that has to close a wider
/// angle is a mistake, and one whose axes are opposite has its angle turned over.
pub(super) const COMMON_AXIS_COSINES: RangeInclusive<f64> = 0.5..=2.0;

/// An axis at unit length; scaled first, so that no length is too small or too large to be squared.
fn direction(name: &str, axis: Vec3) -> Result<Vec3, RigidError> {
    let size = axis.abs().max_element();
    if !(axis.is_finite() && size > 0.0) {
        return Err(refused(
            "axis",
            name,
            axis,
            "it needs finite numbers, not all zero, for it tells a direction",
        ));
    }
    Ok((axis / size).normalize())
}

/// The shortest rotation from one unit vector to another. From a vector to nearly its opposite, half a turn
/// goes first, so that no digits are lost.
fn arc(from: Vec3, to: Vec3) -> Quat {
    let cosine = from.dot(to);
    if cosine < -0.5 {
        let half_turn = from.any_orthonormal_vector();
        let flip = Quat::from_xyzw(half_turn.x, half_turn.y, half_turn.z, 0.0);
        return arc(to_world(flip, from), to) * flip;
    }
    let cross = from.cross(to);
    Quat::from_xyzw(cross.x, cross.y, cross.z, 1.0 + cosine).normalize()
}
