//! The last tier: a checked program with its reference evaluator.

use super::column::Column;
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::{Graph, Slot};
use crate::program::Program;
use crate::value::Value;
use crate::vm::{self, Fault, Limits, Machine};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Number of inputs that a message about a failure lists.
const INPUTS_SHOWN: usize = 12;

/// A checked program with its reference evaluator, shared by all kernels that compute outputs of it.
///
/// The scalars of its inputs are numbered through, input by input in the order of the program: the *place* of
/// a scalar. Inputs without a fixed type have none.
#[derive(Debug)]
pub struct Reference {
    program: Program,
    limits: Limits,
    /// Place of the first scalar of each input; at the end the number of places.
    starts: Vec<usize>,
    /// Made when first needed: most programs never fail.
    code: OnceLock<Arc<vm::Code>>,
    /// Machine of an earlier evaluation. It carries nothing over but its memory.
    spare: Mutex<Option<Machine>>,
}

impl Reference {
    /// Prepares a program whose evaluations are bounded by `limits`.
    pub fn new(program: Program, limits: Limits) -> Arc<Self> {
        let mut starts = vec![0];
        let mut places = 0;
        for input in &program.inputs {
            places += input.ty.scalars().unwrap_or(0);
            starts.push(places);
        }
        Arc::new(Self { program, limits, starts, code: OnceLock::new(), spare: Mutex::new(None) })
    }

    /// The program.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Number of scalars of all inputs.
    pub fn places(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// Place of the scalar that a slot reads.
    pub fn place(&self, slot: Slot) -> usize {
        self.starts[slot.input.0 as usize] + slot.element as usize
    }

    /// Places that the slots of a graph read. The graph is one of this program, or was derived from one.
    pub fn places_of(&self, graph: &Graph) -> Vec<usize> {
        graph.slots.iter().map(|&slot| self.place(slot)).collect()
    }

    /// Values of all inputs, from the scalar in each place. Inputs without a fixed type are empty.
    pub(super) fn values(&self, scalar: impl Fn(usize) -> f64) -> Vec<Value> {
        let value = |(input, places): (&crate::program::Input, &[usize])| {
            let scalars = (places[0]..places[1]).map(&scalar).collect();
            Value::from_scalars(&input.ty, scalars).unwrap_or(Value::Sequence(Vec::new()))
        };
        self.program.inputs.iter().zip(self.starts.windows(2)).map(value).collect()
    }

    /// Runs something on a machine for this program.
    pub fn with_machine<T>(&self, run: impl FnOnce(&mut Machine) -> T) -> T {
        let spare = || self.spare.lock().unwrap_or_else(PoisonError::into_inner);
        // The lock is not held while the machine runs: another thread makes a machine of its own meanwhile.
        let taken = spare().take();
        let mut machine = taken.unwrap_or_else(|| {
            let code = self.code.get_or_init(|| Arc::new(vm::compile(&self.program)));
            Machine::new(Arc::clone(code), self.limits.clone())
        });
        let result = run(&mut machine);
        *spare() = Some(machine);
        result
    }

    /// Evaluates some outputs one after the other, their scalars into `write`: number of the scalar, and
    /// value.
    ///
    /// # Errors
    /// The first failure; a value of another type than its output is one.
    pub(super) fn evaluate(
        &self,
        values: Vec<Value>,
        outputs: &[usize],
        mut write: impl FnMut(usize, f64),
    ) -> Result<(), Fault> {
        self.with_machine(|machine| {
            machine.start(values);
            let mut number = 0;
            for &output in outputs {
                let output = &self.program.outputs[output];
                let value = machine.get(output.function)?;
                if value.type_of() != output.ty {
                    // Lengths of sequences, and of vectors made of them, are known only now.
                    let is = value.type_of();
                    let message = format!("`{}` is {}, but its law gives {is}", output.name, output.ty);
                    let place = self.program.function(output.function).body.span;
                    return Err(
                        Fault::new(Code::E305, place, &output.name, message).label(format!("this is {is}"))
                    );
                }
                for scalar in value.scalars().unwrap_or_default() {
                    write(number, scalar);
                    number += 1;
                }
            }
            Ok(())
        })
    }

    /// Looks at the token that ends evaluations.
    ///
    /// # Errors
    /// If they shall end.
    pub(super) fn look(&self) -> Result<(), Fault> {
        match self.program.outputs.first() {
            Some(output) if self.limits.cancel.is_asked() => {
                let place = self.program.function(output.function).body.span;
                let message = "the evaluation was interrupted".to_owned();
                Err(Fault::new(Code::E524, place, &output.name, message).label("it was here"))
            }
            _ => Ok(()),
        }
    }

    /// Evaluates one output in a row of columns.
    ///
    /// # Errors
    /// Why it has no value.
    pub fn check(&self, output: usize, inputs: &[Column], row: usize) -> Result<(), Fault> {
        self.evaluate(self.values(|place| inputs[place].at(row)), &[output], |_, _| ())
    }

    /// Tells what failed in a row of columns: law, operator and operands, and the inputs that went in.
    pub fn explain(&self, fault: &Fault, inputs: &[Column], row: usize) -> Diagnostic {
        let values = self.values(|place| inputs[place].at(row));
        let given = self.program.inputs.iter().zip(values).take(INPUTS_SHOWN);
        let shown: Vec<String> = given.map(|(input, value)| format!("{} = {value}", input.name)).collect();
        if shown.is_empty() {
            return fault.diagnostic();
        }
        fault.diagnostic().note(format!("it was given {}", shown.join(", ")))
    }
}
