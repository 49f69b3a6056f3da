//! Formulas of a mechanical system as kernels over its state.

use super::state::State;
use crate::run::kernel::GraphKernel;
use crate::run::options::Options;
use gedanken_experiment::Lagrangian;
use gedanken_lang::ir::{Access, Executor as _, Layout};
use gedanken_lang::symbolic;
use gedanken_math::Cancel;
use gedanken_symbolic::lagrange::{EquationsOfMotion, StraightLine};
use gedanken_symbolic::{Expr, Pool, Rational, Symbol};
use std::cell::RefCell;
use std::collections::HashMap;

/// Compiles formulas over the state of one system. Parameters become numbers.
#[derive(Debug)]
pub(super) struct Compiler {
    pool: Pool,
    /// t, then coordinates, then rates; where Hamilton's equations hold, momenta in their place.
    inputs: Vec<Expr>,
    of_momenta: bool,
    /// Replacements: parameters by numbers, momenta by formulas of rates or the other way round. Expressions
    /// that have been replaced before are here as well.
    replaced: HashMap<Expr, Expr>,
    options: Options,
}

/// Formulas of t, q, and q̇ or p, ready to be evaluated.
///
/// They have a graph but no program: where a result is not finite, the step that asked for it knows the
/// words.
#[derive(Debug)]
pub(super) struct Compiled {
    kernel: GraphKernel,
    cancel: Cancel,
    /// Memory for the inputs: t, q, and q̇ or p.
    row: RefCell<Vec<f64>>,
    /// Memory for the results, where they are taken apart.
    results: RefCell<Vec<f64>>,
}

impl Compiler {
    /// Prepares for formulas of `pool`, in which the expressions of the system and those derived from it have
    /// the same numbers.
    pub(super) fn new(lagrangian: &Lagrangian, mut pool: Pool, options: &Options) -> Self {
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
        Self { pool, inputs, of_momenta, replaced, options: options.clone() }
    }

    /// The momenta or rates of a state, which formulas need beside time and coordinates.
    pub(super) fn moving<'s>(&self, state: &'s State) -> &'s [f64] {
        if self.of_momenta { &state.p } else { &state.v }
    }

    /// A formula with numbers for parameters.
    pub(super) fn numeric(&mut self, expr: Expr) -> Expr {
        self.pool.replaced(expr, &mut self.replaced)
    }

    /// The value of a formula without parameters, computed without compiling it; not finite where it has
    /// none.
    pub(super) fn value(&self, formula: Expr, time: f64, q: &[f64], moving: &[f64]) -> f64 {
        let state: Vec<f64> = [time].into_iter().chain(q.iter().chain(moving).copied()).collect();
        let symbols: Vec<Option<Symbol>> = self.inputs.iter().map(|&it| self.pool.as_symbol(it)).collect();
        let value = |symbol: Symbol| {
            let place = symbols.iter().position(|it| *it == Some(symbol));
            place.map_or(f64::NAN, |place| state[place])
        };
        self.pool.evaluate(formula, &value)
    }

    /// Compiles straight-line code. An error says which name has no value; a checked system has none such.
    pub(super) fn course(&mut self, course: &StraightLine) -> Result<Compiled, String> {
        let lets = course.lets.iter().map(|&(name, expr)| (name, self.numeric(expr))).collect();
        let results = course.results.iter().map(|&it| self.numeric(it)).collect();
        let course = StraightLine { lets, results };
        let graph = symbolic::graph(&self.pool, &course, &self.inputs).map_err(|why| why.to_string())?;
        let layout = Layout { slots: vec![Access::Same; graph.slots.len()] };
        Ok(Compiled {
            row: RefCell::new(vec![0.0; self.inputs.len()]),
            results: RefCell::new(vec![0.0; course.results.len()]),
            kernel: GraphKernel::new(graph, layout, &self.options.compile()),
            cancel: self.options.cancel.clone(),
        })
    }

    /// Compiles some formulas.
    pub(super) fn formulas(&mut self, formulas: &[Expr]) -> Result<Compiled, String> {
        self.course(&StraightLine { lets: Vec::new(), results: formulas.to_vec() })
    }
}

impl Compiled {
    /// Number of results.
    pub(super) fn len(&self) -> usize {
        self.kernel.width()
    }

    /// Evaluates at a state, the first results into `first` and all others into `rest`. Returns `false`, and
    /// writes nothing, if something is not a finite number there.
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

    /// Evaluates at a state. Returns `false` if something is not a finite number there, or if the run was
    /// cancelled; `out` then means nothing.
    pub(super) fn run(&self, time: f64, q: &[f64], moving: &[f64], out: &mut [f64]) -> bool {
        if self.len() == 0 {
            return true;
        }
        // Every method evaluates formulas, so that each ends here.
        if self.cancel.is_asked() {
            return false;
        }
        // Slot i of a graph of formulas is input i.
        let mut row = self.row.borrow_mut();
        row[0] = time;
        row[1..=q.len()].copy_from_slice(q);
        row[q.len() + 1..].copy_from_slice(moving);
        self.kernel.run_row(&row, out) && out.iter().all(|it| it.is_finite())
    }
}
