//! Every operation's enclosure by brute force, on ordinary and on telling numbers.

use crate::dice::Dice;
use crate::evaluate::{fraction, graph, inside, intervals, programs};
use gedanken_lang::arithmetic::{Arithmetic, Binary, Comparison, Unary};
use gedanken_lang::ir::Graph;
use gedanken_lang::transform::{enclose, enclose_outward};
use std::f64::consts::{FRAC_PI_2, PI};

/// A number at which something happens, or near one.
fn telling(dice: &mut Dice) -> f64 {
    let number = match dice.below(8) {
        0 => dice.one_of(&[0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, 8.0, -8.0, 3.0]),
        1 => FRAC_PI_2 * (dice.below(41) as f64 - 20.0),
        2 => PI * (dice.below(2_000_001) as f64 - 1e6),
        3 => dice.one_of(&[
            1e308,
            -1e308,
            1e-308,
            5e-324,
            -5e-324,
            1e16,
            -1e15,
            709.7,
            -745.0,
            f64::MAX,
            f64::MIN,
        ]),
        4 => (fraction(dice) - 0.5) * 2.0,
        5 => (fraction(dice) - 0.5) * 1e3,
        _ => (fraction(dice) - 0.5) * 20.0,
    };
    match dice.below(6) {
        0 => number.next_up().min(f64::MAX),
        1 => number.next_down().max(f64::MIN),
        _ => number,
    }
}

/// An interval from nothing to everything.
fn interval(dice: &mut Dice) -> (f64, f64) {
    let start = telling(dice);
    let width = match dice.below(9) {
        0 | 1 => 0.0,
        2 => start.abs() * 1e-15,
        3 => 1e-9,
        4 => 1e-3,
        5 => 1.0,
        6 => 10.0 * fraction(dice),
        7 => return ordered(start, telling(dice)),
        _ => 1e5,
    };
    let (lo, hi) = ordered(start, (start + width).min(f64::MAX));
    match dice.below(40) {
        0 => (f64::NEG_INFINITY, hi),
        1 => (lo, f64::INFINITY),
        2 => (f64::NEG_INFINITY, f64::INFINITY),
        _ => (lo, hi),
    }
}

fn ordered(a: f64, b: f64) -> (f64, f64) {
    if b < a { (b, a) } else { (a, b) }
}

fn holds((lo, hi): (f64, f64), value: f64) -> bool {
    lo <= value && value <= hi
}

/// Samples boxes and points in them; results that are not finite are no results.
fn sample(graph: &Graph, what: &str, dice: &mut Dice, boxes: u64, compute: impl Fn(&[f64]) -> f64) {
    for (enclosure, points_stay) in [(enclose(graph), true), (enclose_outward(graph), false)] {
        assert!(!enclosure.finite && enclosure.arms.is_empty());
        for _ in 0..boxes {
            let inputs: Vec<(f64, f64)> = graph.slots.iter().map(|_| interval(dice)).collect();
            let found = intervals(&enclosure, &inputs)[0];
            assert!(!found.0.is_nan() && !found.1.is_nan(), "{what} on {inputs:?}: {found:?}");
            assert!(
                found.0 < f64::INFINITY && found.1 > f64::NEG_INFINITY,
                "{what} on {inputs:?}: {found:?}"
            );
            let is_point = inputs.iter().all(|(lo, hi)| lo == hi);
            for _ in 0..20 {
                let at: Vec<f64> = inputs.iter().map(|&input| inside(dice, input)).collect();
                let value = compute(&at);
                if !value.is_finite() {
                    continue;
                }
                assert!(holds(found, value), "{what} on {inputs:?}: {value} at {at:?} is not in {found:?}");
                if is_point && points_stay && !what.contains("Atan2") && !what.contains("Pow") {
                    assert_eq!(found, (value, value), "{what} of points {at:?}");
                }
            }
        }
    }
}

#[test]
fn every_function_of_one_real() {
    let boxes = programs(3000);
    for &operation in Unary::ALL {
        let graph = graph(1, |a, x| vec![a.unary(operation, x[0])]);
        sample(&graph, &format!("{operation:?}"), &mut Dice::new(11), boxes, |x| operation.apply(x[0]));
    }
}

#[test]
fn every_function_of_two_reals() {
    let boxes = programs(5000);
    for &operation in Binary::ALL {
        let graph = graph(2, |a, x| vec![a.binary(operation, x[0], x[1])]);
        sample(&graph, &format!("{operation:?}"), &mut Dice::new(12), boxes, |x| operation.apply(x[0], x[1]));
    }
}

#[test]
fn operations_of_a_value_with_itself() {
    for &operation in Binary::ALL {
        let graph = graph(1, |a, x| vec![a.binary(operation, x[0], x[0])]);
        sample(&graph, &format!("{operation:?} twice"), &mut Dice::new(13), programs(1000), |x| {
            operation.apply(x[0], x[0])
        });
    }
}

