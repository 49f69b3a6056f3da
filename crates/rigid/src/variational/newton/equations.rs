//! The equations that Newton's method solves: bodies, rows of constraints in groups, and their conditions.

use crate::variational::block_lu::{Block, ZERO_BLOCK};
use gedanken_math::{Mat3, Twist};

/// In the place of a body that does not move by forces.
pub(crate) const FIXED: u32 = u32::MAX;

/// Kind of a group of rows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// c = 0.
    Equal,
    /// c ≥ 0.
    AtLeast,
    /// c = 0 with |λ| at most this.
    Driven(f64),
    /// Three rows: c_n ≥ 0, and friction across.
    Contact(Friction),
}

/// Radius of the disc of friction impulses.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Friction {
    /// μ λ_n.
    Coupled(f64),
    /// A given number, N·s.
    Lagged(f64),
    /// Any: pressed points do not slide.
    Unbounded,
}

/// One or three rows between the same bodies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Group {
    pub(crate) kind: Kind,
    /// Places of the bodies, or [`FIXED`].
    pub(crate) bodies: [u32; 2],
    /// The first of its rows.
    pub(crate) first: u32,
    /// Size of the bodies, m: residuals of feasibility are parts of it.
    pub(crate) size: f64,
    /// 1/K of the normal row and of the others: the impulse that moves the value by one.
    pub(crate) stiffness: [f64; 2],
    /// Multiple of the stiffness with which sliding counts while the iteration runs. Residuals take 1.
    pub(crate) stretch: f64,
}

impl Group {
    /// The group as residuals see it.
    pub(super) fn unstretched(&self) -> Self {
        Self { stretch: 1.0, ..*self }
    }

    /// ρ of the rows of friction.
    pub(super) fn sliding_stiffness(&self) -> f64 {
        self.stiffness[1] * self.stretch
    }

    pub(super) fn rows(&self) -> usize {
        if matches!(self.kind, Kind::Contact(_)) { 3 } else { 1 }
    }
}

/// One row.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Row {
    /// J: impulses on both bodies per λ.
    pub(crate) force: [Twist; 2],
    /// ∂c/∂x.
    pub(crate) slope: [Twist; 2],
    /// c.
    pub(crate) value: f64,
}

/// Units in which the balance of a body is judged.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Scale {
    /// An impulse, N·s.
    pub(crate) impulse: f64,
    /// A length, m.
    pub(crate) size: f64,
}

/// The equations at a motion.
#[derive(Debug, Default)]
pub(crate) struct Equations {
    /// e(x), by body.
    pub(crate) unbalanced: Vec<Twist>,
    /// ∂e/∂x on the diagonal, by body.
    pub(crate) diagonal: Vec<Block>,
    /// ∂e_i/∂x_j of laws that couple bodies.
    pub(crate) couplings: Vec<([u32; 2], Block)>,
    /// Groups of rows; their structure is fixed while an iteration runs.
    pub(crate) groups: Vec<Group>,
    pub(crate) rows: Vec<Row>,
    pub(crate) scales: Vec<Scale>,
}

/// M of one body, with its inertia in the world.
pub(crate) fn mass_block(mass: f64, inertia: &Mat3) -> Block {
    let mut block = ZERO_BLOCK;
    for i in 0..3 {
        block[i * 7] = mass;
        for j in 0..3 {
            block[(3 + i) * 6 + 3 + j] = inertia.col(j)[i];
        }
    }
    block
}

/// Something that Newton's method can be applied to.
pub(crate) trait Stage {
    /// Computes e, ∂e/∂x and all rows at x; multipliers are there for their share in ∂(Jᵀλ)/∂x.
    fn evaluate(&mut self, x: &[Twist], lambda: &[f64], equations: &mut Equations);

    /// Returns `true` if motions as large as these can be a solution.
    fn admits(&self, _x: &[Twist]) -> bool {
        true
    }
}

/// s = e - Jᵀλ.
pub(super) fn balance(equations: &Equations, lambda: &[f64], out: &mut Vec<Twist>) {
    out.clone_from(&equations.unbalanced);
    for group in &equations.groups {
        let first = group.first as usize;
        for (row, &lambda) in equations.rows[first..first + group.rows()].iter().zip(&lambda[first..]) {
            for side in 0..2 {
                if group.bodies[side] != FIXED {
                    out[group.bodies[side] as usize] -= row.force[side] * lambda;
                }
            }
        }
    }
}

/// Friction of a contact: z = λ_t - ρ c_t, and the radius of the disc.
pub(super) fn tangential(
    group: &Group,
    friction: Friction,
    equations: &Equations,
    lambda: &[f64],
) -> ([f64; 2], f64) {
    let (first, rho) = (group.first as usize, group.sliding_stiffness());
    let z = [1, 2].map(|k| lambda[first + k] - rho * equations.rows[first + k].value);
    let radius = match friction {
        Friction::Coupled(mu) => mu * lambda[first].max(0.0),
        Friction::Lagged(radius) => radius,
        Friction::Unbounded => {
            let holds = lambda[first] - group.stiffness[0] * equations.rows[first].value > 0.0;
            if holds { f64::INFINITY } else { 0.0 }
        }
    };
    (z, radius)
}

/// Differences between the multipliers of a group and what the conditions ask for, N·s.
pub(super) fn deviation(group: &Group, equations: &Equations, lambda: &[f64]) -> [f64; 3] {
    let first = group.first as usize;
    let (rho, value) = (group.stiffness[0], equations.rows[first].value);
    let pressed = lambda[first] - (lambda[first] - rho * value).max(0.0);
    match group.kind {
        Kind::Equal => [rho * value, 0.0, 0.0],
        Kind::AtLeast => [pressed, 0.0, 0.0],
        Kind::Driven(most) => [lambda[first] - (lambda[first] - rho * value).clamp(-most, most), 0.0, 0.0],
        Kind::Contact(friction) => {
            let (z, radius) = tangential(group, friction, equations, lambda);
            let length = (z[0] * z[0] + z[1] * z[1]).sqrt();
            let part = if length > radius { radius / length } else { 1.0 };
            [pressed, lambda[first + 1] - z[0] * part, lambda[first + 2] - z[1] * part]
        }
    }
}

pub(super) fn largest_impulse(equations: &Equations, lambda: &[f64]) -> f64 {
    let scales = equations.scales.iter().map(|scale| scale.impulse);
    let normals = equations.groups.iter().map(|group| lambda[group.first as usize].abs());
    scales.chain(normals).fold(f64::MIN_POSITIVE, f64::max)
}
