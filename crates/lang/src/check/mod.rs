//! The checker: from syntax to a program whose every name has a meaning and every value a type, or to
//! diagnostics, never to something in between.
//!
//! `resolve` gives names their meaning, in the order of the language: parameter, function of this context,
//! attribute or alias, imported function, native; `names` is the table it looks in. `laws` says which
//! function is the law or the rate of which attribute. `cycles` finds laws and helpers that need themselves.
//! `infer` finds the type of every function from the types of the attributes, for each combination of
//! argument types it is called with; `rules` has what it knows of expressions. `context` reads the blocks of
//! an experiment file: which names a context sees, its aliases, its first-time-only attributes.
//! `formulas` checks what stands outside contexts. `mistakes` knows what students write instead of what
//! is meant.

mod aliases;
mod context;
mod cycles;
mod entries;
mod expressions;
mod first_time;
mod formulas;
mod infer;
mod laws;
mod mistakes;
mod names;
mod participants;
mod pipeline;
mod resolve;
mod rules;

pub use context::{ContextKind, NamedObject, Participant, Signature, check_context, context_kind};

pub use entries::KEYS as CONTEXT_KEYS;
pub use formulas::{OutputFormula, check_formulas};
pub use infer::{Types, infer_type};
pub use mistakes::decimal_commas::decimal_commas;
pub use mistakes::similar::{guess, similar};
pub use mistakes::suspicious::{degrees_of_rotation, suspicious};
pub use pipeline::{check, check_expression, check_library};

use crate::diagnostic::Diagnostic;
use crate::program::Program;
use crate::source::Span;
use crate::syntax::tree::Definition;
use crate::types::Type;
use std::sync::Arc;

/// A name that is not a function: an attribute, an alias, or something the engine gives.
#[derive(Clone, Debug)]
pub struct Variable {
    /// As the user writes it.
    pub name: String,
    /// Its type; `None` for a context attribute, whose law tells.
    pub ty: Option<Type>,
    /// Kind of the variable: says who may set it.
    pub kind: VariableKind,
    /// Place of its declaration, if the user made one.
    pub declared: Option<Span>,
    /// Attribute that it stands for. Variables of equal binding are one attribute under several names: a law
    /// for one is the law of all.
    pub binding: Binding,
}

/// Attribute that a variable stands for. Objects are numbered as the context numbers its participants.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Binding {
    /// An attribute of the world.
    World {
        /// Its name there.
        name: String,
    },
    /// An attribute of a participant.
    Object {
        /// Number of the participant.
        index: usize,
        /// Its name there.
        attribute: String,
    },
    /// An attribute of any object of the experiment, to be read.
    Named {
        /// The object's name.
        object: String,
        /// Its name there.
        attribute: String,
    },
    /// An attribute of the context, of which every participant has its own.
    Context {
        /// Number of the participant.
        index: usize,
        /// Its name in `attributes`.
        attribute: String,
    },
    /// Something the engine computes.
    Engine {
        /// For which participant, if it is not the same for all.
        index: Option<usize>,
        /// Name of the attribute.
        name: String,
    },
}

/// Kind of a variable: says who may set it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// A law or a rate.
    Attribute,
    /// A law that is computed when the context starts, then kept.
    FirstTime,
    /// The engine alone: `t`, `dt`, `collisionNormal`, the attributes of static objects.
    Given,
}

/// Names and types that a text is checked against.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// Every name that is not a function. No two are equal.
    pub variables: Vec<Variable>,
    /// `true` if rates are allowed: in free fall and contact, not in a collision.
    pub continuous: bool,
    /// Hints for messages about names that have no meaning here.
    pub hints: Hints,
}

/// Hints for messages about unknown names; they change no meaning.
#[derive(Clone, Debug, Default)]
pub struct Hints {
    /// For every participant, the attributes an alias could name.
    pub objects: Vec<Vec<String>>,
    /// `true` if names without an alias mean the attributes of no participant, because none comes before the
    /// others.
    pub ambiguous: bool,
    /// Number of `geometric_data_directions`; `None` outside contact contexts.
    pub directions: Option<u32>,
    /// Place at which another alias could be written.
    pub alias_place: Option<Span>,
    /// In a contact, number of the participant that is evaluated: laws set its attributes and no others.
    pub evaluated: Option<usize>,
    /// `true` if a collision context says nothing about its roles, so that any two objects fill them.
    pub is_for_all: bool,
    /// The objects of the experiment.
    pub named: Arc<Vec<NamedObject>>,
}

/// Functions that every context may call, and sessions start with.
#[derive(Clone, Debug, Default)]
pub struct Library {
    /// In the order they were imported; a later one of the same name wins.
    pub definitions: Vec<Definition>,
}

/// A program without mistakes.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The program.
    pub program: Program,
    /// Type of every function's result.
    pub types: Types,
    /// Warnings: what is probably not meant.
    pub warnings: Vec<Diagnostic>,
    /// Scope that it was checked against, every variable that has a law with its type: `scope_index` points
    /// here.
    pub scope: Scope,
}
