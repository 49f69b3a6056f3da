//! Broad phases: pairs of overlapping boxes, without testing every pair.
//!
//! One [`Manager`] uses one of three indices: [`BroadPhase::SweepAndPrune`] keeps the boxes sorted along an
//! axis, [`BroadPhase::UniformGrid`] hashes them into cells, [`BroadPhase::Tree`] keeps a dynamic tree of
//! boxes. An index only proposes; the manager compares the boxes themselves, so all three give the same
//! pairs. It keeps the pairs of the last frame in order, so that a frame costs one pass over them and one
//! search for each box that moved. The pairs are a function of the set of boxes alone: the order of
//! insertions, updates and removals has no effect.
//!
//! Boxes that are infinite along some axis (half-spaces) are in no index: they are kept apart and compared
//! with every box.

mod grid;
mod index;
mod morton_order;
mod pairs;
mod sweep_and_prune;
mod tree;

use crate::bounds::Aabb;
use crate::ray::Ray;
use gedanken_math::Vec3;
use grid::UniformGrid;
use index::{AnyIndex, Index};
use morton_order::Order;
use pairs::{Pairs, key};
use sweep_and_prune::SweepAndPrune;

/// Upper bound on ids: tables are indexed by id, and an entry takes some hundred bytes.
pub const MAX_ID: u32 = 1 << 24;

/// Method by which overlapping boxes are found.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum BroadPhase {
    /// Boxes sorted along the axis of their largest spread: best for few boxes, or boxes in a row.
    SweepAndPrune,
    /// Boxes hashed into cubic cells: best for boxes of about one size, somewhat smaller than a cell.
    UniformGrid {
        /// The size of a cell.
        cell: f64,
    },
    /// A dynamic tree of boxes: good for all scenes.
    Tree,
}

/// Error of a broad phase.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum BroadError {
    /// A box with a corner that is not a number, or with its corners the wrong way round.
    #[error(
        "the box of {id} is no box: it must have numbers for corners, min nowhere above max, and hold a point"
    )]
    BadBox {
        /// Id of the box.
        id: u32,
    },
    /// An id that is in use already.
    #[error("{id} is already in the broad phase: update it instead")]
    Taken {
        /// The id.
        id: u32,
    },
    /// An id that is not in use.
    #[error("{id} is not in the broad phase: insert it first")]
    Missing {
        /// The id.
        id: u32,
    },
    /// An id too large for tables indexed by id.
    #[error("{id} is too large an id: ids must be below {MAX_ID}")]
    IdTooLarge {
        /// The id.
        id: u32,
    },
    /// A cell size that is zero, negative or not finite.
    #[error("the cells of a grid cannot have size {cell}: it must be positive and finite")]
    BadCell {
        /// The size given.
        cell: f64,
    },
    /// A ray or region with coordinates that are not numbers.
    #[error("the {what} of a query is not valid")]
    BadQuery {
        /// Part of the query that is wrong.
        what: &'static str,
    },
}

/// Flag: the id has a box.
const PRESENT: u8 = 1;
/// Flag: the box is infinite along some axis, and not in the index.
const UNBOUNDED: u8 = 2;
/// Flag: the stored box has changed since the last call of [`Manager::pairs`], so its pairs are to be found
/// anew.
const FRESH: u8 = 4;
/// Flag: the box has changed, the stored box has not, so its pairs are to be compared anew.
const MOVED: u8 = 8;

/// A set of boxes with ids, and the pairs of them that overlap.
///
/// ```
/// use gedanken_math::Vec3;
/// use gedanken_geometry::{bounds::Aabb, broad::{BroadPhase, Manager}};
/// let unit = Aabb::new(Vec3::ZERO, Vec3::ONE);
/// let mut boxes = Manager::new(BroadPhase::Tree)?;
/// boxes.insert(7, unit)?;
/// boxes.insert(3, unit.swept(Vec3::X))?;
/// boxes.insert(5, unit.fattened(-0.25))?;
/// let mut pairs = Vec::new();
/// boxes.pairs(&mut pairs);
/// assert_eq!(pairs, [(3, 5), (3, 7), (5, 7)]);
/// # Ok::<(), gedanken_geometry::broad::BroadError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Manager {
    index: AnyIndex,
    /// Boxes by id; undefined where the id is not present.
    boxes: Vec<Aabb>,
    /// Flags by id: PRESENT and so on.
    flags: Vec<u8>,
    count: usize,
    fresh: Vec<u32>,
    moved: Vec<u32>,
    /// Ids of unbounded boxes, in order.
    unbounded: Vec<u32>,
    pairs: Pairs,
    order: Order,
}

