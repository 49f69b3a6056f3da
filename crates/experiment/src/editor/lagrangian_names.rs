//! The names that a `lagrangian` block gives a meaning, and what each of them is.

use super::cursor::LAGRANGIAN_LISTS;
use super::declarations::{Declarations, definitions, name_of, value};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Definition, Value};

/// A name that a `lagrangian` block gives a meaning.
pub(super) struct LagrangianName {
    pub(super) name: String,
    /// Meaning, with its initial value or its formula.
    pub(super) meaning: String,
    /// Position where it is written, or of the line that it follows from.
    pub(super) written: Span,
    seen: Visibility,
}

/// Blocks that can use a name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Visibility {
    /// The formulas of the block.
    Formulas,
    /// Measures, since a run computes it.
    Measures,
    Both,
}

/// The names that formulas of a block can use, but for its functions.
pub(super) fn in_formulas(block: &Block, known: &Declarations) -> Vec<LagrangianName> {
    stated(block, known).into_iter().filter(|it| it.seen != Visibility::Measures).collect()
}

/// The names that measures can use, with the name of the block. What the world has under such a name hides
/// it.
pub(super) fn in_measures(known: &Declarations) -> Vec<(String, LagrangianName)> {
    let blocks = known.blocks("lagrangian");
    let all = blocks.flat_map(|block| stated(block, known).into_iter().map(|it| (name_of(block), it)));
    let hidden = |it: &LagrangianName| known.world().any(|name| name.text == it.name);
    all.filter(|(_, it)| it.seen != Visibility::Formulas && !hidden(it)).collect()
}

fn stated(block: &Block, known: &Declarations) -> Vec<LagrangianName> {
    let mut found = Vec::new();
    let mut add = |name: String, meaning: String, written: Span, seen: Visibility| {
        found.push(LagrangianName { name, meaning, written, seen });
    };
    let given = |key: &str, name: &str| definitions(block, key).iter().find(|it| it.name.text == name);
    // With a Hamiltonian momenta are variables of the formulas; with a Lagrangian they follow from it.
    let has_hamiltonian = value(block, "H").is_some();
    for coordinate in definitions(block, "coordinates") {
        let (name, start) = (&coordinate.name.text, worth(known, coordinate));
        add(name.clone(), format!("coordinate, at the start {start}"), coordinate.span, Visibility::Both);
        let (rate, momentum) = (format!("{name}_dot"), format!("p_{name}"));
        let (rated, pushed) = (given("rates", &rate), given("momenta", &momentum));
        let start = match (rated, has_hamiltonian || value(block, "momenta").is_some()) {
            (Some(it), _) => format!(", at the start {}", worth(known, it)),
            (None, true) => ", which follows from the momenta".to_owned(),
            (None, false) => ", at the start 0".to_owned(),
        };
        let meaning = format!("rate of the coordinate {name}{start}");
        add(rate.clone(), meaning, rated.unwrap_or(coordinate).span, Visibility::Both);
        let start = pushed.map_or(String::new(), |it| format!(", at the start {}", worth(known, it)));
        let meaning = format!("momentum of the coordinate {name}: the slope of L along {rate}{start}");
        let seen = if has_hamiltonian { Visibility::Both } else { Visibility::Measures };
        add(momentum, meaning, pushed.unwrap_or(coordinate).span, seen);
    }
    for parameter in definitions(block, "parameters") {
        let meaning = format!("parameter, {}", worth(known, parameter));
        add(parameter.name.text.clone(), meaning, parameter.span, Visibility::Both);
    }
    for function in definitions(block, "functions").iter().filter(|it| it.params.is_empty()) {
        let (name, formula) = (&function.name.text, known.source(function.span));
        add(name.clone(), format!("function, {formula}"), function.span, Visibility::Measures);
        let meaning = format!("rate of the function {formula}");
        add(format!("{name}_dot"), meaning, function.span, Visibility::Formulas);
    }
    // The mechanics gives these names, not the block.
    let energies = [
        ("kinetic_energy", "T, the kinetic energy"),
        ("potential_energy", "V, the potential energy"),
        ("total_energy", "T + V, the whole energy"),
    ];
    for (name, meaning) in energies {
        add(name.to_owned(), meaning.to_owned(), block.span, Visibility::Measures);
    }
    for constraint in constraints(block) {
        let (name, zero) = (&constraint.name.text, known.source(constraint.body.span));
        let residual = format!("by how much the constraint {name} is missed: {zero}");
        add(format!("residual_{name}"), residual, constraint.span, Visibility::Measures);
        let multiplier = format!("multiplier of the constraint {name}: {zero} = 0");
        add(format!("lambda_{name}"), multiplier, constraint.span, Visibility::Measures);
    }
    for stop in definitions(block, "stops") {
        let name = &stop.name.text;
        let meaning = format!("multiplier of the stop {name}, while the system rests on it");
        add(format!("lambda_{name}"), meaning, stop.span, Visibility::Measures);
    }
    found
}

fn constraints(block: &Block) -> impl Iterator<Item = &Definition> {
    definitions(block, "constraints").iter().chain(definitions(block, "velocity_constraints"))
}

/// The right side of a definition; where it is the name of an attribute of the world, that of the attribute
/// too.
fn worth(known: &Declarations, definition: &Definition) -> String {
    let own = known.source(definition.body.span);
    let mut entries = known.blocks("world attributes").flat_map(|block| &block.entries);
    match entries.find(|it| it.key.text == own).map(|it| &it.value) {
        Some(Value::Expression(body)) => format!("{own} = {}", known.source(body.span)),
        _ => own,
    }
}

/// Meaning of the definition in a list whose name begins at a byte, where its name alone would mean something
/// else.
pub(super) fn head(block: &Block, known: &Declarations, at: usize) -> Option<String> {
    let lists = LAGRANGIAN_LISTS.into_iter().map(|key| (key, definitions(block, key)));
    let (key, it) = lists
        .flat_map(|(key, list)| list.iter().map(move |it| (key, it)))
        .find(|(_, it)| it.name.span.start as usize == at)?;
    let (name, body) = (&it.name.text, known.source(it.body.span));
    let what = match key {
        "forces" => format!("force along the coordinate {name}: {body}"),
        "constraints" | "velocity_constraints" => {
            format!("constraint: {body} = 0 at all times\nits multiplier is lambda_{name}, for measures")
        }
        "stops" => format!("stop: {body} is never negative"),
        "positions" => format!("where the object {name} is: {body}"),
        "orientations" => format!("how the object {name} is turned: {body}"),
        _ => return None,
    };
    Some(format!("{name}\n{what}"))
}
