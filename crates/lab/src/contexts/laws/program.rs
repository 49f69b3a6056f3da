//! Laws as kernels: which scalar of the world each input of a law reads, and where its outputs go.

use super::inputs::{Binder, Source, Target};
use crate::contexts::ids::{Column as _, ColumnId};
use crate::run::kernel::{Compile, GraphKernel, Kernel};
use gedanken_lang::diagnostic::Diagnostic;
use gedanken_lang::ir::{Access, Graph, Layout, Slot};
use gedanken_lang::kernel::{Reference, room};
use gedanken_lang::program::{Expr, ExprKind, FunctionId, InputId, Program as Resolved};
use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_lang::vm::Fault;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Number of inputs that need no memory of their own.
const INPUTS_ON_STACK: usize = 96;

/// Sources that the slots of a graph read.
#[derive(Debug)]
pub(crate) struct Sources {
    pub(crate) sources: Vec<Source>,
    /// Whether all of these are plain.
    pub(crate) is_plain: bool,
}

impl Sources {
    fn new(sources: Vec<Source>) -> Self {
        Self { is_plain: sources.iter().all(|it| it.is_plain()), sources }
    }
}

/// A graph that was derived from laws, such as rates and bounds, with what its slots read.
#[derive(Debug)]
pub(crate) struct Derived {
    pub(crate) kernel: GraphKernel,
    pub(crate) sources: Vec<Source>,
    /// Whether all of these are plain.
    pub(crate) is_plain: bool,
}

impl Derived {
    /// Prepares a graph whose slots read `sources`; `compile` allows native code.
    pub(crate) fn new(graph: Graph, sources: Vec<Source>, compile: &Compile) -> Self {
        let layout = Layout { slots: sources.iter().copied().map(access).collect() };
        let Sources { sources, is_plain } = Sources::new(sources);
        Self { kernel: GraphKernel::new(graph, layout, compile), sources, is_plain }
    }
}

/// Access to a source when many objects are computed at once.
fn access(source: Source) -> Access {
    match source {
        Source::Stored { .. } | Source::Kept { .. } | Source::Elapsed => Access::Each,
        _ => Access::Same,
    }
}

/// Some outputs of a context, computed together.
#[derive(Debug)]
pub(crate) struct Program {
    pub(crate) kernel: Kernel,
    /// Target of the scalars of each output, and their number.
    pub(crate) targets: Vec<(Target, usize)>,
    /// Number of scalars in all.
    pub(crate) width: usize,
    /// Sources of the graph's slots, if there is a graph.
    pub(crate) slots: Option<Sources>,
    /// Type of each input and the sources of its scalars, for the reference evaluator.
    inputs: Vec<(Type, Vec<Source>)>,
}

impl Program {
    /// Prepares the outputs with these indices.
    pub(crate) fn new(
        binder: &Binder<'_>,
        reference: &Arc<Reference>,
        outputs: Vec<usize>,
        compile: &Compile,
    ) -> Self {
        let program = binder.program();
        let target = |&output: &usize| {
            let output = &program.outputs[output];
            (binder.target(output), output.ty.scalars().unwrap_or(0))
        };
        let inputs = (0u32..).zip(&program.inputs).map(|(id, input)| {
            let scalars = input.ty.scalars().unwrap_or(1);
            (input.ty.clone(), (0..scalars).map(|element| binder.input(InputId(id), element)).collect())
        });
        let (targets, inputs) = (outputs.iter().map(target).collect(), inputs.collect());
        let kernel = Kernel::new(reference, outputs, |slot: Slot| access(binder.slot(slot)), compile);
        let slots = kernel.graph().ok().map(|graph| Sources::new(binder.sources(graph)));
        Self { width: kernel.width(), kernel, targets, slots, inputs }
    }

    /// The columns of the evaluated object that it sets, in order.
    pub(crate) fn columns(&self) -> impl Iterator<Item = ColumnId> {
        self.targets.iter().flat_map(|&(target, width)| match target {
            Target::Stored { column, .. } => column.span(width),
            _ => ColumnId::default().span(0),
        })
    }

    /// Place of the law of an attribute in the text, if it is one of the outputs.
    pub(crate) fn place(&self, attribute: &str) -> Option<Span> {
        let program = self.kernel.program();
        let mut outputs = self.kernel.outputs().iter().map(|&it| &program.outputs[it]);
        outputs.find(|it| it.name == attribute).map(|it| program.function(it.function).name_span)
    }

    /// Place of the first of its laws in the text.
    pub(crate) fn first_place(&self) -> Option<Span> {
        let program = self.kernel.program();
        let output = &program.outputs[*self.kernel.outputs().first()?];
        Some(program.function(output.function).name_span)
    }

