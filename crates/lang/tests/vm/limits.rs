//! No program hangs, exhausts the memory or overflows the processor's stack: every bound is an ordinary
//! error.

use crate::evaluate::{fault, program, run, value};
use gedanken_lang::diagnostic::{Style, render};
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_math::Cancel;
use std::sync::Arc;

#[test]
fn recursion_without_end() {
    assert_eq!(fault("f(x) = f(x)", "f(1)").code, "E520");
    assert_eq!(fault("f(x) = 1 + f(x + 1)", "f(1)").code, "E520");
    assert_eq!(fault("f(x) = g(x)  g(x) = f(x)", "f(1)").code, "E520");
    assert_eq!(fault("count(n) = if n == 0 then 0 else 1 + count(n - 1)", "count(1e6)").code, "E520");
}

#[test]
fn the_depth_is_what_was_asked_for() {
    let library = "count(n) = if n == 0 then 0 else 1 + count(n - 1)";
    let limits = Limits { depth: 52, ..Limits::default() };
    // The expression itself, count(50) to count(0): 52 calls.
    assert_eq!(run(library, "count(50)", limits.clone()).0.unwrap().to_string(), "50");
    assert_eq!(run(library, "count(51)", limits).0.unwrap_err().code, "E520");
    let deep = Limits { depth: 2_000_000, ..Limits::default() };
    assert_eq!(run(library, "count(1e5)", deep.clone()).0.unwrap().to_string(), "100000");
    assert_eq!(run(library, "1", Limits { depth: 0, ..deep }).0.unwrap().to_string(), "1");
}

#[test]
fn work_without_end() {
    let library = "f(n) = if n < 2 then n else f(n - 1) + f(n - 2)";
    let limits = Limits { steps: 100_000, ..Limits::default() };
    let (result, steps) = run(library, "f(60)", limits.clone());
    assert_eq!(result.unwrap_err().code, "E521");
    assert!(steps <= 100_001, "{steps}");
    assert_eq!(run("", "1", Limits { steps: 0, ..limits }).0.unwrap_err().code, "E521");
}

#[test]
fn growth_without_end() {
    let library = "grow(s, n) = if n == 0 then length(s) else grow(s ++ s, n - 1)";
    assert_eq!(value(library, "grow({1}, 10)"), "1024");
    let fault = fault(library, "grow({1}, 64)");
    assert_eq!(fault.code, "E522");
    assert!(fault.message.contains("1048576 numbers"), "{}", fault.message);
}

#[test]
fn huge_values_are_refused_before_they_are_made() {
    for expression in ["identityMatrix(1e9)", "identityMatrix(1001)", "matrixDimension(identityMatrix(5e4))"]
    {
        let fault = fault("", expression);
        assert!(fault.code == "E522" || fault.code == "E510", "{expression}: {}", fault.message);
    }
}

#[test]
fn work_inside_one_operation_counts() {
    // A hundred instructions in all, but 100³ products in each of them.
    let limits = Limits { steps: 1_000_000, ..Limits::default() };
    let library = "
        a = identityMatrix(100)
        product(m, n) = if n == 0 then trace(m) else product(m * a, n - 1)
        determinants(n) = if n == 0 then 0 else determinant(a) + determinants(n - 1)";
    assert_eq!(run(library, "product(a, 3)", limits.clone()).0.unwrap().to_string(), "100");
    assert_eq!(run(library, "product(a, 20)", limits.clone()).0.unwrap_err().code, "E521");
    assert_eq!(run(library, "determinants(20)", limits).0.unwrap_err().code, "E521");
}

#[test]
fn memory_is_bounded_over_all_values() {
    // Every call holds a sequence of 64 thousand numbers of its own.
    let library = "
        long(s, n) = if n == 0 then s else long(s ++ s, n - 1)
        hold(s, n) = if n == 0 then 0 else hold(tail(s), n - 1) + length(s)";
    assert_eq!(fault(library, "hold(long({1}, 16), 1000)").code, "E522");
    // But what is shared is held once.
    let shared = "
        long(s, n) = if n == 0 then s else long(s ++ s, n - 1)
        hold(s, n) = if n == 0 then 0 else hold(s, n - 1) + length(s)";
    assert_eq!(value(shared, "hold(long({1}, 16), 1000)"), (65_536.0 * 1000.0).to_string());
}

#[test]
fn sequences_in_sequences_do_not_go_deep() {
    let fault = fault("nest(s, n) = if n == 0 then s else nest({s}, n - 1)", "nest({1}, 5000)");
    assert!(fault.code == "E522" || fault.code == "E510", "{}", fault.message);
}

#[test]
fn an_evaluation_can_be_interrupted() {
    let (program, function, sources) = program("f(n) = if n < 2 then n else f(n - 1) + f(n - 2)", "f(60)");
    let mut machine = Machine::new(Arc::new(compile(&program)), Limits::until(&Cancel::after(2)));
    machine.start(Vec::new());
    let diagnostic = machine.get(function).unwrap_err().diagnostic();
    insta::assert_snapshot!(render(&[diagnostic], &sources, Style::Plain), @r#"
    error[E524]: the evaluation was interrupted
     --> library.vfl:1:33
      |
    1 | f(n) = if n < 2 then n else f(n - 1) + f(n - 2)
      |                             ----^---   -------- `f` is called here
      |                             |   |
      |                             |   it was here
      |                             `f` is called here
    "#);
    assert!(machine.steps() < 10_000, "{}", machine.steps());
}

#[test]
fn the_machine_can_be_moved_to_another_thread() {
    fn is_send<T: Send>() {}
    is_send::<Machine>();
}
