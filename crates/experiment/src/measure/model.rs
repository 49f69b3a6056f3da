//! A measure of the experiment: the programs that compute it, and the value it should have.

use crate::simulation::model::Simulation;
use gedanken_lang::check::Checked;
use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;

/// `measure NAME { … }`.
#[derive(Clone, Debug)]
pub struct Measure {
    /// Its name; no two measures have the same.
    pub name: String,
    /// The objects it is summed over: indices into those of the experiment, increasing, hence by name. Empty
    /// for a measure of the world, which is evaluated once.
    pub of: Vec<usize>,
    /// Its type: a real, or a vector.
    pub ty: Type,
    /// Its programs. Each object of `of` is in one of them; a measure of the world has one, for no
    /// object.
    pub programs: Vec<MeasureProgram>,
    /// Time at which `expected` holds; the end, if `None`.
    pub at: Option<f64>,
    /// Expected value.
    pub expected: Option<Expected>,
    /// The one simulation that it belongs to, if it is tied to one.
    pub simulation: Option<String>,
    /// Position of its name in the text.
    pub span: Span,
}

/// Expected value of a measure.
#[derive(Clone, Debug, PartialEq)]
pub struct Expected {
    /// The value, of the type of the measure.
    pub value: Value,
    /// Largest error in every component; positive.
    pub tolerance: f64,
}

impl Measure {
    /// Returns `true` if it is measured in a simulation: all of its objects take part, and it is not tied to
    /// another one.
    pub fn belongs_to(&self, simulation: &Simulation) -> bool {
        belongs(&self.of, self.simulation.as_deref(), simulation)
    }
}

pub(super) fn belongs(of: &[usize], tied: Option<&str>, simulation: &Simulation) -> bool {
    tied.is_none_or(|name| name == simulation.name)
        && of.iter().all(|object| simulation.objects.binary_search(object).is_ok())
}

/// A measure for objects that its expression cannot tell apart.
#[derive(Clone, Debug)]
pub struct MeasureProgram {
    /// Objects: indices into those of the experiment, increasing. Empty for a measure of the world.
    pub objects: Vec<usize>,
    /// The expression as a program with one output. Its scope has what the expression names: attributes of
    /// the world, the time among them, and of the object, whose index there is 0.
    pub checked: Checked,
}
