//! Touch band: how close the surfaces of two objects must be to touch.
//!
//! No two computed surfaces touch exactly. Two objects touch within the larger of
//!
//! - 10⁻¹² of the size of the smaller one, which is far below anything that shows;
//! - 8 units in the last place of the coordinates at which they touch, which is as much as a few operations
//!   round away. A ball of a millimetre at a distance of a million kilometres has no better place.
//!
//! The band belongs to the pair, not to the world: a bond keeps the band it began with as long as it lives,
//! whatever else moves where. A `touching tolerance` of the simulation replaces both.

use crate::contexts::ids::ActorId;
use crate::contexts::world::World;
use gedanken_math::Vec3;

/// Touch band, relative to the size of the smaller object.
const RELATIVE_BAND: f64 = 1e-12;
/// Touch band, in units in the last place of the coordinates.
const BAND_ULPS: f64 = 8.0;
/// Rounding of the coordinates of a box, relative to the largest: more than that of any band.
const BOX_ROUNDING: f64 = 64.0 * f64::EPSILON;

/// Touch band of a pair, wherever it meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Band {
    /// Smallest band.
    least: f64,
    /// `true` if coordinates can make it larger.
    rounds: bool,
}

impl Band {
    /// Returns the band that a simulation asks for.
    pub(crate) fn chosen(tolerance: f64) -> Self {
        Self { least: tolerance, rounds: false }
    }

    /// Returns the band of two objects of these sizes.
    fn of_sizes(a: f64, b: f64) -> Self {
        Self { least: RELATIVE_BAND * a.min(b), rounds: true }
    }

    /// Returns a band that is not below `kept`, that of a bond.
    pub(crate) fn at_least(self, kept: f64) -> Self {
        Self { least: self.least.max(kept), ..self }
    }

    /// Part of the band that does not depend on coordinates.
    pub(crate) fn least(self) -> f64 {
        self.least
    }

    /// Returns the width of the band where no coordinate is larger than `farthest`.
    pub(crate) fn at(self, farthest: f64) -> f64 {
        if self.is_rounding(farthest) { BAND_ULPS * ulp(farthest) } else { self.least }
    }

    /// Returns `true` if the rounding of coordinates decides there.
    pub(crate) fn is_rounding(self, farthest: f64) -> bool {
        self.rounds && BAND_ULPS * ulp(farthest) > self.least
    }
}

/// Unit in the last place of a coordinate.
fn ulp(coordinate: f64) -> f64 {
    let coordinate = coordinate.abs();
    if coordinate < f64::MAX { coordinate.next_up() - coordinate } else { 0.0 }
}

/// Touch bands of all pairs of a simulation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bands {
    /// Band that the simulation asks for.
    pub(crate) tolerance: Option<f64>,
}

impl Bands {
    /// Returns the band of two objects.
    pub(crate) fn of(self, world: &World<'_>, a: ActorId, b: ActorId) -> Band {
        match self.tolerance {
            Some(tolerance) => Band::chosen(tolerance),
            None => Band::of_sizes(world.size(a), world.size(b)),
        }
    }

    /// Distance by which the box of an object is made larger: the boxes of two objects that touch must meet.
    pub(crate) fn margin(self, world: &World<'_>, actor: ActorId, least: Vec3, greatest: Vec3) -> f64 {
        let size = world.size(actor);
        // Of two objects that touch one is bounded, and its margin suffices.
        let own = self.tolerance.unwrap_or(if size.is_finite() { RELATIVE_BAND * size } else { 0.0 });
        let farthest = least.abs().max(greatest.abs()).max_element();
        own + if farthest.is_finite() { BOX_ROUNDING * farthest } else { 0.0 }
    }
}

impl World<'_> {
    /// Size of an object: the diameter of the ball around its position that contains it.
    pub(crate) fn size(&self, actor: ActorId) -> f64 {
        2.0 * self.actors[actor].radius
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_smaller_body_or_the_rounding_of_coordinates_decides() {
        let band = Band::of_sizes(2.0, 0.5);
        assert_eq!(band.at(1.0), 0.5e-12);
        assert!(!band.is_rounding(100.0));
        // The unit in the last place of 2^20 is 2^-32.
        assert_eq!(band.at(f64::from(1 << 20)), 8.0 * libm::exp2(-32.0));
        assert!(band.is_rounding(f64::from(1 << 20)));
        for size in [1e-15, 1e12] {
            assert_eq!(Band::of_sizes(size, f64::INFINITY).at(size), 1e-12 * size);
        }
    }

    #[test]
    fn a_chosen_band_is_the_same_everywhere_and_a_bond_never_shrinks() {
        assert_eq!(Band::chosen(1e-6).at(1e30), 1e-6);
        assert_eq!(Band::of_sizes(1.0, 1.0).at_least(1e-3).at(5.0), 1e-3);
        assert_eq!(Band::of_sizes(1.0, 1.0).at_least(1e-20).at(5.0), 1e-12);
    }
}
