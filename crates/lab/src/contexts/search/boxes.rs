//! Boxes around the motions of actors, and the pairs whose boxes meet.
//!
//! A box holds for a while and excludes actors that cannot be met in it, so how long it holds changes no
//! result. It decides about the work: over too long a time an actor that moves many times its own size meets
//! the boxes of all actors on its way, over too short a time boxes are made all the time. So every actor has
//! a *pace*: its boxes hold for 2^pace frames. An actor that meets many boxes gets shorter ones, down to what
//! its own size needs; one that meets few gets longer ones; and one that meets none, under laws of time
//! alone, is not looked at again for many frames.
//!
//! Where boxes are about one size, as in a gas, they are in a grid, whose updates and searches take a third of
//! the time of those of a tree; elsewhere in a tree. Both find the same.

use super::band::Bands;
use crate::contexts::ids::{ActorId, Id, Table};
use crate::contexts::laws::Laws;
use crate::contexts::laws::inputs::Source;
use crate::contexts::trajectory::Trajectory;
use crate::contexts::trajectory::bounds::{Bounds, Mover, Placed, VelocityBounds};
use crate::contexts::world::World;
use gedanken_experiment::ShapeKind;
use gedanken_geometry::Solid;
use gedanken_geometry::bounds::Aabb;
use gedanken_geometry::broad::{BroadPhase, Manager};
use gedanken_lang::ir::{Executor as _, Feed};
use gedanken_math::Vec3;

/// Number of changed boxes that a query tests one by one. Beyond it, they are sorted in first.
const MAX_UNSORTED_BOXES: usize = 24;
/// Number of actors from which on their boxes are computed together.
const MIN_BATCH: usize = 16;
/// Longest and shortest time that a box may hold, as powers of 2: 32 frames, and a thousandth of one.
const MAX_PACE: i8 = 5;
const MIN_PACE: i8 = -10;
/// Number of met boxes above which an actor's own becomes shorter, and below which it becomes longer. Halving
/// a box that is all travel leaves an eighth of them.
const CROWDED: usize = 16;
const SPARSE: usize = 3;
/// Number of boxes from which on a grid may pay.
const MIN_GRID: usize = 64;
/// Ratio of two sizes that count as about one. A box may cover some cells, or share its cell with many.
const GRID_RATIO: f64 = 2.0;
/// Largest part of the boxes that may have another size, and number of those that may be far larger: walls.
const MAX_OTHER_SIZES: f64 = 0.125;
const MAX_WALLS: usize = 16;
/// Travel within one box, relative to the actor's size, at which the box is short enough.
const SHORT_TRAVEL: f64 = 0.5;

/// Time at which two actors whose boxes meet are to be searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Prospect {
    /// Not before one of the boxes has run out.
    Apart,
    /// At this time: until then nothing can happen, and one of them may have changed its motion. Only for two
    /// balls, which this decides almost always; others are near for long before they touch.
    Later(f64),
    /// At once.
    Now,
}

/// Boxes of all actors.
#[derive(Debug)]
pub(crate) struct Boxes {
    index: Manager,
    /// Size of a cell of the index; `None` for a tree.
    cell: Option<f64>,
    /// Number of boxes that have changed since the index was chosen.
    resized: usize,
    /// Scratch memory for the sizes of boxes.
    sizes: Vec<f64>,
    bands: Bands,
    /// Time until which the box of each actor holds, s.
    until: Table<ActorId, f64>,
    /// Place of each actor where its box was made, and the time.
    placed: Table<ActorId, Option<(f64, Placed)>>,
    /// Known bounds of each actor's motion, at least as long as its box holds.
    velocity_bounds: Table<ActorId, Option<VelocityBounds>>,
    /// Boxes hold for 2^pace frames.
    pace: Table<ActorId, i8>,
    /// Length of a frame, and end of the present one, s.
    frame: f64,
    end: f64,
    /// Number of boxes that have changed since the tree was last sorted.
    unsettled: usize,
    /// Pairs whose boxes meet, in order; and their number for each actor.
    pairs: Vec<(u32, u32)>,
    met: Table<ActorId, u32>,
    stale: bool,
}

