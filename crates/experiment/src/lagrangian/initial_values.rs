//! The numbers of a block: parameters, and where coordinates start; any of them can be set from outside.

use super::fields::LagrangianLists;
use crate::environment::Environment;
use crate::object::initial_values::chosen;
use crate::read::evaluate::Evaluator;
use crate::read::numbers::Numbers;
use crate::read::overrides::Settings;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{Definition, Expr, ExprKind, Name};
use gedanken_lang::value::Value;

/// Numbers at the start.
pub(super) struct InitialValues {
    /// In the order of the block.
    pub(super) parameters: Vec<(String, Value)>,
    pub(super) coordinates: Vec<f64>,
    /// Rate of each coordinate; 0 unless given.
    pub(super) rates: Vec<f64>,
    /// Momentum of each coordinate, if the block gives momenta; 0 unless given.
    pub(super) momenta: Option<Vec<f64>>,
    pub(super) restitution: f64,
}

impl InitialValues {
    /// Of the block of this name. `None` if something has no value, which has been reported.
    pub(super) fn read(
        block: &str,
        written: &LagrangianLists<'_>,
        environment: &Environment<'_>,
        settings: &mut Settings<'_>,
        diagnostics: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let evaluator = environment.evaluator.clone();
        let mut lines = LineEvaluator { block, evaluator, settings, diagnostics, whole: true };
        let mut parameters = Vec::new();
        for line in &written.parameters {
            match lines.value(line) {
                Some((value, span)) => {
                    lines.evaluator.add(&line.name.text, &value, span);
                    parameters.push((line.name.text.clone(), value));
                }
                None => lines.evaluator.fail(&line.name.text),
            }
        }
        let coordinates = written.coordinates.iter().map(|line| lines.real(line)).collect();
        let mut along = |given: &[&Definition], called: &dyn Fn(&str) -> String| -> Vec<f64> {
            let of = |coordinate: &&Definition| {
                let name = called(&coordinate.name.text);
                given.iter().find(|it| it.name.text == name).map_or(0.0, |line| lines.real(line))
            };
            written.coordinates.iter().map(of).collect()
        };
        let rates = along(&written.rates, &|it| format!("{it}_dot"));
        let momenta = along(&written.momenta, &|it| format!("p_{it}"));
        let momenta = (!written.momenta.is_empty()).then_some(momenta);
        let LineEvaluator { evaluator, diagnostics, whole, .. } = lines;
        let numbers = Numbers { fields: written.fields, evaluator: &evaluator };
        let restitution = numbers.share("restitution", diagnostics).unwrap_or(1.0);
        whole.then_some(Self { parameters, coordinates, rates, momenta, restitution })
    }
}

/// Evaluates lines of a block, or what is set in their place.
struct LineEvaluator<'l, 'o> {
    block: &'l str,
    evaluator: Evaluator,
    settings: &'l mut Settings<'o>,
    diagnostics: &'l mut Vec<Diagnostic>,
    /// `true` if all lines had a value so far.
    whole: bool,
}

impl LineEvaluator<'_, '_> {
    /// The value of a line, and where it is written.
    fn value(&mut self, line: &Definition) -> Option<(Value, Span)> {
        let Self { evaluator, settings, diagnostics, .. } = self;
        let name = &line.name;
        let written = value(name, &line.body, evaluator, diagnostics);
        let set = settings.take_line(self.block, &name.text);
        self.whole &= written.is_some();
        let set = set.map(|it| (it.span, value(name, &it, evaluator, diagnostics)));
        Some(chosen((written?, line.body.span), set, &name.text, name.span, diagnostics))
    }

    /// The value of a line that is a real; 0 if it is none, which has been reported.
    fn real(&mut self, line: &Definition) -> f64 {
        let (value, span) = match self.value(line) {
            Some((Value::Real(real), _)) => return real,
            Some(other) => other,
            None => return 0.0,
        };
        let is = value.type_of();
        let message = format!("`{}` starts from a real, but this is {is}", line.name.text);
        self.diagnostics.push(
            Diagnostic::new(Code::E768, span, message)
                .label(format!("this is {is}"))
                .help("give every component a coordinate of its own"),
        );
        self.whole = false;
        0.0
    }
}

fn value(
    name: &Name,
    body: &Expr,
    evaluator: &Evaluator,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Value> {
    if matches!(body.kind, ExprKind::Missing) {
        return None;
    }
    match evaluator.value(body) {
        Ok(Value::Sequence(_)) => {
            let message = format!("`{}` cannot be a sequence", name.text);
            diagnostics.push(
                Diagnostic::new(Code::E768, body.span, message)
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
