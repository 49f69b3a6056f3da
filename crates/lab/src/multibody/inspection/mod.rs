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

use gedanken_experiment::Files;
use gedanken_experiment::mjcf::{self, MjcfOptions};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Sources;
use gedanken_multibody::compile::Model;

pub use answer::Inspector;
pub use given::{GivenMotion, GivenStates, MotionKind};

/// Reads a mechanism from a model in MJCF; warnings come with it.
///
/// # Errors
/// Mistakes in the model, or what makes it impossible to move.
pub fn read_model(
    files: &dyn Files,
    sources: &mut Sources,
    path: &str,
    text: String,
    options: MjcfOptions,
) -> Result<(Model, Vec<Diagnostic>), Vec<Diagnostic>> {
    let read = mjcf::read(files, sources, path, text, options)?;
    match Model::new(read.description) {
        Ok(model) => Ok((model, read.warnings)),
        Err(error) => Err(vec![Diagnostic::new(Code::E012, read.span, error.to_string())]),
    }
}
