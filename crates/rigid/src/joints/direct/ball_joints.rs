//! Ball joints alone: the same drifts and kicks with 3 × 3 blocks throughout.
//!
//! Where all constraints of a group are ball joints that do not depend on each other (chains, trees, nets,
//! most ragdolls), J is known by its arms: C = p_A − p_B, Ċ = v_A + ω_A × r_A − v_B − ω_B × r_B, and the
//! block of two joints at a body is ±(1/m + [r]× W [r′]×ᵀ). That is a fraction of the work of rows in
//! general. Whatever is not so simple is left to them.

use super::elimination::Elimination;
use super::flight_derivative::FlightResponse;
use super::{BodyAtFactoring, place};
use crate::step::free_rotation::SymmetricTop;
use crate::world::solver_body::SolverBody;
use gedanken_math::rotation::to_world;
use gedanken_math::{Mat3, Twist, Vec3};

/// Pivots below this part of the diagonal are left to the general way.
const SAFE_PIVOT_RATIO: f64 = 1e-6;

/// L D U of the block matrix.
#[derive(Debug, Clone, Default)]
struct Factors {
    diagonal: Vec<Mat3>,
    inverse: Vec<Mat3>,
    /// Blocks below the diagonal, those above it (for the unsymmetric one), and L.
    lower: Vec<Mat3>,
    upper: Vec<Mat3>,
    low: Vec<Mat3>,
}

/// The ball joints of a group.
#[derive(Debug, Clone, Default)]
pub(super) struct BallJoints {
    /// By joint: the anchors in the principal frames of both bodies.
    pub(super) anchors: Vec<[Vec3; 2]>,
    /// The bodies at which the arms and factors below were made.
    at: Vec<BodyAtFactoring>,
    is_factored: bool,
    /// By joint: the arms in the world.
    pub(super) arms: Vec<[Vec3; 2]>,
    motion: Factors,
    flight: Factors,
    /// By joint: the arms at the end of a flight, and p_A − p_B there.
    pub(super) there: Vec<[Vec3; 2]>,
    pub(super) gaps: Vec<Vec3>,
    /// By joint and end: [r]× times the yield of the body.
    levers: Vec<[Mat3; 2]>,
    /// By joint: impulses, and what is solved for.
    pub(super) impulses: Vec<Vec3>,
    pub(super) vector: Vec<Vec3>,
    /// By body: the sum of the impulses, or M⁻¹ times it.
    pub(super) change: Vec<Twist>,
    /// By body: what a flight starts from.
    pub(super) top_flights: Vec<TopFlight>,
}

/// A body with an axis on a flight; bodies without one fly by their angular velocity.
#[derive(Debug, Clone, Copy)]
pub(super) struct TopFlight {
    pub(super) top: Option<SymmetricTop>,
    /// The direction of the axis at the start and at the end.
    pub(super) axes: [Vec3; 2],
    /// The angular momentum at the start, before the impulses of the joints.
    pub(super) momentum: Vec3,
}

impl TopFlight {
    pub(super) fn new(mover: &SolverBody) -> Self {
        let top = if mover.inverse.is_movable() { SymmetricTop::of(mover.moments) } else { None };
        let axis = top.map_or(Vec3::ZERO, |top| top.direction(mover.pose.rotation));
        let momentum = top.map_or(Vec3::ZERO, |top| top.momentum(mover.twist.angular, axis));
        Self { top, axes: [axis; 2], momentum }
    }
}

/// [r]× W.
#[inline]
fn lever(r: Vec3, w: Mat3) -> Mat3 {
    Mat3::from_cols(r.cross(w.x_axis), r.cross(w.y_axis), r.cross(w.z_axis))
}

/// B [r]×ᵀ.
#[inline]
fn levered(b: Mat3, r: Vec3) -> Mat3 {
    Mat3::from_cols(
        b.z_axis * r.y - b.y_axis * r.z,
        b.x_axis * r.z - b.z_axis * r.x,
        b.y_axis * r.x - b.x_axis * r.y,
    )
}

