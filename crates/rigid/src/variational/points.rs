//! Contact points over a step: material points of both bodies, their gap and their tangential displacement.
//!
//! A point is a pair of material points, p_a and p_b, with a unit normal n from A to B. At the end of the
//! step its gap is n·(p_b - p_a), and its tangential displacement that of p_b against p_a. Material points are
//! chosen where the bodies were found to be nearest, at a pose that the iteration has reached; when bodies
//! have moved on, they are chosen anew ([`Points::choose_again`]) until the true gap is respected.
//!
//! | pair | points | chosen again |
//! |---|---|---|
//! | half-space and polyhedron | all corners that can reach the plane: exact | never |
//! | half-space and ball | the lowest point, whose arm does not turn: exact | never |
//! | others | those of the narrow phase | while the gap is not respected |

use crate::collide::contact_table::Touch;
use crate::contacts::contact_rows::tangent_frame;
use crate::world::solver_body::SolverBody;
use crate::world::surface::Surface;
use gedanken_geometry::narrow::{Feature, FeatureKind, Manifold};
use gedanken_geometry::{HalfSpace, Shape};
use gedanken_math::rotation::{from_rotation_vector, to_world};
use gedanken_math::{Mat3, Pose, Twist, Vec3};

/// An overlap below this part of the bodies' size is rounding, and is taken away at once.
const OVERLAP_IGNORED: f64 = 1e-9;
/// An overlap below this part is what other contacts left in the last step, and is halved in each. A larger one
/// becomes no deeper, and rule `correct` moves the bodies apart: taken away by forces it would come back as
/// velocity.
const OVERLAP_HALVED: f64 = 1e-7;
/// Largest distance of a point from one that it continues, in parts of the size of the bodies.
const SAME_POINT_RATIO: f64 = 0.2;

/// One contact point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Point {
    /// Number of its contact in the island.
    pub(super) touch: u32,
    /// Number of the corner on a half-space, else of the point in its contact.
    pub(super) number: u32,
    /// Features from which it was made.
    pub(super) features: [Feature; 2],
    /// Places of A and B among the bodies.
    pub(super) ends: [u32; 2],
    /// Normal and tangents, in columns.
    pub(super) frame: Mat3,
    /// From the centres to the material points, in the world, at the start of the step. Arms of balls do not
    /// turn with them.
    pub(super) arms: [Vec3; 2],
    /// `true` for balls.
    pub(super) rolls: [bool; 2],
    /// From the centres to the place of the force when the step starts.
    pub(super) force_arms: [Vec3; 2],
    /// Gap that is allowed at the end: negative while bodies overlap since before the step.
    pub(super) target: f64,
    /// Coefficient of friction.
    pub(super) friction: f64,
    /// Size of the bodies, m.
    pub(super) size: f64,
    /// Impulse of the last step: normal, and both tangents.
    pub(super) impulse: [f64; 3],
    /// Normal impulse of the pass without friction, where friction is lagged.
    pub(super) first_pass: f64,
}

/// A body during a step: turned by `turn` and moved by `motion`.
#[derive(Debug, Clone, Copy)]
pub(super) struct Displaced {
    pub(super) start: Vec3,
    pub(super) motion: Twist,
    pub(super) turn: Mat3,
    pub(super) jacobian: Mat3,
}

/// Where a material point is at the end of a step.
#[derive(Debug, Clone, Copy)]
pub(super) struct PointEnd {
    /// From the centre at the end.
    pub(super) arm: Vec3,
    /// Place in the world.
    pub(super) place: Vec3,
    /// Displacement over the step.
    pub(super) way: Vec3,
}

impl Point {
    /// The end of the material point of one side.
    pub(super) fn end(&self, side: usize, body: &Displaced) -> PointEnd {
        let arm = if self.rolls[side] { self.arms[side] } else { body.turn * self.arms[side] };
        let swung =
            if self.rolls[side] { body.motion.angular.cross(self.arms[side]) } else { arm - self.arms[side] };
        PointEnd { arm, place: body.start + body.motion.linear + arm, way: body.motion.linear + swung }
    }

