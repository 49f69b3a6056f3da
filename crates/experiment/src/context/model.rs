//! A context of the experiment: the situation in which its laws apply, and the objects they apply to.

use crate::object::shape::ShapeKind;
use gedanken_lang::check::{Checked, ContextKind, Participant};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{AliasOf, Block, Value};

/// A context of the experiment.
#[derive(Clone, Debug)]
pub struct Context {
    /// Its name; no two contexts have the same.
    pub name: String,
    /// Situation in which it applies.
    pub kind: ContextKind,
    /// Roles of its objects, in the order of the file: index 0 is the object that fills the first role. Empty
    /// if it applies to all.
    pub roles: Vec<Role>,
    /// The directions in which a contact context looks for other objects.
    pub directions: Vec<[f64; 3]>,
    /// The block with its laws.
    pub block: Block,
    /// Position of its name in the text.
    pub span: Span,
}

/// Objects that a context applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// One object, by its name.
    Named {
        /// The name.
        object: String,
        /// Position in the text.
        span: Span,
    },
    /// A number of objects of a kind; in a contact, at least that number.
    Counted {
        /// Number of objects.
        count: u32,
        /// Static or dynamic only; `None` for both.
        is_static: Option<bool>,
        /// Of this shape only; `None` for all.
        shape: Option<ShapeKind>,
        /// Position in the text.
        span: Span,
    },
}

/// A context for participants of certain types, ready to run.
#[derive(Clone, Debug)]
pub struct CheckedContext {
    /// Index into the contexts of the experiment.
    pub context: usize,
    /// The participants it was checked for, in the order of their indices.
    pub participants: Vec<Participant>,
    /// Index of the participant that is evaluated, in free fall and contact.
    pub evaluated: usize,
    /// Its laws as a program.
    pub checked: Checked,
}

impl Role {
    /// Number of objects that fill it.
    pub fn count(&self) -> u32 {
        match self {
            Self::Named { .. } => 1,
            Self::Counted { count, .. } => *count,
        }
    }

    /// Position in the text.
    pub fn span(&self) -> Span {
        match self {
            Self::Named { span, .. } | Self::Counted { span, .. } => *span,
        }
    }
}

impl Context {
    /// Returns `true` if it has functions.
    pub fn has_laws(&self) -> bool {
        let is_law = |value: &Value| matches!(value, Value::Definitions(laws) if !laws.is_empty());
        self.block.entries.iter().any(|entry| entry.key.text == "functions" && is_law(&entry.value))
    }

    /// Returns `true` if it names participants by their index.
    pub fn uses_indices(&self) -> bool {
        let aliases = self.block.entries.iter().filter_map(|entry| match &entry.value {
            Value::Aliases(aliases) => Some(aliases),
            _ => None,
        });
        aliases.flatten().any(|alias| matches!(alias.of, AliasOf::Index(..)))
    }

    /// The objects whose attributes its laws read by name.
    pub fn reads(&self) -> impl Iterator<Item = &str> {
        let aliases = self.block.entries.iter().filter_map(|entry| match &entry.value {
            Value::Aliases(aliases) => Some(aliases),
            _ => None,
        });
        aliases.flatten().filter_map(|alias| match &alias.of {
            AliasOf::Object(object) => Some(object.text.as_str()),
            AliasOf::Index(..) => None,
        })
    }

    /// The objects that its roles name.
    pub fn named(&self) -> impl Iterator<Item = &str> {
        self.roles.iter().filter_map(|role| match role {
            Role::Named { object, .. } => Some(object.as_str()),
            Role::Counted { .. } => None,
        })
    }
}
