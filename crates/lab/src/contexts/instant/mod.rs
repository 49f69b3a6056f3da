//! An instant at which objects meet: collisions, separations and new contacts, until nothing approaches.
//!
//! Pairs that touch and approach collide one at a time, in the order of their names, until none is left; a
//! pair may recur. Then every object whose motion has changed is tried in free fall: pairs that separate
//! become free, pairs that overlap or do not separate stay together, as a contact.

use super::Engine;
use super::ids::{ActorId, Id};
use super::search::pairs::Bond;
use super::search::pairs::{Entry, EntryKind};
use super::small_set::SmallSet;
use super::speed_gain::ADVICE;
use super::touch::closest::separation;
use super::touch::{Touch, touch};
use super::trajectory::Trajectory;
use super::trajectory::bounds::Mover;
use super::trajectory::orientation::Twist;
use crate::run::events::{Events, Happened};
use crate::run::options::Stop;
use gedanken_geometry::bounds::radius_about_origin;
use gedanken_geometry::narrow::QueryError;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_recording::EventKind;

/// Maximum number of collisions at one instant, for each pair that takes part. Beyond it the run is stopped.
const MAX_COLLISIONS_PER_PAIR: u64 = 10_000;
/// Rounding of a speed of approach, relative to the speeds involved.
const APPROACH_NOISE: f64 = 1e-12;

/// Behaviour of two objects that touch, in free fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// They do not touch.
    Apart,
    /// They separate.
    Leave,
    /// They do not separate. `overlapping` is `true` if they sink into each other.
    Stay { overlapping: bool },
}

