//! The impacts of a step in the order of time, then of rows.
//!
//! After an impact both bodies have new trajectories, and all their later impacts are searched for again,
//! also with bodies that the broad phase did not pair with them: their new directions were not known then.
//!
//! The sequence ends. An approach below a hundredth of a h, a being the acceleration that presses the bodies
//! together, is not worth a bounce (the next ones would all follow within a small part of the step): the pair
//! stops and is held by a constant force up to the end of the step (`resting_force`), when the narrow phase
//! will find it at rest. Crowds of bodies that lose energy collapse: more and more impacts in less and less
//! time, without end. Where such a crowd begins (`handover`), pairs stop bouncing; and where that is not
//! enough, they wait: they are handed to the contact solver, which takes them all together in the next step.

use super::contact_points::{PairMotion, gather};
use super::handover::WAITING_APPROACH_RATIO;
use super::jointed_impact::{HitIslands, Place};
use super::neighbours::Neighbours;
use super::resting_force::RestingForce;
use super::restitution::{self, HitPair as _, Point};
use super::time_of_impact::{ContactTrend, Pair};
use super::trajectory::{Path, Trajectory};
use super::{Impact, material_coefficients};
use crate::collide::island::Islands;
use crate::joints::jointed_motion::JointedIslands;
use crate::ledger::{Account, Entry, Exchange};
use crate::world::World;
use crate::world::settings::Settings;
use crate::world::solver_body::{SolverBodies, SolverBody};
use crate::world::surface::{Surface, Surfaces};
use gedanken_dynamics::Trouble;
use gedanken_geometry::Solid as _;
use gedanken_geometry::bounds::Aabb;
use gedanken_geometry::narrow::{Manifold, Scratch};
use gedanken_math::{Pose, Twist, Vec3};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// After so many impacts in a step, a pair does not bounce any more; after twice as many it is left to the
/// next step. Pairs that lose nothing do not collapse, but may bounce very often: two blocks and a wall
/// π√(M/m) times, most of them within a moment. Theirs is the second number.
const MAX_IMPACTS: [u32; 2] = [256, 16_384];
/// After so many, fast bodies that would pass through each other if they were left alone stay where they are
/// up to the end of the step: a corner that turns along a wall meets it without an end.
const MAX_FAST_IMPACTS: [u32; 2] = [64, MAX_IMPACTS[1]];
/// Room for so many partners of a body without asking for more memory.
const PARTNER_CAPACITY: usize = 8;
/// An approach below this part of a h is no bounce. Smaller: the end of bouncing is told more exactly, and
/// costs more bounces.
const NO_BOUNCE_RATIO: f64 = 0.01;

/// A future impact of two bodies, valid while both keep their trajectories.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct ScheduledImpact {
    time: f64,
    rows: [u32; 2],
    /// The trajectories for which it was found.
    trajectories: [u32; 2],
}

impl Eq for ScheduledImpact {}

impl PartialOrd for ScheduledImpact {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ScheduledImpact {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_time = self.time.total_cmp(&other.time);
        by_time
            .then_with(|| self.rows.cmp(&other.rows))
            .then_with(|| self.trajectories.cmp(&other.trajectories))
    }
}

/// Memory, kept to avoid allocation.
#[derive(Debug, Default)]
pub(super) struct Memory {
    /// By row.
    pub(super) trajectories: Vec<Trajectory>,
    /// By row, once they are needed: where the rest of the trajectory stays.
    pub(super) boxes: Vec<Aabb>,
    pub(super) neighbours: Neighbours,
    /// Rows that may be near a body.
    pub(super) near: Vec<u32>,
    pub(super) queue: BinaryHeap<Reverse<ScheduledImpact>>,
    /// By row: how often the body has met others of larger rows, ordered by those.
    pub(super) counts: Vec<Vec<(u32, u32)>>,
    /// By row: how often a body was hit.
    pub(super) hits: Vec<u32>,
    /// Pairs that wait for the contact solver, in order.
    pub(super) waiting: Vec<[u32; 2]>,
    pub(super) holds: Vec<RestingForce>,
    /// Rows whose trajectories have changed since events were last looked for.
    pub(super) changed: Vec<u32>,
    pub(super) points: Vec<Point>,
    pub(super) closing: Vec<Point>,
    pub(super) manifolds: Vec<Manifold>,
    pub(super) scratch: Scratch,
    pub(super) links: HitIslands,
}

