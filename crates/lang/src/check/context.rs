//! Contexts: which names the laws of a context block see, for one combination of participants.
//!
//! A context is checked once for every signature of its participants, because a sphere's `size` is a real and
//! a cuboid's a vector. Names without an alias mean the attributes of one participant: in free fall and
//! contact the one being evaluated, in a collision the one dynamic object, if there is just one. Where two
//! things have one name, the nearer one is meant: attributes of the object, of the context, given by the
//! engine, of the world.

use super::aliases;
use super::entries::Entries;
use super::mistakes::{ambiguous, frame_rate};
use super::participants::Participants;
use super::pipeline;
use super::{Binding, Checked, Hints, Library, Scope, Variable, VariableKind};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;
use crate::syntax::tree::{Alias, Block, Name, Value};
use crate::types::{Dim, Type};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

/// Kind of a context: the situation in which it applies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ContextKind {
    /// To an object that touches nothing.
    FreeFall,
    /// To two objects, at the moment they meet.
    Collision,
    /// To objects that stay together.
    Contact,
}

impl ContextKind {
    /// Names of the kinds, as a file writes them.
    pub const NAMES: [&'static str; 3] = ["free fall", "collision", "contact"];

    /// The kind called so, with a space or an underscore.
    pub fn by_name(name: &str) -> Option<Self> {
        match name {
            "free fall" | "free_fall" => Some(Self::FreeFall),
            "collision" => Some(Self::Collision),
            "contact" => Some(Self::Contact),
            _ => None,
        }
    }
}

/// The attributes of an object that takes part.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Participant {
    /// `true` if its attributes never change.
    pub is_static: bool,
    /// Names and types.
    pub attributes: Vec<(String, Type)>,
    /// Other names of attributes, and what they stand for: `pos` for `position`, a sphere's `radius` for its
    /// `size`.
    pub synonyms: Vec<(String, String)>,
}

/// An object that contexts can reach by its name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedObject {
    /// Its name.
    pub name: String,
    /// Attributes that can be read of it.
    pub object: Participant,
}

/// Participants and names that a context is checked for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signature {
    /// The attributes of the world; `t` is there in any case.
    pub world: Vec<(String, Type)>,
    /// In the order of their indices.
    pub participants: Vec<Participant>,
    /// In free fall and contact, the index of the object whose attributes names without alias mean.
    pub evaluated: usize,
    /// The objects of the experiment, for `of object NAME`; all signatures share them.
    pub named: Arc<Vec<NamedObject>>,
    /// In a contact, how many objects the evaluated one touches in each direction: the rows of its
    /// `collisionNormalsDirVec1` and the like. Empty if that is not known, and rows can be any number.
    pub touching: Vec<u32>,
}

/// The kind that a context block says it is.
pub fn context_kind(block: &Block) -> Option<ContextKind> {
    let value = block.entries.iter().find(|entry| entry.key.text == "type").map(|entry| &entry.value)?;
    match value {
        Value::Words(words) => ContextKind::by_name(&words.text),
        _ => None,
    }
}

/// Checks the laws of a context for the participants of `signature`.
///
/// # Errors
/// Everything that is wrong, in the order of the text; nothing, if the parser has reported all.
pub fn check_context(
    block: &Block,
    signature: &Signature,
    library: &Library,
) -> Result<Checked, Vec<Diagnostic>> {
    let mut diagnostics = Vec::new();
    let entries = Entries::read(block, &mut diagnostics);
    let Some(kind) = entries.kind else { return pipeline::finish(None, diagnostics) };
    let view = View::new(kind, &entries, signature);
    let scope = view.scope(&mut diagnostics);
    let without_law = view.check_first_time(&scope, &mut diagnostics);
    let mut used = BTreeSet::new();
    let (checked, mut found) = pipeline::run(entries.functions, library, &scope, &mut used, true);
    // That they have no law has been said where they are listed.
    let is_told = |message: &str| {
        let name = message.strip_prefix('`').and_then(|rest| rest.split_once("` "));
        name.is_some_and(|(name, _)| without_law.contains(name))
    };
    found.retain(|it| it.code != Code::E409 || !is_told(&it.message));
    diagnostics.extend(ambiguous::in_one(found));
    view.unused(&scope, &used, &mut diagnostics);
    if let Some(checked) = checked.as_ref().filter(|_| kind != ContextKind::Collision) {
        frame_rate::dependent(&checked.program, &checked.scope, &mut diagnostics);
    }
    pipeline::finish(checked.filter(|_| !entries.incomplete), diagnostics)
}

