//! Coefficients of materials: numbers, or the user's functions of a speed.

use super::formula::Failures;
use crate::run::kernel::Kernel;
use crate::run::options::Options;
use gedanken_experiment::{Attribute, Coefficient, SPEED};
use gedanken_lang::check::{Binding, Checked};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::ir::Access;
use gedanken_lang::kernel::{Reference, room};
use gedanken_lang::program::Input;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits};
use gedanken_rigid::Curve;
use std::sync::Arc;

/// Number of inputs of a function that need no memory of their own.
const INPUTS_ON_STACK: usize = 24;

/// The coefficient `key` of a material, which is at most `most`.
pub(super) fn curve(
    key: &'static str,
    most: f64,
    coefficient: &Coefficient,
    world: &[Attribute],
    failures: &Arc<Failures>,
    options: &Options,
) -> Curve {
    match coefficient {
        Coefficient::Number(number) => Curve::Constant(*number),
        Coefficient::Curve(checked) => {
            let function = Function::new(key, most, checked, world, failures, options);
            Curve::of_speed(move |speed| function.at(speed))
        }
    }
}

/// A user's function of a speed.
struct Function {
    key: &'static str,
    most: f64,
    kernel: Kernel,
    /// Scalars of all inputs; `None` is the speed.
    inputs: Vec<Option<f64>>,
    failures: Arc<Failures>,
}

impl Function {
    fn new(
        key: &'static str,
        most: f64,
        checked: &Checked,
        world: &[Attribute],
        failures: &Arc<Failures>,
        options: &Options,
    ) -> Self {
        let scalars = |input: &Input| match &checked.scope.variables[input.scope_index].binding {
            Binding::Engine { name, .. } if name == SPEED => vec![None],
            Binding::World { name } => {
                let attribute = world.iter().find(|it| it.name == *name);
                let scalars = attribute.and_then(|it| it.value.scalars()).unwrap_or_default();
                scalars.into_iter().map(Some).collect()
            }
            _ => vec![Some(0.0); input.ty.scalars().unwrap_or(0)],
        };
        let inputs = checked.program.inputs.iter().flat_map(scalars).collect();
        let reference = Reference::new(checked.program.clone(), Limits::until(&options.cancel));
        let kernel = Kernel::new(&reference, vec![0], |_| Access::Same, &options.compile());
        Self { key, most, kernel, inputs, failures: failures.clone() }
    }

    /// The coefficient at a speed. A value that cannot be one is kept as a failure, and NaN is returned: the
    /// solver stops at it.
    fn at(&self, speed: f64) -> f64 {
        let output = &self.kernel.program().outputs[0];
        let found = match self.value(speed) {
            Ok(value) if value >= 0.0 && value <= self.most => return value,
            Ok(value) => {
                let (value, key) = (Value::Real(value), self.key);
                let place = self.kernel.program().function(output.function).body.span;
                let bounds = if self.most == 1.0 { "must be from 0 to 1" } else { "must be 0 or greater" };
                Diagnostic::new(Code::E754, place, format!("no surface has a {key} of {value}"))
                    .label(bounds)
                    .help(match self.most {
                        1.0 => "keep it in bounds: `max(0, min(1, …))`",
                        _ => "keep it in bounds: `max(0, …)`",
                    })
            }
            Err(fault) => fault.diagnostic(),
        };
        let note = format!("in `{}`, at a speed of {} m/s", output.name, Value::Real(speed));
        self.failures.keep(found.note(note));
        f64::NAN
    }

    fn value(&self, speed: f64) -> Result<f64, Fault> {
        let (mut few, mut many) = ([0.0; INPUTS_ON_STACK], Vec::new());
        let row = room(&mut few, &mut many, self.inputs.len());
        row.iter_mut().zip(&self.inputs).for_each(|(scalar, input)| *scalar = input.unwrap_or(speed));
        let mut result = [0.0];
        self.kernel.run_row(row, &mut result)?;
        Ok(result[0])
    }
}
