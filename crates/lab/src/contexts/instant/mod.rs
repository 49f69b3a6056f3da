//! An instant at which objects meet: collisions, separations and new contacts, until nothing approaches.
//!
//! Pairs that touch and approach collide one at a time, round after round in the order of their names, until
//! none is left (`impacts`). Then every object whose motion has changed is tried in free fall: pairs that separate
//! become free, pairs that overlap or do not separate stay together, as a contact (`prediction`). `closing` is
//! the geometry of a pair at an instant, `recent` the motions that it has asked for, `start` the first instant of a
//! run.

mod closing;
mod impacts;
mod prediction;
pub(super) mod recent;
mod release;
mod start;

use super::Engine;
use super::contact::Overlap;
use super::ids::ActorId;
use super::search::pairs::{Bond, Entry, EntryKind, Link};
use super::small_set::SmallSet;
use crate::run::events::Events;
use crate::run::options::Stop;
use gedanken_lang::value::Value;
use prediction::Outcome;

/// Number of returns to a contact, each right after its release, at which that is said.
const REPORTED_RETURNS: u32 = 4;

/// State of the resolution of one instant.
#[derive(Debug, Default)]
pub(super) struct EventResolution {
    /// Actors in free fall since this instant. Their values are stored as of it.
    pub(super) changed: SmallSet<ActorId>,
    /// Actors whose motion has changed because they are integrated with those, or read them.
    disturbed: SmallSet<ActorId>,
    /// Pairs that touch, or may touch.
    pub(super) pairs: SmallSet<(ActorId, ActorId)>,
    /// Pairs that separate in free fall.
    pub(super) leaving: SmallSet<(ActorId, ActorId)>,
    /// Pairs that overlap in free fall.
    overlapping: Vec<(ActorId, ActorId)>,
    /// Overlaps of pairs whose contact ends, by its laws.
    overlaps: Vec<Overlap>,
    /// Actors of groups whose overlaps have been looked at.
    measured: SmallSet<ActorId>,
    /// Pairs whose contact has ended and begun again so often that it gets a wider touch band, and the largest
    /// speed at which it let them go.
    returning: Vec<(ActorId, ActorId, f64)>,
}

