//! The end of a sub-step of a large island, four contacts at a time: `finish_substep` without rows.
//!
//! Sums over contacts are formed lane by lane, so they differ from those of rows by rounding.

use super::contacts::{PaddedTwist, PointStatex4, Pointx4, WideContacts, gather};
use crate::collide::contact_table::Touch;
use crate::contacts::gauss_seidel::finish_substep::ContactEntries;
use crate::contacts::gauss_seidel::simd::{F64x4, LANES, Vec3x4};
use crate::contacts::gauss_seidel::substep_motion::SubstepMotion;
use crate::contacts::report::Report;
use gedanken_math::Vec3;

/// Sums over the contacts, by lane.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    /// Work along the normals.
    normal: F64x4,
    /// Work of friction.
    friction: F64x4,
    /// Momentum that immovable bodies gave along the normals.
    pressed: Vec3x4,
    /// Momentum that immovable bodies gave by friction.
    rubbed: Vec3x4,
    /// Σ m u² of surfaces that meet or slide.
    meeting: F64x4,
}

impl WideContacts {
    /// Books the work of the sub-step, p·(u⁻ + u⁺)/2, and the momentum that immovable bodies gave. Moves the
    /// gaps by the displacements of the bodies and, if the step goes on, sets the approach b = gap/h that is
    /// allowed next. Returns Σ m u² of the speeds with which surfaces meet or slide.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls a function compiled for instructions not every processor has")
    )]
    pub(crate) fn finish(
        &mut self,
        motions: &[SubstepMotion],
        h: f64,
        goes_on: bool,
        entries: &mut ContactEntries,
    ) -> f64 {
        self.other_twists.clear();
        self.other_twists.extend(motions.iter().map(|motion| PaddedTwist::new(motion.drift)));
        self.other_twists.push(PaddedTwist::default());
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just said that it has these instructions.
            return unsafe { self.finish_avx2(h, goes_on, entries) };
        }
        self.finish_here(h, goes_on, entries)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn finish_avx2(&mut self, h: f64, goes_on: bool, entries: &mut ContactEntries) -> f64 {
        self.finish_here(h, goes_on, entries)
    }

    #[inline(always)]
    fn finish_here(&mut self, h: f64, goes_on: bool, entries: &mut ContactEntries) -> f64 {
        let Self { packs, points, states, twists, other_twists, .. } = self;
        let mut sums = Sums::default();
        let (half, h) = (F64x4::splat(0.5), F64x4::splat(h));
        for pack in packs.iter() {
            let range = pack.first as usize..(pack.first + pack.count) as usize;
            let [a, b] = [gather(twists, &pack.places[0]), gather(twists, &pack.places[1])];
            let [drift_a, drift_b] =
                [gather(other_twists, &pack.places[0]), gather(other_twists, &pack.places[1])];
            let [normal, first, second] = pack.frame;
            // 1 if A is immovable, -1 if B is: the sign of the momentum that the immovable body gives.
            let (zero, one) = (F64x4::ZERO, F64x4::splat(1.0));
            let free = [pack.inv_mass[0].above(zero), pack.inv_mass[1].above(zero)];
            let sign = free[1].choose(one, zero) - free[0].choose(one, zero);
            // A body that moves as it is told is immovable to impulses, but does work.
            let [on_a, on_b] = [sign.above(zero), zero.above(sign)];
            let pick = |x: F64x4, y: F64x4| on_a.choose(x, on_b.only(y));
            let told = [
                Vec3x4 {
                    x: pick(a.linear.x, b.linear.x),
                    y: pick(a.linear.y, b.linear.y),
                    z: pick(a.linear.z, b.linear.z),
                },
                Vec3x4 {
                    x: pick(a.angular.x, b.angular.x),
                    y: pick(a.angular.y, b.angular.y),
                    z: pick(a.angular.z, b.angular.z),
                },
            ];
            // Floors and walls stand still in most scenes: then there is nothing to add.
            let is_told = told[0].dot(told[0]).exceeds(zero) || told[1].dot(told[1]).exceeds(zero);
            let mut total = Vec3x4::default();
            for (points, state) in points[range.clone()].iter_mut().zip(&mut states[range]) {
                let [arm_a, arm_b] = points.arms;
                let relative = (b.linear + b.angular.cross(arm_b)) - (a.linear + a.angular.cross(arm_a));
                let after =
                    Vec3x4 { x: relative.dot(normal), y: relative.dot(first), z: relative.dot(second) };
                let mut mean = (state.before + after).times(half);
                if is_told {
                    let arm = Vec3x4 {
                        x: pick(arm_a.x, arm_b.x),
                        y: pick(arm_a.y, arm_b.y),
                        z: pick(arm_a.z, arm_b.z),
                    };
                    let speed = (told[0] + told[1].cross(arm)).times(sign);
                    mean += Vec3x4 { x: speed.dot(normal), y: speed.dot(first), z: speed.dot(second) };
                }
                state.before = after;
                sums.normal += points.impulse.x * mean.x;
                sums.friction += points.impulse.y * mean.y + points.impulse.z * mean.z;
                total += points.impulse;
                let opening = (drift_b.linear + drift_b.angular.cross(arm_b))
                    - (drift_a.linear + drift_a.angular.cross(arm_a));
                state.gap += h * opening.dot(normal);
                sums.meeting += after.dot(after) * points.normal_mass;
                if goes_on {
                    points.allowed = state.gap.positive() / h;
                }
            }
            sums.pressed += normal.times(sign * total.x);
            sums.rubbed += (first.times(total.y) + second.times(total.z)).times(sign);
        }
        entries.normal.energy += sums.normal.sum();
        entries.friction.energy += sums.friction.sum();
        entries.normal.momentum += sums.pressed.sum();
        entries.friction.momentum += sums.rubbed.sum();
        sums.meeting.sum()
    }

    /// Returns the residuals of the last sub-step, from the velocities at its end.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls a function compiled for instructions not every processor has")
    )]
    pub(crate) fn report(&self) -> Report {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just said that it has these instructions.
            return unsafe { self.report_avx2() };
        }
        self.report_here()
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn report_avx2(&self) -> Report {
        self.report_here()
    }

    #[inline(always)]
    fn report_here(&self) -> Report {
        let mut most = Residuals::default();
        let mut count = 0;
        for pack in &self.packs {
            let range = pack.first as usize..(pack.first + pack.count) as usize;
            count += pack.counts[0] + pack.counts[1] + pack.counts[2] + pack.counts[3];
            for (points, state) in self.points[range.clone()].iter().zip(&self.states[range]) {
                most.note(points, state, pack.friction);
            }
        }
        Report {
            islands: 1,
            points: count,
            converged: true,
            signorini: most.signorini.largest(),
            cone: most.cone.largest(),
            dissipation: most.dissipation.largest(),
            overlap: most.overlap.largest(),
            ..Report::default()
        }
    }

    /// Writes the impulses of a step of so many sub-steps, and the gaps, back to the contacts.
    pub(crate) fn store_impulses(&self, touches: &mut [Touch], substeps: f64) {
        for (pack, chosen) in self.packs.iter().zip(&self.contacts) {
            for k in 0..pack.count {
                let place = (pack.first + k) as usize;
                let (impulse, gap) = (&self.points[place].impulse, &self.states[place].gap);
                let [_, first, second] = pack.frame;
                let friction =
                    (first.times(impulse.y) + second.times(impulse.z)).times(F64x4::splat(substeps));
                for lane in (0..LANES).filter(|&lane| k < pack.counts[lane]) {
                    let kept = &mut touches[chosen[lane] as usize].points[k as usize];
                    kept.normal_impulse = impulse.x.0[lane] * substeps;
                    kept.friction_impulse = friction.lane(lane);
                    kept.gap = gap.0[lane];
                }
            }
        }
    }
}

