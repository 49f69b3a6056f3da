//! Formulas: checked like laws, then read as symbolic expressions.
//!
//! A name that ends in `_dot` is the rate of a coordinate, or of a function without parameters. Functions are
//! therefore checked in rounds: those that need no rate of another function first, then those that need only
//! rates of these, and so on; so the type of a rate is known before it is used, be it a vector.

use super::fields::LagrangianLists;
use super::formulas::{ExpectedFormula, ExpectedType};
use super::function_order::{UsedNames, needs_its_rate, ready};
use super::initial_values::InitialValues;
use super::model::{Formula, Parameter};
use crate::experiment::Experiment;
use gedanken_lang::check::{Binding, Checked, OutputFormula, check_formulas};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::program::Input;
use gedanken_lang::symbolic;
use gedanken_lang::syntax::tree::{Definition, Expr, ExprKind, Name};
use gedanken_lang::types::Type;
use gedanken_lang::value::{Shaped, Value};
use gedanken_symbolic::lagrange::Coordinate;
use gedanken_symbolic::{Derivation, Expr as Symbolic, Pool};
use std::collections::{BTreeMap, BTreeSet};

/// A formula as symbolic expressions.
pub(super) struct SymbolicFormula {
    pub(super) ty: Type,
    pub(super) scalars: Vec<Symbolic>,
}

/// Gives the formulas of a block their meaning.
pub(super) struct FormulaReader<'r> {
    block: &'r Name,
    experiment: &'r Experiment,
    functions: &'r [Definition],
    pub(super) coordinates: Vec<Coordinate>,
    pub(super) time: Symbolic,
    /// Every name that is not a function: its type, and its scalars.
    names: BTreeMap<String, (Type, Vec<Symbolic>)>,
    /// Names that are true or false.
    truths: Vec<(String, bool)>,
    pub(super) pool: Pool,
}

impl<'r> FormulaReader<'r> {
    /// Knows the coordinates and the time; names are [declared](Self::declare) next.
    pub(super) fn new(block: &'r Name, written: &'r LagrangianLists<'_>, experiment: &'r Experiment) -> Self {
        let mut pool = Pool::new();
        let named = written.coordinates.iter().map(|it| Coordinate::named(&mut pool, &it.name.text));
        let coordinates = named.collect();
        let time = pool.symbol("t");
        let (names, truths) = (BTreeMap::new(), Vec::new());
        Self { block, experiment, functions: written.functions, coordinates, time, names, truths, pool }
    }

    /// Gives coordinates, rates, the time, parameters and attributes of the world their symbols.
    pub(super) fn declare(&mut self, values: &InitialValues, momenta: bool) -> Vec<Parameter> {
        let mut names = BTreeMap::from([("t".to_owned(), (Type::Real, vec![self.time]))]);
        for it in &self.coordinates {
            names.insert(it.name.clone(), (Type::Real, vec![it.position]));
            names.insert(format!("{}_dot", it.name), (Type::Real, vec![it.rate]));
            if momenta {
                names.insert(format!("p_{}", it.name), (Type::Real, vec![it.momentum]));
            }
        }
        let world = self.experiment.world.iter().map(|it| (&it.name, &it.value));
        let own = values.parameters.iter().map(|(name, value)| (name, value));
        let mut parameters = Vec::new();
        let mut taken: BTreeSet<String> = BTreeSet::new();
        for (name, value) in world.chain(own).filter(|(name, _)| *name != "t") {
            if let Value::Bool(truth) = value {
                self.truths.push((name.clone(), *truth));
                continue;
            }
            let scalars = value.scalars().unwrap_or_default();
            let single = matches!(value, Value::Real(_));
            let mut symbols = Vec::with_capacity(scalars.len());
            for (number, value) in scalars.into_iter().enumerate() {
                let mut called = if single { name.clone() } else { format!("{name}_{}", number + 1) };
                while taken.contains(&called) || names.contains_key(&called) {
                    called.push('_');
                }
                taken.insert(called.clone());
                let symbol = self.pool.symbol(&called);
                parameters.push(Parameter { name: called, symbol, value });
                symbols.push(symbol);
            }
            names.insert(name.clone(), (value.type_of(), symbols));
        }
        self.names = names;
        parameters
    }

