//! Random numbers under derivatives and enclosures: constants where seed and key are, without slope elsewhere.

use crate::evaluate::{graph, intervals, outputs};
use gedanken_lang::arithmetic::{Arithmetic, Binary, Unary};
use gedanken_lang::ir::Graph;
use gedanken_lang::transform::{NotDifferentiable, Seed, enclose, jacobian, rate, sweep};

/// t · Uniform(seed, ⌊k⌋) over the slots t, seed, k: as `t * uniform(seed, floor(k))` does it, in one draw.
fn drawn() -> Graph {
    graph(3, |a, x| {
        let key = a.unary(Unary::Floor, x[2]);
        let state = a.binary(Binary::Mix, x[1], key);
        let zero = a.real(0.0);
        let number = a.binary(Binary::Uniform, state, zero);
        vec![a.binary(Binary::Mul, x[0], number)]
    })
}

fn number(seed: f64, key: f64) -> f64 {
    Binary::Uniform.apply(Binary::Mix.apply(seed, key), 0.0)
}

#[test]
fn a_random_number_is_a_constant_where_its_seed_and_key_are() {
    let (u, slots) = (number(7.0, 2.0), [3.0, 7.0, 2.5]);
    let rated = rate(&drawn(), &[Seed::One, Seed::Zero, Seed::Zero]).unwrap();
    assert_eq!(outputs(&rated, &slots), [3.0 * u, u]);
    // Rounded down, also a key that varies is constant: its jumps are told apart from its slope.
    let rated = rate(&drawn(), &[Seed::Zero, Seed::Zero, Seed::One]).unwrap();
    assert_eq!(outputs(&rated, &slots), [3.0 * u, 0.0]);
    assert_eq!(outputs(&jacobian(&drawn(), &[0]).unwrap(), &slots), [3.0 * u, u]);
}

#[test]
fn a_random_number_has_no_slope_along_its_seed() {
    let seeds = [Seed::One, Seed::Slot, Seed::Zero];
    assert_eq!(rate(&drawn(), &seeds).unwrap_err(), NotDifferentiable::Chance);
    assert_eq!(sweep(&drawn(), &seeds).unwrap_err(), NotDifferentiable::Chance);
    let refused = jacobian(&drawn(), &[1]).unwrap_err();
    insta::assert_snapshot!(refused, @"a random number (`uniform`, `normal`, `direction`, `rotation`) has no slope along its seed or its key");
}

#[test]
fn enclosures_hold_the_number_at_points_and_all_numbers_elsewhere() {
    let u = number(7.0, 2.0);
    let enclosure = enclose(&drawn());
    // Floor makes a point of a key between two whole numbers.
    assert_eq!(intervals(&enclosure, &[(2.0, 4.0), (7.0, 7.0), (2.1, 2.9)]), [(2.0 * u, 4.0 * u)]);
    assert_eq!(intervals(&enclosure, &[(2.0, 4.0), (7.0, 7.0), (2.1, 3.9)]), [(0.0, 4.0)]);
    assert_eq!(intervals(&enclosure, &[(2.0, 4.0), (6.0, 7.0), (2.1, 2.9)]), [(0.0, 4.0)]);
    let anything = (f64::NEG_INFINITY, f64::INFINITY);
    assert_eq!(intervals(&enclosure, &[(2.0, 4.0), anything, anything]), [(0.0, 4.0)]);
}

#[test]
fn a_key_that_passes_a_whole_number_is_a_jump() {
    let swept = sweep(&drawn(), &[Seed::Zero, Seed::Zero, Seed::One]).unwrap();
    let steady = |from: f64, to: f64| outputs(&swept, &[1.0, 1.0, 7.0, 7.0, from, to]).last().copied();
    assert_eq!((steady(2.1, 2.9), steady(2.1, 3.1)), (Some(1.0), Some(0.0)));
}
