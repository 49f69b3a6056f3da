//! Impacts: collision contexts applied until no touching pair approaches.
//!
//! Pairs collide one at a time, round after round in the order of their names. A round leaves out the pairs of
//! which neither object has changed since they were last looked at.
//!
//! **Noise.** In a heap, every collision passes a part of its speed on to the next pair, which gives a part of
//! it back. The speeds of approach shrink by a factor from round to round and never reach zero. So a pair does
//! not approach if its speed is within the rounding of the fastest approach that has had a share in it:
//!
//! ```text
//! noise(a, b) = 1e-12 · max(speeds of a and b, impact(a), impact(b))
//! ```
//!
//! where impact(a) is the largest speed of approach that has reached `a` at this instant, through any number
//! of collisions. A static object passes nothing on: what hits a floor at two places is two impacts. A pair
//! that is left with such a speed stays together, as one that rests.

use super::super::Engine;
use super::super::ids::ActorId;
use super::super::search::pairs::{Bond, Link};
use super::super::small_set::SmallSet;
use super::super::speed_gain::ADVICE;
use super::EventResolution;
use super::closing::{APPROACH_NOISE, ClosingSpeed};
use crate::run::events::Events;
use crate::run::options::Stop;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use std::collections::BTreeMap;

/// Maximum number of collisions at one instant, for each pair that takes part. Beyond it the run is stopped.
const MAX_COLLISIONS_PER_PAIR: u64 = 10_000;
/// Smallest part of its speed of approach that a collision must take away. Otherwise the pair waits until one
/// of the two has been hit by another.
const MIN_SLOWING: f64 = 1e-9;

/// Two objects, the first by name first.
type Pair = (ActorId, ActorId);

/// Pairs of an instant that may have to collide.
#[derive(Debug)]
struct Round {
    /// Pairs that have not been looked at since one of the two has changed.
    open: SmallSet<Pair>,
    /// Last pair that was looked at.
    last: Option<Pair>,
    /// Largest speed of approach that has reached each object.
    impacts: BTreeMap<ActorId, f64>,
}

impl Round {
    /// Takes the next pair by name; after the last one the next round begins.
    fn next(&mut self) -> Option<Pair> {
        let next = self.last.and_then(|last| self.open.first_after(&last)).or_else(|| self.open.first())?;
        self.open.remove(&next);
        self.last = Some(next);
        Some(next)
    }

    /// Largest speed of approach that has reached one of two objects.
    fn impact(&self, pair: Pair) -> f64 {
        [pair.0, pair.1].iter().filter_map(|it| self.impacts.get(it)).fold(0.0, |most, it| it.max(most))
    }

    /// Returns `true` if a pair approaches at a speed that is no rounding.
    fn approaches(&self, pair: Pair, approach: ClosingSpeed) -> bool {
        approach.speed > approach.noise.max(APPROACH_NOISE * self.impact(pair))
    }
}

impl Engine<'_> {
    /// Applies collision contexts until no touching pair approaches. `jumps` collide in any case. `calm` pairs
    /// do not overlap by the motions that they have: whatever their normal says, they collide only after
    /// another collision. So a box that slides from one tile to the next does not run into its edge. Returns
    /// the number of collisions.
    pub(super) fn apply_collisions(
        &mut self,
        t: f64,
        resolution: &mut EventResolution,
        mut jumps: SmallSet<Pair>,
        mut calm: SmallSet<Pair>,
        sink: &mut Events<'_>,
    ) -> Result<u64, Stop> {
        let mut round = Round { open: resolution.pairs.clone(), last: None, impacts: BTreeMap::new() };
        let mut collisions = 0;
        while let Some(pair) = round.next() {
            self.world.cancel.check()?;
            let (a, b) = pair;
            if calm.contains(&pair) {
                continue;
            }
            let touch = self.touch(a, b, t)?;
            let approach = self.approach(a, b, &touch, t)?;
            let collides = round.approaches(pair, approach) || jumps.remove(&pair);
            if !collides || !self.can_collide(a, b) {
                continue;
            }
            let pushed: Vec<ActorId> =
                [a, b].into_iter().filter(|&it| !self.world.layout.is_static[it]).collect();
            for &actor in &pushed {
                self.world.commit(actor, t)?;
            }
            self.collide(a, b, &touch, t, sink)?;
            let impact = approach.speed.max(round.impact(pair));
            for &actor in &pushed {
                round.impacts.insert(actor, impact);
                self.begin_free_fall(actor, t, resolution)?;
                self.add_touching(actor, t, resolution)?;
            }
            // A collision may set all pairs of the two in motion again.
            let moved = |it: &&Pair| pushed.contains(&it.0) || pushed.contains(&it.1);
            for &pair in resolution.pairs.iter().filter(moved) {
                calm.remove(&pair);
                round.open.insert(pair);
            }
            let after = self.approach(a, b, &touch, t)?;
            self.note_speed_gain(a, b, t, approach.speed, after.speed);
            if !round.approaches(pair, after) || after.speed >= approach.speed * (1.0 - MIN_SLOWING) {
                round.open.remove(&pair);
            }
            collisions += 1;
            if collisions > MAX_COLLISIONS_PER_PAIR * resolution.pairs.len() as u64 {
                return Err(self.collisions_without_end(a, b, t, collisions).into());
            }
        }
        Ok(collisions)
    }

    /// Adds the pairs of an actor that touch to those of the instant.
    fn add_touching(&mut self, actor: ActorId, t: f64, resolution: &mut EventResolution) -> Result<(), Stop> {
        for Link { other, bond, band } in self.search.bonds.of(actor).to_vec() {
            let (a, b) = (actor.min(other), actor.max(other));
            if self.gap(a, b, t)? <= band {
                resolution.pairs.insert((a, b));
            } else if bond != Bond::Together {
                // The bond is out of date: they have come apart since.
                self.search.bonds.part(a, b);
            }
        }
        Ok(())
    }

    fn collisions_without_end(&self, a: ActorId, b: ActorId, t: f64, rounds: u64) -> Box<Diagnostic> {
        let [one, other] = [a, b].map(|it| self.world.layout.object(self.world.experiment, it));
        let count = format!(
            "`{}` and `{}` still close in after {rounds} collisions at one instant: the run is stopped",
            one.name, other.name
        );
        let (message, help) = match self.energy_added(t) {
            Some(diverges) => (format!("{diverges}; {count}"), ADVICE),
            None => (
                count,
                "a collision law should leave two objects that separate, or move on together: look at its sign and its \
                 factors",
            ),
        };
        Box::new(
            Diagnostic::new(Code::E804, one.span, message)
                .also(other.span, "the other one")
                .note(format!("at t = {}", Value::Real(t)))
                .help(help),
        )
    }
}