#[test]
fn operations_with_a_constant() {
    let mut dice = Dice::new(14);
    for &operation in Binary::ALL {
        for _ in 0..60 {
            let constant = if dice.happens(1, 2) { dice.below(25) as f64 - 12.0 } else { telling(&mut dice) };
            let right = graph(1, |a, x| {
                let constant = a.real(constant);
                vec![a.binary(operation, x[0], constant)]
            });
            sample(&right, &format!("{operation:?} with {constant:e}"), &mut dice, 60, |x| {
                operation.apply(x[0], constant)
            });
            let left = graph(1, |a, x| {
                let constant = a.real(constant);
                vec![a.binary(operation, constant, x[0])]
            });
            sample(&left, &format!("{constant:e} {operation:?}"), &mut dice, 60, |x| {
                operation.apply(constant, x[0])
            });
        }
    }
}

#[test]
fn comparisons_are_certain_only_when_they_are() {
    let mut dice = Dice::new(15);
    for &comparison in Comparison::ALL {
        let graph = graph(2, |a, x| vec![a.compare(comparison, x[0], x[1])]);
        let enclosure = enclose(&graph);
        let mut decided = 0;
        for _ in 0..2000 {
            let x = interval(&mut dice);
            let y = if dice.happens(1, 3) { x } else { interval(&mut dice) };
            let (certain, possible) = intervals(&enclosure, &[x, y])[0];
            assert!(certain <= possible);
            decided += usize::from(certain == possible);
            for _ in 0..20 {
                let truth = f64::from(u8::from(comparison.apply(inside(&mut dice, x), inside(&mut dice, y))));
                assert!(holds((certain, possible), truth), "{comparison:?} of {x:?} and {y:?}");
            }
        }
        assert!(decided > 500, "{comparison:?}: {decided}");
    }
}

#[test]
fn the_tightest_cases_are_tight() {
    let one = |operation: Unary, x: (f64, f64)| {
        intervals(&enclose(&graph(1, |a, s| vec![a.unary(operation, s[0])])), &[x])[0]
    };
    let two = |operation: Binary, x: (f64, f64), y: (f64, f64)| {
        intervals(&enclose(&graph(2, |a, s| vec![a.binary(operation, s[0], s[1])])), &[x, y])[0]
    };
    let square = |x: (f64, f64)| {
        intervals(&enclose(&graph(1, |a, s| vec![a.binary(Binary::Mul, s[0], s[0])])), &[x])[0]
    };
    let all = (f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!(square((-2.0, 3.0)), (0.0, 9.0));
    assert_eq!(square((-3.0, -2.0)), (4.0, 9.0));
    assert_eq!(square(all), (0.0, f64::INFINITY));
    assert_eq!(two(Binary::Add, (1.0, 2.0), (10.0, 20.0)), (11.0, 22.0));
    assert_eq!(two(Binary::Mul, (-1.0, 2.0), (-10.0, 20.0)), (-20.0, 40.0));
    assert_eq!(two(Binary::Mul, (0.0, 0.0), all), (0.0, 0.0));
    assert_eq!(two(Binary::Div, (1.0, 2.0), (4.0, 8.0)), (0.125, 0.5));
    assert_eq!(two(Binary::Div, (1.0, 2.0), (-1.0, 1.0)), all);
    assert_eq!(two(Binary::Div, (1.0, 2.0), (0.0, 1.0)), (1.0, f64::INFINITY));
    assert_eq!(two(Binary::Div, (1.0, 2.0), (-1.0, 0.0)), (f64::NEG_INFINITY, -1.0));
    assert_eq!(one(Unary::Sqrt, (-1.0, 4.0)), (0.0, 2.0));
    assert_eq!(one(Unary::Abs, (-1.0, 4.0)), (0.0, 4.0));
    assert_eq!(one(Unary::Sin, (-100.0, 100.0)), (-1.0, 1.0));
    assert_eq!(one(Unary::Cos, (-0.5, 0.25)).1, 1.0);
    assert_eq!(one(Unary::Tan, (1.0, 2.0)), all);
    let (lo, hi) = one(Unary::Sin, (0.1, 0.2));
    assert!((lo - libm::sin(0.1)).abs() < 1e-16 && (hi - libm::sin(0.2)).abs() < 1e-15);
    let (lo, hi) = two(Binary::Atan2, (-1.0, 1.0), (1.0, 2.0));
    assert!((lo + PI / 4.0).abs() < 1e-15 && (hi - PI / 4.0).abs() < 1e-15);
    let (lo, hi) = two(Binary::Atan2, (-1.0, 1.0), (-2.0, -1.0));
    assert!(lo <= -PI && (PI..3.2).contains(&hi));
    assert_eq!(two(Binary::Mod, (7.25, 7.5), (2.0, 2.0)), (1.25, 1.5));
    assert_eq!(two(Binary::Mod, (7.25, 8.5), (2.0, 2.0)), (0.0, 2.0));
    assert_eq!(one(Unary::Exp, (0.0, 0.0)), (1.0, 1.0));
}
