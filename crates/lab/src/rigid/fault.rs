//! Why a step could not be made, in the words and at the places of the experiment.

use super::RigidMechanism;
use gedanken_dynamics::Fault;
use gedanken_experiment::Object;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;

impl RigidMechanism<'_> {
    /// A fault of the core that no law of the file is to blame for.
    pub(super) fn explain(&self, fault: &Fault) -> Diagnostic {
        let object = |name: &str| -> Option<&Object> {
            self.bodies.iter().map(|&(index, _)| &self.experiment.objects[index]).find(|it| it.name == name)
        };
        let of_run = |message: String| Diagnostic::new(Code::E808, self.simulation.span, message);
        let diagnostic = match fault {
            Fault::NotFinite { rule, column, component, value, time, .. } => {
                let message = format!("the {column} of `{component}` becomes {value}, which no body has");
                let span = object(component).map_or(self.simulation.span, |it| it.span);
                let label = format!("in the stage `{rule}` of a step");
                Diagnostic::new(Code::E808, span, message)
                    .label(label)
                    .note(format!("at t = {}", Value::Real(*time)))
            }
            Fault::Failed { rule, time, message } => of_run(format!("`{rule}` cannot go on: {message}"))
                .note(format!("at t = {}", Value::Real(*time))),
            other => of_run(format!("a step cannot be made: {other}"))
                .note(format!("at t = {}", Value::Real(self.run.time()))),
        };
        diagnostic.help("take a shorter `time step`, or look for a law or a joint that pulls without bound")
    }
}
