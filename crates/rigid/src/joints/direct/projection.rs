//! Projection onto the constraints: of the motion, with limits that only push and motors of bounded force;
//! and of the place.
//!
//! Motion: every row has an impulse λ between two bounds and an excess w = Ċ − wanted rate. Either λ is free
//! and w = 0, or λ lies on its lower bound and w ≥ 0, or on its upper one and w ≤ 0. The states of the rows
//! are found by block pivoting: all rows that contradict their state change it at once, as long as that makes
//! fewer of them; then only the last one does, which ends for certain (@judice1994). The search begins with the
//! states of the last solve at the same poses: contacts and joints take turns there, and states seldom change between
//! two turns. Starting anew each time took half of the time of a figure that lies on the ground.
//!
//! Place: Newton's method on C = 0, each body yielding by its inverse mass.

use super::drift::POSITION_GOAL;
use super::{Group, violation};
use crate::joints::constraint::{Row, Sense};
use crate::world::solver_body::{InverseMass, SolverBody};
use gedanken_math::Pose;
use gedanken_math::rotation::from_rotation_vector;

/// Distance at which a limit counts as reached, m or rad.
pub(crate) const LIMIT_TOLERANCE: f64 = 1e-10;

/// Rounds of block pivoting before the rest is left as it is.
const MAX_PIVOT_ROUNDS: usize = 64;

/// Steps of Newton's method.
const MAX_NEWTON_STEPS: usize = 30;

/// The largest turn of one step, rad: far from a solution the straight line is no guide.
const MAX_STEP_ANGLE: f64 = 0.5;

/// State of a row: its impulse is free or on a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum State {
    Free,
    Low,
    High,
}

/// Wanted rate of a row, and the bounds of its impulse.
#[derive(Debug, Clone, Copy)]
pub(super) struct Bounds {
    low: f64,
    high: f64,
    rate: f64,
}

/// Demands on the motion beyond the equations.
#[derive(Debug, Clone, Copy)]
pub(super) struct Demand {
    /// For how long motors act: their force becomes an impulse.
    pub(super) motors: f64,
    /// Look-ahead of limits: one with a gap may be approached at the speed that closes it in this time.
    /// Without it only limits that are reached hold.
    pub(super) ahead: Option<f64>,
}

impl Bounds {
    fn of(row: &Row, demand: Demand) -> Self {
        match row.sense {
            Sense::Equal => Self { low: f64::NEG_INFINITY, high: f64::INFINITY, rate: 0.0 },
            Sense::AtLeast if row.value <= LIMIT_TOLERANCE => {
                Self { low: 0.0, high: f64::INFINITY, rate: 0.0 }
            }
            Sense::AtLeast => match demand.ahead {
                Some(h) if h > 0.0 => Self { low: 0.0, high: f64::INFINITY, rate: -row.value / h },
                _ => Self { low: 0.0, high: 0.0, rate: 0.0 },
            },
            Sense::Driven { speed, most } => {
                // A motor of unbounded force that acts for no time does nothing.
                let most =
                    if demand.motors == 0.0 || most.is_nan() { 0.0 } else { (most * demand.motors).abs() };
                Self { low: -most, high: most, rate: speed }
            }
        }
    }

    fn at(self, state: State) -> f64 {
        match state {
            State::Free => 0.0,
            State::Low => self.low,
            State::High => self.high,
        }
    }
}

impl Group {
    /// Changes the bodies' twists so that no constraint is violated by the motion: equations and reached
    /// limits hold, limits with a gap are not passed within `h`, motors act for `h`. The group is factorised
    /// at the bodies' poses.
    pub fn hold_motion(&mut self, movers: &mut [SolverBody], h: f64) {
        let mut before = std::mem::take(&mut self.before);
        self.rates(movers, &mut before);
        self.before = before;
        self.project(movers, Demand { motors: h, ahead: Some(h) });
        self.note_after(movers);
    }

    /// The same as it is now, without looking ahead: limits hold that are reached. Notes for the ledger are
    /// left to the caller.
    pub(crate) fn hold_motion_now(&mut self, movers: &mut [SolverBody], h: f64) {
        self.project(movers, Demand { motors: h, ahead: None });
    }