/// Speed at which two objects approach.
#[derive(Clone, Copy, Debug)]
struct ClosingSpeed {
    /// Speed of approach of their surfaces; negative if they separate.
    speed: f64,
    /// Part of it that may be rounding.
    noise: f64,
}

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
        let mut resolution = EventResolution::default();
        let mut jumps = SmallSet::default();
        for entry in met {
            let pair = (entry.a, entry.b);
            match entry.kind {
                EntryKind::Separation => {
                    self.search.bonds.set(entry.a, entry.b, None);
                    for actor in [entry.a, entry.b] {
                        self.release(actor, t, &mut resolution)?;
                    }
                }
                EntryKind::Jump => {
                    jumps.insert(pair);
                    resolution.pairs.insert(pair);
                }
                EntryKind::Contact => {
                    resolution.pairs.insert(pair);
                }
                EntryKind::Reminder => {}
            }
        }
        let collisions = self.apply_collisions(t, &mut resolution, jumps, sink)?;
        self.settle_bonds(t, &mut resolution)?;
        self.begin_contacts(t, &mut resolution)?;
        self.record_begun(t, &resolution, sink)?;
        for (a, b) in std::mem::take(&mut resolution.overlapping) {
            if self.search.bonds.get(a, b) == Some(Bond::Free) {
                let [one, other] = [a, b].map(|it| &self.world.layout.names[it]);
                let message = format!(
                    "`{one}` and `{other}` sink into each other: no context of `type = contact` holds for them, so they stay in free fall"
                );
                sink.notice(format!("sink {one} {other}"), t, message)?;
            }
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

    /// Applies collision contexts until no touching pair approaches. Returns the number of collisions.
    fn apply_collisions(
        &mut self,
        t: f64,
        resolution: &mut EventResolution,
        mut jumps: SmallSet<(ActorId, ActorId)>,
        sink: &mut Events<'_>,
    ) -> Result<u64, Stop> {
        let mut rounds = 0;
        // Pairs whose collision did not slow them down, or that have no collision context.
        let mut idle: SmallSet<(ActorId, ActorId)> = SmallSet::default();
        'again: loop {
            let pairs: Vec<(ActorId, ActorId)> = resolution.pairs.iter().copied().collect();
            for pair in pairs {
                if idle.contains(&pair) {
                    continue;
                }
                self.world.cancel.check()?;
                let (a, b) = pair;
                let touch = self.touch(a, b, t)?;
                let approach = self.approach(a, b, &touch, t)?;
                if approach.speed <= approach.noise && !jumps.remove(&pair) {
                    continue;
                }
                if !self.can_collide(a, b) {
                    idle.insert(pair);
                    continue;
                }
                let pushed: Vec<ActorId> =
                    [a, b].into_iter().filter(|&it| !self.world.layout.is_static[it]).collect();
                for &actor in &pushed {
                    self.world.commit(actor, t)?;
                }
                self.collide(a, b, &touch, t, sink)?;
                for &actor in &pushed {
                    self.begin_free_fall(actor, t, resolution)?;
                    for (other, bond) in self.search.bonds.of(actor).to_vec() {
                        let (a, b) = (actor.min(other), actor.max(other));
                        if self.gap(a, b, t)? <= self.search.scales.touch {
                            resolution.pairs.insert((a, b));
                        } else if bond == Bond::Free {
                            // The bond is out of date: they have come apart since.
                            self.search.bonds.set(a, b, None);
                        }
                    }
                }
                // A collision may set pairs with one of the two in motion again.
                idle.retain(|&(c, d)| [a, b].iter().all(|it| *it != c && *it != d));
                let after = self.approach(a, b, &touch, t)?;
                self.note_speed_gain(a, b, t, approach.speed, after.speed);
                if after.speed > after.noise && after.speed >= approach.speed * (1.0 - 1e-9) {
                    idle.insert(pair);
                }
                // After every collision the pairs are tried again from the first by name on: the order of the
                // collisions depends on names alone, not on the order in which contacts were found.
                rounds += 1;
                if rounds > MAX_COLLISIONS_PER_PAIR * resolution.pairs.len() as u64 {
                    return Err(self.collisions_without_end(a, b, t, rounds).into());
                }
                continue 'again;
            }
            return Ok(rounds);
        }
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
        for member in self.search.bonds.group(actor) {
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
                for &(other, _) in self.search.bonds.of(actor) {
                    let pair = (actor.min(other), actor.max(other));
                    if !done.contains(&pair) {
                        open.insert(pair);
                    }
                }
            }
            self.world.cancel.check()?;
            let Some((a, b)) = open.pop_first() else { return Ok(()) };
            done.insert((a, b));
            let outcome = self.predict(a, b, t)?;
            self.search.bonds.set(
                a,
                b,
                match outcome {
                    Outcome::Apart => None,
                    Outcome::Leave => Some(Bond::Free),
                    Outcome::Stay { .. } => Some(Bond::Together),
                },
            );
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

    /// Predicts, by the laws that hold now, pairs that would separate if both fell freely but of which one is
    /// held: a ball on a brick that lies on the floor. Returns `true` if one of them stays.
    pub(super) fn settle_leaving(&mut self, t: f64, resolution: &mut EventResolution) -> Result<bool, Stop> {
        let mut stays = false;
        for (a, b) in resolution.leaving.clone() {
            self.world.cancel.check()?;
            let held = |it: ActorId| !self.world.layout.is_static[it] && self.search.bonds.is_held(it);
            if !(held(a) || held(b)) || !matches!(self.predict(a, b, t)?, Outcome::Stay { .. }) {
                continue;
            }
            resolution.leaving.remove(&(a, b));
            stays = true;
            for actor in [a, b] {
                self.release(actor, t, resolution)?;
            }
            self.search.bonds.set(a, b, Some(Bond::Together));
        }
        Ok(stays)
    }

    /// Predicts the motion of two objects that may touch, by the laws that hold now.
    fn predict(&mut self, a: ActorId, b: ActorId, t: f64) -> Result<Outcome, Stop> {
        let touch = self.touch(a, b, t)?;
        let band = self.search.scales.touch;
        if touch.gap > band {
            return Ok(Outcome::Apart);
        }
        let (tick, frame) = (self.search.scales.tick, self.frame_length());
        let approach = self.approach(a, b, &touch, t)?;
        if approach.speed < -1e3 * approach.noise {
            // Fast enough to decide by one snapshot, if nothing holds them back.
            let soon = t + (2.0 * (band - touch.gap) / -approach.speed).max(4.0 * tick);
            if soon < t + frame && self.gap(a, b, soon)? > band {
                return Ok(Outcome::Leave);
            }
        }
        let mut wait = 4.0 * tick;
        loop {
            let last = wait >= frame;
            let gap = self.gap(a, b, t + wait.min(frame))?;
            if gap > band {
                return Ok(Outcome::Leave);
            }
            if gap < -band && gap < touch.gap {
                return Ok(Outcome::Stay { overlapping: true });
            }
            if last {
                return Ok(Outcome::Stay { overlapping: false });
            }
            wait *= 2.0;
        }
    }

    /// Returns the contact of two objects at `t`.
    pub(super) fn touch(&mut self, a: ActorId, b: ActorId, t: f64) -> Result<Touch, Stop> {
        let world = &self.world;
        let one = Trajectory { world, actor: a }.place(t)?;
        let other = Trajectory { world, actor: b }.place(t)?;
        let poses = [one.pose, other.pose];
        let rigid = [a, b].iter().all(|&it| world.laws_of(it).is_none_or(|laws| !laws.motion.resizes));
        if let Some((at, touch)) = &self.touched
            && rigid
            && (touch.a, touch.b) == (a, b)
            && *at == poses
        {
            return Ok(touch.clone());
        }
        let found = touch(a, &one, b, &other, &mut self.scratch);
        let found = found.map_err(|error| Stop::from(self.no_distance(a, b, t, &error)))?;
        self.touched = rigid.then(|| (poses, found.clone()));
        Ok(found)
    }

    /// Returns the distance of two objects at `t`; negative if they overlap.
    pub(super) fn gap(&mut self, a: ActorId, b: ActorId, t: f64) -> Result<f64, Stop> {
        let world = &self.world;
        let one = Trajectory { world, actor: a }.place(t)?;
        let other = Trajectory { world, actor: b }.place(t)?;
        match separation(&one, &other, &mut self.scratch) {
            Ok((gap, ..)) => Ok(gap),
            Err(error) => Err(self.no_distance(a, b, t, &error).into()),
        }
    }

    /// Returns the speed at which two touching objects approach, by the derivatives of the laws that hold for
    /// them now.
    fn approach(&self, a: ActorId, b: ActorId, touch: &Touch, t: f64) -> Result<ClosingSpeed, Stop> {
        let step = self.search.scales.tick * 1024.0;
        let velocity = |actor| Trajectory { world: &self.world, actor }.velocity(t, step);
        let velocities = [velocity(a)?, velocity(b)?];
        let (mut scale, mut growth) = (0.0, 0.0);
        for it in &velocities {
            growth += it.growth;
            scale += it.linear.length() + it.angular.length() * (touch.point - it.origin).length();
        }
        let twists = velocities.map(|it| Twist { origin: it.origin, velocity: it.linear, spin: it.angular });
        let speed = touch.closing_speed(&twists[0], &twists[1]) + growth;
        scale += growth.abs();
        Ok(ClosingSpeed { speed, noise: APPROACH_NOISE * scale })
    }

    /// Begins the free fall of an actor whose values are stored as of `t`, and records it.
    pub(super) fn begin_recorded_free_fall(
        &mut self,
        actor: ActorId,
        t: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let free = self.world.actors[actor].free_fall;
        self.world.start(actor, free, t)?;
        self.record_free_fall(actor, t, sink)
    }

    /// Records that an actor whose values are stored as of `t` has begun to fall freely.
    pub(super) fn record_free_fall(
        &mut self,
        actor: ActorId,
        t: f64,
        sink: &mut Events<'_>,
    ) -> Result<(), Stop> {
        let Some(laws) = self.world.laws_of(actor) else { return Ok(()) };
        let context = Some(laws.context.index());
        let now = self.world.actors[actor].laws;
        self.world.actors[actor].laws = None;
        let before = sink.row(&self.moment_of_event(t), &[actor.index()])?;
        self.world.actors[actor].laws = now;
        self.world.commit(actor, t)?;
        let after = sink.row(&self.moment_of_event(t), &[actor.index()])?;
        sink.event(Happened {
            time: t,
            kind: EventKind::FreeFall,
            context,
            objects: vec![actor.index()],
            given: Vec::new(),
            before,
            after,
        })
    }

    /// Returns the pairs that touch when the simulation begins. Pairs that overlap are left alone until they
    /// have come apart.
    pub(super) fn touching_at_start(&mut self, t: f64, sink: &mut Events<'_>) -> Result<Vec<Entry>, Stop> {
        let pairs = self.search.pairs();
        let mut touching = Vec::new();
        for (a, b) in pairs {
            if self.world.layout.is_static[a] && self.world.layout.is_static[b] {
                continue;
            }
            let gap = self.gap(a, b, t)?;
            let band = self.search.scales.touch;
            if gap < -band {
                self.search.bonds.set(a, b, Some(Bond::Free));
                let [one, other] = [a, b].map(|it| &self.world.layout.names[it]);
                let depth = Value::Real(-gap);
                let message = format!(
                    "`{one}` and `{other}` overlap by {depth} at the start: they do not meet until they have been apart; place them apart if they should"
                );
                sink.notice(format!("start {one} {other}"), t, message)?;
            } else if gap <= band {
                let versions = [a, b].map(|it| self.world.actors[it].version);
                touching.push(Entry { time: t, a, b, versions, kind: EntryKind::Contact });
            }
        }
        Ok(touching)
    }

    /// Computes the shapes of actors anew from the stored attributes, where laws can change them.
    pub(super) fn reshape(&mut self, actors: &[ActorId]) -> Result<(), Stop> {
        for &actor in actors {
            let object = self.world.layout.object(self.world.experiment, actor);
            let names: Vec<&str> = object.shape.own_fields().iter().map(|it| it.name).collect();
            let changed = names.iter().any(|name| {
                let (Some(field), Some(initial)) =
                    (self.world.layout.find(actor, name), object.attribute(name))
                else {
                    return false;
                };
                let stored = field.columns().map(|it| self.world.stored(actor, it));
                let scalars = initial.value.scalars().unwrap_or_default();
                self.search.reshaped.contains(&actor) || !stored.eq(scalars)
            });
            if changed {
                let shape = self.world.stored_shape(actor)?;
                let state = &mut self.world.actors[actor];
                state.radius = radius_about_origin(&shape);
                state.shape = shape;
                self.touched = None;
                self.search.reshaped.insert(actor);
            }
        }
        Ok(())
    }

    pub(super) fn no_distance(&self, a: ActorId, b: ActorId, t: f64, error: &QueryError) -> Box<Diagnostic> {
        let [one, other] = [a, b].map(|it| self.world.layout.object(self.world.experiment, it));
        let message = format!("where `{}` and `{}` touch cannot be found: {error}", one.name, other.name);
        Box::new(
            Diagnostic::new(Code::E801, one.span, message)
                .also(other.span, "the other one")
                .note(format!("at t = {}", Value::Real(t)))
                .help(match error {
                    QueryError::Unsupported { .. } => {
                        "between half spaces and meshes there is no distance: make one of them a `cuboid`, or of \
                         another solid shape"
                    }
                    _ => "the numbers are too large or too unequal: smaller coordinates, or less thin shapes, would help",
                }),
        )
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
