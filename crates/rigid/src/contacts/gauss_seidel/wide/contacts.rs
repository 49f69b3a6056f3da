//! Sweeps over large islands, four contacts at a time.
//!
//! A visit of a contact point is a long chain of small sums, each waiting for the one before; four visits
//! side by side take hardly longer than one. So the list of contacts is cut into parts of equal length, and
//! the sweep walks through all of them at once: four side by side, and four impulse_twists by turns with them, which
//! do not wait for the first. Contacts that would share a movable body wait for each other, so no visit
//! misses what another one does: it is a sweep of Gauss and Seidel like any other, in an order that depends
//! on the contacts alone.

mod finish_substep;
mod set_up;
#[cfg(test)]
mod tests;

use super::simd::{F64x4, LANES, Vec3x4};
use crate::contacts::contact_rows::{Rows, SweepBody};
use gedanken_math::Twist;

/// F64x4 contacts.
#[derive(Debug, Clone, Copy, Default)]
struct Manifoldx4 {
    /// By lane, the places of A and B; those of no body in a lane that is empty.
    places: [[u32; LANES]; 2],
    /// By lane, the number of points; none in a lane that is empty.
    counts: [u32; LANES],
    /// Whether all its bodies are round.
    round: bool,
    /// How many points the largest has, and the first of them.
    count: u32,
    first: u32,
    /// The normals and both tangents.
    frame: [Vec3x4; 3],
    friction: F64x4,
    /// 1/m of A and B.
    inv_mass: [F64x4; 2],
    /// I⁻¹ of A and B, the columns of symmetric matrices.
    inv_inertia: [[Vec3x4; 3]; 2],
}

/// A point of each of four contacts; what is missing has no mass, and moves nothing. See `rows::Point`.
#[derive(Debug, Clone, Copy, Default)]
struct Pointx4 {
    arms: [Vec3x4; 2],
    normal_mass: F64x4,
    /// K_nn.
    response: F64x4,
    coupling: [F64x4; 2],
    block: [F64x4; 3],
    slip: F64x4,
    impulse: Vec3x4,
    allowed: F64x4,
    /// One over the slip: asked for only where points slide.
    step: F64x4,
}

/// What only the end of a sub-step asks a point for.
#[derive(Debug, Clone, Copy, Default)]
struct PointStatex4 {
    /// The relative velocity when the sub-step began.
    before: Vec3x4,
    gap: F64x4,
}

/// The motion of a body: velocity, angular velocity.
#[derive(Debug, Clone, Copy, Default)]
struct PaddedTwist {
    linear: F64x4,
    angular: F64x4,
}

impl PaddedTwist {
    fn new(Twist { linear, angular }: Twist) -> Self {
        let ([a, b, c], [d, e, f]) = (linear.to_array(), angular.to_array());
        Self { linear: F64x4([a, b, c, 0.0]), angular: F64x4([d, e, f, 0.0]) }
    }

    fn twist(&self) -> Twist {
        let ([a, b, c, _], [d, e, f, _]) = (self.linear.0, self.angular.0);
        Twist::new([a, b, c].into(), [d, e, f].into())
    }
}

/// An island packed for sweeps; memory.
#[derive(Debug, Default)]
pub(super) struct WideContacts {
    packs: Vec<Manifoldx4>,
    /// By pack and lane: the number of the contact.
    contacts: Vec<[u32; LANES]>,
    points: Vec<Pointx4>,
    /// By point; only of islands that were not packed from rows.
    ends: Vec<PointStatex4>,
    /// By body, and one at rest for lanes that are empty.
    twists: Vec<PaddedTwist>,
    /// The same for what contacts give to bodies, or for how bodies are displaced.
    impulse_twists: Vec<PaddedTwist>,
}

/// Contacts that are visited together: two packs.
const STREAMS: usize = 2 * LANES;

/// No contact.
const NONE: u32 = u32::MAX;

impl WideContacts {
    /// WideContacts an island.
    pub(super) fn plan(&mut self, rows: &Rows) {
        self.line_up(rows.manifolds.len(), |number| {
            let manifold = &rows.manifolds[number];
            [manifold.a, manifold.b].map(|place| movable(&rows.bodies, place))
        });
        self.packs.clear();
        self.points.clear();
        self.ends.clear();
        for k in 0..self.contacts.len() {
            self.add(rows, self.contacts[k]);
        }
    }