impl Memory {
    /// Starts a step with these trajectories, by row.
    pub(super) fn begin_step(&mut self, trajectories: impl Iterator<Item = Trajectory>) {
        self.trajectories.clear();
        self.trajectories.extend(trajectories);
        self.boxes.clear();
        self.neighbours.clear();
        self.queue.clear();
        self.counts.iter_mut().for_each(Vec::clear);
        self.counts.resize_with(self.trajectories.len(), || Vec::with_capacity(PARTNER_CAPACITY));
        self.hits.clear();
        self.hits.resize(self.trajectories.len(), 0);
        self.waiting.clear();
        self.holds.clear();
        self.changed.clear();
        self.links.clear();
    }

    /// Bodies that were hit, at the end of the step, with their displacements by forces.
    pub(super) fn final_bodies(&self, h: f64) -> impl Iterator<Item = (usize, SolverBody, Twist)> {
        let hit = self.trajectories.iter().enumerate().filter(|(_, trajectory)| trajectory.number > 0);
        let free = hit.filter(|(_, trajectory)| trajectory.is_movable() && trajectory.goes_alone()).map(
            move |(row, trajectory)| {
                let end = trajectory.at(h);
                (row, end, end.moved)
            },
        );
        free.chain(self.links.final_bodies())
    }

    /// Counts one more impact of two bodies, and returns how many they have had.
    fn count(&mut self, rows: [u32; 2]) -> u32 {
        for row in rows {
            self.hits[row as usize] += 1;
        }
        let counts = &mut self.counts[rows[0] as usize];
        match counts.binary_search_by_key(&rows[1], |(row, _)| *row) {
            Ok(place) => {
                counts[place].1 += 1;
                counts[place].1
            }
            Err(place) => {
                counts.insert(place, (rows[1], 1));
                1
            }
        }
    }

    pub(super) fn counted(&self, rows: [u32; 2]) -> u32 {
        let counts = &self.counts[rows[0] as usize];
        counts.binary_search_by_key(&rows[1], |(row, _)| *row).map_or(0, |place| counts[place].1)
    }
}

/// One step's impacts.
#[derive(Debug)]
pub(super) struct Timeline<'a> {
    pub(super) world: &'a World,
    pub(super) settings: &'a Settings,
    pub(super) surfaces: &'a Surfaces,
    /// The time at which the step starts, and its length.
    pub(super) start: f64,
    pub(super) h: f64,
    pub(super) at_start: &'a SolverBodies,
    pub(super) islands: &'a Islands,
    pub(super) holds: &'a JointedIslands,
    pub(super) memory: &'a mut Memory,
    pub(super) exchange: &'a mut Exchange,
    pub(super) impacts: &'a mut Vec<Impact>,
}

