//! Meaning of programs: values with known answers, evaluation by need, recursion, sequences.

use crate::evaluate::{program, run, value};
use gedanken_lang::vm::{Limits, Machine, compile};
use std::sync::Arc;

#[test]
fn arithmetic_follows_precedence() {
    for (expression, expected) in [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("2 ^ 3 ^ 2", "512"),
        ("-2 ^ 2", "-4"),
        ("2 ^ -1", "0.5"),
        ("7 - 2 - 1", "4"),
        ("8 / 4 / 2", "1"),
        ("[1, 0, 0] * [0, 2, 0] . [0, 0, 3]", "6"),
        ("[[1,2,3,4],[5,6,7,8]] # 2 # 3", "7"),
        ("-[1, 2] # 1", "-1"),
        ("1 < 2 & 2 < 3 | false", "true"),
        ("!(1 == 2)", "true"),
        ("{1, 2} ++ {} ++ {3}", "{1, 2, 3}"),
        ("[[1, 2], [3, 4]] * [1, 1]", "[3, 7]"),
    ] {
        assert_eq!(value("", expression), expected, "{expression}");
    }
}

#[test]
fn newtons_law_of_gravitation() {
    let library = "G = 6.67408e-11  force(m1, m2, r) = -(G * m1 * m2) / r^2";
    let force: f64 = value(library, "force(10, 15, 2)").parse().unwrap();
    assert_eq!(force.to_bits(), (-(6.67408e-11 * 10.0 * 15.0) / 4.0_f64).to_bits());
}

#[test]
fn a_branch_not_taken_asks_for_nothing() {
    for (expression, expected) in [
        ("if true then 1 else 1 / 0", "1"),
        ("if false then sqrt(-1) else 2", "2"),
        ("if true then 1 else bad", "1"),
        ("false & 1 / 0 > 1", "false"),
        ("true | 1 / 0 > 1", "true"),
        ("false & bad > 1", "false"),
        ("if 1 > 2 then bad else if 1 > 2 then bad else 3", "3"),
        ("safe(0)", "0"),
        ("safe(4)", "0.25"),
    ] {
        let library = "bad = 1 / 0  safe(x) = if x == 0 then 0 else 1 / x";
        assert_eq!(value(library, expression), expected, "{expression}");
    }
}

#[test]
fn both_sides_of_and_and_or_are_looked_at_when_they_must() {
    for (left, right) in [(true, true), (true, false), (false, true), (false, false)] {
        assert_eq!(value("", &format!("{left} & {right}")), (left && right).to_string());
        assert_eq!(value("", &format!("{left} | {right}")), (left || right).to_string());
    }
}

/// `-0` and `0` are equal, so which of them it is would only puzzle.
#[test]
fn zero_is_printed_without_a_sign() {
    assert_eq!(value("", "-0"), "0");
    assert_eq!(value("", "-[1, 0, 0]"), "[-1, 0, 0]");
    assert_eq!(value("", "{-[[0, 2]]}"), "{[[0, -2]]}");
    assert_eq!(value("", "-0 == 0"), "true");
}

#[test]
fn a_function_without_parameters_is_computed_once() {
    // Forty doublings by name cost forty times the same, not two to the fortieth.
    let mut library = String::from("a0 = 1\n");
    for k in 1..=40 {
        library += &format!("a{k} = a{} + a{}\n", k - 1, k - 1);
    }
    let (result, steps) = run(&library, "a40", Limits::default());
    assert_eq!(result.unwrap().to_string(), (1_u64 << 40).to_string());
    assert!(steps < 40 * 8, "{steps}");
}

#[test]
fn kept_results_are_asked_for_again_without_work_until_the_next_start() {
    let (program, function, _) =
        program("slow(n) = if n == 0 then 0 else 1 + slow(n - 1)  kept = slow(1000)", "kept + kept");
    let kept = program.find("kept").unwrap();
    let mut machine = Machine::new(Arc::new(compile(&program)), Limits::default());
    machine.start(Vec::new());
    assert_eq!(machine.get(function).unwrap().to_string(), "2000");
    let first = machine.steps();
    assert_eq!(machine.get(kept).unwrap().to_string(), "1000");
    assert_eq!(machine.steps(), first);
    machine.start(Vec::new());
    assert_eq!(machine.get(kept).unwrap().to_string(), "1000");
    assert!(machine.steps() > 5000 && machine.steps() < first, "{} of {first}", machine.steps());
}