/// The inverse of a symmetric matrix; none if a pivot is small beside the diagonal as it was. The pivots are
/// quotients of the leading minors, so that one division does for all.
#[inline]
fn inverted(d: &Mat3, scale: Vec3) -> Option<Mat3> {
    let (xx, xy, xz) = (d.x_axis.x, d.x_axis.y, d.x_axis.z);
    let (yy, yz, zz) = (d.y_axis.y, d.y_axis.z, d.z_axis.z);
    let (c00, c01, c02) = (yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy);
    let minor = xx * yy - xy * xy;
    let det = xx * c00 + xy * c01 + xz * c02;
    if !(xx > SAFE_PIVOT_RATIO * scale.x
        && minor > SAFE_PIVOT_RATIO * scale.y * xx
        && det > SAFE_PIVOT_RATIO * scale.z * minor)
    {
        return None;
    }
    let over = 1.0 / det;
    let (i01, i02, i12) = (c01 * over, c02 * over, (xy * xz - xx * yz) * over);
    Some(Mat3::from_cols(
        Vec3::new(c00 * over, i01, i02),
        Vec3::new(i01, (xx * zz - xz * xz) * over, i12),
        Vec3::new(i02, i12, minor * over),
    ))
}

impl Factors {
    /// In the order of the plan; false if there is more to it than independent ball joints.
    fn eliminate(&mut self, plan: &Elimination) -> bool {
        let count = plan.entries.len();
        self.low.resize(count, Mat3::ZERO);
        self.inverse.resize(self.diagonal.len(), Mat3::ZERO);
        self.upper.resize(count, Mat3::ZERO);
        for place in 0..plan.order.len() {
            let node = plan.order[place] as usize;
            let scale = self.inverse[node].x_axis;
            let Some(inverse) = inverted(&self.diagonal[node], scale) else { return false };
            self.inverse[node] = inverse;
            let [begin, updates] = plan.columns[place].map(|x| x as usize);
            let [end, updates_end] = plan.columns[place + 1].map(|x| x as usize);
            for entry in begin..end {
                self.low[entry] = self.lower[entry] * inverse;
            }
            for update in &plan.updates[updates..updates_end] {
                let (one, two) = (update.one as usize, update.two as usize);
                let product = self.low[one] * self.lower[two].transpose();
                if one == two {
                    self.diagonal[plan.entries[one].node as usize] -= product;
                } else {
                    self.lower[update.target as usize / 9] -= product;
                }
            }
        }
        true
    }

    /// The same without symmetry.
    fn eliminate_any(&mut self, plan: &Elimination) {
        self.low.resize(plan.entries.len(), Mat3::ZERO);
        self.inverse.resize(self.diagonal.len(), Mat3::ZERO);
        for place in 0..plan.order.len() {
            let node = plan.order[place] as usize;
            let inverse = self.diagonal[node].inverse();
            self.inverse[node] = inverse;
            let [begin, updates] = plan.columns[place].map(|x| x as usize);
            let [end, updates_end] = plan.columns[place + 1].map(|x| x as usize);
            for entry in begin..end {
                self.low[entry] = self.lower[entry] * inverse;
            }
            for update in &plan.updates[updates..updates_end] {
                let (one, two) = (update.one as usize, update.two as usize);
                let product = self.low[one] * self.upper[two];
                if one == two {
                    self.diagonal[plan.entries[one].node as usize] -= product;
                } else {
                    let target = update.target as usize / 9;
                    self.lower[target] -= product;
                    let product = self.low[two] * self.upper[one];
                    self.upper[target] -= product;
                }
            }
        }
    }

    fn forward(&self, plan: &Elimination, x: &mut [Vec3]) {
        for place in 0..plan.order.len() {
            let mine = x[plan.order[place] as usize];
            for entry in plan.columns[place][0] as usize..plan.columns[place + 1][0] as usize {
                x[plan.entries[entry].node as usize] -= self.low[entry] * mine;
            }
        }
    }

