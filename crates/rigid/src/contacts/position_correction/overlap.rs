//! Overlapping contacts, and the displacements that open them.
//!
//! Most of what lies on something overlaps a little, so this is done for nearly every contact of every step.
//! Numbers of the two bodies of a contact stand side by side ([`Both`]), and what is done to one is done to
//! the other by the same instruction. A contact has to wait for what the one before it in its island has
//! done, but islands need nothing of each other: the contacts of some are visited in turns, and while one
//! waits others go on.

use crate::collide::contact_table::{Contacts, Touch};
use crate::collide::island::Islands;
use crate::world::solver_body::Starts;
use crate::world::settings::Settings;
use gedanken_math::Twist;
use gedanken_math::Vec3;
use std::ops::Range;

/// Sweeps over the overlapping contacts, to and fro.
const SWEEPS: usize = 2;
/// Islands whose contacts are visited in turns.
const TOGETHER: usize = 4;

/// A number of A, and one of B.
type Both = [f64; 2];

#[inline(always)]
fn both(of: impl Fn(usize) -> f64) -> Both {
    [of(0), of(1)]
}

/// The inner products of two vectors of either body.
#[inline(always)]
fn dot(u: &[Both], v: &[Both]) -> Both {
    both(|i| u[0][i] * v[0][i] + u[1][i] * v[1][i] + u[2][i] * v[2][i])
}

/// A contact with points that overlap.
#[derive(Debug)]
struct Lift {
    bodies: [u32; 2],
    normal: Vec3,
    /// 1/m.
    masses: Both,
    /// The places of its points.
    points: Range<usize>,
}

/// One overlapping point.
#[derive(Debug)]
struct Overlap {
    /// r × n: how a turn opens the gap.
    turns: [Both; 3],
    /// I⁻¹ (r × n): what an impulse along the normal does to a body.
    spins: [Both; 3],
    gap: f64,
    /// The effective mass along the normal.
    mass: f64,
}

/// All overlaps of a step; memory.
#[derive(Debug, Default)]
pub(super) struct Overlaps {
    points: Vec<Overlap>,
    lifts: Vec<Lift>,
    /// The places of the contacts, island by island.
    islands: Vec<Range<usize>>,
}

impl Overlaps {
    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Lists, for every island with an overlap above the slop, all points that overlap by more than half of
    /// it.
    pub(super) fn find(
        &mut self,
        contacts: &Contacts,
        islands: &Islands,
        starts: &Starts,
        settings: &Settings,
    ) {
        self.points.clear();
        self.lifts.clear();
        self.islands.clear();
        for island in &islands.islands {
            let touches = islands.touches[island.touches.clone()].iter();
            let touches = touches.map(|&number| &contacts.touches[number as usize]);
            let is_deep = |touch: &Touch| touch.points().iter().any(|point| point.gap < -settings.slop);
            if !touches.clone().any(is_deep) {
                continue;
            }
            let first = self.lifts.len();
            touches.for_each(|touch| self.add(touch, starts, -0.5 * settings.slop));
            self.islands.push(first..self.lifts.len());
        }
    }

    /// Lists the points of a contact whose gap is below `limit`.
    fn add(&mut self, touch: &Touch, starts: &Starts, limit: f64) {
        if !touch.points().iter().any(|point| point.gap < limit) {
            return;
        }
        let Self { points, lifts, .. } = self;
        let (bodies, n, first) = ([touch.a, touch.b], touch.normal, points.len());
        let [a, b] = [&starts.movers[touch.a as usize].inverse, &starts.movers[touch.b as usize].inverse];
        let side_by_side = |u: Vec3, v: Vec3| [[u.x, v.x], [u.y, v.y], [u.z, v.z]];
        let [x, y, z] = [
            side_by_side(a.inertia.x_axis, b.inertia.x_axis),
            side_by_side(a.inertia.y_axis, b.inertia.y_axis),
            side_by_side(a.inertia.z_axis, b.inertia.z_axis),
        ];
        for point in touch.points().iter().filter(|point| point.gap < limit) {
            let r = side_by_side(point.arm_a, point.arm_b);
            let turns = [
                both(|i| r[1][i] * n.z - n.y * r[2][i]),
                both(|i| r[2][i] * n.x - n.z * r[0][i]),
                both(|i| r[0][i] * n.y - n.x * r[1][i]),
            ];
            let spin =
                |k: usize| both(|i| x[k][i] * turns[0][i] + y[k][i] * turns[1][i] + z[k][i] * turns[2][i]);
            let spins = [spin(0), spin(1), spin(2)];
            let turning = dot(&turns, &spins);
            let k = a.mass + b.mass + turning[0] + turning[1];
            points.push(Overlap { turns, spins, gap: point.gap, mass: 1.0 / k });
        }
        lifts.push(Lift { bodies, normal: n, masses: [a.mass, b.mass], points: first..points.len() });
    }

    /// Finds displacements that open the overlaps, by row; there must be one for every body, and they start
    /// from zero.
    pub(super) fn open(&self, shifts: &mut [Twist], settings: &Settings) {
        for sweep in 0..SWEEPS {
            let back = sweep % 2 == 1;
            for some in self.islands.chunks(TOGETHER) {
                let longest = some.iter().map(Range::len).max().unwrap_or(0);
                for k in 0..longest {
                    for island in some.iter().filter(|island| k < island.len()) {
                        let place = if back { island.end - 1 - k } else { island.start + k };
                        self.visit(&self.lifts[place], back, shifts, settings);
                    }
                }
            }
        }
    }

    /// Opens the points of a contact by a part, one after the other; the last one first on the way back.
    #[inline]
    fn visit(&self, lift: &Lift, back: bool, shifts: &mut [Twist], settings: &Settings) {
        let &Lift { bodies, normal: n, masses, .. } = lift;
        let [a, b] = bodies.map(|row| row as usize);
        let (u, v) = (shifts[a], shifts[b]);
        let normal = [[n.x; 2], [n.y; 2], [n.z; 2]];
        let mut linear = [[u.linear.x, v.linear.x], [u.linear.y, v.linear.y], [u.linear.z, v.linear.z]];
        let mut angular =
            [[u.angular.x, v.angular.x], [u.angular.y, v.angular.y], [u.angular.z, v.angular.z]];
        let points = &self.points[lift.points.clone()];
        for k in 0..points.len() {
            let point = &points[if back { points.len() - 1 - k } else { k }];
            let (along, turning) = (dot(&linear, &normal), dot(&angular, &point.turns));
            let opening = both(|i| along[i] + turning[i]);
            let gap = point.gap + (opening[1] - opening[0]);
            // Who is open enough is pushed by nothing, as others are: who will be is hard to guess, and
            // guessing wrong takes longer.
            let deep = settings.correction * (-0.5 * settings.slop - gap) * point.mass;
            let push = if gap < -settings.slop { deep } else { 0.0 };
            // On B along the normal, on A against it.
            let push = [-push, push];
            let way = both(|i| push[i] * masses[i]);
            for k in 0..3 {
                linear[k] = both(|i| linear[k][i] + normal[k][i] * way[i]);
                angular[k] = both(|i| angular[k][i] + point.spins[k][i] * push[i]);
            }
        }
        let shift = |i: usize| {
            let part = |of: &[Both; 3]| Vec3::new(of[0][i], of[1][i], of[2][i]);
            Twist::new(part(&linear), part(&angular))
        };
        (shifts[a], shifts[b]) = (shift(0), shift(1));
    }
}
