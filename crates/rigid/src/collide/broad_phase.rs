//! Broad phase: pairs of bodies whose bounding boxes, swept over the step, overlap.
//!
//! The box of a body is that of its shape, swept along v h and widened by what else may happen within the
//! step: turning, the acceleration by the laws, and a share of the displacement for impulses that cannot be
//! foreseen. Boxes live in a tree that is kept from step to step for speed; the pairs are a function of the
//! boxes alone. Half-spaces have no box: their plane is compared with every box directly, which leaves out
//! all bodies far above a floor.

use crate::world::World;
use crate::world::settings::Settings;
use crate::world::solver_body::{SolverBodies, SolverBody};
use crate::world::surface::{Surface, Surfaces, pull};
use gedanken_dynamics::{
    ComponentId, Force, Life, Rule, Table, ThreeD, Trouble, memory, read, read_table, write_table,
};
use gedanken_geometry::bounds::Aabb;
use gedanken_geometry::broad::{BroadPhase, Manager};
use gedanken_geometry::{HalfSpace, Shape, Solid as _};
use gedanken_math::{Pose, Vec3};
use std::sync::Arc;

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

/// Pairs of rows that may touch during the step, the smaller row first, in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Candidates {
    /// The pairs.
    pub pairs: Vec<(u32, u32)>,
}

impl Table for Candidates {
    const NAME: &'static str = "candidates";
    const LIFE: Life = Life::Step;
}

/// The part of its way by which the box of a body is wider on all sides.
const UNFORESEEN_SHARE: f64 = 0.25;

/// Boxes from step to step. Nothing here decides a result: a box that is known for a pose is the box of that
/// pose.
#[derive(Debug)]
struct Boxes {
    tree: Manager,
    /// By row: the last pose, and the box of the shape there.
    known: Vec<(Pose, Aabb)>,
    /// By row: the box swept over the step.
    swept: Vec<Aabb>,
    /// Pairs of the tree.
    met: Vec<(u32, u32)>,
    /// Pairs with half-spaces.
    on_planes: Vec<(u32, u32)>,
}

impl Default for Boxes {
    fn default() -> Self {
        Self {
            tree: Manager::new(BroadPhase::Tree).expect("a tree has no settings that could be wrong"),
            known: Vec::new(),
            swept: Vec::new(),
            met: Vec::new(),
            on_planes: Vec::new(),
        }
    }
}

/// Finds the pairs whose boxes overlap somewhere during the step.
pub(crate) fn rule(world: &Arc<World>, settings: &Arc<Settings>) -> Rule {
    let surfaces = Surfaces::of(world);
    let (world, slop) = (world.clone(), settings.slop);
    let given = (read_table::<SolverBodies>(), read::<Force<ThreeD>>());
    let found = (write_table::<CollisionBodies>(), write_table::<Candidates>());
    Rule::new("broad", (given, found, memory::<Boxes>()), move |step, (given, found, boxes)| {
        let ((at_start, forces), (places, candidates)) = (given, found);
        let h = step.h.si();
        // NaN equals no pose, so the first box of every body is computed.
        let nowhere = (Pose::at(Vec3::NAN), Aabb::EMPTY);
        boxes.known.resize(at_start.bodies.len(), nowhere);
        boxes.swept.resize(at_start.bodies.len(), Aabb::EMPTY);
        places.resize(at_start.bodies.len());
        for (mover, force) in at_start.bodies.iter().zip(forces) {
            let (row, surface) = (mover.row, surfaces.at(mover.row));
            let placed = places.put(mover, surface, force.si(), h);
            let Some(surface) = surface.filter(|surface| !matches!(surface.shape, Shape::HalfSpace(_)))
            else {
                continue;
            };
            let swept = swept(surface, placed, slop, h, &mut boxes.known[row as usize]);
            boxes.swept[row as usize] = swept;
            let entered = match boxes.tree.get(row) {
                Some(_) => boxes.tree.update(row, swept),
                None => boxes.tree.insert(row, swept),
            };
            entered.map_err(|_| {
                let name = world.model().components().name(ComponentId::from_row(row as usize));
                Trouble::Failed(format!(
                    "'{name}' is at {} with a velocity of {}: where it will be after a step of {h} s is beyond all \
                     numbers; look for a force without bounds, or take a shorter step",
                    placed.centre, placed.velocity
                ))
            })?;
        }
        let Boxes { tree, swept, met, on_planes, .. } = boxes;
        tree.pairs(met);
        on_planes.clear();
        for (row, surface) in surfaces.iter() {
            if let Shape::HalfSpace(half_space) = &surface.shape {
                let mover = &at_start.bodies[row as usize];
                let plane = Plane::new(half_space, surface, mover, slop, h);
                for (other, beside) in surfaces.iter() {
                    // Two half-spaces have no business with each other: none of them moves by impulses.
                    if beside.dynamic && plane.meets(&swept[other as usize]) {
                        on_planes.push((row.min(other), row.max(other)));
                    }
                }
            }
        }
        // Both lists in order, so that merging keeps the pairs independent of how the tree was built.
        on_planes.sort_unstable();
        merge(met, on_planes, |a, b| surfaces.may_touch(a, b), &mut candidates.pairs);
        Ok(())
    })
}

