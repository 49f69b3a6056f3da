//! Methods that can follow equations of motion: those of the one registry of integrators, each as what it is
//! for a Lagrangian or a Hamiltonian, and the compositions of the midpoint rule.
//!
//! | of the registry | for a Lagrangian | for a Hamiltonian without one |
//! |---|---|---|
//! | `rk4`, `dormand-prince` | by their tableau, for (q, q̇) | for (q, p) |
//! | `implicit-midpoint` | the variational midpoint rule: Hamilton's principle for L((q₀+q₁)/2, (q₁−q₀)/h) | the midpoint rule of (q, p), which is symplectic |
//! | `symplectic-euler`, `leapfrog`, …, `yoshida8` | kicks and drifts of (q, p), where the mass matrix is constant and forces depend on positions | where H = T(p) + V(q, t) |
//! | beside it: `variational4`, `variational6`, `variational8` | the midpoint rule composed like `forest-ruth`, `yoshida6`, `yoshida8` | likewise |
//!
//! A simulation that names none gets `dormand-prince`: an error of 10⁻¹⁰ in each step says more to those who
//! compare with a closed answer than a bounded one of 10⁻⁴ would; who looks at energies for long takes a
//! variational one.

use super::model::Lagrangian;
use gedanken_dynamics::INTEGRATORS;
use gedanken_dynamics::integrate::ode;
use gedanken_dynamics::integrate::{Control, IMPLICIT_MIDPOINT, Integrator, SYMPLECTIC_EULER};
use gedanken_symbolic::Expr;
use gedanken_symbolic::lagrange::{Coordinate, EquationsOfMotion};

/// Method of a step.
#[derive(Clone, Copy, Debug)]
pub enum Method {
    /// By slopes, of (q, q̇).
    Slopes(ode::Method),
    /// By the midpoint rule, several steps of these parts of the length one after the other.
    Variational(&'static [f64]),
    /// By kicks and drifts.
    Splitting(Split),
}

/// Kicks and drifts.
#[derive(Clone, Copy, Debug)]
pub enum Split {
    /// Kick, then drift.
    Euler,
    /// Half kick, drift, half kick.
    KickDriftKick,
    /// Half drift, kick, half drift, several of these parts of the length one after the other.
    Leapfrogs(&'static [f64]),
}

/// Compositions of the midpoint rule, and the method of the registry whose steps they take.
const COMPOSED_MIDPOINT_RULES: [(&str, &str); 3] =
    [("variational4", "forest-ruth"), ("variational6", "yoshida6"), ("variational8", "yoshida8")];

impl Default for Method {
    fn default() -> Self {
        Self::Slopes(ode::Method::default())
    }
}

impl Method {
    /// The method of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        if let Some((_, like)) = COMPOSED_MIDPOINT_RULES.iter().find(|(known, _)| *known == name) {
            return Some(Self::Variational(steps_of(like)?));
        }
        let integrator = INTEGRATORS.into_iter().find(|it| it.name == name)?;
        if std::ptr::eq(integrator, &IMPLICIT_MIDPOINT) {
            return Some(Self::Variational(&[1.0]));
        }
        if let Ok(method) = ode::Method::by_name(name) {
            return Some(Self::Slopes(method));
        }
        if integrator.control != Control::Fixed {
            return None;
        }
        Some(Self::Splitting(match integrator.leapfrogs {
            Some(steps) => Split::Leapfrogs(steps),
            None if std::ptr::eq(integrator, &SYMPLECTIC_EULER) => Split::Euler,
            None => Split::KickDriftKick,
        }))
    }

    /// The names of all methods.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        let registered = INTEGRATORS.into_iter().map(|it: &Integrator| it.name);
        registered
            .chain(COMPOSED_MIDPOINT_RULES.map(|(name, _)| name))
            .filter(|name| Self::by_name(name).is_some())
    }

    /// Returns `true` if the length of a step follows from its error.
    pub(crate) fn is_adaptive(&self) -> bool {
        matches!(self, Self::Slopes(method) if method.is_adaptive())
    }

    /// Reason why it cannot follow the equations of a system, if it cannot.
    pub(crate) fn misfit(&self, lagrangian: &Lagrangian) -> Option<String> {
        let Self::Splitting(_) = self else { return None };
        let (derived, system) = (lagrangian.derived(), &lagrangian.system);
        if let Some(constraint) = system.constraints.first() {
            return Some(format!("kicks and drifts leave the constraint `{}`", constraint.name));
        }
        let named = |exprs: &[Expr], symbols: &[Expr]| {
            let mut found = exprs.iter().flat_map(|&it| symbols.iter().map(move |&symbol| (it, symbol)));
            let pool = &derived.pool;
            found.find(|&(it, symbol)| pool.contains(it, symbol)).map(|(_, symbol)| pool.text(symbol))
        };
        let of = |symbol: fn(&Coordinate) -> Expr| system.coordinates.iter().map(symbol);
        let places: Vec<Expr> = of(|it| it.position).chain([system.time]).collect();
        let moving: Vec<Expr> = of(|it| it.rate).chain(of(|it| it.momentum)).collect();
        let all: Vec<Expr> = places.iter().chain(&moving).copied().collect();
        let (what, name) = match &derived.equations {
            EquationsOfMotion::Lagrange(it) => named(&it.mass.entries, &all)
                .map(|name| ("the mass matrix depends", name))
                .or_else(|| named(&it.momenta, &places).map(|name| ("momenta depend", name)))
                .or_else(|| named(&it.right, &moving).map(|name| ("a force depends", name))),
            EquationsOfMotion::Hamilton(it) => named(&it.rates, &places)
                .map(|name| ("a rate depends", name))
                .or_else(|| named(&it.forces, &moving).map(|name| ("a force depends", name))),
        }?;
        Some(format!("it kicks and drifts, but {what} on `{name}`"))
    }
}

impl Split {
    /// The kicks and drifts of a step of this length.
    pub fn compose<S, E>(
        self,
        state: &mut S,
        length: f64,
        kick: &mut dyn FnMut(&mut S, f64) -> Result<(), E>,
        drift: &mut dyn FnMut(&mut S, f64) -> Result<(), E>,
    ) -> Result<(), E> {
        match self {
            Self::Euler => {
                kick(state, length)?;
                drift(state, length)
            }
            Self::KickDriftKick => {
                kick(state, 0.5 * length)?;
                drift(state, length)?;
                kick(state, 0.5 * length)
            }
            Self::Leapfrogs(parts) => {
                for (number, part) in parts.iter().enumerate() {
                    let before = if number == 0 { 0.0 } else { parts[number - 1] };
                    drift(state, 0.5 * (before + part) * length)?;
                    kick(state, part * length)?;
                }
                drift(state, 0.5 * parts[parts.len() - 1] * length)
            }
        }
    }
}

fn steps_of(name: &str) -> Option<&'static [f64]> {
    INTEGRATORS.into_iter().find(|it| it.name == name)?.leapfrogs
}
