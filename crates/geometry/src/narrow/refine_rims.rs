//! Newton's method on round rims and ellipsoids: normals as good as depths.
//!
//! GJK and EPA know A ⊖ B by its vertices, and converge on a curved surface when the *distance* is right: an
//! error δ of the normal changes that by δ² only, so the normal is left with the square root of the rounding.
//! But near the answer the surfaces are known: the points that carry the answer are corners or points of
//! rims, and a point of a rim is a smooth function of the normal. With such points aᵢ(n) of A and bⱼ(n) of B
//! the answer solves
//!
//!   n·aᵢ = p,   n·bⱼ = q,   Σ αᵢ aᵢ - Σ βⱼ bⱼ = (p - q) n,   Σ αᵢ = Σ βⱼ = 1,   |n| = 1,   αᵢ, βⱼ ≥ 0,
//!
//! and a few steps of Newton's method solve that to rounding, whether the cores overlap (p - q is the depth)
//! or not (q - p is the distance). Where bodies of revolution share an axis the answer is the same all around
//! and the system is singular: undetermined unknowns stay as they are.
//!
//! The residual measures an answer: |Σ αᵢ aᵢ - Σ βⱼ bⱼ - h(n) n| with h(n) = max n·w over all of A ⊖ B is
//! zero for the true one, and bounds the error of the distance.

use super::epa::across;
use super::gjk::VERTEX_ROUNDING;
use super::simplex::{Difference, Vertex};
use crate::shape::{Convex, Rim};
use gedanken_math::Vec3;

/// Maximum number of Newton's steps with one set of carriers: convergence is quadratic, but may start far
/// away.
const MAX_NEWTON_STEPS: u32 = 16;
/// Maximum number of sets of carriers that are tried.
const MAX_CARRIER_SETS: usize = 12;
/// Maximum angle by which the normal turns in a step.
const MAX_TURN: f64 = 0.25;
/// Smallest pivots relative to the first one; unknowns with smaller pivots are undetermined. The first allows
/// for rounding only, the second also for axes so nearly equal that the answer hardly depends on them.
const SINGULAR_PIVOTS: [f64; 2] = [1e-14, 1e-10];
/// Weights below zero by no more than this count as zero.
const WEIGHT_ROUNDING: f64 = 1e-11;
/// Maximum number of points of a body that carry an answer.
const MAX_CARRIERS: usize = 3;
/// Number of unknowns: two turns of the normal, p and q, all weights.
const UNKNOWNS: usize = 4 + 2 * MAX_CARRIERS;

/// An answer in A's frame.
#[derive(Debug, Clone, Copy)]
pub(super) struct Refined {
    pub(super) normal: Vec3,
    /// h(n): the depth if positive, minus the distance otherwise.
    pub(super) depth: f64,
    pub(super) point_a: Vec3,
    pub(super) point_b: Vec3,
    /// Residual: distance of the points from being the answer of this normal.
    pub(super) off: f64,
}

/// Returns an answer with its residual.
fn judge<A: Convex + ?Sized, B: Convex + ?Sized>(
    difference: &Difference<'_, A, B>,
    normal: Vec3,
    point_a: Vec3,
    point_b: Vec3,
) -> Refined {
    let depth = difference.support(normal).w.dot(normal);
    Refined { normal, depth, point_a, point_b, off: (point_a - point_b - normal * depth).length() }
}

