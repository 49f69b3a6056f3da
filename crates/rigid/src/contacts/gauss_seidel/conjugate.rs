//! Conjugate directions for sweeps: the nonsmooth nonlinear conjugate gradients of Silcowitz-Hansen, Niebe
//! and Erleben (2010).
//!
//! A sweep changes the impulses by -g, the preconditioned gradient. After it they move on along the last
//! direction p, by the part β of it, and p becomes -g + β p; β is the ratio of |g|² now to |g|² before
//! (Fletcher and Reeves; in the metric of K, so that heavy and light bodies count alike). When β is above one
//! the direction is given up. The motion that p makes is kept beside it, body by body, so moving on costs no
//! visit of a contact. The last to act is always a sweep, so impulses end in their cones.

use crate::contacts::contact_rows::Rows;
use gedanken_math::{Twist, Vec3};

/// Direction in impulses and the twists that it makes; memory.
#[derive(Debug, Default)]
pub(super) struct Conjugate {
    /// p by contact point.
    direction: Vec<Vec3>,
    /// Twist that p makes, by body.
    motion: Vec<Twist>,
    /// Impulses before the sweep.
    impulses: Vec<Vec3>,
    /// Twists before the sweep.
    twists: Vec<Twist>,
    /// |g|² of the last sweep.
    moved: f64,
}

impl Conjugate {
    /// Starts from the present impulses, with no direction.
    pub(super) fn begin(&mut self, rows: &Rows) {
        self.direction.clear();
        self.direction.resize(rows.points.len(), Vec3::ZERO);
        self.motion.clear();
        self.motion.resize(rows.bodies.len(), Twist::ZERO);
        self.impulses.clear();
        self.impulses.extend(rows.points.iter().map(|point| point.impulse));
        self.twists.clear();
        self.twists.extend(rows.bodies.iter().map(|body| body.twist()));
        self.moved = f64::INFINITY;
    }

    /// Moves on along the direction, after a sweep with |g|² = `moved` and before another one.
    pub(super) fn advance(&mut self, rows: &mut Rows, moved: f64) {
        let beta = moved / self.moved;
        // A sweep that moves more than the last one says that the active set has changed: start anew.
        let beta = if beta < 1.0 { beta } else { 0.0 };
        self.moved = moved;
        for ((point, old), direction) in
            rows.points.iter_mut().zip(&mut self.impulses).zip(&mut self.direction)
        {
            let change = point.impulse - *old;
            point.impulse += *direction * beta;
            *direction = change + *direction * beta;
            *old = point.impulse;
        }
        for ((body, old), motion) in rows.bodies.iter_mut().zip(&mut self.twists).zip(&mut self.motion) {
            let change = body.twist() - *old;
            let twist = body.twist() + *motion * beta;
            body.set_twist(twist);
            *motion = change + *motion * beta;
            *old = twist;
        }
    }
}
