//! Set-up of contacts in lanes of four, straight from the contact table: what `contact_rows` does for one
//! point, in the same order of operations, so to the same bits.
//!
//! The pushes of the impulses that the step starts from, and the speed with which surfaces meet, are sums
//! over the same points and are formed on the way.

use super::contacts::{
    Manifoldx4, NONE, PaddedTwist, PointStatex4, Pointx4, Twistx4, WideContacts, gather, movable, turned,
};
use crate::collide::contact_table::{EMPTY, Touch, TouchPoint};
use crate::contacts::contact_rows::{SweepBody, tangent_frame};
use crate::contacts::gauss_seidel::simd::{F64x4, LANES, Mask4, Vec3x4};
use crate::contacts::gauss_seidel::substep_motion::SubstepMotion;
use gedanken_math::{Mat3, Vec3};

/// Body of lanes that are empty.
const NOBODY: SweepBody = SweepBody {
    linear: Vec3::ZERO,
    angular: Vec3::ZERO,
    inv_mass: 0.0,
    inv_inertia: Mat3::ZERO,
    round: true,
};

/// Contacts of an island at the start of a step.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WideInput<'a> {
    pub(crate) bodies: &'a [SweepBody],
    pub(crate) touches: &'a [Touch],
    /// Places of A and B among the bodies, by contact.
    pub(crate) ends: &'a [[u32; 2]],
    /// Number of sub-steps: each starts from one part in so many of an impulse of the last step.
    pub(crate) substeps: f64,
    /// Length of a sub-step.
    pub(crate) h: f64,
}

impl WideContacts {
    /// Packs an island. The impulses to start from are those of the last step, one part in `substeps` of
    /// each; bodies do not feel them yet. Returns Σ m u² of the speeds with which surfaces meet or slide.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls a function compiled for instructions not every processor has")
    )]
    pub(crate) fn set_up(&mut self, input: &WideInput<'_>) -> f64 {
        let WideInput { bodies, touches, ends, .. } = *input;
        self.line_up(touches.len(), |number| ends[number].map(|place| movable(bodies, place)));
        self.load_twists(bodies);
        self.other_twists.clear();
        self.other_twists.resize(bodies.len() + 1, PaddedTwist::default());
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just said that it has these instructions.
            return unsafe { self.fill_avx2(input) };
        }
        self.fill(input)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn fill_avx2(&mut self, input: &WideInput<'_>) -> f64 {
        self.fill(input)
    }

    #[inline(always)]
    fn fill(&mut self, input: &WideInput<'_>) -> f64 {
        let Self { packs, contacts, points, states, twists, other_twists } = self;
        let (mut meeting, mut first) = (F64x4::ZERO, 0);
        // All of it is large, and filled in where it stays.
        packs.resize(contacts.len(), Manifoldx4::default());
        for (pack, chosen) in packs.iter_mut().zip(contacts.iter()) {
            let four = FourContacts::of(input, chosen);
            four.fill(pack, first);
            let own = first as usize..(first + pack.count) as usize;
            first += pack.count;
            if points.len() < own.end {
                points.resize(own.end, Pointx4::default());
                states.resize(own.end, PointStatex4::default());
            }
            let sides = [gather(twists, &pack.places[0]), gather(twists, &pack.places[1])];
            let mut pushes = [STILL; 2];
            for ((points, state), k) in points[own.clone()].iter_mut().zip(&mut states[own]).zip(0..) {
                four.fill_point(pack, &sides, k, input, points, state);
                meeting += state.before.dot(state.before) * points.normal_mass;
                let [normal, first, second] = pack.frame;
                let impulse = normal.times(points.impulse.x)
                    + first.times(points.impulse.y)
                    + second.times(points.impulse.z);
                for (side, push) in pushes.iter_mut().enumerate() {
                    push.linear += impulse.times(pack.inv_mass[side]);
                    push.angular +=
                        turned::<false>(&pack.inv_inertia[side], points.arms[side].cross(impulse));
                }
            }
            for lane in 0..LANES {
                let [a, b] = [pack.places[0][lane], pack.places[1][lane]].map(|place| place as usize);
                other_twists[a].add(&pushes[0], lane, -1.0);
                other_twists[b].add(&pushes[1], lane, 1.0);
            }
        }
        points.truncate(first as usize);
        states.truncate(first as usize);
        meeting.sum()
    }

    /// Sets the pushes to those of the impulses to start from, right after [`WideContacts::set_up`].
    pub(crate) fn predict_pushes(&self, motions: &mut [SubstepMotion]) {
        for (motion, push) in motions.iter_mut().zip(&self.other_twists) {
            motion.push = push.twist();
        }
    }
}

/// No motion in any lane.
const STILL: Twistx4 = Twistx4 {
    linear: Vec3x4 { x: F64x4::ZERO, y: F64x4::ZERO, z: F64x4::ZERO },
    angular: Vec3x4 { x: F64x4::ZERO, y: F64x4::ZERO, z: F64x4::ZERO },
};