/// Returns the answer that these vertices carry by their weights, along a normal; or one near it with better
/// witnesses and an h(n) that is no larger but for rounding. `None` where no vertex is on a rim: there is
/// nothing to refine.
pub(super) fn refine<A: Convex + ?Sized, B: Convex + ?Sized>(
    difference: &Difference<'_, A, B>,
    vertices: &[Vertex],
    weights: &[f64],
    normal: Vec3,
    size: f64,
) -> Option<Refined> {
    let rims_a = vertices.iter().any(|vertex| difference.a.rim(vertex.a).is_some());
    let rims_b = vertices.iter().any(|vertex| difference.b.rim(vertex.b).is_some());
    if !(rims_a || rims_b) {
        return None;
    }
    let (mut point_a, mut b) = (Vec3::ZERO, Vec3::ZERO);
    for (vertex, &weight) in vertices.iter().zip(weights) {
        point_a += vertex.a * weight;
        b += vertex.b * weight;
    }
    let known = judge(difference, normal, point_a, difference.b_to_a(b));
    // Good witnesses say little about the normal of a curved face: only Newton's method does. So any solution
    // that is as good as rounding allows is better than none.
    let enough = VERTEX_ROUNDING * size;
    let (mut best, mut solved) = (Refined { off: known.off.max(enough), ..known }, false);
    // A rim is a set of corners if the normal is along its axis: there the disc is flat. Only the result can
    // tell.
    for singular in SINGULAR_PIVOTS {
        for turning in [[true, true], [false, true], [true, false]] {
            if (!turning[0] && !rims_a) || (!turning[1] && !rims_b) || solved {
                continue;
            }
            let mut carriers = Carriers { difference, turning, singular, sides: [Side::EMPTY; 2] };
            for (vertex, &weight) in vertices.iter().zip(weights) {
                carriers.add(0, vertex.a, weight);
                carriers.add(1, vertex.b, weight);
            }
            if let Some(found) = carriers.solve(normal, size)
                && found.depth <= known.depth + enough
                && found.off <= best.off
            {
                best = found;
                solved = found.off <= enough;
            }
        }
    }
    Some(best)
}

/// A point that may run along a rim, in the frame of its body.
#[derive(Clone, Copy)]
struct Carrier {
    point: Vec3,
    rim: Option<Rim>,
    weight: f64,
}

/// Carriers of one body.
#[derive(Clone, Copy)]
struct Side {
    list: [Carrier; MAX_CARRIERS],
    len: usize,
}

impl Side {
    const EMPTY: Self =
        Self { list: [Carrier { point: Vec3::ZERO, rim: None, weight: 0.0 }; MAX_CARRIERS], len: 0 };

    fn carriers(&self) -> &[Carrier] {
        &self.list[..self.len]
    }

    fn find(&self, new: &Carrier) -> Option<usize> {
        let same = |old: &Carrier| old.rim == new.rim && (new.rim.is_some() || old.point == new.point);
        self.carriers().iter().position(same)
    }

    /// The carrier of least weight.
    fn least(&self) -> usize {
        let by_weight = |&i: &usize, &j: &usize| self.list[i].weight.total_cmp(&self.list[j].weight);
        (0..self.len).min_by(by_weight).unwrap_or(0)
    }

    /// Resets all weights to the same value: those from another set of carriers have no meaning.
    fn level(&mut self) {
        let weight = 1.0 / self.len as f64;
        self.list[..self.len].iter_mut().for_each(|carrier| carrier.weight = weight);
    }

    fn remove(&mut self, index: usize) {
        self.list.copy_within(index + 1..self.len, index);
        self.len -= 1;
    }
}

/// A carrier at some normal, in A's frame: the point, and its derivative Σ k t tᵀ.
#[derive(Clone, Copy)]
struct Value {
    point: Vec3,
    bend: f64,
    tangents: [Vec3; 2],
    /// Number of tangents: none for a corner, one for a curve, two for a surface.
    dimension: usize,
}

/// Carriers of both bodies.
struct Carriers<'d, 's, A: ?Sized, B: ?Sized> {
    difference: &'d Difference<'s, A, B>,
    /// `true` for A and for B if their rims turn with the normal.
    turning: [bool; 2],
    /// One of SINGULAR_PIVOTS.
    singular: f64,
    sides: [Side; 2],
}

impl<A: Convex + ?Sized, B: Convex + ?Sized> Carriers<'_, '_, A, B> {
    fn carrier(&self, side: usize, point: Vec3, weight: f64) -> Carrier {
        let rim = if side == 0 { self.difference.a.rim(point) } else { self.difference.b.rim(point) };
        Carrier { point, rim: rim.filter(|_| self.turning[side]), weight }
    }

    /// Adds a point with its weight: to its rim or corner, or as a new carrier, if need be in place of the
    /// least one.
    fn add(&mut self, side: usize, point: Vec3, weight: f64) {
        let new = self.carrier(side, point, weight);
        let side = &mut self.sides[side];
        if let Some(known) = side.find(&new) {
            side.list[known].weight += weight;
            return;
        }
        if side.len == MAX_CARRIERS {
            side.remove(side.least());
        }
        side.list[side.len] = new;
        side.len += 1;
    }

