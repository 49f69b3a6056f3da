//! A measure for objects that its expression cannot tell apart.
//!
//! It is evaluated at every frame and event, and most of the time nothing has changed: at a collision, one
//! object of the scene has new values and the others rest or go on. So the last value of each object is kept
//! with the scalars it was made of, and only new scalars go to the kernel.

use super::Read;
use crate::run::kernel::{Compile, Kernel};
use gedanken_experiment::{MeasureProgram, Object};
use gedanken_lang::check::Binding;
use gedanken_lang::ir::{Access, Graph, NotFixed};
use gedanken_lang::kernel::Reference;
use gedanken_lang::program::{Input, Program};
use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_lang::vm::{Fault, Limits};
use gedanken_math::Cancel;

/// A measure for objects that its expression cannot tell apart.
#[derive(Debug)]
pub struct Gauge {
    objects: Vec<usize>,
    /// Their names.
    names: Vec<String>,
    inputs: Vec<Reading>,
    kernel: Kernel,
    /// Last value of each object, or of the world.
    last: Vec<Last>,
    /// Scalars that are read now.
    now: Vec<f64>,
}

/// An attribute that a measure reads.
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
#[derive(Clone, Debug)]
struct Last {
    /// Whether there is one.
    is_known: bool,
    inputs: Vec<f64>,
    value: Vec<f64>,
}

impl Gauge {
    pub(super) fn new(measured: &MeasureProgram, all: &[Object], cancel: &Cancel) -> Self {
        let MeasureProgram { objects, checked } = measured;
        let program = &checked.program;
        let reading = |input: &Input| {
            let (of_object, attribute) = match &checked.scope.variables[input.scope_index].binding {
                Binding::Object { attribute, .. } => (true, attribute),
                Binding::World { name } => (false, name),
                other => unreachable!("a measure names attributes of one object and the world: {other:?}"),
            };
            Reading { of_object, attribute: attribute.clone(), ty: input.ty.clone() }
        };
        let reference = Reference::new(program.clone(), Limits::until(cancel));
        let kernel = Kernel::new(&reference, vec![0], |_| Access::Same, &Compile::Never);
        let nothing = Last { is_known: false, inputs: Vec::new(), value: vec![0.0; kernel.width()] };
        Self {
            objects: objects.clone(),
            names: objects.iter().map(|&it| all[it].name.clone()).collect(),
            inputs: program.inputs.iter().map(reading).collect(),
            kernel,
            last: vec![nothing; objects.len().max(1)],
            now: Vec::new(),
        }
    }

    /// Allows native code, or forbids it.
    pub(super) fn natively(&mut self, compile: &Compile) {
        self.kernel.set_compile(compile);
    }

    /// Objects it measures, in the order of their names: indices into those of the experiment. Empty if it
    /// measures the world.
    pub fn objects(&self) -> &[usize] {
        &self.objects
    }

    /// Name of one of its objects.
    pub(super) fn name(&self, row: usize) -> &str {
        &self.names[row]
    }

    /// Attributes that it reads, in the order of the program's inputs.
    pub fn inputs(&self) -> &[Reading] {
        &self.inputs
    }

    /// Program of the expression, with one output.
    pub fn program(&self) -> &Program {
        self.kernel.program()
    }

    /// Place of its expression in the text.
    pub(super) fn span(&self) -> Span {
        let program = self.kernel.program();
        program.function(program.outputs[0].function).body.span
    }

    /// Intermediate form of the expression, for executors over columns.
    ///
    /// # Errors
    /// Why it has none.
    pub fn graph(&self) -> Result<&Graph, &NotFixed> {
        self.kernel.graph()
    }

    /// Value of one object, by its place among those measured, or of the world.
    pub(super) fn value(&mut self, row: Option<usize>, read: &mut Read<'_>) -> Result<&[f64], Fault> {
        let object = row.map(|row| self.objects[row]);
        self.now.clear();
        for Reading { of_object, attribute, ty } in &self.inputs {
            let before = self.now.len();
            read(object.filter(|_| *of_object), attribute, &mut self.now);
            let found = self.now.len() - before;
            assert_eq!(Some(found), ty.scalars(), "`{attribute}` is {ty}: that many scalars");
        }
        let last = &mut self.last[row.unwrap_or(0)];
        let same = |(x, y): (&f64, &f64)| x.to_bits() == y.to_bits();
        if !(last.is_known && last.inputs.iter().zip(&self.now).all(same)) {
            // A value that could not be computed is not taken for that of the inputs before.
            last.is_known = false;
            self.kernel.run_row(&self.now, &mut last.value)?;
            last.inputs.clone_from(&self.now);
            last.is_known = true;
        }
        Ok(&last.value)
    }
}
