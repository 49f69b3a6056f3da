//! Errors of a workflow: when it is built, and while it runs.
//!
//! Every message names the rule, the column and the component in the user's own words. Building reports all
//! clashes at once; a fault while running leaves the state as it was before the step.

use super::access::Verb;
use gedanken_math::Cancelled;
use std::fmt;
use std::sync::Arc;

/// Two rules of a `par` that want the same cells.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clash {
    /// The rule of the earlier branch, and what it does to the cells.
    pub first: (Arc<str>, Verb),
    /// The rule of the later branch, and what it does to the cells.
    pub second: (Arc<str>, Verb),
    /// The column.
    pub column: Arc<str>,
    /// The components, by name.
    pub components: Vec<String>,
}

impl fmt::Display for Clash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = 4;
        let names =
            self.components.iter().take(shown).map(|c| format!("'{c}'")).collect::<Vec<_>>().join(", ");
        let more = self.components.len().saturating_sub(shown);
        let and = if more > 0 { format!(" and {more} more") } else { String::new() };
        write!(
            f,
            "'{}' {} and '{}' {} {} of {names}{and}: put them in a `seq`, or give them disjoint components",
            self.first.0, self.first.1, self.second.0, self.second.1, self.column
        )
    }
}

/// Why a workflow could not be built.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BuildError {
    /// There is no rule in it.
    #[error("the workflow is empty: it needs at least one rule")]
    Empty,
    /// Rules that run in parallel want the same cells.
    #[error("rules in a `par` clash:{}", list(.0))]
    Clashes(Vec<Clash>),
    /// A rule names a column that the model does not have.
    #[error("rule '{rule}' {verb} '{column}', which the model does not have: add it with `Model::with`")]
    NoColumn {
        /// The rule.
        rule: Arc<str>,
        /// Kind of access that it declares.
        verb: Verb,
        /// The column.
        column: Arc<str>,
    },
    /// A rule takes a column for another kind than it is.
    #[error(
        "rule '{rule}' takes '{column}' for a {asked}, but it is a {held}: use the same attribute everywhere"
    )]
    WrongKind {
        /// The rule.
        rule: Arc<str>,
        /// The column.
        column: Arc<str>,
        /// The kind the rule expects.
        asked: super::column::Kind,
        /// The kind it has.
        held: super::column::Kind,
    },
    /// A rule names a component that the model does not have.
    #[error(
        "rule '{rule}' names component number {row} in '{column}', but the model has only {count}: use this model's ids"
    )]
    NoComponent {
        /// The rule.
        rule: Arc<str>,
        /// The column.
        column: Arc<str>,
        /// The number it names.
        row: usize,
        /// Number that exists.
        count: usize,
    },
    /// A rule declares one column twice.
    #[error("rule '{rule}' declares '{column}' twice: one access says it all (writing includes reading)")]
    DeclaredTwice {
        /// The rule.
        rule: Arc<str>,
        /// The column.
        column: Arc<str>,
    },
    /// A rule adds to something that does not add up.
    #[error("rule '{rule}' adds to '{column}', but a {kind} cannot be added up: write it instead")]
    NotAdditive {
        /// The rule.
        rule: Arc<str>,
        /// The column.
        column: Arc<str>,
        /// Its kind.
        kind: super::column::Kind,
    },
    /// A scratch cell is used before anything was written to it.
    #[error(
        "rule '{rule}' {verb} '{column}' of '{component}' before any rule of the step has written it: scratch does \
         not last from step to step, so put a rule first that writes it"
    )]
    ReadBeforeWritten {
        /// The rule.
        rule: Arc<str>,
        /// Kind of access.
        verb: Verb,
        /// The column.
        column: Arc<str>,
        /// The first component that nothing was written for.
        component: String,
    },
    /// A repeated rule shares sums with a parallel branch.
    #[error(
        "rule '{rule}' is repeated inside a `par` while another branch adds to '{column}' too: the order of the \
         sums would be lost; repeat the whole `par` instead"
    )]
    RepeatedAdder {
        /// The rule.
        rule: Arc<str>,
        /// The column.
        column: Arc<str>,
    },
    /// A factor of a `Scaled` is not a number.
    #[error("'{name}' is scaled by {fraction}: the factor must be finite")]
    BadScale {
        /// The part of the workflow.
        name: Arc<str>,
        /// The factor.
        fraction: f64,
    },
    /// A loop that waits for a flag which nothing in it can raise.
    #[error("the loop '{name}' cannot end: none of its rules writes a flag '{flag}' of the world")]
    NeverRaised {
        /// The loop.
        name: Arc<str>,
        /// The flag it waits for.
        flag: Arc<str>,
    },
    /// A loop that can never run.
    #[error("'{name}' would run for 0 rounds: give the loop at least one")]
    NoRounds {
        /// Flow that would be repeated.
        name: Arc<str>,
    },
    /// The law or integrator cannot be applied to this model.
    #[error("{0}")]
    Unfit(String),
}

fn list(clashes: &[Clash]) -> String {
    clashes.iter().map(|c| format!("\n  {c}")).collect()
}

/// A law that an implicit step cannot follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Strain {
    /// The law.
    pub law: Arc<str>,
    /// The bodies on which it acts, one or two, by name.
    pub bodies: Vec<String>,
    /// The manner in which it cannot be followed.
    pub kind: StrainKind,
}

