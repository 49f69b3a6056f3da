//! The numbers of a block: parameters, and where coordinates start.

use super::Around;
use super::written::Written;
use crate::experiment::evaluate::Evaluator;
use crate::experiment::numbers::Numbers;
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::syntax::tree::{Definition, ExprKind};
use gedanken_lang::value::Value;

/// Numbers at the start.
pub(super) struct Values {
    /// In the order of the block.
    pub(super) parameters: Vec<(String, Value)>,
    pub(super) coordinates: Vec<f64>,
    /// Of each coordinate; 0 unless given.
    pub(super) rates: Vec<f64>,
    /// Of each coordinate, if the block gives momenta: 0 unless given.
    pub(super) momenta: Option<Vec<f64>>,
    pub(super) restitution: f64,
}

impl Values {
    /// `None` if something has no value, which has been reported.
    pub(super) fn read(
        written: &Written<'_>,
        around: &Around<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let mut evaluator = Evaluator::new(around.base);
        let mut parameters = Vec::new();
        let mut whole = true;
        for line in &written.parameters {
            match value(line, &evaluator, diagnostics) {
                Some(value) => {
                    evaluator.add(&line.name.text, &value, line.body.span);
                    parameters.push((line.name.text.clone(), value));
                }
                None => {
                    evaluator.fail(&line.name.text);
                    whole = false;
                }
            }
        }
        let mut real = |line: &Definition| {
            let real = match value(line, &evaluator, diagnostics) {
                Some(Value::Real(real)) => Some(real),
                Some(other) => {
                    let is = other.type_of();
                    let message = format!("`{}` starts from a real, but this is {is}", line.name.text);
                    diagnostics.push(
                        Diagnostic::new("E768", line.body.span, message)
                            .label(format!("this is {is}"))
                            .help("give every component a coordinate of its own"),
                    );
                    None
                }
                None => None,
            };
            whole &= real.is_some();
            real.unwrap_or(0.0)
        };
        let coordinates: Vec<f64> = written.coordinates.iter().map(|line| real(line)).collect();
        let mut along = |lines: &[&Definition], called: &dyn Fn(&str) -> String| -> Vec<f64> {
            let of = |coordinate: &&Definition| {
                let name = called(&coordinate.name.text);
                lines.iter().find(|it| it.name.text == name).map_or(0.0, |line| real(line))
            };
            written.coordinates.iter().map(of).collect()
        };
        let rates = along(&written.rates, &|it| format!("{it}_dot"));
        let momenta = along(&written.momenta, &|it| format!("p_{it}"));
        let momenta = (!written.momenta.is_empty()).then_some(momenta);
        let numbers = Numbers { fields: written.fields, evaluator: &evaluator };
        let restitution = numbers.share("restitution", diagnostics).unwrap_or(1.0);
        whole.then_some(Self { parameters, coordinates, rates, momenta, restitution })
    }
}

fn value(line: &Definition, evaluator: &Evaluator<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Value> {
    if matches!(line.body.kind, ExprKind::Missing) {
        return None;
    }
    match evaluator.value(&line.body) {
        Ok(Value::Sequence(_)) => {
            let message = format!("`{}` cannot be a sequence", line.name.text);
            diagnostics.push(
                Diagnostic::new("E768", line.body.span, message)
                    .label("this is a sequence")
                    .help("write it in square brackets: `[1, 2, 3]` is a vector"),
            );
            None
        }
        Ok(value) => Some(value),
        Err(found) => {
            diagnostics.extend(found);
            None
        }
    }
}
