//! Contacts around joints: sweeps over the contacts alternate with direct solves of all joints.
//!
//! Every solve of the joints starts from the motion that laws and contacts alone have made, so limits and
//! motors are asked once per sub-step, with all their force, however often contacts and joints take turns.
//! The last to act are the joints: they hold, and what contacts miss by is told in the report.

use crate::contacts::contact_rows::{Rows, SweepBody};
use crate::joints::direct::Group;
use crate::ledger::Exchange;
use crate::world::solver_body::SolverBody;
use gedanken_math::Twist;

/// What the joints of an island do in a sub-step.
#[derive(Debug, Default)]
pub(super) struct Jointed {
    /// By body: what the joints add to its velocity.
    pushes: Vec<Twist>,
}

impl Jointed {
    /// Before the first solve of a sub-step.
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

    /// Books what the joints did between two motions of the bodies.
    pub(super) fn book(
        movers: &mut [SolverBody],
        before: impl Iterator<Item = Twist>,
        after: &[SweepBody],
        joints: &mut Group,
        exchange: &mut Exchange,
    ) {
        movers.iter_mut().zip(before).for_each(|(mover, twist)| mover.twist = twist);
        joints.note_before(movers);
        movers.iter_mut().zip(after).for_each(|(mover, body)| mover.twist = body.twist());
        joints.note_after(movers);
        joints.book(movers, exchange);
    }
}
