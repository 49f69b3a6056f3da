//! The accuracy suite: cases of mechanics with closed answers, each measured with every method that claims
//! them.
//!
//! A [`Case`] is a question with an exact answer. A [`Method`] computes it: laws in contexts, rigid bodies
//! with one of their contact solvers, energies, or an integrator alone. A [`Cell`] is one measured value
//! beside the exact one. [`run`] fills the cells in the order of [`CASES`]; a failure is a cell like any
//! other.
//!
//! Exact values are computed here from closed forms (`exact`), never stored from a run. The *short* form
//! takes less time where a case is about endurance: fewer bounces, shorter drifts, smaller stacks; everything
//! else is the same to the bit.

mod cases;
mod cell;
mod choice;
mod exact;
mod experiment_run;
mod measurement;
mod method;
mod report;
mod rigid_scene;
mod suite;

pub use cases::table::{CASES, Case};
pub use cell::{Cell, Verdict};
pub use choice::Choice;
/// Integrators of the suite, from the registry of dynamics.
pub use gedanken_dynamics::integrate::INTEGRATORS;
pub use method::{Method, methods};
pub use report::{markdown, number, row};
pub use suite::{Progress, run};
