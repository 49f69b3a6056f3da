//! Lagrange's equations as code: what methods ask for.
//!
//! M q̈ = f + Aᵀλ, A q̈ = b, where the rows of A are those of all constraints, and of the stops on which the
//! system rests.

use super::compiled::{Compiled, Compiler};
use super::motion::{Held, Lack};
use crate::run::options::Options;
use gedanken_experiment::Lagrangian;
use gedanken_math::linalg::solve;
use gedanken_symbolic::lagrange::{ConstraintKind, Equations};
use gedanken_symbolic::{Derivation, Expr};

/// Newton steps that bring a state onto its constraints, at most.
const STEPS: usize = 50;

/// Lagrange's equations of a system.
#[derive(Debug)]
pub(super) struct Model {
    /// How many coordinates there are.
    pub(super) n: usize,
    /// Of each constraint, and then of each stop, what it holds.
    pub(super) holds: Vec<ConstraintKind>,
    /// How many of them are constraints.
    pub(super) constraints: usize,
    /// q̈ and λ of the constraints, if the system rests on no stop.
    free: Compiled,
    /// M, f, and for each constraint and stop b.
    pieces: Compiled,
    /// For each constraint and stop its value, its speed, and its row of A.
    held: Compiled,
    /// ∂L/∂q̇ and the force ∂L/∂q + Q − ∂R/∂q̇.
    slopes: Compiled,
    /// The same, and their derivatives by q and q̇: ∂p/∂q, ∂p/∂q̇, ∂F/∂q, ∂F/∂q̇.
    tangent: Compiled,
}

/// Momenta and forces at a state, with their derivatives.
#[derive(Clone, Debug, Default)]
pub(super) struct Tangent {
    /// p, F, ∂p/∂q, ∂p/∂q̇, ∂F/∂q, ∂F/∂q̇, one after the other.
    all: Vec<f64>,
    n: usize,
}

impl Tangent {
    pub(super) fn momenta(&self) -> &[f64] {
        &self.all[..self.n]
    }

    pub(super) fn forces(&self) -> &[f64] {
        &self.all[self.n..2 * self.n]
    }

    /// One of the four matrices.
    fn matrix(&self, number: usize) -> &[f64] {
        let square = self.n * self.n;
        &self.all[2 * self.n + number * square..][..square]
    }

    pub(super) fn momenta_by_position(&self) -> &[f64] {
        self.matrix(0)
    }

    pub(super) fn momenta_by_rate(&self) -> &[f64] {
        self.matrix(1)
    }

    pub(super) fn forces_by_position(&self) -> &[f64] {
        self.matrix(2)
    }

    pub(super) fn forces_by_rate(&self) -> &[f64] {
        self.matrix(3)
    }
}

