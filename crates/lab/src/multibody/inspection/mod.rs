//! A look inside of a mechanism: from states that a file gives to mass matrix, forces, Jacobians, contacts,
//! rows of constraints, accelerations and motions.
//!
//! ```text
//! text ──GivenStates::read──► GivenStates ──Inspector──► JSON, state by state
//! ```
//!
//! `given` reads the file and says what does not fit; `answer` computes and writes. `docs/inspect.md`
//! describes both formats.

mod answer;
mod given;

pub use answer::Inspector;
pub use given::{GivenMotion, GivenStates, MotionKind};