impl Boxes {
    /// Makes the boxes of actors that never move.
    pub(crate) fn new(world: &World<'_>, time: f64, bands: Bands) -> Self {
        let count = world.layout.len();
        let mut boxes = Self {
            index: tree(),
            cell: None,
            resized: 0,
            sizes: Vec::new(),
            bands,
            until: Table::filled(f64::NEG_INFINITY, count),
            placed: Table::filled(None, count),
            velocity_bounds: Table::filled(None, count),
            pace: Table::filled(0, count),
            frame: 0.0,
            end: time,
            unsettled: 0,
            pairs: Vec::new(),
            // No actor counts as alone before the first query.
            met: Table::filled(1, count),
            stale: true,
        };
        for actor in world.layout.actors().filter(|&it| world.layout.is_static[it]) {
            let mut trajectory = Trajectory { world, actor };
            let placed = trajectory.stored();
            let aabb = placed.shape.bounds(&placed.pose);
            let margin = bands.margin(world, actor, aabb.min, aabb.max);
            boxes.put(actor, aabb.fattened(margin), f64::INFINITY);
            let bounds = trajectory.bounds(time, f64::INFINITY);
            let is_ball = is_ball(world, actor);
            boxes.velocity_bounds[actor] = bounds.and_then(|it| {
                VelocityBounds::new(it, is_ball, placed.pose.translation, time, f64::INFINITY)
            });
        }
        boxes
    }

    fn put(&mut self, actor: ActorId, aabb: Aabb, until: f64) {
        let id = actor.index() as u32;
        let put = if self.index.get(id).is_some() {
            self.index.update(id, aabb)
        } else {
            self.index.insert(id, aabb)
        };
        put.expect("ids are numbered from zero and boxes are checked");
        self.until[actor] = until;
        self.unsettled += 1;
        self.resized += 1;
        self.stale = true;
    }

    /// Time until which the box of an actor holds, s.
    pub(crate) fn until(&self, actor: ActorId) -> f64 {
        self.until[actor]
    }

    /// Makes boxes for the frame from `from` to `to` for all actors whose boxes expire before its end.
    pub(crate) fn refresh(&mut self, world: &World<'_>, from: f64, to: f64) {
        (self.frame, self.end) = (to - from, to);
        for class in &world.layout.classes {
            let mut rows = 0..0;
            while rows.end < class.members.len() {
                let first = class.members[rows.end];
                let laws = world.actors[first].laws;
                let kind = |actor: ActorId| (self.pace[actor], self.until[actor] < to, self.met[actor] == 0);
                let like = kind(first);
                let (pace, due, lonely) = like;
                let same = |actor: ActorId| world.actors[actor].laws == laws && kind(actor) == like;
                let start = rows.end;
                let end = (start..class.members.len()).find(|&row| !same(class.members[row]));
                rows = start..end.unwrap_or(class.members.len());
                if !due {
                    continue;
                }
                let lasting = lonely && pace >= 0 && world.laws_of(first).is_none_or(Laws::is_lasting);
                let pace = if lasting { (pace + 1).min(MAX_PACE) } else { pace.min(0) };
                let until = from + self.frame * libm::exp2(f64::from(pace.max(0)));
                let members = &class.members[rows.clone()];
                members.iter().for_each(|&actor| self.pace[actor] = pace);
                let boxes =
                    (lasting && members.len() >= MIN_BATCH).then(|| world.reach(members, from, until));
                match boxes.flatten() {
                    Some(boxes) => {
                        for (&actor, (least, greatest)) in members.iter().zip(boxes) {
                            let margin = self.bands.margin(world, actor, least, greatest);
                            let reach = Vec3::splat(world.actors[actor].radius + margin);
                            self.put(actor, Aabb::new(least - reach, greatest + reach), until);
                            (self.velocity_bounds[actor], self.placed[actor]) = (None, None);
                        }
                    }
                    None => members.iter().for_each(|&it| self.enclose(world, it, from, until, None)),
                }
            }
        }
        self.choose_index(world);
    }

