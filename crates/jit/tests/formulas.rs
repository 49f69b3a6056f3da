//! Formulas as native code: the same bits as by columns, and the same rows are bad.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../../lang/tests/support/dice.rs"]
mod dice;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../../lang/tests/support/generate.rs"]
mod generate;

use dice::Dice;
use gedanken_jit::compile;
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Graph, Layout, Schedule};
use gedanken_lang::symbolic::{Expr, Pool, StraightLine, as_written, expression, graph, read};
use gedanken_lang::value::Shaped;

/// Both executors of a graph.
struct Both {
    columns: ColumnProgram,
    native: gedanken_jit::NativeProgram,
    outputs: usize,
}

impl Both {
    fn new(graph: &Graph) -> Self {
        let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
        Self {
            columns: ColumnProgram::new(graph, &layout),
            native: compile(graph, &Schedule::new(graph), &layout).unwrap(),
            outputs: graph.outputs.len(),
        }
    }

    /// One row, which both compute alike; `None` if it is bad.
    fn row(&self, inputs: &[f64], text: &str) -> Option<Vec<f64>> {
        let (mut x, mut y) = (vec![0.0; self.outputs], vec![0.0; self.outputs]);
        let good = [self.columns.run_row(inputs, &mut x), self.native.run_row(inputs, &mut y)];
        assert_eq!(good[0], good[1], "{inputs:?} in {text}");
        if !good[0] {
            return None;
        }
        let bits = |it: &[f64]| it.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&x), bits(&y), "{inputs:?} in {text}");
        Some(x)
    }
}

#[test]
fn random_laws_give_the_same_bits() {
    let mut rows = 0;
    for seed in 0..60 {
        let generate::Generated { text, program } = generate::program(seed);
        for index in 0..program.outputs.len() {
            let mut pool = Pool::new();
            let mut inputs: Vec<Expr> = Vec::new();
            let mut input = |pool: &mut Pool, input: &_, element| {
                let symbol = as_written(pool, input, element);
                inputs.push(symbol);
                symbol
            };
            let Ok(formulas) = read(&mut pool, &program, &[index], &mut input) else { continue };
            let results = match &formulas[0] {
                Shaped::Real(x) => vec![*x],
                Shaped::Vector(v) => v.clone(),
                Shaped::Matrix(m) => m.elements.clone(),
                _ => continue,
            };
            let Ok(graph) = graph(&pool, &StraightLine { lets: Vec::new(), results }, &inputs) else {
                continue;
            };
            if graph.nodes.len() > 3000 {
                continue;
            }
            let both = Both::new(&graph);
            let mut dice = Dice::new(seed);
            for _ in 0..8 {
                let values: Vec<f64> = inputs.iter().map(|_| dice.number()).collect();
                rows += u32::from(both.row(&values, &text).is_some());
            }
        }
    }
    assert!(rows > 200, "{rows} rows");
}

/// The accelerations of the double pendulum, as textbooks print them, against the same by hand.
#[test]
fn the_double_pendulum() {
    let mut pool = Pool::new();
    let names = ["m1", "m2", "l1", "l2", "g", "theta1", "theta2", "theta1_dot", "theta2_dot"];
    let texts = [
        "(m2*g*sine(theta2)*cosine(theta1 - theta2) - m2*sine(theta1 - theta2)*(l1*theta1_dot^2*cosine(theta1 - theta2) + l2*theta2_dot^2) - (m1 + m2)*g*sine(theta1)) / (l1*(m1 + m2*sine(theta1 - theta2)^2))",
        "((m1 + m2)*(l1*theta1_dot^2*sine(theta1 - theta2) - g*sine(theta2) + g*sine(theta1)*cosine(theta1 - theta2)) + m2*l2*theta2_dot^2*sine(theta1 - theta2)*cosine(theta1 - theta2)) / (l2*(m1 + m2*sine(theta1 - theta2)^2))",
    ];
    let results = texts.iter().map(|text| expression(&mut pool, text).unwrap()).collect();
    let inputs: Vec<Expr> = names.iter().map(|name| pool.symbol(name)).collect();
    let graph = graph(&pool, &StraightLine { lets: Vec::new(), results }, &inputs).unwrap();
    let both = Both::new(&graph);
    let mut dice = Dice::new(7);
    for _ in 0..100 {
        let state: Vec<f64> =
            (0..9).map(|place| dice.ordinary() + if place < 5 { 6.0 } else { 0.0 }).collect();
        let found = both.row(&state, "the double pendulum").unwrap();
        let expected = by_hand(&state);
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() <= 1e-11 * (1.0 + expected.abs()), "{found} {expected}");
        }
    }
}

fn by_hand(state: &[f64]) -> [f64; 2] {
    let &[m1, m2, l1, l2, g, a, b, u, v] = state else { panic!("nine numbers") };
    let (sine, cosine) = (libm::sin(a - b), libm::cos(a - b));
    let (sine_a, sine_b) = (libm::sin(a), libm::sin(b));
    let below = m1 + m2 * sine * sine;
    let first =
        m2 * g * sine_b * cosine - m2 * sine * (l1 * u * u * cosine + l2 * v * v) - (m1 + m2) * g * sine_a;
    let second =
        (m1 + m2) * (l1 * u * u * sine - g * sine_b + g * sine_a * cosine) + m2 * l2 * v * v * sine * cosine;
    [first / (l1 * below), second / (l2 * below)]
}
