//! A drift along the constraints: RATTLE without forces (@andersen1983, @reich1996).
//!
//! Impulses along J(q₀)ᵀ at the start send the bodies on a free flight that ends with C(q₁) = 0; impulses
//! along J(q₁)ᵀ at the end make the motion tangent again. The flight of each body is its own free motion,
//! exact but for the splitting of the rotation. The map is symmetric and keeps the structure of phase space,
//! so energy errors stay bounded.
//!
//! C(q₁) = 0 is solved by Newton's method; its derivative is that of [`super::flight_derivative`]. Evaluating
//! flights is what costs, so that fewer of them pay for more factorisations. The factors of J M⁻¹ Jᵀ at the
//! end serve the next kick.

use super::flight_derivative::FlightResponse;
use super::projection::{Demand, LIMIT_TOLERANCE};
use super::{Group, violation};
use crate::joints::constraint::Sense;
use crate::ledger::Exchange;
use crate::step::free_motion::drifted;
use crate::world::solver_body::{InverseMass, SolverBody};

/// The error at which a drift has arrived, as a part of the largest coordinate, or of one metre.
pub(super) const POSITION_GOAL: f64 = 1e-13;

/// Maximum number of times that a drift is halved if its iteration fails.
const MAX_CUTS: u32 = 6;

/// Iterations of one drift.
pub(super) const MAX_ITERATIONS: usize = 40;

impl Group {
    /// Lets the bodies fly freely from `time` for `h`, on the constraints, and tells the largest violation at
    /// the end, m or rad. Immovable ones move by their own twists. The bodies start on the constraints, with
    /// motions that respect them.
    pub fn drift(
        &mut self,
        movers: &mut [SolverBody],
        time: f64,
        h: f64,
        exchange: Option<&mut Exchange>,
    ) -> f64 {
        self.has_arrived = false;
        let mut unbooked = Exchange::default();
        let books = exchange.is_some();
        let exchange = exchange.unwrap_or(&mut unbooked);
        if h == 0.0 {
            return 0.0;
        }
        let mut booked = Exchange::default();
        if let Some(error) = self.drift_balls(movers, h, books.then_some(&mut booked)) {
            exchange.absorb(&booked);
            return error;
        }
        self.drift_in_parts(movers, time, h, 0, books, exchange);
        self.violation()
    }

    fn drift_in_parts(
        &mut self,
        movers: &mut [SolverBody],
        time: f64,
        h: f64,
        cuts: u32,
        books: bool,
        exchange: &mut Exchange,
    ) {
        self.evaluate(movers, time);
        if books {
            self.note_before(movers);
        }
        self.start.clear();
        self.start.extend(movers.iter().map(|mover| (mover.pose, mover.twist)));
        if !self.fly(movers, time + h, h) && cuts < MAX_CUTS {
            self.restart(movers);
            self.drift_in_parts(movers, time, 0.5 * h, cuts + 1, books, exchange);
            self.drift_in_parts(movers, time + 0.5 * h, 0.5 * h, cuts + 1, books, exchange);
            return;
        }
        if books {
            self.answer(movers.len());
            self.after.clear();
            self.after.extend(self.before.iter().zip(&self.vector).map(|(before, more)| before + more));
            self.book(movers, exchange);
        }
        for mover in movers.iter_mut() {
            mover.inverse = InverseMass::new(mover.mass, mover.moments, mover.pose.rotation);
        }
        std::mem::swap(&mut self.rows, &mut self.there);
        self.linearise(movers, time + h);
        if books {
            self.note_before(movers);
        }
        self.project(movers, Demand { motors: 0.0, ahead: None });
        if books {
            self.note_after(movers);
            self.book(movers, exchange);
        }
    }

    /// Finds the impulses at the start, and brings the bodies to the end. False if the end does not hold.
    fn fly(&mut self, movers: &mut [SolverBody], end: f64, h: f64) -> bool {
        self.impulses.fill(0.0);
        self.open_equations();
        self.eliminate(movers);
        let reach =
            movers.iter().fold(1.0, |most: f64, mover| most.max(mover.pose.translation.abs().max_element()));
        let goal = POSITION_GOAL * reach;
        let (mut last, mut stuck, mut is_ready) = (f64::INFINITY, 0, false);
        for _ in 0..MAX_ITERATIONS {
            let error = self.arrive(movers, end, h);
            if error <= goal || stuck == 2 {
                // At a standstill what is left is rounding, or it is no solution.
                if error > 1e4 * goal {
                    return false;
                }
                if !self.choose_limits() {
                    return true;
                }
                self.restart(movers);
                self.eliminate(movers);
                (last, stuck, is_ready) = (f64::INFINITY, 0, false);
                continue;
            }
            if error.is_nan() || error > 1e3 * last {
                return false;
            }
            stuck = if error > 0.5 * last { stuck + 1 } else { 0 };
            self.vector.clear();
            let factor = -1.0 / h;
            self.vector.extend(self.there.iter().map(|row| row.value * factor));
            if last.is_infinite() {
                // Far away the factors of the start do, and they are there.
                self.close_vector();
                self.solve_vector();
            } else {
                // Near the end the last derivative does: its error shrinks the rest below the goal.
                if !is_ready || error * (error / last) > goal {
                    self.differentiate(movers, h);
                    is_ready = true;
                }
                self.solve_flight();
            }
            last = error;
            self.impulses.iter_mut().zip(&self.vector).for_each(|(impulse, more)| *impulse += more);
        }
        false
    }

