//! Programs as formulas: a formula has the value that the program has.

use crate::dice::Dice;
use crate::generate;
use gedanken_lang::check::{Library, check_library};
use gedanken_lang::program::{Input, Program};
use gedanken_lang::source::Sources;
use gedanken_lang::symbolic::{Formula, NotSymbolic, function, read};
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::value::{Shaped, Value};
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_symbolic::{Expr, Pool, Symbol};
use std::sync::Arc;

fn library(text: &str) -> Program {
    let mut sources = Sources::new();
    let source = sources.add("library", text);
    let (file, diagnostics) = parse(&sources, source, Dialect::Library);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    check_library(&file.into_definitions(), &Library::default()).unwrap().program
}

fn symbols(pool: &mut Pool, input: &Input, element: u32) -> Expr {
    pool.symbol(&format!("{}_{element}", input.name))
}

/// A function of a library with symbols `a`, `b`, … as arguments.
fn formula(pool: &mut Pool, text: &str, name: &str) -> Result<Formula, NotSymbolic> {
    let program = library(text);
    let id = program.find(name).unwrap();
    let letters = ["a", "b", "c", "d"];
    let count = program.function(id).params.len();
    let arguments: Vec<Formula> = letters[..count].iter().map(|it| Shaped::Real(pool.symbol(it))).collect();
    function(pool, &program, id, &arguments, &mut symbols)
}

fn text(library: &str, name: &str) -> String {
    let mut pool = Pool::new();
    let value = formula(&mut pool, library, name).unwrap();
    gedanken_lang::symbolic::text(&pool, &value).unwrap()
}

#[test]
fn functions_become_formulas() {
    assert_eq!(text("f(x) = g(x) + g(x)\ng(y) = y^2 / 2", "f"), "a^2");
    assert_eq!(text("kinetic(m, v) = 0.5 * m * v^2", "kinetic"), "a*b^2/2");
    assert_eq!(
        text("half = 1/2\nf(x, y) = if x > y then [x, half] else [y, 2]", "f"),
        "[if b < a then a else b, if b < a then 1/2 else 2]"
    );
    assert_eq!(text("f(x, y) = [x, y] * 2", "f"), "[2*a, 2*b]");
    assert_eq!(text("f(x) = x > 1 & x < 2", "f"), "1 < a & a < 2");
    assert_eq!(text("s(x) = {x, 2 * x}\nf(x) = sum(s(x) ++ tail(s(x)))", "f"), "5*a");
    assert_eq!(text("f(x, y) = [[x, y], [y, x]] * [x, y]", "f"), "[a^2 + b^2, 2*a*b]");
}

/// Returns what is wrong with a function, in words.
fn refused(library: &str, name: &str) -> String {
    formula(&mut Pool::new(), library, name).unwrap_err().to_string()
}

#[test]
fn what_has_no_formula_says_why() {
    let recursion = refused("f(n) = if n < 1 then 0 else n + f(n - 1)", "f");
    assert_eq!(recursion, "`f` has no symbolic form: `f` calls itself, and a formula has an end");
    assert_eq!(refused("f(x) = x / (2 - 2)", "f"), "`f` has no symbolic form: it divides by zero");
    assert_eq!(
        refused("g(x) = sqrt(x)\nf(x) = g(-4) * x", "f"),
        "`f` has no symbolic form: √(-4) is not real"
    );
    let shapes = refused("f(x) = if x > 0 then {1} else {1, 2}", "f");
    assert!(shapes.contains("known only when it runs"), "{shapes}");
    let large = "f(x) = squareMatrixInverse([[x,1,0,0,0],[1,x,1,0,0],[0,1,x,1,0],[0,0,1,x,1],[0,0,0,1,x]])";
    assert!(refused(large, "f").contains("5 by 5 matrix"), "{}", refused(large, "f"));
    let numbers = "f = determinant([[2,1,0,0,0],[1,2,1,0,0],[0,1,2,1,0],[0,0,1,2,1],[0,0,0,1,2]])";
    // By the recurrence of tridiagonal determinants, n + 1.
    assert_eq!(text(numbers, "f"), "6");
}

