//! Sweeps over large islands, four contacts at a time.
//!
//! A visit of a contact point is a long chain of small sums, each waiting for the one before; four visits side by side take
//! hardly longer than one. So the list of contacts is cut into four parts of equal length, and the sweep walks through all of
//! them at once. Contacts that would share a movable body wait for each other, so no visit misses what another one does: it
//! is a sweep of Gauss and Seidel like any other, in an order that depends on the contacts alone.

#[cfg(test)]
mod tests;

use super::four::{Four, Four3, LANES};
use crate::rigid::solver::rows::Rows;

/// Islands with fewer contacts are swept one by one, and solved to the end: there is not enough to put side by side.
pub(super) const MANY: usize = 13;

/// Four contacts.
#[derive(Debug, Clone, Copy, Default)]
struct Pack {
    /// By lane, the places of A and B; those of no body in a lane that is empty.
    places: [[u32; LANES]; 2],
    /// Whether all its bodies are round.
    round: bool,
    /// How many points the largest has, and the first of them.
    count: u32,
    first: u32,
    /// The normals and both tangents.
    frame: [Four3; 3],
    friction: Four,
    /// 1/m of A and B.
    mass: [Four; 2],
    /// I⁻¹ of A and B, the columns of symmetric matrices.
    inertia: [[Four3; 3]; 2],
}

/// A point of each of four contacts; what is missing has no mass, and moves nothing. See `rows::Point`.
#[derive(Debug, Clone, Copy, Default)]
struct Points {
    arms: [Four3; 2],
    mass: Four,
    /// K_nn.
    response: Four,
    coupling: [Four; 2],
    block: [Four; 3],
    step: Four,
    /// One over that.
    slip: Four,
    impulse: Four3,
    allowed: Four,
}

/// The motion of a body: velocity, angular velocity.
#[derive(Debug, Clone, Copy, Default)]
struct Motion {
    linear: Four,
    angular: Four,
}

/// An island packed for sweeps; memory.
#[derive(Debug, Default)]
pub(super) struct Packs {
    packs: Vec<Pack>,
    points: Vec<Points>,
    /// By point and lane: its number among the rows.
    numbers: Vec<[u32; LANES]>,
    /// By body, and one at rest for lanes that are empty.
    motions: Vec<Motion>,
}

/// No point.
const NONE: u32 = u32::MAX;

impl Packs {
    /// Packs an island.
    pub(super) fn plan(&mut self, rows: &Rows) {
        self.packs.clear();
        self.points.clear();
        self.numbers.clear();
        let total = rows.manifolds.len();
        let mut next: [usize; LANES] = std::array::from_fn(|lane| lane * total / LANES);
        let ends: [usize; LANES] = std::array::from_fn(|lane| (lane + 1) * total / LANES);
        while next != ends {
            let mut chosen = [None; LANES];
            let mut taken = [[NONE; 2]; LANES];
            for lane in 0..LANES {
                let number = next[lane];
                if number == ends[lane] {
                    continue;
                }
                let manifold = &rows.manifolds[number];
                let movable = |place: u32| if rows.bodies[place as usize].mass > 0.0 { place } else { NONE };
                let own = [movable(manifold.a), movable(manifold.b)];
                let meets = |place: u32| place != NONE && taken.iter().any(|pair| pair.contains(&place));
                if !own.into_iter().any(meets) {
                    (chosen[lane], taken[lane]) = (Some(number), own);
                    next[lane] += 1;
                }
            }
            self.add(rows, chosen);
        }
    }

