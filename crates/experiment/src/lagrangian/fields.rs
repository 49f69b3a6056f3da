//! The lists of a `lagrangian` block, as they are written: each line a name and one formula.

use crate::read::fields::Fields;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Block, Definition, Expr, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The lists and formulas of a block, before any name in them has a meaning.
pub(super) struct LagrangianLists<'b> {
    pub(super) fields: &'b Fields<'b>,
    pub(super) coordinates: Vec<&'b Definition>,
    pub(super) rates: Vec<&'b Definition>,
    pub(super) momenta: Vec<&'b Definition>,
    pub(super) parameters: Vec<&'b Definition>,
    /// These may have parameters of their own.
    pub(super) functions: &'b [Definition],
    pub(super) forces: Vec<&'b Definition>,
    pub(super) constraints: Vec<&'b Definition>,
    pub(super) velocity_constraints: Vec<&'b Definition>,
    pub(super) stops: Vec<&'b Definition>,
    pub(super) positions: Vec<&'b Definition>,
    pub(super) orientations: Vec<&'b Definition>,
    pub(super) dissipation: Option<&'b Expr>,
    pub(super) energies: Option<Energies<'b>>,
}

/// Energies that are given.
#[derive(Clone, Copy)]
pub(super) enum Energies<'b> {
    Lagrangian(&'b Expr),
    /// T, and V unless it is 0.
    Both(&'b Expr, Option<&'b Expr>),
    Hamiltonian(&'b Expr),
}

impl<'b> LagrangianLists<'b> {
    pub(super) fn read(fields: &'b Fields<'b>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        fields.require("coordinates", "{ theta = 2 }", diagnostics);
        if let Some((entry, Value::Names(names))) = fields.value("coordinates") {
            let first = names.first().map_or("theta", |it| &it.text);
            let message = "every coordinate needs a value to start from";
            diagnostics.push(
                Diagnostic::new(Code::E705, entry.span, message)
                    .label("names without values")
                    .help(format!("write for example `coordinates = {{ {first} = 0 }}`")),
            );
        }
        let energies = energies(fields, diagnostics);
        let mut list = |key: &str| lines(fields, key, diagnostics);
        Self {
            coordinates: list("coordinates"),
            rates: list("rates"),
            momenta: list("momenta"),
            parameters: list("parameters"),
            forces: list("forces"),
            constraints: list("constraints"),
            velocity_constraints: list("velocity_constraints"),
            stops: list("stops"),
            positions: list("positions"),
            orientations: list("orientations"),
            functions: fields.definitions("functions", diagnostics),
            dissipation: fields.expression("dissipation", diagnostics),
            energies,
            fields,
        }
    }
}

/// The lines of a list that has one formula for each name.
fn lines<'b>(fields: &Fields<'b>, key: &str, diagnostics: &mut Vec<Diagnostic>) -> Vec<&'b Definition> {
    if key == "coordinates" && matches!(fields.value(key), Some((_, Value::Names(_)))) {
        return Vec::new();
    }
    let mut lines: Vec<&Definition> = Vec::new();
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    for line in fields.definitions(key, diagnostics) {
        let name = &line.name;
        if let Some(span) = line.prime.or(line.params.first().map(|it| it.span)) {
            let message = format!("`{}` is given one formula here, without arguments", name.text);
            diagnostics.push(
                Diagnostic::new(Code::E712, span, message)
                    .label("not in this list")
                    .help(format!("write `{} = …`; functions belong into `functions = {{ … }}`", name.text)),
            );
            continue;
        }
        if let Some(first) = seen.get(name.text.as_str()) {
            diagnostics.push(
                Diagnostic::new(Code::E703, name.span, format!("`{}` stands twice in this list", name.text))
                    .label("again here")
                    .also(*first, "first here")
                    .help("remove one of the two, or rename it"),
            );
            continue;
        }
        seen.insert(&name.text, name.span);
        lines.push(line);
    }
    lines
}

/// The energies, which must say the same thing once.
fn energies<'b>(fields: &Fields<'b>, diagnostics: &mut Vec<Diagnostic>) -> Option<Energies<'b>> {
    let has = |key: &str| fields.has(key);
    let clash = [("L", "T"), ("L", "V"), ("H", "L"), ("H", "T"), ("H", "V")].into_iter();
    if let Some((one, other)) = clash.clone().find(|(one, other)| has(one) && has(other)) {
        let message = format!("`{one}` and `{other}` are both given, and may contradict each other");
        diagnostics.push(
            Diagnostic::new(Code::E763, fields.span_of(other), message)
                .label(format!("`{other}`"))
                .also(fields.span_of(one), format!("`{one}`"))
                .help("give T and V, or L = T - V alone, or H alone"),
        );
        return None;
    }
    if has("V") && !has("T") {
        let message = "V alone moves nothing: the kinetic energy is missing";
        diagnostics.push(
            Diagnostic::new(Code::E763, fields.span_of("V"), message)
                .label("the potential energy")
                .help("add a line such as `T = 0.5 * m * x_dot^2`"),
        );
        return None;
    }
    if !["L", "T", "H"].into_iter().any(has) {
        let message = "there is no energy: nothing says how the coordinates move";
        diagnostics.push(
            Diagnostic::new(Code::E763, fields.block.keyword.span, message)
                .label("neither T and V, nor L, nor H")
                .help("add lines such as `T = 0.5 * m * x_dot^2` and `V = m * g * x`"),
        );
        return None;
    }
    let mut formula = |key: &str| fields.expression(key, diagnostics);
    let (lagrangian, kinetic, potential, hamiltonian) =
        (formula("L"), formula("T"), formula("V"), formula("H"));
    match (lagrangian, kinetic, hamiltonian) {
        (Some(lagrangian), ..) => Some(Energies::Lagrangian(lagrangian)),
        (_, Some(kinetic), _) => Some(Energies::Both(kinetic, potential)),
        (.., Some(hamiltonian)) => Some(Energies::Hamiltonian(hamiltonian)),
        _ => None,
    }
}

/// The names of all objects that some `lagrangian` block places: they need no position of their own.
pub(crate) fn placed(blocks: &[&Block]) -> BTreeSet<String> {
    blocks.iter().flat_map(|block| names(block, &["positions"])).map(str::to_owned).collect()
}

/// Every `lagrangian` block, with the names of its lines that can be set from outside.
pub(crate) fn settable(blocks: &[&Block]) -> Vec<(String, Vec<String>)> {
    let lists = ["parameters", "coordinates", "rates", "momenta"];
    let of = |block: &&Block| {
        let name = block.name.as_ref().map_or(String::new(), |it| it.text.clone());
        (name, names(block, &lists).map(str::to_owned).collect())
    };
    blocks.iter().map(of).collect()
}

/// The names in some lists of a block.
fn names<'b>(block: &'b Block, lists: &[&str]) -> impl Iterator<Item = &'b str> {
    let entries = block.entries.iter().filter(|entry| lists.contains(&entry.key.text.as_str()));
    let lists = entries.filter_map(|entry| match &entry.value {
        Value::Definitions(definitions) => Some(definitions),
        _ => None,
    });
    lists.flatten().map(|it| it.name.text.as_str())
}
