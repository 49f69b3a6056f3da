//! Bodies as the search for contacts sees them, computed once per step for the broad and the narrow phase.

use crate::world::solver_body::SolverBody;
use crate::world::surface::{Surface, pull};
use gedanken_dynamics::{Life, Table};
use gedanken_math::{Pose, Vec3};

/// A body as the search for contacts reads it, once per candidate pair.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct CollisionBody {
    /// The pose of the shape; of the principal frame, if there is no shape.
    pub pose: Pose,
    /// The centre of mass, and its velocity.
    pub centre: Vec3,
    /// See `centre`.
    pub velocity: Vec3,
    /// The angle through which it turns in the step.
    pub angle: f64,
    /// The acceleration that the laws give it.
    pub pull: Vec3,
    /// Length of `pull`.
    pub strength: f64,
    /// `true` if impulses move it.
    pub movable: bool,
}

impl CollisionBody {
    /// An immovable body at the origin: the element before it is filled in.
    const BLANK: CollisionBody = CollisionBody {
        pose: Pose::IDENTITY,
        centre: Vec3::ZERO,
        velocity: Vec3::ZERO,
        angle: 0.0,
        pull: Vec3::ZERO,
        strength: 0.0,
        movable: false,
    };
}

/// Every body by row, as it is when the step starts.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct CollisionBodies {
    /// By row.
    pub bodies: Vec<CollisionBody>,
}

impl CollisionBodies {
    /// Makes room for so many bodies.
    pub(crate) fn resize(&mut self, count: usize) {
        self.bodies.resize(count, CollisionBody::BLANK);
    }

    /// Fills in a body at the start of a step of `h`, on which the laws act with `force`.
    #[inline]
    pub(crate) fn put(
        &mut self,
        mover: &SolverBody,
        surface: Option<&Surface>,
        force: Vec3,
        h: f64,
    ) -> &CollisionBody {
        let placed = &mut self.bodies[mover.row as usize];
        placed.pose = surface.map_or(mover.pose, |surface| surface.pose(&mover.pose));
        placed.centre = mover.pose.translation;
        placed.velocity = mover.twist.linear;
        placed.angle = mover.twist.angular.length() * h;
        placed.pull = pull(force, mover);
        placed.strength = placed.pull.length();
        placed.movable = mover.mass > 0.0;
        placed
    }
}

impl Table for CollisionBodies {
    const NAME: &'static str = "collision bodies";
    const LIFE: Life = Life::Step;
}
