//! Checks that each name of a block means one thing.

use super::fields::{Energies, LagrangianLists};
use crate::environment::Environment;
use gedanken_lang::check::guess;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Definition, Name};
use std::collections::BTreeMap;

/// Reports names that mean two things, or nothing.
pub(super) fn check(
    written: &LagrangianLists<'_>,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    meanings(written, environment, diagnostics);
    let coordinates: Vec<&str> = written.coordinates.iter().map(|it| it.name.text.as_str()).collect();
    let dotted = |name: &str| name.strip_suffix("_dot").map(str::to_owned);
    let momentum = |name: &str| name.strip_prefix("p_").map(str::to_owned);
    of_coordinates(&written.rates, &coordinates, "rate", &|it| format!("{it}_dot"), &dotted, diagnostics);
    of_coordinates(
        &written.momenta,
        &coordinates,
        "momentum",
        &|it| format!("p_{it}"),
        &momentum,
        diagnostics,
    );
    let itself = |name: &str| Some(name.to_owned());
    of_coordinates(&written.forces, &coordinates, "force", &str::to_owned, &itself, diagnostics);
    if let (Some(rate), Some(momentum)) = (written.rates.first(), written.momenta.first()) {
        let message = "rates and momenta are both given, and one follows from the other";
        diagnostics.push(
            Diagnostic::new(Code::E763, momentum.span, message)
                .label("a momentum")
                .also(rate.span, "a rate")
                .help("keep one of the two lists"),
        );
    }
    for (list, what) in [(&written.positions, "placed"), (&written.orientations, "turned")] {
        list.iter().for_each(|line| of_object(&line.name, what, environment, diagnostics));
    }
}

/// Everything that formulas may name, each once.
fn meanings(written: &LagrangianLists<'_>, environment: &Environment<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut known: BTreeMap<String, (String, Option<Span>)> = BTreeMap::new();
    known.insert("t".to_owned(), ("the time".to_owned(), None));
    for attribute in environment.experiment.world.iter().filter(|it| it.name != "t") {
        let what = "an attribute of the world".to_owned();
        known.insert(attribute.name.clone(), (what, Some(attribute.span)));
    }
    let is_hamiltonian = matches!(written.energies, Some(Energies::Hamiltonian(_)));
    for Definition { name, .. } in &written.coordinates {
        declare(&mut known, &name.text, name, "a coordinate", diagnostics);
    }
    for Definition { name, .. } in &written.coordinates {
        let of = |what: &str| format!("the {what} of `{}`", name.text);
        declare(&mut known, &format!("{}_dot", name.text), name, &of("rate"), diagnostics);
        declare(&mut known, &format!("{}_dot_dot", name.text), name, &of("acceleration"), diagnostics);
        if is_hamiltonian {
            declare(&mut known, &format!("p_{}", name.text), name, &of("momentum"), diagnostics);
        }
    }
    for Definition { name, .. } in &written.parameters {
        declare(&mut known, &name.text, name, "a parameter", diagnostics);
    }
    for Definition { name, .. } in written.functions {
        declare(&mut known, &name.text, name, "a function", diagnostics);
    }
    // Constraints and stops have multipliers of their names.
    let mut held: BTreeMap<String, (String, Option<Span>)> = BTreeMap::new();
    let lists = [&written.constraints, &written.velocity_constraints, &written.stops];
    for Definition { name, .. } in lists.into_iter().flatten() {
        declare(&mut held, &name.text, name, "a constraint or stop", diagnostics);
    }
}

/// Gives `text`, which `name` brings along, a meaning, unless it has one.
fn declare(
    known: &mut BTreeMap<String, (String, Option<Span>)>,
    text: &str,
    name: &Name,
    what: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    match known.get(text) {
        None => {
            known.insert(text.to_owned(), (what.to_owned(), Some(name.span)));
        }
        Some((meaning, span)) => {
            let (code, message) = match span {
                None => (Code::E764, format!("`{text}` is {meaning}, and cannot be {what} as well")),
                Some(_) => (Code::E703, format!("`{text}` is {meaning}, and {what} as well")),
            };
            let diagnostic = Diagnostic::new(code, name.span, message)
                .label(what)
                .help(format!("choose another name for {what}"));
            diagnostics.push(match span {
                Some(span) => diagnostic.also(*span, meaning.clone()),
                None => diagnostic,
            });
        }
    }
}

/// Reports lines of a list for coordinates that name none. `called` makes the name of a line from that of a
/// coordinate, `back` the other way round.
fn of_coordinates(
    lines: &[&Definition],
    coordinates: &[&str],
    what: &str,
    called: &dyn Fn(&str) -> String,
    back: &dyn Fn(&str) -> Option<String>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    for Definition { name, .. } in lines {
        if back(&name.text).is_some_and(|of| coordinates.contains(&of.as_str())) {
            continue;
        }
        let said = diagnostics.len();
        let names: Vec<String> = coordinates.iter().map(|it| called(it)).collect();
        let message = format!("`{}` is not the {what} of any coordinate", name.text);
        let diagnostic = Diagnostic::new(Code::E767, name.span, message).label("no coordinate moves so");
        let itself = coordinates.contains(&name.text.as_str()).then(|| called(&name.text));
        let meant =
            itself.or_else(|| guess(said, &name.text, names.iter().map(String::as_str)).map(str::to_owned));
        diagnostics.push(match meant {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
            None => diagnostic.help(format!("write for example {}", listed(&names))),
        });
    }
}

/// Reports a formula for an object that is not there, or cannot move.
fn of_object(name: &Name, what: &str, environment: &Environment<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if !environment.names.objects.contains_key(&name.text) {
        let message = format!("`{}` is {what} here, but is no object of this file", name.text);
        let diagnostic = Diagnostic::new(Code::E767, name.span, message).label("not an object");
        diagnostics.push(
            match guess(diagnostics.len(), &name.text, environment.names.objects.keys().map(String::as_str)) {
                Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
                None => diagnostic.help(format!("add `object {{ name = {} … }}` to the file", name.text)),
            },
        );
        return;
    }
    let experiment = environment.experiment;
    let object = experiment.object(&name.text).map(|index| &experiment.objects[index]);
    if let Some(object) = object.filter(|it| it.is_static) {
        let message = format!("`{}` is static, and no formula moves it", name.text);
        diagnostics.push(
            Diagnostic::new(Code::E767, name.span, message)
                .label(format!("{what} by a formula"))
                .also(object.span, "static")
                .help("write `physical type = dynamic`, or remove the formula"),
        );
    }
}

/// `a`, `b` and more.
fn listed(names: &[String]) -> String {
    let quoted: Vec<String> = names.iter().take(4).map(|it| format!("`{it}`")).collect();
    quoted.join(", ")
}
