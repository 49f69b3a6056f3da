//! A state as words: everything that a run needs to go on from a frame.
//!
//! | what | |
//! |---|---|
//! | scalars of the world, then of every class, column by column | numbers |
//! | of each actor: the context it is in, since when, when it was stored | one more than the index, 0 for none; numbers |
//! | and its context attributes | count, numbers |
//! | bonds: two actors, their bond, and their touch band | count; indices, a place in [`BONDS`], a number |
//! | contacts that have ended lately: two actors, returns, time, touch band, speed | count; indices, a count, numbers |
//!
//! Values that geometry gives of contacts are computed again: they are those of the frame's own instant.

use super::Engine;
use super::ids::{ActorId, ContextId, Id};
use super::search::pairs::{Bond, Link};
use super::search::returns::Return;
use crate::run::options::Stop;
use crate::run::words::{Words, WordsReader, damaged};

/// Bonds by their numbers.
const BONDS: [Bond; 3] = [Bond::Inside, Bond::Together, Bond::Leaving];

impl Engine<'_> {
    /// Saves the state of a frame.
    pub(super) fn save_state(&self, to: &mut Words) {
        let world = &self.world;
        for &scalar in world.values.iter().chain(world.stored.iter().flatten().flatten()) {
            to.real(scalar);
        }
        for (actor, state) in world.actors.entries() {
            let laws = state.laws.map(|it| (it, &world.laws[it]));
            to.index(laws.map_or(0, |(_, it)| it.context.index() + 1));
            to.real(state.since);
            to.real(state.updated);
            let kept = laws.map(|(id, _)| &world.kept[id]);
            to.index(kept.map_or(0, |it| it.len()));
            for column in kept.into_iter().flatten() {
                to.real(column[world.layout.rows[actor].index]);
            }
        }
        let bonds: Vec<(ActorId, ActorId, Link)> = self.search.bonds.all().collect();
        to.index(bonds.len());
        for (a, b, link) in bonds {
            to.index(a.index());
            to.index(b.index());
            to.index(BONDS.iter().position(|it| *it == link.bond).unwrap_or(0));
            to.real(link.band);
        }
        to.index(self.search.returns.all().len());
        for ((a, b), it) in self.search.returns.all() {
            to.index(a.index());
            to.index(b.index());
            to.word(u64::from(it.count));
            to.real(it.released);
            to.real(it.band);
            to.real(it.speed);
        }
    }

    /// Restores the state of a frame at `time`.
    pub(super) fn load_state(&mut self, time: f64, from: &mut WordsReader<'_>) -> Result<(), Stop> {
        let count = self.world.layout.len();
        let columns = self.world.values.iter_mut().chain(self.world.stored.iter_mut().flatten().flatten());
        for scalar in columns {
            *scalar = from.real()?;
        }
        let mut contexts = Vec::with_capacity(count);
        let mut kept = Vec::with_capacity(count);
        for actor in self.world.layout.actors() {
            let context = from.index(self.world.experiment.contexts.len() + 1)?.checked_sub(1);
            contexts.push(context.map(ContextId::new));
            self.world.actors[actor].since = from.real()?;
            self.world.actors[actor].updated = from.real()?;
            let width = from.length()?;
            kept.push((0..width).map(|_| from.real()).collect::<Result<Vec<f64>, Stop>>()?);
        }
        for _ in 0..from.length()? {
            let (a, b) = (ActorId::new(from.index(count)?), ActorId::new(from.index(count)?));
            let bond = BONDS[from.index(BONDS.len())?];
            self.search.bonds.tie(a, b, bond, from.real()?);
        }
        for _ in 0..from.length()? {
            let pair = (ActorId::new(from.index(count)?), ActorId::new(from.index(count)?));
            let count = from.index(u32::MAX as usize)? as u32;
            let it = Return { count, released: from.real()?, band: from.real()?, speed: from.real()? };
            self.search.returns.restore(pair, it);
        }
        for (actor, context) in self.world.layout.actors().zip(contexts) {
            let laws = match context {
                Some(context) => Some(self.laws_for(actor, context, &[])?),
                None => None,
            };
            if !self.world.restore_actor(actor, laws, &kept[actor.index()]) {
                return Err(damaged());
            }
        }
        let everybody: Vec<ActorId> = self.world.layout.actors().collect();
        self.reshape(&everybody)?;
        self.measure_contacts(time, None)
    }
}
