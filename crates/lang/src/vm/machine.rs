//! The machine: a stack of values, a stack of frames, and the results that are kept.
//!
//! An operation takes its operands off the stack only when it has succeeded, so that whoever explains a
//! failure still finds them there. Invariant: at every operation the stack holds, above the parameters of the
//! running function, exactly what [`compile`](super::compile()) put there before it.

use super::blame::{self, Trouble};
use super::compile::{Code, Operation};
use super::cost;
use super::cost::{Effort, MOST_ALIVE, MOST_ELEMENTS, MOST_NESTED};
use super::fault::{Call, Circumstances, Fault, Operand};
use super::slot::Slot;
use crate::arithmetic::Immediate;
use crate::operation;
use crate::program::FunctionId;
use crate::syntax::tree::Binary;
use crate::value::Value;
use gedanken_math::Cancel;
use std::collections::HashSet;
use std::slice;
use std::sync::Arc;

/// Limits of an evaluation.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Calls under way at one time.
    pub depth: usize,
    /// Steps in one evaluation. A step is an instruction; operations on large values count several.
    pub steps: u64,
    /// Token that ends an evaluation.
    pub cancel: Cancel,
}

impl Default for Limits {
    fn default() -> Self {
        Self { depth: 10_000, steps: 50_000_000, cancel: Cancel::never() }
    }
}

impl Limits {
    /// The usual limits, with a token that ends evaluations.
    #[must_use]
    pub fn until(cancel: &Cancel) -> Self {
        Self { cancel: cancel.clone(), ..Self::default() }
    }
}

/// A function that is being computed.
#[derive(Clone, Copy, Debug)]
struct Frame {
    function: FunctionId,
    /// The operation to go on with.
    next: usize,
    /// Position of its first parameter on the stack.
    base: usize,
}

/// State of a function without parameters.
#[derive(Clone, Debug)]
enum Kept {
    /// Not needed so far.
    Unasked,
    /// It is being computed.
    UnderWay,
    /// Its value.
    Done(Slot),
}

/// Runs a compiled program.
#[derive(Debug)]
pub struct Machine {
    code: Arc<Code>,
    limits: Limits,
    inputs: Vec<Slot>,
    kept: Vec<Kept>,
    stack: Vec<Slot>,
    frames: Vec<Frame>,
    /// Arguments of the operation that runs; here so that they need no memory of their own each time.
    arguments: Vec<Value>,
    arithmetic: Immediate,
    steps: u64,
    /// Number of steps at which the limits are looked at.
    next_look: u64,
    /// Scalars of all values made since those alive were last counted, and of those alive then.
    booked: usize,
}

/// Number of steps after which the token is looked at again: some tens of microseconds.
const STEPS_BETWEEN_LOOKS: u64 = 4096;
/// Calls that a fault lists.
const CALLS_LISTED: usize = 16;

impl Machine {
    /// A machine for `code`; [`start`](Self::start) gives it inputs.
    pub fn new(code: Arc<Code>, limits: Limits) -> Self {
        let kept = vec![Kept::Unasked; code.routines.len()];
        Self {
            code,
            limits,
            inputs: Vec::new(),
            kept,
            stack: Vec::new(),
            frames: Vec::new(),
            arguments: Vec::new(),
            arithmetic: Immediate::default(),
            steps: 0,
            next_look: 0,
            booked: 0,
        }
    }

    /// Starts a new evaluation: forgets kept results, takes new inputs.
    ///
    /// # Panics
    /// If there are not as many inputs as the program has: a mistake in the engine, not in a law.
    pub fn start(&mut self, inputs: Vec<Value>) {
        assert_eq!(inputs.len(), self.code.inputs, "one value for each input of the program");
        self.inputs.clear();
        self.inputs.extend(inputs.into_iter().map(Slot::new));
        self.kept.fill(Kept::Unasked);
        self.steps = 0;
        // The first operation looks: many short evaluations are as long as a long one.
        self.next_look = 0;
        self.booked = self.inputs.iter().map(Slot::elements).sum();
    }

    /// Number of steps that the present evaluation has taken.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// The value of a function without parameters, computed now unless it is kept.
    ///
    /// # Errors
    /// If it has none. The evaluation may go on with other functions.
    ///
    /// # Panics
    /// If the function has parameters.
    pub fn get(&mut self, function: FunctionId) -> Result<Value, Fault> {
        assert_eq!(
            self.code.routine(function).params,
            0,
            "only functions without parameters have a value of their own"
        );
        if let Kept::Done(slot) = &self.kept[function.0 as usize] {
            return Ok(slot.value().clone());
        }
        let code = Arc::clone(&self.code);
        let run = self.enter(&code, function).and_then(|()| self.run(&code));
        let fault = run.err().map(|trouble| self.fault(&code, &trouble));
        for frame in self.frames.drain(..) {
            self.kept[frame.function.0 as usize] = Kept::Unasked;
        }
        let result = self.stack.pop();
        self.stack.clear();
        match (fault, result) {
            (None, Some(slot)) => Ok(slot.value().clone()),
            (Some(fault), _) => Err(fault),
            (None, None) => unreachable!("a function that has returned leaves its value on the stack"),
        }
    }

