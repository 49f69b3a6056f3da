//! Motion by Lagrange's equations: states are coordinates and rates, and for methods of positions and momenta
//! these as well.

use super::model::{Model, Tangent};
use super::motion::{Held, Lack, Motion, Path, Trouble, on_the_way};
use super::state::State;
use super::step::Stepper;
use gedanken_math::linalg::solve;

/// Lagrange's equations with a method that follows them.
#[derive(Debug)]
pub(super) struct Lagrange {
    pub(super) model: Model,
    pub(super) stepper: Stepper,
}

impl Lagrange {
    /// q̈ and λ, the system resting on what it rests on.
    fn accelerations(&self, state: &State) -> Result<(Vec<f64>, Vec<f64>), Lack> {
        let mut multipliers = vec![0.0; self.model.all_held()];
        let mut a = vec![0.0; self.model.n];
        let State { time, q, v, resting, .. } = state;
        self.model.accelerations(*time, q, v, resting, &mut a, &mut multipliers)?;
        Ok((a, multipliers))
    }
}

impl Motion for Lagrange {
    fn constraints(&self) -> usize {
        self.model.constraints
    }

    fn held(&self, state: &State) -> Result<Held, Lack> {
        self.model.held(state.time, &state.q, &state.v)
    }

    fn multipliers(&self, state: &State) -> Result<Vec<f64>, Lack> {
        self.accelerations(state).map(|(_, multipliers)| multipliers)
    }

    fn bend(&self, state: &State, held: usize) -> Result<f64, Lack> {
        let (a, _) = self.accelerations(state)?;
        self.model.bend(state.time, &state.q, &state.v, &a, held)
    }

    fn settle(&self, state: &mut State) -> Result<(), Lack> {
        let active = self.model.active(&state.resting);
        self.model.project_positions(state.time, &mut state.q, &state.v, &active)?;
        self.model.project_rates(state.time, &state.q, &mut state.v, &active)?;
        if self.stepper.has_momenta() {
            state.p = self.model.momenta(state.time, &state.q, &state.v)?;
        }
        Ok(())
    }

    fn path(&self, from: &State, end: f64) -> Result<Path, Trouble> {
        self.stepper.path(&self.model, from, end)
    }

    fn at(&self, from: &State, path: &Path, time: f64) -> Result<State, Trouble> {
        match path {
            Path::Along(dense) => {
                let n = self.model.n;
                let all: Vec<f64> = match time == dense.end() {
                    true => dense.last().to_vec(),
                    false => (0..2 * n).map(|it| dense.value_of(it, time)).collect(),
                };
                let mut state = State { time, q: all[..n].to_vec(), v: all[n..].to_vec(), ..from.clone() };
                self.settle(&mut state)?;
                Ok(state)
            }
            Path::To(end) => on_the_way(self, from, end, time),
        }
    }

    /// An impact changes rates by an impulse along the stop, q̇⁺ = q̇⁻ + M⁻¹(∇g)ᵀ J.
    fn bounce(
        &self,
        before: &State,
        after: &mut State,
        held: usize,
        speed: f64,
    ) -> Result<Option<usize>, Trouble> {
        let (model, n) = (&self.model, self.model.n);
        let mut active = model.active(&after.resting);
        active.push(held);
        let seen = self.held(before)?;
        let mut tangent = Tangent::default();
        model.tangent(before.time, &before.q, &before.v, &mut tangent)?;
        let size = n + active.len();
        let mut table = vec![0.0; size * size];
        for i in 0..n {
            table[i * size..][..n].copy_from_slice(&tangent.momenta_by_rate()[i * n..][..n]);
            for (k, &it) in active.iter().enumerate() {
                table[i * size + n + k] = -seen.rows[it * n + i];
                table[(n + k) * size + i] = seen.rows[it * n + i];
            }
        }
        let mut b = vec![0.0; n];
        b.extend(
            active.iter().map(|&it| if it == held { speed - seen.speeds[it] } else { -seen.speeds[it] }),
        );
        if !solve(&mut table, &mut b) {
            return Err(Lack::Singular.into());
        }
        let pulling = active
            .iter()
            .zip(&b[n..])
            .find(|(it, impulse)| **it >= model.constraints && **it != held && **impulse < 0.0);
        if let Some((&it, _)) = pulling {
            return Ok(Some(it - model.constraints));
        }
        after.v = before.v.iter().zip(&b).map(|(v, change)| v + change).collect();
        if self.stepper.has_momenta() {
            after.p = model.momenta(after.time, &after.q, &after.v)?;
        }
        Ok(None)
    }
}
