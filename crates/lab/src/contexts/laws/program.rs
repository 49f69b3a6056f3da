//! Laws as compiled programs: rows of objects through native code, or through the column evaluator, with the
//! same bits; and where a program has no fixed form, one object at a time through the reference evaluator.

use super::inputs::{Binder, Source, Target};
use crate::contexts::ids::{Column as _, ColumnId};
use crate::run::native::Runner;
use gedanken_lang::ir::{Access, Executor as _, Feed, Graph, Layout, build, run_rows};
use gedanken_lang::program::{self, FunctionId, InputId};
use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Code, Fault, Limits, Machine};
use std::sync::Arc;

/// A graph that can run.
#[derive(Debug)]
pub(crate) struct Native {
    runner: Runner,
    /// What each slot reads.
    pub(crate) sources: Vec<Source>,
    /// Whether all of these are plain.
    pub(crate) is_plain: bool,
    /// How many scalars it gives.
    pub(crate) width: usize,
}

/// Room for so many scalars, on the stack if they are few: places and bounds are asked for all the time.
pub(crate) fn room<'r, const FEW: usize>(
    few: &'r mut [f64; FEW],
    many: &'r mut Vec<f64>,
    width: usize,
) -> &'r mut [f64] {
    if width <= FEW {
        return &mut few[..width];
    }
    many.resize(width, 0.0);
    many
}

impl Native {
    /// A graph whose slots read `sources`; `native` code if that is possible and pays.
    pub(crate) fn new(graph: Graph, sources: Vec<Source>, native: bool) -> Self {
        let access = |source: &Source| match source {
            Source::Stored { .. } | Source::Kept { .. } | Source::Elapsed => Access::Each,
            _ => Access::Same,
        };
        let layout = Layout { slots: sources.iter().map(access).collect() };
        let width = graph.outputs.iter().map(|output| output.nodes.len()).sum();
        let is_plain = sources.iter().all(|it| it.is_plain());
        Self { runner: Runner::new(graph, layout, native), sources, is_plain, width }
    }

    /// Runs rows 0 to `rows` of something that cannot fail, such as bounds.
    pub(crate) fn run_all(&self, feeds: &[Feed<'_>], rows: usize, columns: &mut [&mut [f64]]) {
        self.runner.run(feeds, &[], 0..rows, columns);
    }

    /// Runs one row whose slots hold `inputs`. Gives whether the row is good.
    pub(crate) fn run_one(&self, inputs: &[f64], out: &mut [f64]) -> bool {
        self.runner.run_row(inputs, out)
    }

    /// Runs one row, and asks `blame` about a bad one.
    pub(crate) fn explain_one(&self, blame: &Blame, inputs: &[f64], out: &mut [f64]) -> Result<(), Fault> {
        if self.run_one(inputs, out) {
            return Ok(());
        }
        let feeds = self.feeds(inputs);
        let mut columns: Vec<&mut [f64]> = out.chunks_exact_mut(1).collect();
        self.run(blame, &feeds, 1, &mut columns).map_err(|(_, fault)| fault)
    }

    /// Runs rows 0 to `rows`.
    pub(crate) fn run(
        &self,
        blame: &Blame,
        feeds: &[Feed<'_>],
        rows: usize,
        columns: &mut [&mut [f64]],
    ) -> Result<(), (usize, Fault)> {
        let Some(bad) = self.runner.run(feeds, &[], 0..rows, columns) else { return Ok(()) };
        let mut machine = blame.machine();
        let (graph, layout) = (&self.runner.graph, &self.runner.layout);
        run_rows(&self.runner, &mut machine, &blame.program, graph, layout, feeds, &[], bad..rows, columns)
    }

    fn feeds<'i>(&self, inputs: &'i [f64]) -> Vec<Feed<'i>> {
        let feed = |(access, input): (&Access, &'i f64)| match access {
            Access::Same => Feed::Same(*input),
            _ => Feed::Column(std::slice::from_ref(input)),
        };
        self.runner.layout.slots.iter().zip(inputs).map(feed).collect()
    }
}

/// The program that native code was made from: it runs where there is none, and finds the words when a row
/// fails.
#[derive(Clone, Debug)]
pub(crate) struct Blame {
    pub(crate) program: Arc<program::Program>,
    code: Arc<Code>,
}

impl Blame {
    pub(crate) fn new(program: &program::Program) -> Self {
        Self { program: Arc::new(program.clone()), code: Arc::new(gedanken_lang::vm::compile(program)) }
    }

    pub(crate) fn machine(&self) -> Machine {
        Machine::new(Arc::clone(&self.code), Limits::default())
    }
}

/// Some outputs of a context, computed together.
#[derive(Debug)]
pub(crate) struct Program {
    /// Indices of the outputs in the program of the context.
    pub(crate) outputs: Vec<usize>,
    /// Where the scalars of each output go, and how many there are.
    pub(crate) targets: Vec<(Target, usize)>,
    /// How many scalars there are in all.
    pub(crate) width: usize,
    pub(crate) native: Option<Native>,
    /// What each scalar of each input reads, for the evaluator.
    inputs: Vec<(Type, Vec<Source>)>,
    pub(crate) blame: Blame,
}