    fn solve(&self, plan: &Elimination, x: &mut [Vec3]) {
        self.forward(plan, x);
        for place in (0..plan.order.len()).rev() {
            let node = plan.order[place] as usize;
            let mut mine = self.inverse[node] * x[node];
            for entry in plan.columns[place][0] as usize..plan.columns[place + 1][0] as usize {
                let (low, later) = (&self.low[entry], x[plan.entries[entry].node as usize]);
                mine -= Vec3::new(low.x_axis.dot(later), low.y_axis.dot(later), low.z_axis.dot(later));
            }
            x[node] = mine;
        }
    }

    fn solve_any(&self, plan: &Elimination, x: &mut [Vec3]) {
        self.forward(plan, x);
        for place in (0..plan.order.len()).rev() {
            let node = plan.order[place] as usize;
            let mut mine = x[node];
            for entry in plan.columns[place][0] as usize..plan.columns[place + 1][0] as usize {
                mine -= self.upper[entry] * x[plan.entries[entry].node as usize];
            }
            x[node] = self.inverse[node] * mine;
        }
    }
}

/// The numbers of two ends, the second with the sign of its impulse.
const SIGNS: [f64; 2] = [1.0, -1.0];

impl BallJoints {
    /// No joints, and nothing known of them.
    pub(super) fn forget(&mut self) {
        self.anchors.clear();
        self.at.clear();
        self.is_factored = false;
    }

    /// Arms and gaps at the bodies' poses.
    pub(super) fn meet(&mut self, movers: &[SolverBody], ends: &[[u32; 2]]) {
        self.there.clear();
        self.gaps.clear();
        let world = SolverBody::default();
        for (anchors, ends) in self.anchors.iter().zip(ends) {
            let [a, b] = ends.map(|end| &movers.get(end as usize).unwrap_or(&world).pose);
            let (arm_a, arm_b) = (to_world(a.rotation, anchors[0]), to_world(b.rotation, anchors[1]));
            self.there.push([arm_a, arm_b]);
            self.gaps.push((a.translation - b.translation) + (arm_a - arm_b));
        }
    }

    /// Makes what has just been met the configuration at hand.
    pub(super) fn arrive(&mut self, movers: &[SolverBody]) {
        std::mem::swap(&mut self.arms, &mut self.there);
        self.at.clear();
        self.at.extend(movers.iter().map(place));
        self.is_factored = false;
    }

    /// The factors of J M⁻¹ Jᵀ at the bodies' poses; false if these are not for this way.
    pub(super) fn factor(&mut self, movers: &[SolverBody], ends: &[[u32; 2]], plan: &Elimination) -> bool {
        if !self.at.iter().copied().eq(movers.iter().map(place)) {
            self.meet(movers, ends);
            self.arrive(movers);
        }
        if self.is_factored {
            return true;
        }
        let Self { arms, motion, levers, .. } = self;
        levers.clear();
        motion.diagonal.clear();
        motion.inverse.clear();
        for (arms, ends) in arms.iter().zip(ends) {
            let (mut sum, mut mine) = (Mat3::ZERO, [Mat3::ZERO; 2]);
            for end in 0..2 {
                if let Some(mover) =
                    movers.get(ends[end] as usize).filter(|mover| mover.inverse.inv_mass > 0.0)
                {
                    mine[end] = lever(arms[end], mover.inverse.inv_inertia);
                    sum += levered(mine[end], arms[end])
                        + Mat3::from_diagonal(Vec3::splat(mover.inverse.inv_mass));
                }
            }
            levers.push(mine);
            motion.diagonal.push(sum);
            // The diagonal as it is now waits in the place of the inverse.
            let scale = Vec3::new(sum.x_axis.x, sum.y_axis.y, sum.z_axis.z);
            motion.inverse.push(Mat3::from_cols(scale, Vec3::ZERO, Vec3::ZERO));
        }
        motion.lower.clear();
        motion.lower.resize(plan.entries.len(), Mat3::ZERO);
        for fill in &plan.fills {
            let ((one, e), (two, f)) = (fill.one, fill.two);
            let (one, e, two, f) = (one as usize, e as usize, two as usize, f as usize);
            let inv_mass = movers[ends[one][e] as usize].inverse.inv_mass;
            let block = levered(levers[one][e], arms[two][f]) + Mat3::from_diagonal(Vec3::splat(inv_mass));
            motion.lower[fill.target as usize / 9] += block * (SIGNS[e] * SIGNS[f]);
        }
        self.is_factored = motion.eliminate(plan);
        self.is_factored
    }