impl Model {
    /// Compiles the equations of a system. An error says what cannot be compiled.
    pub(super) fn new(
        lagrangian: &Lagrangian,
        equations: &Equations,
        options: &Options,
    ) -> Result<Self, String> {
        let system = &lagrangian.system;
        let mut pool = lagrangian.derived().pool.clone();
        let course = equations.straight_line(&mut pool);
        let positions: Vec<Expr> = system.coordinates.iter().map(|it| it.position).collect();
        let rates: Vec<Expr> = system.coordinates.iter().map(|it| it.rate).collect();
        let n = positions.len();

        let lost = pool.gradient(system.dissipation, &rates);
        let mut forces = Vec::with_capacity(n);
        for ((&pull, &force), &lost) in equations.pulls.iter().zip(&system.forces).zip(&lost) {
            let driven = pool.add(pull, force);
            forces.push(pool.sub(driven, lost));
        }
        let slopes: Vec<Expr> = equations.momenta.iter().chain(&forces).copied().collect();
        let mut tangent = slopes.clone();
        for what in [&equations.momenta, &forces] {
            for by in [&positions, &rates] {
                tangent.extend(what.iter().flat_map(|&it| pool.gradient(it, by)).collect::<Vec<_>>());
            }
        }

        let mut holds: Vec<ConstraintKind> = system.constraints.iter().map(|it| it.kind).collect();
        let (mut values, mut speeds, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        let mut pieces: Vec<Expr> = equations.mass.entries.iter().chain(&equations.right).copied().collect();
        pieces.extend(&equations.bias);
        for (place, constraint) in system.constraints.iter().enumerate() {
            values.push(if constraint.kind == ConstraintKind::Position {
                constraint.value
            } else {
                pool.zero()
            });
            speeds.push(equations.speeds[place]);
            rows.extend(equations.rows.row(place));
        }
        let one = pool.one();
        let moving = positions.iter().copied().zip(rates.iter().copied()).chain([(system.time, one)]);
        let mut along = Derivation::in_time(moving);
        for stop in &lagrangian.stops {
            let value = stop.scalars[0];
            let speed = along.of(&mut pool, value);
            let rest = along.of(&mut pool, speed);
            values.push(value);
            speeds.push(speed);
            rows.extend(pool.gradient(value, &positions));
            pieces.push(pool.neg(rest));
            holds.push(ConstraintKind::Position);
        }
        let held: Vec<Expr> = values.into_iter().chain(speeds).chain(rows).collect();

        let mut compiler = Compiler::new(lagrangian, pool, options);
        Ok(Self {
            n,
            constraints: system.constraints.len(),
            holds,
            free: compiler.course(&course)?,
            pieces: compiler.formulas(&pieces)?,
            held: compiler.formulas(&held)?,
            slopes: compiler.formulas(&slopes)?,
            tangent: compiler.formulas(&tangent)?,
        })
    }

    /// How many constraints and stops there are.
    pub(super) fn all_held(&self) -> usize {
        self.holds.len()
    }

    /// Values, speeds and rows of all constraints and stops.
    pub(super) fn held(&self, time: f64, q: &[f64], v: &[f64]) -> Result<Held, Lack> {
        let count = self.all_held();
        let mut all = vec![0.0; self.held.len()];
        if !self.held.run(time, q, v, &mut all) {
            return Err(Lack::Formula);
        }
        let rows = all.split_off(2 * count);
        let speeds = all.split_off(count);
        Ok(Held { values: all, speeds, rows })
    }

    /// p and F.
    pub(super) fn slopes(&self, time: f64, q: &[f64], v: &[f64], out: &mut [f64]) -> Result<(), Lack> {
        if self.slopes.run(time, q, v, out) { Ok(()) } else { Err(Lack::Formula) }
    }

    /// p and F with their derivatives.
    pub(super) fn tangent(&self, time: f64, q: &[f64], v: &[f64], out: &mut Tangent) -> Result<(), Lack> {
        out.n = self.n;
        out.all.resize(self.tangent.len(), 0.0);
        if self.tangent.run(time, q, v, &mut out.all) { Ok(()) } else { Err(Lack::Formula) }
    }

    /// Those who are held: all constraints, and the stops on which the system rests.
    pub(super) fn active(&self, resting: &[bool]) -> Vec<usize> {
        let stops = resting.iter().enumerate().filter(|(_, rests)| **rests);
        (0..self.constraints).chain(stops.map(|(stop, _)| self.constraints + stop)).collect()
    }

    /// q̈ into `out`; λ of all constraints and stops into `multipliers`, 0 for stops on which the system does
    /// not rest.
    pub(super) fn accelerations(
        &self,
        time: f64,
        q: &[f64],
        v: &[f64],
        resting: &[bool],
        out: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Lack> {
        multipliers.fill(0.0);
        let free = !resting.contains(&true);
        if free && self.free.run_apart(time, q, v, out, &mut multipliers[..self.constraints]) {
            return Ok(());
        }
        // Where nothing rests on a stop: an elimination in fixed order may meet a zero that one with pivoting
        // does not.
        self.by_elimination(time, q, v, resting, out, multipliers)
    }

    fn by_elimination(
        &self,
        time: f64,
        q: &[f64],
        v: &[f64],
        resting: &[bool],
        out: &mut [f64],
        multipliers: &mut [f64],
    ) -> Result<(), Lack> {
        let (n, active) = (self.n, self.active(resting));
        let mut pieces = vec![0.0; self.pieces.len()];
        if !self.pieces.run(time, q, v, &mut pieces) {
            return Err(Lack::Formula);
        }
        let held = self.held(time, q, v)?;
        let (mass, rest) = pieces.split_at(n * n);
        let (right, bias) = rest.split_at(n);
        let mut b: Vec<f64> = right.iter().copied().chain(active.iter().map(|&it| bias[it])).collect();
        let mut table = self.bordered(mass, &held, &active);
        if !solve(&mut table, &mut b) {
            return Err(Lack::Singular);
        }
        out.copy_from_slice(&b[..n]);
        for (&it, lambda) in active.iter().zip(&b[n..]) {
            multipliers[it] = -lambda;
        }
        Ok(())
    }

    /// [M Aᵀ; A 0]
    fn bordered(&self, mass: &[f64], held: &Held, active: &[usize]) -> Vec<f64> {
        let (n, size) = (self.n, self.n + active.len());
        let mut table = vec![0.0; size * size];
        for i in 0..n {
            table[i * size..][..n].copy_from_slice(&mass[i * n..][..n]);
            for (k, &it) in active.iter().enumerate() {
                let entry = held.rows[it * n + i];
                table[i * size + n + k] = entry;
                table[(n + k) * size + i] = entry;
            }
        }
        table
    }

    /// How fast a stop would be left or passed: g̈ = A q̈ − b, for these accelerations.
    pub(super) fn bend(&self, time: f64, q: &[f64], v: &[f64], a: &[f64], held: usize) -> Result<f64, Lack> {
        let mut pieces = vec![0.0; self.pieces.len()];
        if !self.pieces.run(time, q, v, &mut pieces) {
            return Err(Lack::Formula);
        }
        let bias = pieces[self.n * self.n + self.n + held];
        let rows = self.held(time, q, v)?.rows;
        let along: f64 = rows[held * self.n..][..self.n].iter().zip(a).map(|(a, b)| a * b).sum();
        Ok(along - bias)
    }

    /// Brings coordinates onto the holonomic ones of those who are held, the shortest way as the mass matrix
    /// measures it.
    pub(super) fn project_positions(
        &self,
        time: f64,
        q: &mut [f64],
        v: &[f64],
        active: &[usize],
    ) -> Result<(), Lack> {
        let active: Vec<usize> =
            active.iter().copied().filter(|&it| self.holds[it] == ConstraintKind::Position).collect();
        if active.is_empty() {
            return Ok(());
        }
        let mut tangent = Tangent::default();
        self.tangent(time, q, v, &mut tangent)?;
        let mut least = f64::INFINITY;
        for _ in 0..STEPS {
            let held = self.held(time, q, v)?;
            let off = active.iter().map(|&it| held.values[it].abs()).fold(0.0, f64::max);
            // At rounding, or as near as it gets.
            if off == 0.0 || off >= least {
                return if least < 1e-6 || off == 0.0 { Ok(()) } else { Err(Lack::Unsettled) };
            }
            least = off;
            let mut b = vec![0.0; self.n];
            b.extend(active.iter().map(|&it| -held.values[it]));
            let mut table = self.bordered(tangent.momenta_by_rate(), &held, &active);
            if !solve(&mut table, &mut b) {
                return Err(Lack::Singular);
            }
            q.iter_mut().zip(&b).for_each(|(q, change)| *q += change);
        }
        Ok(())
    }

    /// The rates that have these momenta, up to impulses Aᵀμ of those who are held, so that none of them is
    /// broken: v starts from a guess, and `momenta` gets the impulses.
    pub(super) fn rates_of(
        &self,
        time: f64,
        q: &[f64],
        momenta: &mut [f64],
        v: &mut [f64],
        active: &[usize],
    ) -> Result<(), Lack> {
        let n = self.n;
        let mut tangent = Tangent::default();
        let mut impulses = vec![0.0; active.len()];
        let mut least = f64::INFINITY;
        for _ in 0..STEPS {
            self.tangent(time, q, v, &mut tangent)?;
            let held = if active.is_empty() { Held::default() } else { self.held(time, q, v)? };
            let mut b: Vec<f64> = (0..n).map(|i| momenta[i] - tangent.momenta()[i]).collect();
            for (&it, impulse) in active.iter().zip(&impulses) {
                b.iter_mut().zip(&held.rows[it * n..][..n]).for_each(|(b, row)| *b += row * impulse);
            }
            b.extend(active.iter().map(|&it| -held.speeds[it]));
            // M δv − Aᵀ δμ = rest: the multipliers come with the other sign.
            let mut table = self.bordered(tangent.momenta_by_rate(), &held, active);
            if !solve(&mut table, &mut b) {
                return Err(Lack::Singular);
            }
            let size = v.iter().fold(0.0f64, |most, it| most.max(it.abs()));
            let change = b[..n].iter().fold(0.0f64, |most, it| most.max(it.abs()));
            v.iter_mut().zip(&b).for_each(|(v, change)| *v += change);
            impulses.iter_mut().zip(&b[n..]).for_each(|(impulse, change)| *impulse -= change);
            if change <= 4.0 * f64::EPSILON * size || change >= least {
                if change > 1e-9 * (1.0 + size) {
                    return Err(Lack::Unsettled);
                }
                for (&it, impulse) in active.iter().zip(&impulses) {
                    momenta
                        .iter_mut()
                        .zip(&held.rows[it * n..][..n])
                        .for_each(|(p, row)| *p += row * impulse);
                }
                return Ok(());
            }
            least = change;
        }
        Err(Lack::Unsettled)
    }

    /// Rates changed by impulses of those who are held, so that none of them is broken.
    pub(super) fn project_rates(
        &self,
        time: f64,
        q: &[f64],
        v: &mut [f64],
        active: &[usize],
    ) -> Result<(), Lack> {
        if active.is_empty() {
            return Ok(());
        }
        let mut momenta = self.momenta(time, q, v)?;
        self.rates_of(time, q, &mut momenta, v, active)
    }

    /// ∂L/∂q̇
    pub(super) fn momenta(&self, time: f64, q: &[f64], v: &[f64]) -> Result<Vec<f64>, Lack> {
        let mut slopes = vec![0.0; 2 * self.n];
        self.slopes(time, q, v, &mut slopes)?;
        slopes.truncate(self.n);
        Ok(slopes)
    }
}
