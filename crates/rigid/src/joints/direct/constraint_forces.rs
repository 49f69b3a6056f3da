//! Constraint forces at one instant, for integrators of accelerations.
//!
//! Newton's equations with multipliers, M a = F + Jᵀλ, and constraints that hold together with their
//! derivatives, C̈ + β Ċ + α C = 0 (@baumgarte1972), give
//!
//! J M⁻¹ Jᵀ λ = −J M⁻¹ F − J̇ v − β Ċ − α C,
//!
//! with F including the gyroscopic torque −ω × I ω.

use super::{Group, WORLD};
use crate::joints::constraint::{Configuration, Constraint, Sense};
use crate::world::solver_body::SolverBody;
use gedanken_math::rotation::{to_body, to_world};
use gedanken_math::{Pose, Twist};
use std::sync::Arc;

/// Equations that are violated by more than this part of what moves count as contradicting others.
const CONFLICT_RATIO: f64 = 1e-8;

/// Forces that keep constraints.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// λ, constraint by constraint, row by row, N or N·m.
    pub multipliers: Vec<f64>,
    /// The force and torque about the centre of each constraint on its two bodies.
    pub by_constraint: Vec<[Twist; 2]>,
    /// The force and torque about the centre of all constraints on each body.
    pub forces: Vec<Twist>,
    /// `true` if the equations hold, those of redundant rows included.
    pub converged: bool,
    /// The condition of J M⁻¹ Jᵀ on the rows that do not depend on others, in the 1-norm, estimated
    /// (@higham1988). One if there are none.
    pub condition: f64,
    /// The largest |C| of equations, or −C of limits below zero, m or rad.
    pub position_violation: f64,
    /// The largest |Ċ| of equations, or −Ċ of limits that are reached, m/s or rad/s.
    pub velocity_violation: f64,
    /// Constraints with rows that depend on others: these get no force, and the others hold them too.
    pub redundant: Vec<String>,
    /// Redundant constraints whose rows the others do not satisfy: no motion satisfies all.
    pub conflicting: Vec<String>,
}

/// The forces that keep these constraints on bodies under the forces that they carry.
///
/// Movers are found by their rows; a body that is not among them is the world.
#[must_use]
pub fn solve(constraints: &[Arc<dyn Constraint>], movers: &[SolverBody], time: f64) -> Solution {
    let place =
        |row: usize| movers.iter().position(|mover| mover.row as usize == row).map_or(WORLD, |k| k as u32);
    let ends = constraints.iter().map(|constraint| {
        let (a, b) = constraint.bodies();
        [place(a.row()), b.map_or(WORLD, |b| place(b.row()))]
    });
    let mut group = Group::default();
    group.rebuild(constraints.iter(), ends, movers);
    group.evaluate(movers, time);
    let mut rates = Vec::new();
    group.rates(movers, &mut rates);
    // Forces are impulses per time, so the solver of impulses serves, with accelerations in place of rates.
    let mut excess = group.accelerations(movers, time, &rates);
    let wanted: f64 = excess.iter().fold(0.0, |most, w| most.max(w.abs()));
    group.pivot_forces(&mut excess, movers);
    group.answer(movers.len());
    let mut solution = Solution {
        multipliers: group.impulses.clone(),
        by_constraint: (0..group.ends.len()).map(|c| group.impulse(c)).collect(),
        forces: vec![Twist::ZERO; movers.len()],
        converged: true,
        condition: group.condition(movers.len()),
        position_violation: group.violation(),
        velocity_violation: 0.0,
        redundant: group.redundant().map(|c| group.constraint(c).name().to_owned()).collect(),
        conflicting: Vec::new(),
    };
    for (c, ends) in group.ends.iter().enumerate() {
        for (force, end) in group.impulse(c).into_iter().zip(ends) {
            if let Some(sum) = solution.forces.get_mut(*end as usize) {
                *sum += force;
            }
        }
        let mut contradicts = false;
        for (k, row) in group.range(c).enumerate() {
            let left = excess[row] + group.vector[row];
            // Rows that the elimination dropped must follow from the others; if they do not, they contradict
            // them.
            let is_open = group.factored[c] >> k & 1 == 1;
            contradicts |= is_open && (left.is_nan() || left.abs() > CONFLICT_RATIO * wanted);
            let violation = match group.rows[row].sense {
                Sense::Equal => rates[row].abs(),
                Sense::AtLeast if group.rows[row].value <= super::projection::LIMIT_TOLERANCE => -rates[row],
                _ => 0.0,
            };
            solution.velocity_violation = solution.velocity_violation.max(violation);
        }
        if contradicts {
            solution.converged = false;
            if group.factors().kept(c) != group.factored[c] {
                solution.conflicting.push(group.constraint(c).name().to_owned());
            }
        }
    }
    solution
}

