//! One step, tried: slopes, the change they make, and the estimate of its error. Nothing is kept before it is
//! accepted.

use super::method::Rule;
use super::piece::Piece;
use super::{Dense, Failure, System, Trouble};
use crate::integrate::{Pair, Tableau};

/// More rounds than a contraction of rate 0.8 needs from 1 to the rounding floor.
const MAX_ITERATIONS: u32 = 160;

/// Start of a step, and memory for its stages.
pub(super) struct Trial {
    rule: Rule,
    /// y at the start.
    start: Vec<f64>,
    /// Δ of the step.
    change: Vec<f64>,
    /// y at the end.
    end: Vec<f64>,
    /// β of the dense output.
    bulge: Vec<f64>,
    /// y where the next slope is taken.
    state: Vec<f64>,
    /// Row by row: the slope at the start, those of the stages within, the slope at the end.
    slopes: Vec<f64>,
    /// Number of stages before the end of the step, the first included.
    inner: usize,
}

impl Trial {
    pub(super) fn new(rule: Rule, start: &[f64]) -> Self {
        let inner = match rule {
            // The last slope of a pair is the one at the end.
            Rule::Explicit(Tableau { b, pair: Some(_), .. }) => b.len() - 1,
            Rule::Explicit(tableau) => tableau.b.len(),
            Rule::Midpoint => 2,
        };
        let zeros = || vec![0.0; start.len()];
        Self {
            rule,
            start: start.to_vec(),
            change: zeros(),
            end: zeros(),
            bulge: zeros(),
            state: zeros(),
            slopes: vec![0.0; (inner + 1) * start.len()],
            inner,
        }
    }

    /// Evaluates the slope at the start.
    pub(super) fn prime<E>(&mut self, system: &mut dyn System<Error = E>, t: f64) -> Result<(), Failure<E>> {
        let dimension = self.start.len();
        rates(system, t, &self.start, &mut self.slopes[..dimension])
    }

    /// The slope at the start.
    pub(super) fn first_rates(&self) -> &[f64] {
        &self.slopes[..self.start.len()]
    }

    /// The state at the start.
    pub(super) fn first_state(&self) -> &[f64] {
        &self.start
    }

    /// The slope after a short step of Euler's, h long; for the choice of the first step.
    pub(super) fn probe<E>(
        &mut self,
        system: &mut dyn System<Error = E>,
        t: f64,
        h: f64,
    ) -> Result<&[f64], Failure<E>> {
        let dimension = self.start.len();
        for (c, state) in self.state.iter_mut().enumerate() {
            *state = self.start[c] + h * self.slopes[c];
        }
        let slope = &mut self.slopes[dimension..2 * dimension];
        rates(system, t + h, &self.state, slope)?;
        Ok(slope)
    }

    /// Makes the step from `from` to `to`, up to the slope at its end.
    pub(super) fn attempt<E>(
        &mut self,
        system: &mut dyn System<Error = E>,
        from: f64,
        to: f64,
    ) -> Result<(), Failure<E>> {
        let h = to - from;
        match self.rule {
            Rule::Explicit(tableau) => self.explicit(system, tableau, from, to)?,
            Rule::Midpoint => self.midpoint(system, from, h)?,
        }
        for (c, end) in self.end.iter_mut().enumerate() {
            *end = self.start[c] + self.change[c];
        }
        let last = self.inner * self.start.len();
        rates(system, to, &self.end, &mut self.slopes[last..])?;
        if let Some(pair) = self.pair() {
            combine(&mut self.bulge, pair.dense.iter().map(|p| p[3]), &self.slopes, h);
        }
        match (0..self.start.len()).find(|&c| !self.piece(c).is_sound(h)) {
            Some(component) => Err(Trouble::NotFinite { time: to, component }.into()),
            None => Ok(()),
        }
    }

    /// Δ = h Σ_i b_i k_i with the slopes of a tableau.
    fn explicit<E>(
        &mut self,
        system: &mut dyn System<Error = E>,
        tableau: &Tableau,
        from: f64,
        to: f64,
    ) -> Result<(), Failure<E>> {
        let (h, dimension) = (to - from, self.start.len());
        for i in 1..self.inner {
            let (before, rest) = self.slopes.split_at_mut(i * dimension);
            combine(&mut self.state, tableau.a[i].iter().copied(), before, h);
            for (state, start) in self.state.iter_mut().zip(&self.start) {
                *state += start;
            }
            let t = if tableau.c[i] == 1.0 { to } else { from + tableau.c[i] * h };
            rates(system, t, &self.state, &mut rest[..dimension])?;
        }
        combine(&mut self.change, tableau.b[..self.inner].iter().copied(), &self.slopes, h);
        Ok(())
    }

