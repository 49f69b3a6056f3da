//! From the softness of a constraint to numbers: impedance d(r), stiffness k and damping b of the reference
//! acceleration.

use crate::model::{Impedance, Reference};

/// Bounds of an impedance, which keep both R and D finite.
const LEAST: f64 = 0.0001;
const MOST: f64 = 0.9999;
/// Divisors are at least this.
pub(crate) const TINY: f64 = 1e-15;

/// Impedance at a violation, from 0.0001 to 0.9999.
#[must_use]
pub fn impedance(curve: &Impedance, violation: f64) -> f64 {
    let clamp = |value: f64| value.clamp(LEAST, MOST);
    let (start, end) = (clamp(curve.start), clamp(curve.end));
    let (width, midpoint, power) = (curve.width.max(0.0), clamp(curve.midpoint), curve.power.max(1.0));
    if start == end || width <= TINY {
        return 0.5 * (start + end);
    }
    let x = (violation / width).abs();
    if x >= 1.0 {
        return end;
    }
    if x <= 0.0 {
        return start;
    }
    let share = if power == 1.0 {
        x
    } else if x <= midpoint {
        raised(x, power) / raised(midpoint, power - 1.0)
    } else {
        1.0 - raised(1.0 - x, power) / raised(1.0 - midpoint, power - 1.0)
    };
    start + share * (end - start)
}

fn raised(base: f64, power: f64) -> f64 {
    match power {
        1.0 => base,
        2.0 => base * base,
        _ => libm::pow(base, power),
    }
}

/// Stiffness k and damping b of a reference acceleration.
///
/// `shortest` is the least time constant; a shorter one would not be resolved by the steps.
#[must_use]
pub fn stiffness_and_damping(reference: Reference, curve: &Impedance, shortest: f64) -> [f64; 2] {
    let end = curve.end.clamp(LEAST, MOST);
    match reference {
        Reference::Oscillator { time_constant, damping_ratio } => {
            let time = time_constant.max(shortest);
            let k = 1.0 / (end * end * time * time * damping_ratio * damping_ratio).max(TINY);
            [k, 2.0 / (end * time).max(TINY)]
        }
        Reference::Direct { stiffness, damping } => {
            [stiffness / (end * end).max(TINY), damping / end.max(TINY)]
        }
    }
}