impl Manager {
    /// An empty set with this method of search.
    pub fn new(kind: BroadPhase) -> Result<Self, BroadError> {
        let index = match kind {
            BroadPhase::SweepAndPrune => AnyIndex::SweepAndPrune(SweepAndPrune::default()),
            BroadPhase::UniformGrid { cell } if cell > 0.0 && cell.is_finite() => {
                AnyIndex::Grid(UniformGrid::new(cell))
            }
            BroadPhase::UniformGrid { cell } => return Err(BroadError::BadCell { cell }),
            BroadPhase::Tree => AnyIndex::Tree(Box::default()),
        };
        Ok(Self {
            index,
            boxes: Vec::new(),
            flags: Vec::new(),
            count: 0,
            fresh: Vec::new(),
            moved: Vec::new(),
            unbounded: Vec::new(),
            pairs: Pairs::default(),
            order: Order::default(),
        })
    }

    /// Number of boxes.
    #[must_use]
    pub fn len(&self) -> usize {
        self.count
    }

    /// Returns `true` if there are no boxes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Returns the box of this id, if it is present.
    #[must_use]
    pub fn get(&self, id: u32) -> Option<&Aabb> {
        (self.flags_of(id) & PRESENT != 0).then(|| &self.boxes[id as usize])
    }

    /// Adds a box under a new id. Tables grow with the largest id: number bodies from zero.
    pub fn insert(&mut self, id: u32, aabb: Aabb) -> Result<(), BroadError> {
        if id >= MAX_ID {
            return Err(BroadError::IdTooLarge { id });
        }
        if self.flags_of(id) & PRESENT != 0 {
            return Err(BroadError::Taken { id });
        }
        let aabb = checked(id, aabb)?;
        let i = id as usize;
        if i >= self.boxes.len() {
            self.boxes.resize(i + 1, Aabb::EMPTY);
            self.flags.resize(i + 1, 0);
        }
        self.boxes[i] = aabb;
        self.flags[i] |= PRESENT;
        self.count += 1;
        self.enter(id);
        Ok(())
    }

    /// Changes the box of an id.
    pub fn update(&mut self, id: u32, aabb: Aabb) -> Result<(), BroadError> {
        let old = *self.get(id).ok_or(BroadError::Missing { id })?;
        let new = checked(id, aabb)?;
        let i = id as usize;
        if old.is_finite() && new.is_finite() {
            if old == new {
                return Ok(());
            }
            self.boxes[i] = new;
            if self.index.get_mut().update(id, &old, &new) {
                self.mark(id, FRESH);
            } else {
                self.mark(id, MOVED);
            }
        } else {
            self.leave(id);
            self.boxes[i] = new;
            self.enter(id);
        }
        Ok(())
    }

    /// Removes a box.
    pub fn remove(&mut self, id: u32) -> Result<(), BroadError> {
        self.get(id).ok_or(BroadError::Missing { id })?;
        self.leave(id);
        self.flags[id as usize] &= !PRESENT;
        self.count -= 1;
        Ok(())
    }

    /// Writes to `out` all pairs of ids whose boxes intersect (touching counts), each once, smaller id first,
    /// in order.
    pub fn pairs(&mut self, out: &mut Vec<(u32, u32)>) {
        out.clear();
        let Self { index, boxes, flags, fresh, moved, unbounded, pairs, order, .. } = self;
        order.arrange(boxes, fresh);
        index.get_mut().meet(boxes, flags, fresh, pairs);
        pairs.merge(boxes, flags, out);
        for id in fresh.drain(..).chain(moved.drain(..)) {
            flags[id as usize] &= !(FRESH | MOVED);
        }
        if !unbounded.is_empty() {
            for &id in unbounded.iter() {
                let region = boxes[id as usize];
                for (other, (tight, &flag)) in (0..).zip(boxes.iter().zip(flags.iter())) {
                    // Two unbounded boxes meet once: from the smaller id.
                    let once = flag & PRESENT != 0 && (flag & UNBOUNDED == 0 || other > id) && other != id;
                    if once && region.intersects(tight) {
                        pairs.apart(key(id, other));
                    }
                }
            }
            pairs.merge_apart(out);
        }
    }

