//! Steps and frames: a frame lasts a whole number of steps, so that every frame is a state that a step has
//! made. Only the last one may be shorter, to end where the duration does.

use super::{FRAME_RATE, Mechanics, Simulation};
use crate::read::fields::Fields;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::value::Value;

/// Steps that a frame may last.
const MOST_STEPS: f64 = 1e7;

/// How far from a whole number of steps a frame may be, as a part of a step: rounding, and nothing else.
const WHOLE: f64 = 1e-6;

/// The frames per unit of time that fit a time step: those that are written, if they do; else the nearest to
/// the usual rate.
pub(crate) fn frame_rate(
    fields: &Fields<'_>,
    step: f64,
    written: Option<f64>,
    diagnostics: &mut Vec<Diagnostic>,
) -> f64 {
    let rate = written.unwrap_or(FRAME_RATE);
    let steps = (1.0 / (rate * step)).round().max(1.0);
    let fitting = 1.0 / (steps * step);
    let fits = written.is_none() || (1.0 / (rate * step) - steps).abs() <= WHOLE * steps;
    if steps > MOST_STEPS || !fitting.is_finite() || fitting <= 0.0 {
        let message = format!("a frame would last {} steps of {}", Value::Real(steps), Value::Real(step));
        diagnostics.push(
            Diagnostic::new(Code::E749, fields.place("time_step"), message)
                .label(format!("more than {}", Value::Real(MOST_STEPS)))
                .help("take longer steps, or raise the `frame rate`"),
        );
        return FRAME_RATE;
    }
    if !fits {
        let (lasts, step_text) = (Value::Real(1.0 / rate), Value::Real(step));
        let message = format!("a frame lasts {lasts}, which is no whole number of steps of {step_text}");
        let place = fields.place("time_step");
        diagnostics.push(
            Diagnostic::new(Code::E749, place, message)
                .label("a step")
                .also(fields.place("frame_rate"), "so many frames")
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
    /// Number of steps that make a frame, and the length of each.
    pub fn steps(&self) -> (u64, f64) {
        match self.time_step {
            None => (1, 1.0 / self.frame_rate),
            // A whole number within rounding, and at most `MOST_STEPS`: that has been checked.
            Some(step) => ((1.0 / (self.frame_rate * step)).round().clamp(1.0, MOST_STEPS) as u64, step),
        }
    }

    /// Lowers the frame rate to about this, where frames are not part of what is computed: what happens stays
    /// the same. The steps of a workflow's frame are its user's choice.
    pub fn coarser(&mut self, rate: f64) {
        match (self.mechanics, self.time_step) {
            (Mechanics::Contexts, _) => self.frame_rate = self.frame_rate.min(rate),
            (Mechanics::Rigid | Mechanics::Lagrangian, step) if rate < self.frame_rate => {
                let step = step.unwrap_or(1.0 / self.frame_rate);
                let steps = (1.0 / (rate * step)).round().clamp(1.0, MOST_STEPS);
                (self.time_step, self.frame_rate) = (Some(step), 1.0 / (steps * step));
            }
            _ => {}
        }
    }
}