    /// Solves for the carriers of the answer: those of negative weight are removed, one that reaches farther
    /// is added.
    fn solve(&mut self, start: Vec3, size: f64) -> Option<Refined> {
        let mut best: Option<Refined> = None;
        for round in 0..MAX_CARRIER_SETS {
            // Always from the start: the wrong carriers may have led to the far side of a ring, where h is
            // largest.
            let normal = self.newton(start, size)?;
            // One at a time: without it the others may well be needed. Where both bodies have one to lose, in
            // turns: should the wrong one go, it comes back.
            let least = self.sides.map(|side| side.list[side.least()].weight);
            let both = least[0].max(least[1]) < -WEIGHT_ROUNDING;
            let side = if both { round % 2 } else { usize::from(least[1] < least[0]) };
            let side = &mut self.sides[side];
            if least[0].min(least[1]) < -WEIGHT_ROUNDING && side.len > 1 {
                side.remove(side.least());
                self.sides.iter_mut().for_each(Side::level);
                continue;
            }
            let mut changed = false;
            let mut points = [Vec3::ZERO; 2];
            for (side, point) in points.iter_mut().enumerate() {
                let mut total = 0.0;
                for carrier in self.sides[side].carriers() {
                    let weight = carrier.weight.max(0.0);
                    *point += self.value(side, carrier, normal)?.point * weight;
                    total += weight;
                }
                *point /= total;
            }
            let found = judge(self.difference, normal, points[0], points[1]);
            if best.is_none_or(|best| found.off < best.off) {
                best = Some(found);
            }
            let farthest = self.difference.support(normal);
            for (side, point) in [farthest.a, farthest.b].into_iter().enumerate() {
                if self.sides[side].find(&self.carrier(side, point, 0.0)).is_none() {
                    self.add(side, point, 0.0);
                    changed = true;
                }
            }
            if !changed || found.off <= VERTEX_ROUNDING * size {
                break;
            }
            self.sides.iter_mut().for_each(Side::level);
        }
        best
    }

    fn value(&self, side: usize, carrier: &Carrier, normal: Vec3) -> Option<Value> {
        let Carrier { point, rim, .. } = *carrier;
        let direction = if side == 0 { normal } else { self.difference.direction_to_b(-normal) };
        let mut value = Value { point, bend: 0.0, tangents: [Vec3::ZERO; 2], dimension: 0 };
        if let Some(rim) = rim {
            value = farthest(rim, direction)?;
        }
        if side == 1 {
            value.point = self.difference.b_to_a(value.point);
            value.tangents = value.tangents.map(|tangent| self.difference.rotation * tangent);
        }
        Some(value)
    }

    /// Newton's method for the normal and the weights, with these carriers. Lengths in units of the size.
    fn newton(&mut self, start: Vec3, size: f64) -> Option<Vec3> {
        let mut n = start;
        let mut heights: Option<[f64; 2]> = None;
        for _ in 0..MAX_NEWTON_STEPS {
            let axes = {
                let u = across(n);
                [u, n.cross(u)]
            };
            // Rows: the two components of Σ α a - Σ β b across n; by side, n·a = p and Σ α = 1. Columns: two
            // turns of n; by side, p and the weights.
            let mut rows = [[0.0; UNKNOWNS + 1]; UNKNOWNS];
            let (mut sums, mut place) = ([Vec3::ZERO; 2], 2);
            for (side, sum) in sums.iter_mut().enumerate() {
                for carrier in self.sides[side].carriers() {
                    let Value { point, bend, tangents, dimension } = self.value(side, carrier, n)?;
                    *sum += point / size * carrier.weight;
                    // Both bodies bend alike: b runs against n, and is subtracted.
                    for tangent in &tangents[..dimension] {
                        let t = axes.map(|axis| axis.dot(*tangent));
                        for (p, row) in rows.iter_mut().take(2).enumerate() {
                            row[0] += carrier.weight * bend / size * t[p] * t[0];
                            row[1] += carrier.weight * bend / size * t[p] * t[1];
                        }
                    }
                }
            }
            let way = sums[0] - sums[1];
            let along = n.dot(way);
            let heights = heights.get_or_insert(sums.map(|sum| n.dot(sum)));
            for (side, known) in heights.iter().enumerate() {
                let sign = if side == 0 { 1.0 } else { -1.0 };
                let (height, last) = (place, place + self.sides[side].len);
                let mut total = 0.0;
                for (i, carrier) in self.sides[side].carriers().iter().enumerate() {
                    let point = self.value(side, carrier, n)?.point / size;
                    for (p, axis) in axes.iter().enumerate() {
                        rows[p][height + 1 + i] = sign * axis.dot(point);
                        rows[height + i][p] = axis.dot(point);
                    }
                    rows[height + i][height] = -1.0;
                    rows[height + i][UNKNOWNS] = known - n.dot(point);
                    rows[last][height + 1 + i] = 1.0;
                    total += carrier.weight;
                }
                rows[last][UNKNOWNS] = 1.0 - total;
                place = last + 1;
            }
            for (p, axis) in axes.iter().enumerate() {
                // As n turns by x, the way turns out of the plane across n by (n · way) x.
                rows[p][p] -= along;
                rows[p][UNKNOWNS] = -axis.dot(way);
            }
            let step = eliminate(&mut rows, place, self.singular);
            let turn = (step[0] * step[0] + step[1] * step[1]).sqrt();
            let part = if turn > MAX_TURN { MAX_TURN / turn } else { 1.0 };
            n = (n + (axes[0] * step[0] + axes[1] * step[1]) * part).normalize_or(n);
            let (mut moved, mut place) = (turn, 2);
            for (side, height) in self.sides.iter_mut().zip(heights) {
                *height += step[place] * part;
                for carrier in &mut side.list[..side.len] {
                    place += 1;
                    carrier.weight += step[place] * part;
                    moved = moved.max(step[place].abs());
                }
                place += 1;
            }
            if !moved.is_finite() {
                return None;
            }
            if moved <= 4.0 * f64::EPSILON {
                break;
            }
        }
        Some(n)
    }
}