    /// Everything it may read.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        let slots = self.slots.iter().flat_map(|it| it.sources.iter().copied());
        let all = self.inputs.iter().flat_map(|(_, sources)| sources.iter().copied());
        slots.chain(all.filter(|_| self.slots.is_none()))
    }

    /// The inputs as values. `whole` gives what the engine measured where its shape is not fixed.
    fn values(
        &self,
        mut read: impl FnMut(Source) -> Result<f64, Failure>,
        whole: impl Fn(usize) -> Value,
    ) -> Result<Vec<Value>, Failure> {
        let value = |(ty, sources): &(Type, Vec<Source>)| match (ty.is_fixed(), sources.first()) {
            (false, Some(Source::Given { given, .. })) => Ok(whole(*given)),
            _ => {
                let scalars: Vec<f64> = sources.iter().map(|&it| read(it)).collect::<Result<_, _>>()?;
                Ok(Value::from_scalars(ty, scalars).unwrap_or(Value::Sequence(Vec::new())))
            }
        };
        self.inputs.iter().map(value).collect()
    }

    /// The values of functions without parameters, as far as the outputs need them, and those that no law needs at
    /// all.
    pub(crate) fn reached(
        &self,
        read: impl FnMut(Source) -> Result<f64, Failure>,
        whole: impl Fn(usize) -> Value,
        functions: &[FunctionId],
    ) -> Vec<Option<Value>> {
        let Ok(values) = self.values(read, whole) else { return vec![None; functions.len()] };
        let program = self.kernel.program();
        self.kernel.reference().with_machine(|machine| {
            machine.start(values);
            for &output in self.kernel.outputs() {
                // A failure has been reported when the outputs were computed; here it leaves what was reached.
                let _ = machine.get(program.outputs[output].function);
            }
            let needed = needed(program);
            for &unneeded in functions.iter().filter(|it| !needed.contains(it)) {
                // It is computed because it is recorded, so its failure stops nothing.
                let _ = machine.get(unneeded);
            }
            functions.iter().map(|&it| machine.reached(it).cloned()).collect()
        })
    }

    /// Computes its outputs from what `read` finds; `whole` gives what the engine measured where its shape is
    /// not fixed.
    pub(crate) fn run(
        &self,
        mut read: impl FnMut(Source) -> Result<f64, Failure>,
        whole: impl Fn(usize) -> Value,
        out: &mut [f64],
    ) -> Result<(), Failure> {
        let Some(Sources { sources, .. }) = &self.slots else {
            return self.kernel.run_values(self.values(read, whole)?, out).map_err(Failure::law);
        };
        let (mut few, mut many) = ([0.0; INPUTS_ON_STACK], Vec::new());
        let inputs = room(&mut few, &mut many, sources.len());
        for (input, &source) in inputs.iter_mut().zip(sources) {
            *input = read(source)?;
        }
        self.kernel.run_slots(inputs, out).map_err(Failure::law)
    }
}

/// Reason why a law has no value.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The law itself failed.
    Law(Box<Fault>),
    /// Something it needs has none, which has been put in words.
    Told(Box<Diagnostic>),
}

impl Failure {
    pub(crate) fn law(fault: Fault) -> Self {
        Self::Law(Box::new(fault))
    }
}

/// The functions that the outputs of a program can need, whichever branches are taken.
fn needed(program: &Resolved) -> BTreeSet<FunctionId> {
    let mut needed = BTreeSet::new();
    let mut open: Vec<FunctionId> = program.outputs.iter().map(|output| output.function).collect();
    while let Some(function) = open.pop() {
        if needed.insert(function) {
            calls(&program.function(function).body, &mut open);
        }
    }
    needed
}

/// Adds the functions that an expression calls. Recursion is safe: the height of expressions is bounded.
fn calls(expr: &Expr, found: &mut Vec<FunctionId>) {
    match &expr.kind {
        ExprKind::Real(_) | ExprKind::Bool(_) | ExprKind::Param(_) | ExprKind::Input(_) => {}
        ExprKind::Call(function, arguments) => {
            found.push(*function);
            arguments.iter().for_each(|one| calls(one, found));
        }
        ExprKind::Native(_, several) | ExprKind::Vector(several) | ExprKind::Sequence(several) => {
            several.iter().for_each(|one| calls(one, found));
        }
        ExprKind::Unary(_, operand) => calls(operand, found),
        ExprKind::Binary(_, _, left, right) => {
            calls(left, found);
            calls(right, found);
        }
        ExprKind::If(condition, then, otherwise) => {
            for one in [condition, then, otherwise] {
                calls(one, found);
            }
        }
    }
}
