//! Arrivals: limits and ropes that are reached in the middle of a step.
//!
//! A drift that would pass a limit ends on it, so a body arrives late, with the speed that the forces of half
//! a step have given it. An island in which that has happened repeats its step: from the start to the instant
//! at which the limit is reached, where it is stopped, and from there to the end; under the constant forces
//! of the step, by its own drifts and kicks. The instant is found on that very path: each try follows it up
//! to a time, and predicts the arrival from the remaining distance and its rate.
//!
//! Islands that touch something are left out: their solver holds limits together with contacts.

use super::constraint::MAX_ROWS;
use super::direct::{Group, LIMIT_TOLERANCE};
use super::jointed_motion::{JointedIslandMut, JointedIslands};
use super::linkage::Linkage;
use crate::collide::island::Islands;
use crate::ledger::Exchange;
use crate::world::World;
use crate::world::settings::Settings;
use crate::world::solver_body::{Displacements, SolverBodies, SolverBody};
use gedanken_dynamics::{
    AngularVelocity, Force, Orientation, Position, Rule, ThreeD, Torque, Velocity, memory, read, read_table,
    write, write_table,
};
use gedanken_math::Twist;
use gedanken_math::units::Quantity;

/// So many arrivals are located in a step; later ones come at the end of a drift.
const MAX_ARRIVALS: u32 = 8;
/// So many tries are made for each. Halving alone would be done after as many.
const MAX_TRIES: u32 = 48;

/// Returns `true` if anything in a world can arrive at a limit, and its steps are such that they can be gone
/// again.
pub(crate) fn are_located(world: &World, settings: &Settings) -> bool {
    settings.integrator.kicks_once() && world.constraints().iter().any(|constraint| constraint.has_limits())
}

/// Distance from a limit, and its rate, at a time.
#[derive(Debug, Clone, Copy)]
struct Room {
    value: f64,
    rate: f64,
}

/// Memory, kept to avoid allocation.
#[derive(Debug, Default)]
struct Memory {
    trial: Vec<SolverBody>,
    /// By limit: its room at the start of a way, at the last try that did not arrive, and at the one before
    /// that.
    start: Vec<Room>,
    near: Vec<Room>,
    before: Vec<Room>,
}

impl Memory {
    /// Asks for all the memory that an island will need, whether it arrives or not: so no later step does.
    fn make_room(&mut self, movers: usize, rows: usize) {
        self.trial.clear();
        self.trial.reserve(movers);
        for rooms in [&mut self.start, &mut self.near, &mut self.before] {
            rooms.clear();
            rooms.reserve(rows);
        }
    }

    /// Lets an island go on from `time` for `tau`, from limit to limit. What joints do is booked.
    fn go(&mut self, movers: &mut [SolverBody], group: &mut Group, time: f64, tau: f64) -> Exchange {
        let (mut gone, mut page) = (0.0, Exchange::default());
        for round in 0..=MAX_ARRIVALS {
            let (from, left) = (time + gone, tau - gone);
            let mut rest = Exchange::default();
            self.put_back(movers);
            let arrives = Linkage::advance(&mut self.trial, group, from, left, &mut rest);
            if !arrives || round == MAX_ARRIVALS {
                movers.copy_from_slice(&self.trial);
                page.absorb(&rest);
                break;
            }
            let first = self.locate(movers, group, from, left);
            Linkage::advance(movers, group, from, first, &mut page);
            gone += first;
        }
        page
    }

    fn put_back(&mut self, movers: &[SolverBody]) {
        self.trial.clear();
        self.trial.extend_from_slice(movers);
    }

