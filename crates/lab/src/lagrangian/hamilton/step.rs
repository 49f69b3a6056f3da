//! Steps of Hamilton's equations: from (q, p) to the next, by each method.

use super::super::motion::{Lack, Path, Trouble, in_parts};
use super::super::state::State;
use super::code::Code;
use super::{Canonical, resting};
use gedanken_dynamics::integrate::ode;
use gedanken_experiment::lagrangian::method::{Method, Split};
use gedanken_math::linalg::solve;

/// Newton steps within one step of the midpoint rule, at most.
const NEWTON: usize = 100;

impl Canonical {
    /// The motion from a state on, until `end`. While the system rests on a stop, every method follows it by
    /// slopes: what pushes it there belongs to no H.
    pub(super) fn step(&self, from: &State, end: f64) -> Result<Path, Trouble> {
        let rests = from.resting.contains(&true);
        match self.stepper.method {
            Method::Slopes(method) => self.along(method, from, end),
            _ if rests => self.along(ode::Method::default(), from, end),
            Method::Variational(parts) => {
                let step = |state: &mut State, h: f64, until: f64| midpoint(&self.code, state, h, until);
                in_parts(parts, from, end, step).map(Path::To)
            }
            Method::Splitting(split) => splitting(&self.code, split, from, end).map(Path::To),
        }
    }

    fn along(&self, method: ode::Method, from: &State, end: f64) -> Result<Path, Trouble> {
        let p = from.p.iter().zip(&self.units).map(|(p, unit)| p / unit);
        let y: Vec<f64> = from.q.iter().copied().chain(p).collect();
        let mut system = Slopes { motion: self, state: from.clone(), resting: resting(from) };
        Ok(Path::Along(ode::integrate(&mut system, from.time, &y, end, self.stepper.tolerance, method)?))
    }
}

/// (q, p)′ in the units of the momenta.
struct Slopes<'m> {
    motion: &'m Canonical,
    state: State,
    resting: Vec<usize>,
}

impl ode::System for Slopes<'_> {
    type Error = Lack;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Lack> {
        let Canonical { code, units, .. } = self.motion;
        let (n, state) = (code.n, &mut self.state);
        state.time = t;
        state.q.copy_from_slice(&y[..n]);
        state.p.iter_mut().zip(y[n..].iter().zip(units)).for_each(|(p, (y, unit))| *p = y * unit);
        rates.copy_from_slice(&code.flow(t, &state.q, &state.p)?);
        if !self.resting.is_empty() {
            let stops = code.stops(state)?;
            let pushes = self.motion.pushes(&stops, &self.resting)?;
            for (&it, push) in self.resting.iter().zip(pushes) {
                let row = &stops.held.rows[it * n..][..n];
                rates[n..].iter_mut().zip(row).for_each(|(rate, row)| *rate += row * push);
            }
        }
        rates[n..].iter_mut().zip(units).for_each(|(rate, unit)| *rate /= unit);
        Ok(())
    }
}

/// One step of the implicit midpoint rule, z₁ = z₀ + h f(z̄) with z̄ = (z₀ + z₁)/2 and z = (q, p), which is
/// symplectic (@hairer2006). z̄ = z₀ + ½h f(z̄) is solved by Newton's method to rounding.
fn midpoint(code: &Code, state: &mut State, h: f64, end: f64) -> Result<(), Trouble> {
    let (n, middle) = (code.n, end - 0.5 * h);
    let before: Vec<f64> = state.q.iter().chain(&state.p).copied().collect();
    let start = code.flow(middle, &state.q, &state.p)?;
    let mut z: Vec<f64> = before.iter().zip(&start).map(|(z, rate)| z + 0.5 * h * rate).collect();
    let mut least = f64::INFINITY;
    for _ in 0..NEWTON {
        let (flow, slopes) = code.tangent(middle, &z[..n], &z[n..])?;
        let mut change: Vec<f64> = (0..2 * n).map(|i| before[i] + 0.5 * h * flow[i] - z[i]).collect();
        let mut table: Vec<f64> = slopes.iter().map(|slope| -0.5 * h * slope).collect();
        (0..2 * n).for_each(|i| table[i * 2 * n + i] += 1.0);
        if !solve(&mut table, &mut change) {
            return Err(Lack::Singular.into());
        }
        z.iter_mut().zip(&change).for_each(|(z, change)| *z += change);
        // Coordinates and momenta have units of their own.
        let part = |half: std::ops::Range<usize>| {
            let size = half.clone().fold(0.0f64, |most, i| most.max(before[i].abs() + (h * flow[i]).abs()));
            let most = half.fold(0.0f64, |most, i| most.max(change[i].abs()));
            if size > 0.0 { most / size } else { most }
        };
        let changed = part(0..n).max(part(n..2 * n));
        // Roundings may go round in circles.
        if changed <= 2.0 * f64::EPSILON || (changed >= 0.5 * least && changed <= 1e-11) {
            let flow = code.flow(middle, &z[..n], &z[n..])?;
            let after: Vec<f64> = before.iter().zip(&flow).map(|(z, rate)| z + h * rate).collect();
            state.q.copy_from_slice(&after[..n]);
            state.p.copy_from_slice(&after[n..]);
            return arrive(code, state, end);
        }
        if !changed.is_finite() || changed > 1e3 * least {
            break;
        }
        least = least.min(changed);
    }
    Err(Lack::Unsettled.into())
}

/// A step of kicks, p += h F(q, t), and drifts, q += h ∂T/∂p.
fn splitting(code: &Code, split: Split, from: &State, end: f64) -> Result<State, Trouble> {
    let n = code.n;
    let mut state = from.clone();
    let mut kick = |state: &mut State, h: f64| -> Result<(), Trouble> {
        let flow = code.flow(state.time, &state.q, &state.p)?;
        state.p.iter_mut().zip(&flow[n..]).for_each(|(p, force)| *p += h * force);
        Ok(())
    };
    let mut drift = |state: &mut State, h: f64| -> Result<(), Trouble> {
        let flow = code.flow(state.time, &state.q, &state.p)?;
        state.q.iter_mut().zip(&flow[..n]).for_each(|(q, rate)| *q += h * rate);
        state.time += h;
        Ok(())
    };
    split.compose(&mut state, end - from.time, &mut kick, &mut drift)?;
    arrive(code, &mut state, end)?;
    Ok(state)
}

/// The end of a step: its time, and the rates there.
fn arrive(code: &Code, state: &mut State, end: f64) -> Result<(), Trouble> {
    if state.q.iter().chain(&state.p).any(|it| !it.is_finite()) {
        return Err(Trouble::Stuck(format!(
            "a coordinate or momentum is too large for a number near t = {end}"
        )));
    }
    state.time = end;
    state.v = code.rates(state)?;
    Ok(())
}
