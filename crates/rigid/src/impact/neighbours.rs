//! Neighbours of a body during the rest of a step: bodies sorted along x, so that an impact does not test all
//! pairs.
//!
//! Every body has a slot along x that is somewhat wider than its box. A body that leaves its slot after an
//! impact, or is so large that it has none, is a stray, and is always tested.

use gedanken_geometry::bounds::Aabb;

/// Margin of a slot on each side, as a part of the box.
const SLOT_MARGIN: f64 = 0.5;
/// A body wider than so many times the mean is a stray.
const MAX_WIDTH_RATIO: f64 = 8.0;

/// The slots of a step; memory.
#[derive(Debug, Default)]
pub(super) struct Neighbours {
    /// Starts of the slots, in order, with their rows.
    order: Vec<(f64, u32)>,
    /// By row: the slot; `None` for strays and for what cannot be touched.
    slots: Vec<Option<[f64; 2]>>,
    strays: Vec<u32>,
    widest: f64,
}

impl Neighbours {
    /// Forgets all slots.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }

    pub(super) fn is_empty(&self) -> bool {
        self.slots.is_empty()
    }

    /// Gives every body a slot, by row.
    pub(super) fn sort(&mut self, boxes: &[Aabb]) {
        let width = |it: &Aabb| it.max.x - it.min.x;
        let is_bounded = |it: &Aabb| width(it) >= 0.0 && width(it).is_finite();
        let bounded = boxes.iter().filter(|it| is_bounded(it));
        let (sum, count) = bounded.fold((0.0, 0.0), |(sum, count), it| (sum + width(it), count + 1.0));
        self.order.clear();
        self.slots.clear();
        self.strays.clear();
        self.widest = 0.0;
        for (row, it) in (0..).zip(boxes) {
            let mut slot = None;
            if is_bounded(it) && width(it) * count <= MAX_WIDTH_RATIO * sum {
                let room = SLOT_MARGIN * width(it);
                let range = [it.min.x - room, it.max.x + room];
                self.order.push((range[0], row));
                self.widest = self.widest.max(range[1] - range[0]);
                slot = Some(range);
            } else if it.min.x <= it.max.x {
                self.strays.push(row);
            }
            self.slots.push(slot);
        }
        self.order.sort_unstable_by(|p, q| p.0.total_cmp(&q.0).then_with(|| p.1.cmp(&q.1)));
    }

    /// A body has another box now.
    pub(super) fn moved(&mut self, row: u32, now: &Aabb) {
        let slot = &mut self.slots[row as usize];
        if slot.is_some_and(|[from, to]| now.min.x < from || now.max.x > to) {
            *slot = None;
            self.strays.push(row);
        }
    }

    /// Adds all rows whose boxes may meet this one to `out`, in no particular order.
    pub(super) fn near(&self, region: &Aabb, out: &mut Vec<u32>) {
        out.extend_from_slice(&self.strays);
        let from = self.order.partition_point(|(start, _)| *start < region.min.x - self.widest);
        let slots = self.order[from..].iter().take_while(|(start, _)| *start <= region.max.x);
        out.extend(slots.map(|(_, row)| *row).filter(|row| self.slots[*row as usize].is_some()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_math::Vec3;

    /// Boxes that move and grow, some without an end: every box that meets it is found.
    #[test]
    fn nobody_is_overlooked() {
        let mut seed = 7_u64;
        let mut unit = move || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 11) as f64 / (1_u64 << 53) as f64
        };
        let mut any = |far: f64| {
            let centre = Vec3::new(unit() * far, unit(), unit());
            Aabb::around(centre, Vec3::splat(0.02 + 0.1 * unit()))
        };
        let mut boxes: Vec<Aabb> = (0..200).map(|_| any(5.0)).collect();
        boxes[0] = Aabb::EMPTY;
        boxes[3] = Aabb::new(Vec3::splat(f64::NEG_INFINITY), Vec3::new(f64::INFINITY, 0.1, f64::INFINITY));
        boxes[4] = Aabb::around(Vec3::ZERO, Vec3::splat(3.0));
        let mut neighbours = Neighbours::default();
        neighbours.sort(&boxes);
        for round in 0..400_u32 {
            let row = 5 + round % 195;
            boxes[row as usize] = any([5.0, 9.0][round as usize % 2]);
            neighbours.moved(row, &boxes[row as usize]);
            let mut found = Vec::new();
            neighbours.near(&boxes[row as usize], &mut found);
            found.sort_unstable();
            assert!(found.windows(2).all(|pair| pair[0] < pair[1]), "twice: {found:?}");
            let meets = |other: &u32| boxes[row as usize].intersects(&boxes[*other as usize]);
            assert!((0..200).filter(meets).all(|other| found.binary_search(&other).is_ok()), "{round}");
        }
    }
}
