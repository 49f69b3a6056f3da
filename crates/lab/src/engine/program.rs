//! Laws as compiled programs: rows of objects through native code, or through the column evaluator, with the same bits;
//! and where a program has no fixed form, one object at a time through the reference evaluator.

use super::source::{Binder, Source, Target};
use gedanken_jit::compile;
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Graph, Layout, Schedule, build, run_rows};
use gedanken_lang::program::{self, FunctionId, InputId};
use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Code, Fault, Limits, Machine};
use std::fmt;
use std::sync::{Arc, OnceLock};

/// A graph that can run.
pub(crate) struct Native {
    pub(crate) graph: Graph,
    layout: Layout,
    /// Compiled when it first runs: much is never asked for.
    executor: OnceLock<Box<dyn Executor + Send + Sync>>,
    native: bool,
    /// What each slot reads.
    pub(crate) sources: Vec<Source>,
    /// How many scalars it gives.
    pub(crate) width: usize,
}

impl fmt::Debug for Native {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Native").field("sources", &self.sources).finish_non_exhaustive()
    }
}

impl Native {
    /// Compiles a graph whose slots read `sources`; to native code if that is wanted and possible.
    pub(crate) fn new(graph: Graph, sources: Vec<Source>, native: bool) -> Self {
        let access = |source: &Source| match source {
            Source::Stored { .. } | Source::Kept { .. } | Source::Elapsed => Access::Each,
            _ => Access::Same,
        };
        let layout = Layout { slots: sources.iter().map(access).collect() };
        let width = graph.outputs.iter().map(|output| output.nodes.len()).sum();
        Self { graph, layout, executor: OnceLock::new(), native, sources, width }
    }

    fn executor(&self) -> &(dyn Executor + Send + Sync) {
        &**self.executor.get_or_init(|| {
            let (graph, layout) = (&self.graph, &self.layout);
            let compiled = self.native.then(|| compile(graph, &Schedule::new(graph), layout).ok()).flatten();
            match compiled {
                Some(program) => Box::new(program),
                None => Box::new(ColumnProgram::new(graph, layout)),
            }
        })
    }

    /// Runs rows 0 to `rows` of something that cannot fail, such as bounds.
    pub(crate) fn run_all(&self, feeds: &[Feed<'_>], rows: usize, columns: &mut [&mut [f64]]) {
        self.executor().run(feeds, &[], 0..rows, columns);
    }

    /// Runs one row whose slots hold `inputs`. Gives whether the row is good.
    pub(crate) fn run_one(&self, inputs: &[f64], out: &mut [f64]) -> bool {
        match inputs.len().max(out.len()) {
            ..=16 => return self.run_few::<16>(inputs, out),
            17..=48 => return self.run_few::<48>(inputs, out),
            _ => {}
        }
        let feeds = self.feeds(inputs);
        let mut columns: Vec<&mut [f64]> = out.chunks_exact_mut(1).collect();
        self.executor().run(&feeds, &[], 0..1, &mut columns).is_none()
    }

    /// The same for at most `N` inputs and outputs, without memory of their own.
    fn run_few<const N: usize>(&self, inputs: &[f64], out: &mut [f64]) -> bool {
        let mut feeds = [Feed::Same(0.0); N];
        for ((feed, access), input) in feeds.iter_mut().zip(&self.layout.slots).zip(inputs) {
            *feed = match access {
                Access::Same => Feed::Same(*input),
                _ => Feed::Column(std::slice::from_ref(input)),
            };
        }
        let width = out.len();
        let mut columns: [&mut [f64]; N] = std::array::from_fn(|_| Default::default());
        for (column, scalar) in columns.iter_mut().zip(out.chunks_exact_mut(1)) {
            *column = scalar;
        }
        self.executor().run(&feeds[..inputs.len()], &[], 0..1, &mut columns[..width]).is_none()
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
        let Some(bad) = self.executor().run(feeds, &[], 0..rows, columns) else { return Ok(()) };
        let mut machine = blame.machine();
        let (graph, layout) = (&self.graph, &self.layout);
        run_rows(self.executor(), &mut machine, &blame.program, graph, layout, feeds, &[], bad..rows, columns)
    }

    fn feeds<'i>(&self, inputs: &'i [f64]) -> Vec<Feed<'i>> {
        let feed = |(access, input): (&Access, &'i f64)| match access {
            Access::Same => Feed::Same(*input),
            _ => Feed::Column(std::slice::from_ref(input)),
        };
        self.layout.slots.iter().zip(inputs).map(feed).collect()
    }
}

/// The program that native code was made from: it runs where there is none, and finds the words when a row fails.
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
    pub(crate) fn columns(&self) -> impl Iterator<Item = usize> {
        self.targets.iter().flat_map(|&(target, width)| match target {
            Target::Stored { column, .. } => column..column + width,
            _ => 0..0,
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

    /// Computes its outputs from what `read` finds; `whole` gives what the engine measured where its shape is not fixed.
    pub(crate) fn run(
        &self,
        mut read: impl FnMut(Source) -> Result<f64, Failure>,
        whole: impl Fn(usize) -> Value,
        out: &mut [f64],
    ) -> Result<(), Failure> {
        if let Some(native) = &self.native {
            let mut inputs = [0.0; INLINE];
            let mut more = Vec::new();
            let inputs = match native.sources.len() {
                few if few <= INLINE => &mut inputs[..few],
                many => {
                    more.resize(many, 0.0);
                    &mut more[..]
                }
            };
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
