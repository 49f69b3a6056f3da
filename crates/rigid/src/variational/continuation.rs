//! The right solution among several: where laws pull the harder the nearer bodies come.
//!
//! A potential that is bounded below and convex enough over a step has one stationary point, and Newton's
//! method finds it. -G m₁m₂/r has others, where bodies have all but fallen into each other, and none at all if
//! the step is too long. The right one continues the motion without forces (the prediction) as the strength
//! s of the laws grows from 0 to 1. On that branch inertia outweighs the laws: with K the symmetric part of
//! ∂F/∂x,
//!
//! M/h - share h K   is positive definite for every body and every pair of bodies that a law couples,
//!
//! for it is at s = 0 and the branch ends where it ceases to be. So this is what is checked after every solved
//! step with laws. Only if it fails, or if Newton's method does, s is raised in strides, each of which begins
//! where the last one ended. If that fails too the step is refused, and the law and its bodies are named.
//! Bodies on joints are not checked: what a joint takes up does not run away.
//!
//! A pair may also jump across each other between two evaluations. Where bodies with a law between them pass
//! within a tenth of their distances before and after, forces are looked at on the way: an attraction that
//! outweighs their kinetic energy there would have turned them, and the step is refused.

use super::block_lu::{Block, ZERO_BLOCK};
use super::law_field::LawField;
use super::newton::{Equations, Newton, Outcome, Stage as _, worst_of};
use super::settings::Order;
use super::stages::{Island, Positions};
use crate::joints::direct::WORLD;
use gedanken_dynamics::{Strain, StrainKind};
use gedanken_math::linalg::{DenseMatrix, cholesky};
use gedanken_math::{Cancel, Twist};
use std::collections::BTreeMap;
use std::sync::Arc;

/// First and least growth of the strength in one stride.
const FIRST_STRIDE: f64 = 0.25;
const MIN_STRIDE: f64 = 1.0 / 256.0;
/// The most strides, also those that are taken back.
const MAX_STRIDES: u32 = 40;
/// Residual above which a step is refused if its laws are to blame. Below, the report says that the step has
/// not converged.
const REFUSED_ABOVE: f64 = 1e-6;
/// Part of inertia that laws have used up where a branch is about to end.
const NEARLY_USED: f64 = 0.5;
/// Distance of closest approach, in parts of the distances before and after, at which a pair is looked at.
const NEAR_PASS: f64 = 0.1;
/// Number of halvings of the way to the closest approach at which forces are looked at.
const LOOKS: i32 = 10;

/// A law that a step cannot follow, with the rows of its bodies.
#[derive(Debug)]
pub(super) struct Stuck {
    law: Arc<str>,
    rows: Vec<u32>,
    kind: StrainKind,
}

impl Stuck {
    /// The same with the names of the bodies.
    pub(super) fn named(self, name: impl Fn(u32) -> String) -> Strain {
        Strain { law: self.law, bodies: self.rows.into_iter().map(name).collect(), kind: self.kind }
    }
}

/// Solves the equations of positions from the present motion, or else by continuation from the prediction.
pub(super) fn solve(
    newton: &mut Newton,
    stage: &mut Positions<'_>,
    equations: &mut Equations,
    prediction: &[Twist],
    cancel: &Cancel,
) -> Result<Outcome, Stuck> {
    let lambda = if stage.laws.is_some() { newton.lambda.clone() } else { Vec::new() };
    let mut outcome = newton.solve(stage, equations, cancel);
    let island = stage.island;
    // What has no force at all is told by the law itself, and a cancelled step is thrown away.
    let Some(laws) = stage.laws.as_deref_mut().filter(|laws| !laws.has_failed() && !cancel.is_asked()) else {
        return Ok(outcome);
    };
    let is_right = |outcome: &Outcome, laws: &LawField| {
        outcome.residuals.has_converged() && overpowered(island, laws, 0.0).is_none()
    };
    if !is_right(&outcome, laws) {
        let found = (newton.x.clone(), newton.lambda.clone());
        newton.x.clear();
        newton.x.extend_from_slice(prediction);
        newton.lambda.clone_from(&lambda);
        match follow(newton, stage, equations, cancel) {
            Some(steps) => outcome = Outcome { steps: outcome.steps + steps.steps, ..steps },
            None => {
                let end = stage.laws.as_deref_mut().and_then(|laws| branch_end(island, laws, prediction));
                (newton.x, newton.lambda) = found;
                let worst = worst_of(&outcome.residuals);
                let is_wrong = if outcome.residuals.has_converged() {
                    true
                } else {
                    (worst > REFUSED_ABOVE || worst.is_nan())
                        && laws_are_to_blame(newton, stage, equations, cancel)
                };
                stage.evaluate(&newton.x, &newton.lambda, equations);
                if is_wrong && !cancel.is_asked() {
                    return Err(end.unwrap_or_else(|| jump(newton, stage, equations)));
                }
            }
        }
    }
    match stage.laws.as_deref_mut().and_then(|laws| passed_through(island, laws, &newton.x)) {
        Some(stuck) => Err(stuck),
        None => Ok(outcome),
    }
}

