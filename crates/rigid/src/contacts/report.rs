//! Reports: residuals of a solved step, in the same terms for every solver.

use gedanken_dynamics::{Life, Table};

/// Residuals of the contacts of a step; all zero means an exact solution.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Report {
    /// Islands with contacts.
    pub islands: u32,
    /// Contact points.
    pub points: u32,
    /// Passes over the contacts, the most of any island.
    pub iterations: u32,
    /// Signorini: the largest of |min(v_n, λ_n/m_eff)| over the points, m/s, v_n being the separation speed
    /// left over the allowed approach and m_eff the effective mass: how far the pair is from "one of both
    /// zero, none negative".
    pub signorini: f64,
    /// The cone: the largest (|λ_t| - μ λ_n)/m_eff above zero, m/s.
    pub cone: f64,
    /// Dissipation: the largest sliding speed that is not opposed, m/s: |v_t + s λ_t/|λ_t||, s the sliding
    /// speed, where the cone's boundary is reached, and |v_t| inside of it.
    pub dissipation: f64,
    /// The largest overlap at the end, m.
    pub overlap: f64,
    /// The natural map of Coulomb's law in De Saxcé's form, |λ - P(λ - m_eff (u + μ |u_t| n))|, the largest of all
    /// points over the largest impulse of the island: at the end of the step, with the impulses that are told.
    /// It is computed where the residuals above are small, and infinite elsewhere.
    pub natural: f64,
    /// `true` if the step is solved: the natural map is below [`Report::CONVERGED`].
    pub converged: bool,
    /// The largest violation of a joint, m or rad.
    pub joints: f64,
    /// Quality of a variational step; zero for other solvers.
    pub variational: VariationalResiduals,
}

/// Residuals of a variational step, all without a unit. `converged` means that all are below
/// [`VariationalResiduals::TOLERANCE`].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct VariationalResiduals {
    /// The largest force on a body that nothing balances, over max(m|g|, m|v|/h, the largest force on it, what
    /// 4e9 roundings of places make of laws).
    pub stationarity: f64,
    /// The largest violation of a gap, limit or joint, over the size of the bodies.
    pub feasibility: f64,
    /// The largest |min(λ/F, gap/size)| over contacts and limits, F being the largest force.
    pub complementarity: f64,
    /// The largest distance of a friction force from the one that Coulomb's law asks for, over the scale of
    /// forces: with the normal force of the solution, or the lagged one where that is asked for.
    pub friction: f64,
}

impl VariationalResiduals {
    /// Bound on all residuals of a converged step.
    pub const TOLERANCE: f64 = 1e-8;

    /// The larger of each.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            stationarity: self.stationarity.max(other.stationarity),
            feasibility: self.feasibility.max(other.feasibility),
            complementarity: self.complementarity.max(other.complementarity),
            friction: self.friction.max(other.friction),
        }
    }

    /// Returns `true` if all are below the tolerance; a residual that is no number is not.
    #[must_use]
    pub fn has_converged(&self) -> bool {
        [self.stationarity, self.feasibility, self.complementarity, self.friction]
            .iter()
            .all(|residual| *residual <= Self::TOLERANCE)
    }
}

impl Report {
    /// Bound on [`Report::natural`] for a step that has converged.
    pub const CONVERGED: f64 = 1e-7;

    /// Both islands' reports in one.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            islands: self.islands + other.islands,
            points: self.points + other.points,
            iterations: self.iterations.max(other.iterations),
            signorini: self.signorini.max(other.signorini),
            cone: self.cone.max(other.cone),
            dissipation: self.dissipation.max(other.dissipation),
            overlap: self.overlap.max(other.overlap),
            natural: self.natural.max(other.natural),
            converged: self.converged && other.converged,
            joints: self.joints.max(other.joints),
            variational: self.variational.and(other.variational),
        }
    }

    /// Returns `true` if no residual of the contacts is above this speed, m/s.
    #[must_use]
    pub fn is_within(&self, speed: f64) -> bool {
        self.signorini <= speed && self.cone <= speed && self.dissipation <= speed
    }

    /// The report of nothing to solve.
    #[must_use]
    pub fn nothing() -> Self {
        Self { converged: true, ..Self::default() }
    }
}

impl Table for Report {
    const NAME: &'static str = "solver report";
    const LIFE: Life = Life::Step;
}
