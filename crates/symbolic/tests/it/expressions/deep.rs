//! Depth costs memory, not the stack of the machine.

use super::random::NAMES;
use gedanken_symbolic::{Comparison, Expr, Function, Pool, Rational};
use std::collections::HashMap;

const DEPTH: usize = 100_000;

/// Each step takes the one before inside a function, a sum, a power and a condition in turn.
fn tower(pool: &mut Pool, seed: Expr) -> Expr {
    let (mut x, two) = (seed, pool.integer(2));
    for step in 0..DEPTH {
        x = match step % 5 {
            0 => pool.sin(x),
            1 => pool.linear(&[(x, Rational::new(1, 2)), (two, Rational::one())]),
            2 => pool.powi(x, 3),
            3 => pool.call(Function::Atan, x),
            _ => {
                let condition = pool.compare(Comparison::Lt, x, two);
                let other = pool.cos(x);
                pool.choice(condition, x, other)
            }
        };
    }
    x
}

#[test]
fn depth_is_no_danger() {
    // A thread of a test has two megabytes of stack.
    let mut pool = Pool::new();
    let (x, y) = (pool.symbol(NAMES[0]), pool.symbol(NAMES[1]));
    let (high, other) = (tower(&mut pool, x), tower(&mut pool, y));
    assert!(pool.height(high) as usize >= DEPTH);
    assert!(pool.order(high, other).is_lt());
    let sum = pool.add(high, other);
    assert!(pool.evaluate(sum, &|_| 0.3).is_finite());
    let same = pool.substitute(high, &HashMap::from([(x, y)]));
    assert_eq!(same, other);
}

#[test]
fn deep_compositions_have_slopes_and_texts() {
    let mut pool = Pool::new();
    let x = pool.symbol("x");
    let f = (0..DEPTH).fold(x, |f, _| pool.sin(f));
    let slope = pool.derivative(f, x);
    // Of sin(sin(…)) at 0 all slopes are 1.
    assert_eq!(pool.evaluate(slope, &|_| 0.0), 1.0);
    let text = pool.text(f);
    assert_eq!(text.len(), DEPTH * "sine()".len() + 1);
    assert_eq!(pool.text_within(f, 1000), None);
    assert!(pool.len() < 3 * DEPTH);
}

#[test]
fn deep_conditions_are_read_once() {
    let mut pool = Pool::new();
    let (x, zero) = (pool.symbol("x"), pool.zero());
    let mut condition = pool.compare(Comparison::Lt, zero, x);
    for _ in 0..DEPTH {
        let not = pool.not(condition);
        let both = pool.both(not, condition);
        condition = pool.not(both);
    }
    let choice = pool.choice(condition, x, zero);
    assert_eq!(pool.evaluate(choice, &|_| 2.0), 2.0);
    let y = pool.symbol("y");
    let renamed = pool.substitute(choice, &HashMap::from([(x, y)]));
    assert!(pool.contains(renamed, y) && !pool.contains(renamed, x));
}