/// The manner in which a law cannot be followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrainKind {
    /// Its force grows faster along the way than inertia resists: bodies fall into each other, or the step is
    /// longer than the time in which they would.
    Runaway,
    /// No motion balances its force, which jumps or has no slope.
    Jump,
    /// It slows bodies down so much that a part of the step that goes backwards in time makes them faster without
    /// bound.
    Backward,
}

impl fmt::Display for Strain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bodies = self.bodies.iter().map(|name| format!("'{name}'")).collect::<Vec<_>>().join(" and ");
        let law = &self.law;
        match self.kind {
            StrainKind::Runaway => write!(
                f,
                "the force of '{law}' on {bodies} grows faster than their inertia resists within one step: take a \
                 shorter time step, or soften the law where bodies meet"
            ),
            StrainKind::Jump => write!(
                f,
                "no motion balances the force of '{law}' on {bodies}, which jumps within the step: make the law \
                 smooth there, or take a shorter time step"
            ),
            StrainKind::Backward => write!(
                f,
                "the force of '{law}' on {bodies} slows down so much that it cannot be followed backwards in time, as \
                 parts of this method's step go: take 'leapfrog', which goes forward only, or a shorter time step"
            ),
        }
    }
}

/// Trouble that a rule may report while it runs.
#[derive(Debug, Clone, PartialEq)]
pub enum Trouble {
    /// The rule asked for a cell outside its domain.
    Undeclared {
        /// The column.
        column: Arc<str>,
        /// The row it asked for.
        row: usize,
    },
    /// The rule vetoes the step, for a reason that it measured: an adaptive method's error is too large.
    Veto(f64),
    /// The step was cancelled while the rule ran.
    Cancelled,
    /// A law cannot be followed by a step of this length.
    Strained(Strain),
    /// Anything else, in words.
    Failed(String),
}

impl From<Cancelled> for Trouble {
    fn from(Cancelled: Cancelled) -> Self {
        Self::Cancelled
    }
}

impl From<String> for Trouble {
    fn from(message: String) -> Self {
        Self::Failed(message)
    }
}

/// Why a step did not happen. The state is as it was before.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Fault {
    /// The step is zero, negative or not a number.
    #[error("a step of {0} s is not possible: it must be positive and finite")]
    BadStep(f64),
    /// The time of the state is not a number, or so large that no step can follow.
    #[error("no step can start at t = {0} s: set a finite time with `State::at_time`")]
    BadTime(f64),
    /// The state belongs to another model than the workflow.
    #[error(
        "this state belongs to another model than the workflow was built for: take one from `Workflow::model`"
    )]
    ForeignState,
    /// The scratch memory belongs to another workflow.
    #[error("this scratch memory belongs to another workflow: take it from `Workflow::scratch`")]
    ForeignScratch,
    /// The step was cancelled.
    #[error("the step was cancelled")]
    Cancelled,
    /// A rule made a value that is not finite.
    #[error("rule '{rule}' made {column} of '{component}' {value} at t = {time} s{}", given(.inputs))]
    NotFinite {
        /// The rule.
        rule: Arc<str>,
        /// The column.
        column: Arc<str>,
        /// The component.
        component: String,
        /// The value, as text.
        value: String,
        /// The time.
        time: f64,
        /// Values that the rule read for that component, with their columns.
        inputs: Vec<(Arc<str>, String)>,
    },
    /// A rule asked for a cell that it did not declare.
    #[error(
        "rule '{rule}' asked for {column} of '{component}', which it did not declare: add the component to the access"
    )]
    Undeclared {
        /// The rule.
        rule: Arc<str>,
        /// The column.
        column: Arc<str>,
        /// The component.
        component: String,
    },
    /// A loop did not settle.
    #[error("'{name}' did not settle within {rounds} rounds at t = {time} s: take a smaller step")]
    Unsettled {
        /// The loop.
        name: Arc<str>,
        /// Its limit.
        rounds: u32,
        /// The time.
        time: f64,
    },
    /// A rule vetoed the step.
    #[error("rule '{rule}' vetoed the step at t = {time} s: it measured {measure}, where 1 is the limit")]
    Vetoed {
        /// The rule.
        rule: Arc<str>,
        /// The time.
        time: f64,
        /// Measured value.
        measure: f64,
    },
    /// A law cannot be followed by a step of this length.
    #[error("no step at t = {time} s: {strain}")]
    Strained {
        /// The law, its bodies, and the manner.
        strain: Strain,
        /// The time.
        time: f64,
    },
    /// A rule reported a failure of its own.
    #[error("rule '{rule}' failed at t = {time} s: {message}")]
    Failed {
        /// The rule.
        rule: Arc<str>,
        /// The time.
        time: f64,
        /// Message of the rule.
        message: String,
    },
    /// An adaptive method found no step to take.
    #[error(
        "'{integrator}' cannot go on at t = {time} s: the next step would be {step} s; begin with a smaller one"
    )]
    StepTooSmall {
        /// The integrator.
        integrator: &'static str,
        /// The time.
        time: f64,
        /// The step it would need.
        step: f64,
    },
}

fn given(inputs: &[(Arc<str>, String)]) -> String {
    if inputs.is_empty() {
        return String::new();
    }
    let list = inputs.iter().map(|(c, v)| format!("{c} = {v}")).collect::<Vec<_>>().join(", ");
    format!(" from {list}")
}
