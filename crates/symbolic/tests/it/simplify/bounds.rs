//! Input that would take forever if work were not counted.

use super::properties::{Random, expression};
use super::residuals::residuals;
use crate::reader::read;
use gedanken_symbolic::{Expr, Pool};

/// Simplified, in a pool that has not grown beyond measure, to something not longer.
fn bounded(p: &mut Pool, e: Expr) -> Expr {
    let before = p.len();
    let short = counted(p, 500_000, |p| p.simplify(e));
    assert!(p.len() < before + 200_000, "{} expressions were made", p.len() - before);
    counted(p, 600_000, |p| p.normal(e));
    counted(p, 300_000, |p| p.expand(e));
    let x = p.symbol("x");
    let (a, b) = (p.derivative(e, x), p.derivative(short, x));
    assert_ne!(counted(p, 1_100_000, |p| p.is_equal(a, b)), Some(false));
    short
}

/// Fails if it takes more steps than that.
#[track_caller]
fn counted<T>(p: &mut Pool, most: u64, part: impl FnOnce(&mut Pool) -> T) -> T {
    let before = p.work();
    let result = part(p);
    assert!(p.work() - before <= most, "{} steps", p.work() - before);
    result
}

#[test]
fn high_powers_stay_powers() {
    for text in
        ["(x + 1)^1000", "(x + y + z)^200", "(x + 1)^100000*(x - 1)^99999", "sin(x)^500", "x^123456789 + x"]
    {
        let mut p = Pool::new();
        let e = read(&mut p, text);
        let short = bounded(&mut p, e);
        assert_eq!(short, e, "{text} became {}", p.text(short));
    }
    let mut p = Pool::new();
    let e = read(&mut p, "((((x + 1)^9 + y)^9 + z)^9 + w)^9");
    bounded(&mut p, e);
}

#[test]
fn long_sums() {
    let mut p = Pool::new();
    let (x, one) = (p.symbol("x"), p.one());
    let mut terms = Vec::new();
    for k in 0..10_000 {
        let symbol = p.symbol(&format!("c{k}"));
        let wave = p.sin(symbol);
        terms.push(p.mul(wave, x));
    }
    terms.push(one);
    let sum = p.sum(&terms);
    let short = bounded(&mut p, sum);
    assert!(p.contains(short, x));
}

#[test]
fn products_of_many_sums() {
    let mut p = Pool::new();
    let factors: Vec<Expr> = (0..60).map(|k| read(&mut p, &format!("a{k} + b{k}"))).collect();
    let product = p.product(&factors);
    assert_eq!(bounded(&mut p, product), product);
}

#[test]
fn many_angles() {
    let angles: Vec<String> = (0..10).map(|k| format!("t{k}")).collect();
    let mut p = Pool::new();
    let e = read(&mut p, &format!("sin({}) + cos({})^3", angles.join(" + "), angles.join(" - ")));
    bounded(&mut p, e);
    let waves: Vec<String> = angles.iter().map(|it| format!("sin({it})^2")).collect();
    let e = read(&mut p, &waves.join("*"));
    assert_eq!(bounded(&mut p, e), e);
    let waves: Vec<String> = angles.iter().map(|it| format!("(sin({it})^2 + cos({it})^2)")).collect();
    let e = read(&mut p, &waves.join("*"));
    bounded(&mut p, e);
}

#[test]
fn nested_radicals() {
    let mut p = Pool::new();
    let mut e = p.symbol("x");
    for k in 1..40 {
        let (k, root) = (p.integer(k), p.sqrt(e));
        e = p.add(k, root);
    }
    bounded(&mut p, e);
    let mut e = p.symbol("x");
    for _ in 0..12 {
        let one = p.one();
        let square = p.powi(e, 2);
        let sum = p.add(square, one);
        e = p.sqrt(sum);
        e = p.add(e, one);
    }
    bounded(&mut p, e);
}

