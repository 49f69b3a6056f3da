//! Formulas as code: through the intermediate form of the language, and as native code where that pays.

use super::state::State;
use crate::run::native::Runner;
use gedanken_experiment::Lagrangian;
use gedanken_lang::ir::{Access, Executor, Layout};
use gedanken_lang::symbolic;
use gedanken_symbolic::lagrange::{EquationsOfMotion, StraightLine};
use gedanken_symbolic::{Expr, Pool, Rational, Symbol};
use std::cell::RefCell;
use std::collections::HashMap;

/// Makes code of formulas over the state of one system. Parameters are numbers in it.
#[derive(Debug)]
pub(super) struct Compiler {
    pool: Pool,
    /// t, then coordinates, then rates; where Hamilton's equations hold, momenta in their place.
    inputs: Vec<Expr>,
    of_momenta: bool,
    /// What is replaced by what: parameters by numbers, momenta by formulas of rates or the other way round,
    /// and whatever has been met by what it became.
    replaced: HashMap<Expr, Expr>,
    native: bool,
}

/// Formulas of t, q, and q̇ or p, ready to be evaluated.
#[derive(Debug)]
pub(super) struct Compiled {
    runner: Runner,
    /// For every slot, its place among the inputs.
    places: Vec<usize>,
    /// The inputs of the last evaluation, in the order of the slots.
    row: RefCell<Vec<f64>>,
    /// Its results, where they are taken apart.
    results: RefCell<Vec<f64>>,
    outputs: usize,
}

impl Compiler {
    /// For formulas of `pool`, which has all expressions of the system and of what was derived from it under
    /// the same numbers.
    pub(super) fn new(lagrangian: &Lagrangian, mut pool: Pool, native: bool) -> Self {
        let system = &lagrangian.system;
        let number = |parameter: &gedanken_experiment::Parameter| {
            let value = Rational::from_decimal(parameter.value)?;
            Some((parameter.symbol, pool.number(value)))
        };
        let mut replaced: HashMap<Expr, Expr> = lagrangian.parameters.iter().filter_map(number).collect();
        let rates: Vec<Expr> = system.coordinates.iter().map(|it| it.rate).collect();
        let momenta: Vec<Expr> = system.coordinates.iter().map(|it| it.momentum).collect();
        let (moving, following, formulas, of_momenta) = match &lagrangian.derived().equations {
            EquationsOfMotion::Lagrange(it) => (rates, momenta, &it.momenta, false),
            EquationsOfMotion::Hamilton(it) => (momenta, rates, &it.rates, true),
        };
        for (symbol, &formula) in following.into_iter().zip(formulas) {
            let formula = pool.replaced(formula, &mut replaced);
            replaced.insert(symbol, formula);
        }
        let positions = system.coordinates.iter().map(|it| it.position);
        let inputs = [system.time].into_iter().chain(positions).chain(moving).collect();
        Self { pool, inputs, of_momenta, replaced, native }
    }

    /// What formulas need of a state beside time and coordinates.
    pub(super) fn moving<'s>(&self, state: &'s State) -> &'s [f64] {
        if self.of_momenta { &state.p } else { &state.v }
    }

    /// A formula with numbers for parameters.
    pub(super) fn numeric(&mut self, expr: Expr) -> Expr {
        self.pool.replaced(expr, &mut self.replaced)
    }

    /// The value of a formula without parameters, computed by and by; not finite where it has none.
    pub(super) fn value(&self, formula: Expr, time: f64, q: &[f64], moving: &[f64]) -> f64 {
        let state: Vec<f64> = [time].into_iter().chain(q.iter().chain(moving).copied()).collect();
        let symbols: Vec<Option<Symbol>> = self.inputs.iter().map(|&it| self.pool.as_symbol(it)).collect();
        let value = |symbol: Symbol| {
            let place = symbols.iter().position(|it| *it == Some(symbol));
            place.map_or(f64::NAN, |place| state[place])
        };
        self.pool.evaluate(formula, &value)
    }

    /// The code of a course. An error says which name has no value; what has been checked has none such.
    pub(super) fn course(&mut self, course: &StraightLine) -> Result<Compiled, String> {
        let lets = course.lets.iter().map(|&(name, expr)| (name, self.numeric(expr))).collect();
        let results = course.results.iter().map(|&it| self.numeric(it)).collect();
        let course = StraightLine { lets, results };
        let graph = symbolic::graph(&self.pool, &course, &self.inputs).map_err(|why| why.to_string())?;
        let places = graph.slots.iter().map(|slot| slot.input.0 as usize).collect::<Vec<_>>();
        let layout = Layout { slots: vec![Access::Same; graph.slots.len()] };
        let outputs = course.results.len();
        let (row, results) = (RefCell::new(vec![0.0; places.len()]), RefCell::new(vec![0.0; outputs]));
        Ok(Compiled { runner: Runner::new(graph, layout, self.native), places, row, results, outputs })
    }

    /// The code of some formulas.
    pub(super) fn formulas(&mut self, formulas: &[Expr]) -> Result<Compiled, String> {
        self.course(&StraightLine { lets: Vec::new(), results: formulas.to_vec() })
    }
}

impl Compiled {
    /// How many reals it gives.
    pub(super) fn len(&self) -> usize {
        self.outputs
    }

    /// Evaluates at a state, the first results into `first` and all others into `rest`. `false` if something
    /// is not a finite number there; nothing is written then.
    pub(super) fn run_apart(
        &self,
        time: f64,
        q: &[f64],
        v: &[f64],
        first: &mut [f64],
        rest: &mut [f64],
    ) -> bool {
        let mut results = self.results.borrow_mut();
        if !self.run(time, q, v, &mut results) {
            return false;
        }
        let (one, other) = results.split_at(first.len());
        first.copy_from_slice(one);
        rest.copy_from_slice(other);
        true
    }

    /// Evaluates at a state. `false` if something is not a finite number there; what is in `out` then means
    /// nothing.
    pub(super) fn run(&self, time: f64, q: &[f64], moving: &[f64], out: &mut [f64]) -> bool {
        if self.outputs == 0 {
            return true;
        }
        let mut row = self.row.borrow_mut();
        for (slot, &place) in row.iter_mut().zip(&self.places) {
            *slot = match place {
                0 => time,
                place if place <= q.len() => q[place - 1],
                place => moving[place - 1 - q.len()],
            };
        }
        self.runner.run_row(&row, out) && out.iter().all(|it| it.is_finite())
    }
}
