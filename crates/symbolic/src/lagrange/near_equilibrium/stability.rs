//! What becomes of a small disturbance of an equilibrium, and how sure that is.

use super::modes::{Fate, Mode};

/// What becomes of a small disturbance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stability {
    /// It dies out: every λ has a negative real part.
    Settles,
    /// It stays small for ever: the potential is lowest here, and nothing feeds energy in (Lagrange and
    /// Dirichlet).
    Stable,
    /// To first order it stays small, by gyroscopic forces alone: the potential is not lowest here, and
    /// friction would let it fall (Thomson and Tait).
    Gyroscopic,
    /// Nothing grows, but to first order something does not return: a direction in which the system is free,
    /// or is held by higher terms alone.
    Neutral,
    /// The linear terms do not decide: two frequencies meet, and what oscillates may grow with time.
    Undecided,
    /// It grows.
    Unstable,
}

/// What the matrices say by themselves.
#[derive(Clone, Copy, Debug)]
pub(super) struct MatrixProperties {
    /// `true` if K is positive, and friction takes energy or leaves it.
    pub lowest: bool,
    /// `true` if there are gyroscopic forces.
    pub turns: bool,
}

/// Frequencies that differ by less, against their size, are one: what oscillates may then grow with time.
const EQUAL_FREQUENCIES: f64 = 1e-6;

impl Stability {
    /// In words.
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
        } else if self.lowest || list.is_empty() {
            if lasting.is_empty() && !list.is_empty() { Stability::Settles } else { Stability::Stable }
        } else if list.iter().any(still) {
            Stability::Neutral
        } else if lasting.is_empty() {
            Stability::Settles
        } else if self.turns && apart {
            Stability::Gyroscopic
        } else {
            Stability::Undecided
        }
    }
}