    /// The value of a function without parameters, if the present evaluation has needed it.
    pub fn reached(&self, function: FunctionId) -> Option<&Value> {
        match &self.kept[function.0 as usize] {
            Kept::Done(slot) => Some(slot.value()),
            Kept::Unasked | Kept::UnderWay => None,
        }
    }

    /// Runs until the outermost function has returned. On an error, the frames and the stack stay as they
    /// were.
    fn run(&mut self, code: &Code) -> Result<(), Trouble> {
        while let Some(frame) = self.frames.last_mut() {
            let operation = code.operations[frame.next];
            let base = frame.base;
            frame.next += 1;
            self.steps += 1;
            if self.steps > self.next_look {
                self.look()?;
            }
            match operation {
                Operation::Real(real) => self.stack.push(Slot::Scalar(Value::Real(real))),
                Operation::Bool(truth) => self.stack.push(Slot::Scalar(Value::Bool(truth))),
                Operation::Param(index) => self.stack.push(self.stack[base + index as usize].clone()),
                Operation::Input(index) => self.stack.push(self.inputs[index as usize].clone()),
                Operation::Call(function) => self.enter(code, function)?,
                Operation::Skip(target) => self.go_to(target),
                Operation::SkipUnless(target) => {
                    let Some(&Value::Bool(condition)) = self.stack.last().map(Slot::value) else {
                        return Err(Trouble::NotBoolean);
                    };
                    self.stack.pop();
                    if !condition {
                        self.go_to(target);
                    }
                }
                Operation::Decide(operator, target) => {
                    let Some(&Value::Bool(left)) = self.stack.last().map(Slot::value) else {
                        return Err(Trouble::NotBoolean);
                    };
                    if left == (operator == Binary::Or) {
                        self.go_to(target);
                    }
                }
                Operation::Return => self.leave(code),
                Operation::Unary(_)
                | Operation::Binary(_)
                | Operation::Native(..)
                | Operation::Vector(_)
                | Operation::Sequence(_) => self.compute(operation)?,
            }
        }
        Ok(())
    }

    /// Looks at the limits, and says when to look again.
    fn look(&mut self) -> Result<(), Trouble> {
        if self.steps > self.limits.steps {
            return Err(Trouble::TooLong(self.limits.steps));
        }
        self.next_look = self.steps.saturating_add(STEPS_BETWEEN_LOOKS).min(self.limits.steps);
        self.limits.cancel.check().map_err(|_| Trouble::Cancelled)
    }

    fn go_to(&mut self, target: u32) {
        if let Some(frame) = self.frames.last_mut() {
            frame.next = target as usize;
        }
    }

    /// Begins a function whose arguments are on the stack, or puts its kept value there.
    fn enter(&mut self, code: &Code, function: FunctionId) -> Result<(), Trouble> {
        let routine = code.routine(function);
        if routine.params == 0 {
            match &self.kept[function.0 as usize] {
                Kept::Done(slot) => {
                    self.stack.push(slot.clone());
                    return Ok(());
                }
                Kept::UnderWay => return Err(Trouble::Cycle(self.chain(code, function))),
                Kept::Unasked => {}
            }
        }
        if self.frames.len() >= self.limits.depth.max(1) {
            return Err(Trouble::TooDeep(self.limits.depth));
        }
        if self.stack.len() > MOST_ALIVE {
            return Err(Trouble::OutOfMemory);
        }
        if routine.params == 0 {
            self.kept[function.0 as usize] = Kept::UnderWay;
        }
        let base = self.stack.len() - routine.params as usize;
        self.frames.push(Frame { function, next: routine.start as usize, base });
        Ok(())
    }

    /// Ends the running function: its parameters go, its result stays.
    fn leave(&mut self, code: &Code) {
        let (Some(frame), Some(result)) = (self.frames.pop(), self.stack.pop()) else { return };
        self.stack.truncate(frame.base);
        if code.routine(frame.function).params == 0 {
            self.kept[frame.function.0 as usize] = Kept::Done(result.clone());
        }
        self.stack.push(result);
    }

    /// From the first use of a function that is under way to the use that closes the circle.
    fn chain(&self, code: &Code, function: FunctionId) -> Vec<String> {
        let first = self.frames.iter().position(|frame| frame.function == function).unwrap_or(0);
        let names = self.frames[first..].iter().map(|frame| frame.function).chain([function]);
        let mut names: Vec<String> = names.map(|id| code.routine(id).name.clone()).collect();
        if names.len() > CALLS_LISTED {
            names.splice(CALLS_LISTED / 2..names.len() - CALLS_LISTED / 2, ["…".to_owned()]);
        }
        names
    }

