//! Rates: from y′ = f(t, y) to a trajectory that can be asked for any instant, and for bounds over any
//! interval.
//!
//! Contacts are searched on trajectories, so the numbers between the steps of an integrator matter as much as
//! those at their ends. The trajectory *is* therefore a piecewise polynomial ([`Dense`]), continuous with its
//! rates to the last bit, and its bounds hold for the very numbers it gives:
//!
//! ```text
//! System ─► Trial: one step, its error ─► stride: how long steps are ─► Dense: value, rate, bounds
//! ```
//!
//! How a step is made comes from the registry of integrators ([`Method`]).

mod method;
mod piece;
mod solution;
mod stride;
#[cfg(test)]
mod tests;
mod trial;

pub use method::Method;
pub use solution::Dense;

use trial::Trial;

/// No call makes more steps than this, nor more attempts at steps: what needs more is not moving on.
pub const MAX_STEPS: u32 = 50_000;

/// A system of rates, y′ = f(t, y).
pub trait System {
    /// Why there may be no rates.
    type Error;

    /// The rates of all components at time `t` in the state `y`. Equal arguments must give equal bits.
    ///
    /// # Errors
    /// If there are none, for example outside of the domain of a law. A shorter step may then stay inside.
    fn rates(&mut self, t: f64, y: &[f64], rates: &mut [f64]) -> Result<(), Self::Error>;
}

/// Why there is no trajectory.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure<E> {
    /// The system has no rates at the start, or beyond `time`, however short the step.
    Rates {
        /// Time at which the rates were asked for.
        time: f64,
        /// Answer of the system.
        error: E,
    },
    /// The system has rates, but they do not lead on.
    Trouble(Trouble),
}

/// Failure of the numerical method.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum Trouble {
    /// The steps became too short or too many.
    #[error("they are too stiff, or blow up, near t = {time}")]
    Stuck {
        /// Time that was reached.
        time: f64,
    },
    /// A value or rate is no longer a number.
    #[error("a value or its rate is too large for a number near t = {time}")]
    NotFinite {
        /// When.
        time: f64,
        /// Whose.
        component: usize,
    },
    /// The equation of an implicit method was not solved by iteration.
    #[error("the implicit step at t = {time} does not settle")]
    Unsettled {
        /// Time at which the step started.
        time: f64,
    },
    /// Times that are no interval.
    #[error("rates cannot be integrated from t = {from} to t = {to}: the end must not come before the start")]
    Interval {
        /// The start.
        from: f64,
        /// The end.
        to: f64,
    },
    /// A tolerance that nothing can fulfil.
    #[error("a tolerance of {tolerance} is not possible: it must be positive")]
    Tolerance {
        /// Requested value.
        tolerance: f64,
    },
}

impl<E> From<Trouble> for Failure<E> {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

/// The trajectory from the state `y` at `from` until `to`.
///
/// Adaptive methods keep the estimated error that a step makes in component y_i below `tolerance`·(1 +
/// |y_i|): absolute for small values, relative for large ones, and for each component alone, so that a fast
/// one is not averaged away among many that rest. Methods of fixed step divide the interval evenly and do not
/// look at the tolerance.
///
/// # Errors
/// See [`Failure`].
pub fn integrate<E>(
    system: &mut dyn System<Error = E>,
    from: f64,
    y: &[f64],
    to: f64,
    tolerance: f64,
    method: Method,
) -> Result<Dense, Failure<E>> {
    let mut solution = Dense::new(from, y);
    extend(&mut solution, system, to, tolerance, method)?;
    Ok(solution)
}

/// Goes on from the end of a trajectory until `to`, with the bits of a new [`integrate`] from there: nothing
/// but time and state is remembered. So a run that is resumed at the end of a frame agrees with one that was
/// not interrupted.
///
/// # Errors
/// See [`Failure`]. The trajectory then ends where the last step succeeded.
pub fn extend<E>(
    solution: &mut Dense,
    system: &mut dyn System<Error = E>,
    to: f64,
    tolerance: f64,
    method: Method,
) -> Result<(), Failure<E>> {
    let from = solution.end();
    if !(from.is_finite() && to.is_finite() && (to - from).is_finite() && from <= to) {
        return Err(Trouble::Interval { from, to }.into());
    }
    if tolerance.is_nan() || tolerance <= 0.0 {
        return Err(Trouble::Tolerance { tolerance }.into());
    }
    let mut trial = Trial::new(method.rule(), solution.last());
    trial.prime(system, from)?;
    if from == to {
        solution.stand(trial.first_rates());
        Ok(())
    } else if method.is_adaptive() {
        stride::within_tolerance(&mut trial, solution, system, to, tolerance)
    } else {
        stride::evenly(&mut trial, solution, system, to, method.steps())
    }
}