/// Largest residuals so far, by lane; see [`Report`].
#[derive(Debug, Clone, Copy, Default)]
struct Residuals {
    signorini: F64x4,
    cone: F64x4,
    dissipation: F64x4,
    overlap: F64x4,
}

impl Residuals {
    #[inline(always)]
    fn note(&mut self, points: &Pointx4, state: &PointStatex4, friction: F64x4) {
        let (zero, one) = (F64x4::ZERO, F64x4::splat(1.0));
        let Vec3x4 { x: speed, y: slide_1, z: slide_2 } = state.before;
        let Vec3x4 { x: normal, y: first, z: second } = points.impulse;
        let complementary = (speed + points.allowed).min(normal * points.response).abs();
        let (sliding, most) = ((slide_1 * slide_1 + slide_2 * slide_2).sqrt(), friction * normal);
        let size = (first * first + second * second).sqrt();
        // Inside the cone nothing should slide; a point that does not press may.
        let mut unopposed = most.above(zero).only(sliding);
        let (rubs, inside) = (size.above(zero), (most * F64x4::splat(1.0 - 1e-12)).above(size));
        let at_edge = inside.choose(zero, rubs.only(one));
        if at_edge.exceeds(zero) {
            let part = sliding / rubs.choose(size, one);
            let (x, y) = (slide_1 + part * first, slide_2 + part * second);
            unopposed = at_edge.above(zero).choose((x * x + y * y).sqrt(), unopposed);
        }
        // A point that is missing presses nothing and has no gap, but the bodies of its lane may move.
        let there = points.normal_mass.above(zero);
        self.signorini = self.signorini.max(there.only(complementary));
        self.cone = self.cone.max((size - most) * points.response);
        self.dissipation = self.dissipation.max(there.only(unopposed));
        self.overlap = self.overlap.max(there.only(zero - state.gap));
    }
}

impl Vec3x4 {
    /// Returns the sum of the vectors, in the order of the lanes.
    fn sum(self) -> Vec3 {
        Vec3::new(self.x.sum(), self.y.sum(), self.z.sum())
    }
}