#[test]
fn after_a_failure_the_evaluation_goes_on() {
    let (program, function, _) = program("bad = 1 / zero  zero = 0  good = 7", "bad + good");
    let [bad, good] = ["bad", "good"].map(|name| program.find(name).unwrap());
    let mut machine = Machine::new(Arc::new(compile(&program)), Limits::default());
    machine.start(Vec::new());
    for _ in 0..2 {
        assert_eq!(machine.get(function).unwrap_err().code, "E501");
        assert_eq!(machine.get(bad).unwrap_err().function, "bad");
        assert_eq!(machine.get(good).unwrap().to_string(), "7");
    }
}

#[test]
fn recursion_has_known_answers() {
    let library = "
        factorial(n) = if n <= 1 then 1 else n * factorial(n - 1)
        fibonacci(n) = if n < 2 then n else fibonacci(n - 1) + fibonacci(n - 2)
        even(n) = if n == 0 then true else odd(n - 1)
        odd(n) = if n == 0 then false else even(n - 1)
        ackermann(m, n) = if m == 0 then n + 1 else if n == 0 then ackermann(m - 1, 1)
                          else ackermann(m - 1, ackermann(m, n - 1))";
    assert_eq!(value(library, "factorial(20)"), "2.43290200817664e18");
    assert_eq!(value(library, "fibonacci(20)"), "6765");
    assert_eq!(value(library, "even(1001)"), "false");
    assert_eq!(value(library, "ackermann(2, 3)"), "9");
}

/// The program of the thesis, whose second half is lost, made whole.
const QUICKSORT: &str = include_str!("../thesis/6_4_quick_sort.vfl");

#[test]
fn quick_sort_of_the_thesis() {
    assert_eq!(value(QUICKSORT, "quick_sort({3, 1, 2, 3, -5, 0})"), "{-5, 0, 1, 2, 3, 3}");
    assert_eq!(value(QUICKSORT, "quick_sort({})"), "{}");
    assert_eq!(value(QUICKSORT, "quick_sort({1})"), "{1}");
}

#[test]
fn quick_sort_of_a_thousand_numbers() {
    // A full cycle of a linear congruential generator modulo 1000: every number from 0 to 999 once.
    let mut state = 7;
    let numbers: Vec<String> = (0..1000)
        .map(|_| {
            state = (state * 21 + 7) % 1000;
            state.to_string()
        })
        .collect();
    let expected: Vec<String> = (0..1000).map(|n| n.to_string()).collect();
    let sorted = value(QUICKSORT, &format!("quick_sort({{{}}})", numbers.join(", ")));
    assert_eq!(sorted, format!("{{{}}}", expected.join(", ")));
}

#[test]
fn sequences_hold_any_type() {
    assert_eq!(value("", "head({[1, 2], [3, 4]}) . [1, 1]"), "3");
    assert_eq!(value("", "{true, false} # 2"), "false");
    assert_eq!(value("", "length({1, 2} ++ {3})"), "3");
    assert_eq!(value("", "isEmpty({})"), "true");
}

/// The bounce of two spheres along a line [thesis, 4.2]: momentum and energy tell the velocities.
#[test]
fn an_elastic_collision() {
    let library = "
        m1 = 2  m2 = 3  e = 1
        v1 = 6  v2 = 0
        j = (1 + e) * (v1 - v2) / (1/m1 + 1/m2)
        w1 = v1 - j / m1
        w2 = v2 + j / m2";
    // w1 = (m1 - m2)/(m1 + m2) v1, w2 = 2 m1/(m1 + m2) v1.
    let (w1, w2): (f64, f64) = (value(library, "w1").parse().unwrap(), value(library, "w2").parse().unwrap());
    assert!((w1 + 1.2).abs() < 1e-14 && (w2 - 4.8).abs() < 1e-14, "{w1} {w2}");
}
