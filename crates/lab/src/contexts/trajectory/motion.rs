//! How an object moves, as the search for contacts sees it: where it is at any instant, and what it can do
//! meanwhile.

use gedanken_geometry::Shape;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_math::{Pose, Vec3};

/// Where an object is, and what it looks like, at one instant.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    pub(crate) shape: Shape,
    pub(crate) pose: Pose,
}

/// What an object can do within an interval of time. All bounds hold everywhere in it, roundings included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    /// A box that the object's position (its origin, not its surface) does not leave.
    pub(crate) least: Vec3,
    pub(crate) greatest: Vec3,
    /// A box of its velocities.
    pub(crate) slowest: Vec3,
    pub(crate) fastest: Vec3,
    /// The largest angular speed.
    pub(crate) spin: f64,
    /// A box of its angular velocities, along the axes of the world, least and greatest, where it is known:
    /// it makes proofs about turning bodies much shorter.
    pub(crate) turning: Option<[Vec3; 2]>,
    /// The largest distance of any of its points from its position.
    pub(crate) radius: f64,
    /// How fast its points can move because its size changes.
    pub(crate) growth: f64,
    /// Whether it moves without jumps, so that speeds bound all differences of places.
    pub(crate) steady: bool,
}

/// An object on its way through one segment of its motion, a pure function of time.
pub(crate) trait Mover {
    /// Where it is at `t`.
    ///
    /// # Errors
    /// A law that failed.
    fn place(&mut self, t: f64) -> Result<Placed, Box<Diagnostic>>;

    /// What it can do from `from` to `to`; `None` if its laws have no bounds there.
    fn bounds(&mut self, from: f64, to: f64) -> Option<Bounds>;
}