impl Group {
    /// Second derivatives of the rows without multipliers, less those that stabilisation asks for.
    fn accelerations(&mut self, movers: &[SolverBody], time: f64, rates: &[f64]) -> Vec<f64> {
        self.change.clear();
        self.change.extend(movers.iter().map(|mover| {
            let body = to_body(mover.pose.rotation, mover.twist.angular);
            let gyroscopic = to_world(mover.pose.rotation, body.cross(mover.moments * body));
            mover.inverse.apply(mover.force - Twist::new(gedanken_math::Vec3::ZERO, gyroscopic))
        }));
        let (mut drift, mut excess) = (Vec::new(), Vec::new());
        for (c, ends) in self.ends.iter().enumerate() {
            let pose = |end: u32| movers.get(end as usize).map_or(Pose::IDENTITY, |mover| mover.pose);
            let twist = |end: u32| movers.get(end as usize).map_or(Twist::ZERO, |mover| mover.twist);
            let force = |end: u32| self.change.get(end as usize).copied().unwrap_or_default();
            let at = Configuration { a: pose(ends[0]), b: pose(ends[1]), time };
            drift.clear();
            self.constraints[c].drift(&at, twist(ends[0]), twist(ends[1]), &mut drift);
            let gains = self.constraints[c].gains();
            for (k, row) in self.range(c).enumerate() {
                let there = &self.rows[row];
                let (rate, value) = match there.sense {
                    Sense::Driven { speed, .. } => (rates[row] - speed, 0.0),
                    _ => (rates[row], there.value),
                };
                excess.push(
                    there.a.dot(force(ends[0]))
                        + there.b.dot(force(ends[1]))
                        + drift.get(k).copied().unwrap_or(0.0)
                        + gains.beta * rate
                        + gains.alpha * value,
                );
            }
        }
        excess
    }

    /// ‖A‖₁ ‖A⁻¹‖₁ on the rows in use, each norm estimated by following where it is attained (@hager1984).
    fn condition(&mut self, count: usize) -> f64 {
        let mut kept: Vec<usize> = Vec::new();
        for c in 0..self.len() {
            kept.extend(self.range(c).enumerate().filter(|(k, _)| self.is_kept(c, *k)).map(|(_, row)| row));
        }
        if kept.is_empty() {
            return 1.0;
        }
        let impulses = self.impulses.clone();
        let apply = |group: &mut Self, x: &[f64]| {
            group.impulses.fill(0.0);
            kept.iter().zip(x).for_each(|(&row, x)| group.impulses[row] = *x);
            group.answer(count);
            kept.iter().map(|&row| group.vector[row]).collect::<Vec<_>>()
        };
        let there = norm(kept.len(), |x| apply(self, x));
        let solved = |group: &mut Self, x: &[f64]| {
            group.vector.clear();
            group.vector.resize(group.rows.len(), 0.0);
            kept.iter().zip(x).for_each(|(&row, x)| group.vector[row] = *x);
            group.solve_vector();
            kept.iter().map(|&row| group.vector[row]).collect::<Vec<_>>()
        };
        let back = norm(kept.len(), |x| solved(self, x));
        self.impulses = impulses;
        self.answer(count);
        there * back
    }
}

/// The 1-norm of a symmetric matrix of which only products are known, estimated from below: from the mean of
/// all columns to the column at which the norm grows fastest, until it grows no more; and once with a vector
/// of alternating signs, which catches what cancels.
fn norm(n: usize, mut product: impl FnMut(&[f64]) -> Vec<f64>) -> f64 {
    let size = |y: &[f64]| y.iter().fold(0.0, |sum, y| sum + y.abs());
    let mut x = vec![1.0 / n as f64; n];
    let (mut best, mut column) = (0.0, None);
    for _ in 0..6 {
        let y = product(&x);
        if size(&y) <= best {
            break;
        }
        best = size(&y);
        let signs: Vec<f64> = y.iter().map(|y| if *y < 0.0 { -1.0 } else { 1.0 }).collect();
        let slope = product(&signs);
        let steepest = (0..n).fold(0, |most, k| if slope[k].abs() > slope[most].abs() { k } else { most });
        if column == Some(steepest) {
            break;
        }
        column = Some(steepest);
        x.fill(0.0);
        x[steepest] = 1.0;
    }
    let alternating: Vec<f64> = (0..n)
        .map(|k| {
            let size = 1.0 + k as f64 / (n.max(2) - 1) as f64;
            if k % 2 == 0 { size } else { -size }
        })
        .collect();
    best.max(2.0 * size(&product(&alternating)) / (3.0 * n as f64))
}
