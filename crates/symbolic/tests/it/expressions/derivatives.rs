//! Derivatives of random formulas against differences of their values.

use super::constructors::many;
use super::random::{NAMES, Tree, at, point, tree};
use gedanken_symbolic::{Function, Pool};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use std::cell::Cell;

/// The slope by central differences of two widths, taken to width zero; `None` if the two say different
/// things, or a much smaller width does: stairs are even slopes from afar.
fn difference(tree: &Tree, point: &[f64; NAMES.len()], by: usize) -> Option<f64> {
    let between = |h: f64| {
        let (mut above, mut below) = (*point, *point);
        above[by] += h;
        below[by] -= h;
        Some((tree.value(&above)? - tree.value(&below)?) / (above[by] - below[by]))
    };
    tree.value(point)?;
    let (wide, narrow, close) = (between(2e-5)?, between(1e-5)?, between(1e-7)?);
    let slope = (4.0 * narrow - wide) / 3.0;
    let is_even = (wide - narrow).abs() < 1e-6 * (1.0 + slope.abs());
    let is_no_stair = (close - slope).abs() < 1e-3 * (1.0 + slope.abs());
    (is_even && is_no_stair).then_some(slope)
}

/// Ten times as many as usual: thousands in short tests, tens of thousands in long ones.
#[test]
fn slopes_are_differences() {
    let (all, compared) = (Cell::new(0), Cell::new(0));
    let mut runner = TestRunner::new(many(10));
    let outcome = runner.run(&(tree(), point()), |(tree, point)| {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool, false);
        for (by, name) in NAMES.iter().enumerate() {
            let symbol = pool.symbol(name);
            if !pool.contains(expr, symbol) {
                continue;
            }
            let derivative = pool.derivative(expr, symbol);
            all.set(all.get() + 1);
            let Some(expected) = difference(&tree, &point, by) else { continue };
            compared.set(compared.get() + 1);
            let found = pool.evaluate(derivative, &|symbol| at(pool.name(symbol), &point));
            prop_assert!(
                (found - expected).abs() < 1e-5 * (1.0 + expected.abs()),
                "{} by {name} is {}, {found}, not {expected}",
                pool.text(expr),
                pool.text(derivative)
            );
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
    assert!(4 * compared.get() > all.get(), "{} of {} compared", compared.get(), all.get());
}

/// d/dt by the rates of the symbols is the sum of rates times partial derivatives.
#[test]
fn total_is_sum_of_partials() {
    use gedanken_symbolic::Derivation;
    let mut runner = TestRunner::new(many(1));
    let outcome = runner.run(&(tree(), point(), point()), |(tree, point, rates)| {
        let mut pool = Pool::new();
        let expr = tree.build(&mut pool, false);
        let pairs = NAMES.map(|name| (pool.symbol(name), pool.symbol(&format!("rate_of_{name}"))));
        let total = Derivation::in_time(pairs).of(&mut pool, expr);
        let partials = pool.gradient(expr, &pairs.map(|(symbol, _)| symbol));
        let value = |expr| {
            pool.evaluate(expr, &|symbol| match pool.name(symbol).strip_prefix("rate_of_") {
                Some(name) => at(name, &rates),
                None => at(pool.name(symbol), &point),
            })
        };
        let expected: f64 = partials.iter().zip(rates).map(|(partial, rate)| value(*partial) * rate).sum();
        let found = value(total);
        let size: f64 = partials.iter().map(|partial| value(*partial).abs()).sum();
        if tree.value(&point).is_some() && size < 1e6 {
            prop_assert!(
                (found - expected).abs() <= 1e-7 * (1.0 + size),
                "{found} {expected} {}",
                pool.text(total)
            );
        }
        Ok(())
    });
    outcome.unwrap_or_else(|error| panic!("{error}"));
}

/// Second derivatives are the same in either order.
#[test]
fn jacobians_of_gradients_are_symmetric() {
    let mut pool = Pool::new();
    let f = crate::reader::read(&mut pool, "m*x^2*y_dot^2/2 + x*sine(x*y)*exp(y) - atan2(y, x)");
    let symbols = ["x", "y", "y_dot"].map(|name| pool.symbol(name));
    let gradient = pool.gradient(f, &symbols);
    let jacobian = pool.jacobian(&gradient, &symbols);
    let point = |name: &str| match name {
        "x" => 0.7,
        "y" => -0.4,
        "y_dot" => 1.3,
        _ => 2.5,
    };
    for row in 0..3 {
        for column in 0..3 {
            let value = |expr| pool.evaluate(expr, &|symbol| point(pool.name(symbol)));
            let (a, b) = (value(jacobian[(column, row)]), value(jacobian[(row, column)]));
            assert!((a - b).abs() < 1e-12 * (1.0 + a.abs()), "{a} {b}");
        }
    }
}

/// Shared parts stay shared: the pool grows as the depth does, not as the length of the text.
#[test]
fn nothing_blows_up() {
    type Step = fn(&mut Pool, gedanken_symbolic::Expr) -> gedanken_symbolic::Expr;
    let steps: [Step; 4] = [
        |p, x| p.sin(x),
        |p, x| {
            let (one, y) = (p.one(), p.symbol("y"));
            let sum = p.add(x, one);
            let square = p.powi(sum, 2);
            p.mul(square, y)
        },
        |p, x| {
            let (a, b) = (p.sin(x), p.call(Function::Exp, x));
            p.add(a, b)
        },
        |p, x| {
            let (a, b) = (p.sin(x), p.cos(x));
            let product = p.mul(a, b);
            let y = p.symbol("y");
            p.add(product, y)
        },
    ];
    for step in steps {
        let grown = |depth: usize| {
            let mut pool = Pool::new();
            let x = pool.symbol("x");
            let f = (0..depth).fold(x, |f, _| step(&mut pool, f));
            pool.derivative(f, x);
            pool.len()
        };
        let (short, long) = (grown(50), grown(100));
        assert!(long <= 2 * short + 10, "{short} {long}");
    }
}
