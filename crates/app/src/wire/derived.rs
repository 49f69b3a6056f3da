//! Equations that follow from the energies of a system.

use serde::Serialize;

/// Equations that follow from a `lagrangian` block.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Derived {
    /// The name of the block.
    pub(crate) name: String,
    /// The names of the simulations that move by it.
    pub(crate) simulations: Vec<String>,
    /// Sections in the order of a derivation by hand; empty if nothing follows.
    pub(crate) sections: Vec<DerivedSection>,
    /// Reason why nothing follows, in a sentence.
    pub(crate) problem: Option<String>,
}

/// Equalities that belong together.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct DerivedSection {
    /// `Equations of motion`.
    pub(crate) title: String,
    /// `true` if it is an intermediate step and no result.
    pub(crate) step: bool,
    /// Note on the whole section.
    pub(crate) note: Option<String>,
    /// Lines; may be empty, and the note gives the reason then.
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
    /// Reason why it holds, in words.
    pub(crate) why: Option<String>,
    /// Name under which runs record it, for conserved quantities.
    pub(crate) watched: Option<String>,
}
