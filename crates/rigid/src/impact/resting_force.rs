//! Resting forces: bodies that have stopped bouncing rest on each other for what is left of the step.
//!
//! The forces are those for which no point accelerates towards the other body: the same conditions as for an
//! impulse without restitution, on accelerations. They are constant, and end with the step, or with the next
//! impact of one of the two.
//!
//! A body with joints passes the force on through them, as it does with an impulse (`jointed_impact`): it
//! yields as its island does.

use super::eligibility::BALANCED_RATIO;
use super::jointed_impact::Place;
use super::restitution::{self, Point};
use super::timeline::{Memory, Timeline};
use super::trajectory::Path;
use crate::ledger::{Account, Entry};
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::{Twist, Vec3};

/// A pair that is held together up to the end of the step, or to the next impact of one of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RestingForce {
    pub(super) rows: [u32; 2],
    /// The constant forces on both.
    pub(super) forces: [Twist; 2],
}

impl RestingForce {
    /// Work and momentum of the force on one of both over a displacement, in the time that it took.
    pub(super) fn entry(&self, k: usize, way: Twist, tau: f64) -> Entry {
        // The other one takes the momentum, unless nothing moves it.
        let external = self.forces[1 - k] == Twist::ZERO;
        let momentum = if external { self.forces[k].linear * tau } else { Vec3::ZERO };
        Entry { energy: self.forces[k].dot(way), momentum }
    }
}

impl Timeline<'_> {
    /// Holds a pair that has stopped by the forces that its accelerations ask for.
    pub(super) fn hold(&mut self, rows: [u32; 2], t: f64) {
        let held = rows.map(|row| {
            let trajectory = &self.memory.trajectories[row as usize];
            trajectory.is_movable() && (trajectory.is_free() || self.goes_by_joints(row))
        });
        if held == [false, false] {
            return;
        }
        let trajectories = rows.map(|row| self.memory.trajectories[row as usize]);
        // Bodies that a solver moves do not yield: what they rest on holds them.
        let bodies = [0, 1].map(|k| {
            let now = trajectories[k].now(t);
            if held[k] { now } else { SolverBody { inverse: InverseMass::IMMOVABLE, ..now } }
        });
        let accelerations = [0, 1].map(|k| trajectories[k].acceleration(&bodies[k]));
        let least = BALANCED_RATIO * (accelerations[0].linear.length() + accelerations[1].linear.length());
        let Memory { points, closing, .. } = &mut *self.memory;
        closing.clear();
        for point in points.iter() {
            let point = Point::new(point.place, point.normal, &bodies);
            if point.approach() >= -self.settings.rest_speed {
                closing.push(point.with_motion(accelerations));
            }
        }
        if !closing.iter().any(|point| point.approach() > least) {
            return;
        }
        closing.retain(|point| point.approach() > -least);
        let mut places = [None; 2];
        if let Some(linked) = self.link(rows, t, &bodies) {
            let closing = &mut self.memory.closing;
            for point in closing.iter_mut() {
                *point = Point::new(point.place, point.normal, &linked).with_motion(accelerations);
            }
            restitution::solve(closing, &linked, 0.0, 0.0);
            places = linked.places;
        } else {
            restitution::solve(&mut self.memory.closing, &bodies, 0.0, 0.0);
        }
        let forces = restitution::total(&self.memory.closing);
        let forces = [0, 1].map(|k| if held[k] { forces[k] } else { Twist::ZERO });
        self.pull(rows, places, forces, t);
        self.memory.holds.push(RestingForce { rows, forces });
    }

    /// Takes away all forces that hold a body, from it and from those that it rests on.
    pub(super) fn release(&mut self, row: u32, t: f64) {
        while let Some(place) = self.memory.holds.iter().position(|hold| hold.rows.contains(&row)) {
            let RestingForce { rows, forces } = self.memory.holds[place];
            let places = [0, 1].map(|k| {
                let is_free = self.memory.trajectories[rows[k] as usize].is_free();
                if is_free || forces[k] == Twist::ZERO { None } else { self.place(rows[k], t) }
            });
            self.pull(rows, places, forces.map(|force| -force), t);
            self.memory.holds.remove(place);
        }
    }

    /// Adds constant forces on two bodies from `t` on. Those with joints have places in islands that are at
    /// `t`.
    fn pull(&mut self, rows: [u32; 2], places: [Option<Place>; 2], forces: [Twist; 2], t: f64) {
        for k in (0..2).filter(|&k| places[k].is_none() && forces[k] != Twist::ZERO) {
            self.stop(rows[k], t);
            self.memory.trajectories[rows[k] as usize].base.force += forces[k];
        }
        self.pull_linked(places, forces, t);
    }

    /// Books what the forces that hold a body did during its present trajectory, up to `t`.
    pub(super) fn book_holds(&mut self, row: u32, t: f64) {
        let Memory { trajectories, holds, .. } = &*self.memory;
        let trajectory = &trajectories[row as usize];
        if trajectory.path == Path::Halted {
            // What halts a body takes all that the laws give it.
            let momentum = trajectory.base.force.linear * (trajectory.since - t);
            self.exchange.book(Account::Normal, Entry { momentum, ..Entry::default() });
            return;
        }
        let mut holding = holds.iter().filter(|hold| hold.rows.contains(&row)).peekable();
        if holding.peek().is_none() || !trajectory.is_free() || !trajectory.is_movable() {
            return;
        }
        let way = trajectory.at(t).moved - trajectory.base.moved;
        for hold in holding {
            let k = usize::from(hold.rows[1] == row);
            self.exchange.book(Account::Normal, hold.entry(k, way, t - trajectory.since));
        }
    }
}
