//! The functions of a rule, compiled: native code or the column evaluator over rows, the reference evaluator
//! for what has no fixed form and for every row that fails.

use crate::run::native::Runner;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::ir::{self, Access, Feed, Layout, Slot, run_rows};
use gedanken_lang::program::Program;
use gedanken_lang::types::{Dim, Type};
use gedanken_lang::value::{Matrix, Value};
use gedanken_lang::vm::{Fault, Machine};

/// One scalar of an input.
#[derive(Clone, Debug)]
pub(crate) enum Given {
    /// The same for all rows.
    Same(f64),
    /// One for each row.
    Each(Vec<f64>),
}

impl Given {
    fn at(&self, row: usize) -> f64 {
        match self {
            Self::Same(value) => *value,
            Self::Each(values) => values[row],
        }
    }
}

/// The scalars of every input of a program.
pub(crate) type Inputs = Vec<Vec<Given>>;

/// Some outputs of a program, ready to run over rows.
pub(crate) struct Law {
    /// Indices into the outputs of the program.
    pub(crate) outputs: Vec<usize>,
    form: Option<Runner>,
}

/// A row without a result.
pub(crate) struct Failed {
    /// Among the rows of the group.
    pub(crate) row: usize,
    /// The function that failed.
    pub(crate) function: String,
    pub(crate) diagnostic: Box<Diagnostic>,
}

impl Failed {
    fn new(row: usize, fault: &Fault) -> Self {
        Self { row, function: fault.function.clone(), diagnostic: Box::new(fault.diagnostic()) }
    }
}

impl Law {
    /// Compiles some outputs. `varies` says which inputs differ from row to row; a law that is `picked` runs
    /// for a list of rows, any other for all.
    pub(crate) fn new(
        program: &Program,
        outputs: Vec<usize>,
        varies: impl Fn(&Slot) -> bool,
        picked: bool,
        native: bool,
    ) -> Self {
        let form = ir::build(program, &outputs).ok().map(|graph| {
            let access = |slot: &Slot| match (varies(slot), picked) {
                (false, _) => Access::Same,
                (true, false) => Access::Each,
                (true, true) => Access::Picked(0),
            };
            let layout = Layout { slots: graph.slots.iter().map(access).collect() };
            Runner::new(graph, layout, native)
        });
        Self { outputs, form }
    }

    /// How much work a row is, in operations.
    pub(crate) fn cost(&self) -> usize {
        self.form.as_ref().map_or(1000, |runner| runner.graph.nodes.len())
    }

    /// How many reals a row gives.
    pub(crate) fn scalars(&self, program: &Program) -> usize {
        self.outputs.iter().map(|&output| program.outputs[output].ty.scalars().unwrap_or(0)).sum()
    }

    /// Computes rows 0 to `count`, or those of the list, whose number `count` is then: `results` has a column
    /// for each scalar.
    pub(crate) fn run(
        &self,
        program: &Program,
        machine: &mut Machine,
        inputs: &Inputs,
        list: Option<&[u32]>,
        count: usize,
        results: &mut Vec<Vec<f64>>,
    ) -> Result<(), Failed> {
        results.resize_with(self.scalars(program), Vec::new);
        results.iter_mut().for_each(|column| column.resize(count, 0.0));
        let row_of = |row: usize| list.map_or(row, |list| list[row] as usize);
        let Some(runner) = &self.form else {
            for row in 0..count {
                self.evaluate(program, machine, inputs, row_of(row), row, results)
                    .map_err(|failed| Failed { row: row_of(row), ..failed })?;
            }
            return Ok(());
        };
        let Runner { graph, layout, .. } = runner;
        let feeds: Vec<Feed<'_>> = graph
            .slots
            .iter()
            .map(|slot| match &inputs[slot.input.0 as usize][slot.element as usize] {
                Given::Same(value) => Feed::Same(*value),
                Given::Each(values) => Feed::Column(values),
            })
            .collect();
        let lists: Vec<&[u32]> = list.into_iter().collect();
        let mut columns: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
        run_rows(runner, machine, program, graph, layout, &feeds, &lists, 0..count, &mut columns)
            .map_err(|(row, fault)| Failed::new(row_of(row), &fault))
    }

    /// One row by the reference evaluator.
    fn evaluate(
        &self,
        program: &Program,
        machine: &mut Machine,
        inputs: &Inputs,
        row: usize,
        place: usize,
        results: &mut [Vec<f64>],
    ) -> Result<(), Failed> {
        machine.start(values(program, inputs, row));
        let mut columns = results.iter_mut();
        for &output in &self.outputs {
            let output = &program.outputs[output];
            let value = machine.get(output.function).map_err(|fault| Failed::new(row, &fault))?;
            if value.type_of() != output.ty {
                // Lengths of sequences, and what is made of them, are known only now.
                let (name, is) = (&output.name, value.type_of());
                let message = format!("`{name}` is {}, but its law gives {is}", output.ty);
                let place = program.function(output.function).body.span;
                let diagnostic = Diagnostic::new(Code::E305, place, message).label(format!("this is {is}"));
                return Err(Failed { row, function: name.clone(), diagnostic: Box::new(diagnostic) });
            }
            for (scalar, column) in value.scalars().unwrap_or_default().into_iter().zip(&mut columns) {
                column[place] = scalar;
            }
        }
        Ok(())
    }
}

/// The inputs of a row as values.
pub(crate) fn values(program: &Program, inputs: &Inputs, row: usize) -> Vec<Value> {
    let value = |(ty, scalars): (&Type, &Vec<Given>)| {
        let scalars: Vec<f64> = scalars.iter().map(|scalar| scalar.at(row)).collect();
        match *ty {
            Type::Real => Value::Real(scalars[0]),
            Type::Bool => Value::Bool(scalars[0] != 0.0),
            Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => {
                Value::Matrix(Matrix { rows: rows as usize, columns: columns as usize, elements: scalars })
            }
            _ => Value::Vector(scalars),
        }
    };
    program.inputs.iter().map(|input| &input.ty).zip(inputs).map(value).collect()
}
