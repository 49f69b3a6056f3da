//! Verdicts on a run: each measure at its time, beside its expected value.

use super::drive::Tally;
use gedanken_experiment::Measure;
use gedanken_lab::measures::{Verdict, verdict};
use gedanken_lang::value::Value;
use gedanken_recording::Recording;
use gedanken_recording::formula::Formula;

/// A measure of a run.
#[derive(Debug)]
pub(crate) struct Judged {
    pub(crate) name: String,
    /// Time of the measurement.
    pub(crate) time: f64,
    /// Scalars at that time, NaN where there is no value; `None` if the run did not reach it.
    pub(crate) scalars: Option<Vec<f64>>,
    /// Verdict, if a value is expected and the time was reached.
    pub(crate) verdict: Option<Verdict>,
}

impl Judged {
    /// Returns `true` if it misses its expected value.
    pub(crate) fn is_missed(&self) -> bool {
        self.verdict.as_ref().is_some_and(|verdict| !verdict.ok)
    }

    /// Returns the value, as the language writes it.
    pub(crate) fn value(&self) -> Option<Value> {
        let scalars = self.scalars.as_ref().filter(|scalars| scalars.iter().all(|it| it.is_finite()))?;
        Some(match scalars.as_slice() {
            [real] => Value::Real(*real),
            several => Value::Vector(several.to_vec()),
        })
    }
}

/// Looks at every measure at its time, which is `end` unless it says another. `end` is when the experiment's
/// simulation ends, also if it was run for longer or shorter.
pub(crate) fn judge<'m>(measures: impl Iterator<Item = &'m Measure>, end: f64, tally: &Tally) -> Vec<Judged> {
    let judged = |measure: &Measure| {
        let time = nearest_frame(&tally.measures, measure.at.unwrap_or(end));
        let scalars = scalars(tally, &measure.name, time);
        let verdict = scalars.as_ref().and_then(|scalars| verdict(measure, scalars));
        Judged { name: measure.name.clone(), time, scalars, verdict }
    };
    measures.map(judged).collect()
}

/// The time of a frame, if it is the same but for rounding.
pub(crate) fn nearest_frame(recording: &Recording, time: f64) -> f64 {
    let spacing = 1.0 / recording.schema.frame_rate;
    let Some(frame) = recording.at(time).map(|frame| recording.times[frame]) else { return time };
    if (time - frame).abs() < 1e-9 * spacing { frame } else { time }
}

fn scalars(tally: &Tally, name: &str, time: f64) -> Option<Vec<f64>> {
    let recording = &tally.measures;
    // No object is in this recording, so that this can only be the measure.
    let mut formula = Formula::read(&recording.schema, &format!("measure.{name}")).ok()?;
    let numbers = formula.at(recording, time)?;
    Some(numbers.into_iter().map(|it| it.value.unwrap_or(f64::NAN)).collect())
}
