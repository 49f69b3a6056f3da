//! Laws to the bit. The fingerprint was made once; the evaluator, the columns and native code must reproduce
//! it in every build, optimized or not, and on every processor. `make test` runs this file in debug and
//! release, and once more on an emulated processor without AVX and FMA.
#![allow(clippy::unwrap_used, reason = "a test that panics has failed, as it should")]

#[path = "../../lang/tests/support/dice.rs"]
mod dice;
#[path = "../../lang/tests/support/generate.rs"]
mod generate;

use dice::Dice;
use gedanken_jit::compile;
use gedanken_lang::check::{Library, check};
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Feed, Graph, Layout, Schedule, build};
use gedanken_lang::program::{Input, Program};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Limits, Machine, compile as compile_to_bytecode};
use std::sync::Arc;

const PROGRAMS: u64 = 150;
const ROWS: usize = 8;

/// Fowler, Noll and Vo's hash over the bits of numbers.
struct Fingerprint(u64);

impl Fingerprint {
    fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, numbers: &[f64]) {
        for byte in numbers.iter().flat_map(|x| x.to_bits().to_le_bytes()) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3);
        }
    }
}

/// The results of a row by the evaluator; nothing where a law fails.
fn evaluated(machine: &mut Machine, program: &Program, inputs: &[Value]) -> Option<Vec<f64>> {
    machine.start(inputs.to_vec());
    let values = program.outputs.iter().map(|output| machine.get(output.function).ok());
    values.map(|value| value?.scalars()).collect::<Option<Vec<_>>>().map(|scalars| scalars.concat())
}

/// The results of one row by an executor.
fn executed(executor: &dyn Executor, graph: &Graph, row: &[Value]) -> Vec<f64> {
    let read = |slot: &gedanken_lang::ir::Slot| {
        vec![row[slot.input.0 as usize].scalars().unwrap()[slot.element as usize]]
    };
    let columns: Vec<Vec<f64>> = graph.slots.iter().map(read).collect();
    let feeds: Vec<Feed<'_>> = columns.iter().map(|column| Feed::Column(column)).collect();
    let mut results = vec![vec![0.0]; graph.outputs.iter().map(|output| output.nodes.len()).sum()];
    let mut outputs: Vec<&mut [f64]> = results.iter_mut().map(Vec::as_mut_slice).collect();
    executor.run(&feeds, &[], 0..1, &mut outputs);
    results.concat()
}

/// Random numbers of all natives, at seeds and keys that are read: made once, and the same everywhere.
#[test]
fn random_numbers_are_the_same_everywhere() {
    let program = chance();
    let all: Vec<usize> = (0..program.outputs.len()).collect();
    let graph = build(&program, &all).unwrap();
    let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
    let columns = ColumnProgram::new(&graph, &layout);
    let native = compile(&graph, &Schedule::new(&graph), &layout).unwrap();
    let mut machine = Machine::new(Arc::new(compile_to_bytecode(&program)), Limits::default());
    let mut prints = [Fingerprint::new(), Fingerprint::new(), Fingerprint::new()];
    for seed in 0..1000 {
        // Whole numbers, fractions, tiny and huge ones, and both zeros.
        let seed = f64::from(seed) - 500.0;
        let k = [seed * 1e300, seed / 7.0, -0.0 * seed, seed * 1e-310][seed.abs() as usize % 4];
        let of = |input: &Input| Value::Real(if input.name == "x" { seed } else { k });
        let inputs: Vec<Value> = program.inputs.iter().map(of).collect();
        let expected = evaluated(&mut machine, &program, &inputs).unwrap();
        prints[0].add(&expected);
        prints[1].add(&executed(&columns, &graph, &inputs));
        prints[2].add(&executed(&native, &graph, &inputs));
    }
    let [evaluator, columns, native] = prints.map(|print| format!("{:016x}", print.0));
    assert_eq!((&columns, &native), (&evaluator, &evaluator));
    insta::assert_snapshot!(evaluator, @"d34f90b85eb3c940");
}

/// Laws that draw random numbers from the attributes `x` and `k`.
fn chance() -> Program {
    let mut sources = Sources::new();
    let text = "height = uniform(x, k)  energy = normal(x, [k, 1])
        velocity = direction(x, [1, k])  attitude = rotation(x, [k, x, k])";
    let source = sources.add("chance", text);
    let (file, diagnostics) = parse(&sources, source, Dialect::Library);
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    check(&file.into_definitions(), &Library::default(), &generate::scope()).unwrap().program
}

#[test]
fn laws_are_the_same_everywhere() {
    let mut prints = [Fingerprint::new(), Fingerprint::new(), Fingerprint::new()];
    let mut rows = 0;
    for seed in 0..PROGRAMS {
        let generate::Generated { text, program } = generate::program(seed);
        let all: Vec<usize> = (0..program.outputs.len()).collect();
        let graph = build(&program, &all).unwrap_or_else(|reason| panic!("{reason}\n{text}"));
        let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
        let columns = ColumnProgram::new(&graph, &layout);
        let native = compile(&graph, &Schedule::new(&graph), &layout).unwrap();
        let mut machine = Machine::new(Arc::new(compile_to_bytecode(&program)), Limits::default());
        let mut dice = Dice::new(seed);
        for _ in 0..ROWS {
            let inputs = generate::inputs(&program, &mut dice);
            let Some(expected) = evaluated(&mut machine, &program, &inputs) else { continue };
            rows += 1;
            prints[0].add(&expected);
            prints[1].add(&executed(&columns, &graph, &inputs));
            prints[2].add(&executed(&native, &graph, &inputs));
        }
    }
    let [evaluator, columns, native] = prints.map(|print| format!("{:016x}", print.0));
    assert!(rows > 200, "{rows} rows came out well");
    assert_eq!((&columns, &native), (&evaluator, &evaluator));
    insta::assert_snapshot!(evaluator, @"ece5d3d13dad906e");
}
