//! Verdicts: measures beside their expected values.

use gedanken_experiment::Measure;
use gedanken_lang::value::Value;
use std::fmt;

/// A total beside what was expected.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The measure.
    pub name: String,
    /// Measured value; `None` if it had none.
    pub measured: Option<Value>,
    /// Expected value.
    pub expected: Value,
    /// Largest difference that is allowed.
    pub tolerance: f64,
    /// Difference, in the component where it is largest.
    pub miss: f64,
    /// `true` if that is within the tolerance.
    pub ok: bool,
}

/// Judges the scalars of a measure, taken when it asks for it; `None` if it expects nothing.
///
/// # Panics
/// If these are not as many scalars as the measure has: a mistake in the engine.
pub fn verdict(measure: &Measure, scalars: &[f64]) -> Option<Verdict> {
    let expected = measure.expected.as_ref()?;
    let wanted = expected.value.scalars().expect("the checker lets only reals and vectors be expected");
    assert_eq!(scalars.len(), wanted.len(), "a total has the type of its measure");
    let has_value = scalars.iter().all(|scalar| scalar.is_finite());
    let measured = has_value.then(|| Value::from_scalars(&measure.ty, scalars.to_vec())).flatten();
    let miss = match has_value {
        true => scalars.iter().zip(&wanted).map(|(is, wanted)| (is - wanted).abs()).fold(0.0, f64::max),
        false => f64::INFINITY,
    };
    Some(Verdict {
        name: measure.name.clone(),
        measured,
        expected: expected.value.clone(),
        tolerance: expected.tolerance,
        miss,
        ok: miss <= expected.tolerance,
    })
}

impl fmt::Display for Verdict {
    /// `energy: 12.5, expected 12.5 ± 1e-9: ok`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.name)?;
        match &self.measured {
            Some(value) => write!(f, "{value}")?,
            None => f.write_str("no value")?,
        }
        write!(f, ", expected {} ± {}: ", self.expected, Value::Real(self.tolerance))?;
        match (self.ok, &self.measured) {
            (true, _) => f.write_str("ok"),
            (false, Some(_)) => write!(f, "wrong, it misses by {}", Value::Real(self.miss)),
            (false, None) => f.write_str("wrong"),
        }
    }
}