#[test]
fn depth_costs_no_stack() {
    let mut p = Pool::new();
    let mut e = p.symbol("x");
    for k in 0..20_000 {
        let (y, wave) = (p.symbol("y"), p.sin(e));
        e = if k % 2 == 0 { p.add(wave, y) } else { p.mul(wave, y) };
    }
    assert_eq!(p.simplify(e), e);
    assert_eq!(p.expand(e), e);
    assert_eq!(p.normal(e), None);
    let zero = p.zero();
    assert_eq!(p.is_equal(e, zero), None);
}

/// As a tree, each has more parts than there are atoms in the world.
#[test]
fn shared_parts_are_met_once() {
    let mut p = Pool::new();
    let (mut e, x) = (p.symbol("x"), p.symbol("y"));
    for _ in 0..70 {
        let square = p.mul(e, e);
        e = p.add(square, x);
    }
    bounded(&mut p, e);
    let mut e = p.symbol("x");
    for k in 0..70 {
        let (one, wave) = (p.integer(k + 1), p.sin(e));
        let sum = p.add(e, one);
        e = p.mul(wave, sum);
    }
    bounded(&mut p, e);
}

#[test]
fn towers_of_fractions() {
    let mut p = Pool::new();
    let mut e = p.symbol("x");
    for k in 1..30 {
        let a = p.symbol(&format!("a{k}"));
        let inverse = p.powi(e, -1);
        e = p.add(a, inverse);
    }
    bounded(&mut p, e);
}

#[test]
fn large_random_expressions() {
    for seed in 0..12 {
        let mut p = Pool::new();
        let e = expression(&mut p, &mut Random::new(seed), 7);
        bounded(&mut p, e);
    }
}

/// Eight links, all masses and lengths different: what is collected is linear in accelerations.
#[test]
fn chain_of_eight() {
    let n = 8;
    let names: Vec<String> = (1..=n).map(|k| format!("theta{k}")).collect();
    let mut functions = Vec::new();
    let (mut kinetic, mut potential) = (String::from("0"), String::from("0"));
    for k in 1..=n {
        let (x, y) = match k {
            1 => ("0".to_owned(), "0".to_owned()),
            _ => (format!("x{}", k - 1), format!("y{}", k - 1)),
        };
        functions.push((format!("x{k}"), format!("{x} + l{k}*sin(theta{k})")));
        functions.push((format!("y{k}"), format!("{y} - l{k}*cos(theta{k})")));
        kinetic += &format!(" + m{k}/2*(x{k}_dot^2 + y{k}_dot^2)");
        potential += &format!(" + m{k}*g*y{k}");
    }
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let functions: Vec<(&str, &str)> = functions.iter().map(|(a, b)| (a.as_str(), b.as_str())).collect();
    let mut p = Pool::new();
    let equations = residuals(&mut p, &names, &functions, &kinetic, &potential);
    let (factor, last) = p.without_common_factor(equations[n - 1], &|p, it| p.as_symbol(it).is_some());
    assert_eq!(factor, read(&mut p, "m8*l8"));
    let mut expected = String::from("l8*theta8_dot_dot + g*sin(theta8)");
    for k in 1..n {
        expected += &format!(
            " + l{k}*cos(theta{k} - theta8)*theta{k}_dot_dot - l{k}*sin(theta{k} - theta8)*theta{k}_dot^2"
        );
    }
    let expected = read(&mut p, &expected);
    assert_eq!(last, expected, "{}", p.text(last));
    let (_, first) = p.without_common_factor(equations[0], &|p, it| p.as_symbol(it).is_some());
    let second = p.symbol("theta2_dot_dot");
    let coefficient = p.derivative(first, second);
    let expected = read(&mut p, "l2*(m2 + m3 + m4 + m5 + m6 + m7 + m8)*cos(theta1 - theta2)");
    assert_eq!(coefficient, expected, "{}", p.text(coefficient));
}
