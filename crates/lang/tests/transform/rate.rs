//! Rates against difference quotients and closed forms.

use crate::dice::Dice;
use crate::evaluate::{differentiable, fraction, free_fall, graph, outputs, programs};
use crate::graphs::{self, by_the_book};
use gedanken_lang::arithmetic::{Arithmetic, Binary, Comparison, Unary};
use gedanken_lang::ir::{Builder, Graph, GraphOutput, Node, NodeId, Schedule};
use gedanken_lang::program::OutputKind;
use gedanken_lang::transform::{Seed, enclose_outward, rate};

/// df/dt at t = 0 along x(t) = at + t·along: central differences at steps h, h/2, h/4 and h/8, extrapolated
/// to zero step (errors h², h⁴, h⁶ removed), with the distance of the last two extrapolations as error.
/// `None` where the program fails nearby.
pub(crate) fn difference(graph: &Graph, at: &[f64], along: &[f64], step: f64) -> Option<Vec<(f64, f64)>> {
    let point = |t: f64| -> Vec<f64> { at.iter().zip(along).map(|(x, d)| x + t * d).collect() };
    let mut table: Vec<Vec<f64>> = Vec::new();
    for level in 0..4 {
        let h = step / f64::from(1 << level);
        let (above, below) = (by_the_book(graph, &point(h))?, by_the_book(graph, &point(-h))?);
        table.push(above.iter().zip(&below).map(|(a, b)| (a - b) / (2.0 * h)).collect());
    }
    let mut factor = 4.0;
    let mut previous = table[table.len() - 1].clone();
    while table.len() > 1 {
        previous = table[table.len() - 1].clone();
        table = table
            .windows(2)
            .map(|two| {
                two[0]
                    .iter()
                    .zip(&two[1])
                    .map(|(coarse, fine)| (factor * fine - coarse) / (factor - 1.0))
                    .collect()
            })
            .collect();
        factor *= 4.0;
    }
    Some(table[0].iter().zip(previous).map(|(&best, other)| (best, (best - other).abs())).collect())
}

fn with_rates(graph: &Graph) -> Graph {
    let rated = rate(graph, &vec![Seed::Slot; graph.slots.len()]).unwrap();
    assert_eq!(rated.slots.len(), 2 * graph.slots.len());
    Schedule::new(&rated).validate(&rated).unwrap();
    rated
}

fn check(graph: &Graph, at: &[f64], along: &[f64], what: &str) {
    let rated = with_rates(graph);
    let slots: Vec<f64> = at.iter().chain(along).copied().collect();
    let found = outputs(&rated, &slots);
    let plain = outputs(graph, at);
    let expected = difference(graph, at, along, 1e-2).unwrap();
    for (k, (value, (rate, _))) in plain.iter().zip(expected).enumerate() {
        assert_eq!(found[k].to_bits(), value.to_bits(), "{what}: the value itself");
        let got = found[plain.len() + k];
        assert!(
            (got - rate).abs() <= 1e-7 * (rate.abs() + value.abs()).max(1e-3),
            "{what} at {at:?} along {along:?}: {got} but {rate}"
        );
    }
}

#[test]
fn every_function_of_one_real() {
    let cases: [(Unary, &[f64]); 14] = [
        (Unary::Neg, &[-1.5, 0.0, 2.0]),
        (Unary::Abs, &[-1.5, 2.0]),
        (Unary::Sqrt, &[0.3, 2.0, 50.0]),
        (Unary::Sin, &[-1.5, 0.0, 2.0, 30.0]),
        (Unary::Cos, &[-1.5, 0.0, 2.0, 30.0]),
        (Unary::Tan, &[-1.2, 0.0, 1.0, 3.0]),
        (Unary::Asin, &[-0.7, 0.0, 0.6]),
        (Unary::Acos, &[-0.7, 0.0, 0.6]),
        (Unary::Atan, &[-5.0, 0.0, 1.5]),
        (Unary::Exp, &[-3.0, 0.0, 4.0]),
        (Unary::Log, &[0.3, 1.0, 40.0]),
        (Unary::Floor, &[-1.5, 0.4]),
        (Unary::Ceil, &[-1.5, 0.4]),
        (Unary::Round, &[-1.3, 0.4]),
    ];
    for (operation, points) in cases {
        let graph = graph(1, |a, x| vec![a.unary(operation, x[0])]);
        for &x in points {
            check(&graph, &[x], &[1.0], &format!("{operation:?}"));
            check(&graph, &[x], &[-0.4], &format!("{operation:?}"));
        }
    }
}

