//! Parameters of a contact from those of two surfaces.

use crate::model::{ContactDimension, ContactPair, Impedance, Mixing, Reference, Softness, Surface};

/// Weight below which a surface has no say in a mixture.
const NO_WEIGHT: f64 = 1e-15;
/// Smallest coefficient of friction.
const LEAST_FRICTION: f64 = 1e-5;
/// Smallest coefficient of sliding friction by Genesis' rules.
const LEAST_FRICTION_GENESIS: f64 = 1e-2;

/// Parameters of the contacts of a pair of geoms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactParameters {
    /// Which forces a contact can have.
    pub dimension: ContactDimension,
    /// Coefficients: sliding along both tangents, torsional, rolling about both.
    pub friction: [f64; 5],
    /// Softness of the normal force.
    pub softness: Softness,
    /// Reference of friction, if it has one of its own.
    pub friction_reference: Option<Reference>,
    /// Distance below which a contact exerts forces.
    pub margin: f64,
    /// Distance beyond the margin up to which a contact is found.
    pub gap: f64,
}

/// Mixes the parameters of two surfaces.
///
/// MuJoCo's rules: of two surfaces of unequal priority the higher one decides alone. Equal ones take the
/// larger dimension and the larger coefficients, and mix softness by weight; but if either reference is
/// [`Reference::Direct`], the smaller of each pair of `solref` numbers counts, so that direct beats
/// oscillator and stiff beats soft. Genesis' rules: softness is the plain mean, friction the larger. Margins
/// and gaps add.
#[must_use]
pub fn mix(first: &Surface, second: &Surface, mixing: Mixing) -> ContactParameters {
    let (dimension, friction, softness) = match mixing {
        Mixing::Mujoco if first.priority > second.priority => alone(first),
        Mixing::Mujoco if first.priority < second.priority => alone(second),
        Mixing::Mujoco => together(first, second, share(first.mixing_weight, second.mixing_weight)),
        Mixing::Genesis => together(first, second, 0.5),
    };
    let [sliding, torsional, rolling] = friction;
    let least_sliding = match mixing {
        Mixing::Mujoco => LEAST_FRICTION,
        Mixing::Genesis => LEAST_FRICTION_GENESIS,
    };
    let sliding = sliding.max(least_sliding);
    ContactParameters {
        dimension,
        friction: at_least([sliding, sliding, torsional, rolling, rolling]),
        softness,
        friction_reference: None,
        margin: first.margin + second.margin,
        gap: first.gap + second.gap,
    }
}

/// The parameters that a pair of geoms was given.
#[must_use]
pub fn of_pair(pair: &ContactPair) -> ContactParameters {
    ContactParameters {
        dimension: pair.dimension,
        friction: at_least(pair.friction),
        softness: pair.softness,
        friction_reference: pair.friction_reference,
        margin: pair.margin,
        gap: pair.gap,
    }
}

/// Raises coefficients to the smallest one that a cone can have.
fn at_least(friction: [f64; 5]) -> [f64; 5] {
    friction.map(|coefficient| coefficient.max(LEAST_FRICTION))
}

/// What one surface decides alone.
fn alone(surface: &Surface) -> (ContactDimension, [f64; 3], Softness) {
    (surface.dimension, surface.friction, surface.softness)
}

/// What two surfaces make together, with this share of the first one in softness.
fn together(first: &Surface, second: &Surface, share: f64) -> (ContactDimension, [f64; 3], Softness) {
    let (a, b) = (first.softness, second.softness);
    let blend = |a: f64, b: f64| share * a + (1.0 - share) * b;
    let (from, to) = (a.impedance.to_solimp(), b.impedance.to_solimp());
    let impedance = Impedance::from_solimp(std::array::from_fn(|k| blend(from[k], to[k])));
    let (from, to) = (a.reference.to_solref(), b.reference.to_solref());
    let both_oscillate = from[0] > 0.0 && to[0] > 0.0;
    let reference =
        std::array::from_fn(|k| if both_oscillate { blend(from[k], to[k]) } else { from[k].min(to[k]) });
    let friction = std::array::from_fn(|k| first.friction[k].max(second.friction[k]));
    let softness = Softness { reference: Reference::from_solref(reference), impedance };
    (first.dimension.max(second.dimension), friction, softness)
}

/// Share of the first of two weights; one half if neither has any.
fn share(first: f64, second: f64) -> f64 {
    match (first >= NO_WEIGHT, second >= NO_WEIGHT) {
        (true, true) => first / (first + second),
        (false, false) => 0.5,
        (true, false) => 1.0,
        (false, true) => 0.0,
    }
}
