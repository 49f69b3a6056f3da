//! From programs to formulas to the text of programs: the same values. And formulas as people read them.

use crate::dice::Dice;
use crate::generate;
use gedanken_lang::check::{Library, check};
use gedanken_lang::program::{FunctionId, Program};
use gedanken_lang::source::Sources;
use gedanken_lang::symbolic::{
    Notation, as_written, definition, expression, read, show, show_definition, show_equation,
};
use gedanken_lang::syntax::{Dialect, parse};
use gedanken_lang::value::{Shaped, Value};
use gedanken_lang::vm::{Limits, Machine, compile};
use gedanken_symbolic::Pool;
use std::sync::Arc;

/// The program of one definition, in the scope of generated programs.
fn program(text: &str) -> Program {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    let (file, diagnostics) = parse(&sources, source, Dialect::Library);
    assert!(diagnostics.is_empty(), "{text}: {diagnostics:?}");
    match check(&file.into_definitions(), &Library::default(), &generate::scope()) {
        Ok(checked) => checked.program,
        Err(diagnostics) => panic!("{text}: {diagnostics:?}"),
    }
}

fn close(x: f64, y: f64) -> bool {
    (x - y).abs() <= 1e-6 * (1.0 + y.abs())
}

/// Random laws: what is read and written again is a program with the same values wherever both have one. What
/// jumps may jump elsewhere after rounding, so a few may differ.
#[test]
fn random_laws_survive_the_way_there_and_back() {
    let (mut same, mut different, mut texts) = (0_u32, 0_u32, 0_u32);
    for seed in 0..250 {
        let first = generate::program(seed).program;
        let mut machine = Machine::new(Arc::new(compile(&first)), Limits::default());
        for (index, output) in first.outputs.iter().enumerate() {
            let mut pool = Pool::new();
            let Ok(formulas) = read(&mut pool, &first, &[index], &mut as_written) else { continue };
            let Ok(text) = definition(&pool, "again", &[], &formulas[0]) else { continue };
            if text.len() > 20_000 {
                continue;
            }
            texts += 1;
            let second = program(&text);
            let mut again = Machine::new(Arc::new(compile(&second)), Limits::default());
            let mut dice = Dice::new(seed);
            for _ in 0..4 {
                let values = generate::inputs(&first, &mut dice);
                machine.start(values.clone());
                again.start(fed(&first, &second, &values));
                let (Ok(x), Ok(y)) = (machine.get(output.function), again.get(FunctionId(0))) else {
                    continue;
                };
                let (x, y) = (x.scalars().unwrap(), y.scalars().unwrap());
                assert_eq!(x.len(), y.len(), "{text}");
                if x.iter().zip(&y).all(|(x, y)| close(*x, *y)) { same += 1 } else { different += 1 }
            }
        }
    }
    assert!(texts > 300 && same > 800, "{texts} texts, {same} rows");
    assert!(different * 100 < same, "{different} of {same} differ");
}

/// The values of one program for the inputs of another.
fn fed(from: &Program, to: &Program, values: &[Value]) -> Vec<Value> {
    let find = |name: &str| from.inputs.iter().position(|it| it.name == name).unwrap();
    to.inputs.iter().map(|input| values[find(&input.name)].clone()).collect()
}

#[test]
fn laws_are_shown_differentiated_and_simplified() {
    let law = program("energy = 0.5 * mass * (spin . spin) + mass * (position # 3)^2");
    let mut pool = Pool::new();
    let formulas = read(&mut pool, &law, &[0], &mut as_written).unwrap();
    let Shaped::Real(energy) = formulas[0] else { panic!("a real") };
    let height = pool.symbol("(position # 3)");
    let slope = pool.derivative(energy, height);
    assert_eq!(show(&pool, slope, Notation::Vfl), "2*mass*(position # 3)");
    assert_eq!(show(&pool, slope, Notation::Unicode), "2 · mass · position₃");
    assert_eq!(show(&pool, slope, Notation::Latex), r"2 \, \mathrm{mass} \, \mathrm{position}_3");
    let shown = show_definition(&pool, "shift", &[], &Shaped::Vector(vec![slope, height]), Notation::Unicode);
    assert_eq!(shown, "shift = [2 · mass · position₃, position₃]");
}

#[test]
fn equations_in_every_notation() {
    let mut pool = Pool::new();
    let left = expression(&mut pool, "m*l^2*theta_dot_dot + m*g*l*sine(theta)").unwrap();
    let zero = pool.zero();
    let shown = |notation| show_equation(&pool, left, zero, notation);
    assert_eq!(shown(Notation::Unicode), "m l² θ̈ + m g l sin(θ) = 0");
    assert_eq!(shown(Notation::Latex), r"m l^2 \ddot{\theta} + m g l \sin(\theta) = 0");
    assert!(shown(Notation::MathMl).contains("accent=\"true\"><mi>θ</mi><mo>¨</mo></mover>"));
    assert!(shown(Notation::Vfl).ends_with(" == 0"));
}

/// A formula that is short in the pool and would be longer than the universe as text.
#[test]
fn what_is_too_long_says_so() {
    let mut pool = Pool::new();
    let mut expr = pool.symbol("x");
    for step in 0..60 {
        let (sine, cosine, shift) = (pool.sin(expr), pool.cos(expr), pool.integer(step));
        expr = pool.sum(&[sine, cosine, shift]);
    }
    for notation in [Notation::Vfl, Notation::Latex, Notation::MathMl, Notation::Unicode] {
        assert!(show(&pool, expr, notation).contains("too long"));
    }
}