    /// Finds the impulses, and lets them act.
    pub(super) fn project(&mut self, movers: &mut [SolverBody], demand: Demand) {
        let mut excess = std::mem::take(&mut self.after);
        self.rates(movers, &mut excess);
        if self.is_bounded {
            self.pivot(&mut excess, movers, demand);
        } else {
            self.open_equations();
            self.eliminate(movers);
            self.vector.clear();
            self.vector.extend(excess.iter().map(|w| -w));
            self.solve_vector();
            std::mem::swap(&mut self.vector, &mut self.impulses);
            self.is_answered = false;
        }
        self.after = excess;
        // Pivoting leaves the answer of the bodies behind, if it ended.
        if !self.is_answered {
            self.respond_all(movers.len());
        }
        movers.iter_mut().zip(&self.change).for_each(|(mover, change)| mover.twist += *change);
    }

    /// Finds impulses within their bounds for rows with these rates.
    pub(super) fn pivot(&mut self, excess: &mut [f64], movers: &[SolverBody], demand: Demand) {
        self.wanted.clear();
        self.wanted.extend(self.rows.iter().map(|row| Bounds::of(row, demand)));
        self.complement(excess, movers);
    }

    /// The same for rows that want no acceleration: limits push with what it takes, motors with what they
    /// have.
    pub(super) fn pivot_forces(&mut self, excess: &mut [f64], movers: &[SolverBody]) {
        self.wanted.clear();
        let demand = Demand { motors: 1.0, ahead: None };
        self.wanted.extend(self.rows.iter().map(|row| Bounds { rate: 0.0, ..Bounds::of(row, demand) }));
        self.complement(excess, movers);
    }

    fn complement(&mut self, excess: &mut [f64], movers: &[SolverBody]) {
        let scale = excess.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
        self.begin_states(excess);
        self.is_answered = false;
        let (mut fewest, mut patience) = (usize::MAX, 4_u32);
        for round in 0..MAX_PIVOT_ROUNDS {
            self.solve_states(excess, movers);
            let wrong = |group: &Self, k: usize| group.contradicts(k, excess[k] + group.vector[k], scale);
            let count = (0..excess.len()).filter(|&k| wrong(self, k).is_some()).count();
            self.is_answered = count == 0;
            if count == 0 || round + 1 == MAX_PIVOT_ROUNDS {
                break;
            }
            let all = count < fewest || patience > 0;
            if count < fewest {
                (fewest, patience) = (count, 4);
            } else {
                patience = patience.saturating_sub(1);
            }
            let last = (0..excess.len()).rfind(|&k| wrong(self, k).is_some());
            for k in 0..excess.len() {
                if let Some(state) = wrong(self, k).filter(|_| all || last == Some(k)) {
                    self.states[k] = state;
                }
            }
        }
        // Whatever happened, nothing pulls that only pushes.
        let limited = self.impulses.iter_mut().zip(&self.wanted);
        limited.for_each(|(impulse, bounds)| *impulse = impulse.clamp(bounds.low, bounds.high));
    }

    /// Subtracts the wanted rates from the rates of the rows, and chooses the states to begin with: those of the
    /// last solve at these poses, else by the sign of what is wanted.
    fn begin_states(&mut self, excess: &mut [f64]) {
        if self.states.len() != excess.len() {
            self.states.clear();
            self.states.extend(excess.iter().zip(&self.wanted).map(|(w, bounds)| {
                let idle = bounds.low == 0.0 && w - bounds.rate >= 0.0;
                if idle { State::Low } else { State::Free }
            }));
        }
        for ((w, bounds), state) in excess.iter_mut().zip(&self.wanted).zip(&mut self.states) {
            *w -= bounds.rate;
            if bounds.low == bounds.high {
                *state = State::Low;
            }
        }
    }

    /// Solves for the free rows, the others being on their bounds; `vector` is then J M⁻¹ Jᵀ λ.
    fn solve_states(&mut self, excess: &[f64], movers: &[SolverBody]) {
        self.open.clear();
        for (c, &size) in self.sizes.iter().enumerate() {
            let states = &self.states[self.first[c] as usize..][..size as usize];
            let bit = |(k, state): (usize, &State)| u8::from(*state == State::Free) << k;
            self.open.push(states.iter().enumerate().map(bit).fold(0, |mask, bit| mask | bit));
        }
        self.eliminate(movers);
        self.impulses.clear();
        self.impulses.extend(self.wanted.iter().zip(&self.states).map(|(bounds, state)| bounds.at(*state)));
        if self.impulses.iter().any(|impulse| *impulse != 0.0) {
            self.answer(movers.len());
        } else {
            // No motor is on a bound, so nothing pushes yet.
            self.vector.clear();
            self.vector.resize(self.impulses.len(), 0.0);
        }
        for ((answer, w), state) in self.vector.iter_mut().zip(excess).zip(&self.states) {
            *answer = if *state == State::Free { -(*w + *answer) } else { 0.0 };
        }
        self.solve_vector();
        self.impulses.iter_mut().zip(&self.vector).for_each(|(impulse, more)| *impulse += more);
        self.answer(movers.len());
    }

