//! What follows from the energies of a system, to be read.

use serde::Serialize;

/// What follows from a `lagrangian` block.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Derived {
    /// The name of the block.
    pub(crate) name: String,
    /// The names of the simulations that move by it.
    pub(crate) simulations: Vec<String>,
    /// In the order in which one would write them down; empty if nothing follows.
    pub(crate) sections: Vec<DerivedSection>,
    /// Why nothing follows, in a sentence.
    pub(crate) problem: Option<String>,
}

/// Equalities that belong together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DerivedSection {
    /// `Equations of motion`.
    pub(crate) title: String,
    /// Whether it is a step on the way and no result.
    pub(crate) step: bool,
    /// What is to be said of all of it.
    pub(crate) note: Option<String>,
    /// May be none, where the note says why.
    pub(crate) lines: Vec<DerivedLine>,
}

/// One equality.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DerivedLine {
    /// A `math` element; every symbol carries `data-name`.
    pub(crate) mathml: String,
    /// The same in plain letters: `l θ̈ + g sin(θ) = 0`.
    pub(crate) text: String,
    /// Why it holds, in words.
    pub(crate) why: Option<String>,
    /// The name under which runs record its value: of what is conserved.
    pub(crate) watched: Option<String>,
}