    /// The functions without parameters; their rates have names from then on.
    pub(super) fn functions(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<Formula>> {
        let functions = self.functions;
        let needs: Vec<UsedNames<'_>> = functions.iter().map(|it| UsedNames::of(&it.body)).collect();
        let mut known: BTreeMap<&str, Formula> = BTreeMap::new();
        loop {
            // Each pass reads the functions whose rates are known by now; the rates of these are new names.
            let ready = ready(functions, &needs, &|name| known.contains_key(name));
            let now: Vec<Definition> =
                functions.iter().zip(&ready).filter(|(_, ready)| **ready).map(|(it, _)| it.clone()).collect();
            let fresh: Vec<&Definition> = functions
                .iter()
                .zip(&ready)
                .filter(|(it, ready)| {
                    **ready && it.params.is_empty() && !known.contains_key(it.name.text.as_str())
                })
                .map(|(it, _)| it)
                .collect();
            if fresh.is_empty() {
                if let Some((knot, _)) = functions.iter().zip(&ready).find(|(_, ready)| !**ready) {
                    diagnostics.push(needs_its_rate(knot));
                    return None;
                }
                break;
            }
            let named =
                |it: &&Definition| Expr { kind: ExprKind::Name(it.name.text.clone()), span: it.body.span };
            let bodies: Vec<Expr> = fresh.iter().map(named).collect();
            let asked: Vec<ExpectedFormula<'_>> = fresh
                .iter()
                .zip(&bodies)
                .map(|(it, body)| ExpectedFormula {
                    what: format!("`{}`", it.name.text),
                    body,
                    expected: ExpectedType::Anything,
                })
                .collect();
            let found = self.read(&asked, &now, diagnostics)?;
            for (it, found) in fresh.into_iter().zip(found) {
                let SymbolicFormula { ty, scalars } = found;
                let name = it.name.text.as_str();
                let rate = format!("{name}_dot");
                if ty != Type::Bool
                    && !self.names.contains_key(&rate)
                    && !functions.iter().any(|it| it.name.text == rate)
                {
                    let rates = self.rates(&scalars);
                    self.names.insert(rate, (ty.clone(), rates));
                }
                known.insert(name, Formula { name: name.to_owned(), ty, scalars, span: it.span });
            }
        }
        // A condition has no number that could be recorded.
        known.retain(|_, it| it.ty != Type::Bool);
        Some(functions.iter().filter_map(|it| known.remove(it.name.text.as_str())).collect())
    }

    /// d/dt of each, along the motion.
    fn rates(&mut self, scalars: &[Symbolic]) -> Vec<Symbolic> {
        let one = self.pool.one();
        let moving =
            self.coordinates.iter().flat_map(|it| [(it.position, it.rate), (it.rate, it.acceleration)]);
        let mut derivation = Derivation::in_time(moving.chain([(self.time, one)]));
        scalars.iter().map(|&scalar| derivation.of(&mut self.pool, scalar)).collect()
    }

    /// Checks formulas that may call these functions, and reads them.
    pub(super) fn read(
        &mut self,
        asked: &[ExpectedFormula<'_>],
        functions: &[Definition],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<SymbolicFormula>> {
        let checked = self.check(asked, functions, diagnostics)?;
        // The equations of motion hold at one moment: there is no state before it to look at.
        if let Some(input) = checked.program.inputs.iter().find(|it| it.previous) {
            let message = format!("a Lagrangian sees one moment, and no `{}`", input.name);
            diagnostics.push(
                Diagnostic::new(Code::E765, self.block.span, message)
                    .label("only laws in contexts and rules have `previous`")
                    .help("compute it from coordinates, rates and `t`"),
            );
            return None;
        }
        let mut all = Vec::new();
        let Self { pool, names, .. } = self;
        let mut symbol = |pool: &mut Pool, input: &Input, element: u32| match names.get(&input.name) {
            Some((_, scalars)) => scalars[element as usize],
            None => pool.symbol(&input.name),
        };
        for (number, it) in asked.iter().enumerate() {
            let ty = checked.program.outputs[number].ty.clone();
            if !it.expected.fits(&ty) {
                diagnostics.push(it.wrong_type(&ty));
                continue;
            }
            if ty == Type::Bool {
                // A condition that other formulas ask: it has a place in them, and no rate.
                all.push(SymbolicFormula { ty, scalars: Vec::new() });
                continue;
            }
            match symbolic::read(pool, &checked.program, &[number], &mut symbol) {
                Ok(values) => {
                    let scalars = values.into_iter().next().and_then(scalars);
                    all.extend(scalars.map(|scalars| SymbolicFormula { ty, scalars }));
                }
                Err(why) => diagnostics.push(
                    Diagnostic::new(
                        Code::E765,
                        it.body.span,
                        format!("{} is no formula that can be differentiated", it.what),
                    )
                    .label(why.to_string())
                    .help("write it with numbers, vectors, `if` and elementary functions"),
                ),
            }
        }
        (all.len() == asked.len()).then_some(all)
    }

    fn check(
        &self,
        asked: &[ExpectedFormula<'_>],
        functions: &[Definition],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Checked> {
        let names = self.names.iter().map(|(name, (ty, _))| {
            let binding = Binding::World { name: name.clone() };
            (name.as_str(), binding, ty.clone())
        });
        let block = self.block;
        let outputs = asked.iter().map(|it| OutputFormula {
            name: Name { text: format!("{} of {}", it.what, block.text), span: block.span },
            body: it.body.clone(),
            span: it.body.span,
        });
        // A truth is no number that could be a symbol: it becomes a function of the library.
        let mut library = self.experiment.library.clone();
        library.definitions.extend(self.truths.iter().map(|(name, truth)| Definition {
            name: Name { text: name.clone(), span: block.span },
            prime: None,
            params: Vec::new(),
            body: Expr { kind: ExprKind::Bool(*truth), span: block.span },
            span: block.span,
        }));
        match check_formulas(outputs, functions, names, &library) {
            Ok(checked) => {
                // What only the rate of a function is needed for looks as if nobody needed it.
                diagnostics.extend(checked.warnings.iter().filter(|it| it.code != Code::W203).cloned());
                Some(checked)
            }
            Err(found) => {
                let told = found.into_iter().map(|it| {
                    let formula = asked.iter().find(|asked| asked.body.span == it.primary.span);
                    match (it.code, formula) {
                        // That attributes are no sequences, but this is none.
                        (Code::E306, Some(asked)) => {
                            asked.wrong_type(&Type::Sequence(Box::new(Type::Unknown)))
                        }
                        _ => it,
                    }
                });
                diagnostics.extend(told);
                None
            }
        }
    }
}

/// The reals of a value, row by row.
fn scalars<B>(value: Shaped<Symbolic, B>) -> Option<Vec<Symbolic>> {
    match value {
        Shaped::Real(real) => Some(vec![real]),
        Shaped::Vector(elements) => Some(elements),
        Shaped::Matrix(matrix) => Some(matrix.elements),
        Shaped::Bool(_) | Shaped::Sequence(_) => None,
    }
}
