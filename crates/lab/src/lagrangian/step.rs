//! Steps of Lagrange's equations: from a state to the next, by each method.
//!
//! A step gives a [`Path`]: the motion within it, which can be asked for any moment, so that stops are found
//! where they are met.

use super::model::{Model, Tangent};
use super::motion::{Held, Lack, Path, Trouble, in_parts};
use super::state::State;
use gedanken_dynamics::integrate::ode;
use gedanken_experiment::lagrangian::method::{Method, Split};
use gedanken_math::linalg::solve;
use gedanken_symbolic::lagrange::ConstraintKind;

/// Newton steps within one step of the variational rule, at most.
const NEWTON: usize = 100;

/// Makes steps.
#[derive(Debug)]
pub(super) struct Stepper {
    pub(super) method: Method,
    pub(super) tolerance: f64,
}

impl Stepper {
    /// Whether its states have momenta.
    pub(super) fn has_momenta(&self) -> bool {
        !matches!(self.method, Method::Slopes(_))
    }

    /// The motion from a state on, until `end`.
    pub(super) fn path(&self, model: &Model, from: &State, end: f64) -> Result<Path, Trouble> {
        match self.method {
            Method::Slopes(method) => self.along(model, method, from, end),
            Method::Variational(parts) => variational(model, parts, from, end).map(Path::To),
            // Kicks and drifts would leave the stops on which the system rests.
            Method::Splitting(_) if from.resting.contains(&true) => {
                variational(model, &[1.0], from, end).map(Path::To)
            }
            Method::Splitting(split) => splitting(model, split, from, end).map(Path::To),
        }
    }

    fn along(&self, model: &Model, method: ode::Method, from: &State, end: f64) -> Result<Path, Trouble> {
        let multipliers = vec![0.0; model.all_held()];
        let mut system = Rates { model, resting: &from.resting, multipliers };
        let y: Vec<f64> = from.q.iter().chain(&from.v).copied().collect();
        Ok(Path::Along(ode::integrate(&mut system, from.time, &y, end, self.tolerance, method)?))
    }
}

/// (q, q̇)′ = (q̇, q̈)
struct Rates<'m> {
    model: &'m Model,
    resting: &'m [bool],
    multipliers: Vec<f64>,
}

impl ode::System for Rates<'_> {
    type Error = Lack;

    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Lack> {
        let (q, v) = y.split_at(self.model.n);
        let (speeds, accelerations) = rates.split_at_mut(self.model.n);
        speeds.copy_from_slice(v);
        self.model.accelerations(t, q, v, self.resting, accelerations, &mut self.multipliers)
    }
}

/// Steps of the variational midpoint rule, with these parts of the whole length.
fn variational(model: &Model, parts: &[f64], from: &State, end: f64) -> Result<State, Trouble> {
    in_parts(parts, from, end, |state, length, until| midpoint(model, state, length, until))
}

/// One step of the variational midpoint rule (@marsden2001): with q̄ = (q₀ + q₁)/2, w = (q₁ − q₀)/h, p̄ and
/// F̄ taken there,
///
/// p₀ = p̄ − ½h F̄ − A(q₀)ᵀΛ,  p₁ = p̄ + ½h F̄ + A(q₁)ᵀμ,  c(q₁) = 0,  A(q₁) q̇₁ = 0
///
/// for holonomic constraints, as in RATTLE (@andersen1983); velocity constraints hold in the middle, A(q̄) w
/// = 0, and push there. The equations for w and Λ are solved by Newton's method to rounding.
fn midpoint(model: &Model, state: &mut State, h: f64, end: f64) -> Result<(), Trouble> {
    let n = model.n;
    let active = model.active(&state.resting);
    let middle = end - 0.5 * h;
    let step = Midpoint::new(model, state, &active, h, end)?;
    let (mut w, impulses) = step.settle()?;
    let (mid, last) = (step.at(&w, 0.5), step.at(&w, 1.0));
    let Midpoint { holonomic, rolling, .. } = step;
    let mut slopes = vec![0.0; 2 * n];
    model.slopes(middle, &mid, &w, &mut slopes)?;
    let mut p: Vec<f64> = (0..n).map(|i| slopes[i] + 0.5 * h * slopes[n + i]).collect();
    if !rolling.is_empty() {
        let centre = model.held(middle, &mid, &w)?;
        for (k, &it) in rolling.iter().enumerate() {
            let impulse = impulses[holonomic.len() + k];
            p.iter_mut().zip(&centre.rows[it * n..][..n]).for_each(|(p, row)| *p += row * impulse);
        }
    }
    state.q = last;
    if !holonomic.is_empty() {
        // The last Newton step moved coordinates by a rounding.
        model.project_positions(end, &mut state.q, &w, &holonomic)?;
    }
    model.rates_of(end, &state.q, &mut p, &mut w, &holonomic)?;
    state.p = p;
    state.v = w;
    if !rolling.is_empty() {
        // Seen from outside, velocity constraints hold at the ends as well.
        model.project_rates(end, &state.q, &mut state.v, &active)?;
    }
    state.time = end;
    Ok(())
}

/// The equations of a midpoint step for w and the impulses of what holds.
struct Midpoint<'a> {
    model: &'a Model,
    state: &'a State,
    h: f64,
    end: f64,
    /// What holds at the end of the step, and what in its middle.
    holonomic: Vec<usize>,
    rolling: Vec<usize>,
    /// Where the step begins; empty if nothing holds.
    first: Held,
}