    /// J M⁻¹ Jᵀ λ of the present impulses, into `vector`.
    pub(super) fn answer(&mut self, count: usize) {
        self.respond_all(count);
        self.vector.clear();
        let change = |end: u32| self.change.get(end as usize).copied().unwrap_or_default();
        for (c, ends) in self.ends.iter().enumerate() {
            let [a, b] = ends.map(change);
            let rows = &self.jacobian[self.first[c] as usize..self.first[c + 1] as usize];
            self.vector.extend(rows.iter().map(|row| row[0].dot(a) + row[1].dot(b)));
        }
    }

    /// The state to which a row has to change, if the one that it has does not fit.
    fn contradicts(&self, k: usize, excess: f64, scale: f64) -> Option<State> {
        let (bounds, impulse) = (self.wanted[k], self.impulses[k]);
        let small = 1e-12 * scale;
        match self.states[k] {
            State::Free if impulse < bounds.low => Some(State::Low),
            State::Free if impulse > bounds.high => Some(State::High),
            State::Low if bounds.low < bounds.high && excess < -small => Some(State::Free),
            State::High if bounds.low < bounds.high && excess > small => Some(State::Free),
            _ => None,
        }
    }
}

impl Group {
    /// Moves the bodies so that all constraints hold, and tells the largest violation left, m or rad.
    /// Velocities stay as they are. The group is left evaluated at the new poses.
    pub fn hold_place(&mut self, movers: &mut [SolverBody], time: f64) -> f64 {
        let (mut last, mut stuck) = (f64::INFINITY, 0);
        for _ in 0..MAX_NEWTON_STEPS {
            self.evaluate(movers, time);
            let reach = movers
                .iter()
                .fold(1.0, |most: f64, mover| most.max(mover.pose.translation.abs().max_element()));
            let error = self.rows.iter().fold(0.0, |most: f64, row| most.max(violation(row)));
            stuck = if error > 0.5 * last { stuck + 1 } else { 0 };
            last = last.min(error);
            if error <= POSITION_GOAL * reach || stuck == 2 {
                break;
            }
            self.step_towards(movers);
        }
        self.evaluate(movers, time);
        self.violation()
    }

    /// One step of Newton's method.
    fn step_towards(&mut self, movers: &mut [SolverBody]) {
        self.open_equations();
        for c in 0..self.len() {
            for (k, row) in self.range(c).enumerate() {
                let row = &self.rows[row];
                if row.sense == Sense::AtLeast && row.value < -LIMIT_TOLERANCE {
                    self.open[c] |= 1 << k;
                }
            }
        }
        self.eliminate(movers);
        self.vector.clear();
        for c in 0..self.len() {
            for (k, row) in self.range(c).enumerate() {
                self.vector.push(if self.open[c] >> k & 1 == 1 { -self.rows[row].value } else { 0.0 });
            }
        }
        self.solve_vector();
        std::mem::swap(&mut self.vector, &mut self.impulses);
        self.respond_all(movers.len());
        let most = self.change.iter().fold(0.0, |most: f64, change| most.max(change.angular.length()));
        let share = if most > MAX_STEP_ANGLE { MAX_STEP_ANGLE / most } else { 1.0 };
        for (mover, change) in
            movers.iter_mut().zip(&self.change).filter(|(mover, _)| mover.inverse.is_movable())
        {
            let turn = from_rotation_vector(change.angular * share);
            let place = mover.pose.translation + change.linear * share;
            mover.pose = Pose::new((turn * mover.pose.rotation).normalize(), place);
            mover.inverse = InverseMass::new(mover.mass, mover.moments, mover.pose.rotation);
        }
        std::mem::swap(&mut self.vector, &mut self.impulses);
    }
}