    /// Puts the boxes into a grid or a tree, as their sizes suggest, once half of them have changed.
    fn choose_index(&mut self, world: &World<'_>) {
        if 2 * self.resized < self.index.len() {
            return;
        }
        self.resized = 0;
        let wanted = self.wanted_cell(world);
        let is_good = match (self.cell, wanted) {
            (None, None) => true,
            (Some(cell), Some(wanted)) => cell < GRID_RATIO * wanted && wanted < GRID_RATIO * cell,
            _ => false,
        };
        if is_good {
            return;
        }
        let grid = wanted.and_then(|cell| Manager::new(BroadPhase::UniformGrid { cell }).ok());
        self.cell = wanted.filter(|_| grid.is_some());
        let old = std::mem::replace(&mut self.index, grid.unwrap_or_else(tree));
        for id in (0..world.layout.len()).map(|it| it as u32) {
            if let Some(&aabb) = old.get(id) {
                self.index.insert(id, aabb).expect("the box was valid before");
            }
        }
        (self.unsettled, self.stale) = (self.index.len(), true);
    }

    /// Size of the cells of a grid that suits the boxes; `None` if none does.
    fn wanted_cell(&mut self, world: &World<'_>) -> Option<f64> {
        self.sizes.clear();
        let boxes = (0..world.layout.len()).filter_map(|it| self.index.get(it as u32));
        self.sizes.extend(boxes.map(|it| it.size().max_element()));
        // Where few meet, a tree that hardly changes is best.
        if self.sizes.len() < MIN_GRID || self.pairs.len() < self.sizes.len() {
            return None;
        }
        let middle = self.sizes.len() / 2;
        let cell = *self.sizes.select_nth_unstable_by(middle, f64::total_cmp).1;
        let count = |is: &dyn Fn(f64) -> bool| self.sizes.iter().filter(|&&it| is(it)).count();
        let others = count(&|size| size > GRID_RATIO * cell || GRID_RATIO * GRID_RATIO * size < cell);
        let walls = count(&|size| size > GRID_RATIO * GRID_RATIO * cell);
        let suits = others as f64 <= MAX_OTHER_SIZES * self.sizes.len() as f64 && walls <= MAX_WALLS;
        (suits && cell > 0.0 && cell.is_finite()).then_some(cell)
    }

    /// Makes a box for an actor whose motion begins anew at `from`, maybe at a known place, and is known until
    /// `to`.
    pub(crate) fn enclose(
        &mut self,
        world: &World<'_>,
        actor: ActorId,
        from: f64,
        to: f64,
        place: Option<Placed>,
    ) {
        if world.layout.is_static[actor] {
            return;
        }
        let mut trajectory = Trajectory { world, actor };
        let bounds = trajectory.bounds(from, to);
        self.placed[actor] = None;
        let motion = bounds.filter(|it| it.steady).and_then(|bounds| {
            let placed = place.or_else(|| trajectory.place(from).ok())?;
            let place = placed.pose.translation;
            self.placed[actor] = Some((from, placed));
            VelocityBounds::new(bounds, is_ball(world, actor), place, from, to)
        });
        self.velocity_bounds[actor] = motion;
        match (motion, bounds) {
            (Some(motion), _) => self.cover(world, actor, &motion, from),
            (None, Some(bounds)) if bounds.radius.is_finite() => {
                let margin = self.bands.margin(world, actor, bounds.least, bounds.greatest);
                let reach = Vec3::splat(bounds.radius + margin);
                self.put(actor, Aabb::new(bounds.least - reach, bounds.greatest + reach), to);
            }
            _ => self.put(actor, Aabb::INFINITE, to),
        }
    }