/// Returns the point of a rim farthest along a unit direction (body frame), its shift per turn, and the
/// directions of that shift; `None` along the axis of a circle, where it is any point.
fn farthest(rim: Rim, direction: Vec3) -> Option<Value> {
    match rim {
        Rim::Circle { radius, z } => {
            let flat = Vec3::new(direction.x, direction.y, 0.0);
            let length = flat.length();
            if length == 0.0 {
                return None;
            }
            let outward = flat / length;
            let tangent = Vec3::new(-outward.y, outward.x, 0.0);
            let point = outward * radius + Vec3::new(0.0, 0.0, z);
            Some(Value { point, bend: radius / length, tangents: [tangent, Vec3::ZERO], dimension: 1 })
        }
        Rim::Ellipsoid { semi_axes } => {
            // With S the semi-axes and u = S d/|S d|, the point is S u, and it moves by S (1 - u uᵀ) S/|S d|.
            let scaled = semi_axes * direction;
            let length = scaled.length();
            let unit = scaled.try_normalize()?;
            let one = across(unit);
            let tangents = [semi_axes * one, semi_axes * unit.cross(one)];
            Some(Value { point: semi_axes * unit, bend: 1.0 / length, tangents, dimension: 2 })
        }
    }
}

/// Gauss's elimination with full pivoting: unknowns that the rows do not determine are zero.
fn eliminate(rows: &mut [[f64; UNKNOWNS + 1]; UNKNOWNS], size: usize, singular: f64) -> [f64; UNKNOWNS] {
    let mut columns = core::array::from_fn::<usize, UNKNOWNS, _>(|column| column);
    let (mut first, mut rank) = (0.0f64, 0);
    while rank < size {
        let (mut row, mut column, mut pivot) = (rank, rank, 0.0);
        for (i, candidates) in rows.iter().enumerate().take(size).skip(rank) {
            for (j, &place) in columns.iter().enumerate().take(size).skip(rank) {
                if candidates[place].abs() > pivot {
                    (row, column, pivot) = (i, j, candidates[place].abs());
                }
            }
        }
        first = first.max(pivot);
        if pivot <= singular * first {
            break;
        }
        rows.swap(rank, row);
        columns.swap(rank, column);
        let above = rows[rank];
        for below in &mut rows[rank + 1..size] {
            let factor = below[columns[rank]] / above[columns[rank]];
            if factor != 0.0 {
                below.iter_mut().zip(above).for_each(|(x, y)| *x -= factor * y);
            }
        }
        rank += 1;
    }
    let mut solution = [0.0; UNKNOWNS];
    for i in (0..rank).rev() {
        let known: f64 = (i + 1..rank).map(|j| rows[i][columns[j]] * solution[columns[j]]).sum();
        solution[columns[i]] = (rows[i][UNKNOWNS] - known) / rows[i][columns[i]];
    }
    solution
}
