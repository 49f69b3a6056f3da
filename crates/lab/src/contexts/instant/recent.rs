//! Places and velocities that were computed lately. An instant asks for the same ones again and again: for the
//! contact of a pair, the speed at which it approaches, what it does in free fall.
//!
//! They live as long as an instant, or a trial of free fall. Only motions whose laws read nothing but time and
//! what is [frozen](super::super::laws::Motion::frozen) in their segment are kept: these change with the version
//! of the actor alone.

use super::super::ids::{ActorId, LawId};
use super::super::trajectory::Velocity;
use super::super::trajectory::bounds::Placed;
use super::super::world::World;

/// Number of motions that are kept: two actors, just before and after an event, and a moment later.
const KEPT: usize = 8;

/// An actor in one segment of its motion, at one time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    actor: ActorId,
    laws: LawId,
    version: u32,
    time: u64,
}

impl Key {
    /// Returns the key of an actor at `t`; `None` if its motion may change within its segment.
    pub(super) fn of(world: &World<'_>, actor: ActorId, t: f64) -> Option<Self> {
        let state = &world.actors[actor];
        let laws = state.laws.filter(|&it| world.laws[it].motion.frozen)?;
        Some(Self { actor, laws, version: state.version, time: t.to_bits() })
    }
}

/// Motions that were computed lately.
#[derive(Debug, Default)]
pub(in crate::contexts) struct RecentMotions {
    places: Ring<Placed>,
    velocities: Ring<Velocity>,
}

impl RecentMotions {
    /// Forgets all of them: another instant begins, or versions have been set back. Memory is kept.
    pub(super) fn clear(&mut self) {
        self.places.clear();
        self.velocities.clear();
    }

    pub(super) fn place(&self, key: Key) -> Option<&Placed> {
        self.places.get(key)
    }

    pub(super) fn velocity(&self, key: Key) -> Option<&Velocity> {
        self.velocities.get(key)
    }

    pub(super) fn keep_place(&mut self, key: Key, placed: Placed) {
        self.places.keep(key, placed);
    }

    pub(super) fn keep_velocity(&mut self, key: Key, velocity: Velocity) {
        self.velocities.keep(key, velocity);
    }
}

/// The last values of one kind.
#[derive(Debug)]
struct Ring<T> {
    kept: Vec<(Key, T)>,
    /// Place of the oldest, once all are taken.
    oldest: usize,
}

impl<T> Default for Ring<T> {
    fn default() -> Self {
        Self { kept: Vec::new(), oldest: 0 }
    }
}

impl<T> Ring<T> {
    fn get(&self, key: Key) -> Option<&T> {
        self.kept.iter().find(|it| it.0 == key).map(|it| &it.1)
    }

    fn clear(&mut self) {
        self.kept.clear();
        self.oldest = 0;
    }

    fn keep(&mut self, key: Key, value: T) {
        if self.kept.len() < KEPT {
            self.kept.push((key, value));
        } else {
            self.kept[self.oldest] = (key, value);
            self.oldest = (self.oldest + 1) % KEPT;
        }
    }
}