    /// Δ = h f(t + ½h, y + ½Δ), by iteration until it stops changing or the changes stop shrinking at the
    /// rounding floor.
    fn midpoint<E>(
        &mut self,
        system: &mut dyn System<Error = E>,
        from: f64,
        h: f64,
    ) -> Result<(), Failure<E>> {
        let dimension = self.start.len();
        for (change, slope) in self.change.iter_mut().zip(&self.slopes) {
            *change = h * slope;
        }
        let mut before = f64::INFINITY;
        for _ in 0..MAX_ITERATIONS {
            for (c, state) in self.state.iter_mut().enumerate() {
                *state = self.start[c] + 0.5 * self.change[c];
            }
            let middle = &mut self.slopes[dimension..2 * dimension];
            rates(system, from + 0.5 * h, &self.state, middle)?;
            let mut moved: f64 = 0.0;
            for (c, change) in self.change.iter_mut().enumerate() {
                let next = h * middle[c];
                let size = self.start[c].abs() + next.abs() + f64::MIN_POSITIVE;
                moved = moved.max((next - *change).abs() / size);
                *change = next;
            }
            if moved == 0.0 || (moved >= before && moved <= 64.0 * f64::EPSILON) {
                return Ok(());
            }
            before = moved;
        }
        Err(Trouble::Unsettled { time: from }.into())
    }

    /// The largest estimated error of a component in units of tolerance·(1 + |y|); at most 1 if the step is
    /// good.
    pub(super) fn error(&mut self, h: f64, tolerance: f64) -> f64 {
        let Some(pair) = self.pair() else { return 0.0 };
        combine(&mut self.state, pair.error.iter().copied(), &self.slopes, h);
        let mut worst = 0.0;
        for (c, error) in self.state.iter().enumerate() {
            let scale = tolerance * (1.0 + self.start[c].abs().max(self.end[c].abs()));
            let ratio = error.abs() / scale;
            // What is not a number counts as large.
            worst = if ratio <= worst { worst } else { ratio };
        }
        worst
    }

    /// Accepts the step until `to` and stands at its end.
    pub(super) fn keep(&mut self, solution: &mut Dense, to: f64) {
        solution.push(to, (0..self.start.len()).map(|c| self.piece(c)), &self.end);
        let last = self.inner * self.start.len();
        self.slopes.copy_within(last.., 0);
        std::mem::swap(&mut self.start, &mut self.end);
    }

    fn pair(&self) -> Option<&'static Pair> {
        match self.rule {
            Rule::Explicit(tableau) => tableau.pair.as_ref(),
            Rule::Midpoint => None,
        }
    }

    fn piece(&self, c: usize) -> Piece {
        Piece {
            start: self.start[c],
            change: self.change[c],
            first: self.slopes[c],
            last: self.slopes[self.inner * self.start.len() + c],
            bulge: self.bulge[c],
        }
    }
}

/// out = h Σ_i w_i k_i.
fn combine(out: &mut [f64], weights: impl Iterator<Item = f64>, slopes: &[f64], h: f64) {
    out.fill(0.0);
    if out.is_empty() {
        return;
    }
    for (w, slope) in weights.zip(slopes.chunks_exact(out.len())).filter(|(w, _)| *w != 0.0) {
        for (out, k) in out.iter_mut().zip(slope) {
            *out += w * k;
        }
    }
    for out in out {
        *out *= h;
    }
}

/// The rates at `t`. No law sees a number that is not finite, and none gets away with one.
fn rates<E>(
    system: &mut dyn System<Error = E>,
    t: f64,
    y: &[f64],
    slope: &mut [f64],
) -> Result<(), Failure<E>> {
    let check = |values: &[f64]| match values.iter().position(|x| !x.is_finite()) {
        Some(component) => Err(Trouble::NotFinite { time: t, component }),
        None => Ok(()),
    };
    check(y)?;
    system.rates(t, y, slope).map_err(|error| Failure::Rates { time: t, error })?;
    check(slope)?;
    Ok(())
}
