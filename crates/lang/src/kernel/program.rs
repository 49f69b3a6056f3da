//! Outputs of a program, with all tiers.

use super::column::{Column, room};
use super::graph::GraphKernel;
use super::native_code::{ColumnsOnly, NativeCode};
use super::reference::Reference;
use super::rows::run_rows;
use super::shared_code::Compile;
use crate::ir::{Access, Executor as _, Feed, Graph, Layout, NotFixed, Slot, build};
use crate::program::Program;
use crate::value::Value;
use crate::vm::Fault;
use std::ops::Range;
use std::sync::Arc;

/// Number of slots of a single row that need no memory of their own. Few, because the stack is cleared for
/// every row.
const SLOTS_ON_STACK: usize = 32;

/// Number of operations that a row counts for if it can only be run by the reference evaluator.
const COST_OF_REFERENCE: usize = 1000;

/// Some outputs of a checked program, ready to run over rows. It may be shared between threads.
#[derive(Debug)]
pub struct Kernel<N = ColumnsOnly> {
    reference: Arc<Reference>,
    /// Indices into the outputs of the program.
    outputs: Vec<usize>,
    width: usize,
    compiled: Result<Compiled<N>, NotFixed>,
}

/// The intermediate form, where the program has one.
#[derive(Debug)]
struct Compiled<N> {
    graph: GraphKernel<N>,
    /// Place among the scalars of all inputs that each slot reads.
    places: Vec<usize>,
}

impl<N: NativeCode> Kernel<N> {
    /// Prepares the outputs with these indices. `access` tells how each scalar of an input is read, `compile`
    /// allows native code.
    pub fn new(
        reference: &Arc<Reference>,
        outputs: Vec<usize>,
        access: impl Fn(Slot) -> Access,
        compile: &Compile<N>,
    ) -> Self {
        let program = reference.program();
        let compiled = build(program, &outputs).map(|graph| {
            let layout = Layout { slots: graph.slots.iter().map(|&slot| access(slot)).collect() };
            let places = reference.places_of(&graph);
            Compiled { graph: GraphKernel::new(graph, layout, compile), places }
        });
        let width = outputs.iter().map(|&it| program.outputs[it].ty.scalars().unwrap_or(0)).sum();
        Self { reference: Arc::clone(reference), outputs, width, compiled }
    }

    /// Allows native code, or forbids it from now on.
    pub fn set_compile(&mut self, compile: &Compile<N>) {
        if let Ok(compiled) = &mut self.compiled {
            compiled.graph.set_compile(compile);
        }
    }

    /// The program with its reference evaluator.
    pub fn reference(&self) -> &Arc<Reference> {
        &self.reference
    }

    /// The program.
    pub fn program(&self) -> &Program {
        self.reference.program()
    }

    /// Indices of the computed outputs among those of the program.
    pub fn outputs(&self) -> &[usize] {
        &self.outputs
    }

    /// Number of scalars that a row gives.
    pub fn width(&self) -> usize {
        self.width
    }

    /// Number of operations per row, roughly.
    pub fn cost(&self) -> usize {
        self.compiled.as_ref().map_or(COST_OF_REFERENCE, |it| it.graph.cost())
    }

    /// The intermediate form.
    ///
    /// # Errors
    /// Why there is none; all rows are then run by the reference evaluator.
    pub fn graph(&self) -> Result<&Graph, &NotFixed> {
        self.compiled.as_ref().map(|it| it.graph.graph())
    }