impl Program {
    /// Compiles the outputs with these indices.
    pub(crate) fn new(binder: &Binder<'_>, blame: &Blame, outputs: Vec<usize>, native: bool) -> Self {
        let program = binder.program();
        let targets: Vec<(Target, usize)> = outputs
            .iter()
            .map(|&it| {
                let output = &program.outputs[it];
                (binder.target(output), output.ty.scalars().unwrap_or(0))
            })
            .collect();
        let compiled = build(program, &outputs).ok().map(|graph| {
            let sources = binder.sources(&graph);
            Native::new(graph, sources, native)
        });
        let inputs = (0u32..).zip(&program.inputs).map(|(id, input)| {
            let scalars = input.ty.scalars().unwrap_or(1);
            (input.ty.clone(), (0..scalars).map(|element| binder.input(InputId(id), element)).collect())
        });
        Self {
            width: targets.iter().map(|(_, width)| width).sum(),
            outputs,
            targets,
            native: compiled,
            inputs: inputs.collect(),
            blame: blame.clone(),
        }
    }

    /// The columns of the evaluated object that it sets, in order.
    pub(crate) fn columns(&self) -> impl Iterator<Item = ColumnId> {
        self.targets.iter().flat_map(|&(target, width)| match target {
            Target::Stored { column, .. } => column.span(width),
            _ => ColumnId::default().span(0),
        })
    }

    /// Where the law of an attribute is written, if it is one of the outputs.
    pub(crate) fn place(&self, attribute: &str) -> Option<Span> {
        let program = &self.blame.program;
        let mut outputs = self.outputs.iter().map(|&it| &program.outputs[it]);
        outputs.find(|it| it.name == attribute).map(|it| program.function(it.function).name_span)
    }

    /// Where the first of its laws is written.
    pub(crate) fn first_place(&self) -> Option<Span> {
        let output = &self.blame.program.outputs[*self.outputs.first()?];
        Some(self.blame.program.function(output.function).name_span)
    }

    /// Everything it may read.
    pub(crate) fn sources(&self) -> impl Iterator<Item = Source> {
        let native = self.native.iter().flat_map(|it| it.sources.iter().copied());
        let all = self.inputs.iter().flat_map(|(_, sources)| sources.iter().copied());
        native.chain(all.filter(|_| self.native.is_none()))
    }

    /// The reference evaluator with all inputs.
    fn start(
        &self,
        mut read: impl FnMut(Source) -> Result<f64, Failure>,
        whole: impl Fn(usize) -> Value,
    ) -> Result<Machine, Failure> {
        let mut values = Vec::with_capacity(self.inputs.len());
        for (ty, sources) in &self.inputs {
            values.push(match (ty.is_fixed(), sources.first()) {
                (false, Some(Source::Given { given, .. })) => whole(*given),
                _ => {
                    let mut scalars = Vec::with_capacity(sources.len());
                    for &source in sources {
                        scalars.push(read(source)?);
                    }
                    Value::from_scalars(ty, scalars).unwrap_or(Value::Sequence(Vec::new()))
                }
            });
        }
        let mut machine = self.blame.machine();
        machine.start(values);
        Ok(machine)
    }

    /// The values of functions without parameters, as far as the outputs need them.
    pub(crate) fn reached(
        &self,
        read: impl FnMut(Source) -> Result<f64, Failure>,
        whole: impl Fn(usize) -> Value,
        functions: &[FunctionId],
    ) -> Vec<Option<Value>> {
        let Ok(mut machine) = self.start(read, whole) else { return vec![None; functions.len()] };
        for &output in &self.outputs {
            // What fails has failed when the outputs were computed; here it leaves what was reached.
            let _ = machine.get(self.blame.program.outputs[output].function);
        }
        functions.iter().map(|&it| machine.reached(it).cloned()).collect()
    }

    /// Computes its outputs from what `read` finds; `whole` gives what the engine measured where its shape is
    /// not fixed.
    pub(crate) fn run(
        &self,
        mut read: impl FnMut(Source) -> Result<f64, Failure>,
        whole: impl Fn(usize) -> Value,
        out: &mut [f64],
    ) -> Result<(), Failure> {
        if let Some(native) = &self.native {
            let (mut few, mut many) = ([0.0; INLINE], Vec::new());
            let inputs = room(&mut few, &mut many, native.sources.len());
            for (input, &source) in inputs.iter_mut().zip(&native.sources) {
                *input = read(source)?;
            }
            return native.explain_one(&self.blame, inputs, out).map_err(Failure::law);
        }
        let mut machine = self.start(&mut read, whole)?;
        let mut place = 0;
        for (&output, &(_, width)) in self.outputs.iter().zip(&self.targets) {
            let function = self.blame.program.outputs[output].function;
            let value = machine.get(function).map_err(Failure::law)?;
            let scalars = value.scalars().unwrap_or_default();
            out[place..place + width].copy_from_slice(&scalars);
            place += width;
        }
        Ok(())
    }
}

/// Inputs that need no memory of their own.
const INLINE: usize = 96;

/// Why a law has no value.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The law itself failed.
    Law(Box<Fault>),
    /// Something it needs has none, which has been put in words.
    Told(Box<gedanken_lang::diagnostic::Diagnostic>),
}

impl Failure {
    pub(crate) fn law(fault: Fault) -> Self {
        Self::Law(Box::new(fault))
    }
}