#[test]
fn every_function_of_two_reals() {
    let cases: [(Binary, &[[f64; 2]]); 9] = [
        (Binary::Add, &[[1.0, -2.0]]),
        (Binary::Sub, &[[1.0, -2.0]]),
        (Binary::Mul, &[[1.5, -2.0], [0.0, 3.0]]),
        (Binary::Div, &[[1.5, -2.0], [0.0, 3.0], [-4.0, 0.5]]),
        (Binary::Pow, &[[1.5, -2.4], [0.7, 3.3], [2.0, 0.1], [3.0, 9.5]]),
        (Binary::Min, &[[1.5, -2.0], [0.0, 3.0]]),
        (Binary::Max, &[[1.5, -2.0], [0.0, 3.0]]),
        (Binary::Atan2, &[[1.5, -2.0], [0.0, 3.0], [-1.0, -1.0], [2.0, 0.0]]),
        (Binary::Mod, &[[7.3, 2.0], [-7.3, 2.0], [7.3, -2.0], [0.4, 3.0]]),
    ];
    for (operation, points) in cases {
        let graph = graph(2, |a, x| vec![a.binary(operation, x[0], x[1])]);
        for at in points {
            for along in [[1.0, 0.0], [0.0, 1.0], [0.3, -0.7]] {
                check(&graph, at, &along, &format!("{operation:?}"));
            }
        }
    }
}

#[test]
fn powers_with_a_constant_exponent() {
    for exponent in [0.0, 1.0, 2.0, 3.0, -1.0, -2.0, 0.5, 1.5, 9.0, 10.0, -9.0] {
        let graph = graph(2, |a, x| {
            let exponent = a.real(exponent);
            let base = a.binary(Binary::Add, x[0], x[1]);
            let power = a.binary(Binary::Pow, base, exponent);
            vec![a.binary(Binary::Add, power, x[0])]
        });
        check(&graph, &[0.5, 0.7], &[0.6, 0.2], &format!("x^{exponent}"));
    }
    // A base of zero: d(x²) = 0, d(x³) = 0, d(x) = 1.
    for (exponent, slope) in [(1.0, 1.0), (2.0, 0.0), (3.0, 0.0), (1.5, 0.0)] {
        let graph = graph(1, |a, x| {
            let exponent = a.real(exponent);
            let power = a.binary(Binary::Pow, x[0], exponent);
            vec![power]
        });
        let rated = rate(&graph, &[Seed::One]).unwrap();
        assert_eq!(outputs(&rated, &[0.0])[1], slope, "x^{exponent} at 0");
    }
}

#[test]
fn random_programs_away_from_kinks() {
    let count = programs(500);
    let mut compared = 0;
    for seed in 0..count {
        let mut dice = Dice::new(seed);
        let graph = graphs::graph(&mut dice, &differentiable());
        let rated = with_rates(&graph);
        for _ in 0..4 {
            let at: Vec<f64> = graph.slots.iter().map(|_| 6.0 * fraction(&mut dice) - 3.0).collect();
            let along: Vec<f64> = graph.slots.iter().map(|_| 2.0 * fraction(&mut dice) - 1.0).collect();
            let Some(plain) = by_the_book(&graph, &at) else { continue };
            let Some(expected) = difference(&graph, &at, &along, 1e-3) else { continue };
            let slots: Vec<f64> = at.iter().chain(&along).copied().collect();
            let found = outputs(&rated, &slots);
            for (k, (rate, error)) in expected.into_iter().enumerate() {
                assert_eq!(found[k].to_bits(), plain[k].to_bits(), "program {seed}: the value itself");
                // Where extrapolation has not settled there is a kink, a jump or a pole, or numbers beyond
                // telling.
                let scale = rate.abs() + plain[k].abs() + 1e-300;
                if !(error <= 1e-9 * scale && scale < 1e100) {
                    continue;
                }
                let got = found[plain.len() + k];
                assert!(
                    (got - rate).abs() <= 1e-7 * scale,
                    "program {seed} at {at:?} along {along:?}: {got} but {rate}\n{graph}"
                );
                compared += 1;
            }
        }
    }
    assert!(compared > count, "only {compared} rates could be compared");
}