    fn add(&mut self, rows: &Rows, chosen: [Option<usize>; LANES]) {
        let nobody = rows.bodies.len() as u32;
        let mut pack = Pack {
            places: [[nobody; LANES]; 2],
            first: self.points.len() as u32,
            round: true,
            ..Pack::default()
        };
        let counts = chosen.map(|number| number.map_or(0, |number| rows.manifolds[number].count));
        pack.count = counts.into_iter().fold(0, u32::max);
        self.points.resize(self.points.len() + pack.count as usize, Points::default());
        self.numbers.resize(self.points.len(), [NONE; LANES]);
        for (lane, number) in chosen.into_iter().enumerate() {
            let Some(number) = number else { continue };
            let manifold = &rows.manifolds[number];
            let axes = [manifold.frame.x_axis, manifold.frame.y_axis, manifold.frame.z_axis];
            pack.frame.iter_mut().zip(axes).for_each(|(four, axis)| four.set(lane, axis.to_array()));
            pack.friction.0[lane] = manifold.friction;
            for (side, place) in [manifold.a, manifold.b].into_iter().enumerate() {
                let body = &rows.bodies[place as usize];
                pack.places[side][lane] = place;
                pack.mass[side].0[lane] = body.mass;
                pack.round &= body.round;
                let columns = [body.inertia.x_axis, body.inertia.y_axis, body.inertia.z_axis];
                let fours = pack.inertia[side].iter_mut();
                fours.zip(columns).for_each(|(four, column)| four.set(lane, column.to_array()));
            }
            for k in 0..manifold.count {
                let number = manifold.first + k;
                let point = &rows.points[number as usize];
                let place = (pack.first + k) as usize;
                self.numbers[place][lane] = number;
                let points = &mut self.points[place];
                points.arms[0].set(lane, point.arm_a.to_array());
                points.arms[1].set(lane, point.arm_b.to_array());
                points.mass.0[lane] = point.mass;
                points.response.0[lane] = point.response;
                points.step.0[lane] = point.step;
                points.slip.0[lane] = point.slip;
                for (four, x) in points.coupling.iter_mut().zip(point.coupling) {
                    four.0[lane] = x;
                }
                for (four, x) in points.block.iter_mut().zip(point.block) {
                    four.0[lane] = x;
                }
            }
        }
        self.packs.push(pack);
    }

    /// Takes over the motions and impulses.
    pub(super) fn load(&mut self, rows: &Rows) {
        self.motions.clear();
        self.motions.extend(rows.bodies.iter().map(|body| {
            let ([a, b, c], [d, e, f]) = (body.linear.to_array(), body.angular.to_array());
            Motion { linear: Four([a, b, c, 0.0]), angular: Four([d, e, f, 0.0]) }
        }));
        self.motions.push(Motion::default());
        for (points, numbers) in self.points.iter_mut().zip(&self.numbers) {
            for (lane, &number) in numbers.iter().enumerate().filter(|(_, number)| **number != NONE) {
                let point = &rows.points[number as usize];
                points.impulse.set(lane, point.impulse.to_array());
                points.allowed.0[lane] = point.allowed;
            }
        }
    }

    /// Gives back what sweeps have made of them.
    pub(super) fn store(&self, rows: &mut Rows) {
        for (body, motion) in rows.bodies.iter_mut().zip(&self.motions) {
            let ([a, b, c, _], [d, e, f, _]) = (motion.linear.0, motion.angular.0);
            (body.linear, body.angular) = ([a, b, c].into(), [d, e, f].into());
        }
        for (points, numbers) in self.points.iter().zip(&self.numbers) {
            for (lane, &number) in numbers.iter().enumerate().filter(|(_, number)| **number != NONE) {
                let Four3 { x, y, z } = points.impulse;
                rows.points[number as usize].impulse = [x.0[lane], y.0[lane], z.0[lane]].into();
            }
        }
    }

    /// Sweeps once, forwards or backwards; tells what that moved, as `sweep` does.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls a function compiled for instructions not every processor has")
    )]
    pub(super) fn sweep(&mut self, forwards: bool) -> f64 {
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
    fn sweep_here(&mut self, forwards: bool) -> f64 {
        let Self { packs, points, motions, .. } = self;
        let mut moved = Four::ZERO;
        // Loops and no closures: what is not inlined is not compiled for the wide registers.
        for k in 0..packs.len() {
            let pack = &packs[if forwards { k } else { packs.len() - 1 - k }];
            let own = &mut points[pack.first as usize..][..pack.count as usize];
            let mut sides = [gather(motions, &pack.places[0]), gather(motions, &pack.places[1])];
            for l in 0..own.len() {
                let points = &mut own[if forwards { l } else { pack.count as usize - 1 - l }];
                if pack.round {
                    moved += settle::<true>(pack, points, &mut sides);
                } else {
                    moved += settle::<false>(pack, points, &mut sides);
                }
            }
            scatter(motions, &pack.places[0], &sides[0]);
            scatter(motions, &pack.places[1], &sides[1]);
        }
        moved.sum()
    }
}