    /// The place at which both bodies take the force: on the body whose point the contact follows, half way
    /// across the gap. A corner that slides along a face takes the contact with it, and so does a ball.
    pub(super) fn place(&self, ends: &[PointEnd; 2]) -> Vec3 {
        let leads =
            |side: usize| self.rolls[side] || matches!(self.features[side].kind(), FeatureKind::Vertex(_));
        let normal = self.frame.x_axis;
        let half = normal * (0.5 * normal.dot(ends[1].place - ends[0].place));
        match (leads(0), leads(1)) {
            (true, false) => ends[0].place + half,
            (false, true) => ends[1].place - half,
            _ => (ends[0].place + ends[1].place) * 0.5,
        }
    }

    /// Slopes of the normal and tangential values of one side with respect to its motion, for B.
    pub(super) fn slopes(&self, side: usize, end: &PointEnd, body: &Displaced) -> [Twist; 3] {
        let axes = [self.frame.x_axis, self.frame.y_axis, self.frame.z_axis];
        if self.rolls[side] {
            let arm = self.arms[side];
            return [
                Twist::new(axes[0], Vec3::ZERO),
                Twist::of_impulse(axes[1], arm),
                Twist::of_impulse(axes[2], arm),
            ];
        }
        let turned = body.jacobian.transpose();
        axes.map(|axis| Twist::new(axis, turned * end.arm.cross(axis)))
    }
}

/// The contact points of an island.
#[derive(Debug, Default)]
pub(super) struct Points {
    pub(super) list: Vec<Point>,
    old: Vec<Point>,
    /// By old point: `true` if it is another contact's, or continued already.
    taken: Vec<bool>,
    corners: Vec<Vec3>,
}

/// A contact with the surfaces of its bodies.
#[derive(Debug, Clone, Copy)]
pub(super) struct TouchEnds<'a> {
    pub(super) number: u32,
    pub(super) touch: &'a Touch,
    pub(super) ends: [u32; 2],
    pub(super) surfaces: [&'a Surface; 2],
}

impl TouchEnds<'_> {
    /// The half-space, the other body and its side, if it is a half-space and something with exact points.
    fn plane(&self) -> Option<(&HalfSpace, usize)> {
        let exact = |surface: &Surface| {
            surface.ball.is_some() || matches!(surface.shape, Shape::Cuboid(_) | Shape::Hull(_))
        };
        match self.surfaces.map(|surface| &surface.shape) {
            [Shape::HalfSpace(plane), _] if exact(self.surfaces[1]) => Some((plane, 1)),
            [_, Shape::HalfSpace(plane)] if exact(self.surfaces[0]) => Some((plane, 0)),
            _ => None,
        }
    }

    /// Returns `true` if the points are exact for all motions.
    pub(super) fn is_exact(&self) -> bool {
        self.plane().is_some()
    }

    /// The size by which errors of the pair are judged.
    pub(super) fn size(&self) -> f64 {
        self.surfaces.iter().map(|surface| surface.reach).fold(f64::INFINITY, f64::min)
    }
}

impl Points {
    /// Adds the points of a contact at the start of a step; corners farther than `margin` cannot reach a
    /// plane.
    pub(super) fn add(&mut self, pair: &TouchEnds<'_>, bodies: &[SolverBody], margin: f64) {
        match pair.plane() {
            Some((plane, side)) if pair.surfaces[side].ball.is_none() => {
                self.add_corners(pair, plane, side, bodies, margin);
            }
            _ => {
                for (number, point) in (0..).zip(pair.touch.points()) {
                    let normal = pair.touch.normal;
                    let (friction, pressed) = (point.friction_impulse, point.normal_impulse);
                    let frame = tangent_frame(normal);
                    let impulse = [pressed, friction.dot(frame.y_axis), friction.dot(frame.z_axis)];
                    let arms = [point.arm_a, point.arm_b];
                    self.push(pair, number, point.features, frame, arms, bodies, impulse);
                }
            }
        }
    }