    /// The factors of the derivative of a flight, from the arms here to those there.
    pub(super) fn differentiate(
        &mut self,
        responses: &[FlightResponse],
        ends: &[[u32; 2]],
        plan: &Elimination,
    ) {
        let Self { arms, there, flight, levers, .. } = self;
        levers.clear();
        flight.diagonal.clear();
        for ((arms, there), ends) in arms.iter().zip(&*there).zip(ends) {
            let (mut sum, mut mine) = (Mat3::ZERO, [Mat3::ZERO; 2]);
            for end in 0..2 {
                if let Some(body) = responses.get(ends[end] as usize).filter(|body| body.inv_mass > 0.0) {
                    mine[end] = lever(there[end], body.turn);
                    sum += levered(mine[end], arms[end]) + Mat3::from_diagonal(Vec3::splat(body.inv_mass));
                }
            }
            levers.push(mine);
            flight.diagonal.push(sum);
        }
        flight.lower.clear();
        flight.lower.resize(plan.entries.len(), Mat3::ZERO);
        flight.upper.clear();
        flight.upper.resize(plan.entries.len(), Mat3::ZERO);
        for fill in &plan.fills {
            let ((one, e), (two, f)) = (fill.one, fill.two);
            let (one, e, two, f) = (one as usize, e as usize, two as usize, f as usize);
            let mass = Mat3::from_diagonal(Vec3::splat(responses[ends[one][e] as usize].inv_mass));
            let (sign, target) = (SIGNS[e] * SIGNS[f], fill.target as usize / 9);
            flight.lower[target] += (levered(levers[one][e], arms[two][f]) + mass) * sign;
            flight.upper[target] += (levered(levers[two][f], arms[one][e]) + mass) * sign;
        }
        flight.eliminate_any(plan);
    }

    /// Solves for `vector`, in place, with the factors here or those of the flight.
    pub(super) fn solve(&mut self, plan: &Elimination, in_flight: bool) {
        if in_flight {
            self.flight.solve_any(plan, &mut self.vector);
        } else {
            self.motion.solve(plan, &mut self.vector);
        }
    }

    /// The sums of the present impulses, by body.
    pub(super) fn push(&mut self, ends: &[[u32; 2]], count: usize) {
        self.change.clear();
        self.change.resize(count, Twist::ZERO);
        for ((arms, impulse), ends) in self.arms.iter().zip(&self.impulses).zip(ends) {
            for end in 0..2 {
                if let Some(sum) = self.change.get_mut(ends[end] as usize) {
                    *sum += Twist::of_impulse(*impulse * SIGNS[end], arms[end]);
                }
            }
        }
    }

    /// Changes of the bodies' twists by the present impulses.
    pub(super) fn respond(&mut self, movers: &[SolverBody], ends: &[[u32; 2]]) {
        self.push(ends, movers.len());
        self.change.iter_mut().zip(movers).for_each(|(sum, mover)| *sum = mover.inverse.apply(*sum));
    }

    /// Ċ of all joints.
    pub(super) fn rates(
        &self,
        twist: impl Fn(usize) -> Option<Twist>,
        ends: &[[u32; 2]],
        out: &mut Vec<Vec3>,
    ) {
        out.clear();
        for (arms, ends) in self.arms.iter().zip(ends) {
            let at = |end: usize| twist(ends[end] as usize).map_or(Vec3::ZERO, |twist| twist.at(arms[end]));
            out.push(at(0) - at(1));
        }
    }
}
