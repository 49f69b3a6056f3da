//! The natural map of Coulomb's law: how far impulses and velocities are from a solution, whoever found them.
//!
//! With u the relative velocity of a point, b the approach that is allowed and C the friction cone, De Saxcé's
//! form of Signorini's and Coulomb's laws is
//!
//! λ = P_C(λ - ρ (u + (b + μ |u_t|) n)),
//!
//! P_C being the projection onto the cone, along the shortest way. The distance of λ from the right side is the
//! residual. It is zero at a solution and nowhere else, for any ρ > 0; here ρ is the effective mass, so that
//! it is an impulse. It is the residual of Coulomb's law itself. Without μ |u_t| it would be that of the
//! associated law, in which sliding lifts.

use crate::contacts::contact_rows::{Manifold, Point, Rows, tangent_frame};
use crate::contacts::solver::Problem;
use crate::world::solver_body::SolverBody;
use gedanken_math::Vec3;

/// Relative residual of what a problem tells at the end of the step: impulses of the last sub-step, which has
/// the length h/`substeps`, velocities and gaps as they are now.
pub(crate) fn at_end(problem: &Problem<'_>, substeps: f64) -> f64 {
    let mut found = NaturalResidual::default();
    let (share, h) = (1.0 / substeps, problem.h / substeps);
    for (touch, &[a, b]) in problem.touches.iter().zip(problem.ends) {
        let [a, b] = [a, b].map(|place| &problem.movers[place as usize]);
        let n = touch.normal;
        let frame = tangent_frame(n);
        for point in touch.points() {
            let half = n * (0.5 * point.gap);
            let arms = [point.arm_a + half, point.arm_b - half];
            let turn = |body: &SolverBody, arm: Vec3| {
                let turn = arm.cross(n);
                body.inverse.inv_mass + turn.dot(body.inverse.inv_inertia * turn)
            };
            let normal_mass = 1.0 / (turn(a, arms[0]) + turn(b, arms[1]));
            let friction = point.friction_impulse;
            let impulse =
                Vec3::new(point.normal_impulse, friction.dot(frame.y_axis), friction.dot(frame.z_axis))
                    * share;
            let u = frame.transpose() * (b.twist.at(arms[1]) - a.twist.at(arms[0]));
            let residual = residual_of(impulse, normal_mass, u, point.gap.max(0.0) / h, touch.friction);
            found.include(impulse, residual);
        }
    }
    found.relative()
}

/// Projects onto the cone |λ_t| ≤ μ λ_n.
fn project(y: Vec3, friction: f64) -> Vec3 {
    let across = (y.y * y.y + y.z * y.z).sqrt();
    if across <= friction * y.x {
        return y;
    }
    if friction * across <= -y.x {
        return Vec3::ZERO;
    }
    let normal = (y.x + friction * across) / (1.0 + friction * friction);
    let scale = if across > 0.0 { friction * normal / across } else { 0.0 };
    Vec3::new(normal, y.y * scale, y.z * scale)
}

/// The residual of one point with an impulse and the relative velocity `u`, both in its frame, N·s.
fn residual_of(impulse: Vec3, normal_mass: f64, u: Vec3, allowed: f64, friction: f64) -> f64 {
    let sliding = (u.y * u.y + u.z * u.z).sqrt();
    let opening = Vec3::new(u.x + allowed + friction * sliding, u.y, u.z);
    (impulse - project(impulse - opening * normal_mass, friction)).length()
}

/// The velocity of B against A at a point, in its frame.
#[inline]
fn relative(rows: &Rows, manifold: &Manifold, point: &Point) -> Vec3 {
    let [a, b] = [manifold.a, manifold.b].map(|place| &rows.bodies[place as usize]);
    manifold.frame.transpose() * (b.twist().at(point.arm_b) - a.twist().at(point.arm_a))
}

/// Residual of a sub-step and the scale by which it is judged, both as impulses, N·s.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct NaturalResidual {
    /// The largest of all points.
    pub(crate) largest: f64,
    /// The largest impulse of a point.
    impulse: f64,
}

impl NaturalResidual {
    /// The residual of the present impulses and velocities.
    pub(crate) fn of(rows: &Rows) -> Self {
        let mut found = Self::default();
        for manifold in &rows.manifolds {
            for point in rows.of(manifold) {
                let u = relative(rows, manifold, point);
                let Point { impulse, normal_mass, allowed, .. } = *point;
                found.include(impulse, residual_of(impulse, normal_mass, u, allowed, manifold.friction));
            }
        }
        found
    }

    /// Takes a point into account.
    fn include(&mut self, impulse: Vec3, residual: f64) {
        // `max` would lose what is no number.
        self.largest = if residual <= self.largest { self.largest } else { residual };
        self.impulse = self.impulse.max(impulse.length());
    }

    /// The residual as a part of the largest impulse.
    pub(crate) fn relative(self) -> f64 {
        if self.largest == 0.0 { 0.0 } else { self.largest / self.impulse.max(f64::MIN_POSITIVE) }
    }
}
