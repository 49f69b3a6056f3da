//! The derivative of a flight: how the constraints at its end answer to impulses at its start.
//!
//! N = J(q₁) P J(q₀)ᵀ, where P takes an impulse on a body at the start to the displacement at the end, per unit of time. It has
//! the blocks of J M⁻¹ Jᵀ and is nearly as large, but it is not symmetric: an LU factorisation in the same order. It only has to
//! be good enough for Newton's method to go fast, so small pivots do not matter.
//!
//! For the rotation, an impulse ℓ changes the angular momentum L by ℓ and the turn δφ by δφ̇ = W(ℓ − δφ × L), W being the inverse
//! inertia in the world frame. Hence δφ = h(1 + ½h W̄ [L]×) W̄ ℓ with the mean W̄ of the flight, up to (hω)².

use super::blocks::{invert_any, multiply, subtract_image, subtract_product, subtract_transposed};
use super::elimination::Elimination;
use crate::rigid::constraint::Row;
use crate::rigid::start::Mover;
use crate::rigid::twist::Twist;
use gedanken_algebra::rotation::{to_body, to_world};
use gedanken_algebra::{Mat3, Pose, Vec3};

/// P of one body.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Yield {
    pub(super) mass: f64,
    pub(super) turn: Mat3,
}

/// [v]×: the matrix of the cross product.
fn cross(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

impl Yield {
    /// Of a body that starts like this and flies for `h`.
    pub(super) fn of(mover: &Mover, start: Pose, omega: Vec3, h: f64) -> Self {
        let (mass, inertia) = (mover.inverse.mass, mover.inverse.inertia);
        if mass <= 0.0 {
            return Self::default();
        }
        let moments = mover.moments;
        let turn = if moments.x == moments.y && moments.y == moments.z {
            // With W = 1/I the series is that of the exponential map.
            let theta = cross(omega * h);
            (Mat3::IDENTITY + theta * (Mat3::IDENTITY * 0.5 + theta * (1.0 / 6.0))) * inertia.x_axis.x
        } else {
            let momentum = to_world(start.rotation, moments * to_body(start.rotation, omega));
            let spin = cross(omega * (0.5 * h));
            let mean = inertia + (spin * inertia - inertia * spin);
            (Mat3::IDENTITY + mean * cross(momentum * (0.5 * h))) * mean
        };
        Self { mass, turn }
    }

    pub(super) fn apply(&self, impulse: Twist) -> Twist {
        Twist::new(impulse.linear * self.mass, self.turn * impulse.angular)
    }
}

/// The factors of N.
#[derive(Debug, Clone, Default)]
pub(super) struct Flight {
    /// By row and end: P Jᵀ.
    pub(super) push: Vec<[Twist; 2]>,
    /// By mover.
    pub(super) yields: Vec<Yield>,
    diagonal: Vec<f64>,
    inverse: Vec<f64>,
    /// Blocks below the diagonal, and L.
    lower: Vec<f64>,
    low: Vec<f64>,
    /// Blocks above the diagonal, transposed.
    upper: Vec<f64>,
}

impl Flight {
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
            let Yield { mass, turn } = self.yields[mover as usize];
            let inverse = turn.inverse();
            block.fill(0.0);
            for i in 0..3 {
                block[i * 7] = -1.0 / mass;
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
