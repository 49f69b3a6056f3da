//! The start: a state in which every constraint holds, and accelerations follow from the equations.
//!
//! A residual within rounding is removed, along the shortest way; anything larger is a mistake of the
//! author, who is told by how much, and what to change.

use super::fields::LagrangianLists;
use super::initial_momenta;
use super::initial_values::InitialValues;
use super::model::Lagrangian;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::Definition;
use gedanken_lang::value::Value;
use gedanken_math::linalg::solve;
use gedanken_symbolic::lagrange::{ConstraintKind, Equations, EquationsOfMotion};
use gedanken_symbolic::{Expr, Pool, Symbol};
use std::collections::HashMap;

/// Largest residual of a constraint at the start, relative to the size of its terms.
const CONSTRAINT_TOLERANCE: f64 = 1e-9;

/// Newton steps that bring a state onto its constraints.
const MAX_NEWTON_STEPS: usize = 8;

/// Brings the start onto all constraints. `None` if something is wrong that has been reported.
pub(super) fn settle(
    mut lagrangian: Lagrangian,
    written: &LagrangianLists<'_>,
    values: &InitialValues,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lagrangian> {
    let told = match lagrangian.equations.clone() {
        EquationsOfMotion::Lagrange(equations) => {
            InitialState { lagrangian: &mut lagrangian, equations: &equations, written }.settle(values)
        }
        EquationsOfMotion::Hamilton(hamilton) => {
            initial_momenta::settle(&mut lagrangian, &hamilton, written, values)
        }
    };
    match told.and_then(|()| stops(&lagrangian)) {
        Ok(()) => Some(lagrangian),
        Err(told) => {
            diagnostics.push(*told);
            None
        }
    }
}

struct InitialState<'s> {
    lagrangian: &'s mut Lagrangian,
    equations: &'s Equations,
    written: &'s LagrangianLists<'s>,
}

