//! Morton order: ids along a space-filling curve.
//!
//! Searches for boxes that lie close together touch the same nodes and cells; in this order they find them in
//! the cache. The key is the bits of the three coordinates, interleaved. The order affects speed, never
//! results.

use crate::bounds::Aabb;
use gedanken_math::Vec3;

/// Bits per coordinate; three times as many, and the id's 24, make a key.
const BITS_PER_AXIS: u32 = 13;

#[derive(Debug, Clone, Default)]
pub(super) struct Order {
    keys: Vec<u64>,
}

impl Order {
    /// Sorts ids along the curve through the centres of their boxes.
    pub(super) fn arrange(&mut self, boxes: &[Aabb], ids: &mut [u32]) {
        let all = ids.iter().map(|&id| boxes[id as usize]).filter(Aabb::is_finite);
        let all = all.fold(Aabb::EMPTY, |all, b| all.with(b.centre()));
        let scale = Vec3::splat(f64::from((1 << BITS_PER_AXIS) - 1)) / all.size();
        self.keys.clear();
        self.keys.extend(ids.iter().map(|&id| {
            // Where a number is none (no extent, no box), the conversion gives 0: as good as any.
            let [x, y, z] =
                ((boxes[id as usize].centre() - all.min) * scale).to_array().map(|u| spread(u as u64));
            ((x | (y << 1) | (z << 2)) << 24) | u64::from(id)
        }));
        self.keys.sort_unstable();
        for (id, key) in ids.iter_mut().zip(&self.keys) {
            *id = (key & 0xFF_FFFF) as u32;
        }
    }
}

/// Returns the lowest [`BITS_PER_AXIS`] bits, two places apart.
fn spread(x: u64) -> u64 {
    let x = x.min((1 << BITS_PER_AXIS) - 1);
    let x = (x | (x << 16)) & 0x0000_FF00_00FF;
    let x = (x | (x << 8)) & 0x00F0_0F00_F00F;
    let x = (x | (x << 4)) & 0x0C30_C30C_30C3;
    (x | (x << 2)) & 0x2492_4924_9249
}