    fn push(
        &mut self,
        pair: &TouchEnds<'_>,
        number: u32,
        features: [Feature; 2],
        frame: Mat3,
        arms: [Vec3; 2],
        bodies: &[SolverBody],
        impulse: [f64; 3],
    ) {
        let centres = pair.ends.map(|end| bodies[end as usize].pose.translation);
        let places = [centres[0] + arms[0], centres[1] + arms[1]];
        let (size, gap) = (pair.size(), frame.x_axis.dot(places[1] - places[0]));
        // Both bodies take the impulse at one point, so that angular momentum is kept.
        let middle = (places[0] + places[1]) * 0.5;
        self.list.push(Point {
            touch: pair.number,
            number,
            features,
            ends: pair.ends,
            frame,
            arms,
            rolls: pair.surfaces.map(|surface| surface.ball.is_some()),
            force_arms: [middle - centres[0], middle - centres[1]],
            target: allowed_gap(gap, size),
            friction: pair.touch.friction,
            size,
            impulse,
            first_pass: 0.0,
        });
    }

    /// All corners that can reach the plane.
    fn add_corners(
        &mut self,
        pair: &TouchEnds<'_>,
        plane: &HalfSpace,
        side: usize,
        bodies: &[SolverBody],
        margin: f64,
    ) {
        let pose_of = |side: usize| pair.surfaces[side].pose(&bodies[pair.ends[side] as usize].pose);
        let (ground, pose) = (pose_of(1 - side), pose_of(side));
        let up = ground.vector_to_world(plane.normal());
        let level = up.dot(ground.translation) + plane.offset();
        let mut corners = std::mem::take(&mut self.corners);
        corners.clear();
        match &pair.surfaces[side].shape {
            Shape::Cuboid(cuboid) => {
                let half = cuboid.half_extents();
                let sign = |k: u32, bit: u32| if k >> bit & 1 == 1 { 1.0 } else { -1.0 };
                corners.extend((0..8).map(|k| half * Vec3::new(sign(k, 0), sign(k, 1), sign(k, 2))));
            }
            Shape::Hull(hull) => corners.extend_from_slice(hull.vertices()),
            _ => {}
        }
        let normal = if side == 1 { up } else { -up };
        let frame = tangent_frame(normal);
        for (number, &corner) in (0..).zip(&corners) {
            let place = pose.point_to_world(corner);
            let height = up.dot(place) - level;
            if height > margin {
                continue;
            }
            let foot = place - up * height;
            let mut places = [foot, place];
            let mut features = [Feature::face(0), Feature::vertex(number)];
            if side == 0 {
                places.swap(0, 1);
                features.swap(0, 1);
            }
            let arms = [0, 1].map(|k| places[k] - bodies[pair.ends[k] as usize].pose.translation);
            let known = pair.touch.points().iter().find(|point| point.features[side] == features[side]);
            let impulse = known.map_or([0.0; 3], |point| {
                let friction = point.friction_impulse;
                [point.normal_impulse, friction.dot(frame.y_axis), friction.dot(frame.z_axis)]
            });
            self.push(pair, number, features, frame, arms, bodies, impulse);
        }
        self.corners = corners;
    }

    /// Begins to choose points again: `lambda` are the present multipliers, three per point.
    pub(super) fn choose_again(&mut self, lambda: &[f64]) {
        for (point, lambda) in self.list.iter_mut().zip(lambda.chunks(3)) {
            point.impulse = [lambda[0], lambda[1], lambda[2]];
        }
        std::mem::swap(&mut self.list, &mut self.old);
        self.list.clear();
    }

    /// Keeps the points of a contact.
    pub(super) fn keep(&mut self, touch: u32) {
        self.list.extend(self.old.iter().filter(|point| point.touch == touch));
    }

