//! What a simulation records, beside its measures, which are always recorded.

use super::Cast;
use crate::context::Context;
use crate::lagrangian::Lagrangian;
use crate::object::Object;
use crate::read::fields::Fields;
use crate::rigid::given::{OfObject, OfWorld};
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::syntax::tree::{Definition, Name, Value};
use std::collections::BTreeSet;

/// What a simulation records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Record {
    /// The file says nothing: all attributes, those of contexts too.
    #[default]
    Default,
    /// All attributes, and every function without parameters of the contexts.
    All,
    /// The attributes of objects and of the world.
    Attributes,
    /// What has one of these names, sorted.
    Names(Vec<String>),
}

impl Record {
    /// Whether an attribute of an object is recorded; `attribute` is its proper name. Where an object is, and
    /// how large, is recorded in any case, or nobody could see it; other names are only for such attributes.
    pub fn has_attribute(&self, object: &Object, attribute: &str) -> bool {
        match self {
            Self::Names(names) => {
                object.shape.fields().any(|field| field.name == attribute)
                    || names.iter().any(|name| name == attribute)
            }
            _ => true,
        }
    }

    /// Whether an attribute of the world is recorded.
    pub fn has_world_attribute(&self, attribute: &str) -> bool {
        self.is_named(attribute).unwrap_or(true)
    }

    /// Whether an attribute of contexts is recorded.
    pub fn has_context_attribute(&self, attribute: &str) -> bool {
        self.is_named(attribute).unwrap_or(*self != Self::Attributes)
    }

    /// Whether a helper without parameters is recorded.
    pub fn has_helper(&self, name: &str) -> bool {
        self.is_named(name).unwrap_or(*self == Self::All)
    }

    fn is_named(&self, name: &str) -> Option<bool> {
        match self {
            Self::Names(names) => Some(names.iter().any(|it| it == name)),
            _ => None,
        }
    }
}

/// Reads `record = …` of a simulation in which these objects and contexts take part.
pub(crate) fn read(
    fields: &Fields<'_>,
    cast: &Cast<'_>,
    objects: &[usize],
    contexts: &[usize],
    system: Option<&Lagrangian>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Record {
    let Some(written) = fields.list("record", diagnostics) else { return Record::Default };
    let mut given = given(fields, cast);
    given.extend(system.map(crate::lagrangian::given::names).unwrap_or_default());
    let choices = Choices::new(cast, objects, contexts, &given);
    let mut names: BTreeSet<&str> = BTreeSet::new();
    for name in &written {
        match name.text.as_str() {
            "all" => return Record::All,
            "attributes" if written.len() == 1 => return Record::Attributes,
            "attributes" => names.extend(&choices.attributes),
            // The time is in every recording, and measures are there to be recorded.
            "t" => {}
            measure if cast.measures.contains(&measure) => {}
            other if choices.has(other) => {
                names.insert(other);
            }
            _ if !cast.is_whole() => {}
            _ => diagnostics.push(choices.unknown(name)),
        }
    }
    Record::Names(names.into_iter().map(str::to_owned).collect())
}

/// The names that rigid bodies add to those of the file.
fn given(fields: &Fields<'_>, cast: &Cast<'_>) -> Vec<String> {
    let is_rigid = fields.words("mechanics", &mut Vec::new()).is_some_and(|words| words.text == "rigid");
    let of_objects = OfObject::computed().map(|it| it.name().to_owned());
    let of_world = OfWorld::all(cast.laws.iter().copied()).into_iter().map(|(name, _)| name);
    if is_rigid { of_objects.chain(of_world).collect() } else { Vec::new() }
}

/// What can be recorded in a simulation.
struct Choices<'c> {
    /// Of objects, with their other names, and of the world.
    attributes: BTreeSet<&'c str>,
    /// Attributes of contexts, and functions without parameters.
    of_contexts: BTreeSet<&'c str>,
    with_parameters: BTreeSet<&'c str>,
}

impl<'c> Choices<'c> {
    fn new(cast: &Cast<'c>, objects: &[usize], contexts: &[usize], given: &'c [String]) -> Self {
        let mut attributes: BTreeSet<&str> = cast.world.iter().map(|it| it.name.as_str()).collect();
        attributes.extend(given.iter().map(String::as_str));
        for object in objects.iter().map(|&index| &cast.objects[index]) {
            attributes.extend(object.attributes.iter().map(|it| it.name.as_str()));
            let synonyms = object.shape.fields().filter(|it| object.attribute(it.name).is_some());
            attributes.extend(synonyms.map(|field| field.synonym).filter(|name| !name.is_empty()));
        }
        let mut of_contexts: BTreeSet<&str> = BTreeSet::new();
        let mut with_parameters: BTreeSet<&str> = BTreeSet::new();
        for context in contexts.iter().map(|&index| &cast.contexts[index]) {
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

    fn unknown(&self, name: &Name) -> Diagnostic {
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
        match similar(text, names.chain(["all", "attributes"])) {
            Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(name.span, meant),
            None => diagnostic.help(
                "name attributes or functions without parameters, or write `record = all` or `record = attributes`",
            ),
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
