//! The methods that the suite compares.

use crate::measurement::MeasureError;
use gedanken_dynamics::Integrator;
use gedanken_dynamics::integrate::{IMPLICIT_MIDPOINT, INTEGRATORS};
use gedanken_rigid::Settings;
use gedanken_rigid::contacts::SOLVERS;
use gedanken_rigid::variational::{Order, VariationalSettings};

/// A way to compute a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Laws in contexts, by experiments of the gallery.
    Contexts,
    /// Rigid bodies without contacts: free, or on joints.
    Rigid,
    /// Rigid bodies with the contact solver of this name.
    Solver(&'static str),
    /// Rigid bodies, free, on joints or in contact, with variational steps of this order.
    Variational(Order),
    /// Articulated bodies with soft constraints, free, on joints or in contact.
    Soft,
    /// Equations of motion derived from energies.
    Lagrangian,
    /// The integrator of this name.
    Integrator(&'static str),
}

impl Method {
    /// Name in tables.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Contexts => "contexts",
            Self::Rigid => "rigid",
            Self::Soft => "soft",
            Self::Lagrangian => "lagrangian",
            Self::Variational(Order::First) => "variational-1",
            Self::Variational(Order::Second) => "variational-2",
            Self::Solver(name) | Self::Integrator(name) => name,
        }
    }

    /// Variational steps of both orders.
    pub(crate) const VARIATIONAL: [Method; 2] =
        [Self::Variational(Order::First), Self::Variational(Order::Second)];

    /// All contact solvers.
    pub(crate) fn solvers() -> impl Iterator<Item = Method> {
        let names = SOLVERS.iter().map(|solver| solver.name()).filter(|name| *name != VARIATIONAL);
        names.map(Self::Solver).chain(Self::VARIATIONAL)
    }

    /// All methods that move rigid bodies where nothing touches.
    pub(crate) fn without_contacts() -> impl Iterator<Item = Method> {
        [Self::Rigid].into_iter().chain(Self::VARIATIONAL)
    }

    /// Default settings of a method that moves rigid bodies.
    pub(crate) fn settings(self) -> Result<Settings, MeasureError> {
        match self {
            Self::Rigid => Ok(Settings::default()),
            Self::Solver(name) => Ok(Settings::of_solver(name)?),
            Self::Variational(order) => {
                let variational = VariationalSettings { order, ..VariationalSettings::default() };
                Ok(Settings { variational, ..Settings::of_solver(VARIATIONAL)? })
            }
            // The implicit midpoint rule of rigid bodies is the variational step of order 2.
            Self::Integrator(name) if name == IMPLICIT_MIDPOINT.name => {
                Self::Variational(Order::Second).settings()
            }
            Self::Integrator(name) => {
                Ok(Settings { integrator: Integrator::by_name(name)?, ..Settings::default() })
            }
            Self::Contexts | Self::Soft | Self::Lagrangian => {
                Err(format!("{} has no rigid world", self.name()).into())
            }
        }
    }

    /// Returns `true` if the method claims the accuracy of a case. Backward Euler is of first order and
    /// dissipates: it claims rest, friction, thresholds, impacts without weight and the angular momentum of case
    /// 16, and neither flights nor periods nor energies.
    pub(crate) fn claims(self, case: u32) -> bool {
        match self {
            Self::Variational(Order::First) => matches!(case, 1..=5 | 8..=10 | 12..=16 | 25..=27),
            _ => true,
        }
    }
}

/// Name of the variational steps in the registry of contact solvers.
const VARIATIONAL: &str = "variational";

/// Names of all methods: the values that [`Choice::method`](crate::Choice::method) can have.
#[must_use]
pub fn methods() -> Vec<&'static str> {
    let solvers = Method::solvers().map(Method::name);
    let integrators = INTEGRATORS.map(|integrator| integrator.name);
    let mechanics = [Method::Contexts, Method::Rigid, Method::Soft, Method::Lagrangian].map(Method::name);
    mechanics.into_iter().chain(solvers).chain(integrators).collect()
}
