//! Formulas: checked like laws, then read as symbolic expressions.
//!
//! A name that ends in `_dot` is the rate of a coordinate, or of a function without parameters. Functions are therefore
//! checked in rounds: those that need no rate of another function first, then those that need only rates of these, and so
//! on; so the type of a rate is known before anybody uses it, be it a vector.

use super::asked::{Asked, Wanted, asked, places};
use super::order::{Needs, needs_its_rate, ready};
use super::values::Values;
use super::written::{Energies, Written};
use super::{Around, Formula, Lagrangian, Parameter};
use gedanken_algebra::symbolic::mechanics::{
    Constraint, Coordinate, Effort, Hold, Refusal, Statement, System,
};
use gedanken_algebra::symbolic::{Derivation, Expr as Symbolic, Pool};
use gedanken_lang::check::{Binding, Checked, Scope, Variable, VariableKind, check};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::program::Input;
use gedanken_lang::source::Span;
use gedanken_lang::symbolic;
use gedanken_lang::syntax::tree::{Definition, Expr, ExprKind, Name};
use gedanken_lang::types::Type;
use gedanken_lang::value::{Shaped, Value};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// What a formula came to be.
struct Found {
    ty: Type,
    scalars: Vec<Symbolic>,
}

/// Gives the formulas of a block their meaning.
struct Reader<'r> {
    block: &'r Name,
    around: &'r Around<'r>,
    functions: &'r [Definition],
    coordinates: Vec<Coordinate>,
    time: Symbolic,
    /// Every name that is not a function: its type, and its scalars.
    names: BTreeMap<String, (Type, Vec<Symbolic>)>,
    /// Names that are true or false.
    truths: Vec<(String, bool)>,
    pool: Pool,
}

