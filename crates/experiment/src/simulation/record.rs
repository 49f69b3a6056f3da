//! Reads the quantities that a simulation records.

use super::model::{Mechanics, Record};
use crate::context::model::Context;
use crate::environment::Environment;
use crate::lagrangian::quantities;
use crate::read::fields::Fields;
use crate::rigid::quantities::{ObjectQuantity, WorldQuantity};
use gedanken_lang::check::guess;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{Definition, Name, Value};
use std::collections::BTreeSet;

/// Reads `record = …` of a simulation of these objects.
pub(crate) fn read(
    fields: &Fields<'_>,
    environment: &Environment<'_>,
    objects: &[usize],
    mechanics: &Mechanics,
    diagnostics: &mut Vec<Diagnostic>,
) -> Record {
    let Some(written) = fields.list("record", diagnostics) else { return Record::Default };
    let computed = computed(environment, mechanics);
    let choices = Choices::new(environment, objects, mechanics, &computed);
    let mut names: BTreeSet<&str> = BTreeSet::new();
    let is_whole = environment.names.is_recordable_whole();
    for name in &written {
        match name.text.as_str() {
            "all" => return Record::All,
            "attributes" if written.len() == 1 => return Record::Attributes,
            "attributes" => names.extend(&choices.attributes),
            // The time is in every recording, and measures are there to be recorded.
            "t" => {}
            measure if environment.names.measures.contains(measure) => {}
            other if choices.has(other) => {
                names.insert(other);
            }
            _ if !is_whole => {}
            _ => diagnostics.push(choices.unknown(name, diagnostics.len())),
        }
    }
    Record::Names(names.into_iter().map(str::to_owned).collect())
}

/// Names of the quantities that the mechanics computes, beside those of the file.
fn computed(environment: &Environment<'_>, mechanics: &Mechanics) -> Vec<String> {
    match mechanics {
        Mechanics::Contexts(_) | Mechanics::Workflow(_) => Vec::new(),
        Mechanics::Rigid(settings) => {
            let laws = environment.names.working_laws.iter().map(String::as_str);
            let of_objects = ObjectQuantity::computed().map(|it| it.name().to_owned());
            of_objects
                .chain(WorldQuantity::all(laws, settings.step_kind()).into_iter().map(|(name, _)| name))
                .collect()
        }
        Mechanics::Mechanism(_) => Vec::new(),
        Mechanics::Lagrangian(settings) => {
            let system = settings.system.and_then(|it| environment.experiment.lagrangians.get(it));
            system.map(quantities::names).unwrap_or_default()
        }
    }
}

/// Quantities that can be recorded in a simulation.
struct Choices<'c> {
    /// Of objects, with their other names, and of the world.
    attributes: BTreeSet<&'c str>,
    /// Attributes of contexts, and functions without parameters.
    of_contexts: BTreeSet<&'c str>,
    with_parameters: BTreeSet<&'c str>,
}

impl<'c> Choices<'c> {
    fn new(
        environment: &Environment<'c>,
        objects: &[usize],
        mechanics: &Mechanics,
        computed: &'c [String],
    ) -> Self {
        let experiment = environment.experiment;
        let mut attributes: BTreeSet<&str> = experiment.world.iter().map(|it| it.name.as_str()).collect();
        attributes.extend(computed.iter().map(String::as_str));
        for object in objects.iter().map(|&index| &experiment.objects[index]) {
            attributes.extend(object.attributes.iter().map(|it| it.name.as_str()));
            let synonyms = object.shape.fields().filter(|it| object.attribute(it.name).is_some());
            attributes.extend(synonyms.map(|field| field.synonym).filter(|name| !name.is_empty()));
        }
        let mut of_contexts: BTreeSet<&str> = BTreeSet::new();
        let mut with_parameters: BTreeSet<&str> = BTreeSet::new();
        let contexts: &[usize] = match mechanics {
            Mechanics::Contexts(settings) => &settings.contexts,
            _ => &[],
        };
        for context in contexts.iter().map(|&index| &experiment.contexts[index]) {
            of_contexts.extend(declared(context));
            for function in functions(context).filter(|it| it.prime.is_none()) {
                let kind = if function.params.is_empty() { &mut of_contexts } else { &mut with_parameters };
                kind.insert(&function.name.text);
            }
        }
        Self { attributes, of_contexts, with_parameters }
    }

    fn has(&self, name: &str) -> bool {
        self.attributes.contains(name) || self.of_contexts.contains(name)
    }

    fn unknown(&self, name: &Name, said: usize) -> Diagnostic {
        let text = &name.text;
        if self.with_parameters.contains(text.as_str()) {
            let message = format!("`{text}` cannot be recorded: it has a value only where it gets arguments");
            return Diagnostic::new(Code::E733, name.span, message)
                .label("a function with parameters")
                .help(format!("record a function without parameters that calls `{text}`"));
        }
        let message = format!("there is nothing called `{text}` to record");
        let diagnostic = Diagnostic::new(Code::E733, name.span, message)
            .label("neither an attribute nor a function of a context in this simulation");
        let names = self.attributes.union(&self.of_contexts).copied();
        match guess(said, text, names.chain(["all", "attributes"])) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
            None => diagnostic.help(match WorldQuantity::only_solver(text) {
                Some(solver) => format!("it is a residual of `solver = {solver}`; other solvers do not have it"),
                None => "name attributes or functions without parameters, or write `record = all` or `record = attributes`".to_owned(),
            }),
        }
    }
}

/// The attributes that a context declares.
pub(crate) fn declared(context: &Context) -> impl Iterator<Item = &str> {
    let entries = context.block.entries.iter().filter(|entry| entry.key.text == "attributes");
    let names = entries.filter_map(|entry| match &entry.value {
        Value::Names(names) => Some(names),
        _ => None,
    });
    names.flatten().map(|name| name.text.as_str())
}

fn functions(context: &Context) -> impl Iterator<Item = &Definition> {
    let entries = context.block.entries.iter().filter(|entry| entry.key.text == "functions");
    let lists = entries.filter_map(|entry| match &entry.value {
        Value::Definitions(definitions) => Some(definitions),
        _ => None,
    });
    lists.flatten()
}
