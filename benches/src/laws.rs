//! Laws from text to rows, the way the lab takes: parse, check, build, schedule, compile.

use crate::ours::{
    Access, Block, ColumnProgram, Diagnostic, Dialect, Executor, Feed, Graph, Item, Layout, Library, Limits,
    Machine, NativeProgram, OutputKind, Program, Schedule, Signature, Slot, Sources, Type, Value, build,
    check_context, compile, compile_to_bytecode, parse,
};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The laws of a context.
pub struct Laws {
    /// What they read.
    pub program: Program,
    /// What they compute.
    pub graph: Graph,
}

impl Laws {
    /// Of the first context of a text, for these participants; first-time-only attributes are inputs.
    pub fn new(text: &str, signature: &Signature) -> Result<Self, String> {
        let mut sources = Sources::new();
        let source = sources.add("laws.lab", text);
        let (file, mistakes) = parse(&sources, source, Dialect::Experiment);
        refuse(&mistakes)?;
        let context = file.items.iter().find_map(context).ok_or("there is no context")?;
        let program =
            check_context(context, signature, &Library::default()).map_err(|all| words(&all))?.program;
        let laws: Vec<usize> =
            (0..program.outputs.len()).filter(|i| program.outputs[*i].kind == OutputKind::Law).collect();
        let graph = build(&program, &laws).map_err(|reason| reason.to_string())?;
        Ok(Self { program, graph })
    }

    /// The layout in which every input is read as `access` says of its name.
    pub fn layout(&self, access: impl Fn(&str) -> Access) -> Layout {
        Layout {
            slots: self.graph.slots.iter().map(|slot| access(&self.program.input(slot.input).name)).collect(),
        }
    }

    /// Native code.
    pub fn native(&self, layout: &Layout) -> Result<NativeProgram, String> {
        compile(&self.graph, &Schedule::new(&self.graph), layout).map_err(|error| error.to_string())
    }

    /// The column evaluator.
    pub fn columns(&self, layout: &Layout) -> ColumnProgram {
        ColumnProgram::new(&self.graph, layout)
    }

    /// What every slot reads: one real for all rows, or the column of its element.
    pub fn feeds<'a>(
        &self,
        layout: &Layout,
        inputs: &'a BTreeMap<&str, Vec<Vec<f64>>>,
    ) -> Result<Vec<Feed<'a>>, String> {
        let feed = |(slot, access): (&Slot, &Access)| {
            let name = self.program.input(slot.input).name.as_str();
            let columns = inputs.get(name).ok_or_else(|| format!("nothing is fed to `{name}`"))?;
            let column = &columns[slot.element as usize];
            Ok(if *access == Access::Same { Feed::Same(column[0]) } else { Feed::Column(column) })
        };
        self.graph.slots.iter().zip(&layout.slots).map(feed).collect()
    }

    /// The reference evaluator, row by row, for laws whose inputs are reals and vectors.
    pub fn evaluate(
        &self,
        inputs: &BTreeMap<&str, Vec<Vec<f64>>>,
        results: &mut [Vec<f64>],
    ) -> Result<(), String> {
        let mut machine = Machine::new(Arc::new(compile_to_bytecode(&self.program)), Limits::default());
        let outputs: Vec<_> =
            self.program.outputs.iter().filter(|output| output.kind == OutputKind::Law).collect();
        let rows = results.first().map_or(0, Vec::len);
        for row in 0..rows {
            let value = |name: &str, ty: &Type| {
                let at = |column: &Vec<f64>| if column.len() == 1 { column[0] } else { column[row] };
                match (ty, inputs.get(name)) {
                    (Type::Real, Some(columns)) => Value::Real(at(&columns[0])),
                    (_, Some(columns)) => Value::Vector(columns.iter().map(at).collect()),
                    // Read at the start of the context only.
                    (_, None) => Value::Vector(vec![0.0; ty.scalars().unwrap_or(0)]),
                }
            };
            machine.start(self.program.inputs.iter().map(|input| value(&input.name, &input.ty)).collect());
            let mut columns = results.iter_mut();
            for output in &outputs {
                let scalars = match machine.get(output.function).map_err(|fault| fault.message.clone())? {
                    Value::Real(real) => vec![real],
                    Value::Vector(elements) => elements,
                    other => return Err(format!("{other} is no real and no vector")),
                };
                for (scalar, column) in scalars.into_iter().zip(&mut columns) {
                    column[row] = scalar;
                }
            }
        }
        Ok(())
    }

    /// The names of the results, one for each scalar.
    pub fn results(&self) -> Vec<String> {
        self.graph
            .outputs
            .iter()
            .flat_map(|output| output.nodes.iter().map(|_| output.name.clone()))
            .collect()
    }
}

/// Runs over all rows, and says which row was bad.
pub fn run(
    executor: &dyn Executor,
    feeds: &[Feed<'_>],
    lists: &[&[u32]],
    results: &mut [Vec<f64>],
) -> Option<usize> {
    let rows = results.first().map_or(0, Vec::len);
    let mut results: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
    executor.run(feeds, lists, 0..rows, &mut results)
}

/// Columns of numbers from -size to size, evenly spread and unrelated: multiples of irrational numbers,
/// without their whole parts.
pub struct Spread {
    columns: u32,
    rows: usize,
}

impl Spread {
    /// Columns of so many rows.
    pub fn new(rows: usize) -> Self {
        Self { columns: 0, rows }
    }

    /// The next one.
    pub fn column(&mut self, size: f64) -> Vec<f64> {
        self.columns += 1;
        // Square roots of numbers 4n + 2 are irrational: 2 divides them just once.
        let step = f64::from(4 * self.columns + 2).sqrt();
        let fraction = |x: f64| x - libm::floor(x);
        (0..self.rows).map(|row| size * (2.0 * fraction(row as f64 * step) - 1.0)).collect()
    }

    /// The next `count`.
    pub fn columns(&mut self, count: usize, size: f64) -> Vec<Vec<f64>> {
        (0..count).map(|_| self.column(size)).collect()
    }
}

/// The largest distance between two results, over the size of the larger one where that is above 1.
pub fn distance(ours: &[Vec<f64>], theirs: &[Vec<f64>]) -> f64 {
    let pairs = ours.iter().flatten().zip(theirs.iter().flatten());
    pairs.map(|(x, y)| (x - y).abs() / x.abs().max(y.abs()).max(1.0)).fold(0.0, f64::max)
}

/// Whether all bits are equal.
pub fn equal(ours: &[Vec<f64>], theirs: &[Vec<f64>]) -> bool {
    let pairs = ours.iter().flatten().zip(theirs.iter().flatten());
    ours.len() == theirs.len() && pairs.into_iter().all(|(x, y)| x.to_bits() == y.to_bits())
}

fn context(item: &Item) -> Option<&Block> {
    match item {
        Item::Block(block) if block.keyword.text == "context" => Some(block),
        _ => None,
    }
}

fn refuse(diagnostics: &[Diagnostic]) -> Result<(), String> {
    if diagnostics.iter().any(Diagnostic::is_error) { Err(words(diagnostics)) } else { Ok(()) }
}

fn words(diagnostics: &[Diagnostic]) -> String {
    let words: Vec<String> = diagnostics.iter().map(|diagnostic| diagnostic.message.clone()).collect();
    words.join("; ")
}