/// The motions of four bodies.
#[derive(Clone, Copy)]
struct Side {
    linear: Four3,
    angular: Four3,
}

#[inline(always)]
fn transposed(a: Four, b: Four, c: Four, d: Four) -> [Four; LANES] {
    let (a, b, c, d) = (a.0, b.0, c.0, d.0);
    [
        Four([a[0], b[0], c[0], d[0]]),
        Four([a[1], b[1], c[1], d[1]]),
        Four([a[2], b[2], c[2], d[2]]),
        Four([a[3], b[3], c[3], d[3]]),
    ]
}

#[inline(always)]
fn gather(motions: &[Motion], &[a, b, c, d]: &[u32; LANES]) -> Side {
    let (a, b) = (&motions[a as usize], &motions[b as usize]);
    let (c, d) = (&motions[c as usize], &motions[d as usize]);
    let [x, y, z, _] = transposed(a.linear, b.linear, c.linear, d.linear);
    let [p, q, r, _] = transposed(a.angular, b.angular, c.angular, d.angular);
    Side { linear: Four3 { x, y, z }, angular: Four3 { x: p, y: q, z: r } }
}

#[inline(always)]
fn scatter(motions: &mut [Motion], places: &[u32; LANES], Side { linear, angular }: &Side) {
    let linear = transposed(linear.x, linear.y, linear.z, Four::ZERO);
    let angular = transposed(angular.x, angular.y, angular.z, Four::ZERO);
    for lane in 0..LANES {
        motions[places[lane] as usize] = Motion { linear: linear[lane], angular: angular[lane] };
    }
}

/// What `rows::Point` does in `sweep`, for four points of four contacts.
#[inline(always)]
fn settle<const ROUND: bool>(pack: &Pack, points: &mut Points, sides: &mut [Side; 2]) -> Four {
    let [normal_axis, first_axis, second_axis] = pack.frame;
    let [a, b] = *sides;
    let relative =
        (b.linear - a.linear) + (b.angular.cross(points.arms[1]) - a.angular.cross(points.arms[0]));
    let old = points.impulse;
    let approach = relative.dot(normal_axis) + points.allowed;
    let normal = (old.x - approach * points.mass).positive();
    let push = normal - old.x;
    let slide_1 = relative.dot(first_axis) + points.coupling[0] * push;
    let slide_2 = relative.dot(second_axis) + points.coupling[1] * push;
    let [k11, k12, k22] = points.block;
    let mut first = old.y - (k11 * slide_1 + k12 * slide_2);
    let mut second = old.z - (k12 * slide_1 + k22 * slide_2);
    let most = pack.friction * normal;
    let (size, limit) = (first * first + second * second, most * most);
    if size.exceeds(limit) {
        let (slid_1, slid_2) = (old.y - points.step * slide_1, old.z - points.step * slide_2);
        let square = slid_1 * slid_1 + slid_2 * slid_2;
        for lane in 0..LANES {
            if size.0[lane] > limit.0[lane] {
                let length = square.0[lane].sqrt();
                let scale = if length > most.0[lane] { most.0[lane] / length } else { 1.0 };
                (first.0[lane], second.0[lane]) = (slid_1.0[lane] * scale, slid_2.0[lane] * scale);
            }
        }
    }
    let new = Four3 { x: normal, y: first, z: second };
    let change = new - old;
    points.impulse = new;
    let impulse = normal_axis.times(change.x) + first_axis.times(change.y) + second_axis.times(change.z);
    let [on_a, on_b] = sides;
    on_a.linear -= impulse.times(pack.mass[0]);
    on_a.angular -= turned::<ROUND>(&pack.inertia[0], points.arms[0].cross(impulse));
    on_b.linear += impulse.times(pack.mass[1]);
    on_b.angular += turned::<ROUND>(&pack.inertia[1], points.arms[1].cross(impulse));
    change.x * change.x * points.response + (change.y * change.y + change.z * change.z) * points.slip
}

/// I⁻¹ times angular momenta.
#[inline(always)]
fn turned<const ROUND: bool>(inertia: &[Four3; 3], momentum: Four3) -> Four3 {
    let [x, y, z] = inertia;
    if ROUND { momentum.times(x.x) } else { x.times(momentum.x) + y.times(momentum.y) + z.times(momentum.z) }
}
