//! The methods that the suite compares.

use gedanken_dynamics::integrate::INTEGRATORS;
use gedanken_rigid::contacts::SOLVERS;

/// A way to compute a motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Laws in contexts, by experiments of the gallery.
    Contexts,
    /// Rigid bodies without contacts: free, or on joints.
    Rigid,
    /// Rigid bodies with the contact solver of this name.
    Solver(&'static str),
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
            Self::Lagrangian => "lagrangian",
            Self::Solver(name) | Self::Integrator(name) => name,
        }
    }

    /// All contact solvers.
    pub(crate) fn solvers() -> [Method; SOLVERS.len()] {
        SOLVERS.map(|solver| Self::Solver(solver.name()))
    }
}

/// Names of all methods: the values that [`Choice::method`](crate::Choice::method) can have.
#[must_use]
pub fn methods() -> Vec<&'static str> {
    let solvers = Method::solvers().map(Method::name);
    let integrators = INTEGRATORS.map(|integrator| integrator.name);
    let mechanics = [Method::Contexts, Method::Rigid, Method::Lagrangian].map(Method::name);
    mechanics.into_iter().chain(solvers).chain(integrators).collect()
}