impl Engine<'_> {
    /// Resolves all events at `t`, then searches for the next contacts of the actors involved up to `to`.
    /// Returns the number of collisions.
    pub(super) fn resolve_instant(
        &mut self,
        t: f64,
        met: &[Entry],
        to: f64,
        sink: &mut Events<'_>,
    ) -> Result<u64, Stop> {
        self.recent.get_mut().clear();
        let mut resolution = EventResolution::default();
        let (mut jumps, mut calm) = (SmallSet::default(), SmallSet::default());
        for entry in met {
            let pair = (entry.a, entry.b);
            match entry.kind {
                EntryKind::Separation => {
                    let band = self.search.bonds.link(entry.a, entry.b).map_or(0.0, |it| it.band);
                    for actor in [entry.a, entry.b] {
                        self.release(actor, t, &mut resolution)?;
                    }
                    // They fall freely now, with the velocity that their contact laws have left them.
                    let touch = self.touch(entry.a, entry.b, t)?;
                    let approach = self.approach(entry.a, entry.b, &touch, t)?;
                    let speed = if -approach.speed > approach.noise { -approach.speed } else { 0.0 };
                    self.search.returns.release(pair, t, band, speed);
                    self.search.bonds.part(entry.a, entry.b);
                }
                EntryKind::Jump => {
                    jumps.insert(pair);
                    resolution.pairs.insert(pair);
                }
                EntryKind::Contact | EntryKind::Touch => {
                    if entry.kind == EntryKind::Touch {
                        calm.insert(pair);
                    }
                    self.tie_met(entry.a, entry.b, t, sink)?;
                    resolution.pairs.insert(pair);
                }
                EntryKind::Reminder => {}
            }
        }
        let collisions = self.apply_collisions(t, &mut resolution, jumps, calm, sink)?;
        self.settle_bonds(t, &mut resolution)?;
        self.begin_contacts(t, &mut resolution)?;
        self.record_begun(t, &resolution, sink)?;
        for (a, b) in std::mem::take(&mut resolution.overlapping) {
            if self.search.bonds.get(a, b) == Some(Bond::Inside) {
                let touch = self.touch(a, b, t)?;
                let approach = self.approach(a, b, &touch, t)?;
                let why = match self.still_approaching(a, b, approach.speed, approach.noise) {
                    Some(why) => why,
                    None => {
                        "no context of `type = contact` holds for them, so they stay in free fall".to_owned()
                    }
                };
                let [one, other] = [a, b].map(|it| &self.world.layout.names[it]);
                let message = format!("`{one}` and `{other}` sink into each other: {why}");
                sink.notice(format!("sink {one} {other}"), t, message)?;
            }
        }
        for overlap in std::mem::take(&mut resolution.overlaps) {
            self.notice_overlap(&overlap, t, sink)?;
        }
        for (a, b, speed) in std::mem::take(&mut resolution.returning) {
            self.notice_returns([a, b], speed, t, sink)?;
        }
        // A motion that reads a changed one has changed as well: found contacts of it are void.
        let mut changed = resolution.changed;
        let mut readers: SmallSet<ActorId> = SmallSet::default();
        changed.iter().for_each(|&it| readers.extend(self.readers_of(it)));
        let of_world = self.readers_of_changed_world();
        let rated = of_world.iter().copied().filter(|it| !changed.contains(it));
        let rated: Vec<ActorId> = rated.filter(|&it| self.world.rates_of(it).is_some()).collect();
        if !rated.is_empty() {
            // A solution that was integrated with the old values is void from here on.
            self.world.commit_all(&rated, t)?;
            resolution.disturbed.extend(self.world.integrate_anew(&rated, t, self.frame_end)?);
        }
        readers.extend(of_world);
        for reader in readers {
            if !changed.contains(&reader) && resolution.disturbed.insert(reader) {
                self.world.actors[reader].version = self.world.actors[reader].version.wrapping_add(1);
            }
        }
        changed.extend(resolution.disturbed);
        let changed: Vec<ActorId> = changed.into_iter().collect();
        self.search_for(&changed, t, to, sink)?;
        for (a, b) in resolution.pairs {
            // Their entry in the queue is used up, though nothing has changed for them.
            if !changed.contains(&a) && !changed.contains(&b) {
                self.search_pair(a, b, t, to, sink)?;
            }
        }
        Ok(collisions)
    }

    /// Gives two objects that meet a bond, with a touch band that contains them: a fast pair is found within
    /// one tick of its contact, which may be farther from it than the band. Says once where the rounding of
    /// coordinates decides what touches.
    fn tie_met(&mut self, a: ActorId, b: ActorId, t: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        let touch = self.touch(a, b, t)?;
        let band = self.search.band(&self.world, a, b);
        let width = band.at(touch.farthest);
        self.search.bonds.tie(a, b, Bond::Leaving, width.max(2.0 * touch.gap.abs()));
        if band.is_rounding(touch.farthest) {
            let [one, other] = [a, b].map(|it| &self.world.layout.names[it]);
            let [farthest, width] = [touch.farthest, width].map(Value::Real);
            let message = format!(
                "`{one}` and `{other}` touch within {width}: with coordinates up to {farthest} numbers are no finer; put them nearer to the origin for sharper contacts"
            );
            sink.notice("rounding".to_owned(), t, message)?;
        }
        Ok(())
    }

    /// Begins the free fall of an actor whose values are stored as of `t`.
    fn begin_free_fall(
        &mut self,
        actor: ActorId,
        t: f64,
        resolution: &mut EventResolution,
    ) -> Result<(), Stop> {
        resolution.changed.insert(actor);
        let free = self.world.actors[actor].free_fall;
        self.world.start(actor, free, t)?;
        let others = self.world.integrate_anew(&[actor], t, self.frame_end)?;
        resolution.disturbed.extend(others);
        Ok(())
    }

    /// Begins the free fall of an actor and of all that stay together with it.
    pub(super) fn release(
        &mut self,
        actor: ActorId,
        t: f64,
        resolution: &mut EventResolution,
    ) -> Result<(), Stop> {
        if self.world.layout.is_static[actor] {
            return Ok(());
        }
        let members = self.search.bonds.group(actor);
        if members.len() > 1 && !resolution.measured.contains(&actor) {
            resolution.measured.extend(members.iter().copied());
            resolution.overlaps.extend(self.overlaps_at_end(&members, t)?);
        }
        for member in members {
            if self.world.layout.is_static[member] || resolution.changed.contains(&member) {
                continue;
            }
            self.world.commit(member, t)?;
            self.begin_free_fall(member, t, resolution)?;
        }
        Ok(())
    }

    /// Predicts every pair whose contact may have changed, and sets its bond.
    pub(super) fn settle_bonds(&mut self, t: f64, resolution: &mut EventResolution) -> Result<(), Stop> {
        let mut done: SmallSet<(ActorId, ActorId)> = SmallSet::default();
        let mut open = resolution.pairs.clone();
        let mut seen: SmallSet<ActorId> = SmallSet::default();
        loop {
            let fresh: Vec<ActorId> =
                resolution.changed.iter().copied().filter(|it| !seen.contains(it)).collect();
            for actor in fresh {
                seen.insert(actor);
                self.release(actor, t, resolution)?;
                for &Link { other, .. } in self.search.bonds.of(actor) {
                    let pair = (actor.min(other), actor.max(other));
                    if !done.contains(&pair) {
                        open.insert(pair);
                    }
                }
            }
            self.world.cancel.check()?;
            let Some((a, b)) = open.pop_first() else { return Ok(()) };
            done.insert((a, b));
            let (outcome, band) = self.predict(a, b, t)?;
            match outcome {
                Outcome::Apart => self.search.bonds.part(a, b),
                Outcome::Leave => self.search.bonds.tie(a, b, Bond::Leaving, band),
                Outcome::Stay { .. } => self.bind(a, b, band, t, resolution),
            }
            resolution.leaving.remove(&(a, b));
            if outcome == Outcome::Leave {
                resolution.leaving.insert((a, b));
            }
            if let Outcome::Stay { overlapping } = outcome {
                // A group that gains a member starts again; members that were free and have not changed start
                // with it.
                for actor in [a, b] {
                    self.release(actor, t, resolution)?;
                }
                if overlapping {
                    resolution.overlapping.push((a, b));
                }
            }
        }
    }

    /// Lets two objects stay together. A pair that returns to a contact which has just ended gets a wider touch
    /// band.
    fn bind(&mut self, a: ActorId, b: ActorId, band: f64, t: f64, resolution: &mut EventResolution) {
        if self.search.bonds.get(a, b) == Some(Bond::Together) {
            return;
        }
        let size = self.world.size(a).min(self.world.size(b));
        let again = self.search.returns.begin((a, b), t, self.frame_length(), size);
        let kept = again.map_or(0.0, |it| it.band);
        if let Some(again) = again.filter(|it| it.count == REPORTED_RETURNS) {
            resolution.returning.push((a, b, again.speed));
        }
        self.search.bonds.tie(a, b, Bond::Together, band.max(kept));
    }

    /// Predicts, by the laws that hold now, pairs that would separate if both fell freely but of which one is
    /// held: a ball on a brick that lies on the floor. Returns `true` if one of them stays.
    pub(super) fn settle_leaving(&mut self, t: f64, resolution: &mut EventResolution) -> Result<bool, Stop> {
        let mut stays = false;
        for (a, b) in resolution.leaving.clone() {
            self.world.cancel.check()?;
            let held = |it: ActorId| !self.world.layout.is_static[it] && self.search.bonds.is_held(it);
            if !(held(a) || held(b)) {
                continue;
            }
            let (outcome, band) = self.predict(a, b, t)?;
            if !matches!(outcome, Outcome::Stay { .. }) {
                continue;
            }
            resolution.leaving.remove(&(a, b));
            stays = true;
            for actor in [a, b] {
                self.release(actor, t, resolution)?;
            }
            self.bind(a, b, band, t, resolution);
        }
        Ok(stays)
    }
}
