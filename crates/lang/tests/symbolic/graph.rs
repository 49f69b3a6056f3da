//! Formulas that run: the graph gives what the formula means.

use crate::dice::Dice;
use crate::random::{NAMES, expression as random};
use gedanken_lang::ir::{Access, ColumnProgram, Executor, Graph, Layout, Node};
use gedanken_lang::symbolic::{expression, graph};
use gedanken_symbolic::lagrange::StraightLine;
use gedanken_symbolic::{Expr, Pool};
use proptest::prelude::*;

fn row(graph: &Graph, inputs: &[f64]) -> Option<Vec<f64>> {
    let layout = Layout { slots: vec![Access::Each; graph.slots.len()] };
    let mut outputs = vec![0.0; graph.outputs.len()];
    ColumnProgram::new(graph, &layout).run_row(inputs, &mut outputs).then_some(outputs)
}

fn of(texts: &[&str], inputs: &[&str]) -> Graph {
    let mut pool = Pool::new();
    let results = texts.iter().map(|text| expression(&mut pool, text).unwrap()).collect();
    let inputs: Vec<Expr> = inputs.iter().map(|name| pool.symbol(name)).collect();
    graph(&pool, &StraightLine { lets: Vec::new(), results }, &inputs).unwrap()
}

fn count(graph: &Graph, wanted: impl Fn(Node) -> bool) -> usize {
    graph.nodes.iter().filter(|node| wanted(**node)).count()
}

#[test]
fn powers_are_products_and_roots() {
    use gedanken_lang::arithmetic::{Binary, Unary};
    let graph = of(&["x^8 + x^(-1/2) + x^(3/2) + 2/(x^2*y)"], &["x", "y"]);
    assert_eq!(count(&graph, |node| matches!(node, Node::Binary(Binary::Pow, ..))), 0);
    assert_eq!(count(&graph, |node| matches!(node, Node::Unary(Unary::Sqrt, _))), 1);
    // 1/√x and 2/(x² y).
    assert_eq!(count(&graph, |node| matches!(node, Node::Binary(Binary::Div, ..))), 2);
    let (x, y) = (2.25_f64, 3.0_f64);
    let expected = libm::pow(x, 8.0) + 1.0 / 1.5 + 1.5 * 2.25 + 2.0 / (x * x * y);
    assert!((row(&graph, &[x, y]).unwrap()[0] - expected).abs() < 1e-11);
}

#[test]
fn terms_over_one_denominator_are_divided_once() {
    use gedanken_lang::arithmetic::Binary;
    let graph = of(&["a/(x + y) - 3*b/(x + y) + c"], &["a", "b", "c", "x", "y"]);
    assert_eq!(count(&graph, |node| matches!(node, Node::Binary(Binary::Div, ..))), 1);
    assert_eq!(row(&graph, &[9.0, 1.0, 5.0, 1.0, 1.0]), Some(vec![8.0]));
}

#[test]
fn slots_are_the_inputs_in_their_order() {
    let graph = of(&["y - x"], &["y", "unused", "x"]);
    let names: Vec<&str> = graph.slot_names.iter().map(String::as_str).collect();
    assert_eq!(names, ["y", "unused", "x"]);
    assert_eq!(row(&graph, &[5.0, 0.0, 2.0]), Some(vec![3.0]));
}

/// The arm that is not taken is not computed, so it cannot fail; the one that is taken fails if it must.
#[test]
fn choices_compute_one_side() {
    let graph = of(&["if x > 0 then log(x) + 1/x else exp(-1/(x + 1))"], &["x"]);
    assert_eq!(row(&graph, &[1.0]), Some(vec![1.0]));
    assert_eq!(row(&graph, &[0.0]), Some(vec![libm::exp(-1.0)]));
    assert_eq!(row(&graph, &[-1.0]), None);
    // The second condition is looked at only where the first holds.
    let graph = of(&["if x != 0 & 1/x > 2 then x else 0"], &["x"]);
    assert_eq!(row(&graph, &[0.0]), Some(vec![0.0]));
    assert_eq!(row(&graph, &[0.25]), Some(vec![0.25]));
    // exp hides that 1/x is not finite.
    let graph = of(&["exp(-1/x^2)"], &["x"]);
    assert_eq!(row(&graph, &[0.0]), None);
}

#[test]
fn steps_use_the_names_of_earlier_ones() {
    let mut pool = Pool::new();
    let (x, s) = (pool.symbol("x"), pool.symbol("$0"));
    let (square, sine) = (pool.powi(x, 2), pool.sin(s));
    let result = pool.add(sine, s);
    let course = StraightLine { lets: vec![(s, square)], results: vec![result] };
    let made = graph(&pool, &course, &[x]).unwrap();
    assert_eq!(row(&made, &[1.5]), Some(vec![libm::sin(2.25) + 2.25]));
    let unknown = graph(&pool, &StraightLine { lets: Vec::new(), results: vec![result] }, &[x]).unwrap_err();
    assert!(unknown.to_string().contains("`$0`"), "{unknown}");
}

/// Choices in choices that share everything: as long as they are written, not as they could be unfolded.
#[test]
fn shared_choices_stay_shared() {
    let mut pool = Pool::new();
    let x = pool.symbol("x");
    let mut expr = x;
    for step in 0..100 {
        let limit = pool.rational(step, 7);
        let condition = pool.compare(gedanken_symbolic::Comparison::Lt, limit, expr);
        let (sine, log) = (pool.sin(expr), pool.call(gedanken_symbolic::Function::Exp, expr));
        let (then, otherwise) = (pool.add(sine, x), pool.sub(x, log));
        expr = pool.choice(condition, then, otherwise);
    }
    let made = graph(&pool, &StraightLine { lets: Vec::new(), results: vec![expr] }, &[x]).unwrap();
    assert!(made.nodes.len() < 1500, "{}", made.nodes.len());
    let value = pool.evaluate(expr, &|_| 0.3);
    assert_eq!(row(&made, &[0.3]), Some(vec![value]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_formulas_run_as_they_are_evaluated(seed in any::<u64>()) {
        let mut pool = Pool::new();
        let mut dice = Dice::new(seed);
        let depth = 1 + dice.below(4);
        let expr = random(&mut pool, &mut dice, depth);
        let inputs: Vec<Expr> = NAMES.iter().map(|name| pool.symbol(name)).collect();
        let Ok(made) = graph(&pool, &StraightLine { lets: Vec::new(), results: vec![expr] }, &inputs) else { return Ok(()) };
        for _ in 0..4 {
            let values: Vec<f64> = NAMES.iter().map(|_| dice.ordinary()).collect();
            let value = |symbol| values[NAMES.iter().position(|name| *name == pool.name(symbol)).unwrap()];
            let expected = pool.evaluate(expr, &value);
            let Some(found) = row(&made, &values) else { continue };
            // What jumps may jump elsewhere after rounding.
            if expected.is_finite() && pool.text(expr).len() < 200 {
                let close = (found[0] - expected).abs() <= 1e-6 * (1.0 + expected.abs());
                prop_assert!(close || jumps(&pool, expr), "{} at {:?}: {} is not {}", pool.text(expr), values, found[0], expected);
            }
        }
    }
}

fn jumps(pool: &Pool, expr: Expr) -> bool {
    let text = pool.text(expr);
    ["if", "floor", "ceil", "round", "sign", "mod"].iter().any(|word| text.contains(word))
}
