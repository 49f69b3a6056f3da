//! Steps and frames: a frame lasts a whole number of steps, so that every frame is a state that a step has
//! made. Only the last one may be shorter, to end where the duration does.

use super::model::{DEFAULT_FRAME_RATE, Mechanics, Simulation};
use crate::read::fields::Fields;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;

/// Largest number of steps in a frame.
const MAX_STEPS_PER_FRAME: f64 = 1e7;

/// Largest distance of a frame from a whole number of steps, as a part of a step: rounding, and nothing else.
const STEP_COUNT_TOLERANCE: f64 = 1e-6;

/// Steps per unit of time, at least, unless the simulation says otherwise.
const MIN_STEP_RATE: f64 = 240.0;

/// The length of a step that the simulation does not give: a whole number of them fits a frame.
pub(crate) fn default_step(frame_rate: f64) -> f64 {
    1.0 / (frame_rate * (MIN_STEP_RATE / frame_rate).ceil().max(1.0))
}

/// The frames per unit of time that fit a time step: those that are written, if they do; else the nearest to
/// the usual rate.
pub(crate) fn frame_rate(
    fields: &Fields<'_>,
    step: f64,
    written: Option<f64>,
    diagnostics: &mut Vec<Diagnostic>,
) -> f64 {
    let rate = written.unwrap_or(DEFAULT_FRAME_RATE);
    let steps = (1.0 / (rate * step)).round().max(1.0);
    let fitting = 1.0 / (steps * step);
    let fits = written.is_none() || (1.0 / (rate * step) - steps).abs() <= STEP_COUNT_TOLERANCE * steps;
    if steps > MAX_STEPS_PER_FRAME || !fitting.is_finite() || fitting <= 0.0 {
        let message = format!("a frame would last {} steps of {}", Value::Real(steps), Value::Real(step));
        diagnostics.push(
            Diagnostic::new(Code::E749, fields.span_of("time_step"), message)
                .label(format!("more than {}", Value::Real(MAX_STEPS_PER_FRAME)))
                .help("take longer steps, or raise the `frame rate`"),
        );
        return DEFAULT_FRAME_RATE;
    }
    if !fits {
        let (lasts, step_text) = (Value::Real(1.0 / rate), Value::Real(step));
        let message = format!("a frame lasts {lasts}, which is no whole number of steps of {step_text}");
        let place = fields.span_of("time_step");
        diagnostics.push(
            Diagnostic::new(Code::E749, place, message)
                .label("a step")
                .also(fields.span_of("frame_rate"), "so many frames")
                .help(format!(
                    "write `frame rate = {}`, or `time step = 1 / {}`, or leave the frame rate out",
                    Value::Real(fitting),
                    Value::Real(rate * steps)
                )),
        );
    }
    if written.is_some() && fits { rate } else { fitting }
}

impl Simulation {
    /// Number of steps in a frame, and the length of each.
    pub fn steps(&self) -> (u64, f64) {
        match self.time_step {
            None => (1, 1.0 / self.frame_rate),
            // A whole number within rounding, and at most `MAX_STEPS_PER_FRAME`: that has been checked.
            Some(step) => {
                ((1.0 / (self.frame_rate * step)).round().clamp(1.0, MAX_STEPS_PER_FRAME) as u64, step)
            }
        }
    }

    /// Lowers the frame rate to about this, where frames are not part of what is computed: what happens stays
    /// the same. The steps of a workflow's frame are its user's choice.
    pub fn coarser(&mut self, rate: f64) {
        match (&self.mechanics, self.time_step) {
            (Mechanics::Contexts(_), _) => self.frame_rate = self.frame_rate.min(rate),
            (Mechanics::Rigid(_) | Mechanics::Lagrangian(_) | Mechanics::Mechanism(_), step)
                if rate < self.frame_rate =>
            {
                let step = step.unwrap_or(1.0 / self.frame_rate);
                let steps = (1.0 / (rate * step)).round().clamp(1.0, MAX_STEPS_PER_FRAME);
                (self.time_step, self.frame_rate) = (Some(step), 1.0 / (steps * step));
            }
            _ => {}
        }
    }
}
