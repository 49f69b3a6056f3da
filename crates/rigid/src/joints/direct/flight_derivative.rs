//! The derivative of a flight: how the constraints at its end answer to impulses at its start.
//!
//! N = J(q₁) P J(q₀)ᵀ, where P takes an impulse on a body at the start to the displacement at the end, per
//! unit of time. It has the blocks of J M⁻¹ Jᵀ and is nearly as large, but it is not symmetric: an LU
//! factorisation in the same order. It only has to be good enough for Newton's method to go fast, so small
//! pivots do not matter.
//!
//! For the rotation, an impulse ℓ changes the angular momentum L by ℓ and the turn δφ by δφ̇ = W(ℓ − δφ × L),
//! W being the inverse inertia in the world frame. Hence δφ = h(1 + ½h W̄ [L]×) W̄ ℓ with the mean W̄ of the
//! flight, up to (hω)². W̄ [L]× W̄ is the cross product with det(W̄) W̄⁻¹ L, and W̄ = W + ½h([ω]× W − W
//! [ω]×).

use super::blocks::{invert_any, multiply, subtract_image, subtract_product, subtract_transposed};
use super::elimination::Elimination;
use crate::joints::constraint::Row;
use crate::step::free_rotation::SymmetricTop;
use crate::world::solver_body::SolverBody;
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::{Mat3, Pose, Twist, Vec3};

/// P of one body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct FlightResponse {
    pub(super) inv_mass: f64,
    pub(super) turn: Mat3,
}

