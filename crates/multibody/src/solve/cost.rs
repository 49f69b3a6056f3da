//! The cost s of constraints, and the forces −∂s.
//!
//! Per row with excess x = J a − a_ref: an equality costs ½ D x²; dry friction the same up to its largest
//! force, then linearly (Huber's function); limits, frictionless contacts and edges of pyramids ½ D x² for
//! x < 0 only. An elliptic contact costs ½ D times the square of the distance to its dual cone, after scaling.

use crate::constraints::rows::{Block, RowKind, Rows, product};

/// Where a row stands on its cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Zone {
    /// No force.
    #[default]
    Idle,
    /// Force proportional to the excess.
    Quadratic,
    /// Dry friction at its largest force, which is positive.
    LinearLow,
    /// Dry friction at its largest force, which is negative.
    LinearHigh,
    /// An elliptic contact that slides.
    Sliding,
}

/// Returns the cost, and writes forces and zones.
pub fn evaluate(rows: &Rows, excess: &[f64], forces: &mut [f64], zones: &mut [Zone]) -> f64 {
    let [blocks, first] = rows.before_pushing;
    let mut cost =
        push(&rows.stiffness[first..], &excess[first..], &mut forces[first..], &mut zones[first..]);
    for block in &rows.blocks[..blocks] {
        let all = block.first..block.first + block.count;
        match block.kind {
            RowKind::Equality => {
                for row in all {
                    forces[row] = -rows.stiffness[row] * excess[row];
                    zones[row] = Zone::Quadratic;
                    cost -= 0.5 * forces[row] * excess[row];
                }
            }
            RowKind::FrictionLoss | RowKind::Motor => {
                let row = block.first;
                let (d, largest) = (rows.stiffness[row], rows.friction_losses[row]);
                let [at, force, _] = friction(d, largest, excess[row]);
                cost += at;
                forces[row] = force;
                zones[row] = match () {
                    () if excess[row] * d <= -largest => Zone::LinearLow,
                    () if excess[row] * d >= largest => Zone::LinearHigh,
                    () => Zone::Quadratic,
                };
            }
            RowKind::Limit | RowKind::Inequality | RowKind::Frictionless | RowKind::PyramidEdge => {
                let d = &rows.stiffness[all.clone()];
                cost += push(d, &excess[all.clone()], &mut forces[all.clone()], &mut zones[all]);
            }
            RowKind::Elliptic => {
                let (at, zone) = elliptic(rows, block, &excess[all.clone()], &mut forces[all.clone()]);
                cost += at;
                zones[all].fill(zone);
            }
        }
    }
    cost
}

/// Cost, forces and zones of rows that push only. Without branches, for the signs follow no rule.
fn push(stiffness: &[f64], excess: &[f64], forces: &mut [f64], zones: &mut [Zone]) -> f64 {
    for (((d, x), force), zone) in stiffness.iter().zip(excess).zip(&mut *forces).zip(zones) {
        let pushes = *x < 0.0;
        *force = if pushes { -d * x } else { 0.0 };
        *zone = if pushes { Zone::Quadratic } else { Zone::Idle };
    }
    -0.5 * product(forces, excess)
}

/// First and second derivative of the cost of all rows from `first` on, which push only.
pub(super) fn pushing_along(
    rows: &Rows,
    first: usize,
    excess: &[f64],
    slope: &[f64],
    alpha: f64,
) -> [f64; 2] {
    // Four sums of each, which the machine can take at once.
    let (mut ones, mut twos) = ([0.0; 4], [0.0; 4]);
    let (d, x, s) = (&rows.stiffness[first..], &excess[first..], &slope[first..]);
    let (d4, x4, s4) = (d.chunks_exact(4), x.chunks_exact(4), s.chunks_exact(4));
    let rest = d4.remainder().iter().zip(x4.remainder()).zip(s4.remainder());
    for (k, ((d, x), s)) in rest.enumerate() {
        let at = x + alpha * s;
        let pull = if at < 0.0 { d * s } else { 0.0 };
        ones[k] += pull * at;
        twos[k] += pull * s;
    }
    for ((d, x), s) in d4.zip(x4).zip(s4) {
        for k in 0..4 {
            let at = x[k] + alpha * s[k];
            let pull = if at < 0.0 { d[k] * s[k] } else { 0.0 };
            ones[k] += pull * at;
            twos[k] += pull * s[k];
        }
    }
    [(ones[0] + ones[1]) + (ones[2] + ones[3]), (twos[0] + twos[1]) + (twos[2] + twos[3])]
}

/// Change of the cost of all rows from `first` on, which push only, from `excess` to `excess` + α `slope`.
pub(super) fn pushing_change(rows: &Rows, first: usize, excess: &[f64], slope: &[f64], alpha: f64) -> f64 {
    let of = |x: f64| if x < 0.0 { x * x } else { 0.0 };
    let rows = rows.stiffness[first..].iter().zip(&excess[first..]).zip(&slope[first..]);
    rows.map(|((d, x), s)| 0.5 * d * (of(x + alpha * s) - of(*x))).sum()
}

