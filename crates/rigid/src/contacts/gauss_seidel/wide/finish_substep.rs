//! The end of a sub-step of a large island, four contacts at a time: what `close` does for rows.

use super::{End, Motion, Packs, Points, gather};
use crate::collide::contact_table::Touch;
use crate::contacts::Report;
use crate::contacts::gauss_seidel::finish_substep::Given;
use crate::contacts::gauss_seidel::simd::{Four, Four3, LANES};
use crate::contacts::gauss_seidel::substep_motion::Course;
use gedanken_math::Vec3;

/// What is added up over four lanes.
#[derive(Debug, Clone, Copy, Default)]
struct Sums {
    normal: Four,
    friction: Four,
    /// What immovable bodies gave, along the normals and across.
    pressed: Four3,
    rubbed: Four3,
    meeting: Four,
}

impl Packs {
    /// Books the works of the sub-step, p·(v⁻ + v⁺)/2, and the momentum that immovable bodies gave; brings
    /// gaps up to date and, if there is another sub-step, the approach that it allows. Returns Σ m v² of the
    /// speeds with which surfaces meet or slide.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls a function compiled for instructions not every processor has")
    )]
    pub(in super::super) fn close(
        &mut self,
        courses: &[Course],
        h: f64,
        goes_on: bool,
        given: &mut Given,
    ) -> f64 {
        self.others.clear();
        self.others.extend(courses.iter().map(|course| Motion::new(course.drift)));
        self.others.push(Motion::default());
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just said that it has these instructions.
            return unsafe { self.close_avx2(h, goes_on, given) };
        }
        self.close_here(h, goes_on, given)
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn close_avx2(&mut self, h: f64, goes_on: bool, given: &mut Given) -> f64 {
        self.close_here(h, goes_on, given)
    }

    #[inline(always)]
    fn close_here(&mut self, h: f64, goes_on: bool, given: &mut Given) -> f64 {
        let Self { packs, points, ends, motions, others, .. } = self;
        let mut sums = Sums::default();
        let (half, h) = (Four::splat(0.5), Four::splat(h));
        for pack in packs.iter() {
            let range = pack.first as usize..(pack.first + pack.count) as usize;
            let [a, b] = [gather(motions, &pack.places[0]), gather(motions, &pack.places[1])];
            let [drift_a, drift_b] = [gather(others, &pack.places[0]), gather(others, &pack.places[1])];
            let [normal, first, second] = pack.frame;
            // One for an immovable A, minus one for an immovable B.
            let (zero, one) = (Four::ZERO, Four::splat(1.0));
            let free = [pack.mass[0].above(zero), pack.mass[1].above(zero)];
            let sign = free[1].choose(one, zero) - free[0].choose(one, zero);
            // Immovable bodies do work if they move by their own will.
            let [on_a, on_b] = [sign.above(zero), zero.above(sign)];
            let pick = |x: Four, y: Four| on_a.choose(x, on_b.only(y));
            let told = [
                Four3 {
                    x: pick(a.linear.x, b.linear.x),
                    y: pick(a.linear.y, b.linear.y),
                    z: pick(a.linear.z, b.linear.z),
                },
                Four3 {
                    x: pick(a.angular.x, b.angular.x),
                    y: pick(a.angular.y, b.angular.y),
                    z: pick(a.angular.z, b.angular.z),
                },
            ];
            let is_told = told[0].dot(told[0]).exceeds(zero) || told[1].dot(told[1]).exceeds(zero);
            let mut total = Four3::default();
            for (points, end) in points[range.clone()].iter_mut().zip(&mut ends[range]) {
                let [arm_a, arm_b] = points.arms;
                let relative = (b.linear + b.angular.cross(arm_b)) - (a.linear + a.angular.cross(arm_a));
                let after =
                    Four3 { x: relative.dot(normal), y: relative.dot(first), z: relative.dot(second) };
                let mut mean = (end.before + after).times(half);
                if is_told {
                    let arm = Four3 {
                        x: pick(arm_a.x, arm_b.x),
                        y: pick(arm_a.y, arm_b.y),
                        z: pick(arm_a.z, arm_b.z),
                    };
                    let speed = (told[0] + told[1].cross(arm)).times(sign);
                    mean += Four3 { x: speed.dot(normal), y: speed.dot(first), z: speed.dot(second) };
                }
                end.before = after;
                sums.normal += points.impulse.x * mean.x;
                sums.friction += points.impulse.y * mean.y + points.impulse.z * mean.z;
                total += points.impulse;
                let opening = (drift_b.linear + drift_b.angular.cross(arm_b))
                    - (drift_a.linear + drift_a.angular.cross(arm_a));
                end.gap += h * opening.dot(normal);
                sums.meeting += after.dot(after) * points.mass;
                if goes_on {
                    points.allowed = end.gap.positive() / h;
                }
            }
            sums.pressed += normal.times(sign * total.x);
            sums.rubbed += (first.times(total.y) + second.times(total.z)).times(sign);
        }
        given.normal.energy += sums.normal.sum();
        given.friction.energy += sums.friction.sum();
        given.normal.momentum += sums.pressed.sum();
        given.friction.momentum += sums.rubbed.sum();
        sums.meeting.sum()
    }

    /// The residuals of the last sub-step, from the velocities at its end.
    #[cfg_attr(
        target_arch = "x86_64",
        expect(unsafe_code, reason = "calls a function compiled for instructions not every processor has")
    )]
    pub(in super::super) fn report(&self) -> Report {
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
            for (points, end) in self.points[range.clone()].iter().zip(&self.ends[range]) {
                most.note(points, end, pack.friction);
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
    pub(in super::super) fn keep(&self, touches: &mut [Touch], substeps: f64) {
        for (pack, chosen) in self.packs.iter().zip(&self.contacts) {
            for k in 0..pack.count {
                let place = (pack.first + k) as usize;
                let (impulse, gap) = (&self.points[place].impulse, &self.ends[place].gap);
                let [_, first, second] = pack.frame;
                let friction =
                    (first.times(impulse.y) + second.times(impulse.z)).times(Four::splat(substeps));
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

/// The largest residuals so far, by lane; see [`Report`].
#[derive(Debug, Clone, Copy, Default)]
struct Residuals {
    signorini: Four,
    cone: Four,
    dissipation: Four,
    overlap: Four,
}

impl Residuals {
    #[inline(always)]
    fn note(&mut self, points: &Points, end: &End, friction: Four) {
        let (zero, one) = (Four::ZERO, Four::splat(1.0));
        let Four3 { x: speed, y: slide_1, z: slide_2 } = end.before;
        let Four3 { x: normal, y: first, z: second } = points.impulse;
        let complementary = (speed + points.allowed).min(normal * points.response).abs();
        let (sliding, most) = ((slide_1 * slide_1 + slide_2 * slide_2).sqrt(), friction * normal);
        let size = (first * first + second * second).sqrt();
        // Inside of the cone nothing should slide; a point that does not press may.
        let mut unopposed = most.above(zero).only(sliding);
        let (rubs, inside) = (size.above(zero), (most * Four::splat(1.0 - 1e-12)).above(size));
        let at_edge = inside.choose(zero, rubs.only(one));
        if at_edge.exceeds(zero) {
            let part = sliding / rubs.choose(size, one);
            let (x, y) = (slide_1 + part * first, slide_2 + part * second);
            unopposed = at_edge.above(zero).choose((x * x + y * y).sqrt(), unopposed);
        }
        // Points that are missing press nothing and have no gap, but their lane may move.
        let there = points.mass.above(zero);
        self.signorini = self.signorini.max(there.only(complementary));
        self.cone = self.cone.max((size - most) * points.response);
        self.dissipation = self.dissipation.max(there.only(unopposed));
        self.overlap = self.overlap.max(there.only(zero - end.gap));
    }
}

impl Four3 {
    /// The vectors of all lanes, in order.
    fn sum(self) -> Vec3 {
        Vec3::new(self.x.sum(), self.y.sum(), self.z.sum())
    }
}
