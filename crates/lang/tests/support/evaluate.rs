//! From text to a machine, for the tests.

use gedanken_lang::check::check_expression;
use gedanken_lang::program::{FunctionId, Program};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::Item;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits, Machine, compile};
use std::sync::Arc;

/// A program of `library`, and the function that computes `expression`.
pub(crate) fn program(library: &str, expression: &str) -> (Program, FunctionId, Sources) {
    let mut sources = Sources::new();
    let source = sources.add("library.vfl", library);
    let (file, diagnostics) = parse(&sources, source, Dialect::Library);
    assert!(diagnostics.is_empty(), "{library}: {diagnostics:?}");
    let definitions = file.into_definitions();
    let source = sources.add("expression", expression);
    let (file, diagnostics) = parse(&sources, source, Dialect::Expression);
    assert!(diagnostics.is_empty(), "{expression}: {diagnostics:?}");
    let [Item::Evaluate(expr)] = &file.items[..] else { panic!("{expression} is not one expression") };
    let (program, function) =
        check_expression(expr, &definitions).unwrap_or_else(|e| panic!("{expression}: {e:?}"));
    (program, function, sources)
}

/// The value of `expression`, and how many steps it took.
pub(crate) fn run(library: &str, expression: &str, limits: Limits) -> (Result<Value, Fault>, u64) {
    let (program, function, _) = program(library, expression);
    let mut machine = Machine::new(Arc::new(compile(&program)), limits);
    machine.start(Vec::new());
    let result = machine.get(function);
    (result, machine.steps())
}

/// The value of `expression`, as it is printed.
pub(crate) fn value(library: &str, expression: &str) -> String {
    match run(library, expression, Limits::default()).0 {
        Ok(value) => value.to_string(),
        Err(fault) => panic!("{expression}: {}", fault.message),
    }
}

/// Returns what is wrong with `expression`.
pub(crate) fn fault(library: &str, expression: &str) -> Fault {
    match run(library, expression, Limits::default()).0 {
        Ok(value) => panic!("{expression} is {value}"),
        Err(fault) => fault,
    }
}
