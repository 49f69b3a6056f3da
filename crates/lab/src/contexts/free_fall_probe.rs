//! A trial of free fall: some objects are let go at an instant, looked at, and put back as they were.

use super::ids::{ActorId, SystemId, Table, WorldColumnId};
use super::world::{Actor, World};
use gedanken_lang::diagnostic::Diagnostic;

/// Objects that were let go, and the state to put back.
#[derive(Debug)]
pub(crate) struct Fall {
    actors: Vec<Held>,
    owners: Table<WorldColumnId, Option<ActorId>>,
}

/// State of an object before it was let go.
#[derive(Debug)]
struct Held {
    actor: ActorId,
    state: Actor,
    /// Scalars of its attributes.
    stored: Vec<f64>,
    /// Scalars of the context attributes of its free fall.
    kept: Vec<f64>,
    system: Option<SystemId>,
}

impl World<'_> {
    /// Lets objects go at `t`, from the state that the laws in force give then, to fall until `until`.
    /// [`take_back`](Self::take_back) must follow.
    ///
    /// # Errors
    /// A law that failed. Everything is as before then.
    pub(crate) fn let_go(&mut self, actors: &[ActorId], t: f64, until: f64) -> Result<Fall, Box<Diagnostic>> {
        // All values are of the laws before, so that no object sees another one fall.
        let values: Result<Vec<Vec<f64>>, _> = actors.iter().map(|&it| self.values_at(it, t)).collect();
        let values = values?;
        let held = actors.iter().map(|&it| self.held(it)).collect();
        let fall = Fall { actors: held, owners: self.owners.clone() };
        for (&actor, values) in actors.iter().zip(&values) {
            self.store_values(actor, values, t);
            self.integrated.leave(actor);
        }
        for &actor in actors {
            let free = self.actors[actor].free_fall;
            let begun = self.start(actor, free, t).and_then(|()| self.integrate_alone(actor, t, until));
            if let Err(failed) = begun {
                self.take_back(fall);
                return Err(failed);
            }
        }
        Ok(fall)
    }

    /// Puts objects that were let go back as they were.
    pub(crate) fn take_back(&mut self, fall: Fall) {
        self.owners = fall.owners;
        for Held { actor, state, stored, kept, system } in fall.actors {
            let row = self.layout.rows[actor];
            for (column, value) in self.stored[row.class].iter_mut().zip(stored) {
                column[row.index] = value;
            }
            if let Some(free) = state.free_fall {
                for (column, value) in self.kept[free].iter_mut().zip(kept) {
                    column[row.index] = value;
                }
            }
            self.integrated.rejoin(actor, system);
            self.actors[actor] = state;
        }
    }

    fn held(&self, actor: ActorId) -> Held {
        let row = self.layout.rows[actor];
        let state = self.actors[actor].clone();
        let kept = state.free_fall.into_iter().flat_map(|free| &self.kept[free]);
        Held {
            actor,
            stored: self.stored[row.class].iter().map(|column| column[row.index]).collect(),
            kept: kept.map(|column| column[row.index]).collect(),
            system: self.integrated.system_of(actor),
            state,
        }
    }
}
