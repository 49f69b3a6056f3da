//! Linear pieces of the conditions of a group: dλ = d - W dc.
//!
//! Every condition is piecewise smooth. A piece is its linearisation at the present motion and multipliers, in
//! the set of conditions (pressed or not, sticking or sliding) in which these are.

use super::equations::{Equations, FIXED, Friction, Group, Kind, Row, tangential};
use crate::variational::block_lu::{Block, BlockLu, Six};
use gedanken_math::{Twist, Vec3};

/// Number of compliances that can be chosen.
pub(super) const SOFTNESSES: usize = 3;
/// Compliances of rows that hold, as parts of the compliance of the bodies. The first one leaves an iteration
/// as fast as Newton's; the others help where points that hardly slide nearly repeat each other.
const COMPLIANCES: [f64; SOFTNESSES] = [1e-8, 1e-5, 1e-3];
/// The same for rows of contacts. Corners of a face share its weight in many ways, and rounding of their gaps,
/// divided by this, moves it between them. Friction feels that: a box that slides and spins went 4.5 cm another
/// way 1000 m from the origin with 1e-8, and 0.1 mm with 1e-6. Masses in a ratio of 1e9 need the stiffer one.
const CONTACT_COMPLIANCES: [f64; SOFTNESSES] = [1e-6, 1e-8, 1e-3];

/// The linear piece of a group: dλ = d - W dc.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece {
    pub(super) d: [f64; 3],
    pub(super) w: [[f64; 3]; 3],
}

impl Piece {
    const NOTHING: Self = Self { d: [0.0; 3], w: [[0.0; 3]; 3] };

    pub(super) fn of(group: &Group, equations: &Equations, lambda: &[f64], softness: usize) -> Self {
        let first = group.first as usize;
        let (rho, value, pressed) = (group.stiffness[0], equations.rows[first].value, lambda[first]);
        let compliance = match group.kind {
            Kind::Contact(_) => CONTACT_COMPLIANCES[softness],
            _ => COMPLIANCES[softness],
        };
        let hold = rho / compliance;
        let mut piece = Self::NOTHING;
        let holds = match group.kind {
            Kind::Equal => true,
            Kind::AtLeast | Kind::Contact(_) => pressed - rho * value > 0.0,
            Kind::Driven(most) => {
                let wanted = pressed - rho * value;
                piece.d[0] = wanted.clamp(-most, most) - pressed;
                wanted.abs() < most
            }
        };
        if holds {
            (piece.d[0], piece.w[0][0]) = (-hold * value, hold);
        } else if matches!(group.kind, Kind::AtLeast | Kind::Contact(_)) {
            piece.d[0] = -pressed;
        }
        let Kind::Contact(friction) = group.kind else { return piece };
        let sliding = [lambda[first + 1], lambda[first + 2]];
        let coupled = matches!(friction, Friction::Coupled(_) | Friction::Unbounded);
        if !holds && coupled {
            (piece.d[1], piece.d[2]) = (-sliding[0], -sliding[1]);
            return piece;
        }
        let (z, radius) = tangential(group, friction, equations, lambda);
        piece.rub(group, equations, sliding, (z, radius), friction, compliance);
        piece
    }

    /// Multipliers of a group that follow from its values and from anchors, and their piece: dλ = -W dc.
    pub(super) fn anchored(
        group: &Group,
        equations: &Equations,
        anchor: &[f64],
        stiffness: f64,
    ) -> ([f64; 3], Self) {
        let first = group.first as usize;
        let mut piece = Self::NOTHING;
        let mut lambda = [0.0; 3];
        let rho = group.stiffness.map(|rho| rho * stiffness);
        let wanted = anchor[first] - rho[0] * equations.rows[first].value;
        let holds = match group.kind {
            Kind::Equal => true,
            Kind::AtLeast | Kind::Contact(_) => wanted > 0.0,
            Kind::Driven(most) => wanted.abs() < most,
        };
        lambda[0] = match group.kind {
            Kind::Equal => wanted,
            Kind::AtLeast | Kind::Contact(_) => wanted.max(0.0),
            Kind::Driven(most) => wanted.clamp(-most, most),
        };
        piece.w[0][0] = if holds { rho[0] } else { 0.0 };
        let Kind::Contact(friction) = group.kind else { return (lambda, piece) };
        let radius = match friction {
            Friction::Coupled(mu) => mu * lambda[0],
            Friction::Lagged(radius) => radius,
            Friction::Unbounded => {
                if holds {
                    f64::INFINITY
                } else {
                    0.0
                }
            }
        };
        let z = [1, 2].map(|k| anchor[first + k] - rho[1] * equations.rows[first + k].value);
        let length = (z[0] * z[0] + z[1] * z[1]).sqrt();
        if length <= radius {
            (lambda[1], lambda[2]) = (z[0], z[1]);
            (piece.w[1][1], piece.w[2][2]) = (rho[1], rho[1]);
            return (lambda, piece);
        }
        let w = [z[0] / length, z[1] / length];
        let p = [-w[1], w[0]];
        for k in 0..2 {
            lambda[k + 1] = radius * w[k];
            if let Friction::Coupled(mu) = friction {
                piece.w[k + 1][0] = mu * piece.w[0][0] * w[k];
            }
            for j in 0..2 {
                piece.w[k + 1][j + 1] = rho[1] * radius / length * p[k] * p[j];
            }
        }
        (lambda, piece)
    }

