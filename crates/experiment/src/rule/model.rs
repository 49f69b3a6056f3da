//! A rule or event of the experiment, and its functions as programs.

use gedanken_lang::check::Checked;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Alias, Definition, Name};
use gedanken_lang::types::Type;

/// `rule NAME { … }` or `event NAME { … }`.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name; no two rules or events have the same.
    pub name: String,
    /// `true` if it is an event: it takes a tick, and tells when its function `when` holds.
    pub is_event: bool,
    /// The objects it is evaluated for; all dynamic ones that have what it declares, if `None`.
    pub of: Option<Vec<Name>>,
    /// Attributes that it reads.
    pub reads: Vec<Name>,
    /// Attributes that it sets, and may read.
    pub writes: Vec<Name>,
    /// Attributes that it adds to without reading them.
    pub adds: Vec<Name>,
    /// Attributes of other objects that it reads.
    pub aliases: Vec<Alias>,
    /// Its functions.
    pub functions: Vec<Definition>,
    /// Part of the step by which the clock moves on after it.
    pub advances: f64,
    /// Position of its name in the text.
    pub span: Span,
}

/// The condition of an event.
pub const WHEN: &str = "when";

/// Names that every rule may read without declaring them.
pub(crate) const ENGINE_NAMES: [&str; 2] = ["t", "dt"];

impl Rule {
    /// Its kind with an article: `a rule`.
    pub(crate) fn what(&self) -> &'static str {
        if self.is_event { "an event" } else { "a rule" }
    }

    /// Every name it declares, those that are always there excepted.
    pub(crate) fn declared(&self) -> impl Iterator<Item = &Name> {
        let all = self.reads.iter().chain(&self.writes).chain(&self.adds);
        all.filter(|name| !ENGINE_NAMES.contains(&name.text.as_str()))
    }
}

/// Access of a rule to an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Reads it.
    Reads,
    /// Sets it, and may read it first.
    Writes,
    /// Adds to it, without reading it.
    Adds,
}

/// A declared attribute, as the objects of a group have it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cell {
    /// Access of the rule.
    pub verb: Verb,
    /// `true` if it is the world's; else each object's own.
    pub of_world: bool,
    /// Its proper name.
    pub attribute: String,
    /// Its type.
    pub ty: Type,
}

/// A rule for objects whose declared attributes have the same types.
#[derive(Clone, Debug)]
pub struct RuleProgram {
    /// Indices into the objects of the experiment, increasing; none if the rule is the world's.
    pub objects: Vec<usize>,
    /// Attributes that it declares.
    pub cells: Vec<Cell>,
    /// Its functions as a program.
    pub checked: Checked,
}

/// A rule for the objects of one simulation.
#[derive(Clone, Debug)]
pub struct CheckedRule {
    /// The simulation: an index into those of the experiment.
    pub simulation: usize,
    /// The rule: an index into those of the experiment.
    pub rule: usize,
    /// Programs of the rule, sorted by their first object. At least one.
    pub groups: Vec<RuleProgram>,
}
