//! The end of a sub-step for islands with rows: work and momentum of the contacts, gaps, residuals.
//!
//! `wide::finish_substep` does the same four contacts at a time for large islands, which have no rows. A test
//! holds one to the other.

use super::substep_motion::SubstepMotion;
use crate::collide::contact_table::Touch;
use crate::contacts::contact_rows::{Manifold, Point, Rows};
use crate::contacts::report::Report;
use crate::ledger::{Account, Entry, Exchange};
use gedanken_math::{Twist, Vec3};

/// Energy and momentum that contacts gave to the bodies, by account.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct ContactEntries {
    pub(super) normal: Entry,
    pub(super) friction: Entry,
}

impl ContactEntries {
    /// Books the entries, and as stabilisation the energy of position that shifts without velocity have
    /// given.
    pub(super) fn book(self, shifted: f64, exchange: &mut Exchange) {
        exchange.book(Account::Normal, self.normal);
        exchange.book(Account::Friction, self.friction);
        exchange.book(Account::Stabilisation, Entry { energy: shifted, ..Entry::default() });
    }
}

/// Books the work of the sub-step, p·(u⁻ + u⁺)/2, and the momentum that immovable bodies gave. Moves the gaps
/// by the displacements of the bodies.
pub(super) fn finish(rows: &mut Rows, motions: &[SubstepMotion], h: f64, entries: &mut ContactEntries) {
    let Rows { bodies, manifolds, points } = rows;
    let mut rest = points.as_mut_slice();
    for manifold in manifolds.iter() {
        let (own, others) = rest.split_at_mut(manifold.count as usize);
        rest = others;
        let (a, b) = (&bodies[manifold.a as usize], &bodies[manifold.b as usize]);
        let (drift_a, drift_b) = (&motions[manifold.a as usize].drift, &motions[manifold.b as usize].drift);
        let turned = manifold.frame.transpose();
        let mut total = Vec3::ZERO;
        let sign = f64::from(u8::from(a.inv_mass == 0.0)) - f64::from(u8::from(b.inv_mass == 0.0));
        // A body that moves as it is told is immovable to impulses, but does work: the mean velocity at the
        // point is then that of the movable body, not the relative one.
        let told = if sign > 0.0 { a.twist() } else { b.twist() };
        let told = if sign == 0.0 { Twist::ZERO } else { told };
        for point in own {
            let after = turned * (b.twist().at(point.arm_b) - a.twist().at(point.arm_a));
            let mut mean = (point.before + after) * 0.5;
            if told != Twist::ZERO {
                let arm = if sign > 0.0 { point.arm_a } else { point.arm_b };
                mean += turned * told.at(arm) * sign;
            }
            point.before = after;
            entries.normal.energy += point.impulse.x * mean.x;
            entries.friction.energy += point.impulse.y * mean.y + point.impulse.z * mean.z;
            total += point.impulse;
            let opening = drift_b.at(point.arm_b) - drift_a.at(point.arm_a);
            point.gap += h * opening.dot(manifold.frame.x_axis);
        }
        if sign != 0.0 {
            let [n, first, second] = [manifold.frame.x_axis, manifold.frame.y_axis, manifold.frame.z_axis];
            entries.normal.momentum += n * (sign * total.x);
            entries.friction.momentum += (first * total.y + second * total.z) * sign;
        }
    }
}

/// Returns the residuals of the last sub-step, from the velocities at its end ([`Point::before`] of the
/// next).
pub(super) fn report(manifolds: &[Manifold], points: &[Point]) -> Report {
    let mut report = Report { islands: 1, points: points.len() as u32, converged: true, ..Report::default() };
    // Squares tell which is the largest: one root instead of one per point.
    let mut unopposed = 0.0;
    let mut rest = points;
    for manifold in manifolds {
        let (own, others) = rest.split_at(manifold.count as usize);
        rest = others;
        for point in own {
            let Vec3 { x: speed, y: slide_1, z: slide_2 } = point.before;
            let Vec3 { x: normal, y: first, z: second } = point.impulse;
            let complementary = (speed + point.allowed).min(normal * point.response).abs();
            let (sliding, most) = (slide_1 * slide_1 + slide_2 * slide_2, manifold.friction * normal);
            let (friction, edge) = (first * first + second * second, most * (1.0 - 1e-12));
            let left = if friction > 0.0 && friction >= edge * edge {
                let (sliding, friction) = (sliding.sqrt(), friction.sqrt());
                report.cone = report.cone.max((friction - most) * point.response);
                let (x, y) = (slide_1 + sliding * first / friction, slide_2 + sliding * second / friction);
                x * x + y * y
            } else if most > 0.0 {
                sliding
            } else {
                0.0
            };
            report.signorini = report.signorini.max(complementary);
            unopposed = f64::max(unopposed, left);
            report.overlap = report.overlap.max(-point.gap);
        }
    }
    report.dissipation = unopposed.sqrt();
    report
}

/// Writes the impulses of a step of so many sub-steps, and the gaps, back to the contacts.
pub(super) fn store_impulses(rows: &Rows, touches: &mut [Touch], substeps: f64) {
    for (touch, manifold) in touches.iter_mut().zip(&rows.manifolds) {
        let own = &rows.points[manifold.first as usize..][..manifold.count as usize];
        for (kept, point) in touch.points_mut().iter_mut().zip(own) {
            kept.normal_impulse = point.impulse.x * substeps;
            kept.friction_impulse = (manifold.frame.y_axis * point.impulse.y
                + manifold.frame.z_axis * point.impulse.z)
                * substeps;
            kept.gap = point.gap;
        }
    }
}

/// Sets the approach b = gap/h that is allowed in a sub-step of length `h`.
pub(super) fn allow_gaps(points: &mut [Point], h: f64) {
    for point in points {
        point.allowed = point.gap.max(0.0) / h;
    }
}
