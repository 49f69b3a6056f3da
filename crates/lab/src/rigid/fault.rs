//! Why a step could not be made, in the words and at the places of the experiment.

use gedanken_dynamics::Fault;
use gedanken_experiment::Object;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::value::Value;

/// A fault of the core at this time that no law of the file is to blame for, in a simulation of these bodies
/// that is named here.
pub(crate) fn explain<'o>(
    fault: &Fault,
    mut bodies: impl Iterator<Item = &'o Object>,
    simulation: Span,
    now: f64,
) -> Diagnostic {
    let of_run = |message: String| Diagnostic::new(Code::E808, simulation, message);
    let diagnostic = match fault {
        Fault::NotFinite { rule, column, component, value, time, .. } => {
            let message = format!("the {column} of `{component}` becomes {value}, which no body has");
            let span = bodies.find(|it| it.name == **component).map_or(simulation, |it| it.span);
            let label = format!("in the stage `{rule}` of a step");
            Diagnostic::new(Code::E808, span, message)
                .label(label)
                .note(format!("at t = {}", Value::Real(*time)))
        }
        Fault::Failed { rule, time, message } => {
            of_run(format!("`{rule}` cannot go on: {message}")).note(format!("at t = {}", Value::Real(*time)))
        }
        other => {
            of_run(format!("a step cannot be made: {other}")).note(format!("at t = {}", Value::Real(now)))
        }
    };
    diagnostic.help("take a shorter `time step`, or look for a law or a joint that pulls without bound")
}
