//! How far a motion with its multipliers is from a solution: the four residuals, the merit, and the residuals of
//! contacts that all solvers tell.

use super::equations::{Equations, FIXED, Kind, balance, deviation, largest_impulse, tangential};
use super::{ENOUGH, Newton};
use crate::contacts::report::VariationalResiduals;

/// Friction nearer to the rim of its disc than this part of the radius is on the rim.
const RIM: f64 = 1e-9;
/// Weight of the residual of friction among the others, where no step is good enough.
const FRICTION_WEIGHT: f64 = 1e-4;

impl Newton {
    /// Takes the balance of forces, and the scales by which it is judged: those of the bodies, or the largest
    /// impulse on them.
    pub(super) fn weigh(&mut self, equations: &Equations) {
        balance(equations, &self.lambda, &mut self.balance);
        self.scales.clone_from(&equations.scales);
        for group in &equations.groups {
            let pressed = self.lambda[group.first as usize].abs();
            for &body in group.bodies.iter().filter(|body| **body != FIXED) {
                let impulse = &mut self.scales[body as usize].impulse;
                *impulse = impulse.max(pressed);
            }
        }
    }

    /// Sum of the squares of unbalanced forces, in units of the bodies.
    pub(super) fn unbalanced_squares(&mut self, equations: &Equations) -> f64 {
        self.weigh(equations);
        let bodies = self.balance.iter().zip(&self.scales).map(|(s, scale)| {
            (s.linear.length_squared() + s.angular.length_squared() / (scale.size * scale.size))
                / (scale.impulse * scale.impulse)
        });
        bodies.fold(0.0, |sum, square| sum + square)
    }

    /// Sum of the squares of all residuals.
    pub(super) fn merit(&mut self, equations: &Equations) -> f64 {
        let bodies = self.unbalanced_squares(equations);
        let unit = largest_impulse(equations, &self.lambda);
        let rows = equations.groups.iter().map(|group| {
            let off = deviation(group, equations, &self.lambda);
            off.iter().fold(0.0, |sum, x| sum + x * x) / (unit * unit)
        });
        rows.fold(bodies, |sum, square| sum + square)
    }

    /// The four residuals at the present motion.
    pub(super) fn residuals(&mut self, equations: &Equations) -> VariationalResiduals {
        self.weigh(equations);
        let unit = largest_impulse(equations, &self.lambda);
        let mut all = VariationalResiduals::default();
        for (s, scale) in self.balance.iter().zip(&self.scales) {
            let off = s.linear.length().max(s.angular.length() / scale.size) / scale.impulse;
            all.stationarity = larger(all.stationarity, off);
        }
        for group in &equations.groups {
            let first = group.first as usize;
            let (value, lambda) = (equations.rows[first].value / group.size, self.lambda[first] / unit);
            match group.kind {
                Kind::Equal => all.feasibility = larger(all.feasibility, value.abs()),
                Kind::Driven(_) => {
                    let off = deviation(group, equations, &self.lambda)[0] / unit;
                    all.complementarity = larger(all.complementarity, off.abs());
                }
                Kind::AtLeast | Kind::Contact(_) => {
                    all.feasibility = larger(all.feasibility, -value);
                    all.complementarity = larger(all.complementarity, lambda.min(value).abs());
                }
            }
            if let Kind::Contact(_) = group.kind {
                let [_, x, y] = deviation(&group.unstretched(), equations, &self.lambda);
                all.friction = larger(all.friction, (x * x + y * y).sqrt() / unit);
            }
        }
        all
    }
}

/// How well Signorini's and Coulomb's laws hold at the contact points, as speeds.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContactResiduals {
    pub(crate) signorini: f64,
    pub(crate) cone: f64,
    pub(crate) dissipation: f64,
}

impl ContactResiduals {
    /// The residuals of all contacts; values of rows are displacements over this time, in s, or velocities
    /// with a time of 1.
    pub(crate) fn of(equations: &Equations, lambda: &[f64], time: f64) -> Self {
        let mut all = Self::default();
        for group in &equations.groups {
            let Kind::Contact(friction) = group.kind else { continue };
            let first = group.first as usize;
            // Stiffnesses are masses over the time of the rows.
            let [normal_mass, tangent_mass] = group.stiffness.map(|stiffness| stiffness * time);
            let [unfit, _, _] = deviation(group, equations, lambda);
            all.signorini = larger(all.signorini, unfit.abs() / normal_mass);
            let (_, radius) = tangential(group, friction, equations, lambda);
            let rub = [lambda[first + 1], lambda[first + 2]];
            let slide = [1, 2].map(|k| equations.rows[first + k].value / time);
            let [size, speed] = [rub, slide].map(|[x, y]| (x * x + y * y).sqrt());
            all.cone = larger(all.cone, (size - radius).max(0.0) / tangent_mass);
            let unopposed = if lambda[first] <= 0.0 || radius == 0.0 {
                0.0
            } else if size < radius * (1.0 - RIM) || size == 0.0 {
                speed
            } else {
                let [x, y] = [0, 1].map(|k| slide[k] + speed * rub[k] / size);
                (x * x + y * y).sqrt()
            };
            all.dissipation = larger(all.dissipation, unopposed);
        }
        all
    }
}

/// The larger number; NaN if one is.
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a.is_nan() || b > a || b.is_nan() { if a.is_nan() { a } else { b } } else { a }
}

pub(crate) fn worst_of(residuals: &VariationalResiduals) -> f64 {
    let VariationalResiduals { stationarity, feasibility, complementarity, friction } = *residuals;
    [feasibility, complementarity, friction].into_iter().fold(stationarity, larger)
}

/// Returns `true` if a step with the first residuals is to be preferred. Where none is good enough, bodies that
/// overlap, hover or are pushed by nothing are worse than friction that is not quite Coulomb's.
pub(super) fn is_better(one: &VariationalResiduals, two: &VariationalResiduals) -> bool {
    let key = |it: &VariationalResiduals| {
        let worst = worst_of(it);
        if worst <= ENOUGH {
            worst
        } else {
            worst_of(&VariationalResiduals { friction: FRICTION_WEIGHT * it.friction, ..*it }).max(ENOUGH)
        }
    };
    let (one, two) = (key(one), key(two));
    one < two || (two.is_nan() && !one.is_nan())
}
