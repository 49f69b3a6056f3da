//! Soundness of types: programs that pass never meet a wrong type when they run and give values of the types
//! that were found; programs that the checker refuses for their types fail when they run, if nothing guards
//! the place.

use crate::support::definitions;
use gedanken_lang::check::{Library, check_expression, check_library};
use gedanken_lang::program::{FunctionId, Program};
use gedanken_lang::source::Sources;
use gedanken_lang::syntax::tree::Item;
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::value::Value;
use gedanken_lang::vm::{Fault, Limits, Machine, compile};
use proptest::prelude::*;
use std::sync::Arc;

const HELPERS: &str = "f(x, y) = x * g(y)\ng(x) = x + x\n";

/// Expressions over constants of all types, natives, two helpers with parameters, and `d0` to `d7`.
fn expression(guarded: bool) -> impl Strategy<Value = String> {
    let constants = prop::sample::select(vec![
        "1",
        "2",
        "3",
        "0.5",
        "true",
        "false",
        "[1, 2]",
        "[1, 2, 3]",
        "[3, 1, 2]",
        "[[1, 2], [3, 4]]",
        "identityMatrix(3)",
        "{1, 2}",
        "{[1, 2]}",
        "pi",
    ])
    .prop_map(str::to_owned);
    let leaf = prop_oneof![constants, (0..8).prop_map(|index| format!("d{index}"))];
    leaf.prop_recursive(3, 12, 3, move |inner| {
        let operators = vec!["+", "-", "*", "/", ".", "^", "#", "==", "<", "++"];
        let natives = vec![
            "norm",
            "normalize",
            "sine",
            "matrixTranspose",
            "head",
            "tail",
            "sum",
            "length",
            "vectorDimension",
        ];
        let plain = prop_oneof![
            (inner.clone(), prop::sample::select(operators), inner.clone())
                .prop_map(|(a, o, b)| format!("({a} {o} {b})")),
            (prop::sample::select(natives), inner.clone()).prop_map(|(n, a)| format!("{n}({a})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("f({a}, {b})")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("[{a}, {b}]")),
            inner.clone().prop_map(|a| format!("(-{a})")),
            inner.clone().prop_map(|a| format!("g({a})")),
        ];
        if guarded {
            let choice = (inner.clone(), inner.clone(), inner)
                .prop_map(|(c, a, b)| format!("(if {c} == {c} then {a} else {b})"));
            prop_oneof![4 => plain, 1 => choice].boxed()
        } else {
            plain.boxed()
        }
    })
}

/// The longest program made of `expressions` that the checker accepts: each that it refuses is left out.
/// Gives the number of definitions `d0`, `d1`, …, and those that were refused.
fn accepted(expressions: &[String]) -> (String, usize, Vec<String>) {
    let mut text = HELPERS.to_owned();
    let mut count = 0;
    let mut refused = Vec::new();
    for expression in expressions {
        // Only what is defined already can be used.
        let mut body = expression.clone();
        for index in count..8 {
            body = body.replace(&format!("d{index}"), "0.5");
        }
        let longer = format!("{text}d{count} = {body}\n");
        if check_library(&definitions(&longer).1, &Library::default()).is_ok() {
            text = longer;
            count += 1;
        } else {
            refused.push(body);
        }
    }
    (text, count, refused)
}

fn value(program: &Program, function: FunctionId) -> Result<Value, Fault> {
    let mut machine = Machine::new(Arc::new(compile(program)), Limits::default());
    machine.start(Vec::new());
    machine.get(function)
}

/// Runs an expression, whatever the checker says of types.
fn run(expression: &str, text: &str) -> Result<Value, Fault> {
    let (_, definitions) = definitions(text);
    let mut sources = Sources::new();
    let id = sources.add("[1]", expression);
    let (file, _) = parse(&sources, id, Dialect::Expression);
    let [Item::Evaluate(expression)] = file.items.as_slice() else { panic!("{file:?}") };
    let (program, function) = check_expression(expression, &definitions).unwrap();
    value(&program, function)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_passes_meets_no_wrong_type(expressions in prop::collection::vec(expression(true), 8)) {
        let (text, count, _) = accepted(&expressions);
        let checked = check_library(&definitions(&text).1, &Library::default()).unwrap();
        for index in 0..count {
            let function = checked.program.find(&format!("d{index}")).unwrap();
            let found = checked.types.of(function);
            match value(&checked.program, function) {
                Ok(value) => prop_assert!(value.type_of().fits(found), "d{index}: {value} is not {found}\n{text}"),
                Err(fault) => prop_assert!(fault.code != "E510", "d{index}: {}\n{text}", fault.message),
            }
        }
    }

    #[test]
    fn what_is_refused_fails(expressions in prop::collection::vec(expression(false), 8)) {
        let (text, _, refused) = accepted(&expressions);
        for expression in refused {
            prop_assert!(run(&expression, &text).is_err(), "{expression}\n{text}");
        }
    }
}
