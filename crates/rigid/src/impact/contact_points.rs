//! Bodies at the instant of contact: where they touch, and whether they approach or are pressed together.

use super::eligibility::BALANCED_RATIO;
use super::restitution::Point;
use super::robust_query::ask;
use super::time_of_impact::Pair;
use crate::world::solver_body::SolverBody;
use gedanken_dynamics::Trouble;
use gedanken_geometry::narrow::{self, Manifold, Scratch};

/// Relative motion of a pair that touches.
#[derive(Debug, Clone, Copy)]
pub(super) struct PairMotion {
    /// The largest approach speed.
    pub(super) approach: f64,
    /// Below this it is rounding.
    pub(super) least: f64,
    /// The largest acceleration towards each other at points that do not part; not negative.
    pub(super) pressing: f64,
    /// The larger acceleration of both.
    pub(super) strongest: f64,
}

/// The part of the speed of rest that is noise in the velocities of bodies with joints.
const JOINT_SPEED_NOISE: f64 = 1e-3;

impl PairMotion {
    pub(super) fn of(
        pair: &Pair<'_>,
        t: f64,
        bodies: &[SolverBody; 2],
        points: &[Point],
        rest_speed: f64,
    ) -> Self {
        let accelerations = [0, 1].map(|k| pair.trajectories[k].acceleration(&bodies[k]));
        let speeds = bodies[0].twist.linear.length() + bodies[1].twist.linear.length();
        let jointed = pair.trajectories.iter().any(|trajectory| trajectory.has_joints());
        let noise = if jointed { JOINT_SPEED_NOISE } else { 1e-6 } * rest_speed;
        let least = noise.max(1e-13 * speeds);
        let approach = points.iter().map(Point::approach).fold(f64::NEG_INFINITY, f64::max);
        let mut balanced =
            BALANCED_RATIO * (accelerations[0].linear.length() + accelerations[1].linear.length());
        if jointed && pair.end > t {
            // Theirs are differences of velocities, and end in the noise of those.
            balanced = balanced.max(noise / (pair.end - t));
        }
        let pressed = points.iter().filter(|point| point.approach() >= -least);
        let pressing = pressed.map(|point| point.with_motion(accelerations).approach()).fold(0.0, f64::max);
        let strongest = accelerations[0].linear.length().max(accelerations[1].linear.length());
        Self { approach, least, pressing: if pressing > balanced { pressing } else { 0.0 }, strongest }
    }

    pub(super) fn closes(&self) -> bool {
        self.approach > self.least || self.pressing > 0.0
    }
}

/// Points nearer to each other than this part of the smaller width are one: what two of them would carry
/// apart is rounding.
const SAME_POINT_RATIO: f64 = 1e-6;

/// Both bodies at `t`, and the points at which they touch.
pub(super) fn gather(
    pair: &Pair<'_>,
    t: f64,
    scratch: &mut Scratch,
    manifolds: &mut Vec<Manifold>,
    points: &mut Vec<Point>,
) -> Result<[SolverBody; 2], Trouble> {
    let bodies = pair.trajectories.map(|trajectory| trajectory.now(t));
    let [a, b] = pair.surfaces;
    let poses = [a.pose(&bodies[0].pose), b.pose(&bodies[1].pose)];
    let margin = 16.0 * pair.touch;
    ask(poses, |p, q| narrow::pressing_manifolds(&a.shape, p, &b.shape, q, margin, scratch, manifolds))?;
    points.clear();
    let near = SAME_POINT_RATIO * a.width.min(b.width);
    for manifold in manifolds.iter() {
        let n = manifold.normal;
        for point in manifold.points() {
            let place = 0.5 * (point.point_a + point.point_b);
            let same = |old: &Point| {
                (old.place - place).length() <= near && (old.normal - n).length() <= SAME_POINT_RATIO
            };
            if !points.iter().any(same) {
                points.push(Point::new(place, n, &bodies));
            }
        }
    }
    Ok(bodies)
}