/// A context block seen by certain participants.
pub(super) struct View<'v> {
    pub(super) kind: ContextKind,
    pub(super) entries: &'v Entries<'v>,
    pub(super) signature: &'v Signature,
    pub(super) participants: Participants<'v>,
    /// Attributes of the context, by name; of two with one name, the first.
    pub(super) declared: HashMap<&'v str, &'v Name>,
    /// Attributes that are computed first time only.
    first_time: HashSet<&'v str>,
}

/// Attribute of an object: everything of a variable but its name.
pub(super) struct Found {
    pub(super) ty: Option<Type>,
    pub(super) kind: VariableKind,
    pub(super) binding: Binding,
    pub(super) declared: Option<Span>,
}

impl Found {
    pub(super) fn named(self, name: impl Into<String>) -> Variable {
        let Self { ty, kind, binding, declared } = self;
        Variable { name: name.into(), ty, kind, declared, binding }
    }
}

impl<'v> View<'v> {
    fn new(kind: ContextKind, entries: &'v Entries<'v>, signature: &'v Signature) -> Self {
        let participants = Participants::new(signature);
        let mut declared = HashMap::new();
        for name in entries.attributes {
            declared.entry(name.text.as_str()).or_insert(name);
        }
        let listed: HashSet<&str> = entries.first_time.iter().map(|name| name.text.as_str()).collect();
        // An alias in the list is a mistake, but it is clear what is meant.
        let aliases = entries.aliases.iter().filter(|it| listed.contains(it.name.text.as_str()));
        let meant = aliases.map(|it| it.attribute.text.as_str());
        let proper = entries.first_time.iter().map(|name| participants.proper(&name.text));
        let first_time = proper.chain(meant).collect();
        Self { kind, entries, signature, participants, declared, first_time }
    }

    /// Every name that the laws see.
    fn scope(&self, diagnostics: &mut Vec<Diagnostic>) -> Scope {
        let mut table = Table::default();
        self.check_attributes(diagnostics);
        if let Some(index) = self.meant() {
            for name in self.names_of(index) {
                if let Some(found) = self.attribute(index, &name) {
                    table.add(found.named(name));
                }
            }
        }
        let engine = |name: &str, ty: Type| Variable {
            name: name.to_owned(),
            ty: Some(ty),
            kind: VariableKind::Given,
            declared: None,
            binding: Binding::Engine { index: None, name: name.to_owned() },
        };
        if self.kind == ContextKind::Collision {
            table.add(engine("collisionPoint", Type::vector(3)));
        }
        table.add(engine("dt", Type::Real));
        let time = ("t".to_owned(), Type::Real);
        for (name, ty) in self.signature.world.iter().chain([&time]) {
            table.add(Variable {
                name: name.clone(),
                ty: Some(ty.clone()),
                kind: if name == "t" { VariableKind::Given } else { VariableKind::Attribute },
                declared: None,
                binding: Binding::World { name: name.clone() },
            });
        }
        aliases::add(self, &mut table, diagnostics);
        let objects = (0..self.signature.participants.len()).map(|index| self.names_of(index)).collect();
        let ambiguous = self.meant().is_none();
        let directions = (self.kind == ContextKind::Contact).then(|| self.directions());
        if let (Some((_, span)), None) = (self.entries.directions, directions) {
            diagnostics.push(
                Diagnostic::new(
                    Code::W403,
                    span,
                    "`geometric_data_directions` means something in contact contexts only",
                )
                .help("remove it, or make this a contact context"),
            );
        }
        Scope {
            variables: table.variables,
            continuous: self.kind != ContextKind::Collision,
            hints: Hints {
                objects,
                ambiguous,
                directions,
                alias_place: self.entries.alias_place,
                evaluated: (self.kind == ContextKind::Contact).then_some(self.signature.evaluated),
                is_for_all: self.kind == ContextKind::Collision && !self.entries.has_roles,
                named: Arc::clone(&self.signature.named),
            },
        }
    }

