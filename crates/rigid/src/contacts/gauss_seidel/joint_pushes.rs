//! Pushes of the joints of an island in a sub-step, which sweeps over its contacts alternate with.

use crate::contacts::contact_rows::Rows;
use crate::joints::direct::Group;
use crate::world::solver_body::SolverBody;
use gedanken_math::Twist;

/// Pushes of the joints of an island in a sub-step.
#[derive(Debug, Default)]
pub(super) struct JointPushes {
    /// By body: the velocity that the joints add.
    pushes: Vec<Twist>,
}

impl JointPushes {
    /// Starts a sub-step of `count` bodies.
    pub(super) fn begin(&mut self, count: usize) {
        self.pushes.clear();
        self.pushes.resize(count, Twist::ZERO);
    }

    /// Solves the joints anew, with contacts as they are.
    pub(super) fn hold(&mut self, rows: &mut Rows, movers: &mut [SolverBody], joints: &mut Group, h: f64) {
        for ((mover, body), push) in movers.iter_mut().zip(&rows.bodies).zip(&self.pushes) {
            mover.twist = body.twist() - *push;
        }
        joints.hold_motion(movers, h);
        for ((mover, body), push) in movers.iter().zip(&mut rows.bodies).zip(&mut self.pushes) {
            *push += mover.twist - body.twist();
            body.set_twist(mover.twist);
        }
    }
}
