//! Motion by Hamilton's equations, q̇ = ∂H/∂p and ṗ = −∂H/∂q + Q − ∂R/∂q̇: of an H to which no Lagrangian can
//! be written down, such as that of a fast particle, √(p²c² + m²c⁴) + V. States are coordinates and momenta;
//! rates are computed from them.
//!
//! Rates are never asked for their momenta. That would fail where ∂²H/∂p² vanishes, as it does for p⁴
//! whenever the motion turns.

mod code;
mod impact;
mod step;

use super::motion::{Held, Lack, Motion, Path, Trouble, on_the_way};
use super::state::State;
use super::step::Stepper;
use crate::run::options::Options;
use code::{Code, Stops};
use gedanken_experiment::Lagrangian;
use gedanken_math::linalg::solve;
use gedanken_symbolic::lagrange::Hamilton;

/// Newton steps that bring a state onto the stops on which it rests, at most.
const STEPS: usize = 50;

/// Hamilton's equations with a method that follows them.
#[derive(Debug)]
pub(super) struct Canonical {
    code: Code,
    stepper: Stepper,
    /// What a momentum is divided by where an error is measured, so that units do not matter: about ∂p/∂q̇ at
    /// the start.
    units: Vec<f64>,
}

impl Canonical {
    /// Compiles the equations of a system. An error says what cannot be compiled.
    pub(super) fn new(
        lagrangian: &Lagrangian,
        hamilton: &Hamilton,
        stepper: Stepper,
        options: &Options,
    ) -> Result<Self, String> {
        let code = Code::new(lagrangian, hamilton, options)?;
        let n = code.n;
        let tangent = code.tangent(0.0, &lagrangian.coordinates, &lagrangian.momenta);
        let unit = |place: usize| {
            let slope = tangent.as_ref().map_or(0.0, |(_, slopes)| slopes[place * 2 * n + n + place].abs());
            // A power of two, so that nothing is rounded.
            let unit = libm::exp2(-libm::round(libm::log2(slope)));
            if unit.is_normal() { unit } else { 1.0 }
        };
        let units = (0..n).map(unit).collect();
        Ok(Self { code, stepper, units })
    }

    /// λ of the stops on which a state rests: what keeps their speeds zero, g̈ + (∂ġ/∂p) Aᵀλ = 0.
    fn pushes(&self, stops: &Stops, resting: &[usize]) -> Result<Vec<f64>, Lack> {
        let mut lambda: Vec<f64> = resting.iter().map(|&it| -stops.bends[it]).collect();
        match solve(&mut stops.lifted(resting), &mut lambda) {
            true => Ok(lambda),
            false => Err(Lack::Singular),
        }
    }

    /// Brings coordinates onto the stops on which a state rests, then momenta, so that it stays there: δq =
    /// (∂ġ/∂p)ᵀμ is the shortest way as ∂²H/∂p² measures it, and δp = Aᵀμ what the stops can do.
    fn onto(&self, state: &mut State, resting: &[usize]) -> Result<(), Lack> {
        let n = self.code.n;
        for is_momentum in [false, true] {
            let mut least = f64::INFINITY;
            for _ in 0..STEPS {
                let stops = self.code.stops(state)?;
                let missed = if is_momentum { &stops.held.speeds } else { &stops.held.values };
                let mut change: Vec<f64> = resting.iter().map(|&it| -missed[it]).collect();
                let off = change.iter().fold(0.0f64, |most, it| most.max(it.abs()));
                // At rounding, or as near as it gets.
                if off == 0.0 || off >= least {
                    if off > 1e-6 && least > 1e-6 {
                        return Err(Lack::Unsettled);
                    }
                    break;
                }
                least = off;
                if !solve(&mut stops.lifted(resting), &mut change) {
                    return Err(Lack::Singular);
                }
                let (moved, along) = match is_momentum {
                    true => (&mut state.p, &stops.held.rows),
                    false => (&mut state.q, &stops.lifts),
                };
                for (&it, change) in resting.iter().zip(&change) {
                    moved.iter_mut().zip(&along[it * n..][..n]).for_each(|(it, row)| *it += row * change);
                }
            }
        }
        Ok(())
    }
}

/// The stops on which a state rests.
fn resting(state: &State) -> Vec<usize> {
    (0..state.resting.len()).filter(|&it| state.resting[it]).collect()
}

impl Motion for Canonical {
    /// An H with constraints that has no Lagrangian is refused.
    fn constraints(&self) -> usize {
        0
    }

    fn held(&self, state: &State) -> Result<Held, Lack> {
        self.code.stops(state).map(|it| it.held)
    }

    fn multipliers(&self, state: &State) -> Result<Vec<f64>, Lack> {
        let mut all = vec![0.0; state.resting.len()];
        let resting = resting(state);
        if !resting.is_empty() {
            let pushes = self.pushes(&self.code.stops(state)?, &resting)?;
            resting.iter().zip(pushes).for_each(|(&it, push)| all[it] = push);
        }
        Ok(all)
    }

    fn bend(&self, state: &State, held: usize) -> Result<f64, Lack> {
        let (n, resting, stops) = (self.code.n, resting(state), self.code.stops(state)?);
        let pushes = self.pushes(&stops, &resting)?;
        let lift = &stops.lifts[held * n..][..n];
        let pushed = resting.iter().zip(pushes).map(|(&it, push)| {
            let along: f64 = lift.iter().zip(&stops.held.rows[it * n..][..n]).map(|(a, b)| a * b).sum();
            along * push
        });
        Ok(stops.bends[held] + pushed.sum::<f64>())
    }

    fn settle(&self, state: &mut State) -> Result<(), Lack> {
        let resting = resting(state);
        if !resting.is_empty() {
            self.onto(state, &resting)?;
        }
        state.v = self.code.rates(state)?;
        Ok(())
    }

    fn path(&self, from: &State, end: f64) -> Result<Path, Trouble> {
        self.step(from, end)
    }

    fn at(&self, from: &State, path: &Path, time: f64) -> Result<State, Trouble> {
        match path {
            Path::Along(dense) => {
                let n = self.code.n;
                let all: Vec<f64> = match time == dense.end() {
                    true => dense.last().to_vec(),
                    false => (0..2 * n).map(|it| dense.value_of(it, time)).collect(),
                };
                let p = all[n..].iter().zip(&self.units).map(|(p, unit)| p * unit).collect();
                let mut state = State { time, q: all[..n].to_vec(), p, ..from.clone() };
                self.settle(&mut state)?;
                Ok(state)
            }
            Path::To(end) => on_the_way(self, from, end, time),
        }
    }

    fn bounce(
        &self,
        before: &State,
        after: &mut State,
        held: usize,
        speed: f64,
    ) -> Result<Option<usize>, Trouble> {
        impact::bounce(&self.code, before, after, held, speed)
    }
}
