//! A force, potential or constraint of the experiment, and its formulas as programs.

use gedanken_lang::check::Checked;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Alias, Definition, Expr, Name};

/// What a block states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceLawKind {
    /// A force, a torque or both.
    Force,
    /// An energy, whose slope is a force and a torque.
    Potential,
    /// What must be zero, or not negative.
    Constraint,
}

/// Bodies that a law acts on.
#[derive(Clone, Debug)]
pub enum Targets {
    /// All dynamic bodies that have what it looks at.
    All,
    /// These, one at a time.
    Each(Vec<Name>),
    /// These two together.
    Between(Box<[Name; 2]>),
}

/// `force NAME { … }`, `potential NAME { … }` or `constraint NAME { … }`.
#[derive(Clone, Debug)]
pub struct ForceLaw {
    /// Its name; no two laws or joints have the same.
    pub name: String,
    /// What it states.
    pub kind: ForceLawKind,
    /// Bodies that it acts on.
    pub targets: Targets,
    /// Attributes of other objects that it looks at.
    pub aliases: Vec<Alias>,
    /// Functions that its formulas call.
    pub functions: Vec<Definition>,
    /// What it gives: `force`, `torque` and `at`; `energy`; `value`.
    pub formulas: Vec<(&'static str, Expr)>,
    /// Whether a constraint is C ≥ 0, else C = 0.
    pub inequality: bool,
    /// How strongly a constraint is stabilised, 1/s² and 1/s, by those who solve for accelerations.
    pub gains: [f64; 2],
    /// Where its name is written.
    pub span: Span,
}

/// A law for those it is about in one simulation.
#[derive(Clone, Debug)]
pub struct CheckedForceLaw {
    /// The simulation: an index into those of the experiment.
    pub simulation: usize,
    /// The law: an index into those of the experiment.
    pub law: usize,
    /// By their first body. At least one.
    pub groups: Vec<ForceLawProgram>,
}

/// Bodies that a law cannot tell apart.
#[derive(Clone, Debug)]
pub struct ForceLawProgram {
    /// One body each, or two that it is between: indices into the objects of the experiment.
    pub members: Vec<Vec<usize>>,
    /// Its formulas as a program, an output for each, in their order. Objects of its scope are numbered as in
    /// `members`.
    pub checked: Checked,
}

/// What the engine knows of a body beside its attributes.
pub const ROTATION: &str = "rotation";

/// See [`ROTATION`].
pub const CENTRE: &str = "centre";