impl PaddedTwist {
    /// Adds `sign` times the twist of one lane.
    #[inline(always)]
    fn add(&mut self, side: &Twistx4, lane: usize, sign: f64) {
        let (v, w) = (&side.linear, &side.angular);
        self.linear += F64x4([v.x.0[lane] * sign, v.y.0[lane] * sign, v.z.0[lane] * sign, 0.0]);
        self.angular += F64x4([w.x.0[lane] * sign, w.y.0[lane] * sign, w.z.0[lane] * sign, 0.0]);
    }
}

/// Four contacts and their bodies.
struct FourContacts<'a> {
    touches: [&'a Touch; LANES],
    bodies: [[&'a SweepBody; LANES]; 2],
    places: [[u32; LANES]; 2],
}

impl<'a> FourContacts<'a> {
    #[inline(always)]
    fn of(input: &WideInput<'a>, chosen: &[u32; LANES]) -> Self {
        let nobody = input.bodies.len() as u32;
        let mut four = Self {
            touches: [&Touch::BLANK; LANES],
            bodies: [[&NOBODY; LANES]; 2],
            places: [[nobody; LANES]; 2],
        };
        for (lane, &number) in chosen.iter().enumerate() {
            if number == NONE {
                continue;
            }
            let number = number as usize;
            four.touches[lane] = &input.touches[number];
            for side in 0..2 {
                four.places[side][lane] = input.ends[number][side];
                four.bodies[side][lane] = &input.bodies[input.ends[number][side] as usize];
            }
        }
        four
    }

    /// Fills in the part that all points share; the place of the first is `first`.
    #[inline(always)]
    fn fill(&self, pack: &mut Manifoldx4, first: u32) {
        let [a, b, c, d] = self.touches;
        let counts = [u32::from(a.count), u32::from(b.count), u32::from(c.count), u32::from(d.count)];
        (pack.places, pack.counts, pack.first) = (self.places, counts, first);
        pack.count = counts[0].max(counts[1]).max(counts[2]).max(counts[3]);
        pack.friction = F64x4([a.friction, b.friction, c.friction, d.friction]);
        pack.frame = columns([
            &tangent_frame(a.normal),
            &tangent_frame(b.normal),
            &tangent_frame(c.normal),
            &tangent_frame(d.normal),
        ]);
        pack.round = true;
        for side in 0..2 {
            let [p, q, r, s] = self.bodies[side];
            pack.round &= p.round & q.round & r.round & s.round;
            pack.inv_mass[side] = F64x4([p.inv_mass, q.inv_mass, r.inv_mass, s.inv_mass]);
            pack.inv_inertia[side] =
                columns([&p.inv_inertia, &q.inv_inertia, &r.inv_inertia, &s.inv_inertia]);
        }
    }

    /// Fills in the k-th points. A point that is missing has no mass, and moves nothing.
    #[inline(always)]
    fn fill_point(
        &self,
        pack: &Manifoldx4,
        sides: &[Twistx4; 2],
        k: u32,
        input: &WideInput<'_>,
        points: &mut Pointx4,
        state: &mut PointStatex4,
    ) {
        let n = pack.counts;
        let present = Mask4([k < n[0], k < n[1], k < n[2], k < n[3]]);
        let [a, b, c, d] = [
            kth(self.touches[0], k),
            kth(self.touches[1], k),
            kth(self.touches[2], k),
            kth(self.touches[3], k),
        ];
        let [normal, first, second] = pack.frame;
        let gap = F64x4([a.gap, b.gap, c.gap, d.gap]);
        let half = normal.times(gap * F64x4::splat(0.5));
        let arms = [
            Vec3x4::of([a.arm_a, b.arm_a, c.arm_a, d.arm_a]) + half,
            Vec3x4::of([a.arm_b, b.arm_b, c.arm_b, d.arm_b]) - half,
        ];
        let pressing = F64x4([a.normal_impulse, b.normal_impulse, c.normal_impulse, d.normal_impulse]);
        let friction =
            Vec3x4::of([a.friction_impulse, b.friction_impulse, c.friction_impulse, d.friction_impulse]);
        let impulse = Vec3x4 { x: pressing, y: friction.dot(first), z: friction.dot(second) };
        let relative = (sides[1].linear + sides[1].angular.cross(arms[1]))
            - (sides[0].linear + sides[0].angular.cross(arms[0]));
        let before = Vec3x4 { x: relative.dot(normal), y: relative.dot(first), z: relative.dot(second) };
        let [nn, n1, n2, k11, k12, k22] =
            if pack.round { round_response(pack, &arms) } else { self.mixed_response(pack, &arms, present) };
        let one = F64x4::splat(1.0);
        let inverse = one / (k11 * k22 - k12 * k12);
        let (mean, side) = (F64x4::splat(0.5) * (k11 + k22), F64x4::splat(0.5) * (k11 - k22));
        let slip = mean + (side * side + k12 * k12).sqrt();
        points.arms = arms;
        points.normal_mass = present.only(one / nn);
        points.response = present.only(nn);
        points.coupling = [present.only(n1), present.only(n2)];
        points.block =
            [present.only(k22 * inverse), present.only(-k12 * inverse), present.only(k11 * inverse)];
        points.slip = present.only(slip);
        points.impulse = impulse.times(F64x4::splat(1.0 / input.substeps));
        points.allowed = gap.positive() / F64x4::splat(input.h);
        points.step = present.only(one / slip);
        (state.before, state.gap) = (before, gap);
    }

    /// Returns K in the frames, contact by contact in the form that rows take it: round where both bodies
    /// are.
    #[inline(always)]
    fn mixed_response(&self, pack: &Manifoldx4, arms: &[Vec3x4; 2], present: Mask4) -> [F64x4; 6] {
        let ([a, b], there) = (self.bodies, present.0);
        let round = [
            there[0] && a[0].round && b[0].round,
            there[1] && a[1].round && b[1].round,
            there[2] && a[2].round && b[2].round,
            there[3] && a[3].round && b[3].round,
        ];
        let mut k = response(pack, arms);
        if round[0] || round[1] || round[2] || round[3] {
            let k_round = round_response(pack, arms);
            for i in 0..k.len() {
                k[i] = Mask4(round).choose(k_round[i], k[i]);
            }
        }
        k
    }
}

/// Returns the columns of four matrices.
#[inline(always)]
fn columns([a, b, c, d]: [&Mat3; LANES]) -> [Vec3x4; 3] {
    [
        Vec3x4::of([a.x_axis, b.x_axis, c.x_axis, d.x_axis]),
        Vec3x4::of([a.y_axis, b.y_axis, c.y_axis, d.y_axis]),
        Vec3x4::of([a.z_axis, b.z_axis, c.z_axis, d.z_axis]),
    ]
}

/// Returns the k-th point of a contact, or an empty one.
#[inline(always)]
fn kth(touch: &Touch, k: u32) -> &TouchPoint {
    if k < u32::from(touch.count) { &touch.points[k as usize] } else { &EMPTY }
}

/// Returns K in the frames: nn, n1, n2, 11, 12, 22.
#[inline(always)]
fn response(pack: &Manifoldx4, arms: &[Vec3x4; 2]) -> [F64x4; 6] {
    let [n, t, u] = pack.frame;
    let [turn_a, turn_b] = [
        [arms[0].cross(n), arms[0].cross(t), arms[0].cross(u)],
        [arms[1].cross(n), arms[1].cross(t), arms[1].cross(u)],
    ];
    let [spin_a, spin_b] = [spins(&pack.inv_inertia[0], &turn_a), spins(&pack.inv_inertia[1], &turn_b)];
    let mass = pack.inv_mass[0] + pack.inv_mass[1];
    [
        (turn_a[0].dot(spin_a[0]) + turn_b[0].dot(spin_b[0])) + mass,
        turn_a[0].dot(spin_a[1]) + turn_b[0].dot(spin_b[1]),
        turn_a[0].dot(spin_a[2]) + turn_b[0].dot(spin_b[2]),
        (turn_a[1].dot(spin_a[1]) + turn_b[1].dot(spin_b[1])) + mass,
        turn_a[1].dot(spin_a[2]) + turn_b[1].dot(spin_b[2]),
        (turn_a[2].dot(spin_a[2]) + turn_b[2].dot(spin_b[2])) + mass,
    ]
}

#[inline(always)]
fn spins(inv_inertia: &[Vec3x4; 3], turn: &[Vec3x4; 3]) -> [Vec3x4; 3] {
    [
        turned::<false>(inv_inertia, turn[0]),
        turned::<false>(inv_inertia, turn[1]),
        turned::<false>(inv_inertia, turn[2]),
    ]
}

/// The same where I⁻¹ is a number j: \[r\] j \[r\]ᵀ = j (r² 1 - r rᵀ).
#[inline(always)]
fn round_response(pack: &Manifoldx4, arms: &[Vec3x4; 2]) -> [F64x4; 6] {
    let [n, t, u] = pack.frame;
    let (i, j) = (pack.inv_inertia[0][0].x, pack.inv_inertia[1][0].x);
    let (x, y, z) = (arms[0].dot(n), arms[0].dot(t), arms[0].dot(u));
    let (p, q, r) = (arms[1].dot(n), arms[1].dot(t), arms[1].dot(u));
    let mass = pack.inv_mass[0] + pack.inv_mass[1];
    [
        mass + i * (y * y + z * z) + j * (q * q + r * r),
        -(i * (x * y) + j * (p * q)),
        -(i * (x * z) + j * (p * r)),
        mass + i * (x * x + z * z) + j * (p * p + r * r),
        -(i * (y * z) + j * (q * r)),
        mass + i * (x * x + y * y) + j * (p * p + q * q),
    ]
}