    /// Writes to `out` all ids whose box intersects the region (touching counts), in order.
    pub fn region(&self, region: &Aabb, out: &mut Vec<u32>) -> Result<(), BroadError> {
        out.clear();
        if !region.is_valid() {
            return Err(BroadError::BadQuery { what: "region" });
        }
        self.select(
            out,
            |index, propose| index.search(&self.boxes, region, propose),
            |b| b.intersects(region),
        );
        Ok(())
    }

    /// Puts all boxes that were inserted or updated since the last frame into the index. It is never
    /// required. It pays where many searches come between many updates, since each search would otherwise
    /// scan all of them.
    pub fn settle(&mut self) {
        self.index.get_mut().take_in_waiting(&self.boxes);
    }

    /// Writes to `out` all ids whose box the ray meets at a parameter from 0 to `t_max`, in order. A ray
    /// without a direction is a point; `t_max` may be infinite.
    pub fn ray(&self, ray: &Ray, t_max: f64, out: &mut Vec<u32>) -> Result<(), BroadError> {
        out.clear();
        if !ray.origin.is_finite() {
            return Err(BroadError::BadQuery { what: "ray's origin" });
        }
        if !ray.direction.is_finite() {
            return Err(BroadError::BadQuery { what: "ray's direction" });
        }
        if t_max.is_nan() || t_max < 0.0 {
            return Err(BroadError::BadQuery { what: "ray's length" });
        }
        let met = |b: &Aabb| b.cast_ray(ray, t_max).is_some();
        self.select(out, |index, propose| index.search_ray(&self.boxes, ray, t_max, propose), met);
        Ok(())
    }

    fn select(
        &self,
        out: &mut Vec<u32>,
        search: impl FnOnce(&dyn Index, &mut dyn FnMut(u32)),
        met: impl Fn(&Aabb) -> bool,
    ) {
        let mut propose = |id: u32| {
            if met(&self.boxes[id as usize]) {
                out.push(id);
            }
        };
        search(self.index.get(), &mut propose);
        self.unbounded.iter().for_each(|&id| propose(id));
        out.sort_unstable();
    }

    fn flags_of(&self, id: u32) -> u8 {
        self.flags.get(id as usize).copied().unwrap_or(0)
    }

    fn mark(&mut self, id: u32, flag: u8) {
        let flags = &mut self.flags[id as usize];
        if *flags & flag == 0 {
            *flags |= flag;
            if flag == FRESH { self.fresh.push(id) } else { self.moved.push(id) }
        }
    }

    /// Puts the box of an id into the index, or among the unbounded ones.
    fn enter(&mut self, id: u32) {
        let aabb = self.boxes[id as usize];
        if aabb.is_finite() {
            self.index.get_mut().insert(id, &aabb);
        } else {
            self.flags[id as usize] |= UNBOUNDED;
            let place = self.unbounded.partition_point(|&other| other < id);
            self.unbounded.insert(place, id);
        }
        self.mark(id, FRESH);
    }

    fn leave(&mut self, id: u32) {
        let aabb = self.boxes[id as usize];
        if aabb.is_finite() {
            self.index.get_mut().remove(id, &aabb);
        } else {
            self.flags[id as usize] &= !UNBOUNDED;
            self.unbounded.retain(|&other| other != id);
        }
        self.mark(id, FRESH);
    }
}

/// Returns the box, if it is valid. Adding zero turns −0 into 0, so that equal boxes have equal bits.
fn checked(id: u32, aabb: Aabb) -> Result<Aabb, BroadError> {
    if !aabb.is_valid() {
        return Err(BroadError::BadBox { id });
    }
    Ok(Aabb::new(aabb.min + Vec3::ZERO, aabb.max + Vec3::ZERO))
}