    /// The participant that names without an alias mean.
    fn meant(&self) -> Option<usize> {
        let participants = &self.signature.participants;
        if self.kind != ContextKind::Collision {
            return (self.signature.evaluated < participants.len()).then_some(self.signature.evaluated);
        }
        let mut dynamic = (0..participants.len()).filter(|&index| !participants[index].is_static);
        dynamic.next().filter(|_| dynamic.next().is_none())
    }

    fn directions(&self) -> u32 {
        // Nobody names more directions than this, and every one makes names.
        self.entries.directions.map_or(0, |(count, _)| count.min(1000))
    }

    fn is_first_time(&self, attribute: &str) -> bool {
        self.first_time.contains(attribute)
    }

    /// Every attribute that participant `index` has here, nearest first.
    pub(super) fn names_of(&self, index: usize) -> Vec<String> {
        let participant = &self.signature.participants[index];
        let own = participant.attributes.iter().map(|(name, _)| name.clone());
        let synonyms = participant.synonyms.iter().map(|(name, _)| name.clone());
        let context = self.entries.attributes.iter().map(|name| name.text.clone());
        let mut names: Vec<String> = own.chain(synonyms).chain(context).collect();
        match self.kind {
            ContextKind::FreeFall => {}
            ContextKind::Collision => names.push("collisionNormal".to_owned()),
            ContextKind::Contact => {
                let summed: BTreeSet<&str> = self
                    .signature
                    .participants
                    .iter()
                    .flat_map(|participant| &participant.attributes)
                    .map(|(name, _)| name.as_str())
                    .collect();
                for k in 1..=self.directions() {
                    names.push(format!("hasPathToStaticObjectDirVec{k}"));
                    names.push(format!("collisionNormalsDirVec{k}"));
                    names.push(format!("collisionPointsDirVec{k}"));
                    names.extend(summed.iter().map(|attribute| format!("{attribute}SumDirVec{k}")));
                }
            }
        }
        names
    }

    /// The attribute `name` of participant `index`.
    pub(super) fn attribute(&self, index: usize, name: &str) -> Option<Found> {
        let participant = self.signature.participants.get(index)?;
        if let Some((attribute, ty)) = self.participants.attribute(index, name) {
            let kind = match participant.is_static {
                true => VariableKind::Given,
                false if self.is_first_time(attribute) => VariableKind::FirstTime,
                false => VariableKind::Attribute,
            };
            let binding = Binding::Object { index, attribute: attribute.to_owned() };
            return Some(Found { ty: Some(ty.clone()), kind, binding, declared: None });
        }
        if let Some(declared) = self.declared.get(name) {
            let kind =
                if self.is_first_time(name) { VariableKind::FirstTime } else { VariableKind::Attribute };
            let binding = Binding::Context { index, attribute: name.to_owned() };
            return Some(Found { ty: None, kind, binding, declared: Some(declared.span) });
        }
        let ty = match self.kind {
            ContextKind::FreeFall => None,
            ContextKind::Collision => (name == "collisionNormal").then(|| Type::vector(3)),
            ContextKind::Contact => self.direction_type(index, name),
        }?;
        let binding = Binding::Engine { index: Some(index), name: name.to_owned() };
        Some(Found { ty: Some(ty), kind: VariableKind::Given, binding, declared: None })
    }

    /// The type of `massSumDirVec1` and its like.
    fn direction_type(&self, index: usize, name: &str) -> Option<Type> {
        let (stem, number) = name.rsplit_once("DirVec")?;
        let number: u32 =
            number.parse().ok().filter(|_| !number.starts_with('0') && !number.starts_with('+'))?;
        if number == 0 || number > self.directions() {
            return None;
        }
        match stem {
            "hasPathToStaticObject" => return Some(Type::Bool),
            "collisionNormals" | "collisionPoints" => {
                let own = self.signature.touching.get(number as usize - 1);
                let rows =
                    own.filter(|_| index == self.signature.evaluated).map_or(Dim::Any, |&it| Dim::Is(it));
                return Some(Type::Matrix(rows, Dim::Is(3)));
            }
            _ => {}
        }
        let attribute = stem.strip_suffix("Sum")?;
        // The object's own type; of an attribute it lacks, that of the first one that has it.
        let own = self.participants.attribute(index, attribute);
        let (_, ty) = own.or_else(|| self.participants.first(attribute))?;
        Some(ty.clone()).filter(|ty| *ty != Type::Bool)
    }