/// [v]×: the matrix of the cross product.
fn cross(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

/// m + [v]×.
#[inline]
fn plus_cross(mut m: Mat3, v: Vec3) -> Mat3 {
    m.x_axis += Vec3::new(0.0, v.z, -v.y);
    m.y_axis += Vec3::new(-v.z, 0.0, v.x);
    m.z_axis += Vec3::new(v.y, -v.x, 0.0);
    m
}

impl FlightResponse {
    /// Of a body that starts like this and flies for `h`.
    pub(super) fn of(mover: &SolverBody, start: Pose, omega: Vec3, h: f64) -> Self {
        let (inv_mass, inv_inertia) = (mover.inverse.inv_mass, mover.inverse.inv_inertia);
        if inv_mass <= 0.0 {
            return Self::default();
        }
        let moments = mover.moments;
        let turn = if moments.x == moments.y && moments.y == moments.z {
            // With W = 1/I the series is that of the exponential map.
            let theta = cross(omega * h);
            (Mat3::IDENTITY + theta * (Mat3::IDENTITY * 0.5 + theta * (1.0 / 6.0))) * inv_inertia.x_axis.x
        } else {
            let twice = to_world(start.rotation, moments * moments * to_body(start.rotation, omega));
            let gyre = twice * (0.5 * h / (moments.x * moments.y * moments.z));
            let spin = omega * (0.5 * h);
            let [x, y, z] =
                [inv_inertia.x_axis, inv_inertia.y_axis, inv_inertia.z_axis].map(|w| spin.cross(w));
            let (xy, xz, yz) = (x.y + y.x, x.z + z.x, y.z + z.y);
            let mean = inv_inertia
                + Mat3::from_cols(
                    Vec3::new(2.0 * x.x, xy, xz),
                    Vec3::new(xy, 2.0 * y.y, yz),
                    Vec3::new(xz, yz, 2.0 * z.z),
                );
            plus_cross(mean, gyre)
        };
        Self { inv_mass, turn }
    }

    /// The same of a body with an axis, of which the directions at both ends of the flight are known.
    #[inline]
    pub(super) fn of_top(inv_mass: f64, top: &SymmetricTop, axes: [Vec3; 2], momentum: Vec3, h: f64) -> Self {
        let mean = (axes[0] + axes[1]) * 0.5;
        let turn = plus_cross(top.inverse_inertia(mean), top.gyre(momentum, mean) * (0.5 * h));
        Self { inv_mass, turn }
    }

    pub(super) fn apply(&self, impulse: Twist) -> Twist {
        Twist::new(impulse.linear * self.inv_mass, self.turn * impulse.angular)
    }
}

/// The factors of N.
#[derive(Debug, Clone, Default)]
pub(super) struct FlightDerivative {
    /// By row and end: P Jᵀ.
    pub(super) push: Vec<[Twist; 2]>,
    /// By body.
    pub(super) responses: Vec<FlightResponse>,
    diagonal: Vec<f64>,
    inverse: Vec<f64>,
    /// Blocks below the diagonal, and L.
    lower: Vec<f64>,
    low: Vec<f64>,
    /// Blocks above the diagonal, transposed.
    upper: Vec<f64>,
}

impl FlightDerivative {
    /// Puts the numbers in: J at the end, J at the start.
    pub(super) fn assemble(&mut self, plan: &Elimination, end: &[Row], start: &[[Twist; 2]]) {
        let numbers = plan.block_numbers();
        self.lower.clear();
        self.lower.resize(numbers, 0.0);
        self.upper.clear();
        self.upper.resize(numbers, 0.0);
        self.low.resize(numbers, 0.0);
        self.diagonal.resize(plan.diagonal_numbers(), 0.0);
        self.inverse.resize(plan.diagonal_numbers(), 0.0);
        let side = |row: &Row, end: u32| if end == 0 { row.a } else { row.b };
        for c in 0..plan.constraints {
            let (n, at) = (plan.size[c] as usize, plan.at[c] as usize);
            let block = &mut self.diagonal[plan.diagonal_at[c] as usize..][..n * n];
            let [a, b] = plan.light[c];
            for (row, numbers) in end[at..at + n].iter().zip(block.chunks_exact_mut(n)) {
                for (push, number) in self.push[at..at + n].iter().zip(numbers) {
                    *number = if a { row.a.dot(push[0]) } else { 0.0 };
                    if b {
                        *number += row.b.dot(push[1]);
                    }
                }
            }
        }
        // Both triangles: the derivative is not symmetric.
        for fill in &plan.fills {
            let ((one, e), (two, f)) = (fill.one, fill.two);
            let [m, n] = [one, two].map(|c| plan.size[c as usize] as usize);
            let [i, j] = [one, two].map(|c| plan.at[c as usize] as usize);
            let lower = &mut self.lower[fill.target as usize..][..m * n];
            let upper = &mut self.upper[fill.target as usize..][..m * n];
            for p in 0..m {
                let (row, push) = (side(&end[i + p], e), self.push[i + p][e as usize]);
                for q in 0..n {
                    lower[p * n + q] += row.dot(self.push[j + q][f as usize]);
                    upper[p * n + q] += side(&end[j + q], f).dot(push);
                }
            }
        }
        for tie in &plan.ties {
            let (n, at) =
                (plan.size[tie.constraint as usize] as usize, plan.at[tie.constraint as usize] as usize);
            // Rows of the constraint ask for J(q₁)·u, rows of the hub for J(q₀)ᵀλ.
            let (asks, gives) = if tie.hub_later {
                (&mut self.upper, &mut self.lower)
            } else {
                (&mut self.lower, &mut self.upper)
            };
            for p in 0..n {
                let sides = [side(&end[at + p], tie.end), start[at + p][tie.end as usize]];
                for (block, Twist { linear: l, angular: w }) in
                    [&mut *asks, &mut *gives].into_iter().zip(sides)
                {
                    for (k, number) in [l.x, l.y, l.z, w.x, w.y, w.z].into_iter().enumerate() {
                        let place = if tie.hub_later { k * n + p } else { p * 6 + k };
                        block[tie.target as usize + place] += number;
                    }
                }
            }
        }
        for (k, &mover) in plan.hubs.iter().enumerate() {
            let block = &mut self.diagonal[plan.diagonal_at[plan.constraints + k] as usize..][..36];
            let FlightResponse { inv_mass, turn } = self.responses[mover as usize];
            // In place of −M stands −P⁻¹: the same elimination with the response over the flight.
            let inverse = turn.inverse();
            block.fill(0.0);
            for i in 0..3 {
                block[i * 7] = -1.0 / inv_mass;
                for j in 0..3 {
                    block[(3 + i) * 6 + 3 + j] = -inverse.col(j)[i];
                }
            }
        }
    }

    /// Factorises on the rows that the plan kept when it was last factorised itself.
    pub(super) fn factor(&mut self, plan: &Elimination) {
        for place in 0..plan.order.len() {
            let node = plan.order[place] as usize;
            let (n, at) = (plan.size[node] as usize, plan.diagonal_at[node] as usize);
            let open = plan.kept.get(node).copied().unwrap_or(0b11_1111);
            let inverse = &mut self.inverse[at..at + n * n];
            invert_any(&self.diagonal[at..at + n * n], n, open, inverse);
            let [begin, updates] = plan.columns[place].map(|x| x as usize);
            let [end, updates_end] = plan.columns[place + 1].map(|x| x as usize);
            for entry in &plan.entries[begin..end] {
                let (m, at) = (plan.size[entry.node as usize] as usize, entry.at as usize);
                multiply(&mut self.low[at..at + m * n], &self.lower[at..at + m * n], inverse, [m, n]);
            }
            for update in &plan.updates[updates..updates_end] {
                let [one, two] = [update.one, update.two].map(|entry| plan.entries[entry as usize]);
                let [i, j] = [one, two].map(|entry| plan.size[entry.node as usize] as usize);
                let target = update.target as usize;
                let [low_one, low_two] =
                    [(one, i), (two, j)].map(|(entry, m)| &self.low[entry.at as usize..][..m * n]);
                if one.node == two.node {
                    let upper = &self.upper[two.at as usize..][..j * n];
                    subtract_product(&mut self.diagonal[target..target + i * j], low_one, upper, [i, j, n]);
                } else {
                    // Blocks of later columns lie behind.
                    let (before, behind) = self.upper.split_at_mut(target);
                    let upper_two = &before[two.at as usize..][..j * n];
                    subtract_product(&mut self.lower[target..target + i * j], low_one, upper_two, [i, j, n]);
                    let upper_one = &before[one.at as usize..][..i * n];
                    subtract_product(&mut behind[..i * j], upper_one, low_two, [i, j, n]);
                }
            }
        }
    }

    /// Solves N x = b in place.
    pub(super) fn solve(&self, plan: &Elimination, x: &mut [f64]) {
        for place in 0..plan.order.len() {
            let node = plan.order[place] as usize;
            let mut mine = [0.0; 6];
            let (n, at) = (plan.size[node] as usize, plan.at[node] as usize);
            mine[..n].copy_from_slice(&x[at..at + n]);
            for entry in &plan.entries[plan.columns[place][0] as usize..plan.columns[place + 1][0] as usize] {
                let (m, at) =
                    (plan.size[entry.node as usize] as usize, plan.at[entry.node as usize] as usize);
                subtract_image(&mut x[at..at + m], &self.low[entry.at as usize..][..m * n], &mine[..n]);
            }
        }
        for place in (0..plan.order.len()).rev() {
            let node = plan.order[place] as usize;
            let (mut mine, mut solved) = ([0.0; 6], [0.0; 6]);
            let (n, at) = (plan.size[node] as usize, plan.at[node] as usize);
            mine[..n].copy_from_slice(&x[at..at + n]);
            for entry in &plan.entries[plan.columns[place][0] as usize..plan.columns[place + 1][0] as usize] {
                let (m, at) =
                    (plan.size[entry.node as usize] as usize, plan.at[entry.node as usize] as usize);
                subtract_transposed(
                    &mut mine[..n],
                    &self.upper[entry.at as usize..][..m * n],
                    &x[at..at + m],
                );
            }
            let inverse = &self.inverse[plan.diagonal_at[node] as usize..][..n * n];
            subtract_image(&mut solved[..n], inverse, &mine[..n]);
            x[at..at + n].iter_mut().zip(solved).for_each(|(x, solved)| *x = -solved);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::step::free_motion::drifted;
    use crate::world::solver_body::InverseMass;
    use gedanken_math::rotation::from_rotation_vector;
    use proptest::prelude::*;

    fn vector(size: f64) -> impl Strategy<Value = Vec3> {
        prop::array::uniform3(-size..size).prop_map(Vec3::from_array)
    }

    proptest! {
        /// P by differences of flights: what is left out is of the order of (hω)².
        #[test]
        fn a_yield_is_the_derivative_of_a_flight(
            phi in vector(3.0), omega in vector(5.0), push in vector(1.0), moments in prop::array::uniform3(0.5..2.0f64),
            kind in 0..3,
        ) {
            let mut moments = Vec3::from_array(moments);
            if kind > 0 {
                moments.y = moments.z;
            }
            if kind > 1 {
                moments.x = moments.z;
            }
            let (start, h) = (Pose::new(from_rotation_vector(phi), Vec3::ZERO), 0.01);
            let inverse = InverseMass::new(1.0, moments, start.rotation);
            let mover = SolverBody { mass: 1.0, moments, inverse, pose: start, ..SolverBody::default() };
            let step = 1e-5;
            let fly = |by: f64| {
                let twist = Twist::new(Vec3::ZERO, omega + inverse.inv_inertia * push * by);
                drifted(start, twist, moments, h).0.rotation
            };
            // To first order the quaternion of a small turn is (φ/2, 1).
            let turn = fly(step) * fly(-step).inverse();
            let exact = Vec3::new(turn.x, turn.y, turn.z) / (step * h);
            let hw = h * omega.length() * 4.0;
            let size = exact.length() * hw * hw + 1e-8;
            prop_assert!((FlightResponse::of(&mover, start, omega, h).turn * push - exact).length() < size);
            if let Some(top) = SymmetricTop::of(moments) {
                let axes = [start.rotation, fly(0.0)].map(|q| top.direction(q));
                let momentum = top.momentum(omega, axes[0]);
                let of_top = FlightResponse::of_top(1.0, &top, axes, momentum, h);
                prop_assert!((of_top.turn * push - exact).length() < size);
            }
        }
    }
}