    /// Flies with the present impulses, and tells the largest error of the rows that take part.
    fn arrive(&mut self, movers: &mut [SolverBody], end: f64, h: f64) -> f64 {
        self.respond_all(movers.len());
        for ((mover, (pose, twist)), change) in movers.iter_mut().zip(&self.start).zip(&self.change) {
            (mover.pose, mover.twist) = drifted(*pose, *twist + *change, mover.moments, h);
        }
        let mut there = std::mem::take(&mut self.there);
        self.rows_at(movers, end, &mut there);
        self.there = there;
        let mut most: f64 = 0.0;
        for c in 0..self.len() {
            let (kept, range) = (self.factors().kept(c), self.range(c));
            for (k, row) in self.there[range].iter().enumerate() {
                if kept >> k & 1 == 1 {
                    let error = row.value.abs();
                    most = if error.is_nan() { f64::NAN } else { most.max(error) };
                }
            }
        }
        most
    }

    /// Back to the start.
    pub(super) fn restart(&mut self, movers: &mut [SolverBody]) {
        for (mover, (pose, twist)) in movers.iter_mut().zip(&self.start) {
            (mover.pose, mover.twist) = (*pose, *twist);
        }
    }

    /// Rows that do not take part ask for nothing.
    fn close_vector(&mut self) {
        if self.is_bounded {
            for c in 0..self.len() {
                let (open, range) = (self.open[c], self.range(c));
                let closed = self.vector[range].iter_mut().enumerate().filter(|(k, _)| open >> k & 1 == 0);
                closed.for_each(|(_, x)| *x = 0.0);
            }
        }
    }

    /// Factorises the derivative of the flight that has just been made.
    fn differentiate(&mut self, movers: &[SolverBody], h: f64) {
        let mut flight = std::mem::take(&mut self.flight);
        flight.responses.clear();
        for ((mover, (pose, twist)), change) in movers.iter().zip(&self.start).zip(&self.change) {
            flight.responses.push(FlightResponse::of(mover, *pose, twist.angular + change.angular, h));
        }
        flight.push.clear();
        for (c, ends) in self.ends.iter().enumerate() {
            let responses = ends.map(|end| flight.responses.get(end as usize).copied().unwrap_or_default());
            for row in &self.jacobian[self.range(c)] {
                flight.push.push([responses[0].apply(row[0]), responses[1].apply(row[1])]);
            }
        }
        flight.assemble(self.factors(), &self.there, &self.jacobian);
        flight.factor(self.factors());
        self.flight = flight;
    }

    /// Solves with it, in place.
    fn solve_flight(&mut self) {
        let mut vector = std::mem::take(&mut self.vector);
        vector.resize(self.factors().len(), 0.0);
        self.flight.solve(self.factors(), &mut vector);
        vector.truncate(self.rows.len());
        self.vector = vector;
    }

    /// Lets limits take part that would be passed, and lets go of those that would pull. False if nothing
    /// changes.
    fn choose_limits(&mut self) -> bool {
        if !self.is_bounded {
            return false;
        }
        let mut changed = false;
        for c in 0..self.len() {
            for (k, row) in self.range(c).enumerate() {
                if self.there[row].sense != Sense::AtLeast {
                    continue;
                }
                let open = self.open[c] >> k & 1 == 1;
                if open && self.impulses[row] < 0.0 {
                    self.impulses[row] = 0.0;
                    self.open[c] &= !(1 << k);
                    changed = true;
                } else if !open && violation(&self.there[row]) > LIMIT_TOLERANCE {
                    self.open[c] |= 1 << k;
                    self.has_arrived |= self.rows[row].value > LIMIT_TOLERANCE;
                    changed = true;
                }
            }
        }
        changed
    }
}
