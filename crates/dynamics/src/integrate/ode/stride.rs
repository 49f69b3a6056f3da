//! Step lengths: as the error allows, or all alike.
//!
//! The adaptive choice is Gustafsson's with Hairer and Wanner's constants (@hairer1993, II.4, IV.2): the next
//! step is
//!
//! h′ = h · 0.9 e^-(1/5 - ¾β) e₀^β,   β = 0.04,   within a factor of 1/5 to 10
//!
//! where e is the error of this step and e₀ that of the step before, in units of what is allowed.

use super::trial::Trial;
use super::{Dense, Failure, MAX_STEPS, System, Trouble};

const SAFETY: f64 = 0.9;
const BETA: f64 = 0.04;
const EXPONENT: f64 = 0.2 - 0.75 * BETA;
const SHRINK: f64 = 0.2;
const GROW: f64 = 10.0;

/// Steps until `to` with an error below the tolerance each.
///
/// Where the system has no rates or they are not finite, a step half as long may stay inside; where the
/// shortest step does not help either, the last answer is the reason to give up.
pub(super) fn within_tolerance<E>(
    trial: &mut Trial,
    solution: &mut Dense,
    system: &mut dyn System<Error = E>,
    to: f64,
    tolerance: f64,
) -> Result<(), Failure<E>> {
    let mut t = solution.end();
    let shortest = 16.0 * f64::EPSILON * t.abs().max(to.abs());
    let mut h = first_step(trial, system, t, to, tolerance);
    let mut error_before: f64 = 1e-4;
    let mut rejected = false;
    for _ in 0..MAX_STEPS {
        let next = step_end(t, h.max(shortest), to);
        let tried = next - t;
        let failure = match trial.attempt(system, t, next) {
            Ok(()) => {
                let error = trial.error(tried, tolerance);
                if error <= 1.0 {
                    trial.keep(solution, next);
                    if next == to {
                        return Ok(());
                    }
                    let memory = libm::pow(error_before, BETA);
                    let factor = (SAFETY * memory * libm::pow(error, -EXPONENT)).clamp(SHRINK, GROW);
                    h = tried * if rejected { factor.min(1.0) } else { factor };
                    (t, error_before, rejected) = (next, error.max(1e-4), false);
                    continue;
                }
                let factor = SAFETY * libm::pow(error, -EXPONENT);
                h = tried * if error.is_finite() { factor.clamp(SHRINK, SAFETY) } else { SHRINK };
                Trouble::Stuck { time: t }.into()
            }
            Err(failure) => {
                h = 0.5 * tried;
                failure
            }
        };
        if tried <= shortest {
            return Err(failure);
        }
        rejected = true;
    }
    Err(Trouble::Stuck { time: t }.into())
}

/// So many steps of one length until `to`.
pub(super) fn evenly<E>(
    trial: &mut Trial,
    solution: &mut Dense,
    system: &mut dyn System<Error = E>,
    to: f64,
    steps: u32,
) -> Result<(), Failure<E>> {
    let from = solution.end();
    let mut t = from;
    for n in 1..=steps {
        let next = if n == steps { to } else { from + (to - from) * (f64::from(n) / f64::from(steps)) };
        // More steps than there are numbers: some have no length.
        if next > t {
            trial.attempt(system, t, next)?;
            trial.keep(solution, next);
            t = next;
        }
    }
    Ok(())
}

/// End of a step of length h: at `to` if that is not much farther, and halfway there rather than leave a
/// sliver.
fn step_end(t: f64, h: f64, to: f64) -> f64 {
    let rest = to - t;
    if rest <= 1.01 * h {
        to
    } else if rest < 2.0 * h {
        t + 0.5 * rest
    } else {
        t + h
    }
}

/// The length of the first step: such that a step of Euler's would change the state little, and the slope too
/// (@hairer1993, II.4). Where there is nothing to compare with, fractions of the interval take its place.
fn first_step<E>(
    trial: &mut Trial,
    system: &mut dyn System<Error = E>,
    from: f64,
    to: f64,
    tolerance: f64,
) -> f64 {
    let span = to - from;
    let scaled = |a: f64, y: f64| a.abs() / (tolerance * (1.0 + y.abs()));
    let (mut size, mut slope) = (0.0_f64, 0.0_f64);
    for (&y, &k) in trial.first_state().iter().zip(trial.first_rates()) {
        (size, slope) = (size.max(scaled(y, y)), slope.max(scaled(k, y)));
    }
    let guess = if size < 1e-5 || slope < 1e-5 { 1e-3 * span } else { (0.01 * size / slope).min(span) };
    let Ok(after) = trial.probe(system, from, guess).map(<[f64]>::to_vec) else { return guess };
    let mut bend = 0.0_f64;
    for (c, (&y, &k)) in trial.first_state().iter().zip(trial.first_rates()).enumerate() {
        bend = bend.max(scaled(after[c] - k, y) / guess);
    }
    let steepest = slope.max(bend);
    if steepest <= 1e-15 { span } else { libm::pow(0.01 / steepest, 0.2).min(100.0 * guess).min(span) }
}
