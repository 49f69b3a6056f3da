//! The start of a system that moves by Hamilton's equations: where its momenta are given, its rates follow;
//! where its rates are given, momenta are looked for that have them.

use super::fields::LagrangianLists;
use super::initial_values::InitialValues;
use super::model::Lagrangian;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_math::linalg::solve;
use gedanken_symbolic::lagrange::Hamilton;
use gedanken_symbolic::{Expr, Pool, Symbol};
use std::collections::HashMap;

/// Newton steps that find momenta, and how often one of them is halved.
const MAX_NEWTON_STEPS: usize = 100;

/// Largest error of the rates of the momenta that were found, relative to their size.
const RATE_TOLERANCE: f64 = 1e-9;

/// Gives a system both its rates and its momenta at the start.
pub(super) fn settle(
    lagrangian: &mut Lagrangian,
    hamilton: &Hamilton,
    written: &LagrangianLists<'_>,
    values: &InitialValues,
) -> Result<(), Box<Diagnostic>> {
    let mut rates = MomentumSolver::new(lagrangian, hamilton);
    let momenta = match &values.momenta {
        Some(given) => given.clone(),
        None => rates.inverse(&lagrangian.rates).ok_or_else(|| Box::new(unreached(lagrangian, written)))?,
    };
    let found = rates.at(&momenta, &hamilton.rates);
    let forces = rates.at(&momenta, &hamilton.forces);
    let is_lacking = |place: &usize| !(found[*place].is_finite() && forces[*place].is_finite());
    if let Some(place) = (0..found.len()).find(is_lacking) {
        let name = &lagrangian.system.coordinates[place].name;
        let message = format!("Hamilton's equations of `{name}` have no value at the start");
        return Err(Box::new(
            Diagnostic::new(Code::E765, lagrangian.place(name), message)
                .label("something is divided by zero, or not real")
                .help("start a little beside this point, or with other `momenta`"),
        ));
    }
    (lagrangian.rates, lagrangian.momenta) = (found, momenta);
    Ok(())
}

/// Message if no momenta have the rates that are wanted.
fn unreached(lagrangian: &Lagrangian, written: &LagrangianLists<'_>) -> Diagnostic {
    let first = &lagrangian.system.coordinates[0].name;
    let message = match written.rates.is_empty() {
        true => "no momenta were found with which this system is at rest".to_owned(),
        false => {
            let rates = lagrangian.system.coordinates.iter().zip(&lagrangian.rates);
            let rates: Vec<String> =
                rates.take(6).map(|(it, &rate)| format!("{}_dot = {}", it.name, Value::Real(rate))).collect();
            format!("no momenta were found that have the rates {}", rates.join(", "))
        }
    };
    let place = if written.rates.is_empty() { lagrangian.span } else { written.fields.span_of("rates") };
    Diagnostic::new(Code::E765, place, message)
        .label("H may allow no such rates")
        .help(format!("write the momenta themselves: `momenta = {{ p_{first} = 1 }}`"))
}

/// q̇ = ∂H/∂p as a function of the momenta alone, everything else being as it is at the start.
struct MomentumSolver<'h> {
    pool: Pool,
    at: HashMap<Symbol, f64>,
    momenta: Vec<Option<Symbol>>,
    rates: &'h [Expr],
    /// ∂q̇/∂p
    slopes: Vec<Expr>,
}

impl<'h> MomentumSolver<'h> {
    fn new(lagrangian: &Lagrangian, hamilton: &'h Hamilton) -> Self {
        let mut pool = lagrangian.pool.clone();
        let momenta: Vec<Expr> = lagrangian.system.coordinates.iter().map(|it| it.momentum).collect();
        let slopes = pool.jacobian(&hamilton.rates, &momenta).entries;
        let momenta = momenta.iter().map(|&it| pool.as_symbol(it)).collect();
        Self { at: lagrangian.values(0.0), momenta, rates: &hamilton.rates, slopes, pool }
    }

    /// Formulas where the momenta are these.
    fn at(&mut self, momenta: &[f64], formulas: &[Expr]) -> Vec<f64> {
        let Self { pool, at, momenta: symbols, .. } = self;
        at.extend(symbols.iter().zip(momenta).filter_map(|(symbol, &value)| Some(((*symbol)?, value))));
        let value = |symbol: Symbol| at.get(&symbol).copied().unwrap_or(f64::NAN);
        formulas.iter().map(|&it| pool.evaluate(it, &value)).collect()
    }

    /// Momenta that have these rates, by Newton's method. It starts from momenta as large as the rates, and
    /// from none: the rates of p⁴ do not change near 0, and those of √(p²c² + m²c⁴) do not far from it.
    fn inverse(&mut self, rates: &[f64]) -> Option<Vec<f64>> {
        [rates.to_vec(), vec![0.0; rates.len()]].into_iter().find_map(|start| self.newton(rates, start))
    }

    fn newton(&mut self, rates: &[f64], start: Vec<f64>) -> Option<Vec<f64>> {
        let size = rates.iter().fold(1.0f64, |most, it| most.max(it.abs()));
        let slopes = self.slopes.clone();
        let mut momenta = start;
        let (mut off, mut most) = self.off(rates, &momenta)?;
        for _ in 0..MAX_NEWTON_STEPS {
            if most == 0.0 {
                break;
            }
            let mut table = self.at(&momenta, &slopes);
            let mut change = off.clone();
            if !solve(&mut table, &mut change) {
                break;
            }
            // Shorter, until it is a step forward.
            let nearer = (0..MAX_NEWTON_STEPS).find_map(|_| {
                let tried: Vec<f64> = momenta.iter().zip(&change).map(|(p, change)| p + change).collect();
                change.iter_mut().for_each(|it| *it *= 0.5);
                let (off, found) = self.off(rates, &tried)?;
                (found < most).then_some((tried, off, found))
            });
            let Some(nearer) = nearer else { break };
            (momenta, off, most) = nearer;
        }
        (most <= RATE_TOLERANCE * size).then_some(momenta)
    }

    /// Errors of the rates of these momenta, and the largest; `None` where there are no rates.
    fn off(&mut self, rates: &[f64], momenta: &[f64]) -> Option<(Vec<f64>, f64)> {
        let formulas = self.rates;
        let found = self.at(momenta, formulas);
        let off: Vec<f64> = rates.iter().zip(found).map(|(wanted, found)| wanted - found).collect();
        let most = off.iter().fold(0.0f64, |most, it| most.max(it.abs()));
        off.iter().all(|it| it.is_finite()).then_some((off, most))
    }
}