    /// Chooses the points of a contact anew where its bodies are now: `ends` are the poses that the iteration
    /// has reached, `bodies` those of the start.
    pub(super) fn replace(
        &mut self,
        pair: &TouchEnds<'_>,
        manifolds: &[Manifold],
        bodies: &[SolverBody],
        ends: &[Pose],
    ) {
        let first = self.list.len();
        self.add_found(pair, manifolds, bodies, ends);
        self.carry_over(pair, first);
    }

    /// Adds the points of a contact where its bodies are now, without impulses.
    pub(super) fn add_found(
        &mut self,
        pair: &TouchEnds<'_>,
        manifolds: &[Manifold],
        bodies: &[SolverBody],
        ends: &[Pose],
    ) {
        let manifolds = manifolds.iter().filter(|manifold| manifold.parts == pair.touch.parts);
        for manifold in manifolds {
            let frame = tangent_frame(manifold.normal);
            for (number, found) in (0..).zip(manifold.points()) {
                let places = [found.point_a, found.point_b];
                let arms = [0, 1].map(|side| {
                    let (start, end) =
                        (&bodies[pair.ends[side] as usize].pose, &ends[pair.ends[side] as usize]);
                    let arm = places[side] - end.translation;
                    if pair.surfaces[side].ball.is_some() {
                        return arm;
                    }
                    to_world(start.rotation, gedanken_math::rotation::to_body(end.rotation, arm))
                });
                let features = [found.feature_a, found.feature_b];
                self.push(pair, number, features, frame, arms, bodies, [0.0; 3]);
                let point = self.list.last_mut().expect("one was pushed just now");
                point.target =
                    self.old.iter().filter(|it| it.touch == pair.number).fold(0.0, |t, it| it.target.min(t));
            }
        }
    }

    /// Gives new points the impulses and allowances of those that they continue.
    fn carry_over(&mut self, pair: &TouchEnds<'_>, first: usize) {
        let Self { list, old, taken, .. } = self;
        let near = SAME_POINT_RATIO * pair.size();
        let is_own = |point: &Point| point.touch == pair.number;
        let allowed = old.iter().filter(|point| is_own(point)).fold(0.0f64, |most, it| most.min(it.target));
        taken.clear();
        taken.extend(old.iter().map(|point| !is_own(point)));
        for point in &mut list[first..] {
            let distance = |k: usize| (old[k].arms[1] - point.arms[1]).length();
            let same = (0..old.len()).find(|&k| !taken[k] && old[k].features == point.features);
            let nearest = || {
                let left = (0..old.len()).filter(|&k| !taken[k] && distance(k) <= near);
                left.min_by(|&j, &k| distance(j).total_cmp(&distance(k)))
            };
            point.target = allowed;
            if let Some(k) = same.or_else(nearest) {
                taken[k] = true;
                point.impulse = old[k].impulse;
                (point.target, point.first_pass) = (old[k].target, old[k].first_pass);
            }
        }
    }
}

/// The gap that is allowed at the end of a step that begins with this one.
fn allowed_gap(gap: f64, size: f64) -> f64 {
    match -gap / size {
        overlap if overlap <= OVERLAP_IGNORED => 0.0,
        overlap if overlap <= OVERLAP_HALVED => 0.5 * gap,
        _ => gap,
    }
}

/// The pose of a body after a motion.
pub(super) fn moved(pose: &Pose, motion: Twist) -> Pose {
    let turn = from_rotation_vector(motion.angular);
    Pose::new((turn * pose.rotation).normalize(), pose.translation + motion.linear)
}

impl Displaced {
    /// A body displaced from a pose.
    pub(super) fn new(pose: &Pose, motion: Twist) -> Self {
        let (turn, jacobian) = super::rotation_step::exponential(motion.angular);
        Self { start: pose.translation, motion, turn, jacobian }
    }
}
