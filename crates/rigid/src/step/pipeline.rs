//! The step of a world of rigid bodies, as a flow: the one place that says what follows what.

use super::kick_middle::{self, MovingLaws};
use super::start::start_rule;
use super::{bookkeeping, external_force, free_motion, outcome};
use crate::collide::{broad_phase, island, narrow_phase};
use crate::contacts::{position_correction, solve_islands};
use crate::impact;
use crate::joints::{jointed_motion, limit_arrival};
use crate::variational::flow;
use crate::world::World;
use crate::world::settings::Settings;
use gedanken_dynamics::{BuildError, Flow, Mechanics, Moves as _, Splitting, State, ThreeD, seq};
use std::sync::Arc;

/// The kicks and drifts of rigid bodies, for any integrator that is made of them.
struct RigidMoves {
    laws: Flow,
    book: Flow,
    joints: jointed_motion::Moves,
    solve: Flow,
    touching: bool,
    /// The laws whose forces depend on velocities.
    moving: Option<MovingLaws>,
}

impl Splitting for RigidMoves {
    /// The laws act on everything at the same instant; then each kind of motion takes their forces in its own
    /// way.
    fn kick(&self) -> Flow {
        let free = seq![free_motion::kick(), self.joints.kick()];
        let laws = match &self.moving {
            Some(moving) => moving.forces(&self.laws, &self.joints),
            None => self.laws.clone(),
        };
        if self.touching {
            seq![free_motion::predict(&self.laws), laws, self.solve.clone(), free]
        } else {
            seq![laws, free, self.book.clone()]
        }
    }

    fn drift(&self) -> Flow {
        // Joints first: they look at where kinematic bodies start from, and take the time from the clock.
        seq![self.joints.drift(), free_motion::drift()]
    }

    fn verlet(&self) -> Flow {
        seq![self.kick().scaled(0.5), self.drift(), self.kick().scaled(0.5)]
    }
}

/// One step, of a world that starts in this state.
pub(crate) fn flow(world: &Arc<World>, settings: &Arc<Settings>, start: &State) -> Result<Flow, BuildError> {
    let Some(solver) = settings.solver.island_solver() else {
        return flow::flow(world, settings, start);
    };
    let touching = world.has_contacts();
    let mut mechanics = Mechanics::<ThreeD>::new(world.model(), world.laws().clone())?;
    if settings.ledger {
        mechanics = mechanics.with_ledger()?;
    }
    let moving = MovingLaws::of(world, start)?;
    let book = if settings.ledger { bookkeeping::book_laws(world, start, moving.as_ref()) } else { seq![] };
    let arrives = limit_arrival::are_located(world, settings);
    let moves = RigidMoves {
        laws: seq![mechanics.forces(), external_force::act()],
        // Where steps are repeated, displacements by the laws are known only at their end.
        book: if arrives { seq![] } else { book.clone() },
        joints: jointed_motion::Moves::new(world, settings),
        solve: solve_islands::flow(world, settings, solver),
        touching,
        moving,
    };
    let find = if touching {
        // The laws at the start of the step tell how fast bodies can close a gap, and what is slow enough to
        // count as rest.
        seq![
            moves.laws.clone(),
            start_rule(),
            bookkeeping::begin(world),
            broad_phase::rule(world, settings),
            narrow_phase::rule(world, settings),
            island::rule(world)
        ]
    } else {
        seq![start_rule(), bookkeeping::begin(world), island::rule(world)]
    };
    let advance = settings.integrator.splitting(&moves)?;
    let correct = if solver.corrects() { seq![] } else { seq![position_correction::rule(world, settings)] };
    let arrive = if arrives { seq![limit_arrival::rule()] } else { seq![] };
    let settle = match (touching, arrives) {
        (true, _) => seq![impact::rule(world, settings), correct, book],
        (false, true) => book,
        (false, false) => seq![],
    };
    let begin = if moves.moving.is_some() { seq![kick_middle::begin_step()] } else { seq![] };
    Ok(seq![
        find,
        begin,
        advance,
        arrive,
        settle,
        external_force::end(),
        outcome::rest(settings),
        outcome::events(touching)
    ])
}
