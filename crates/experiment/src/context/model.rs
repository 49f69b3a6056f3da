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
    /// When it applies.
    pub kind: ContextKind,
    /// To whom it applies, in the order of the file: index 0 is the object that fills the first role. Empty
    /// for anybody.
    pub roles: Vec<Role>,
    /// The directions in which a contact context looks for other objects.
    pub directions: Vec<[f64; 3]>,
    /// The block with its laws.
    pub block: Block,
    /// Where its name is written.
    pub span: Span,
}

/// Whom a context applies to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// One object, by its name.
    Named {
        /// The name.
        object: String,
        /// Where it is written.
        span: Span,
    },
    /// So many objects of a kind; in a contact, at least so many.
    Counted {
        /// How many.
        count: u32,
        /// Static or dynamic only; `None` for both.
        is_static: Option<bool>,
        /// Of this shape only; `None` for all.
        shape: Option<ShapeKind>,
        /// Where it is written.
        span: Span,
    },
}

/// A context for participants of certain types, ready to run.
#[derive(Clone, Debug)]
pub struct CheckedContext {
    /// Which context: an index into those of the experiment.
    pub context: usize,
    /// The participants it was checked for, in the order of their indices.
    pub participants: Vec<Participant>,
    /// In free fall and contact, which of them is being evaluated.
    pub evaluated: usize,
    /// Its laws as a program.
    pub checked: Checked,
}

impl Role {
    /// How many objects fill it.
    pub fn count(&self) -> u32 {
        match self {
            Self::Named { .. } => 1,
            Self::Counted { count, .. } => *count,
        }
    }

    /// Where it is written.
    pub fn span(&self) -> Span {
        match self {
            Self::Named { span, .. } | Self::Counted { span, .. } => *span,
        }
    }
}

impl Context {
    /// Whether it names participants by their index.
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
