//! The system that a block states, put together from its formulas.

use super::fields::{Energies, LagrangianLists};
use super::formulas::{expected_formulas, places};
use super::initial_values::InitialValues;
use super::model::{Formula, Lagrangian};
use super::symbolic::{FormulaReader, SymbolicFormula};
use crate::environment::Environment;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Definition, Name};
use gedanken_symbolic::lagrange::{Constraint, ConstraintKind, Effort, Refusal, Statement, System};
use gedanken_symbolic::{Expr, Pool};
use std::sync::OnceLock;

/// The system that a block states; `None` if something is wrong that has been reported. The start is as
/// written.
pub(super) fn stated(
    name: &Name,
    written: &LagrangianLists<'_>,
    values: &InitialValues,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Lagrangian> {
    let energies = written.energies?;
    let mut reader = FormulaReader::new(name, written, environment.experiment);
    reader.pool.until(environment.cancel.clone());
    let parameters = reader.declare(values, matches!(energies, Energies::Hamiltonian(_)));
    let functions = reader.functions(diagnostics)?;
    let found = reader.read(&expected_formulas(written, energies), written.functions, diagnostics)?;
    let mut found = SymbolicFormulas(found.into_iter());
    let system = system(&mut reader, written, energies, &mut found)?;
    let [stops, positions, orientations] =
        [&written.stops, &written.positions, &written.orientations].map(|lines| found.formulas(lines));
    let (mut pool, places) = (reader.pool, places(written));
    if let Some(moving) = stops.iter().find_map(|stop| moving(&pool, &system, stop)) {
        diagnostics.push(moving);
        return None;
    }
    let equations = system.equations_of_motion(&mut pool, Effort::Plain);
    let equations = equations.map_err(|refusal| diagnostics.push(refused(&refusal, &places, name.span)));
    Some(Lagrangian {
        name: name.text.clone(),
        equations: equations.ok()?,
        system,
        pool,
        coordinates: values.coordinates.clone(),
        rates: values.rates.clone(),
        momenta: Vec::new(),
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

/// Formulas that were read, in the order in which they were asked for.
struct SymbolicFormulas(std::vec::IntoIter<SymbolicFormula>);

impl SymbolicFormulas {
    /// The next ones, which are reals.
    fn reals(&mut self, count: usize) -> Vec<Expr> {
        self.0.by_ref().take(count).filter_map(|it| it.scalars.first().copied()).collect()
    }

    /// The next ones, which these lines ask for.
    fn formulas(&mut self, lines: &[&Definition]) -> Vec<Formula> {
        let named = lines.iter().zip(self.0.by_ref());
        let formula = |(line, SymbolicFormula { ty, scalars }): (&&Definition, SymbolicFormula)| Formula {
            name: line.name.text.clone(),
            ty,
            scalars,
            span: line.span,
        };
        named.map(formula).collect()
    }
}

/// Energies, forces and constraints: the first of what was asked for.
fn system(
    reader: &mut FormulaReader<'_>,
    written: &LagrangianLists<'_>,
    energies: Energies<'_>,
    found: &mut SymbolicFormulas,
) -> Option<System> {
    let zero = reader.pool.zero();
    let statement = statement(energies, zero, found)?;
    let dissipation = found.reals(usize::from(written.dissipation.is_some())).first().copied();
    Some(System {
        time: reader.time,
        statement,
        dissipation: dissipation.unwrap_or(zero),
        forces: forces(reader, written, zero, found),
        constraints: constraints(reader, written, found),
        coordinates: reader.coordinates.clone(),
    })
}

/// The energies; a V that is not written is zero.
fn statement(energies: Energies<'_>, zero: Expr, found: &mut SymbolicFormulas) -> Option<Statement> {
    let count = if matches!(energies, Energies::Both(_, Some(_))) { 2 } else { 1 };
    match (energies, found.reals(count).as_slice()) {
        (Energies::Both(..), &[kinetic, potential]) => Some(Statement::Energies { kinetic, potential }),
        (Energies::Both(..), &[kinetic]) => Some(Statement::Energies { kinetic, potential: zero }),
        (Energies::Lagrangian(_), &[lagrangian]) => Some(Statement::Lagrangian(lagrangian)),
        (Energies::Hamiltonian(_), &[hamiltonian]) => Some(Statement::Hamiltonian(hamiltonian)),
        _ => None,
    }
}

/// The force along each coordinate, zero where none is written.
fn forces(
    reader: &FormulaReader<'_>,
    written: &LagrangianLists<'_>,
    zero: Expr,
    found: &mut SymbolicFormulas,
) -> Vec<Expr> {
    let pushes = found.reals(written.forces.len());
    let along = |name: &str| written.forces.iter().position(|it| it.name.text == name);
    reader.coordinates.iter().map(|it| along(&it.name).map_or(zero, |place| pushes[place])).collect()
}

/// Constraints, with symbols for their multipliers.
fn constraints(
    reader: &mut FormulaReader<'_>,
    written: &LagrangianLists<'_>,
    found: &mut SymbolicFormulas,
) -> Vec<Constraint> {
    let held = [
        (&written.constraints, ConstraintKind::Position),
        (&written.velocity_constraints, ConstraintKind::Velocity),
    ];
    let mut constraints = Vec::new();
    for (lines, kind) in held {
        for (line, value) in lines.iter().zip(found.reals(lines.len())) {
            let multiplier = reader.pool.symbol(&format!("lambda_{}", line.name.text));
            constraints.push(Constraint { name: line.name.text.clone(), value, kind, multiplier });
        }
    }
    constraints
}

/// Message for a stop that depends on how fast the system moves: no system could come to rest on it.
fn moving(pool: &Pool, system: &System, stop: &Formula) -> Option<Diagnostic> {
    let symbols = system.coordinates.iter().flat_map(|it| [it.rate, it.acceleration, it.momentum]);
    let named = symbols.into_iter().find(|&it| pool.contains(stop.scalars[0], it))?;
    let message = format!("the stop `{}` uses `{}`", stop.name, pool.text(named));
    Some(
        Diagnostic::new(Code::E765, stop.span, message)
            .label("a stop says where the system may be, not how it moves")
            .help("write it with coordinates and `t` alone"),
    )
}

/// Reason why there are no equations, at the place to blame.
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
    let diagnostic = Diagnostic::new(Code::E765, span, message);
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
