//! The start of a step: bodies as solvers see them, gathered from the columns.

use crate::contacts::Report;
use crate::joints::jointed_motion::Holds;
use crate::ledger::Exchange;
use crate::world::inverse_mass::Inverse;
use gedanken_dynamics::{
    AngularVelocity, Inertia, Life, Mass, Orientation, Position, Rule, Table, ThreeD, Velocity, read,
    write_table,
};
use gedanken_math::Twist;
use gedanken_math::{Pose, Vec3};

/// A body on its way through a step.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mover {
    /// Its row; 0 is the world.
    pub row: u32,
    /// M⁻¹ at `pose`, zero for what impulses do not move.
    pub inverse: Inverse,
    /// The mass.
    pub mass: f64,
    /// The principal moments of inertia.
    pub moments: Vec3,
    /// The pose of the principal frame.
    pub pose: Pose,
    /// The motion.
    pub twist: Twist,
    /// The force of all laws and their torque about the centre.
    pub force: Twist,
    /// The way it has gone during kicks of laws; see [`Ways`].
    pub way: Twist,
    /// By how much it was shifted without moving; see [`Ways`].
    pub shift: Twist,
}

/// Every body by row, as it is when the step starts; rows that are no bodies stand still.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Starts {
    /// The time at which the step starts, s.
    pub time: f64,
    /// By row.
    pub movers: Vec<Mover>,
}

impl Table for Starts {
    const NAME: &'static str = "starts";
    const LIFE: Life = Life::Step;
}

/// What the books need to know of how bodies went, by row.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Ways {
    /// The sum of h·(v⁻ + v⁺)/2 over the kicks of the laws in this step. A law's constant force does the work
    /// force·way.
    pub ways: Vec<Twist>,
    /// Displacements without a velocity, by position correction. Whoever makes them books -force·shift as
    /// stabilisation.
    pub shifts: Vec<Twist>,
}

impl Table for Ways {
    const NAME: &'static str = "ways";
    const LIFE: Life = Life::Step;
}

/// Gathers the bodies at the start of the step, and opens a new page of the books.
pub(crate) fn rule() -> Rule {
    let places = (read::<Position<ThreeD>>(), read::<Orientation>());
    let motions = (read::<Velocity<ThreeD>>(), read::<AngularVelocity>());
    let masses = (read::<Mass>(), read::<Inertia>());
    let tables =
        (write_table::<Starts>(), write_table::<Ways>(), write_table::<Exchange>(), write_table::<Report>());
    let view = (places, motions, masses, tables, write_table::<Holds>());
    Rule::new("start", view, |step, ((r, q), (v, omega), (m, i), (starts, ways, exchange, report), holds)| {
        holds.open();
        for ways in [&mut ways.ways, &mut ways.shifts] {
            ways.clear();
            ways.resize(r.len(), Twist::ZERO);
        }
        *exchange = Exchange::default();
        *report = Report::nothing();
        starts.time = step.t.si();
        // Filled in where they stay, for they are large. Forces and ways are zero from the beginning, and
        // nobody else writes here.
        starts.movers.resize(r.len(), Mover::default());
        for (k, mover) in starts.movers.iter_mut().enumerate() {
            mover.row = k as u32;
            mover.inverse = Inverse::new(m[k].si(), i[k].si(), q[k]);
            mover.mass = m[k].si();
            mover.moments = i[k].si();
            mover.pose = Pose::new(q[k], r[k].si());
            mover.twist = Twist::new(v[k].si(), omega[k].si());
        }
    })
}
