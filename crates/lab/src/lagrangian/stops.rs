//! Stops: formulas that are never negative. Where one is met is found within the step; the system bounces off
//! it, or comes to rest on it and stays until it is pulled away.
//!
//! An impact changes momenta by an impulse along the stop, p⁺ = p⁻ + (∇g)ᵀ J, such that ġ⁺ = −e ġ⁻. Bounces
//! that die out are infinitely many in a finite time; when the next one would rise by less than a rounding,
//! the system rests.

use super::motion::{Motion, Path, Trouble};
use super::state::State;
use std::cell::Cell;

/// A bounce that rises by less than this, relative to the size of the coordinates, is none.
const FLAT: f64 = 1e-13;

/// Moments at which the motion within a step is looked at.
const LOOKS: u32 = 8;

/// Kind of an event at a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// It was hit, and left again.
    Bounce,
    /// The system came to rest on it.
    Rest,
    /// The system was pulled away from it.
    Leave,
}

/// An event at a stop.
#[derive(Clone, Debug)]
pub(super) struct Met {
    /// Number of the stop.
    pub(super) stop: usize,
    pub(super) what: Happening,
    /// ġ before an impact; 0 where there was none.
    pub(super) approach: f64,
    pub(super) before: State,
    pub(super) after: State,
}

/// Equations of motion with a restitution at stops.
pub(super) struct Mover<'m> {
    motion: &'m dyn Motion,
    restitution: f64,
    /// Number of steps of the integrator so far.
    pub(super) steps: Cell<u64>,
}

impl<'m> Mover<'m> {
    pub(super) fn new(motion: &'m dyn Motion, restitution: f64) -> Self {
        Self { motion, restitution, steps: Cell::new(0) }
    }

    /// One step from a state until `end`, or until the first stop is met or left before.
    pub(super) fn step(&self, from: &State, end: f64) -> Result<(State, Option<Met>), Trouble> {
        let path = self.motion.path(from, end)?;
        if let Path::Along(along) = &path {
            self.steps.set(self.steps.get() + along.step_count() as u64);
        }
        if from.resting.is_empty() {
            return Ok((self.motion.at(from, &path, end)?, None));
        }
        let mut first: Option<(f64, usize, bool)> = None;
        for stop in 0..from.resting.len() {
            let until = first.map_or(end, |(time, ..)| time);
            let found = self.first_time(from, &path, stop, until)?;
            if let Some(time) = found {
                first = Some((time, stop, from.resting[stop]));
            }
        }
        let Some((time, stop, rested)) = first else {
            return Ok((self.motion.at(from, &path, end)?, None));
        };
        let before = self.motion.at(from, &path, time)?;
        let met = if rested { self.leave(before, stop) } else { self.meet(before, stop)? };
        Ok((met.after.clone(), Some(met)))
    }

    /// Time at which a stop is first met, or left if the system rests on it; before `until`.
    fn first_time(&self, from: &State, path: &Path, stop: usize, until: f64) -> Result<Option<f64>, Trouble> {
        let looks = match path {
            Path::Along(_) => LOOKS,
            Path::To(_) => 1,
        };
        let time = |look: u32| match look {
            look if look == looks => until,
            look => from.time + (until - from.time) * f64::from(look) / f64::from(looks),
        };
        let mut earlier = (from.time, self.look(from, path, stop, from.time)?);
        for look in 1..=looks {
            let later = (time(look), self.look(from, path, stop, time(look))?);
            if let Some(found) = self.between(from, path, stop, earlier, later)? {
                return Ok(Some(found));
            }
            earlier = later;
        }
        Ok(None)
    }

    /// Number that must not become negative, and its rate: a stop's value, or its multiplier if the system rests on
    /// it.
    fn look(&self, from: &State, path: &Path, stop: usize, time: f64) -> Result<(f64, f64), Trouble> {
        let state = self.motion.at(from, path, time)?;
        let held = self.motion.constraints() + stop;
        if from.resting[stop] {
            return Ok((self.motion.multipliers(&state)?[held], 0.0));
        }
        let seen = self.motion.held(&state)?;
        Ok((seen.values[held], seen.speeds[held]))
    }

