//! Sweeps, four contacts at a time: what `sweep` does for one contact point, for four of them side by side.

use super::contacts::{Manifoldx4, PaddedTwist, Pointx4, Twistx4, WideContacts, gather, scatter, turned};
use crate::contacts::gauss_seidel::simd::{F64x4, Vec3x4};

impl WideContacts {
    /// Sweeps once, forwards or backwards. Returns Σ Δλ·K Δλ, as `sweep` does.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls a function compiled for instructions not every processor has")
    )]
    pub(crate) fn sweep(&mut self, forwards: bool) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just said that it has these instructions.
            return unsafe { self.sweep_avx2(forwards) };
        }
        self.sweep_here(forwards)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn sweep_avx2(&mut self, forwards: bool) -> f64 {
        self.sweep_here(forwards)
    }

    #[inline(always)]
    pub(super) fn sweep_here(&mut self, forwards: bool) -> f64 {
        let Self { packs, points, twists, .. } = self;
        let mut moved = F64x4::ZERO;
        let pairs = packs.len() / 2;
        // Loops and no closures: what is not inlined is not compiled for the wide registers.
        for k in 0..pairs {
            let first = 2 * if forwards { k } else { pairs - 1 - k };
            let pair = [&packs[first], &packs[first + 1]];
            let count = (pair[0].count + pair[1].count) as usize;
            let own = &mut points[pair[0].first as usize..][..count];
            if pair[0].round && pair[1].round {
                moved += solve_pair::<true>(pair, own, twists, forwards);
            } else {
                moved += solve_pair::<false>(pair, own, twists, forwards);
            }
        }
        moved.sum()
    }
}

/// Visits the points of two packs by turns: neither waits for the other.
#[inline(always)]
fn solve_pair<const ROUND: bool>(
    pair: [&Manifoldx4; 2],
    points: &mut [Pointx4],
    twists: &mut [PaddedTwist],
    forwards: bool,
) -> F64x4 {
    let starts = [0, pair[0].count as usize];
    let mut sides = [
        [gather(twists, &pair[0].places[0]), gather(twists, &pair[0].places[1])],
        [gather(twists, &pair[1].places[0]), gather(twists, &pair[1].places[1])],
    ];
    let count = pair[0].count.max(pair[1].count) as usize;
    let mut moved = F64x4::ZERO;
    // One visit in the code for both: two of them would not fit into the registers.
    for turn in 0..2 * count {
        let (k, which) = (turn / 2, turn % 2);
        let k = if forwards { k } else { count - 1 - k };
        if k < pair[which].count as usize {
            moved += solve::<ROUND>(pair[which], &mut points[starts[which] + k], &mut sides[which]);
        }
    }
    for which in 0..2 {
        scatter(twists, &pair[which].places[0], &sides[which][0]);
        scatter(twists, &pair[which].places[1], &sides[which][1]);
    }
    moved
}

/// Solves one point of each of four contacts, as `Point::solve` in `sweep`. Returns Δλ·K Δλ by lane.
#[inline(always)]
fn solve<const ROUND: bool>(pack: &Manifoldx4, points: &mut Pointx4, sides: &mut [Twistx4; 2]) -> F64x4 {
    let [normal_axis, first_axis, second_axis] = pack.frame;
    let [a, b] = *sides;
    let relative =
        (b.linear - a.linear) + (b.angular.cross(points.arms[1]) - a.angular.cross(points.arms[0]));
    let old = points.impulse;
    let approach = relative.dot(normal_axis) + points.allowed;
    let normal = (old.x - approach * points.normal_mass).positive();
    let push = normal - old.x;
    let slide_1 = relative.dot(first_axis) + points.coupling[0] * push;
    let slide_2 = relative.dot(second_axis) + points.coupling[1] * push;
    let [k11, k12, k22] = points.block;
    let mut first = old.y - (k11 * slide_1 + k12 * slide_2);
    let mut second = old.z - (k12 * slide_1 + k22 * slide_2);
    let most = pack.friction * normal;
    let (size, limit) = (first * first + second * second, most * most);
    // A root and a division, which a pile at rest seldom needs.
    if size.exceeds(limit) {
        let (slid_1, slid_2) = (old.y - points.step * slide_1, old.z - points.step * slide_2);
        let length = (slid_1 * slid_1 + slid_2 * slid_2).sqrt();
        let scale = length.above(most).choose(most / length, F64x4::splat(1.0));
        let slides = size.above(limit);
        (first, second) = (slides.choose(slid_1 * scale, first), slides.choose(slid_2 * scale, second));
    }
    let new = Vec3x4 { x: normal, y: first, z: second };
    let change = new - old;
    points.impulse = new;
    let impulse = normal_axis.times(change.x) + first_axis.times(change.y) + second_axis.times(change.z);
    let [on_a, on_b] = sides;
    on_a.linear -= impulse.times(pack.inv_mass[0]);
    on_a.angular -= turned::<ROUND>(&pack.inv_inertia[0], points.arms[0].cross(impulse));
    on_b.linear += impulse.times(pack.inv_mass[1]);
    on_b.angular += turned::<ROUND>(&pack.inv_inertia[1], points.arms[1].cross(impulse));
    change.x * change.x * points.response + (change.y * change.y + change.z * change.z) * points.slip
}
