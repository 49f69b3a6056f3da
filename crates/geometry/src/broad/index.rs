//! Interface of an index of boxes, and the three indices.

use super::grid::UniformGrid;
use super::pairs::Pairs;
use super::sweep_and_prune::SweepAndPrune;
use super::tree::Tree;
use super::{FRESH, PRESENT, UNBOUNDED};
use crate::bounds::Aabb;
use crate::ray::Ray;

/// An index of boxes. It may store a box larger than the true one, as long as it proposes by the stored box.
pub(super) trait Index {
    /// Inserts a box.
    fn insert(&mut self, id: u32, tight: &Aabb);
    /// Updates a box. Returns `true` if its stored box has changed.
    fn update(&mut self, id: u32, old: &Aabb, new: &Aabb) -> bool;
    /// Removes a box.
    fn remove(&mut self, id: u32, old: &Aabb);
    /// Prepares for many searches. `fresh` holds all ids whose stored box has changed since the last time,
    /// and maybe others.
    fn settle(&mut self, _boxes: &[Aabb], _fresh: &[u32]) {}
    /// Inserts pending boxes, so that searches need not scan them.
    fn take_in_waiting(&mut self, _boxes: &[Aabb]) {}
    /// Returns the box stored under this id, given its true one.
    fn stored(&self, id: u32, tight: &Aabb) -> Aabb;
    /// Proposes, each once, all ids whose stored box intersects `region`, and maybe others.
    fn search(&self, boxes: &[Aabb], region: &Aabb, propose: &mut dyn FnMut(u32));
    /// Finds every pair of intersecting stored boxes of which at least one is fresh, each once.
    fn meet(&mut self, boxes: &[Aabb], flags: &[u8], fresh: &[u32], pairs: &mut Pairs) {
        self.settle(boxes, fresh);
        self.meet_settled(boxes, flags, fresh, pairs);
    }
    /// Finds the same by one search for each fresh box, after [`Self::settle`].
    fn meet_settled(&self, boxes: &[Aabb], flags: &[u8], fresh: &[u32], pairs: &mut Pairs) {
        for &id in fresh {
            if flags[id as usize] & (PRESENT | UNBOUNDED) != PRESENT {
                continue;
            }
            let tight = boxes[id as usize];
            self.search(boxes, &self.stored(id, &tight), &mut |other| {
                // Two fresh boxes find each other: the search of the smaller id counts.
                if other > id || (other < id && flags[other as usize] & FRESH == 0) {
                    pairs.found(id, other, tight.intersects(&boxes[other as usize]));
                }
            });
        }
    }
    /// Proposes, each once, all ids whose box the ray meets, and maybe others.
    fn search_ray(&self, boxes: &[Aabb], ray: &Ray, t_max: f64, propose: &mut dyn FnMut(u32)) {
        self.search(boxes, &ray_box(ray, t_max), propose);
    }
}

/// Returns a box around a ray, wider than the rounding of [`Aabb::cast_ray`].
fn ray_box(ray: &Ray, t_max: f64) -> Aabb {
    let reach = ray.direction * t_max;
    if !reach.is_finite() {
        return Aabb::INFINITE;
    }
    let slack = 32.0 * f64::EPSILON * (ray.origin.abs() + reach.abs());
    let swept = Aabb::new(ray.origin, ray.origin).swept(reach);
    Aabb::new(swept.min - slack, swept.max + slack)
}

/// The index that was chosen.
#[derive(Debug, Clone)]
pub(super) enum AnyIndex {
    SweepAndPrune(SweepAndPrune),
    Grid(UniformGrid),
    Tree(Box<Tree>),
}

impl AnyIndex {
    pub(super) fn get(&self) -> &dyn Index {
        match self {
            Self::SweepAndPrune(index) => index,
            Self::Grid(index) => index,
            Self::Tree(index) => index.as_ref(),
        }
    }

    pub(super) fn get_mut(&mut self) -> &mut dyn Index {
        match self {
            Self::SweepAndPrune(index) => index,
            Self::Grid(index) => index,
            Self::Tree(index) => index.as_mut(),
        }
    }
}