/// The box of a body over the step.
fn swept(
    surface: &Surface,
    placed: &CollisionBody,
    slop: f64,
    h: f64,
    (pose, still): &mut (Pose, Aabb),
) -> Aabb {
    if *pose != placed.pose {
        (*pose, *still) = (placed.pose, surface.shape.bounds(&placed.pose));
    }
    let way = placed.velocity * h;
    let turning = surface.turning(placed.angle, f64::INFINITY);
    still.swept(way).fattened(slop + UNFORESEEN_SHARE * way.length() + turning + placed.strength * h * h)
}

/// The surface of a half-space, raised by as much as it can move within the step.
struct Plane {
    normal: Vec3,
    offset: f64,
    /// Centre of rotation, and the angle of rotation in the step.
    centre: Vec3,
    angle: f64,
}

impl Plane {
    fn new(half_space: &HalfSpace, surface: &Surface, mover: &SolverBody, slop: f64, h: f64) -> Self {
        let pose = surface.pose(&mover.pose);
        let normal = pose.vector_to_world(half_space.normal());
        let rise = (1.0 + UNFORESEEN_SHARE) * mover.twist.linear.length() * h;
        Self {
            normal,
            offset: half_space.offset() + normal.dot(pose.translation) + slop + rise,
            centre: mover.pose.translation,
            angle: (mover.twist.angular.length() * h).min(2.0),
        }
    }

    /// Returns `true` if the lowest corner of a box is below: n·c - |n|·half ≤ offset.
    fn meets(&self, of: &Aabb) -> bool {
        let (centre, half) = (of.centre(), of.half_extents());
        let mut lift = 0.0;
        if self.angle > 0.0 {
            lift = self.angle * ((centre - self.centre).length() + half.length());
        }
        // Rounding of the sums must not hide a box that touches.
        let noise = 1e-12 * (centre.abs().max_element() + half.max_element() + self.offset.abs());
        self.normal.dot(centre) - self.normal.abs().dot(half) <= self.offset + lift + noise
    }
}

/// Merges two lists in order, leaving out those that may not touch.
fn merge(
    one: &[(u32, u32)],
    two: &[(u32, u32)],
    may_touch: impl Fn(u32, u32) -> bool,
    out: &mut Vec<(u32, u32)>,
) {
    out.clear();
    let mut late = two.iter().copied().peekable();
    for &pair in one {
        while let Some(other) = late.next_if(|other| *other < pair) {
            out.extend(may_touch(other.0, other.1).then_some(other));
        }
        out.extend(may_touch(pair.0, pair.1).then_some(pair));
    }
    out.extend(late.filter(|&(a, b)| may_touch(a, b)));
}