    /// Decides which contacts are put side by side; `movable` tells the places of their bodies, [`NONE`] for
    /// what impulses do not move.
    fn line_up(&mut self, total: usize, movable: impl Fn(usize) -> [u32; 2]) {
        self.contacts.clear();
        let mut next: [usize; STREAMS] = std::array::from_fn(|part| part * total / STREAMS);
        let ends: [usize; STREAMS] = std::array::from_fn(|part| (part + 1) * total / STREAMS);
        while next != ends {
            let mut chosen = [[NONE; LANES]; 2];
            let mut taken = [[NONE; 2]; STREAMS];
            for part in 0..STREAMS {
                if next[part] == ends[part] {
                    continue;
                }
                let own = movable(next[part]);
                let meets =
                    |place: u32| place != NONE && taken[..part].iter().any(|pair| pair.contains(&place));
                if !own.into_iter().any(meets) {
                    (chosen[part / LANES][part % LANES], taken[part]) = (next[part] as u32, own);
                    next[part] += 1;
                }
            }
            self.contacts.extend(chosen);
        }
    }

    fn add(&mut self, rows: &Rows, chosen: [u32; LANES]) {
        let nobody = rows.bodies.len() as u32;
        let mut pack = Manifoldx4 {
            places: [[nobody; LANES]; 2],
            first: self.points.len() as u32,
            round: true,
            ..Manifoldx4::default()
        };
        for (lane, &number) in chosen.iter().enumerate().filter(|(_, number)| **number != NONE) {
            pack.counts[lane] = rows.manifolds[number as usize].count;
        }
        pack.count = pack.counts.into_iter().fold(0, u32::max);
        self.points.resize(self.points.len() + pack.count as usize, Pointx4::default());
        for (lane, &number) in chosen.iter().enumerate().filter(|(_, number)| **number != NONE) {
            let manifold = &rows.manifolds[number as usize];
            let axes = [manifold.frame.x_axis, manifold.frame.y_axis, manifold.frame.z_axis];
            pack.frame.iter_mut().zip(axes).for_each(|(four, axis)| four.set(lane, axis.to_array()));
            pack.friction.0[lane] = manifold.friction;
            for (side, place) in [manifold.a, manifold.b].into_iter().enumerate() {
                let body = &rows.bodies[place as usize];
                pack.places[side][lane] = place;
                pack.inv_mass[side].0[lane] = body.inv_mass;
                pack.round &= body.round;
                let columns = [body.inv_inertia.x_axis, body.inv_inertia.y_axis, body.inv_inertia.z_axis];
                let fours = pack.inv_inertia[side].iter_mut();
                fours.zip(columns).for_each(|(four, column)| four.set(lane, column.to_array()));
            }
            for k in 0..manifold.count {
                let point = &rows.points[(manifold.first + k) as usize];
                let points = &mut self.points[(pack.first + k) as usize];
                points.arms[0].set(lane, point.arm_a.to_array());
                points.arms[1].set(lane, point.arm_b.to_array());
                points.normal_mass.0[lane] = point.normal_mass;
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

    /// Takes over the twists and impulses.
    pub(super) fn load(&mut self, rows: &Rows) {
        self.load_twists(&rows.bodies);
        for (pack, chosen) in self.packs.iter().zip(&self.contacts) {
            for (lane, &number) in chosen.iter().enumerate() {
                for k in 0..pack.counts[lane] {
                    let manifold = &rows.manifolds[number as usize];
                    let point = &rows.points[(manifold.first + k) as usize];
                    let points = &mut self.points[(pack.first + k) as usize];
                    points.impulse.set(lane, point.impulse.to_array());
                    points.allowed.0[lane] = point.allowed;
                }
            }
        }
    }

    /// Gives back what sweeps have made of them.
    pub(super) fn store(&self, rows: &mut Rows) {
        self.store_twists(&mut rows.bodies);
        for (pack, chosen) in self.packs.iter().zip(&self.contacts) {
            for (lane, &number) in chosen.iter().enumerate() {
                for k in 0..pack.counts[lane] {
                    let manifold = &rows.manifolds[number as usize];
                    let impulse = self.points[(pack.first + k) as usize].impulse.lane(lane);
                    rows.points[(manifold.first + k) as usize].impulse = impulse;
                }
            }
        }
    }

    /// Takes over the twists alone.
    pub(super) fn load_twists(&mut self, bodies: &[SweepBody]) {
        self.twists.clear();
        self.twists.extend(bodies.iter().map(|body| PaddedTwist::new(body.twist())));
        self.twists.push(PaddedTwist::default());
    }

    /// Gives back the twists alone.
    pub(super) fn store_twists(&self, bodies: &mut [SweepBody]) {
        for (body, motion) in bodies.iter_mut().zip(&self.twists) {
            body.set_twist(motion.twist());
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
                moved += settle_pair::<true>(pair, own, twists, forwards);
            } else {
                moved += settle_pair::<false>(pair, own, twists, forwards);
            }
        }
        moved.sum()
    }
}

/// The place of a body; [`NONE`] if impulses do not move it.
fn movable(bodies: &[SweepBody], place: u32) -> u32 {
    if bodies[place as usize].inv_mass > 0.0 { place } else { NONE }
}

/// The twists of four bodies.
#[derive(Clone, Copy)]
struct Twistx4 {
    linear: Vec3x4,
    angular: Vec3x4,
}

#[inline(always)]
fn transposed(a: F64x4, b: F64x4, c: F64x4, d: F64x4) -> [F64x4; LANES] {
    let (a, b, c, d) = (a.0, b.0, c.0, d.0);
    [
        F64x4([a[0], b[0], c[0], d[0]]),
        F64x4([a[1], b[1], c[1], d[1]]),
        F64x4([a[2], b[2], c[2], d[2]]),
        F64x4([a[3], b[3], c[3], d[3]]),
    ]
}

#[inline(always)]
fn gather(twists: &[PaddedTwist], &[a, b, c, d]: &[u32; LANES]) -> Twistx4 {
    let (a, b) = (&twists[a as usize], &twists[b as usize]);
    let (c, d) = (&twists[c as usize], &twists[d as usize]);
    let [x, y, z, _] = transposed(a.linear, b.linear, c.linear, d.linear);
    let [p, q, r, _] = transposed(a.angular, b.angular, c.angular, d.angular);
    Twistx4 { linear: Vec3x4 { x, y, z }, angular: Vec3x4 { x: p, y: q, z: r } }
}

#[inline(always)]
fn scatter(twists: &mut [PaddedTwist], places: &[u32; LANES], Twistx4 { linear, angular }: &Twistx4) {
    let linear = transposed(linear.x, linear.y, linear.z, F64x4::ZERO);
    let angular = transposed(angular.x, angular.y, angular.z, F64x4::ZERO);
    for lane in 0..LANES {
        twists[places[lane] as usize] = PaddedTwist { linear: linear[lane], angular: angular[lane] };
    }
}

/// The points of two packs by turns: neither waits for the other.
#[inline(always)]
fn settle_pair<const ROUND: bool>(
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
            moved += settle::<ROUND>(pair[which], &mut points[starts[which] + k], &mut sides[which]);
        }
    }
    for which in 0..2 {
        scatter(twists, &pair[which].places[0], &sides[which][0]);
        scatter(twists, &pair[which].places[1], &sides[which][1]);
    }
    moved
}

/// What `rows::Point` does in `sweep`, for four points of four contacts.
#[inline(always)]
fn settle<const ROUND: bool>(pack: &Manifoldx4, points: &mut Pointx4, sides: &mut [Twistx4; 2]) -> F64x4 {
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

/// I⁻¹ times angular momenta.
#[inline(always)]
fn turned<const ROUND: bool>(inertia: &[Vec3x4; 3], momentum: Vec3x4) -> Vec3x4 {
    let [x, y, z] = inertia;
    if ROUND { momentum.times(x.x) } else { x.times(momentum.x) + y.times(momentum.y) + z.times(momentum.z) }
}
