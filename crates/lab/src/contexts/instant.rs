//! An instant at which objects meet: who pushes whom, who leaves, who stays.
//!
//! Pairs that touch and close in on each other are settled one at a time, in the order of their names, until
//! none is left; a pair may recur. Then everybody whose motion has changed is tried in free fall: pairs that
//! separate go free, pairs that overlap or do not separate stay together, as a contact.

use super::few::Few;
use super::search::queue::{Entry, What};
use super::touch::bonds::Bond;
use super::touch::closest::separation;
use super::touch::{Touch, touch};
use super::trajectory::Flight;
use super::trajectory::motion::Mover;
use super::trajectory::orientation::Twist;
use super::{Engine, Stop};
use crate::run::events::{Events, Happened};
use gedanken_geometry::bounds::radius_about_origin;
use gedanken_geometry::narrow::QueryError;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_recording::EventKind;

/// Collisions at one instant beyond which a run is stopped, for each pair that takes part.
const MOST_ROUNDS: u64 = 10_000;
/// Speeds of approach below this part of the speeds involved are rounding.
const NOISE: f64 = 1e-12;

/// What comes of two that touch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// They are not in touch.
    Apart,
    /// They separate.
    Leave,
    /// They do not separate; `sink` if they overlap.
    Stay { sink: bool },
}

/// How two objects approach each other.
#[derive(Clone, Copy, Debug)]
struct Approach {
    /// How fast their surfaces close in.
    speed: f64,
    /// What of it may be rounding.
    noise: f64,
}

/// What is known of an instant so far.
#[derive(Debug, Default)]
pub(super) struct Affair {
    /// Those who fall freely since this instant; their values are stored as of it.
    pub(super) changed: Few<usize>,
    /// Those whose motion has changed because they are integrated with them, or read them.
    disturbed: Few<usize>,
    /// Pairs that touch, or may.
    pub(super) pairs: Few<(usize, usize)>,
    /// Pairs that separate in free fall.
    pub(super) leaving: Few<(usize, usize)>,
    /// Pairs that overlap in free fall.
    sinking: Vec<(usize, usize)>,
}