#[test]
fn free_fall_has_the_speed_and_acceleration_of_the_book() {
    let seeds = [Seed::One, Seed::Zero, Seed::Zero, Seed::Zero, Seed::Zero];
    let once = rate(&free_fall(), &seeds).unwrap();
    let twice = rate(&once, &seeds).unwrap();
    assert_eq!(once.slots.len(), 5);
    assert_eq!(
        twice.outputs.iter().map(|output| output.name.as_str()).collect::<Vec<_>>(),
        ["y0", "y0'", "y0'", "y0''"]
    );
    assert!(twice.outputs[1..].iter().all(|output| output.kind == OutputKind::Rate));
    for [t, s, p, v, g] in [[3.0, 1.0, 10.0, 2.0, -9.8125], [0.5, 0.25, 0.0, 0.0, -1.5]] {
        let found = outputs(&twice, &[t, s, p, v, g]);
        assert_eq!(found[1], v + g * (t - s));
        assert_eq!(found[3], g, "exactly");
    }
}

/// v (t·0 + 1) / |v|: a direction, whose length is the root of a sum of squares.
fn length(a: &mut Builder, v: &[NodeId]) -> NodeId {
    let squares: Vec<NodeId> = v.iter().map(|&x| a.binary(Binary::Mul, x, x)).collect();
    let sum = squares.into_iter().reduce(|sum, square| a.binary(Binary::Add, sum, square)).unwrap();
    a.unary(Unary::Sqrt, sum)
}

#[test]
fn the_length_of_a_frozen_zero_vector_does_no_harm() {
    // sin(|w| t) with w = 0: the rate is |w| cos(|w| t), and nothing divides by |w|.
    let spin = graph(4, |a, x| {
        let norm = length(a, &x[1..4]);
        let angle = a.binary(Binary::Mul, norm, x[0]);
        vec![a.unary(Unary::Sin, angle)]
    });
    let rated = rate(&spin, &[Seed::One, Seed::Zero, Seed::Zero, Seed::Zero]).unwrap();
    assert!(!rated.nodes.iter().any(|node| matches!(node, Node::Binary(Binary::Div, ..))), "{rated}");
    assert_eq!(by_the_book(&rated, &[2.0, 0.0, 0.0, 0.0]), Some(vec![0.0, 0.0]));
    assert_eq!(by_the_book(&rated, &[2.0, 0.0, 3.0, 4.0]).unwrap()[1], 5.0 * libm::cos(10.0));
}

#[test]
fn a_vector_that_rests_at_zero_has_a_length_that_rests() {
    let norm = graph(2, |a, x| vec![length(a, x)]);
    let rated = rate(&norm, &[Seed::Slot; 2]).unwrap();
    assert_eq!(by_the_book(&rated, &[0.0, 0.0, 0.0, 0.0]), Some(vec![0.0, 0.0]));
    assert_eq!(by_the_book(&rated, &[3.0, 4.0, 1.0, 0.0]), Some(vec![5.0, 0.6]));
    assert_eq!(rated.slot_names, ["x0", "x1", "x0'", "x1'"]);
}