/// Chains of helpers as long as a text: bounded, and no stack runs over.
#[test]
fn tall_and_large_programs_are_refused() {
    let chain = |step: &str| {
        let mut text = "a0(x) = x\n".to_owned();
        for index in 1..3000 {
            text += &format!("a{index}(x) = {}\n", step.replace('#', &format!("a{}(x)", index - 1)));
        }
        text
    };
    for step in ["sine(#)", "# + 1", "# * # + x", "1 / (# + x)"] {
        let _ = formula(&mut Pool::new(), &chain(step), "a2999");
    }
    let constants = |step: &str| {
        let mut text = "a0 = 2\n".to_owned();
        for index in 1..3000 {
            text += &format!("a{index} = {}\n", step.replace('#', &format!("a{}", index - 1)));
        }
        text
    };
    assert_eq!(self::text(&constants("# + 1"), "a2999"), "3001");
    for step in ["# * #", "sine(# + 1)", "sqrt(# + pi)"] {
        let refused = formula(&mut Pool::new(), &constants(step), "a2999").unwrap_err();
        assert_eq!(refused.code, "E522", "{refused}");
    }
}

fn flat(value: &Formula) -> Vec<Result<Expr, gedanken_symbolic::Truth>> {
    match value {
        Shaped::Real(x) => vec![Ok(*x)],
        Shaped::Bool(x) => vec![Err(*x)],
        Shaped::Vector(v) => v.iter().map(|x| Ok(*x)).collect(),
        Shaped::Matrix(m) => m.elements.iter().map(|x| Ok(*x)).collect(),
        Shaped::Sequence(items) => items.iter().flat_map(flat).collect(),
    }
}

/// Random programs: wherever both have a value, the formula's is the evaluator's, to rounding.
#[test]
fn random_programs_keep_their_values() {
    let (mut same, mut different) = (0_u32, 0_u32);
    for seed in 0..300 {
        let generate::Generated { text, program } = generate::program(seed);
        let mut machine = Machine::new(Arc::new(compile(&program)), Limits::default());
        for (index, output) in program.outputs.iter().enumerate() {
            let mut pool = Pool::new();
            let Ok(formulas) = read(&mut pool, &program, &[index], &mut symbols) else { continue };
            let mut dice = Dice::new(seed);
            for _ in 0..4 {
                let values = generate::inputs(&program, &mut dice);
                let value = |symbol: Symbol| named(&program, &values, pool.name(symbol));
                machine.start(values.clone());
                let Ok(expected) = machine.get(output.function) else { continue };
                let expected = expected.scalars().unwrap();
                let found = flat(&formulas[0]);
                assert_eq!(found.len(), expected.len(), "{text}");
                for (formula, expected) in found.into_iter().zip(expected) {
                    let Ok(formula) = formula else { continue };
                    let found = pool.evaluate(formula, &value);
                    if !found.is_finite() {
                        continue;
                    }
                    if (found - expected).abs() <= 1e-6 * (1.0 + expected.abs()) {
                        same += 1;
                    } else {
                        different += 1;
                    }
                }
            }
        }
    }
    assert!(same > 2000, "{same}");
    assert!(different * 200 < same, "{different} of {same} differ");
}

fn named(program: &Program, values: &[Value], name: &str) -> f64 {
    let (input, element) = name.rsplit_once('_').unwrap();
    let place = program.inputs.iter().position(|it| it.name == input).unwrap();
    values[place].scalars().unwrap()[element.parse::<usize>().unwrap()]
}

#[test]
fn random_numbers_are_numbers_or_have_no_form() {
    let mut pool = Pool::new();
    let value = formula(&mut pool, "f(x) = uniform(1, [2, 3]) * x", "f").unwrap();
    let Shaped::Real(value) = value else { panic!("{value:?}") };
    let a = pool.symbol("a");
    let slope = pool.derivative(value, a);
    // The number of `uniform(1, [2, 3])`, exactly.
    assert_eq!(pool.as_number(slope).map(|it| it.to_f64()), Some(0.752_556_588_375_127_1));
    let refused = refused("f(x) = x * uniform(x, 1)", "f");
    insta::assert_snapshot!(refused, @"`f` has no symbolic form: it draws a random number whose seed or key is no number known before the run; give the number a name of its own, as an attribute of the world, and use that name");
}