    /// The time after `from` at which the first limit is reached; it is before `left` has passed.
    fn locate(&mut self, movers: &[SolverBody], group: &mut Group, from: f64, left: f64) -> f64 {
        group.factor(movers, from);
        rooms(group, movers, &mut self.start);
        self.near.clone_from(&self.start);
        self.before.clone_from(&self.start);
        let (mut low, mut last, mut high) = (0.0, 0.0, left);
        for _ in 0..MAX_TRIES {
            let next = low + self.wait(low - last);
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            self.put_back(movers);
            if Linkage::advance(&mut self.trial, group, from, next, &mut Exchange::default()) {
                high = next;
                continue;
            }
            (last, low) = (low, next);
            std::mem::swap(&mut self.near, &mut self.before);
            rooms(group, &self.trial, &mut self.near);
            if self.fresh().any(|[near, _]| near.value <= LIMIT_TOLERANCE) {
                break;
            }
        }
        low
    }

    /// The limits that were not reached at the start: their rooms at the last try and at the one before.
    fn fresh(&self) -> impl Iterator<Item = [Room; 2]> {
        let tries = self.near.iter().zip(&self.before).zip(&self.start);
        tries.filter(|(_, start)| start.value > LIMIT_TOLERANCE).map(|((near, before), _)| [*near, *before])
    }

    /// Time from the last try to the first limit, `past` being the time between the tries.
    fn wait(&self, past: f64) -> f64 {
        let waits = self.fresh().map(|[near, before]| {
            let bend = if past > 0.0 { (near.rate - before.rate) / past } else { 0.0 };
            wait(near, bend)
        });
        waits.fold(f64::INFINITY, f64::min)
    }
}

/// The rooms of all limits.
fn rooms(group: &Group, movers: &[SolverBody], out: &mut Vec<Room>) {
    out.clear();
    out.extend(group.limits(movers).map(|(value, rate)| Room { value, rate }));
}

/// Time to the limit: the first root of value + rate t + ½ bend t².
fn wait(room: Room, bend: f64) -> f64 {
    let root = room.rate * room.rate - 2.0 * bend * room.value;
    let towards = -room.rate + root.max(0.0).sqrt();
    if root >= 0.0 && towards > 0.0 { 2.0 * room.value / towards } else { f64::INFINITY }
}

/// Rule `arrivals`: repeats the step of islands that reached a limit in it.
pub(crate) fn rule() -> Rule {
    let forces = (read::<Force<ThreeD>>(), read::<Torque>());
    let moves = (
        write::<Position<ThreeD>>(),
        write::<Orientation>(),
        write::<Velocity<ThreeD>>(),
        write::<AngularVelocity>(),
    );
    let found = (read_table::<SolverBodies>(), read_table::<Islands>());
    let books = (write_table::<Displacements>(), write_table::<Exchange>(), write_table::<JointedIslands>());
    let view = (forces, moves, found, books, memory::<Memory>());
    Rule::new("arrivals", view, move |step, ((force, torque), (r, q, v, omega), found, books, memory)| {
        let (at_start, islands) = found;
        let (displacements, exchange, holds) = books;
        let h = step.h.si();
        let alone = islands.islands.iter().filter(|island| !island.is_touching());
        for (island, JointedIslandMut { movers, group, booked, has_arrived }) in alone.zip(holds.iter_mut()) {
            memory.make_room(movers.len(), MAX_ROWS * group.len());
            if !has_arrived {
                continue;
            }
            for mover in movers.iter_mut() {
                let row = mover.row as usize;
                let force = Twist::new(force[row].si(), torque[row].si());
                *mover = SolverBody { force, ..at_start.bodies[row] };
            }
            // The rule runs when the time of the step has passed.
            let page = memory.go(movers, group, step.t.si() - h, h);
            exchange.strike(booked);
            exchange.absorb(&page);
            *booked = page;
            for mover in &movers[..island.rows.len()] {
                let row = mover.row as usize;
                r[row] = Quantity::new(mover.pose.translation);
                q[row] = mover.pose.rotation;
                v[row] = Quantity::new(mover.twist.linear);
                omega[row] = Quantity::new(mover.twist.angular);
                displacements.moved[row] = mover.moved;
            }
        }
    })
}
