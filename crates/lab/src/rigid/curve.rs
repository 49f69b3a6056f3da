//! Coefficients of materials: numbers, or the user's functions of a speed, compiled.

use super::formula::{Failures, locked};
use crate::run::native::Runner;
use gedanken_experiment::{Attribute, Coefficient, SPEED};
use gedanken_lang::check::{Binding, Checked};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::ir::{self, Access, Executor as _, Layout};
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_rigid::Curve;
use std::sync::{Arc, Mutex};

/// The coefficient `key` of a material, which is at most `most`.
pub(super) fn curve(
    key: &'static str,
    most: f64,
    coefficient: &Coefficient,
    world: &[Attribute],
    failures: &Arc<Failures>,
    native: bool,
) -> Curve {
    match coefficient {
        Coefficient::Number(number) => Curve::Constant(*number),
        Coefficient::Curve(checked) => {
            let function = Function::new(key, most, checked, world, failures, native);
            Curve::of_speed(move |speed| function.at(speed))
        }
    }
}

/// A user's function of a speed.
struct Function {
    key: &'static str,
    most: f64,
    checked: Checked,
    /// The inputs of the program, with the speed to be filled in.
    inputs: Vec<(bool, Value)>,
    runner: Option<Runner>,
    desk: Mutex<(Machine, Vec<f64>)>,
    failures: Arc<Failures>,
}

impl Function {
    fn new(
        key: &'static str,
        most: f64,
        checked: &Checked,
        world: &[Attribute],
        failures: &Arc<Failures>,
        native: bool,
    ) -> Self {
        let program = &checked.program;
        let input = |input: &gedanken_lang::program::Input| {
            let binding = &checked.scope.variables[input.scope_index].binding;
            match binding {
                Binding::World { name } => {
                    let attribute = world.iter().find(|it| it.name == *name);
                    (false, attribute.map_or(Value::Real(0.0), |it| it.value.clone()))
                }
                _ => (matches!(binding, Binding::Engine { name, .. } if name == SPEED), Value::Real(0.0)),
            }
        };
        let runner = ir::build(program, &[0]).ok().map(|graph| {
            let layout = Layout { slots: vec![Access::Same; graph.slots.len()] };
            Runner::new(graph, layout, native)
        });
        let machine = Machine::new(Arc::new(compile(program)), Limits::default());
        Self {
            key,
            most,
            inputs: program.inputs.iter().map(input).collect(),
            runner,
            desk: Mutex::new((machine, Vec::new())),
            checked: checked.clone(),
            failures: failures.clone(),
        }
    }

    /// The coefficient at a speed. What cannot be one is kept as a failure, and is then not a number, so that
    /// nobody goes on with it.
    fn at(&self, speed: f64) -> f64 {
        let found = match self.value(speed) {
            Ok(value) if value >= 0.0 && value <= self.most => return value,
            Ok(value) => {
                let (value, key) = (Value::Real(value), self.key);
                let output = &self.checked.program.outputs[0];
                let place = self.checked.program.function(output.function).body.span;
                let bounds = if self.most == 1.0 { "must be from 0 to 1" } else { "must be 0 or greater" };
                Diagnostic::new(Code::E754, place, format!("no surface has a {key} of {value}"))
                    .label(bounds)
                    .help(match self.most {
                        1.0 => "keep it in bounds: `max(0, min(1, …))`",
                        _ => "keep it in bounds: `max(0, …)`",
                    })
            }
            Err(diagnostic) => *diagnostic,
        };
        let output = &self.checked.program.outputs[0].name;
        let note = format!("in `{output}`, at a speed of {} m/s", Value::Real(speed));
        self.failures.keep(found.note(note));
        f64::NAN
    }

    fn value(&self, speed: f64) -> Result<f64, Box<Diagnostic>> {
        let mut desk = locked(&self.desk);
        let (machine, slots) = &mut *desk;
        let scalar = |slot: &ir::Slot| {
            let (is_speed, value) = &self.inputs[slot.input.0 as usize];
            let scalars = if *is_speed { vec![speed] } else { value.scalars().unwrap_or_default() };
            scalars.get(slot.element as usize).copied().unwrap_or(0.0)
        };
        if let Some(runner) = &self.runner {
            slots.clear();
            slots.extend(runner.graph.slots.iter().map(scalar));
            let mut result = [0.0];
            if runner.run_row(slots, &mut result) {
                return Ok(result[0]);
            }
        }
        let inputs = self.inputs.iter().map(|(is_speed, value)| match is_speed {
            true => Value::Real(speed),
            false => value.clone(),
        });
        machine.start(inputs.collect());
        let function = self.checked.program.outputs[0].function;
        match machine.get(function) {
            Ok(Value::Real(value)) => Ok(value),
            Ok(other) => {
                let place = self.checked.program.function(function).body.span;
                let message = format!("a {} is a real, but this is {}", self.key, other.type_of());
                Err(Box::new(Diagnostic::new(Code::E754, place, message)))
            }
            Err(fault) => Err(Box::new(fault.diagnostic())),
        }
    }
}