    /// Replaces the operands on top of the stack by the result.
    fn compute(&mut self, operation: Operation) -> Result<(), Trouble> {
        let first = self.stack.len() - operand_count(operation);
        let effort = self.effort(operation, first);
        if effort.elements > MOST_ELEMENTS {
            return Err(Trouble::TooLarge(effort.elements));
        }
        self.steps = self.steps.saturating_add(effort.steps);
        if self.steps > self.limits.steps {
            return Err(Trouble::TooLong(self.limits.steps));
        }
        let operands = &self.stack[first..];
        let a = &mut self.arithmetic;
        let result = match operation {
            Operation::Unary(operator) => operation::unary(a, operator, operands[0].value()),
            Operation::Binary(operator) => {
                operation::binary(a, operator, operands[0].value(), operands[1].value())
            }
            // The most common natives need no copy of what they look at.
            Operation::Native(native, 1) => native.call(a, slice::from_ref(operands[0].value())),
            Operation::Native(native, _) => native.call(a, gathered(&mut self.arguments, operands)),
            Operation::Vector(_) => operation::vector(gathered(&mut self.arguments, operands)),
            _ => operation::sequence(gathered(&mut self.arguments, operands)),
        };
        self.arguments.clear();
        // What comes with a fault means nothing.
        if let Some(fault) = self.arithmetic.fault() {
            return Err(Trouble::Scalar(fault));
        }
        let result = result.map_err(Trouble::Mismatch)?;
        if matches!(operation, Operation::Sequence(_)) && cost::nesting(&result) > MOST_NESTED {
            return Err(Trouble::TooNested);
        }
        let result = Slot::new(result);
        if result.elements() > MOST_ELEMENTS {
            return Err(Trouble::TooLarge(result.elements()));
        }
        // Whether that was too long is seen at the next operation.
        self.steps = self.steps.saturating_add(Effort::touching(result.elements()).steps);
        self.book(result.elements())?;
        self.stack.truncate(first);
        self.stack.push(result);
        Ok(())
    }

    fn effort(&self, operation: Operation, first: usize) -> Effort {
        let operands = &self.stack[first..];
        match operation {
            Operation::Binary(operator) => cost::binary(operator, &operands[0], &operands[1]),
            Operation::Native(native, _) => cost::native(native, operands),
            _ => cost::copying(operands),
        }
    }

    /// Books the scalars of a new value. What has died since the last count is still booked; when twice the
    /// allowance is booked, those alive are counted anew: rarely enough to cost nothing, and memory stays
    /// below twice the allowance.
    fn book(&mut self, elements: usize) -> Result<(), Trouble> {
        self.booked += elements;
        if self.booked <= 2 * MOST_ALIVE {
            return Ok(());
        }
        let kept =
            self.kept.iter().filter_map(|kept| if let Kept::Done(slot) = kept { Some(slot) } else { None });
        let mut seen = HashSet::new();
        let alive = self.stack.iter().chain(&self.inputs).chain(kept);
        let alive = alive.filter(|slot| slot.address().is_some_and(|address| seen.insert(address)));
        let alive = alive.map(Slot::elements).sum::<usize>() + elements;
        if alive > MOST_ALIVE {
            return Err(Trouble::OutOfMemory);
        }
        self.booked = alive;
        Ok(())
    }

    /// Failure of the operation that has just run, with its circumstances.
    fn fault(&self, code: &Code, trouble: &Trouble) -> Fault {
        let Some(frame) = self.frames.last() else {
            unreachable!("the outermost call always gets its frame, and whatever fails does so inside it")
        };
        let failed = frame.next.saturating_sub(1);
        let operation = code.operations[failed];
        let spans = code.operands(failed);
        let values = self.stack[self.stack.len().saturating_sub(spans.len())..]
            .iter()
            .map(|slot| slot.value().clone());
        let operands: Vec<Operand> =
            spans.iter().zip(values).map(|(&span, value)| Operand { span, value }).collect();
        let values: Vec<Value> = operands.iter().map(|operand| operand.value.clone()).collect();
        let routine = code.routine(frame.function);
        let words = blame::words(trouble, operation, &values, &routine.name);
        let calls = self.frames.windows(2).rev().take(CALLS_LISTED).map(|pair| {
            let called = code.routine(pair[1].function);
            let span = code.span(pair[0].next.saturating_sub(1));
            Call { function: called.name.clone(), with_arguments: called.params > 0, span }
        });
        Fault {
            code: words.code,
            span: code.span(failed),
            function: routine.name.clone(),
            message: words.message,
            circumstances: Box::new(Circumstances {
                phase: routine.phase,
                label: words.label,
                help: words.help,
                operands: if words.with_operands { operands } else { Vec::new() },
                calls: calls.collect(),
                depth: self.frames.len(),
            }),
        }
    }
}

/// Number of operands that an operation takes off the stack.
fn operand_count(operation: Operation) -> usize {
    match operation {
        Operation::Unary(_) => 1,
        Operation::Binary(_) => 2,
        Operation::Native(_, n) | Operation::Vector(n) | Operation::Sequence(n) => n as usize,
        _ => 0,
    }
}

/// Copies of values, side by side.
fn gathered<'a>(into: &'a mut Vec<Value>, slots: &[Slot]) -> &'a [Value] {
    into.clear();
    into.extend(slots.iter().map(|slot| slot.value().clone()));
    into
}