    /// Context attributes that are named twice, or like an attribute of a participant.
    fn check_attributes(&self, diagnostics: &mut Vec<Diagnostic>) {
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        let of_world: HashSet<&str> = self.signature.world.iter().map(|(name, _)| name.as_str()).collect();
        for name in self.entries.attributes {
            if let Some(&first) = seen.get(name.text.as_str()) {
                let message = format!("the attribute `{}` is declared twice", name.text);
                diagnostics.push(
                    Diagnostic::new(Code::E436, name.span, message)
                        .label("again here")
                        .also(first, "first here")
                        .help("remove one of the two"),
                );
                continue;
            }
            seen.insert(&name.text, name.span);
            let owner = self.participants.first(&name.text);
            let world = of_world.contains(name.text.as_str());
            let is_engine = ["t", "dt", "collisionPoint"].contains(&name.text.as_str());
            let whose = match (owner, world || is_engine) {
                (Some(_), _) => "objects of this context have it already",
                (None, true) => "the world has it already",
                (None, false) => continue,
            };
            let message = format!("`{}` cannot be an attribute of the context: {whose}", name.text);
            diagnostics.push(
                Diagnostic::new(Code::E436, name.span, message)
                    .label("declared here")
                    .help("a name means one thing: remove it here, or choose another name"),
            );
        }
    }

    /// Aliases and context attributes that do nothing.
    fn unused(&self, scope: &Scope, used: &BTreeSet<usize>, diagnostics: &mut Vec<Diagnostic>) {
        let mut aliases: HashMap<&str, &Alias> = HashMap::new();
        for alias in self.entries.aliases {
            aliases.entry(&alias.name.text).or_insert(alias);
        }
        for (index, variable) in scope.variables.iter().enumerate() {
            let Some(alias) = aliases.get(variable.name.as_str()) else { continue };
            if variable.declared == Some(alias.name.span) && !used.contains(&index) {
                let message = format!("the alias `{}` is never used", variable.name);
                let help = "remove it, or use it in a law";
                diagnostics.push(Diagnostic::new(Code::W401, alias.span, message).help(help));
            }
        }
        let of_context = |&index: &usize| match &scope.variables[index].binding {
            Binding::Context { attribute, .. } => Some(attribute.as_str()),
            _ => None,
        };
        let named: HashSet<&str> = used.iter().filter_map(of_context).collect();
        for name in self.entries.attributes {
            let is_named = named.contains(name.text.as_str());
            if !is_named && !self.is_first_time(&name.text) {
                let message = format!("the attribute `{}` is never set", name.text);
                let help = format!("give it a law, `{} = …`, or remove it", name.text);
                diagnostics.push(Diagnostic::new(Code::W402, name.span, message).help(help));
            }
        }
    }
}

impl Participant {
    /// The attribute called `name`, or that `name` is a synonym of.
    pub fn attribute(&self, name: &str) -> Option<(&str, &Type)> {
        let own =
            |name: &str| self.attributes.iter().find(|(it, _)| it == name).map(|(it, ty)| (it.as_str(), ty));
        own(name).or_else(|| own(&self.synonyms.iter().find(|(synonym, _)| synonym == name)?.1))
    }
}

/// Variables, no two of one name.
#[derive(Default)]
pub(super) struct Table {
    pub(super) variables: Vec<Variable>,
    places: BTreeMap<String, usize>,
}

impl Table {
    /// Adds a variable, unless there is a nearer one of its name.
    pub(super) fn add(&mut self, variable: Variable) {
        let next = self.variables.len();
        let place = *self.places.entry(variable.name.clone()).or_insert(next);
        if place == next {
            self.variables.push(variable);
        }
    }

    /// The variable of this name.
    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.places.get(name).map(|&place| &self.variables[place])
    }
}
