//! Settings: every number of a simulation that is not a property of the world itself.

use super::error::RigidError;
use super::material::Combination;
use crate::contacts::solver::ContactSolver;
use crate::variational::inspection::GivenForce;
use crate::variational::settings::VariationalSettings;
use gedanken_dynamics::integrate::Integrator;
use gedanken_math::Cancel;

/// Numerical settings of a simulation.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The integrator of free motion.
    pub integrator: &'static Integrator,
    /// The contact solver.
    pub solver: &'static dyn ContactSolver,
    /// Sub-steps of a step in islands that touch (`gauss-seidel`).
    pub substeps: u32,
    /// Passes over all contacts, at least: to and fro per sub-step for `gauss-seidel`, per step for `jacobi`.
    pub iterations: u32,
    /// β: which part of an overlap beyond the slop a step takes away.
    pub correction: f64,
    /// The overlap that is left alone, m.
    pub slop: f64,
    /// Rule by which coefficients of friction and restitution combine.
    pub combination: Combination,
    /// Below this speed (m/s, rad/s) a body counts as resting, and an impact does not bounce.
    pub rest_speed: f64,
    /// Gap that counts as touching, at which an impact happens, m.
    pub touch: f64,
    /// The largest violation of a joint that is accepted after a step, m or rad.
    pub joint_tolerance: f64,
    /// Order, kinetic term and friction of `variational`.
    pub variational: VariationalSettings,
    /// Normal forces of the first pass of every step that are given instead of computed: to look inside of
    /// one step of `variational` with lagged friction.
    pub given_forces: Vec<GivenForce>,
    /// `true` if joules and newton-seconds are booked.
    pub ledger: bool,
    /// Token that ends a step, wherever it is. It changes no result.
    pub cancel: Cancel,
}

impl Settings {
    /// Refuses numbers that mean nothing.
    pub fn check(&self) -> Result<(), RigidError> {
        let refused = |what: &'static str, value: f64, reason: &'static str| {
            Err(RigidError::BadNumber { what, of: "settings".to_owned(), value: value.to_string(), reason })
        };
        if self.substeps == 0 || self.iterations == 0 {
            return refused("number of sub-steps or iterations", 0.0, "it is at least 1");
        }
        if !(0.0..=1.0).contains(&self.correction) {
            return refused("correction", self.correction, "it is between 0 and 1");
        }
        for (what, value) in [("slop", self.slop), ("rest speed", self.rest_speed)] {
            if !(value >= 0.0 && value.is_finite()) {
                return refused(what, value, "it is zero or positive");
            }
        }
        for (what, value) in [("touching tolerance", self.touch), ("joint tolerance", self.joint_tolerance)] {
            if !(value > 0.0 && value.is_finite()) {
                return refused(what, value, "it is positive");
            }
        }
        Ok(())
    }
}
