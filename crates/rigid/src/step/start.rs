//! The start of a step: bodies as solvers see them, empty books.

use crate::contacts::report::Report;
use crate::joints::jointed_motion::JointedIslands;
use crate::ledger::Exchange;
use crate::world::solver_body::{Displacements, InverseMass, SolverBodies, SolverBody};
use gedanken_dynamics::{
    AngularVelocity, Inertia, Mass, Orientation, Position, Rule, ThreeD, Velocity, read, write_table,
};
use gedanken_math::{Pose, Twist};

/// Gathers the bodies at the start of the step, and opens a new page of the ledger.
pub(crate) fn start_rule() -> Rule {
    let places = (read::<Position<ThreeD>>(), read::<Orientation>());
    let motions = (read::<Velocity<ThreeD>>(), read::<AngularVelocity>());
    let masses = (read::<Mass>(), read::<Inertia>());
    let tables = (
        write_table::<SolverBodies>(),
        write_table::<Displacements>(),
        write_table::<Exchange>(),
        write_table::<Report>(),
    );
    let view = (places, motions, masses, tables, write_table::<JointedIslands>());
    Rule::new("start", view, |step, ((r, q), (v, omega), (m, i), tables, holds)| {
        let (at_start, displacements, exchange, report) = tables;
        holds.open();
        for list in [&mut displacements.moved, &mut displacements.shifted] {
            list.clear();
            list.resize(r.len(), Twist::ZERO);
        }
        *exchange = Exchange::default();
        *report = Report::nothing();
        at_start.time = step.t.si();
        // Filled in place, for they are large. Forces and displacements are zero from the beginning, and no
        // other rule writes here.
        at_start.bodies.resize(r.len(), SolverBody::default());
        for (k, body) in at_start.bodies.iter_mut().enumerate() {
            body.row = k as u32;
            body.inverse = InverseMass::new(m[k].si(), i[k].si(), q[k]);
            body.mass = m[k].si();
            body.moments = i[k].si();
            body.pose = Pose::new(q[k], r[k].si());
            body.twist = Twist::new(v[k].si(), omega[k].si());
        }
    })
}
