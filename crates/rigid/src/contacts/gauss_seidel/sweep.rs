//! A sweep: every contact point in turn takes the impulse that solves it, all others being as they are.
//!
//! `wide::sweep` does the same for four points at a time.

use crate::contacts::contact_rows::{Manifold, Point, Rows, SweepBody};
use crate::impact::coulomb_cone::{self, Response};
use gedanken_math::Vec3;

/// Sweeps forwards and backwards, which makes the two of them a symmetric operator. Returns what the second
/// one moved, as [`sweep`] does.
///
/// One sweep alone would not do. With warm starts, what is left of one sub-step counts twice in the next, and
/// only a symmetric operator is sure to shrink that.
pub(super) fn symmetric_sweep(rows: &mut Rows) -> f64 {
    sweep(&mut rows.bodies, &rows.manifolds, &mut rows.points, true);
    sweep(&mut rows.bodies, &rows.manifolds, &mut rows.points, false)
}

/// Visits all contacts, forwards or backwards. Returns Σ Δλ·K Δλ over the points, by the diagonal of K: twice
/// the energy that the sweep has moved, zero where nothing was left to do.
fn sweep(bodies: &mut [SweepBody], manifolds: &[Manifold], points: &mut [Point], forwards: bool) -> f64 {
    let mut moved = 0.0;
    if forwards {
        let mut rest = points;
        for manifold in manifolds {
            let (own, others) = rest.split_at_mut(manifold.count as usize);
            rest = others;
            moved += solve_contact(bodies, manifold, own.iter_mut());
        }
    } else {
        let mut rest = points;
        for manifold in manifolds.iter().rev() {
            let (others, own) = rest.split_at_mut(rest.len() - manifold.count as usize);
            rest = others;
            moved += solve_contact(bodies, manifold, own.iter_mut().rev());
        }
    }
    moved
}

/// Solves the points of one contact, one after the other.
#[inline(always)]
fn solve_contact<'a>(
    bodies: &mut [SweepBody],
    manifold: &Manifold,
    points: impl Iterator<Item = &'a mut Point>,
) -> f64 {
    let (place_a, place_b) = (manifold.a as usize, manifold.b as usize);
    let (mut a, mut b) = (bodies[place_a], bodies[place_b]);
    let mut moved = 0.0;
    for point in points {
        moved += point.solve(&mut a, &mut b, manifold);
    }
    (bodies[place_a].linear, bodies[place_a].angular) = (a.linear, a.angular);
    (bodies[place_b].linear, bodies[place_b].angular) = (b.linear, b.angular);
    moved
}

impl Point {
    /// Solves the point: first the normal impulse, by Signorini's conditions λ_n ≥ 0, u_n ≥ -b; then
    /// friction. Returns Δλ·K Δλ by the diagonal of K.
    ///
    /// An impulse that stops all sliding is taken if it lies in the cone. Otherwise the point slides, and λ_t
    /// becomes the projection of λ_t - s u_t onto the disc of radius μ λ_n. Here s = `step` is one over the
    /// larger eigenvalue of K's tangential block. That has its fixed point where u_t points against λ_t, in
    /// every direction; projecting the first impulse has not.
    #[inline(always)]
    fn solve(&mut self, a: &mut SweepBody, b: &mut SweepBody, manifold: &Manifold) -> f64 {
        let frame = &manifold.frame;
        let relative = b.linear - a.linear + b.angular.cross(self.arm_b) - a.angular.cross(self.arm_a);
        let approach = relative.dot(frame.x_axis) + self.allowed;
        let normal = (self.impulse.x - approach * self.normal_mass).max(0.0);
        // Most points of a loose pile are open: nothing to do, nothing to write.
        if normal == 0.0 && self.impulse.x == 0.0 {
            return 0.0;
        }
        if manifold.strong {
            return self.solve_strong(a, b, manifold, relative);
        }
        let push = normal - self.impulse.x;
        // The normal impulse has changed the sliding, by K_1n and K_2n.
        let slide_1 = relative.dot(frame.y_axis) + self.coupling[0] * push;
        let slide_2 = relative.dot(frame.z_axis) + self.coupling[1] * push;
        let [k11, k12, k22] = self.block;
        let mut first = self.impulse.y - (k11 * slide_1 + k12 * slide_2);
        let mut second = self.impulse.z - (k12 * slide_1 + k22 * slide_2);
        let most = manifold.friction * normal;
        if first * first + second * second > most * most {
            first = self.impulse.y - self.step * slide_1;
            second = self.impulse.z - self.step * slide_2;
            let length = (first * first + second * second).sqrt();
            if length > most {
                let scale = most / length;
                (first, second) = (first * scale, second * scale);
            }
        }
        self.take(Vec3::new(normal, first, second), a, b, manifold)
    }

    /// Solves the point for normal and friction at once. Where friction is strong and coupled to the normal,
    /// as at the end of a rod that is dragged, taking one after the other goes round and round.
    #[cold]
    fn solve_strong(
        &mut self,
        a: &mut SweepBody,
        b: &mut SweepBody,
        manifold: &Manifold,
        relative: Vec3,
    ) -> f64 {
        let response = self.full_response();
        let velocity = manifold.frame.transpose() * relative;
        let mut free = response.without(velocity.to_array(), self.impulse.to_array());
        free[0] += self.allowed;
        let new = coulomb_cone::impulse(&response, free, manifold.friction);
        self.take(Vec3::from_array(new), a, b, manifold)
    }

    /// K in the frame of the contact.
    fn full_response(&self) -> Response {
        let [k11, k12, k22] = self.block;
        let inverse = 1.0 / (k11 * k22 - k12 * k12);
        let [n1, n2] = self.coupling;
        Response::of([
            [self.response, n1, n2],
            [n1, k22 * inverse, -k12 * inverse],
            [n2, -k12 * inverse, k11 * inverse],
        ])
    }

    /// Takes a new impulse. Returns Δλ·K Δλ by the diagonal of K.
    #[inline(always)]
    fn take(&mut self, new: Vec3, a: &mut SweepBody, b: &mut SweepBody, manifold: &Manifold) -> f64 {
        let frame = &manifold.frame;
        let change = new - self.impulse;
        self.impulse = new;
        let impulse = frame.x_axis * change.x + frame.y_axis * change.y + frame.z_axis * change.z;
        a.push(-impulse, self.arm_a);
        b.push(impulse, self.arm_b);
        change.x * change.x * self.response + (change.y * change.y + change.z * change.z) * self.slip
    }
}