/// Cost of dry friction, its force, and the slope of the force's opposite.
fn friction(d: f64, largest: f64, excess: f64) -> [f64; 3] {
    if excess * d <= -largest {
        [-0.5 * largest * largest / d - largest * excess, largest, 0.0]
    } else if excess * d >= largest {
        [-0.5 * largest * largest / d + largest * excess, -largest, 0.0]
    } else {
        [0.5 * d * excess * excess, -d * excess, d]
    }
}

/// An elliptic contact in the coordinates in which its cone is round: normal N, length T of the tangents U.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundCone {
    pub(super) tangents: [f64; 5],
    pub(super) normal: f64,
    pub(super) slide: f64,
    pub(super) zone: Zone,
}

impl RoundCone {
    pub(super) fn new(block: &Block, excess: &[f64]) -> Self {
        let mu = block.cone[0];
        let mut tangents = [0.0; 5];
        for k in 0..block.count - 1 {
            tangents[k] = excess[k + 1] * block.cone[k + 1];
        }
        let normal = excess[0] * mu;
        let slide = tangents.iter().map(|it| it * it).sum::<f64>().sqrt();
        let zone = if normal >= mu * slide {
            Zone::Idle
        } else if mu * normal + slide <= 0.0 {
            Zone::Quadratic
        } else {
            Zone::Sliding
        };
        Self { tangents, normal, slide, zone }
    }

    /// Stiffness of the distance N − μ T in the sliding zone.
    pub(super) fn stiffness(block: &Block, rows: &Rows) -> f64 {
        let mu = block.cone[0];
        rows.stiffness[block.first] / (mu * mu * (1.0 + mu * mu))
    }
}

fn elliptic(rows: &Rows, block: &Block, excess: &[f64], forces: &mut [f64]) -> (f64, Zone) {
    let cone = RoundCone::new(block, excess);
    let mut cost = 0.0;
    match cone.zone {
        Zone::Quadratic => {
            for (k, force) in forces.iter_mut().enumerate() {
                *force = -rows.stiffness[block.first + k] * excess[k];
                cost -= 0.5 * *force * excess[k];
            }
        }
        Zone::Sliding => {
            let mu = block.cone[0];
            let stiffness = RoundCone::stiffness(block, rows);
            let distance = cone.normal - mu * cone.slide;
            cost = 0.5 * stiffness * distance * distance;
            forces[0] = -stiffness * distance * mu;
            for k in 1..forces.len() {
                forces[k] = -forces[0] / cone.slide * cone.tangents[k - 1] * block.cone[k];
            }
        }
        _ => forces.fill(0.0),
    }
    (cost, cone.zone)
}

/// Writes the Hessian of a sliding contact in its own components, row by row.
pub(super) fn sliding_hessian(rows: &Rows, block: &Block, excess: &[f64], out: &mut [[f64; 6]; 6]) {
    let cone = RoundCone::new(block, excess);
    let mu = block.cone[0];
    let stiffness = RoundCone::stiffness(block, rows);
    let (n, t) = (cone.normal, cone.slide);
    let scale = |k: usize| block.cone[k];
    let u = |k: usize| cone.tangents[k - 1];
    for (k, line) in out.iter_mut().enumerate().take(block.count) {
        for (j, entry) in line.iter_mut().enumerate().take(block.count) {
            let round = match (k, j) {
                (0, 0) => 1.0,
                (0, j) => -mu / t * u(j),
                (k, 0) => -mu / t * u(k),
                (k, j) => {
                    let outer = mu * n / (t * t * t) * u(k) * u(j);
                    if k == j { outer + (mu * mu - mu * n / t) } else { outer }
                }
            };
            *entry = stiffness * round * scale(k) * scale(j);
        }
    }
}

/// First and second derivative of the cost of a block along x = `excess` + α `slope`, beside equalities.
pub(super) fn along(rows: &Rows, block: &Block, excess: &[f64], slope: &[f64], alpha: f64) -> [f64; 2] {
    let mut found = [0.0, 0.0];
    match block.kind {
        RowKind::Equality => {
            for row in block.first..block.first + block.count {
                let (d, x) = (rows.stiffness[row], excess[row] + alpha * slope[row]);
                found[0] += d * x * slope[row];
                found[1] += d * slope[row] * slope[row];
            }
        }
        RowKind::FrictionLoss | RowKind::Motor => {
            let row = block.first;
            let x = excess[row] + alpha * slope[row];
            let [_, force, stiffness] = friction(rows.stiffness[row], rows.friction_losses[row], x);
            found = [-force * slope[row], stiffness * slope[row] * slope[row]];
        }
        RowKind::Limit | RowKind::Inequality | RowKind::Frictionless | RowKind::PyramidEdge => {
            for row in block.first..block.first + block.count {
                let x = excess[row] + alpha * slope[row];
                if x < 0.0 {
                    let d = rows.stiffness[row];
                    found[0] += d * x * slope[row];
                    found[1] += d * slope[row] * slope[row];
                }
            }
        }
        RowKind::Elliptic => return elliptic_along(rows, block, excess, slope, alpha),
    }
    found
}