    /// Makes the next box for an actor whose box has expired at `now`.
    pub(crate) fn renew(&mut self, world: &World<'_>, actor: ActorId, now: f64, to: f64) {
        let seen = self.velocity_bounds[actor].and_then(|motion| {
            let placed = Trajectory { world, actor }.place(now).ok()?;
            let seen = motion.seen(placed.pose.translation, now);
            self.placed[actor] = Some((now, placed));
            Some(seen)
        });
        match seen {
            Some(motion) => {
                self.velocity_bounds[actor] = Some(motion);
                self.cover(world, actor, &motion, now);
            }
            // A law that fails on the way is reported by the search that needs it.
            None => self.enclose(world, actor, now, to, None),
        }
    }

    /// Makes a box around the motion of an actor from `now` on, for as long as its pace says.
    fn cover(&mut self, world: &World<'_>, actor: ActorId, motion: &VelocityBounds, now: f64) {
        let (hold, left) = (self.holds_for(actor), motion.until - now);
        // A rest too short for a box of its own is included, as is one below the resolution of time.
        let whole = left <= 1.25 * hold || now + hold <= now;
        let until = if whole { motion.until } else { now + hold };
        // The motion's own reach contains the rounding of coordinates.
        let margin = self.bands.margin(world, actor, Vec3::ZERO, Vec3::ZERO);
        self.put(actor, motion.aabb(until, margin), until);
    }

    /// Time for which the boxes of an actor hold, s.
    fn holds_for(&self, actor: ActorId) -> f64 {
        self.frame * libm::exp2(f64::from(self.pace[actor]))
    }

    /// Sets the pace of an actor by the number of boxes that its own has met.
    fn adapt(&mut self, actor: ActorId, met: usize) {
        let pace = self.pace[actor];
        if met > CROWDED && pace > MIN_PACE {
            let long = |it: &VelocityBounds| it.travel_in(self.holds_for(actor)) > SHORT_TRAVEL * it.size();
            if self.velocity_bounds[actor].as_ref().is_some_and(long) {
                self.pace[actor] = pace - 1;
            }
        } else if met < SPARSE && pace < 0 {
            self.pace[actor] = pace + 1;
        }
    }

    /// Limits the boxes of an actor that has met another to one frame.
    pub(crate) fn disturb(&mut self, actor: ActorId) {
        self.pace[actor] = self.pace[actor].min(0);
    }

    /// Writes to `others` the actors whose boxes meet that of one, in order.
    pub(crate) fn around(&mut self, actor: ActorId, others: &mut Vec<u32>) {
        others.clear();
        let id = actor.index() as u32;
        let Some(&region) = self.index.get(id) else { return };
        if self.cell.is_none() && self.unsettled > MAX_UNSORTED_BOXES {
            self.index.settle();
            self.unsettled = 0;
        }
        self.index.region(&region, others).expect("the box of an actor is valid");
        others.retain(|&it| it != id);
        self.adapt(actor, others.len());
    }

    /// Replaces `out` by all pairs whose boxes meet, in order.
    pub(crate) fn pairs(&mut self, out: &mut Vec<(ActorId, ActorId)>) {
        if std::mem::take(&mut self.stale) {
            self.index.pairs(&mut self.pairs);
            self.unsettled = 0;
            self.met.fill(0);
            for (a, b) in self.pairs.iter().map(actors) {
                self.met[a] += 1;
                self.met[b] += 1;
            }
            self.met.ids().for_each(|actor| self.adapt(actor, self.met[actor] as usize));
        }
        out.clear();
        out.extend(self.pairs.iter().map(actors));
    }

    /// Returns the bounds of an actor from `from` to `to`, if its box was made from just these.
    pub(crate) fn bounds(&self, actor: ActorId, from: f64, to: f64) -> Option<Bounds> {
        self.velocity_bounds[actor].as_ref().and_then(|it| it.bounds(from, to))
    }

