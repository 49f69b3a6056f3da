//! Constructors and derivatives of symbolic expressions against what everybody knows, and against numbers.

use gedanken_symbolic::{Expr, Function, Pool};

#[test]
fn like_terms_and_bases_are_collected() {
    let mut p = Pool::new();
    let (x, y) = (p.symbol("x"), p.symbol("y"));
    let (xy, yx) = (p.mul(x, y), p.mul(y, x));
    assert_eq!(xy, yx, "products commute");
    let difference = p.sub(xy, yx);
    assert!(p.is_zero(difference));
    let quotient = p.div(xy, y);
    assert_eq!(quotient, x);
    let (s, d) = (p.add(x, y), p.sub(y, x));
    let opposite = p.sub(x, y);
    let minus = p.div(d, opposite);
    assert_eq!(minus, p.integer(-1));
    let double = p.add(s, s);
    let two = p.div(double, s);
    assert_eq!(two, p.integer(2));
}

#[test]
fn roots_keep_signs() {
    let mut p = Pool::new();
    let (x, y) = (p.symbol("x"), p.symbol("y"));
    let square = p.powi(x, 2);
    let root = p.sqrt(square);
    assert_eq!(root, p.call(Function::Abs, x));
    let product = p.mul(square, y);
    let root = p.sqrt(product);
    let (magnitude, root_y) = (p.call(Function::Abs, x), p.sqrt(y));
    assert_eq!(root, p.mul(magnitude, root_y));
    let eight = p.integer(8);
    let root = p.sqrt(eight);
    let two = p.integer(2);
    let root_two = p.sqrt(two);
    assert_eq!(root, p.mul(two, root_two));
    assert_eq!(p.mul(root_two, root_two), two);
    let half = p.rational(1, 2);
    let root_half = p.sqrt(half);
    assert_eq!(root_half, p.mul(half, root_two));
}

#[test]
fn functions_know_their_values() {
    let mut p = Pool::new();
    let pi = p.pi();
    let six = p.integer(6);
    let angle = p.div(pi, six);
    let sine = p.sin(angle);
    assert_eq!(sine, p.rational(1, 2));
    let x = p.symbol("x");
    let minus = p.neg(x);
    let (a, b) = (p.sin(minus), p.sin(x));
    assert_eq!(a, p.neg(b));
    let (a, b) = (p.call(Function::Exp, x), p.call(Function::Exp, minus));
    let product = p.mul(a, b);
    assert!(p.is_one(product));
}

#[test]
fn derivatives_of_the_textbook() {
    let mut p = Pool::new();
    let x = p.symbol("x");
    let check = |p: &mut Pool, f: Expr| {
        let slope = p.derivative(f, x);
        for at in [0.3, 0.7, 0.9] {
            let value = |shift: f64| p.evaluate(f, &|_| at + shift);
            let h = 1e-5;
            let expected = (value(h) - value(-h)) / (2.0 * h);
            let found = p.evaluate(slope, &|_| at);
            assert!((found - expected).abs() < 1e-8 * (1.0 + expected.abs()), "{found} {expected}");
        }
    };
    for function in Function::ALL {
        let f = p.call(function, x);
        check(&mut p, f);
        let square = p.powi(x, 2);
        let f = p.mul(f, square);
        check(&mut p, f);
    }
    let power = p.pow(x, x);
    check(&mut p, power);
}