/// Raises the strength of the laws from nothing, as far as the solution can be followed. `None` if it ends
/// before the whole strength; the laws have then been asked, with all of it, at the last solution.
fn follow(
    newton: &mut Newton,
    stage: &mut Positions<'_>,
    equations: &mut Equations,
    cancel: &Cancel,
) -> Option<Outcome> {
    let (mut reached, mut stride, mut steps) = (0.0, FIRST_STRIDE, 0);
    for _ in 0..MAX_STRIDES {
        let strength = f64::min(reached + stride, 1.0);
        let kept = (newton.x.clone(), newton.lambda.clone());
        set_strength(stage, strength);
        let outcome = newton.solve_nearby(stage, equations, cancel);
        steps += outcome.steps;
        let is_right = stage.laws.as_deref().is_some_and(|laws| {
            let converged = outcome.residuals.has_converged() && !laws.has_failed();
            converged && overpowered(stage.island, laws, 0.0).is_none()
        });
        if is_right && strength == 1.0 {
            return Some(Outcome { steps, ..outcome });
        }
        if is_right {
            (reached, stride) = (strength, 1.5 * stride);
        } else {
            (newton.x, newton.lambda) = kept;
            stride *= 0.5;
        }
        if stride < MIN_STRIDE || cancel.is_asked() {
            break;
        }
    }
    set_strength(stage, 1.0);
    stage.evaluate(&newton.x, &newton.lambda, equations);
    None
}

fn set_strength(stage: &mut Positions<'_>, strength: f64) {
    if let Some(laws) = stage.laws.as_deref_mut() {
        laws.set_strength(strength);
    }
}

/// Returns `true` if the step can be solved with the forces of the laws at the present motion, wherever it
/// leads: then it is not contacts that cannot be solved.
fn laws_are_to_blame(
    newton: &mut Newton,
    stage: &mut Positions<'_>,
    equations: &mut Equations,
    cancel: &Cancel,
) -> bool {
    let kept = (newton.x.clone(), newton.lambda.clone());
    stage.evaluate(&newton.x, &newton.lambda, equations);
    let forces = stage.forces_now().to_vec();
    if !forces.iter().all(|force| force.is_finite()) {
        return true;
    }
    let freeze = |stage: &mut Positions<'_>, forces| {
        if let Some(laws) = stage.laws.as_deref_mut() {
            laws.freeze(forces);
        }
    };
    freeze(stage, Some(forces));
    let outcome = newton.solve(stage, equations, cancel);
    freeze(stage, None);
    (newton.x, newton.lambda) = kept;
    outcome.residuals.has_converged()
}

/// The law and the bodies at which a branch ends, if it ends because inertia no longer outweighs a law.
fn branch_end(island: &Island<'_>, laws: &mut LawField, prediction: &[Twist]) -> Option<Stuck> {
    let Some(bodies) = overpowered(island, laws, NEARLY_USED) else {
        return passed_through(island, laws, prediction);
    };
    let rows = bodies.iter().map(|&body| island.bodies[body as usize].row).collect();
    Some(Stuck { law: laws.blame(&bodies), rows, kind: StrainKind::Runaway })
}

/// The law that most likely keeps the least balanced body from its balance.
fn jump(newton: &mut Newton, stage: &mut Positions<'_>, equations: &Equations) -> Stuck {
    let body = newton.least_balanced(equations).unwrap_or(0);
    let rows = stage.island.bodies.get(body as usize).map(|body| body.row).into_iter().collect();
    let law = stage.laws.as_deref_mut().map_or_else(|| "laws".into(), |laws| laws.blame(&[body]));
    Stuck { law, rows, kind: StrainKind::Jump }
}