impl InitialState<'_> {
    fn settle(&mut self, values: &InitialValues) -> Result<(), Box<Diagnostic>> {
        self.positions()?;
        self.momenta(values)?;
        self.rates()?;
        self.accelerations()
    }

    /// The symbols' values as things stand. The time is that of a simulation, which may begin at any; here it
    /// is 0.
    fn at(&self) -> HashMap<Symbol, f64> {
        self.lagrangian.values(0.0)
    }

    fn value(&self, expr: Expr, at: &HashMap<Symbol, f64>) -> f64 {
        let value = |symbol: Symbol| at.get(&symbol).copied().unwrap_or(f64::NAN);
        self.lagrangian.pool.evaluate(expr, &value)
    }

    /// Returns `true` if constraints say the same at all times. Others are checked when a simulation
    /// begins.
    fn is_timeless(&self) -> bool {
        let Lagrangian { pool, system, .. } = &*self.lagrangian;
        !system.constraints.iter().any(|it| pool.contains(it.value, system.time))
    }

    fn line(&self, name: &str) -> Span {
        let lists = [&self.written.constraints, &self.written.velocity_constraints, &self.written.stops];
        let mut all = lists.into_iter().flatten();
        all.find(|it| it.name.text == name).map_or(self.lagrangian.span, |it: &&Definition| it.span)
    }

    /// Coordinates such that holonomic constraints hold.
    fn positions(&mut self) -> Result<(), Box<Diagnostic>> {
        let held: Vec<usize> = (0..self.lagrangian.system.constraints.len())
            .filter(|&it| self.lagrangian.system.constraints[it].kind == ConstraintKind::Position)
            .collect();
        if held.is_empty() || !self.is_timeless() {
            return Ok(());
        }
        let before = self.lagrangian.coordinates.clone();
        for step in 0..MAX_NEWTON_STEPS {
            let at = self.at();
            let values: Vec<f64> = held
                .iter()
                .map(|&it| self.value(self.lagrangian.system.constraints[it].value, &at))
                .collect();
            let rows: Vec<f64> = held
                .iter()
                .flat_map(|&it| self.equations.rows.row(it))
                .map(|&it| self.value(it, &at))
                .collect();
            if step == 0 {
                let wrong = held.iter().zip(&values).position(|(_, value)| !self.is_small(*value));
                if let Some(place) = wrong {
                    let n = before.len();
                    return Err(Box::new(self.broken(
                        held[place],
                        values[place],
                        &rows[place * n..][..n],
                        false,
                    )));
                }
            }
            if values.iter().all(|it| *it == 0.0) {
                break;
            }
            let Some(change) = shortest(&rows, &values, before.len()) else { break };
            self.lagrangian.coordinates.iter_mut().zip(change).for_each(|(it, change)| *it -= change);
        }
        Ok(())
    }

    /// Rates that have the given momenta: p = ∂L/∂q̇, which is linear in the rates or nearly so.
    fn momenta(&mut self, values: &InitialValues) -> Result<(), Box<Diagnostic>> {
        let Some(momenta) = &values.momenta else { return Ok(()) };
        for _ in 0..4 * MAX_NEWTON_STEPS {
            let at = self.at();
            let mut off: Vec<f64> = self.equations.momenta.iter().map(|&it| self.value(it, &at)).collect();
            off.iter_mut().zip(momenta).for_each(|(it, p)| *it = p - *it);
            let mut mass: Vec<f64> =
                self.equations.mass.entries.iter().map(|&it| self.value(it, &at)).collect();
            if off.iter().all(|it| *it == 0.0) {
                break;
            }
            if !solve(&mut mass, &mut off) {
                let message = "no rates have these momenta: the mass matrix is singular at the start";
                let place = self.written.fields.span_of("momenta");
                return Err(Box::new(
                    Diagnostic::new(Code::E765, place, message).help("start elsewhere, or give `rates`"),
                ));
            }
            self.lagrangian.rates.iter_mut().zip(off).for_each(|(it, change)| *it += change);
        }
        Ok(())
    }

    /// Rates such that all constraints go on to hold.
    fn rates(&mut self) -> Result<(), Box<Diagnostic>> {
        let constraints = self.lagrangian.system.constraints.len();
        if constraints == 0 || !self.is_timeless() {
            return Ok(());
        }
        let n = self.lagrangian.rates.len();
        let rows: Vec<f64> = {
            let at = self.at();
            self.equations.rows.entries.iter().map(|&it| self.value(it, &at)).collect()
        };
        for step in 0..MAX_NEWTON_STEPS {
            let at = self.at();
            let speeds: Vec<f64> = self.equations.speeds.iter().map(|&it| self.value(it, &at)).collect();
            if step == 0
                && let Some(wrong) = speeds.iter().position(|it| !self.is_small(*it))
            {
                return Err(Box::new(self.broken(wrong, speeds[wrong], &rows[wrong * n..][..n], true)));
            }
            if speeds.iter().all(|it| *it == 0.0) {
                break;
            }
            let Some(change) = shortest(&rows, &speeds, n) else { break };
            self.lagrangian.rates.iter_mut().zip(change).for_each(|(it, change)| *it -= change);
        }
        Ok(())
    }

    /// Checks that the accelerations follow at the start.
    fn accelerations(&self) -> Result<(), Box<Diagnostic>> {
        let (n, m) = (self.lagrangian.rates.len(), self.lagrangian.system.constraints.len());
        let at = self.at();
        let size = n + m;
        let mut table = vec![0.0; size * size];
        for i in 0..n {
            for j in 0..n {
                table[i * size + j] = self.value(self.equations.mass[(i, j)], &at);
            }
            for k in 0..m {
                let row = self.value(self.equations.rows[(k, i)], &at);
                table[i * size + n + k] = row;
                table[(n + k) * size + i] = row;
            }
        }
        let mut right: Vec<f64> = self.equations.right.iter().map(|&it| self.value(it, &at)).collect();
        right.extend(self.equations.bias.iter().map(|&it| self.value(it, &at)));
        let names: Vec<&str> = self.lagrangian.system.coordinates.iter().map(|it| it.name.as_str()).collect();
        let blamed = |place: usize| self.lagrangian.place(names[place]);
        if let Some(place) =
            (0..n).find(|&i| !right[i].is_finite() || !table[i * size..][..n].iter().all(|it| it.is_finite()))
        {
            let message = format!("the equation of `{}` has no value at the start", names[place]);
            return Err(Box::new(
                Diagnostic::new(Code::E765, blamed(place), message)
                    .label("something is divided by zero, or not real")
                    .help("start a little beside this point"),
            ));
        }
        let spread = (0..n).map(|i| table[i * size + i].abs()).fold(0.0, f64::max);
        if !solve(&mut table.clone(), &mut right) {
            let place = (0..n).find(|&i| table[i * size + i].abs() <= 1e-12 * spread).unwrap_or(0);
            let message = "the accelerations do not follow at the start: the mass matrix is singular there";
            return Err(Box::new(
                Diagnostic::new(Code::E765, blamed(place), message)
                    .label("has no inertia of its own here")
                    .help("start elsewhere; angles often have such points, as where two axes fall together"),
            ));
        }
        Ok(())
    }

    fn is_small(&self, residual: f64) -> bool {
        is_small(self.lagrangian, residual)
    }

    /// Message for a constraint that does not hold: its residual, and what to change.
    fn broken(&self, constraint: usize, residual: f64, row: &[f64], in_rates: bool) -> Diagnostic {
        let constraint = &self.lagrangian.system.constraints[constraint];
        let (name, value) = (&constraint.name, Value::Real(residual));
        let message = match (in_rates, constraint.kind) {
            (false, _) => format!("the constraint `{name}` is {value} at the start, not 0"),
            (true, ConstraintKind::Position) => {
                format!("the constraint `{name}` changes at the rate {value} at the start, not 0")
            }
            (true, ConstraintKind::Velocity) => {
                format!("the velocity constraint `{name}` is {value} at the start, not 0")
            }
        };
        let diagnostic = Diagnostic::new(Code::E766, self.line(name), message).label("does not hold");
        let strongest = (0..row.len()).max_by(|&a, &b| row[a].abs().total_cmp(&row[b].abs()));
        let Some(place) = strongest.filter(|&it| row[it] != 0.0 && residual.is_finite()) else {
            return diagnostic
                .help("choose other initial values: here no small change of a coordinate mends it");
        };
        let coordinate = &self.lagrangian.system.coordinates[place].name;
        match in_rates {
            true => {
                let rate = self.lagrangian.rates[place] - residual / row[place];
                diagnostic.help(format!("let `{coordinate}_dot` start from {}", Value::Real(short(rate))))
            }
            false => match self.along(constraint.value, place) {
                Some(found) => {
                    diagnostic.help(format!("let `{coordinate}` start from {}", Value::Real(short(found))))
                }
                None => diagnostic.help(format!("change where `{coordinate}` starts")),
            },
        }
    }

    /// The value of one coordinate at which a formula is zero, all others being as they are: by Newton's
    /// method.
    fn along(&self, formula: Expr, place: usize) -> Option<f64> {
        let mut pool: Pool = self.lagrangian.pool.clone();
        let symbol = self.lagrangian.system.coordinates[place].position;
        let slope = pool.derivative(formula, symbol);
        let mut at = self.at();
        let symbol = pool.as_symbol(symbol)?;
        for _ in 0..60 {
            let value = |expr: Expr| pool.evaluate(expr, &|it| at.get(&it).copied().unwrap_or(f64::NAN));
            let change = value(formula) / value(slope);
            let found = at.get(&symbol)? - change;
            if !found.is_finite() {
                return None;
            }
            at.insert(symbol, found);
            if change.abs() <= 1e-15 * (1.0 + found.abs()) {
                return Some(found);
            }
        }
        None
    }
}

