//! Words for laws that are too fast for the step, and for a motion that gains energy from nothing.

use crate::run::divergence::Gain;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;
use gedanken_recording::Notice;
use gedanken_rigid::{Stiffness, StiffnessKind};

/// Part of the longest step that is recommended.
const MARGIN: f64 = 0.9;

/// Notices of laws that a step of this length cannot follow at the start.
pub(in crate::rigid) fn stiff_laws(run: &gedanken_rigid::Simulation, length: f64, time: f64) -> Vec<Notice> {
    let too_fast = run.stiffness().into_iter().filter(|it| it.step < length);
    too_fast.map(|it| Notice { time, message: format!("{}; {}", fast(run, &it), way_out(&it)) }).collect()
}

/// Returns `true` if a law moves bodies to and fro so fast that steps of this length are unstable.
pub(in crate::rigid) fn is_too_fast(run: &gedanken_rigid::Simulation, length: f64) -> bool {
    let is_unstable = |it: &Stiffness| it.kind == StiffnessKind::Oscillation && it.step < length;
    run.stiffness().iter().any(is_unstable)
}

/// What a law does too fast.
fn fast(run: &gedanken_rigid::Simulation, found: &Stiffness) -> String {
    let (law, body) = (&found.law, run.world().model().components().name(found.body));
    let (rate, step) = (number(found.rate), number(found.step));
    let method = run.settings().integrator.name;
    match found.kind {
        StiffnessKind::Oscillation => format!(
            "`{law}` moves `{body}` to and fro with {rate} rad/s, which `{method}` follows in steps of up to {step} s: in \
             longer ones the motion grows without bound"
        ),
        StiffnessKind::Relaxation => format!(
            "`{law}` changes the velocity of `{body}` at a rate of {rate} 1/s, which takes steps of up to {step} s: longer \
             ones go past the end of the change"
        ),
    }
}

fn way_out(found: &Stiffness) -> String {
    let step = number(MARGIN * found.step);
    match found.kind {
        StiffnessKind::Oscillation => {
            format!("take `time step = {step}`, or `integrator = implicit_midpoint`")
        }
        StiffnessKind::Relaxation => format!("take `time step = {step}` or shorter"),
    }
}

/// The end of a motion that has gained energy from nothing, in steps of this length.
pub(in crate::rigid) fn explain(
    gain: Gain,
    run: &gedanken_rigid::Simulation,
    (experiment, simulation): (&Experiment, &Simulation),
    length: f64,
) -> Diagnostic {
    let found = run.stiffness().into_iter().filter(|it| it.step < length);
    let fastest = found.max_by(|a, b| (length / a.step).total_cmp(&(length / b.step)));
    let written = |found: &Stiffness| {
        let law = experiment.force_laws.iter().find(|it| it.name == *found.law);
        let joint = || experiment.joints.iter().find(|it| it.name == *found.law).map(|it| it.span);
        law.map(|it| it.formulas.first().map_or(it.span, |(_, formula)| formula.span)).or_else(joint)
    };
    let place = fastest.as_ref().and_then(written).unwrap_or(simulation.span);
    let message = format!(
        "the motion has gained {} J from nothing, more than the {} J that it had to move with",
        number(gain.gained),
        number(gain.scale)
    );
    let diagnostic = Diagnostic::new(Code::E810, place, message);
    let diagnostic = match &fastest {
        Some(found) => diagnostic.label("too fast for the step").help(format!(
            "{}; {}",
            fast(run, found),
            way_out(found)
        )),
        None => {
            let laws = run.world().laws().terms().iter().map(|term| format!("`{}`", term.label));
            let laws: Vec<String> = laws.collect();
            let suspects =
                if laws.is_empty() { String::new() } else { format!(", above all for {}", laws.join(", ")) };
            diagnostic
                .label("it diverges")
                .help(format!("take a time step shorter than {} s{suspects}", number(length)))
        }
    };
    diagnostic.note(format!("at t = {}", Value::Real(run.time())))
}

/// A number to three digits.
fn number(x: f64) -> Value {
    Value::Real(format!("{x:.2e}").parse().unwrap_or(x))
}
