//! Settings of a simulation whose motion follows from energies: the system and the method.

use super::method::Method;
use crate::read::blocks::BlockNames;
use crate::read::fields::Fields;
use gedanken_lang::check::{guess, similar};
use gedanken_lang::diagnostic::{Code, Diagnostic};

/// Reports the name of a system in a simulation of another mechanics.
pub(crate) fn refuse(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if fields.words("lagrangian", diagnostics).is_some() {
        let message = "this line has no effect: the motion does not follow from a Lagrangian here";
        diagnostics.push(
            Diagnostic::new(Code::E725, fields.span_of("lagrangian"), message)
                .label("has no effect here")
                .help("add `mechanics = lagrangian`, or remove the line"),
        );
    }
}

/// The system that a simulation moves: the one it names, or the only one.
pub(crate) fn system(
    fields: &Fields<'_>,
    known: &BlockNames,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<usize> {
    if let Some(words) = fields.words("lagrangian", diagnostics) {
        if let Some(index) = known.get(&words.text) {
            return *index;
        }
        let message = format!("there is no `lagrangian` block called `{}`", words.text);
        let diagnostic = Diagnostic::new(Code::E725, words.span, message).label("not the name of any");
        diagnostics.push(match guess(diagnostics.len(), &words.text, known.keys().map(String::as_str)) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(words.span, meant),
            None => diagnostic.help(format!("add `lagrangian {} {{ … }}` to the file", words.text)),
        });
        return None;
    }
    if fields.has("lagrangian") {
        return None;
    }
    let mut all = known.iter();
    match (all.next(), all.next()) {
        (Some((_, index)), None) => *index,
        (None, _) => {
            let message = "`mechanics = lagrangian` needs a `lagrangian` block, and there is none";
            diagnostics.push(
                Diagnostic::new(Code::E725, fields.span_of("mechanics"), message)
                    .label("which energies?")
                    .help("add such as `lagrangian fall { coordinates = { z = 5 }  T = 0.5 * z_dot^2  V = 9.81 * z }`"),
            );
            None
        }
        (Some((first, _)), Some(_)) => {
            let names: Vec<String> = known.keys().map(|it| format!("`{it}`")).collect();
            let message = format!("which of the systems {} moves here?", names.join(", "));
            diagnostics.push(
                Diagnostic::new(Code::E725, fields.span_of("mechanics"), message)
                    .label("there are several")
                    .help(format!("add a line such as `lagrangian = {first}`")),
            );
            None
        }
    }
}

/// The method that a simulation of a Lagrangian names.
pub(crate) fn integrator(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<String> {
    let words = fields.words("integrator", diagnostics)?;
    let name = words.text.replace([' ', '_'], "-");
    if Method::by_name(&name).is_some() {
        return Some(name);
    }
    let known: Vec<String> = Method::names().map(|it| it.replace('-', "_")).collect();
    let message = format!("there is no method `{name}` for a Lagrangian");
    let diagnostic =
        Diagnostic::new(Code::E769, words.span, message).label("cannot follow equations of motion");
    let begun = known.iter().find(|it| it.starts_with(&words.text));
    let near = begun.map(String::as_str).or_else(|| similar(&words.text, known.iter().map(String::as_str)));
    diagnostics.push(match near {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(words.span, meant),
        None => {
            let known: Vec<String> = known.iter().map(|it| format!("`{it}`")).collect();
            diagnostic.help(format!("there are {}", known.join(", ")))
        }
    });
    None
}

/// Returns `true` if a method takes steps of one length.
pub(crate) fn steps_evenly(integrator: Option<&str>) -> bool {
    integrator.and_then(Method::by_name).is_some_and(|it| !it.is_adaptive())
}