fn elliptic_along(rows: &Rows, block: &Block, excess: &[f64], slope: &[f64], alpha: f64) -> [f64; 2] {
    let mut x = [0.0; 6];
    let slope = &slope[block.first..block.first + block.count];
    for (k, value) in x.iter_mut().enumerate().take(block.count) {
        *value = excess[block.first + k] + alpha * slope[k];
    }
    let cone = RoundCone::new(block, &x[..block.count]);
    match cone.zone {
        Zone::Quadratic => {
            let mut found = [0.0, 0.0];
            for k in 0..block.count {
                let d = rows.stiffness[block.first + k];
                found[0] += d * x[k] * slope[k];
                found[1] += d * slope[k] * slope[k];
            }
            found
        }
        Zone::Sliding => {
            let mu = block.cone[0];
            let (mut along, mut across) = (0.0, 0.0);
            for (k, slope) in slope.iter().enumerate().skip(1) {
                let rate = slope * block.cone[k];
                along += cone.tangents[k - 1] * rate;
                across += rate * rate;
            }
            let t = cone.slide;
            let first = along / t;
            let second = across / t - along * along / (t * t * t);
            let distance = cone.normal - mu * t;
            let rate = slope[0] * mu - mu * first;
            let stiffness = RoundCone::stiffness(block, rows);
            [stiffness * distance * rate, stiffness * (rate * rate - distance * mu * second)]
        }
        _ => [0.0, 0.0],
    }
}

/// Change of the cost of a block from `excess` to `excess` + α `slope`.
///
/// Within one zone the change is computed from the step, not as a difference of two costs: near the minimum it
/// is smaller than their rounding.
pub(super) fn change(rows: &Rows, block: &Block, excess: &[f64], slope: &[f64], alpha: f64) -> f64 {
    let all = block.first..block.first + block.count;
    match block.kind {
        RowKind::Elliptic => elliptic_change(rows, block, &excess[all.clone()], &slope[all], alpha),
        RowKind::FrictionLoss | RowKind::Motor => {
            let row = block.first;
            let (d, largest) = (rows.stiffness[row], rows.friction_losses[row]);
            let step = alpha * slope[row];
            let [before, force, stiffness] = friction(d, largest, excess[row]);
            let [after, last_force, last_stiffness] = friction(d, largest, excess[row] + step);
            if force == last_force || (stiffness > 0.0 && last_stiffness > 0.0) {
                -step * 0.5 * (force + last_force)
            } else {
                after - before
            }
        }
        kind => {
            let acts = |x: f64| kind == RowKind::Equality || x < 0.0;
            let of = |row: usize| {
                let (d, x, step) = (rows.stiffness[row], excess[row], alpha * slope[row]);
                match (acts(x), acts(x + step)) {
                    (true, true) => d * step * (x + 0.5 * step),
                    (true, false) => -0.5 * d * x * x,
                    (false, true) => 0.5 * d * (x + step) * (x + step),
                    (false, false) => 0.0,
                }
            };
            all.map(of).sum()
        }
    }
}

/// The same for an elliptic contact.
fn elliptic_change(rows: &Rows, block: &Block, excess: &[f64], slope: &[f64], alpha: f64) -> f64 {
    let mut moved = [0.0; 6];
    for (k, value) in moved.iter_mut().enumerate().take(block.count) {
        *value = excess[k] + alpha * slope[k];
    }
    let moved = &moved[..block.count];
    let (before, after) = (RoundCone::new(block, excess), RoundCone::new(block, moved));
    match (before.zone, after.zone) {
        (Zone::Quadratic, Zone::Quadratic) => {
            let of = |k: usize| rows.stiffness[block.first + k] * slope[k] * (excess[k] + moved[k]);
            0.5 * alpha * (0..block.count).map(of).sum::<f64>()
        }
        (Zone::Sliding, Zone::Sliding) => {
            let mu = block.cone[0];
            // T² changes by (U' − U)·(U' + U), and T' − T is that over T' + T.
            let of = |k: usize| {
                let rate = slope[k] * block.cone[k];
                rate * (before.tangents[k - 1] + after.tangents[k - 1])
            };
            let slide = alpha * (1..block.count).map(of).sum::<f64>() / (before.slide + after.slide);
            let distances = before.normal - mu * before.slide + (after.normal - mu * after.slide);
            0.5 * RoundCone::stiffness(block, rows) * (alpha * slope[0] * mu - mu * slide) * distances
        }
        _ => {
            let mut forces = [0.0; 6];
            let forces = &mut forces[..block.count];
            elliptic(rows, block, moved, forces).0 - elliptic(rows, block, excess, forces).0
        }
    }
}