    /// Returns the place of an actor at `t`, if its box was made there.
    pub(crate) fn place(&self, actor: ActorId, t: f64) -> Option<&Placed> {
        self.placed[actor].as_ref().filter(|it| it.0 == t).map(|it| &it.1)
    }

    /// Returns the earliest time at which two actors whose boxes meet can touch, from `now` until one of the
    /// boxes expires, as far as bounds tell without evaluating laws.
    pub(crate) fn prospect(&self, a: ActorId, b: ActorId, now: f64, touch: f64) -> Prospect {
        let (Some(one), Some(other)) = (&self.velocity_bounds[a], &self.velocity_bounds[b]) else {
            return Prospect::Now;
        };
        match one.earliest_contact(other, now, self.until[a].min(self.until[b]), touch) {
            None => Prospect::Apart,
            Some(time) if time > now && one.are_balls(other) => Prospect::Later(time),
            Some(_) => Prospect::Now,
        }
    }

    /// Returns `true` if bounds alone prove that two actors, however close, come apart and do not meet again
    /// in this frame.
    pub(crate) fn separate(&self, a: ActorId, b: ActorId, now: f64, touch: f64) -> bool {
        match (&self.velocity_bounds[a], &self.velocity_bounds[b]) {
            (Some(one), Some(other)) => one.separates_from(other, now, self.end, touch),
            _ => false,
        }
    }
}

/// Actors of a pair of the broad phase, which numbers boxes by plain `u32`.
fn actors(&(a, b): &(u32, u32)) -> (ActorId, ActorId) {
    (ActorId::new(a as usize), ActorId::new(b as usize))
}

/// An empty tree of boxes.
fn tree() -> Manager {
    Manager::new(BroadPhase::Tree).expect("a tree needs no size")
}

fn is_ball(world: &World<'_>, actor: ActorId) -> bool {
    world.layout.class(actor).shape == ShapeKind::Sphere
}

impl World<'_> {
    /// Boxes of the positions of actors of one class under the same laws; `None` if they cannot be computed
    /// together.
    pub(crate) fn reach(&self, members: &[ActorId], from: f64, to: f64) -> Option<Vec<(Vec3, Vec3)>> {
        let row = self.layout.rows[*members.first()?];
        let rows = row.index..row.index + members.len();
        let id = self.actors[members[0]].laws?;
        let laws = &self.laws[id];
        // The inputs of lasting laws are the same until the end of the frame. A law for the size is not
        // bounded here.
        if laws.motion.resizes || !laws.is_lasting() {
            return None;
        }
        let native = laws.motion.reach()?;
        let feed = |(slot, source): (usize, &Source)| match *source {
            Source::Time => Some(Feed::Same(if slot.is_multiple_of(2) { from } else { to })),
            Source::World(column) | Source::Fixed(column) => Some(Feed::Same(self.values[column])),
            Source::Constant(bits) => Some(Feed::Same(f64::from_bits(bits))),
            Source::Stored { column, .. } => {
                Some(Feed::Column(&self.stored[row.class][column][rows.clone()]))
            }
            Source::Kept { column, .. } => Some(Feed::Column(&self.kept[id][column][rows.clone()])),
            _ => None,
        };
        let feeds: Option<Vec<Feed<'_>>> = native.sources.iter().enumerate().map(feed).collect();
        let mut out = vec![vec![0.0; members.len()]; native.kernel.width()];
        let mut columns: Vec<&mut [f64]> = out.iter_mut().map(Vec::as_mut_slice).collect();
        native.kernel.run(&feeds?, &[], 0..members.len(), &mut columns);
        let corner =
            |row: usize, start: usize| Vec3::new(out[start][row], out[start + 1][row], out[start + 2][row]);
        let boxes: Vec<(Vec3, Vec3)> =
            (0..members.len()).map(|row| (corner(row, 0), corner(row, 3))).collect();
        boxes.iter().all(|(least, greatest)| least.is_finite() && greatest.is_finite()).then_some(boxes)
    }
}