impl Timeline<'_> {
    /// Settles all impacts, beginning with those of these pairs.
    pub(super) fn run(&mut self, pairs: &[(u32, u32)]) -> Result<(), Trouble> {
        for &(a, b) in pairs {
            self.settings.cancel.check()?;
            self.schedule([a, b], 0.0)?;
        }
        while let Some(Reverse(event)) = self.memory.queue.pop() {
            self.settings.cancel.check()?;
            let flying = event.rows.map(|row| self.memory.trajectories[row as usize].number);
            if flying == event.trajectories {
                self.settle(event.rows, event.time)?;
                self.reschedule(event.time)?;
            }
        }
        for row in 0..self.memory.trajectories.len() as u32 {
            self.book_holds(row, self.h);
        }
        self.land();
        Ok(())
    }

    /// Looks for the next meeting of two bodies from `t` on.
    fn schedule(&mut self, rows: [u32; 2], t: f64) -> Result<(), Trouble> {
        let [a, b] = rows.map(|row| row as usize);
        let (Some(one), Some(two)) = (self.surfaces.at(rows[0]), self.surfaces.at(rows[1])) else {
            return Ok(());
        };
        if [a, b].iter().all(|&row| self.memory.trajectories[row].stays()) {
            return Ok(());
        }
        let [crowded, dense] = self.memory.crowd(rows);
        let Memory { trajectories, queue, waiting, points, manifolds, scratch, .. } = &mut *self.memory;
        let pair = Pair {
            surfaces: [one, two],
            trajectories: [&trajectories[a], &trajectories[b]],
            end: self.h,
            touch: self.settings.touch,
        };
        let crowded = crowded && !material_coefficients::is_lossless(self.world, self.settings, rows);
        let (rest_speed, h) = (self.settings.rest_speed, self.h);
        let mut waits = false;
        let found = pair.meet(t, scratch, |at, scratch| {
            let bodies = gather(&pair, at, scratch, manifolds, points)?;
            let state = PairMotion::of(&pair, at, &bodies, points, rest_speed);
            let slow = state.approach <= rest_speed.max(WAITING_APPROACH_RATIO * state.strongest * h);
            // In a dense crowd everything waits. But nothing that would pass through something before the
            // step ends.
            Ok(if crowded && (slow || dense) && pair.may_wait(at) {
                waits = true;
                ContactTrend::Waiting
            } else if state.closes() {
                ContactTrend::Closing
            } else {
                ContactTrend::Parting
            })
        })?;
        if let Some(time) = found {
            let numbers = [trajectories[a].number, trajectories[b].number];
            queue.push(Reverse(ScheduledImpact { time, rows, trajectories: numbers }));
        }
        if waits && let Err(place) = waiting.binary_search(&rows) {
            waiting.insert(place, rows);
        }
        Ok(())
    }

    /// The impact of a pair that touches and closes at `t`.
    fn settle(&mut self, rows: [u32; 2], t: f64) -> Result<(), Trouble> {
        let met = self.memory.count(rows);
        let lossless = material_coefficients::is_lossless(self.world, self.settings, rows);
        // Bodies that lose nothing do not collapse.
        let in_crowd = self.memory.crowd(rows)[0] && !lossless;
        let [a, b] = rows.map(|row| row as usize);
        let (Some(one), Some(two)) = (self.surfaces.at(rows[0]), self.surfaces.at(rows[1])) else {
            return Ok(());
        };
        let Memory { trajectories, points, closing, manifolds, scratch, .. } = &mut *self.memory;
        let pair = Pair {
            surfaces: [one, two],
            trajectories: [&trajectories[a], &trajectories[b]],
            end: self.h,
            touch: self.settings.touch,
        };
        let bodies = gather(&pair, t, scratch, manifolds, points)?;
        let state = PairMotion::of(&pair, t, &bodies, points, self.settings.rest_speed);
        let may_wait = pair.may_wait(t);
        let crowded = in_crowd && may_wait;
        closing.clear();
        closing.extend(points.iter().filter(|point| point.approach() > state.least));
        let mut stops = true;
        if !closing.is_empty() {
            // A threshold ends bounces that would follow each other without an end, because each is smaller
            // than the last or something presses. Where neither is so, every bounce counts.
            let endless = !lossless || state.pressing > 0.0;
            let slow = if endless { self.settings.rest_speed } else { state.least };
            let threshold = slow.max(NO_BOUNCE_RATIO * state.pressing * self.h);
            let mut restitution = 0.0;
            if state.approach > threshold && met <= MAX_IMPACTS[usize::from(lossless)] && !crowded {
                restitution =
                    material_coefficients::restitution(self.world, self.settings, rows, state.approach)?;
            }
            let sliding = closing.iter().map(Point::sliding).fold(0.0, f64::max);
            let friction = material_coefficients::friction(self.world, self.settings, rows, sliding)?;
            stops = restitution == 0.0;
            if let Some(linked) = self.link(rows, t, &bodies) {
                let applied = self.solve_linked(&linked, restitution, friction);
                self.hit(rows, t, *linked.bodies(), state.approach, applied, linked.places);
            } else {
                let applied = restitution::solve(&mut self.memory.closing, &bodies, restitution, friction);
                self.hit(rows, t, bodies, state.approach, applied, [None; 2]);
            }
        }
        if stops && !crowded {
            self.hold(rows, t);
        }
        if met > MAX_FAST_IMPACTS[usize::from(lossless)] && !may_wait {
            self.halt(rows, t);
        }
        Ok(())
    }

    /// Leaves free bodies where they are at `t` up to the end of the step, with the motion that they have.
    /// They lose that time, and nothing passes through anything.
    fn halt(&mut self, rows: [u32; 2], t: f64) {
        for row in rows {
            let trajectory = &self.memory.trajectories[row as usize];
            if trajectory.is_free() && trajectory.is_movable() {
                self.release(row, t);
                self.stop(row, t);
                self.memory.trajectories[row as usize].path = Path::Halted;
            }
        }
    }

    /// Gives two bodies the impulses of the closing points.
    fn hit(
        &mut self,
        rows: [u32; 2],
        t: f64,
        before: [SolverBody; 2],
        approach: f64,
        restitution: f64,
        places: [Option<Place>; 2],
    ) {
        // Forces that held the bodies end with the impact: they were those of the old motion.
        for row in rows {
            self.release(row, t);
        }
        let points = &self.memory.closing;
        let impulses = restitution::total(points);
        let impulse = points.iter().fold(Vec3::ZERO, |sum, point| sum + point.impulse);
        let share = 1.0 / points.len() as f64;
        let place = points.iter().fold(Vec3::ZERO, |sum, point| sum + point.place * share);
        let normal = points[0].normal;
        let mut after = before;
        let mut entry = Entry::default();
        self.strike(places, impulses, t, &mut after);
        for k in 0..2 {
            if !before[k].inverse.is_movable() {
                continue;
            }
            if places[k].is_none() {
                after[k].twist += before[k].inverse.apply(impulses[k]);
            }
            entry.energy += 0.5 * impulses[k].dot(before[k].twist + after[k].twist);
            // Between two movable bodies the momentum cancels; an immovable one gives it from outside.
            if !before[1 - k].inverse.is_movable() {
                entry.momentum += impulses[k].linear;
            }
            if places[k].is_none() {
                self.stop(rows[k], t);
                self.memory.trajectories[rows[k] as usize].base.twist = after[k].twist;
            }
        }
        self.exchange.book(Account::Impact, entry);
        let time = self.start + t;
        self.impacts.push(Impact {
            time,
            rows,
            point: place,
            normal,
            approach,
            restitution,
            impulse,
            before,
            after,
        });
    }

    /// Ends the trajectory of a body at `t`, and begins one that is like it.
    pub(super) fn stop(&mut self, row: u32, t: f64) {
        self.book_holds(row, t);
        let trajectory = &mut self.memory.trajectories[row as usize];
        if let Some(entry) = trajectory.taken_back(t) {
            // Solvers lean on what does not move: the other bodies that took part will be hit in turn.
            self.exchange.book(Account::Normal, entry);
        }
        let now = trajectory.now(t);
        trajectory.go_on(now, t);
        if !self.memory.changed.contains(&row) {
            self.memory.changed.push(row);
        }
    }

    /// Looks for everything that bodies with new trajectories may meet.
    fn reschedule(&mut self, t: f64) -> Result<(), Trouble> {
        if self.memory.changed.is_empty() {
            return Ok(());
        }
        let Memory { trajectories, boxes, neighbours, changed, .. } = &mut *self.memory;
        changed.sort_unstable();
        let (surfaces, h) = (self.surfaces, self.h);
        if boxes.is_empty() {
            boxes.extend(
                (0..trajectories.len())
                    .map(|row| bounds_until(surfaces.at(row as u32), &trajectories[row], h)),
            );
        }
        for &row in changed.iter() {
            let row = row as usize;
            boxes[row] = bounds_until(surfaces.at(row as u32), &trajectories[row], h);
            if !neighbours.is_empty() {
                neighbours.moved(row as u32, &boxes[row]);
            }
        }
        if neighbours.is_empty() {
            neighbours.sort(boxes);
        }
        for k in 0..self.memory.changed.len() {
            let row = self.memory.changed[k];
            let Memory { neighbours, near, boxes, .. } = &mut *self.memory;
            near.clear();
            neighbours.near(&boxes[row as usize], near);
            for place in 0..self.memory.near.len() {
                let other = self.memory.near[place];
                let boxes = &self.memory.boxes;
                if other == row || !boxes[row as usize].intersects(&boxes[other as usize]) {
                    continue;
                }
                let twice = self.memory.changed[..k].contains(&other);
                let rows = [row.min(other), row.max(other)];
                if twice || !self.surfaces.may_touch(rows[0], rows[1]) {
                    continue;
                }
                let lossless = material_coefficients::is_lossless(self.world, self.settings, rows);
                if self.memory.counted(rows) < 2 * MAX_IMPACTS[usize::from(lossless)] {
                    self.schedule(rows, t)?;
                }
            }
        }
        self.memory.changed.clear();
        Ok(())
    }
}

/// A box that a body does not leave from the beginning of its trajectory to the end of the step.
fn bounds_until(surface: Option<&Surface>, trajectory: &Trajectory, end: f64) -> Aabb {
    let Some(surface) = surface else { return Aabb::EMPTY };
    // A ball about its centre of mass looks the same however it turns.
    let (from, to) = if surface.ball.is_some() {
        (trajectory.base.pose, Pose::new(trajectory.base.pose.rotation, trajectory.place(end)))
    } else {
        (trajectory.base.pose, trajectory.at(end).pose)
    };
    let turned = from.rotation != to.rotation;
    let around = |pose: Pose| {
        if turned && surface.reach.is_finite() {
            Aabb::around(pose.translation, Vec3::splat(surface.reach))
        } else {
            surface.shape.bounds(&surface.pose(&pose))
        }
    };
    // A parabola leaves the box of its ends by at most ⅛ a τ².
    let tau = end - trajectory.since;
    let bulge = 0.125 * trajectory.path_acceleration().length() * tau * tau;
    around(from).union(&around(to)).fattened(bulge + 1e-9)
}
