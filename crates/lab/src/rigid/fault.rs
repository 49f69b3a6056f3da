//! Why a step could not be made, in the words and at the places of the experiment.

use gedanken_dynamics::{Fault, Strain, StrainKind};
use gedanken_experiment::{Experiment, Object};
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

/// A law that a step of this length cannot follow, at the place of the law if it is one of the file.
pub(crate) fn strained(fault: &Fault, experiment: &Experiment, simulation: Span) -> Option<Diagnostic> {
    let Fault::Strained { strain: Strain { law, bodies, kind }, time } = fault else { return None };
    let written = experiment.force_laws.iter().find(|it| it.name == **law);
    let place =
        written.map_or(simulation, |it| it.formulas.first().map_or(it.span, |(_, formula)| formula.span));
    let whom = bodies.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" and ");
    let diagnostic = match kind {
        StrainKind::Runaway => {
            let message = format!(
                "the force of `{law}` on {whom} grows faster than their inertia resists within one step"
            );
            Diagnostic::new(Code::E808, place, message)
                .label("bodies fall into each other, or the step is too long")
                .help(
                    "take a shorter `time step`; where bodies may meet, soften the law: `sqrt(r . r + 1e-6)`",
                )
        }
        StrainKind::Backward => {
            let message = format!(
                "the force of `{law}` slows {whom} down so much that it cannot be followed backwards in time, as parts of \
                 this method's step go"
            );
            Diagnostic::new(Code::E808, place, message)
                .label("backwards it makes speeds grow without bound")
                .help("write `integrator = leapfrog`, which only goes forward, or take a shorter `time step`")
        }
        StrainKind::Jump => {
            let message = format!("no motion balances the force of `{law}` on {whom} over this step");
            Diagnostic::new(Code::E758, place, message)
                .label("its force jumps, or has no slope, where the body would be")
                .help(
                    "make it smooth there, as `sqrt(x^2 + 1e-6)` for `abs(x)`, or take a shorter `time step`",
                )
        }
    };
    Some(diagnostic.note(format!("at t = {}", Value::Real(*time))))
}
