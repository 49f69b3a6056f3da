//! The choice of a method for an island, from what is known when the step begins.
//!
//! Impacts and sliding are not among these facts: they come and go within a step. They only limit the number
//! of sweeps of a sub-step (`convergence`).

use super::tuning::{MIN_CONTACTS_LARGE_ISLAND, MIN_CONTACTS_WIDE};
use crate::contacts::solver::Problem;

/// Method by which the contacts of an island are solved in every sub-step of a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strategy {
    /// Islands with joints. Sweeps over the contacts alternate with direct solves of all joints, which act
    /// last: a joint that gives way is worse than a contact that is not quite solved.
    WithJoints,
    /// Many contacts with loops: piles, heaps, pyramids. Few sweeps, four contacts at a time from set-up to
    /// report. No method known here solves loops directly in linear time, and what is left after a sub-step
    /// is the start of the next.
    LargeIsland,
    /// Many contacts that form a tree, of two points or more on average: towers. Newton's method after one
    /// sweep, for bending takes N⁴ sweeps of a tower of N bodies.
    LargeStack,
    /// Few contacts that form such a tree. Newton's method after one symmetric sweep, contact by contact:
    /// there is not enough to put side by side.
    SmallStack,
    /// Single bodies, and bodies in a tree that touch in points: columns of balls. Newton's method if the
    /// island is quiet, else sweeps along conjugate directions: nothing bends, so few are enough. Without
    /// Newton's method tumbling boxes (`tuning`) take 0.85 of the time and other scenes 0.98 to 1.02, but
    /// sliding ones take nine times the sweeps to the same end.
    LooseTree,
    /// Few contacts with loops: arches, walls, small heaps. Sweeps along conjugate directions. Without these
    /// the wall of 25 bricks (`tuning`) takes 2.68 of the time and the pyramid of 55 boxes 1.80, with ten and
    /// four times the overlap.
    SmallIsland,
}

impl Strategy {
    /// Chooses the strategy for an island, and plans the elimination of its tree if it is one.
    pub(super) fn choose(problem: &mut Problem<'_>) -> Self {
        if !problem.joints.is_empty() {
            return Self::WithJoints;
        }
        let contacts = problem.touches.len();
        let points: usize = problem.touches.iter().map(|touch| usize::from(touch.count)).sum();
        let is_movable = |place: u32| problem.movers[place as usize].inverse.is_movable();
        let tree = &mut problem.memory.tree;
        let is_tree = tree.plan(problem.movers.len(), is_movable, problem.ends);
        // With one point per contact nothing bends: sweeps converge fast on columns of balls.
        let is_stack = is_tree && tree.bodies() > 1 && points >= 2 * contacts;
        match (is_tree, is_stack) {
            (true, true) if contacts >= MIN_CONTACTS_WIDE => Self::LargeStack,
            (true, true) => Self::SmallStack,
            (true, false) => Self::LooseTree,
            (false, _) if contacts >= MIN_CONTACTS_LARGE_ISLAND => Self::LargeIsland,
            (false, _) => Self::SmallIsland,
        }
    }
}