#[test]
fn only_the_arm_taken_asks_for_rates() {
    // if x > 0 then √x + log x else exp(x) atan(x): the root of the arm not taken must not fail.
    let graph = graph(1, |a, x| {
        let zero = a.real(0.0);
        let positive = a.compare(Comparison::Lt, zero, x[0]);
        let x = x[0];
        a.branch(
            positive,
            &mut |a| {
                let (root, logarithm) = (a.unary(Unary::Sqrt, x), a.unary(Unary::Log, x));
                vec![a.binary(Binary::Add, root, logarithm)]
            },
            &mut |a| {
                let (growth, angle) = (a.unary(Unary::Exp, x), a.unary(Unary::Atan, x));
                vec![a.binary(Binary::Mul, growth, angle)]
            },
        )
    });
    let rated = rate(&graph, &[Seed::One]).unwrap();
    Schedule::new(&rated).validate(&rated).unwrap();
    assert_eq!(rated.arms.len(), graph.arms.len(), "values and rates come from the same branch\n{rated}");
    for x in [-2.0, -0.5, 0.5, 3.0] {
        check(&graph, &[x], &[1.0], "both arms");
        assert!(by_the_book(&rated, &[x]).is_some(), "at {x}");
    }
    assert_eq!(by_the_book(&rated, &[0.0]).unwrap()[1], 1.0, "d(exp x atan x) at 0");
}

#[test]
fn what_only_decides_has_no_rate() {
    // if √x < 1 then x else 2 x: the slope of the root at 0 is infinite, and nobody asks for it.
    let graph = graph(1, |a, x| {
        let (root, one) = (a.unary(Unary::Sqrt, x[0]), a.real(1.0));
        let near = a.compare(Comparison::Lt, root, one);
        let twice = a.binary(Binary::Add, x[0], x[0]);
        vec![a.select(near, x[0], twice)]
    });
    let rated = rate(&graph, &[Seed::One]).unwrap();
    assert_eq!(by_the_book(&rated, &[0.0]), Some(vec![0.0, 1.0]));
    assert_eq!(by_the_book(&rated, &[4.0]), Some(vec![8.0, 2.0]));
}

#[test]
fn a_rate_that_is_not_finite_is_a_bad_row() {
    let graph = graph(1, |a, x| vec![a.unary(Unary::Sqrt, x[0])]);
    let rated = rate(&graph, &[Seed::One]).unwrap();
    assert_eq!(by_the_book(&rated, &[0.0]), None);
    assert_eq!(by_the_book(&rated, &[4.0]), Some(vec![2.0, 0.25]));
}

#[test]
fn derivatives_grow_with_the_program_and_no_faster() {
    let chain = |length: usize| {
        graph(1, |a, x| {
            let mut value = x[0];
            for step in 0..length {
                let shift = a.real(step as f64);
                let wave = a.unary(Unary::Sin, value);
                let product = a.binary(Binary::Mul, wave, value);
                let root = a.binary(Binary::Add, product, shift);
                value = a.binary(Binary::Atan2, root, value);
            }
            vec![value]
        })
    };
    let sizes: Vec<(usize, usize)> = [50, 100, 200]
        .map(|length| {
            let graph = chain(length);
            (graph.nodes.len(), rate(&graph, &[Seed::One]).unwrap().nodes.len())
        })
        .to_vec();
    for (plain, rated) in &sizes {
        assert!(*rated <= 6 * plain, "{sizes:?}");
    }
    assert!(2 * (sizes[1].1 - sizes[0].1) >= sizes[2].1 - sizes[1].1, "{sizes:?}");
}

#[test]
fn enclosures_are_not_differentiated() {
    let graph = graph(1, |a, x| vec![a.unary(Unary::Exp, x[0])]);
    let error = rate(&enclose_outward(&graph), &[Seed::One, Seed::One]).unwrap_err();
    assert!(error.to_string().contains("differentiate first"), "{error}");
}

#[test]
fn truth_values_have_no_rate() {
    let mut graph = graph(1, |a, x| {
        let zero = a.real(0.0);
        vec![x[0], a.compare(Comparison::Lt, zero, x[0])]
    });
    graph.outputs[1].ty = gedanken_lang::types::Type::Bool;
    let rated = rate(&graph, &[Seed::One]).unwrap();
    let names: Vec<&GraphOutput> = rated.outputs.iter().collect();
    assert_eq!(names.iter().map(|output| output.name.as_str()).collect::<Vec<_>>(), ["y0", "y1", "y0'"]);
}