impl<'a> Midpoint<'a> {
    fn new(model: &'a Model, state: &'a State, active: &[usize], h: f64, end: f64) -> Result<Self, Trouble> {
        let (holonomic, rolling) =
            active.iter().partition(|&&it| model.holds[it] == ConstraintKind::Position);
        let first = match active {
            [] => Held::default(),
            _ => model.held(state.time, &state.q, &state.v)?,
        };
        Ok(Self { model, state, h, end, holonomic, rolling, first })
    }

    /// The coordinates after a part of the step.
    fn at(&self, w: &[f64], part: f64) -> Vec<f64> {
        self.state.q.iter().zip(w).map(|(q, w)| q + part * self.h * w).collect()
    }

    /// w and the impulses, by Newton's method.
    fn settle(&self) -> Result<(Vec<f64>, Vec<f64>), Trouble> {
        let n = self.model.n;
        let mut tangent = Tangent::default();
        let mut w = self.state.v.clone();
        let mut impulses = vec![0.0; self.holonomic.len() + self.rolling.len()];
        let mut least = f64::INFINITY;
        for _ in 0..NEWTON {
            let (mut table, mut b) = self.linearised(&w, &impulses, &mut tangent)?;
            if !solve(&mut table, &mut b) {
                return Err(Lack::Singular.into());
            }
            let speed = w.iter().fold(0.0f64, |most, it| most.max(it.abs()));
            let change = b[..n].iter().fold(0.0f64, |most, it| most.max(it.abs()));
            w.iter_mut().zip(&b).for_each(|(w, change)| *w += change);
            impulses.iter_mut().zip(&b[n..]).for_each(|(impulse, change)| *impulse += change);
            // Roundings may go round in circles.
            let in_circles = change >= 0.5 * least && change <= 1e-11 * (1.0 + speed);
            if change <= 2.0 * f64::EPSILON * speed || change == 0.0 || in_circles {
                return Ok((w, impulses));
            }
            if !change.is_finite() || change > 1e3 * least {
                break;
            }
            least = least.min(change);
        }
        Err(Lack::Unsettled.into())
    }

    /// Matrix and right side of a Newton step.
    fn linearised(
        &self,
        w: &[f64],
        impulses: &[f64],
        tangent: &mut Tangent,
    ) -> Result<(Vec<f64>, Vec<f64>), Trouble> {
        let Self { model, state, h, end, holonomic, rolling, first } = self;
        let (n, half, middle) = (model.n, 0.5 * h, end - 0.5 * h);
        let size = n + impulses.len();
        let (mid, last) = (self.at(w, 0.5), self.at(w, 1.0));
        model.tangent(middle, &mid, w, tangent)?;
        let mut b: Vec<f64> =
            (0..n).map(|i| state.p[i] - tangent.momenta()[i] + half * tangent.forces()[i]).collect();
        let mut table = vec![0.0; size * size];
        for i in 0..n {
            for j in 0..n {
                let k = i * n + j;
                let by_rate = half * tangent.forces_by_rate()[k] - tangent.momenta_by_rate()[k];
                let by_position = half * tangent.forces_by_position()[k] - tangent.momenta_by_position()[k];
                table[i * size + j] = -(by_rate + half * by_position);
            }
        }
        if impulses.is_empty() {
            return Ok((table, b));
        }
        let ending = model.held(*end, &last, w)?;
        let centre = if rolling.is_empty() { Held::default() } else { model.held(middle, &mid, w)? };
        let all = holonomic.iter().map(|it| (it, true)).chain(rolling.iter().map(|it| (it, false)));
        for (k, (&it, is_holonomic)) in all.enumerate() {
            let row = it * n;
            let (pushing, holding, residual) = match is_holonomic {
                true => (&first.rows[row..row + n], &ending.rows[row..row + n], ending.values[it] / h),
                false => (&centre.rows[row..row + n], &centre.rows[row..row + n], centre.speeds[it]),
            };
            for i in 0..n {
                b[i] += pushing[i] * impulses[k];
                table[i * size + n + k] = -pushing[i];
                table[(n + k) * size + i] = -holding[i];
            }
            b.push(residual);
        }
        Ok((table, b))
    }
}

/// A step of kicks, p += h F, and drifts, q += h M⁻¹p.
fn splitting(model: &Model, split: Split, from: &State, end: f64) -> Result<State, Trouble> {
    let (n, h) = (model.n, end - from.time);
    let mut state = from.clone();
    let mut tangent = Tangent::default();
    model.tangent(state.time, &state.q, &state.v, &mut tangent)?;
    let mass = tangent.momenta_by_rate().to_vec();
    let mut slopes = vec![0.0; 2 * n];
    let mut kick = |state: &mut State, h: f64| -> Result<(), Trouble> {
        model.slopes(state.time, &state.q, &state.v, &mut slopes)?;
        state.p.iter_mut().zip(&slopes[n..]).for_each(|(p, force)| *p += h * force);
        Ok(())
    };
    let mut drift = |state: &mut State, h: f64| -> Result<(), Trouble> {
        let mut v = state.p.clone();
        if !solve(&mut mass.clone(), &mut v) {
            return Err(Lack::Singular.into());
        }
        state.q.iter_mut().zip(&v).for_each(|(q, v)| *q += h * v);
        state.time += h;
        Ok(())
    };
    split.compose(&mut state, h, &mut kick, &mut drift)?;
    state.time = end;
    state.v.clone_from(&state.p);
    if !solve(&mut mass.clone(), &mut state.v) {
        return Err(Lack::Singular.into());
    }
    if state.q.iter().chain(&state.p).any(|it| !it.is_finite()) {
        return Err(Trouble::Stuck(format!("a coordinate is too large for a number near t = {end}")));
    }
    Ok(state)
}
