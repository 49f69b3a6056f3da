//! A measure for objects that its expression cannot tell apart.
//!
//! It is asked at every frame and event, and most of the time for what has not changed: of the objects of a
//! scene one collides and the others go their ways, or rest. So the last value of each object is kept with
//! what it was made of. What is new goes to the reference evaluator, and once that has been asked for long
//! enough, to native code, which has the same bits.

use super::Read;
use crate::run::native::pays;
use gedanken_experiment::{MeasureProgram as Measured, Object};
use gedanken_jit::NativeProgram;
use gedanken_lang::check::Binding;
use gedanken_lang::ir::{Access, Executor as _, Feed, Graph, Layout, NotFixed, Schedule, build};
use gedanken_lang::program::{FunctionId, Input, Program};
use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits, Machine, compile};
use std::sync::Arc;

/// A measure for objects that its expression cannot tell apart.
#[derive(Debug)]
pub struct Gauge {
    objects: Vec<usize>,
    /// What they are called.
    names: Vec<String>,
    inputs: Vec<Reading>,
    program: Program,
    graph: Result<Graph, NotFixed>,
    machine: Machine,
    function: FunctionId,
    /// Of each object, or of the world, the value that was computed last.
    last: Vec<Last>,
    /// What is read now.
    now: Vec<f64>,
    native: Native,
}

/// Something that a measure reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// Whether it belongs to the object that is measured; else to the world.
    pub of_object: bool,
    /// The attribute; the world's `t` is the time.
    pub attribute: String,
    /// Its type.
    pub ty: Type,
}

/// A value, and the scalars it was computed from.
#[derive(Debug, Default)]
struct Last {
    inputs: Vec<f64>,
    value: Option<Vec<f64>>,
}

/// Native code, or how long until there is.
#[derive(Debug)]
enum Native {
    /// So many values have been computed without it.
    After(usize),
    /// Here it is, with the place of each slot among the scalars that are read.
    Now(Box<NativeProgram>, Vec<usize>),
    /// There will be none.
    Never,
}

impl Gauge {
    pub(super) fn new(measured: &Measured, all: &[Object]) -> Self {
        let Measured { objects, checked } = measured;
        let program = checked.program.clone();
        let reading = |input: &Input| {
            let (of_object, attribute) = match &checked.scope.variables[input.scope_index].binding {
                Binding::Object { attribute, .. } => (true, attribute),
                Binding::World { name } => (false, name),
                other => unreachable!("a measure names attributes of one object and the world: {other:?}"),
            };
            Reading { of_object, attribute: attribute.clone(), ty: input.ty.clone() }
        };
        Self {
            objects: objects.clone(),
            names: objects.iter().map(|&it| all[it].name.clone()).collect(),
            inputs: program.inputs.iter().map(reading).collect(),
            graph: build(&program, &[0]),
            machine: Machine::new(Arc::new(compile(&program)), Limits::default()),
            function: program.outputs[0].function,
            program,
            last: (0..objects.len().max(1)).map(|_| Last::default()).collect(),
            now: Vec::new(),
            native: Native::Never,
        }
    }

    /// Whether it may become native code.
    pub(super) fn natively(&mut self, native: bool) {
        self.native = if native { Native::After(0) } else { Native::Never };
    }

    /// The objects it measures, by name: indices into those of the experiment. None, if it measures the
    /// world.
    pub fn objects(&self) -> &[usize] {
        &self.objects
    }

    /// What one of its objects is called.
    pub(super) fn name(&self, row: usize) -> &str {
        &self.names[row]
    }

    /// What it reads, in the order of the program's inputs.
    pub fn inputs(&self) -> &[Reading] {
        &self.inputs
    }

    /// Its program, with one output.
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Where its expression is written.
    pub(super) fn span(&self) -> Span {
        self.program.function(self.function).body.span
    }

    /// Its intermediate form, for executors over columns.
    ///
    /// # Errors
    /// Why it has none.
    pub fn graph(&self) -> Result<&Graph, &NotFixed> {
        self.graph.as_ref()
    }

    /// The value of one object, by its place among those measured, or of the world.
    pub(super) fn value(&mut self, row: Option<usize>, read: &mut Read<'_>) -> Result<&[f64], Fault> {
        let object = row.map(|row| self.objects[row]);
        self.now.clear();
        for Reading { of_object, attribute, ty } in &self.inputs {
            let before = self.now.len();
            read(object.filter(|_| *of_object), attribute, &mut self.now);
            let found = self.now.len() - before;
            assert_eq!(Some(found), ty.scalars(), "`{attribute}` is {ty}: that many scalars");
        }
        let row = row.unwrap_or(0);
        let last = &self.last[row];
        let same = |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits();
        let known = last.value.is_some()
            && last.inputs.len() == self.now.len()
            && last.inputs.iter().zip(&self.now).all(same);
        if !known {
            let found = self.compute()?;
            let last = &mut self.last[row];
            last.inputs.clone_from(&self.now);
            last.value = Some(found);
        }
        Ok(self.last[row].value.as_deref().unwrap_or_default())
    }

    /// The value that belongs to what was read.
    fn compute(&mut self) -> Result<Vec<f64>, Fault> {
        self.prepare();
        if let Native::Now(program, places) = &self.native {
            let feeds: Vec<Feed<'_>> = places.iter().map(|&it| Feed::Same(self.now[it])).collect();
            let width = self.graph.as_ref().map_or(0, |it| it.outputs[0].nodes.len());
            let mut value = vec![0.0; width];
            let mut columns: Vec<&mut [f64]> = value.chunks_exact_mut(1).collect();
            // Who is to blame for a bad row, the evaluator knows.
            if program.run(&feeds, &[], 0..1, &mut columns).is_none() {
                return Ok(value);
            }
        }
        let mut scalars = self.now.iter().copied();
        let values = self.inputs.iter().map(|Reading { attribute, ty, .. }| {
            let own = scalars.by_ref().take(ty.scalars().unwrap_or(0)).collect();
            Value::from_scalars(ty, own).unwrap_or_else(|| panic!("`{attribute}` is {ty}: that many scalars"))
        });
        self.machine.start(values.collect());
        let value = self.machine.get(self.function)?;
        Ok(value.scalars().expect("the checker lets only reals and vectors be measures"))
    }

    /// Makes native code, when the time has come.
    fn prepare(&mut self) {
        let Native::After(values) = &mut self.native else { return };
        *values += 1;
        let Ok(graph) = &self.graph else {
            self.native = Native::Never;
            return;
        };
        if !pays(*values) {
            return;
        }
        let mut starts = vec![0];
        for input in &self.inputs {
            starts.push(starts[starts.len() - 1] + input.ty.scalars().unwrap_or(0));
        }
        let places = graph.slots.iter().map(|slot| starts[slot.input.0 as usize] + slot.element as usize);
        let layout = Layout { slots: vec![Access::Same; graph.slots.len()] };
        self.native = match gedanken_jit::compile(graph, &Schedule::new(graph), &layout) {
            Ok(program) => Native::Now(Box::new(program), places.collect()),
            Err(_) => Native::Never,
        };
    }
}
