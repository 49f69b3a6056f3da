//! Hamilton's equations as code: formulas of time, coordinates and momenta.

use super::super::compiled::{Compiled, Compiler};
use super::super::motion::{Held, Lack};
use super::super::state::State;
use crate::run::options::Options;
use gedanken_experiment::Lagrangian;
use gedanken_symbolic::lagrange::Hamilton;
use gedanken_symbolic::{Derivation, Expr};

/// Hamilton's equations of a system.
#[derive(Debug)]
pub(super) struct Code {
    /// How many coordinates there are.
    pub(super) n: usize,
    /// How many stops there are.
    count: usize,
    /// q̇ and ṗ.
    flow: Compiled,
    /// The same, and their derivatives by q and p, row by row.
    tangent: Compiled,
    /// For each stop g, then for each ġ, ∂g/∂q, ∂ġ/∂p, and g̈ where nothing rests.
    stops: Compiled,
}

/// Numbers of all stops at a state.
#[derive(Debug)]
pub(super) struct Stops {
    pub(super) held: Held,
    /// ∂ġ/∂p, row by row.
    pub(super) lifts: Vec<f64>,
    /// g̈ where the system rests on none.
    pub(super) bends: Vec<f64>,
}

impl Stops {
    /// (∂ġ/∂p) Aᵀ of some stops, row by row: how fast each would be left for a unit of the push of each.
    pub(super) fn lifted(&self, some: &[usize]) -> Vec<f64> {
        let n = self.lifts.len() / self.bends.len().max(1);
        let row = |all: &[f64], it: usize| all[it * n..(it + 1) * n].to_vec();
        let entry = |i: usize, k: usize| -> f64 {
            row(&self.lifts, i).iter().zip(row(&self.held.rows, k)).map(|(a, b)| a * b).sum()
        };
        some.iter().flat_map(|&i| some.iter().map(move |&k| (i, k))).map(|(i, k)| entry(i, k)).collect()
    }
}

impl Code {
    pub(super) fn new(
        lagrangian: &Lagrangian,
        hamilton: &Hamilton,
        options: &Options,
    ) -> Result<Self, String> {
        let system = &lagrangian.system;
        let mut pool = lagrangian.derived().pool.clone();
        let positions: Vec<Expr> = system.coordinates.iter().map(|it| it.position).collect();
        let momenta: Vec<Expr> = system.coordinates.iter().map(|it| it.momentum).collect();
        let flow: Vec<Expr> = hamilton.rates.iter().chain(&hamilton.forces).copied().collect();
        let variables: Vec<Expr> = positions.iter().chain(&momenta).copied().collect();
        let slopes = pool.jacobian(&flow, &variables).entries;
        let tangent: Vec<Expr> = flow.iter().copied().chain(slopes).collect();

        let one = pool.one();
        let moving = variables.iter().copied().zip(flow.iter().copied()).chain([(system.time, one)]);
        let mut along = Derivation::in_time(moving);
        let [mut values, mut speeds, mut rows, mut lifts, mut bends] = [const { Vec::new() }; 5];
        for stop in &lagrangian.stops {
            let value = stop.scalars[0];
            let speed = along.of(&mut pool, value);
            values.push(value);
            speeds.push(speed);
            rows.extend(pool.gradient(value, &positions));
            lifts.extend(pool.gradient(speed, &momenta));
            bends.push(along.of(&mut pool, speed));
        }
        let stops: Vec<Expr> = [values, speeds, rows, lifts, bends].concat();
        let mut compiler = Compiler::new(lagrangian, pool, options);
        Ok(Self {
            n: positions.len(),
            count: lagrangian.stops.len(),
            flow: compiler.formulas(&flow)?,
            tangent: compiler.formulas(&tangent)?,
            stops: compiler.formulas(&stops)?,
        })
    }

    /// q̇ and ṗ, one after the other.
    pub(super) fn flow(&self, time: f64, q: &[f64], p: &[f64]) -> Result<Vec<f64>, Lack> {
        run(&self.flow, time, q, p)
    }

    /// q̇
    pub(super) fn rates(&self, state: &State) -> Result<Vec<f64>, Lack> {
        let mut flow = self.flow(state.time, &state.q, &state.p)?;
        flow.truncate(self.n);
        Ok(flow)
    }

    /// q̇ and ṗ, and their derivatives by q and p, row by row.
    pub(super) fn tangent(&self, time: f64, q: &[f64], p: &[f64]) -> Result<(Vec<f64>, Vec<f64>), Lack> {
        let mut flow = run(&self.tangent, time, q, p)?;
        let slopes = flow.split_off(2 * self.n);
        Ok((flow, slopes))
    }

    /// All that is known of the stops.
    pub(super) fn stops(&self, state: &State) -> Result<Stops, Lack> {
        let mut values = run(&self.stops, state.time, &state.q, &state.p)?;
        let mut speeds = values.split_off(self.count);
        let mut rows = speeds.split_off(self.count);
        let mut lifts = rows.split_off(self.n * self.count);
        let bends = lifts.split_off(self.n * self.count);
        Ok(Stops { held: Held { values, speeds, rows }, lifts, bends })
    }
}

fn run(code: &Compiled, time: f64, q: &[f64], p: &[f64]) -> Result<Vec<f64>, Lack> {
    let mut out = vec![0.0; code.len()];
    if code.run(time, q, p, &mut out) { Ok(out) } else { Err(Lack::Formula) }
}