/// The system that a block states; `None` if something is wrong that has been reported. The start is as written.
pub(super) fn stated(
    name: &Name,
    written: &Written<'_>,
    values: &Values,
    around: &Around<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lagrangian> {
    let energies = written.energies?;
    let mut pool = Pool::new();
    let coordinates: Vec<Coordinate> =
        written.coordinates.iter().map(|it| Coordinate::named(&mut pool, &it.name.text)).collect();
    let time = pool.symbol("t");
    let mut reader = Reader {
        block: name,
        around,
        functions: written.functions,
        coordinates,
        time,
        names: BTreeMap::new(),
        truths: Vec::new(),
        pool,
    };
    let parameters = reader.declare(values, matches!(energies, Energies::Hamiltonian(_)));
    let functions = reader.functions(diagnostics)?;
    let asked = asked(written, energies);
    let found = reader.read(&asked, reader.functions, diagnostics)?;
    let mut found = found.into_iter().zip(&asked);
    let mut reals = |count: usize| -> Vec<Symbolic> {
        found.by_ref().take(count).filter_map(|(it, _)| it.scalars.first().copied()).collect()
    };
    let statement = match (
        energies,
        reals(if matches!(energies, Energies::Both(_, Some(_))) { 2 } else { 1 }).as_slice(),
    ) {
        (Energies::Both(..), &[kinetic, potential]) => Statement::Energies { kinetic, potential },
        (Energies::Both(..), &[kinetic]) => Statement::Energies { kinetic, potential: reader.pool.zero() },
        (Energies::Lagrangian(_), &[lagrangian]) => Statement::Lagrangian(lagrangian),
        (Energies::Hamiltonian(_), &[hamiltonian]) => Statement::Hamiltonian(hamiltonian),
        _ => return None,
    };
    let zero = reader.pool.zero();
    let dissipation = reals(usize::from(written.dissipation.is_some())).first().copied().unwrap_or(zero);
    let pulls = reals(written.forces.len());
    let force = |coordinate: &Coordinate| {
        let place = written.forces.iter().position(|it| it.name.text == coordinate.name);
        place.map_or(zero, |place| pulls[place])
    };
    let forces = reader.coordinates.iter().map(force).collect();
    let held = [(&written.constraints, Hold::Position), (&written.velocity_constraints, Hold::Velocity)];
    let mut constraints = Vec::new();
    for (lines, hold) in held {
        for (line, value) in lines.iter().zip(reals(lines.len())) {
            let multiplier = reader.pool.symbol(&format!("lambda_{}", line.name.text));
            constraints.push(Constraint { name: line.name.text.clone(), value, hold, multiplier });
        }
    }
    let mut formulas = |lines: &[&Definition]| -> Vec<Formula> {
        let named = lines.iter().zip(found.by_ref());
        let formula = |(line, (found, _)): (&&Definition, (Found, &Asked<'_>))| Formula {
            name: line.name.text.clone(),
            ty: found.ty,
            scalars: found.scalars,
            span: line.span,
        };
        named.map(formula).collect()
    };
    let stops = formulas(&written.stops);
    let positions = formulas(&written.positions);
    let orientations = formulas(&written.orientations);
    let Reader { coordinates, mut pool, time, .. } = reader;
    let system = System { time, coordinates, statement, dissipation, forces, constraints };
    let places = places(written);
    let equations = match system.equations(&mut pool, Effort::Plain) {
        Ok(equations) => equations,
        Err(refusal) => {
            diagnostics.push(refused(&refusal, &places, name.span));
            return None;
        }
    };
    Some(Lagrangian {
        name: name.text.clone(),
        system,
        equations,
        pool,
        coordinates: values.coordinates.clone(),
        rates: values.rates.clone(),
        parameters,
        functions,
        stops,
        restitution: values.restitution,
        positions,
        orientations,
        places,
        span: name.span,
        derived: OnceLock::new(),
    })
}

impl Reader<'_> {
    /// Gives coordinates, rates, the time, parameters and attributes of the world their symbols.
    fn declare(&mut self, values: &Values, momenta: bool) -> Vec<Parameter> {
        let mut names = BTreeMap::from([("t".to_owned(), (Type::Real, vec![self.time]))]);
        for it in &self.coordinates {
            names.insert(it.name.clone(), (Type::Real, vec![it.position]));
            names.insert(format!("{}_dot", it.name), (Type::Real, vec![it.rate]));
            if momenta {
                names.insert(format!("p_{}", it.name), (Type::Real, vec![it.momentum]));
            }
        }
        let world = self.around.world.iter().map(|it| (&it.name, &it.value));
        let own = values.parameters.iter().map(|(name, value)| (name, value));
        let mut parameters = Vec::new();
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
                while parameters.iter().any(|it: &Parameter| it.name == called) || names.contains_key(&called)
                {
                    called.push('_');
                }
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
    fn functions(&mut self, diagnostics: &mut Vec<Diagnostic>) -> Option<Vec<Formula>> {
        let functions = self.functions;
        let needs: Vec<Needs<'_>> = functions.iter().map(|it| Needs::of(&it.body)).collect();
        let mut known: BTreeMap<&str, Formula> = BTreeMap::new();
        loop {
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
            let asked: Vec<Asked<'_>> = fresh
                .iter()
                .zip(&bodies)
                .map(|(it, body)| Asked {
                    what: format!("`{}`", it.name.text),
                    body,
                    wanted: Wanted::Anything,
                })
                .collect();
            let found = self.read(&asked, &now, diagnostics)?;
            for (it, found) in fresh.into_iter().zip(found) {
                let Found { ty, scalars } = found;
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
    fn read(
        &mut self,
        asked: &[Asked<'_>],
        functions: &[Definition],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Vec<Found>> {
        let checked = self.check(asked, functions, diagnostics)?;
        if let Some(input) = checked.program.inputs.iter().find(|it| it.previous) {
            let message = format!("a Lagrangian sees one moment, and no `{}`", input.name);
            diagnostics.push(
                Diagnostic::new("E765", self.block.span, message)
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
            if !it.wanted.fits(&ty) {
                diagnostics.push(it.wrong_type(&ty));
                continue;
            }
            if ty == Type::Bool {
                // A condition that other formulas ask: it has a place in them, and no rate.
                all.push(Found { ty, scalars: Vec::new() });
                continue;
            }
            match symbolic::read(pool, &checked.program, &[number], &mut symbol) {
                Ok(values) => {
                    let scalars = values.into_iter().next().and_then(scalars);
                    all.extend(scalars.map(|scalars| Found { ty, scalars }));
                }
                Err(why) => diagnostics.push(
                    Diagnostic::new(
                        "E765",
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
        asked: &[Asked<'_>],
        functions: &[Definition],
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Checked> {
        let variable = |name: &str, ty: Option<Type>, kind, binding| Variable {
            name: name.to_owned(),
            ty,
            kind,
            declared: None,
            binding,
        };
        let mut variables: Vec<Variable> = self
            .names
            .iter()
            .map(|(name, (ty, _))| {
                let binding = Binding::World { name: name.clone() };
                variable(name, Some(ty.clone()), VariableKind::Given, binding)
            })
            .collect();
        let mut definitions = functions.to_vec();
        let define = |name: String, body: Expr| Definition {
            span: body.span,
            name: Name { text: name, span: self.block.span },
            prime: None,
            params: Vec::new(),
            body,
        };
        for it in asked {
            // No name of the language has a blank, so this one hides nothing.
            let output = format!("{} of {}", it.what, self.block.text);
            let binding = Binding::Context { index: 0, attribute: output.clone() };
            variables.push(variable(&output, None, VariableKind::Attribute, binding));
            definitions.push(define(output, it.body.clone()));
        }
        let mut library = self.around.library.clone();
        for (name, truth) in &self.truths {
            library
                .definitions
                .push(define(name.clone(), Expr { kind: ExprKind::Bool(*truth), span: self.block.span }));
        }
        match check(&definitions, &library, &Scope { variables, ..Scope::default() }) {
            Ok(checked) => {
                // What only the rate of a function is needed for looks as if nobody needed it.
                diagnostics.extend(checked.warnings.iter().filter(|it| it.code != "W203").cloned());
                Some(checked)
            }
            Err(found) => {
                let told = found.into_iter().map(|it| {
                    let formula = asked.iter().find(|asked| asked.body.span == it.primary.span);
                    match (it.code, formula) {
                        // That attributes are no sequences, but this is none.
                        ("E306", Some(asked)) => asked.wrong_type(&Type::Sequence(Box::new(Type::Unknown))),
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

/// Why there are no equations, at the place to blame.
fn refused(refusal: &Refusal, places: &[(String, Span)], block: Span) -> Diagnostic {
    let said = refusal.to_string();
    // A refusal says what is wrong, and then the way out.
    let cut = said.find(". ").or_else(|| said.rfind(": "));
    let (message, help) = match cut {
        Some(cut) => (&said[..cut], Some(said[cut + 1..].trim_start())),
        None => (said.as_str(), None),
    };
    let is_named = |(name, _): &&(String, Span)| {
        let mut words = message.split(|it: char| !it.is_alphanumeric() && it != '_');
        words.any(|word| word == name)
    };
    let span = places.iter().find(is_named).map_or(block, |(_, span)| *span);
    let diagnostic = Diagnostic::new("E765", span, message);
    match help {
        Some(help) => {
            let mut letters = help.chars();
            let first: String = letters.next().into_iter().flat_map(char::to_lowercase).collect();
            // A name such as `H` stays as it is.
            let is_word = letters.clone().next().is_some_and(char::is_lowercase);
            diagnostic.help(if is_word { first + letters.as_str() } else { help.to_owned() })
        }
        None => diagnostic,
    }
}
