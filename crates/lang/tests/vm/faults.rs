//! Failures at run time are found where they happen, and said in plain words.

use crate::evaluate::{fault, program};
use gedanken_lang::diagnostic::Code;
use gedanken_lang::vm::{Limits, Machine, compile};
use std::sync::Arc;

/// Code, the text at the place, the message.
#[track_caller]
fn check(library: &str, expression: &str, code: &str, place: &str, words: &str) {
    let (program, function, sources) = program(library, expression);
    let mut machine = Machine::new(Arc::new(compile(&program)), Limits::default());
    machine.start(Vec::new());
    let fault = machine.get(function).unwrap_err();
    assert_eq!(fault.code, code, "{}", fault.message);
    assert_eq!(sources.slice(fault.span), place, "{}", fault.message);
    assert!(fault.message.contains(words), "{}", fault.message);
    assert!(Code::parse(code).is_some());
    assert!(fault.circumstances.help.is_some(), "{code} shows a way out");
}

#[test]
fn what_is_not_finite_is_an_error_where_it_is_made() {
    check("", "1 + 2 / (3 - 3)", "E501", "/", "division by zero");
    check("", "0 / 0", "E501", "/", "any number");
    check("", "[1, 2] / 0", "E501", "/", "division by zero");
    check("", "0 ^ -1", "E501", "^", "0 to the power -1");
    check("", "mod(5, 0)", "E501", "mod(5, 0)", "divides by zero");
    check("", "1 + sqrt(1 - 2)", "E502", "sqrt(1 - 2)", "square root of -1");
    check("", "(-2 + 1) ^ 0.5", "E503", "^", "the base is negative: -1 to the power 0.5");
    check("", "log(0)", "E504", "log(0)", "logarithm of 0");
    check("", "1e200 * 1e200", "E505", "*", "too large");
    check("", "[1e308, 0] + [1e308, 0]", "E505", "+", "too large");
    check("", "exp(1000)", "E505", "exp(1000)", "`exp`");
    check("", "10 ^ 400", "E505", "^", "too large");
    check("", "1e200 ^ 2", "E505", "^", "too large");
    check("", "inverseSine(1.5)", "E506", "inverseSine(1.5)", "from -1 to 1, but here is 1.5");
    check("", "inverseCosine(-1.5)", "E506", "inverseCosine(-1.5)", "-1.5");
}

#[test]
fn elements_that_are_not_there() {
    check("", "[1, 2, 3] # 4", "E507", "#", "elements 1 to 3 only");
    check("", "[1, 2, 3] # 0", "E507", "#", "element 0");
    check("", "[1, 2, 3] # 1.5", "E507", "#", "whole number from 1 to 3");
    check("", "{1} # 2", "E507", "#", "element 2");
    check("", "head({})", "E509", "head({})", "empty sequence");
    check("", "tail({})", "E509", "tail({})", "empty sequence");
    check(
        "",
        "squareMatrixInverse([[1, 2], [2, 4]])",
        "E508",
        "squareMatrixInverse([[1, 2], [2, 4]])",
        "no inverse",
    );
}

#[test]
fn values_that_do_not_fit() {
    let f = "f(x, y) = x + y";
    check(f, "f(true, 50)", "E510", "+", "`+`");
    check(f, "f([1, 2], 3)", "E510", "+", "`+`");
    check(
        "",
        "if 1 then 2 else 3",
        "E510",
        "1",
        "the condition of an `if` must be true or false, but here it is a real",
    );
    check("", "1 & true", "E510", "&", "its left side is a real");
    check("g(x) = true & x", "g(1)", "E510", "&", "`&`");
    check("g(x) = !x", "g(1)", "E510", "!x", "`!`");
    check("g(x) = norm(x)", "g(true)", "E510", "norm(x)", "norm");
}

#[test]
fn the_slip_of_the_forgotten_squares_is_explained() {
    let library = "norm_friction_imp(a, b) = (a + b) ^ 0.5";
    let fault = fault(library, "norm_friction_imp(-3, 1)");
    assert_eq!((fault.code.as_str(), fault.function.as_str()), ("E503", "norm_friction_imp"));
    assert!(fault.circumstances.help.as_ref().unwrap().contains("did you forget to square?"));
}

#[test]
fn the_values_that_went_in_are_shown_at_their_places() {
    let library = "acceleration(force, mass) = force / mass\nmotion(m) = acceleration([1, 2, 3], m)";
    let (program, function, sources) = program(library, "motion(0)");
    let mut machine = Machine::new(Arc::new(compile(&program)), Limits::default());
    machine.start(Vec::new());
    let diagnostic = machine.get(function).unwrap_err().diagnostic();
    let labels: Vec<(&str, &str)> =
        diagnostic.secondary.iter().map(|label| (sources.slice(label.span), label.text.as_str())).collect();
    assert_eq!(
        labels,
        [
            ("force", "this is [1, 2, 3]"),
            ("mass", "this is 0"),
            ("acceleration([1, 2, 3], m)", "`acceleration` is called here"),
            ("motion(0)", "`motion` is called here"),
        ]
    );
}

#[test]
fn long_values_are_shortened() {
    let fault = fault("f(s) = s + 1", &format!("f({{{}}})", vec!["1"; 500].join(",")));
    let text = format!("{:?}", fault.diagnostic().secondary);
    assert!(text.len() < 500 && text.contains('…'), "{text}");
}

#[test]
fn a_recursion_shows_each_place_of_call_once() {
    let fault = fault("f(n) = if n == 0 then 1 / 0 else f(n - 1)", "f(100)");
    let circumstances = &fault.circumstances;
    assert_eq!(circumstances.depth, 102);
    assert!(circumstances.calls.len() <= 16);
    assert_eq!(
        fault.diagnostic().secondary.iter().filter(|label| label.text.contains("called here")).count(),
        1
    );
}

#[test]
fn a_value_that_needs_itself_names_the_chain() {
    let fault = fault("a = b + 1  b = c  c = if true then a else 0", "a");
    assert_eq!((fault.code.as_str(), fault.function.as_str()), ("E523", "c"));
    assert!(fault.message.contains("a needs b needs c needs a"), "{}", fault.message);
}
