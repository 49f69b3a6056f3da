//! Impacts of Hamilton's equations: p⁺ = p⁻ + (∇g)ᵀJ with ġ(q, p⁺) = −e ġ(q, p⁻). What a speed needs of an
//! impulse is no multiple of it here, since no particle gets faster than light; so J is looked for between
//! bounds, which hold it because ġ grows with J where H is convex in the momenta.

use super::super::motion::{Lack, Trouble};
use super::super::state::State;
use super::code::Code;
use super::resting;

/// Doublings and halvings of an impulse that is looked for.
const HALVINGS: usize = 200;

/// Rounds in which several stops push one after the other, at most.
const MAX_ROUNDS_OF_STOPS: usize = 200;

/// See [`Motion::bounce`](super::super::motion::Motion::bounce).
pub(super) fn bounce(
    code: &Code,
    before: &State,
    after: &mut State,
    held: usize,
    speed: f64,
) -> Result<Option<usize>, Trouble> {
    let mut active = resting(after);
    active.push(held);
    let rows = code.stops(before)?.held.rows;
    let mut impulses = vec![0.0; active.len()];
    let mut state = before.clone();
    for _ in 0..MAX_ROUNDS_OF_STOPS {
        let mut has_moved = false;
        for (&it, impulse) in active.iter().zip(&mut impulses) {
            let wanted = if it == held { speed } else { 0.0 };
            let row = &rows[it * code.n..][..code.n];
            let more = needed(code, &state, it, row, wanted)?;
            let total = *impulse + more;
            has_moved |= (total - *impulse).abs() > 4.0 * f64::EPSILON * total.abs();
            *impulse = total;
            state.p.iter_mut().zip(row).for_each(|(p, row)| *p += row * more);
        }
        if active.len() == 1 || !has_moved {
            let pulling = active.iter().zip(&impulses).find(|(it, impulse)| **it != held && **impulse < 0.0);
            if let Some((&it, _)) = pulling {
                return Ok(Some(it));
            }
            after.v = code.rates(&state)?;
            after.p = state.p;
            return Ok(None);
        }
    }
    Err(Lack::Unsettled.into())
}

/// The impulse along a stop that gives it the speed that is wanted.
fn needed(code: &Code, state: &State, stop: usize, row: &[f64], wanted: f64) -> Result<f64, Lack> {
    let stops = code.stops(state)?;
    let lacking = wanted - stops.held.speeds[stop];
    if lacking == 0.0 {
        return Ok(0.0);
    }
    let mut tried = state.clone();
    // Whether an impulse is too small.
    let mut is_short = |impulse: f64| -> Result<bool, Lack> {
        let pushed = state.p.iter().zip(row).map(|(p, row)| p + row * impulse);
        tried.p.iter_mut().zip(pushed).for_each(|(p, pushed)| *p = pushed);
        let left = wanted - code.stops(&tried)?.held.speeds[stop];
        Ok(left != 0.0 && (left > 0.0) == (lacking > 0.0))
    };
    let slope = stops.lifted(&[stop])[0];
    let linear = lacking / slope;
    let (mut near, mut far) =
        (0.0, if slope > 0.0 && linear.is_finite() { linear } else { lacking.signum() });
    let mut doublings = 0..HALVINGS;
    loop {
        if doublings.next().is_none() {
            return Err(Lack::Unsettled);
        }
        match is_short(far) {
            Ok(false) => break,
            Ok(true) => {
                near = far;
                far *= 2.0;
            }
            // Too far for a number.
            Err(_) => far = near + 0.5 * (far - near),
        }
    }
    for _ in 0..HALVINGS {
        let middle = near + 0.5 * (far - near);
        if middle == near || middle == far {
            break;
        }
        if is_short(middle)? { near = middle } else { far = middle }
    }
    Ok(far)
}