impl Engine<'_> {
    /// Settles everything that happens at `t`, and looks for what happens to those involved until `to`. Gives
    /// the number of collisions.
    pub(super) fn instant(
        &mut self,
        t: f64,
        met: &[Entry],
        to: f64,
        sink: &mut Events<'_>,
    ) -> Result<u64, Stop> {
        let mut affair = Affair::default();
        let mut jumps = Few::default();
        for entry in met {
            let pair = (entry.a, entry.b);
            match entry.what {
                What::Part => {
                    self.search.bonds.set(entry.a, entry.b, None);
                    for actor in [entry.a, entry.b] {
                        self.let_go(actor, t, &mut affair)?;
                    }
                }
                What::Jump => {
                    jumps.insert(pair);
                    affair.pairs.insert(pair);
                }
                What::Meet => {
                    affair.pairs.insert(pair);
                }
                What::Look => {}
            }
        }
        let collisions = self.push(t, &mut affair, jumps, sink)?;
        self.probe_all(t, &mut affair)?;
        self.hold(t, &mut affair)?;
        self.record(t, &affair, sink)?;
        for (a, b) in std::mem::take(&mut affair.sinking) {
            if self.search.bonds.get(a, b) == Some(Bond::Free) {
                let [one, other] = [a, b].map(|it| &self.world.cast.names[it]);
                let message = format!(
                    "`{one}` and `{other}` sink into each other: no context of `type = contact` holds for them, so they stay in free fall"
                );
                sink.notice(format!("sink {one} {other}"), t, message)?;
            }
        }
        let mut changed = affair.changed;
        let mut readers: Few<usize> = Few::default();
        changed.iter().for_each(|&it| readers.extend(self.readers_of(it)));
        let of_world = self.readers_of_world();
        let rated = of_world.iter().copied().filter(|it| !changed.contains(it));
        let rated: Vec<usize> = rated.filter(|&it| self.world.rates_of(it).is_some()).collect();
        if !rated.is_empty() {
            // What is integrated goes on from here with the new values.
            self.world.commit_all(&rated, t)?;
            affair.disturbed.extend(self.flow(&rated, t, self.frame_end)?);
        }
        readers.extend(of_world);
        for reader in readers {
            if !changed.contains(&reader) && affair.disturbed.insert(reader) {
                self.world.actors[reader].version = self.world.actors[reader].version.wrapping_add(1);
            }
        }
        changed.extend(affair.disturbed);
        let changed: Vec<usize> = changed.into_iter().collect();
        self.search_for(&changed, t, to, sink)?;
        for (a, b) in affair.pairs {
            // Their entry in the queue is used up, though nothing has changed for them.
            if !changed.contains(&a) && !changed.contains(&b) {
                self.look_for(a, b, t, to, sink)?;
            }
        }
        Ok(collisions)
    }

    /// Lets collisions happen until nobody closes in on anybody.
    fn push(
        &mut self,
        t: f64,
        affair: &mut Affair,
        mut jumps: Few<(usize, usize)>,
        sink: &mut Events<'_>,
    ) -> Result<u64, Stop> {
        let mut rounds = 0;
        // Pairs whose collision did not slow them down, or that have no collision context.
        let mut idle: Few<(usize, usize)> = Few::default();
        'again: loop {
            let pairs: Vec<(usize, usize)> = affair.pairs.iter().copied().collect();
            for pair in pairs {
                if idle.contains(&pair) {
                    continue;
                }
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
                let pushed: Vec<usize> =
                    [a, b].into_iter().filter(|&it| !self.world.cast.is_static[it]).collect();
                for &actor in &pushed {
                    self.world.commit(actor, t)?;
                }
                self.collide(a, b, &touch, t, sink)?;
                for &actor in &pushed {
                    self.begin_free(actor, t, affair)?;
                    for (other, bond) in self.search.bonds.of(actor).to_vec() {
                        let (a, b) = (actor.min(other), actor.max(other));
                        if self.gap(a, b, t)? <= self.search.scales.touch {
                            affair.pairs.insert((a, b));
                        } else if bond == Bond::Free {
                            // They have parted long ago.
                            self.search.bonds.set(a, b, None);
                        }
                    }
                }
                idle.retain(|&(c, d)| [a, b].iter().all(|it| *it != c && *it != d));
                let after = self.approach(a, b, &touch, t)?;
                if after.speed > after.noise && after.speed >= approach.speed * (1.0 - 1e-9) {
                    idle.insert(pair);
                }
                rounds += 1;
                if rounds > MOST_ROUNDS * affair.pairs.len() as u64 {
                    return Err(self.no_end(a, b, t, rounds).into());
                }
                continue 'again;
            }
            return Ok(rounds);
        }
    }

    /// An actor whose values are stored as of `t` falls freely from now on.
    fn begin_free(&mut self, actor: usize, t: f64, affair: &mut Affair) -> Result<(), Stop> {
        affair.changed.insert(actor);
        let free = self.world.actors[actor].free;
        self.world.start(actor, free, t)?;
        let others = self.flow(&[actor], t, self.frame_end)?;
        affair.disturbed.extend(others);
        Ok(())
    }

    /// An actor, and all who stay together with it, fall freely from now on.
    pub(super) fn let_go(&mut self, actor: usize, t: f64, affair: &mut Affair) -> Result<(), Stop> {
        if self.world.cast.is_static[actor] {
            return Ok(());
        }
        for member in self.search.bonds.group(actor) {
            if self.world.cast.is_static[member] || affair.changed.contains(&member) {
                continue;
            }
            self.world.commit(member, t)?;
            self.begin_free(member, t, affair)?;
        }
        Ok(())
    }

    /// Tries everybody whose contacts may have changed, and settles their bonds.
    pub(super) fn probe_all(&mut self, t: f64, affair: &mut Affair) -> Result<(), Stop> {
        let mut done: Few<(usize, usize)> = Few::default();
        let mut open = affair.pairs.clone();
        let mut seen: Few<usize> = Few::default();
        loop {
            let fresh: Vec<usize> = affair.changed.iter().copied().filter(|it| !seen.contains(it)).collect();
            for actor in fresh {
                seen.insert(actor);
                self.let_go(actor, t, affair)?;
                for &(other, _) in self.search.bonds.of(actor) {
                    let pair = (actor.min(other), actor.max(other));
                    if !done.contains(&pair) {
                        open.insert(pair);
                    }
                }
            }
            let Some((a, b)) = open.pop_first() else { return Ok(()) };
            done.insert((a, b));
            let outcome = self.probe(a, b, t)?;
            self.search.bonds.set(
                a,
                b,
                match outcome {
                    Outcome::Apart => None,
                    Outcome::Leave => Some(Bond::Free),
                    Outcome::Stay { .. } => Some(Bond::Together),
                },
            );
            affair.leaving.remove(&(a, b));
            if outcome == Outcome::Leave {
                affair.leaving.insert((a, b));
            }
            if let Outcome::Stay { sink } = outcome {
                // Who joins a group makes it start again; those who were free and have not changed join it
                // now.
                for actor in [a, b] {
                    self.let_go(actor, t, affair)?;
                }
                if sink {
                    affair.sinking.push((a, b));
                }
            }
        }
    }

    /// Tries, by the laws that hold now, pairs that would separate if both fell freely, but one of which is
    /// held: a ball on a brick that lies on the floor. Gives whether one of them stays.
    pub(super) fn probe_again(&mut self, t: f64, affair: &mut Affair) -> Result<bool, Stop> {
        let mut stays = false;
        for (a, b) in affair.leaving.clone() {
            let held = |it: usize| !self.world.cast.is_static[it] && self.search.bonds.is_held(it);
            if !(held(a) || held(b)) || !matches!(self.probe(a, b, t)?, Outcome::Stay { .. }) {
                continue;
            }
            affair.leaving.remove(&(a, b));
            stays = true;
            for actor in [a, b] {
                self.let_go(actor, t, affair)?;
            }
            self.search.bonds.set(a, b, Some(Bond::Together));
        }
        Ok(stays)
    }

    /// Tries what two that may touch do in free fall.
    fn probe(&mut self, a: usize, b: usize, t: f64) -> Result<Outcome, Stop> {
        let touch = self.touch(a, b, t)?;
        let band = self.search.scales.touch;
        if touch.gap > band {
            return Ok(Outcome::Apart);
        }
        let (tick, frame) = (self.search.scales.tick, self.frame_length());
        let approach = self.approach(a, b, &touch, t)?;
        if approach.speed < -1e3 * approach.noise {
            // Fast enough to tell at once, if nothing holds them back.
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
                return Ok(Outcome::Stay { sink: true });
            }
            if last {
                return Ok(Outcome::Stay { sink: false });
            }
            wait *= 2.0;
        }
    }

    /// How two objects touch at `t`.
    pub(super) fn touch(&mut self, a: usize, b: usize, t: f64) -> Result<Touch, Stop> {
        let world = &self.world;
        let one = Flight { world, actor: a }.place(t)?;
        let other = Flight { world, actor: b }.place(t)?;
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

    /// How far two objects are apart at `t`; negative if they overlap.
    pub(super) fn gap(&mut self, a: usize, b: usize, t: f64) -> Result<f64, Stop> {
        let world = &self.world;
        let one = Flight { world, actor: a }.place(t)?;
        let other = Flight { world, actor: b }.place(t)?;
        match separation(&one, &other, &mut self.scratch) {
            Ok((gap, ..)) => Ok(gap),
            Err(error) => Err(self.no_distance(a, b, t, &error).into()),
        }
    }

    /// How fast two objects that touch close in, by the derivatives of the laws that hold for them now.
    fn approach(&self, a: usize, b: usize, touch: &Touch, t: f64) -> Result<Approach, Stop> {
        let step = self.search.scales.tick * 1024.0;
        let velocity = |actor| Flight { world: &self.world, actor }.velocity(t, step);
        let velocities = [velocity(a)?, velocity(b)?];
        let (mut scale, mut growth) = (0.0, 0.0);
        for it in &velocities {
            growth += it.growth;
            scale += it.linear.length() + it.angular.length() * (touch.point - it.origin).length();
        }
        let twists = velocities.map(|it| Twist { origin: it.origin, velocity: it.linear, spin: it.angular });
        let speed = touch.closing_speed(&twists[0], &twists[1]) + growth;
        scale += growth.abs();
        Ok(Approach { speed, noise: NOISE * scale })
    }

    /// Begins the free fall of an actor, whose values are stored as of `t`, and records it.
    pub(super) fn fall(&mut self, actor: usize, t: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        let free = self.world.actors[actor].free;
        self.world.start(actor, free, t)?;
        self.fallen(actor, t, sink)
    }

    /// Records that an actor, whose values are stored as of `t`, has begun to fall freely.
    pub(super) fn fallen(&mut self, actor: usize, t: f64, sink: &mut Events<'_>) -> Result<(), Stop> {
        let Some(laws) = self.world.laws_of(actor) else { return Ok(()) };
        let context = Some(laws.context);
        let now = self.world.actors[actor].laws;
        self.world.actors[actor].laws = None;
        let before = sink.row(&self.moment_of_event(t), &[actor])?;
        self.world.actors[actor].laws = now;
        self.world.commit(actor, t)?;
        let after = sink.row(&self.moment_of_event(t), &[actor])?;
        sink.event(Happened {
            time: t,
            kind: EventKind::FreeFall,
            context,
            objects: vec![actor],
            given: Vec::new(),
            before,
            after,
        })
    }

    /// Pairs that touch when the simulation begins; those that overlap are left alone until they have come
    /// apart.
    pub(super) fn touching_at_start(&mut self, t: f64, sink: &mut Events<'_>) -> Result<Vec<Entry>, Stop> {
        let pairs = self.search.pairs().to_vec();
        let mut touching = Vec::new();
        for (a, b) in pairs {
            let (a, b) = (a as usize, b as usize);
            if self.world.cast.is_static[a] && self.world.cast.is_static[b] {
                continue;
            }
            let gap = self.gap(a, b, t)?;
            let band = self.search.scales.touch;
            if gap < -band {
                self.search.bonds.set(a, b, Some(Bond::Free));
                let [one, other] = [a, b].map(|it| &self.world.cast.names[it]);
                let depth = Value::Real(-gap);
                let message = format!(
                    "`{one}` and `{other}` overlap by {depth} at the start: they do not meet until they have been apart; place them apart if they should"
                );
                sink.notice(format!("start {one} {other}"), t, message)?;
            } else if gap <= band {
                let versions = [a, b].map(|it| self.world.actors[it].version);
                touching.push(Entry { time: t, a, b, versions, what: What::Meet });
            }
        }
        Ok(touching)
    }

    /// Makes the shapes of actors anew from what is stored, where laws can change them.
    pub(super) fn reshape(&mut self, actors: &[usize]) -> Result<(), Stop> {
        for &actor in actors {
            let object = &self.world.experiment.objects[self.world.cast.objects[actor]];
            let names: Vec<&str> = object.shape.own_fields().iter().map(|it| it.name).collect();
            let changed = names.iter().any(|name| {
                let (Some(field), Some(initial)) =
                    (self.world.cast.find(actor, name), object.attribute(name))
                else {
                    return false;
                };
                let stored =
                    (field.start..field.start + field.width()).map(|it| self.world.stored(actor, it));
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

    pub(super) fn no_distance(&self, a: usize, b: usize, t: f64, error: &QueryError) -> Box<Diagnostic> {
        let [one, other] = [a, b].map(|it| &self.world.experiment.objects[self.world.cast.objects[it]]);
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

    fn no_end(&self, a: usize, b: usize, t: f64, rounds: u64) -> Box<Diagnostic> {
        let [one, other] = [a, b].map(|it| &self.world.experiment.objects[self.world.cast.objects[it]]);
        let message = format!(
            "`{}` and `{}` still close in after {rounds} collisions at one instant: the run is stopped",
            one.name, other.name
        );
        Box::new(
            Diagnostic::new(Code::E804, one.span, message)
                .also(other.span, "the other one")
                .note(format!("at t = {}", Value::Real(t)))
                .help("a collision law should leave two objects that separate, or move on together: look at its sign and its factors"),
        )
    }
}