    /// Computes `rows` into `results`, one column for each scalar of the outputs. `inputs` holds a column for
    /// each place. With a list, row i reads place `list[i]` of the columns whose access is
    /// [`Picked`](Access::Picked).
    ///
    /// # Errors
    /// The first row of the inputs with a fault, and the fault. The rows before it are complete.
    ///
    /// # Panics
    /// If inputs or results have not the columns and rows that this kernel needs.
    pub fn run(
        &self,
        inputs: &[Column],
        list: Option<&[u32]>,
        rows: Range<usize>,
        results: &mut [Vec<f64>],
    ) -> Result<(), (usize, Fault)> {
        assert_eq!(inputs.len(), self.reference.places(), "one column for each scalar of the inputs");
        let row_of = |row: usize| list.map_or(row, |list| list[row] as usize);
        let Ok(compiled) = &self.compiled else {
            for row in rows {
                let values = self.reference.values(|place| inputs[place].at(row_of(row)));
                let write = |number: usize, scalar: f64| results[number][row] = scalar;
                let ran = self.reference.evaluate(values, &self.outputs, write);
                ran.map_err(|fault| (row_of(row), fault))?;
            }
            return Ok(());
        };
        let feeds: Vec<Feed<'_>> = compiled.places.iter().map(|&place| inputs[place].feed()).collect();
        let mut columns: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        let ran = self.run_compiled(compiled, &feeds, list.as_slice(), rows, &mut columns);
        ran.map_err(|(row, fault)| (row_of(row), fault))
    }

    /// Computes `rows` from what the slots of the graph are fed. Nothing is picked by lists.
    ///
    /// # Errors
    /// The first row with a fault, and the fault. The rows before it are complete.
    ///
    /// # Panics
    /// If there is no graph, or if feeds and columns do not follow its layout.
    pub fn run_feeds(
        &self,
        feeds: &[Feed<'_>],
        rows: Range<usize>,
        columns: &mut [&mut [f64]],
    ) -> Result<(), (usize, Fault)> {
        self.run_compiled(self.compiled(), feeds, &[], rows, columns)
    }

    fn run_compiled(
        &self,
        Compiled { graph: kernel, .. }: &Compiled<N>,
        feeds: &[Feed<'_>],
        lists: &[&[u32]],
        rows: Range<usize>,
        columns: &mut [&mut [f64]],
    ) -> Result<(), (usize, Fault)> {
        let (graph, layout) = (kernel.graph(), kernel.layout());
        run_rows(kernel, &self.reference, graph, layout, feeds, lists, rows, columns)
    }

    /// Computes one row from the scalars in all places of the inputs. Allocates nothing as long as the row is
    /// good, runs as native code, and has few slots.
    ///
    /// # Errors
    /// Why it has no value.
    ///
    /// # Panics
    /// If `row` has not a scalar for each place, or `out` not room for each scalar of the outputs.
    pub fn run_row(&self, row: &[f64], out: &mut [f64]) -> Result<(), Fault> {
        assert_eq!(row.len(), self.reference.places(), "one real for each scalar of the inputs");
        if let Ok(Compiled { graph, places }) = &self.compiled {
            let (mut few, mut many) = ([0.0; SLOTS_ON_STACK], Vec::new());
            let slots = room(&mut few, &mut many, places.len());
            slots.iter_mut().zip(places).for_each(|(slot, &place)| *slot = row[place]);
            if graph.run_row(slots, out) {
                return Ok(());
            }
        }
        self.run_values(self.reference.values(|place| row[place]), out)
    }

    /// Computes one row whose slots hold `slots`: [`run_row`](Self::run_row) for callers that read just the
    /// scalars which the graph needs.
    ///
    /// # Errors
    /// Why it has no value.
    ///
    /// # Panics
    /// If there is no graph, or if it has another number of slots or output scalars.
    pub fn run_slots(&self, slots: &[f64], out: &mut [f64]) -> Result<(), Fault> {
        let Compiled { graph, places } = self.compiled();
        if graph.run_row(slots, out) {
            return Ok(());
        }
        // Scalars that the program does not look at are 0.
        let mut row = vec![0.0; self.reference.places()];
        places.iter().zip(slots).for_each(|(&place, &scalar)| row[place] = scalar);
        self.run_values(self.reference.values(|place| row[place]), out)
    }

    /// Computes one row by the reference evaluator, from one value for each input of the program.
    ///
    /// # Errors
    /// Why it has no value.
    ///
    /// # Panics
    /// If there is another number of values, or too little room in `out`.
    pub fn run_values(&self, values: Vec<Value>, out: &mut [f64]) -> Result<(), Fault> {
        self.reference.evaluate(values, &self.outputs, |number, scalar| out[number] = scalar)
    }

    fn compiled(&self) -> &Compiled<N> {
        self.compiled.as_ref().expect("only kernels with a graph are fed by its slots")
    }
}
