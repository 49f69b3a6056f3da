//! Anchors and pivots: where on a body a law takes hold, and between which frames it measures an angle.

use crate::core::component::ComponentId;
use crate::core::fault::BuildError;
use crate::core::model::Model;
use crate::core::rows::Rows;
use gedanken_math::matrix::cross_matrix;
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::{Mat3, Pose, Quat, Vec3, axial};

/// A point of a body, or of the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anchor {
    /// The body; [`ComponentId::WORLD`] for a point that is fixed in the world.
    pub body: ComponentId,
    /// The point: from the centre of mass, along the principal axes; in the world, its place.
    pub arm: Vec3,
}

impl Anchor {
    /// On a body, at `arm` from its centre of mass along its principal axes.
    #[must_use]
    pub const fn on(body: ComponentId, arm: Vec3) -> Self {
        Self { body, arm }
    }

    /// A point that never moves.
    #[must_use]
    pub const fn fixed(point: Vec3) -> Self {
        Self { body: ComponentId::WORLD, arm: point }
    }
}

/// Two anchors in the world.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    /// From the centre of A to its anchor.
    pub(super) arm_a: Vec3,
    /// From the centre of B to its anchor.
    pub(super) arm_b: Vec3,
    /// From B's anchor to A's.
    pub(super) gap: Vec3,
}

impl Stretch {
    /// On bodies with these poses; the world's is the identity.
    pub(super) fn new(a: Anchor, b: Anchor, pose_a: Pose, pose_b: Pose) -> Self {
        let (arm_a, arm_b) = (to_world(pose_a.rotation, a.arm), to_world(pose_b.rotation, b.arm));
        Self { arm_a, arm_b, gap: (pose_a.translation - pose_b.translation) + (arm_a - arm_b) }
    }
}

/// The frames of two bodies between which an angle is measured: that of A as seen from B, about their x axes.
///
/// The angle is in (-π, π]. On a hinge it is the hinge's; see [`axial`] for what it is elsewhere.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pivot {
    /// The body that turns.
    pub a: ComponentId,
    /// The frame, in the principal frame of A.
    pub frame_a: Quat,
    /// The body it turns against; [`ComponentId::WORLD`] for the world.
    pub b: ComponentId,
    /// The frame, in the principal frame of B.
    pub frame_b: Quat,
}

impl Pivot {
    /// The angle, and how its rate depends on the angular velocity of A as seen from B, in the world. On a
    /// hinge that is the direction of its axis.
    pub(super) fn angle(&self, orientation_a: Quat, orientation_b: Quat) -> (f64, Vec3) {
        let frame_b = orientation_b * self.frame_b;
        let q = frame_b.conjugate() * (orientation_a * self.frame_a);
        (axial::angle(q), to_world(frame_b, axial::gradient(q)))
    }

    /// Slopes of the second result of [`Pivot::angle`] by rotations of A and of B.
    pub(super) fn gradient_slopes(&self, orientation_a: Quat, orientation_b: Quat) -> [Mat3; 2] {
        let frame_b = orientation_b * self.frame_b;
        let q = frame_b.conjugate() * (orientation_a * self.frame_a);
        let column = |axis| to_world(frame_b, axial::gradient_rate(q, to_body(frame_b, axis)));
        let [x, y, z] = Vec3::AXES.map(column);
        let by_a = Mat3::from_cols(x, y, z);
        // B takes the gradient with it, and turning it is turning A the other way.
        let carried = cross_matrix(to_world(frame_b, axial::gradient(q)));
        [by_a, (by_a + carried) * -1.0]
    }
}

/// The bodies among the ends of links, or an error if a link ends twice on the same one.
pub(super) fn ends(
    model: &Model,
    what: &str,
    links: impl Iterator<Item = (ComponentId, ComponentId)> + Clone,
) -> Result<Rows, BuildError> {
    if let Some((twice, _)) = links.clone().find(|(a, b)| a == b) {
        let name = model.components().name(twice);
        return Err(BuildError::Unfit(format!("a {what} needs two bodies, but both its ends are '{name}'")));
    }
    Ok(Rows::only(links.flat_map(|(a, b)| [a, b]).filter(|id| *id != ComponentId::WORLD)))
}

/// Refuses numbers that are negative or not finite.
pub(super) fn check(what: &str, numbers: impl IntoIterator<Item = f64>) -> Result<(), BuildError> {
    let bad = numbers.into_iter().find(|x| !(*x >= 0.0 && x.is_finite()));
    let refused =
        |x| BuildError::Unfit(format!("a {what} of {x} is not possible: it must be finite and not negative"));
    bad.map_or(Ok(()), |x| Err(refused(x)))
}

/// Refuses anchors that are nowhere.
pub(super) fn check_anchors(anchors: impl IntoIterator<Item = Anchor>) -> Result<(), BuildError> {
    let bad = anchors.into_iter().find(|anchor| !anchor.arm.is_finite());
    let refused =
        |arm: Vec3| BuildError::Unfit(format!("an anchor at {arm} is nowhere: its numbers must be finite"));
    bad.map_or(Ok(()), |anchor| Err(refused(anchor.arm)))
}