    /// The first moment between two at which something becomes negative.
    fn between(
        &self,
        from: &State,
        path: &Path,
        stop: usize,
        (mut a, (at_a, rate_a)): (f64, (f64, f64)),
        (mut b, (at_b, rate_b)): (f64, (f64, f64)),
    ) -> Result<Option<f64>, Trouble> {
        if at_b >= 0.0 {
            // It may have dipped in between: its lowest point is where the rate turns.
            if !(rate_a < 0.0 && rate_b > 0.0) || at_a.min(at_b) > 0.5 * (b - a) * rate_b.max(-rate_a) {
                return Ok(None);
            }
            let (mut left, mut right) = (a, b);
            let mut lowest = None;
            while let Some(middle) = between(left, right) {
                let (value, rate) = self.look(from, path, stop, middle)?;
                if value < 0.0 {
                    lowest = Some(middle);
                    break;
                }
                if rate < 0.0 {
                    left = middle
                } else {
                    right = middle
                }
                if right - left <= 1e-9 * (b - a) {
                    break;
                }
            }
            let Some(lowest) = lowest else { return Ok(None) };
            b = lowest;
        }
        if at_a <= 0.0 {
            if rate_a < 0.0 && at_a < 0.0 {
                return Ok(Some(a));
            }
            // It starts from the stop: first it must have left.
            let (mut away, mut part) = (None, b - a);
            for _ in 0..60 {
                part *= 0.5;
                let time = a + part;
                if time <= a {
                    break;
                }
                if self.look(from, path, stop, time)?.0 > 0.0 {
                    away = Some(time);
                    break;
                }
            }
            match away {
                Some(time) => a = time,
                None => return Ok(Some(a)),
            }
        }
        while let Some(middle) = between(a, b) {
            if self.look(from, path, stop, middle)?.0 < 0.0 { b = middle } else { a = middle }
        }
        Ok(Some(a))
    }

    /// The system is pulled away from a stop.
    pub(super) fn leave(&self, before: State, stop: usize) -> Met {
        let mut after = before.clone();
        after.resting[stop] = false;
        Met { stop, what: Happening::Leave, approach: 0.0, before, after }
    }

    /// The system meets a stop: it bounces, or rests.
    pub(super) fn meet(&self, before: State, stop: usize) -> Result<Met, Trouble> {
        let (motion, held) = (self.motion, self.motion.constraints() + stop);
        let mut after = before.clone();
        let approach = motion.held(&before)?.speeds[held];
        // Others on which it rests give way if they would have to pull.
        while let Some(pulling) =
            motion.bounce(&before, &mut after, held, -self.restitution * approach.min(0.0))?
        {
            after.resting[pulling] = false;
        }
        let bend = motion.bend(&after, held)?;
        let speed = motion.held(&after)?.speeds[held];
        let size = after.q.iter().fold(1.0f64, |most, it| most.max(it.abs()));
        let rests = bend <= 0.0 && speed.max(0.0) * speed.max(0.0) <= 2.0 * -bend * FLAT * size;
        if rests {
            after.resting[stop] = true;
            motion.settle(&mut after)?;
        }
        let what = if rests { Happening::Rest } else { Happening::Bounce };
        Ok(Met { stop, what, approach, before, after })
    }

    /// Stops on which a system that begins here rests.
    pub(super) fn settle(&self, state: &mut State) -> Result<(), Trouble> {
        for stop in 0..state.resting.len() {
            let held = self.motion.constraints() + stop;
            let seen = self.motion.held(state)?;
            let size = state.q.iter().fold(1.0f64, |most, it| most.max(it.abs()));
            if seen.values[held] > FLAT * size || seen.speeds[held].abs() > FLAT * size {
                continue;
            }
            let mut tried = state.clone();
            tried.resting[stop] = true;
            if self.motion.multipliers(&tried)?[held] > 0.0 {
                *state = tried;
            }
        }
        Ok(())
    }
}

/// A number strictly between two others, if there is one.
fn between(a: f64, b: f64) -> Option<f64> {
    let middle = a + 0.5 * (b - a);
    (middle > a && middle < b).then_some(middle)
}