/// Stops that are passed before anything has moved.
fn stops(lagrangian: &Lagrangian) -> Result<(), Box<Diagnostic>> {
    let at = lagrangian.values(0.0);
    for stop in &lagrangian.stops {
        let symbol = |symbol: Symbol| at.get(&symbol).copied().unwrap_or(f64::NAN);
        let value = lagrangian.pool.evaluate(stop.scalars[0], &symbol);
        if value.is_nan() || (value < 0.0 && !is_small(lagrangian, value)) {
            let (name, value) = (&stop.name, Value::Real(value));
            let message = format!("the stop `{name}` is {value} at the start, and may not be negative");
            return Err(Box::new(
                Diagnostic::new(Code::E766, stop.span, message)
                    .label("passed already")
                    .help("start where it is 0 or greater, or turn its sign"),
            ));
        }
    }
    Ok(())
}

/// Returns `true` if a residual is a rounding error.
fn is_small(lagrangian: &Lagrangian, residual: f64) -> bool {
    let state = lagrangian.coordinates.iter().chain(&lagrangian.rates);
    let size = state.fold(1.0f64, |most, it| most.max(it.abs()));
    residual.abs() <= CONSTRAINT_TOLERANCE * size
}

/// A number to be written down: without the digits that are roundings.
fn short(real: f64) -> f64 {
    let written: f64 = format!("{real:.11e}").parse().unwrap_or(real);
    if written.abs() < 1e-12 { 0.0 } else { written }
}

/// The shortest x with A x = b: Aᵀ (A Aᵀ)⁻¹ b. `None` if the rows depend on each other.
fn shortest(rows: &[f64], b: &[f64], n: usize) -> Option<Vec<f64>> {
    let m = b.len();
    let row = |k: usize| &rows[k * n..(k + 1) * n];
    let mut gram = vec![0.0; m * m];
    for i in 0..m {
        for j in 0..m {
            gram[i * m + j] = row(i).iter().zip(row(j)).map(|(a, b)| a * b).sum();
        }
    }
    let mut weights = b.to_vec();
    if !solve(&mut gram, &mut weights) {
        return None;
    }
    Some((0..n).map(|i| (0..m).map(|k| row(k)[i] * weights[k]).sum()).collect())
}