/// The first body, with its nearest partner, or pair of bodies for which laws outweigh inertia after a part
/// of it is set aside.
fn overpowered(island: &Island<'_>, laws: &LawField, set_aside: f64) -> Option<Vec<u32>> {
    let mut sums: BTreeMap<[u32; 2], Block> = BTreeMap::new();
    for (pair, block) in laws.last_slopes() {
        let sum = sums.entry(*pair).or_insert(ZERO_BLOCK);
        sum.iter_mut().zip(block).for_each(|(sum, entry)| *sum += entry);
    }
    let mut on_joint = vec![false; island.movable];
    for end in island.joints.iter().flat_map(|joint| joint.ends).filter(|end| *end != WORLD) {
        if let Some(mine) = on_joint.get_mut(end as usize) {
            *mine = true;
        }
    }
    let outweighs = |bodies: &[u32]| inertia_outweighs(island, &sums, bodies, 1.0 - set_aside);
    let strongest = |body: u32| {
        let pairs = sums.iter().filter(|([i, j], _)| *i == body && *j != body);
        let size = |block: &Block| block.iter().fold(0.0, |most: f64, entry| most.max(entry.abs()));
        let mut most: Option<(f64, u32)> = None;
        for ([_, j], block) in pairs {
            if most.is_none_or(|(largest, _)| size(block) > largest) {
                most = Some((size(block), *j));
            }
        }
        most.map(|(_, partner)| partner)
    };
    for [i, j] in sums.keys().copied().filter(|[i, j]| i <= j) {
        if on_joint[i as usize] || on_joint[j as usize] {
            continue;
        }
        if i == j && !outweighs(&[i]) {
            let mut bodies = vec![i];
            bodies.extend(strongest(i));
            bodies.sort_unstable();
            return Some(bodies);
        }
        if i != j && !outweighs(&[i, j]) {
            return Some(vec![i, j]);
        }
    }
    None
}

/// Returns `true` if a part of the inertia of one or two bodies outweighs the laws on them.
fn inertia_outweighs(
    island: &Island<'_>,
    sums: &BTreeMap<[u32; 2], Block>,
    bodies: &[u32],
    part: f64,
) -> bool {
    let h = island.h;
    let share = if island.method.order == Order::Second { 0.5 * h } else { h };
    // A point without moments of inertia does not turn.
    let rows = bodies.iter().flat_map(|&body| {
        let moments = island.bodies[body as usize].moments;
        (0..if moments.min_element() > 0.0 { 6 } else { 3 }).map(move |k| (body, k))
    });
    let rows: Vec<(u32, usize)> = rows.collect();
    let slope = |(i, row): (u32, usize), (j, column): (u32, usize)| {
        sums.get(&[i, j]).map_or(0.0, |block| block[row * 6 + column])
    };
    let inertia = |(i, row): (u32, usize), (j, column): (u32, usize)| {
        let body = i as usize;
        match (i == j, row < 3, column < 3) {
            (true, true, true) if row == column => island.bodies[body].mass,
            (true, false, false) => island.inertias[body].col(column - 3)[row - 3],
            _ => 0.0,
        }
    };
    let matrix = DenseMatrix::from_fn(rows.len(), rows.len(), |i, j| {
        let (i, j) = (rows[i], rows[j]);
        inertia(i, j) * (part / h) - share * 0.5 * (slope(i, j) + slope(j, i))
    });
    cholesky(&matrix).is_some()
}

/// A pair that jumps across each other although the attraction between them would not have let it.
fn passed_through(island: &Island<'_>, laws: &mut LawField, x: &[Twist]) -> Option<Stuck> {
    let mut partners = laws.partners().to_vec();
    partners.sort_unstable();
    partners.dedup();
    let mut forces = Vec::new();
    for [a, b] in partners {
        let (Some(way_a), Some(way_b), Some(place)) =
            (laws.way(island, x, a), laws.way(island, x, b), laws.place(a))
        else {
            continue;
        };
        let (from, way) = (way_a[0] - way_b[0], way_a[1] - way_b[1]);
        let square = way.length_squared();
        let nearest = -from.dot(way) / square;
        if !(nearest > 0.0 && nearest < 1.0) {
            continue;
        }
        let least = (from + way * nearest).length();
        if least > NEAR_PASS * from.length().min((from + way).length()) {
            continue;
        }
        let mass = |row: u32| laws.place(row).map_or(f64::INFINITY, |it| island.bodies[it as usize].mass);
        let reduced = 1.0 / (1.0 / mass(a) + 1.0 / mass(b));
        let kinetic = 0.5 * reduced * square / (island.h * island.h);
        laws.forces_on_the_way(island, x, 0.0, &mut forces);
        let at_start = forces[place as usize].linear;
        // The depth of the attraction is about the distance times the force, beyond that at the start.
        let start_depth = (-at_start.dot(from)).max(0.0);
        for halving in 3..LOOKS {
            let part = nearest * (1.0 - libm::ldexp(1.0, -halving));
            laws.forces_on_the_way(island, x, part, &mut forces);
            let depth = -(forces[place as usize].linear - at_start).dot(from + way * part);
            if depth > kinetic && depth > start_depth {
                let law = laws.blame(&[place]);
                let mut rows = vec![a, b];
                rows.sort_unstable();
                return Some(Stuck { law, rows, kind: StrainKind::Runaway });
            }
        }
    }
    None
}
