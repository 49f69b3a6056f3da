//! Stability of an equilibrium, and how certain it is.

use super::modes::{Fate, Mode};

/// Stability: the behaviour of a small disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stability {
    /// Asymptotically stable: every λ has a negative real part.
    Settles,
    /// Stable: the potential has a minimum here, and no force adds energy (Lagrange and Dirichlet).
    Stable,
    /// Stable to first order by gyroscopic forces alone: the potential has no minimum here, and friction
    /// would destroy the stability (Thomson and Tait).
    Gyroscopic,
    /// Nothing grows, but to first order some displacement does not return: the system is free in that
    /// direction, or held by higher terms alone.
    Neutral,
    /// The linear terms do not decide: two frequencies coincide, and an oscillation may grow with time.
    Undecided,
    /// A disturbance grows.
    Unstable,
}

/// Properties of the matrices M, C, G, K that decide beside the eigenvalues.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatrixProperties {
    /// `true` if K is positive definite, and friction takes energy or none.
    pub is_minimum: bool,
    /// `true` if there are gyroscopic forces.
    pub is_gyroscopic: bool,
}

/// Relative difference below which two frequencies count as equal: an oscillation may then grow with time.
const EQUAL_FREQUENCIES: f64 = 1e-6;

impl Stability {
    /// Returns the statement in words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Settles => "stable: small disturbances die out",
            Self::Stable => "stable",
            Self::Gyroscopic => "stable by gyroscopic forces alone: friction would let it fall",
            Self::Neutral => "neutral: free in some direction to first order, and nothing grows",
            Self::Undecided => "the linear terms do not decide whether it is stable",
            Self::Unstable => "unstable",
        }
    }
}

impl MatrixProperties {
    pub(super) fn stability(self, list: &[Mode]) -> Stability {
        let still = |it: &Mode| matches!(it.fate, Fate::Stays | Fate::Drifts);
        let meet = |a: &Mode, b: &Mode| (a.frequency - b.frequency).abs() <= EQUAL_FREQUENCIES * a.frequency;
        let lasting: Vec<&Mode> = list.iter().filter(|it| it.fate == Fate::Oscillates).collect();
        let apart = lasting.iter().enumerate().all(|(place, a)| lasting[..place].iter().all(|b| !meet(a, b)));
        if list.iter().any(|it| it.growth > 0.0) {
            Stability::Unstable
        } else if self.is_minimum || list.is_empty() {
            if lasting.is_empty() && !list.is_empty() { Stability::Settles } else { Stability::Stable }
        } else if list.iter().any(still) {
            Stability::Neutral
        } else if lasting.is_empty() {
            Stability::Settles
        } else if self.is_gyroscopic && apart {
            Stability::Gyroscopic
        } else {
            Stability::Undecided
        }
    }
}
