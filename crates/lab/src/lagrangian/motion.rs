//! Interface of equations of motion, be they Lagrange's or Hamilton's.

use super::state::State;
use gedanken_dynamics::integrate::ode;
use gedanken_dynamics::integrate::ode::{Dense, Failure};
use std::fmt::Debug;

/// Equations of motion with a method that follows them. Constraints and stops have one list of places: stops
/// come after constraints.
pub(super) trait Motion: Debug + Send {
    /// Number of constraints.
    fn constraints(&self) -> usize;

    /// Values and speeds of all constraints and stops.
    fn held(&self, state: &State) -> Result<Held, Lack>;

    /// λ of all constraints and stops, 0 for stops on which the system does not rest.
    fn multipliers(&self, state: &State) -> Result<Vec<f64>, Lack>;

    /// Acceleration g̈ with which a stop would be left or passed, the system resting on what it rests on.
    fn bend(&self, state: &State, held: usize) -> Result<f64, Lack>;

    /// Brings a state onto everything that holds in it; momenta follow from rates, or rates from momenta.
    fn settle(&self, state: &mut State) -> Result<(), Lack>;

    /// The motion from a state on, until `end`.
    fn path(&self, from: &State, end: f64) -> Result<Path, Trouble>;

    /// The state of a path at `time`, all that is held being held.
    fn at(&self, from: &State, path: &Path, time: f64) -> Result<State, Trouble>;

    /// Gives `after` the rates and momenta of `before` changed by impulses of the stop that is met and of
    /// those on which `after` rests, so that the one that is met has the speed ġ⁺ and the others none. Or
    /// names one of these others, that would have to pull.
    fn bounce(
        &self,
        before: &State,
        after: &mut State,
        held: usize,
        speed: f64,
    ) -> Result<Option<usize>, Trouble>;
}

/// The motion within a step.
pub(super) enum Path {
    /// Along the polynomials of (q, q̇), or of (q, p).
    Along(Dense),
    /// Known at the end only; what lies between is found by shorter steps.
    To(State),
}

/// Numbers of all constraints and stops at a state.
#[derive(Clone, Debug, Default)]
pub(super) struct Held {
    pub(super) values: Vec<f64>,
    pub(super) speeds: Vec<f64>,
    /// Their derivatives by the coordinates, row by row.
    pub(super) rows: Vec<f64>,
}

/// Part of the equations that has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lack {
    /// An energy, a force or a constraint.
    Formula,
    /// The mass matrix is singular, or constraints contradict each other.
    Singular,
    /// Newton's method does not settle.
    Unsettled,
}

/// Reason why a step could not be made.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Trouble {
    /// Something has no value.
    Lack(Lack),
    /// The integrator cannot go on.
    Stuck(String),
}

impl From<Lack> for Trouble {
    fn from(lack: Lack) -> Self {
        Self::Lack(lack)
    }
}

impl From<Failure<Lack>> for Trouble {
    fn from(failure: Failure<Lack>) -> Self {
        match failure {
            Failure::Rates { error, .. } => Self::Lack(error),
            Failure::Trouble(ode::Trouble::Stuck { time }) => {
                Self::Stuck(format!("its equations are too stiff, or blow up, near t = {time}"))
            }
            Failure::Trouble(trouble) => Self::Stuck(trouble.to_string()),
        }
    }
}

/// A state of a path that is known at its end only, at `time`: the end, the start, or what a shorter step
/// leads to.
pub(super) fn on_the_way(
    motion: &dyn Motion,
    from: &State,
    end: &State,
    time: f64,
) -> Result<State, Trouble> {
    if time == end.time {
        return Ok(end.clone());
    }
    if time <= from.time {
        return Ok(from.clone());
    }
    match motion.path(from, time)? {
        Path::To(end) => Ok(end),
        Path::Along(_) => unreachable!("a method gives one kind of path from one state"),
    }
}

/// Several steps with these parts of the whole length, one after the other: each gets its length and when it
/// ends.
pub(super) fn in_parts(
    parts: &[f64],
    from: &State,
    end: f64,
    mut step: impl FnMut(&mut State, f64, f64) -> Result<(), Trouble>,
) -> Result<State, Trouble> {
    let (start, length) = (from.time, end - from.time);
    let mut state = from.clone();
    let mut passed = 0.0;
    for (number, part) in parts.iter().enumerate() {
        passed += part;
        let until = if number + 1 == parts.len() { end } else { start + passed * length };
        step(&mut state, part * length, until)?;
    }
    Ok(state)
}
