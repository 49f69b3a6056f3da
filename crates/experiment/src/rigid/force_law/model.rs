//! A force, potential or constraint of the experiment, and its formulas as programs.

use gedanken_lang::check::Checked;
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Alias, Definition, Expr, Name};

/// Kind of a law.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ForceLawKind {
    /// A force, a torque or both.
    Force,
    /// An energy, whose slope is a force and a torque.
    Potential,
    /// A value that must be zero, or not negative.
    Constraint,
}

/// Bodies that a law acts on.
#[derive(Clone, Debug)]
pub enum Targets {
    /// All dynamic bodies that have the attributes it reads.
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
    /// Its kind.
    pub kind: ForceLawKind,
    /// Bodies that it acts on.
    pub targets: Targets,
    /// Attributes of other objects that it reads.
    pub aliases: Vec<Alias>,
    /// Functions that its formulas call.
    pub functions: Vec<Definition>,
    /// Its formulas: `force`, `torque` and `at`; `energy`; `value`.
    pub formulas: Vec<(&'static str, Expr)>,
    /// `true` if a constraint is C ≥ 0, else C = 0.
    pub inequality: bool,
    /// Stabilisation of a constraint, 1/s² and 1/s, in solvers for accelerations.
    pub gains: [f64; 2],
    /// Position of its name in the text.
    pub span: Span,
}

/// A law for the bodies that it acts on in one simulation.
#[derive(Clone, Debug)]
pub struct CheckedForceLaw {
    /// The simulation: an index into those of the experiment.
    pub simulation: usize,
    /// The law: an index into those of the experiment.
    pub law: usize,
    /// Programs of the law, sorted by their first body. At least one.
    pub groups: Vec<ForceLawProgram>,
}

/// A law for bodies whose attributes have the same types.
#[derive(Clone, Debug)]
pub struct ForceLawProgram {
    /// Bodies that share the program: one each, or two that it is between; indices into the objects of the experiment.
    pub members: Vec<Vec<usize>>,
    /// Its formulas as a program, an output for each, in their order. Objects of its scope are numbered as in
    /// `members`.
    pub checked: Checked,
}

/// Name of the rotation of a body, which the engine knows beside its attributes.
pub const ROTATION: &str = "rotation";

/// Name of the centre of mass of a body, likewise.
pub const CENTRE: &str = "centre";