    /// Fills in the rows of friction.
    fn rub(
        &mut self,
        group: &Group,
        equations: &Equations,
        lambda: [f64; 2],
        (z, radius): ([f64; 2], f64),
        friction: Friction,
        compliance: f64,
    ) {
        let (first, rho) = (group.first as usize, group.sliding_stiffness());
        let hold = group.stiffness[1] / compliance;
        let length = (z[0] * z[0] + z[1] * z[1]).sqrt();
        // A new contact has no normal force yet: what does not slide sticks.
        let is_new = length == 0.0 && matches!(friction, Friction::Coupled(mu) if mu > 0.0);
        if length < radius || is_new {
            for k in 0..2 {
                self.d[k + 1] = -hold * equations.rows[first + k + 1].value;
                self.w[k + 1][k + 1] = hold;
            }
            return;
        }
        if length == 0.0 {
            (self.d[1], self.d[2]) = (-lambda[0], -lambda[1]);
            return;
        }
        let (w, p) = ([z[0] / length, z[1] / length], [-z[1] / length, z[0] / length]);
        let a = radius / length;
        let along = lambda[0] * w[0] + lambda[1] * w[1];
        let across = lambda[0] * p[0] + lambda[1] * p[1];
        let mut d_along = radius - along;
        if let Friction::Coupled(mu) = friction {
            d_along += mu * self.d[0];
            let pressed = mu * self.w[0][0];
            (self.w[1][0], self.w[2][0]) = (pressed * w[0], pressed * w[1]);
        }
        // At the rim of the disc 1 - a is zero, and friction holds across as if it stuck.
        let rest = (1.0 - a).max(compliance);
        let d_across = -across / rest;
        let stiff = a * rho / rest;
        for k in 0..2 {
            self.d[k + 1] = d_along * w[k] + d_across * p[k];
            for j in 0..2 {
                self.w[k + 1][j + 1] = stiff * p[k] * p[j];
            }
        }
    }

    /// Adds Jᵀ W ∂c/∂x to the matrix and Jᵀd to the right-hand side.
    pub(super) fn assemble(&self, group: &Group, rows: &[Row], matrix: &mut BlockLu, right: &mut [Six]) {
        let count = group.rows();
        let any = self.w[..count].iter().flatten().any(|w| *w != 0.0);
        for (side, &i) in group.bodies.iter().enumerate().filter(|(_, body)| **body != FIXED) {
            let push = (0..count).fold(Twist::ZERO, |sum, k| sum + rows[k].force[side] * self.d[k]);
            right[i as usize].iter_mut().zip(six(push)).for_each(|(right, push)| *right += push);
            if !any {
                continue;
            }
            for (other, &j) in group.bodies.iter().enumerate().filter(|(_, body)| **body != FIXED) {
                let block = matrix.block_mut(i, j);
                for k in 0..count {
                    let slope =
                        (0..count).fold(Twist::ZERO, |sum, l| sum + rows[l].slope[other] * self.w[k][l]);
                    add_outer(block, six(rows[k].force[side]), six(slope));
                }
            }
        }
    }
}

/// The six numbers of a twist.
pub(crate) fn six(twist: Twist) -> Six {
    let (l, a) = (twist.linear, twist.angular);
    [l.x, l.y, l.z, a.x, a.y, a.z]
}

/// A twist from its six numbers.
pub(crate) fn twist(six: &Six) -> Twist {
    Twist::new(Vec3::new(six[0], six[1], six[2]), Vec3::new(six[3], six[4], six[5]))
}

pub(super) fn add(block: &mut Block, other: &Block) {
    block.iter_mut().zip(other).for_each(|(mine, theirs)| *mine += theirs);
}

fn add_outer(block: &mut Block, u: Six, v: Six) {
    for i in 0..6 {
        for j in 0..6 {
            block[i * 6 + j] += u[i] * v[j];
        }
    }
}
