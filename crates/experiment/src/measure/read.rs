//! From a `measure` block to a measure.

use super::check::MeasureCheck;
use super::model::{Expected, Measure, belongs};
use crate::environment::Environment;
use crate::experiment::Experiment;
use crate::read::evaluate::Evaluator;
use crate::read::fields::{BlockForm, Fields};
use crate::read::numbers::Numbers;
use crate::rigid::quantities::StepKind;
use crate::simulation::model::Simulation;
use gedanken_lang::check::guess;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{self, Block, Name};
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const FORM: BlockForm = BlockForm {
    what: "a measure",
    keys: &[
        ("of", "names of objects in braces: `{ball}`"),
        ("value", "an expression"),
        ("at", "an expression for a time"),
        ("expected", "an expression"),
        ("tolerance", "a real greater than 0"),
        ("simulation", "the name of a simulation"),
    ],
};

/// Reads a measure.
pub(crate) fn read(
    block: &Block,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> (Name, Option<Measure>) {
    let &Environment { experiment, names, evaluator, .. } = environment;
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = block.name.clone().unwrap_or_else(|| {
        diagnostics.push(
            Diagnostic::new(Code::E702, block.keyword.span, "a measure needs a name")
                .label("the name is missing")
                .help("write it before the brace: `measure energy { … }`"),
        );
        Name { text: String::new(), span: block.keyword.span }
    });
    fields.require("value", "0.5 * mass * (v . v)", diagnostics);
    let of = of(&fields, environment, diagnostics);
    let simulation = simulation(&fields, experiment, diagnostics);
    let value = fields.expression("value", diagnostics);
    let indices: Vec<usize> = of.iter().flatten().map(|(index, _)| *index).collect();
    let tied = simulation.map(|it| it.text.as_str());
    // A measure belongs to every simulation that has all its objects, unless it is tied to one.
    let its: Vec<&Simulation> =
        experiment.simulations.iter().filter(|it| belongs(&indices, tied, it)).collect();
    let measured = match (value, &of) {
        (Some(value), Some(of)) if names.is_whole => {
            let is_rigid = !its.is_empty() && its.iter().all(|it| it.rigid().is_some());
            let steps: Vec<StepKind> =
                its.iter().filter_map(|it| it.rigid()).map(|it| it.step_kind()).collect();
            // Quantities of a system can be named only if all simulations of the measure move that system.
            let followed: BTreeSet<Option<usize>> = its.iter().map(|it| it.lagrangian_block()).collect();
            let followed = match followed.into_iter().collect::<Vec<_>>().as_slice() {
                [Some(index)] => experiment.lagrangians.get(*index),
                _ => None,
            };
            let lagrangian = followed;
            let measure = MeasureCheck { name: &name, of, environment, is_rigid, steps, lagrangian };
            measure.check(value, fields.has("of"), diagnostics)
        }
        _ => None,
    };
    let ty = measured.as_ref().map(|(ty, _)| ty);
    let expected = expected(&fields, &name, ty, evaluator, diagnostics);
    let at = Numbers { fields: &fields, evaluator }.real("at", diagnostics);
    if let Some(at) = at {
        check_time(&fields, at, &its, diagnostics);
    }
    if its.is_empty() && names.is_whole && !experiment.simulations.is_empty() {
        diagnostics.push(of_no_simulation(&name, &indices, simulation, experiment));
    }
    let measure = measured.map(|(ty, programs)| Measure {
        name: name.text.clone(),
        of: indices,
        ty,
        programs,
        at,
        expected,
        simulation: simulation.map(|it| it.text.clone()),
        span: name.span,
    });
    (name, measure)
}

/// The objects to sum over, by name, and where they are listed; `None` if one of them is not there.
fn of(
    fields: &Fields<'_>,
    environment: &Environment<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Vec<(usize, Span)>> {
    let objects = &environment.names.objects;
    let written = fields.names("of", diagnostics);
    let is_empty_list = |entry: &tree::Entry| match &entry.value {
        tree::Value::Names(names) => names.is_empty(),
        _ => false,
    };
    if fields.block.entries.iter().any(|entry| entry.key.text == "of" && is_empty_list(entry)) {
        diagnostics.push(
            Diagnostic::new(Code::E731, fields.span_of("of"), "a sum over no objects measures nothing")
                .help("name objects: `of = {ball}`; for a quantity of the world, remove the line"),
        );
        return None;
    }
    let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
    // One unknown object makes the sum meaningless, but the others are looked at for their mistakes.
    let mut found = Some(Vec::new());
    for object in written {
        if let Some(&first) = seen.get(object.text.as_str()) {
            diagnostics.push(
                Diagnostic::new(Code::E722, object.span, format!("`{}` is measured twice", object.text))
                    .label("again here")
                    .also(first, "first here")
                    .help("remove one of the two: every object counts once"),
            );
            continue;
        }
        seen.insert(&object.text, object.span);
        if !objects.contains_key(&object.text) {
            let message = format!("there is no object called `{}` to measure", object.text);
            let diagnostic = Diagnostic::new(Code::E721, object.span, message).label("not an object");
            diagnostics.push(
                match guess(diagnostics.len(), &object.text, objects.keys().map(String::as_str)) {
                    Some(meant) => {
                        diagnostic.help(format!("did you mean `{meant}`?")).edit(object.span, meant)
                    }
                    None => diagnostic.help("name objects of this file"),
                },
            );
        }
        let index = environment.experiment.object(&object.text);
        found = found.zip(index).map(|(mut found, index)| {
            found.push((index, object.span));
            found
        });
    }
    if let Some(found) = &mut found {
        found.sort_unstable();
    }
    // A list that the parser could not read is no measure of the world.
    found.filter(|found| !(found.is_empty() && fields.has("of")))
}

/// The simulation that the measure is tied to.
fn simulation<'b>(
    fields: &Fields<'b>,
    experiment: &Experiment,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<&'b Name> {
    let tied = fields.words("simulation", diagnostics)?;
    let mut names = experiment.simulations.iter().map(|it| it.name.as_str());
    if names.clone().any(|name| name == tied.text) {
        return Some(tied);
    }
    let message = format!("there is no simulation called `{}`", tied.text);
    let diagnostic = Diagnostic::new(Code::E721, tied.span, message).label("not the name of any simulation");
    diagnostics.push(match (guess(diagnostics.len(), &tied.text, names.clone()), names.next()) {
        (Some(meant), _) => diagnostic.help(format!("did you mean `{meant}`?")).edit(tied.span, meant),
        (None, Some(first)) => diagnostic.help(format!("name one of this file, such as `{first}`")),
        (None, None) => diagnostic.help("the file has none"),
    });
    None
}

/// Expected value and its tolerance.
fn expected(
    fields: &Fields<'_>,
    name: &Name,
    ty: Option<&Type>,
    evaluator: &Evaluator,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Expected> {
    let numbers = Numbers { fields, evaluator };
    let before = diagnostics.len();
    let value = numbers.value("expected", diagnostics);
    // A near name would be a wrong guess: attributes of objects cannot stand here at all.
    for unknown in diagnostics[before..].iter_mut().filter(|it| it.code == Code::E201) {
        unknown.edit = None;
        unknown.help = Some(
            "what is expected is known before the run: from numbers, natives, imported functions and attributes of the world"
                .to_owned(),
        );
    }
    // Both or neither: a comparison of computed numbers needs to know its error.
    let tolerance = numbers.within("tolerance", 0.0, f64::MAX, diagnostics);
    match (fields.has("expected"), fields.has("tolerance")) {
        (true, false) => diagnostics.push(
            Diagnostic::new(
                Code::E732,
                fields.span_of("expected"),
                format!("by how much may `{}` miss what is expected?", name.text),
            )
            .label("an expected value without a `tolerance`")
            .help("computed numbers are hardly ever equal: add a line such as `tolerance = 1e-9`"),
        ),
        (false, true) => diagnostics.push(
            Diagnostic::new(
                Code::E732,
                fields.span_of("tolerance"),
                "nothing is expected, so nothing can be missed",
            )
            .label("a `tolerance` without an `expected` value")
            .help("add a line such as `expected = 0`, or remove this one"),
        ),
        _ => {}
    }
    let (value, span) = value?;
    let ty = ty?;
    let is = value.type_of();
    if is != *ty {
        let message = format!("`{}` is {ty}, but {is} is expected", name.text);
        diagnostics.push(
            Diagnostic::new(Code::E732, span, message)
                .label(format!("this is {is}"))
                .also(fields.span_of("value"), format!("this is {ty}"))
                .help(format!("expect {ty}")),
        );
        return None;
    }
    Some(Expected { value, tolerance: tolerance? })
}

/// The time of a measure must be a time of every simulation it belongs to.
fn check_time(fields: &Fields<'_>, at: f64, its: &[&Simulation], diagnostics: &mut Vec<Diagnostic>) {
    for simulation in its {
        let (start, end) = (simulation.initial_time, simulation.initial_time + simulation.duration);
        if at >= start && at <= end {
            continue;
        }
        let [at, start, end] = [at, start, end].map(Value::Real);
        let message =
            format!("`{}` is over t = {start} to {end}, and never reaches t = {at}", simulation.name);
        let help = match its.len() {
            1 => "choose a time of the simulation, or remove the line: then it is the end",
            _ => "choose a time of all simulations, or tie the measure to one: `simulation = NAME`",
        };
        diagnostics.push(
            Diagnostic::new(Code::E732, fields.span_of("at"), message)
                .label("not a time of this simulation")
                .also(simulation.span, "this one")
                .help(help),
        );
    }
}

/// Warning for a measure that no simulation has all objects for.
fn of_no_simulation(name: &Name, of: &[usize], tied: Option<&Name>, experiment: &Experiment) -> Diagnostic {
    let is_away = |object: &&usize, it: &Simulation| it.objects.binary_search(object).is_err();
    let simulation = tied.and_then(|tied| experiment.simulations.iter().find(|it| it.name == tied.text));
    let away = simulation.and_then(|it| of.iter().find(|object| is_away(object, it)));
    let message = match (away, simulation) {
        (Some(&away), Some(simulation)) => format!(
            "`{}` is never measured: `{}` takes no part in `{}`",
            name.text, experiment.objects[away].name, simulation.name
        ),
        _ => format!("`{}` is never measured: its objects take part in no simulation together", name.text),
    };
    Diagnostic::new(Code::W730, name.span, message).help(
        "a measure belongs to the simulations in which all of its objects take part; parts of a compound do so only as the compound",
    )
}
