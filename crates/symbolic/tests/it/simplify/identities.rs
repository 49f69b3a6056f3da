//! Expressions that the normal form must find equal, and others that it must not.

use crate::reader::read;
use gedanken_symbolic::Pool;

/// Equal for all real arguments for which both sides are defined.
const EQUAL: &[(&str, &str)] = &[
    // Pythagoras and what follows.
    ("sin(x)^2 + cos(x)^2", "1"),
    ("sin(a+b)^2 + cos(a+b)^2", "1"),
    ("1 + tan(x)^2", "1/cos(x)^2"),
    ("1/cos(x)^2 - tan(x)^2", "1"),
    ("1 + 1/tan(x)^2", "1/sin(x)^2"),
    ("sin(x)^4 - cos(x)^4", "sin(x)^2 - cos(x)^2"),
    ("sin(x)^6 + cos(x)^6", "1 - 3*sin(x)^2*cos(x)^2"),
    ("(sin(x) + cos(x))^2 + (sin(x) - cos(x))^2", "2"),
    ("(a*sin(x) + b*cos(x))^2 + (a*cos(x) - b*sin(x))^2", "a^2 + b^2"),
    ("(1 - cos(x))*(1 + cos(x))", "sin(x)^2"),
    ("sin(x)/(1 + cos(x))", "(1 - cos(x))/sin(x)"),
    ("cos(x)/(1 - sin(x))", "(1 + sin(x))/cos(x)"),
    // Sums of angles.
    ("sin(a + b)", "sin(a)*cos(b) + cos(a)*sin(b)"),
    ("sin(a - b)", "sin(a)*cos(b) - cos(a)*sin(b)"),
    ("cos(a + b)", "cos(a)*cos(b) - sin(a)*sin(b)"),
    ("cos(a - b)", "cos(a)*cos(b) + sin(a)*sin(b)"),
    ("tan(a + b)", "(tan(a) + tan(b))/(1 - tan(a)*tan(b))"),
    ("tan(a - b)", "(tan(a) - tan(b))/(1 + tan(a)*tan(b))"),
    ("sin(a + b)*sin(a - b)", "sin(a)^2 - sin(b)^2"),
    ("cos(a + b)*cos(a - b)", "cos(a)^2 - sin(b)^2"),
    (
        "sin(a + b + c)",
        "sin(a)*cos(b)*cos(c) + cos(a)*sin(b)*cos(c) + cos(a)*cos(b)*sin(c) - sin(a)*sin(b)*sin(c)",
    ),
    ("sin(x*(y + 1))", "sin(x*y + x)"),
    ("cos(a - b)*cos(b - c) - sin(a - b)*sin(b - c)", "cos(a - c)"),
    ("sin(a)*sin(b - c) + sin(b)*sin(c - a) + sin(c)*sin(a - b)", "0"),
    ("tan(a) + tan(b)", "sin(a + b)/(cos(a)*cos(b))"),
    // Products to sums and back.
    ("2*sin(a)*cos(b)", "sin(a + b) + sin(a - b)"),
    ("2*cos(a)*cos(b)", "cos(a + b) + cos(a - b)"),
    ("2*sin(a)*sin(b)", "cos(a - b) - cos(a + b)"),
    ("sin(a) + sin(b)", "2*sin((a + b)/2)*cos((a - b)/2)"),
    ("sin(a) - sin(b)", "2*cos((a + b)/2)*sin((a - b)/2)"),
    ("cos(a) + cos(b)", "2*cos((a + b)/2)*cos((a - b)/2)"),
    ("cos(a) - cos(b)", "-2*sin((a + b)/2)*sin((a - b)/2)"),
    // Multiples and halves.
    ("sin(2*x)", "2*sin(x)*cos(x)"),
    ("cos(2*x)", "cos(x)^2 - sin(x)^2"),
    ("cos(2*x)", "2*cos(x)^2 - 1"),
    ("cos(2*x)", "1 - 2*sin(x)^2"),
    ("tan(2*x)", "2*tan(x)/(1 - tan(x)^2)"),
    ("sin(2*x)", "2*tan(x)/(1 + tan(x)^2)"),
    ("cos(2*x)", "(1 - tan(x)^2)/(1 + tan(x)^2)"),
    ("sin(3*x)", "3*sin(x) - 4*sin(x)^3"),
    ("cos(3*x)", "4*cos(x)^3 - 3*cos(x)"),
    ("tan(3*x)", "(3*tan(x) - tan(x)^3)/(1 - 3*tan(x)^2)"),
    ("sin(4*x)", "4*sin(x)*cos(x)*cos(2*x)"),
    ("cos(4*x)", "8*cos(x)^4 - 8*cos(x)^2 + 1"),
    ("sin(5*x)", "16*sin(x)^5 - 20*sin(x)^3 + 5*sin(x)"),
    ("cos(6*x)", "32*cos(x)^6 - 48*cos(x)^4 + 18*cos(x)^2 - 1"),
    ("sin(x/2)^2", "(1 - cos(x))/2"),
    ("cos(x/2)^2", "(1 + cos(x))/2"),
    ("tan(x/2)", "sin(x)/(1 + cos(x))"),
    ("tan(x/2)", "(1 - cos(x))/sin(x)"),
    ("sin(x)^3", "(3*sin(x) - sin(3*x))/4"),
    ("cos(x)^3", "(3*cos(x) + cos(3*x))/4"),
    ("sin(x)^4", "(3 - 4*cos(2*x) + cos(4*x))/8"),
    ("sin(2*a - 2*b)", "2*sin(a - b)*cos(a - b)"),
    ("cos(x/3)", "4*cos(x/9)^3 - 3*cos(x/9)"),
    // Turns.
    ("sin(x + pi)", "-sin(x)"),
    ("cos(x + pi)", "-cos(x)"),
    ("sin(x + 2*pi)", "sin(x)"),
    ("cos(x - 2*pi)", "cos(x)"),
    ("sin(pi/2 - x)", "cos(x)"),
    ("cos(pi/2 - x)", "sin(x)"),
    ("cos(x + pi/2)", "-sin(x)"),
    ("sin(x + pi/4)", "(sin(x) + cos(x))/sqrt(2)"),
    ("sin(x + pi/6)", "sqrt(3)*sin(x)/2 + cos(x)/2"),
    ("cos(x + pi/3)", "cos(x)/2 - sqrt(3)*sin(x)/2"),
    ("tan(x + pi)", "tan(x)"),
    ("sin(x) + sin(x + 2*pi/3) + sin(x + 4*pi/3)", "0"),
    ("cos(pi/6)", "sqrt(3)/2"),
    // Inverse functions.
    ("sin(acos(x))", "sqrt(1 - x^2)"),
    ("cos(asin(x))", "sqrt(1 - x^2)"),
    ("tan(asin(x))", "x/sqrt(1 - x^2)"),
    ("cos(atan(x))", "1/sqrt(1 + x^2)"),
    ("sin(atan(x))", "x/sqrt(1 + x^2)"),
    ("sin(2*asin(x))", "2*x*sqrt(1 - x^2)"),
    ("cos(2*acos(x))", "2*x^2 - 1"),
    ("sin(2*atan(x))", "2*x/(1 + x^2)"),
    ("cos(atan2(y, x))", "x/sqrt(x^2 + y^2)"),
    ("sin(atan2(y, x))*sqrt(x^2 + y^2)", "y"),
    // Algebra.
    ("(a + b)^2", "a^2 + 2*a*b + b^2"),
    ("(a - b)^3", "a^3 - 3*a^2*b + 3*a*b^2 - b^3"),
    ("(a + b)*(a - b)", "a^2 - b^2"),
    ("(a^2 - b^2)/(a - b)", "a + b"),
    ("(a^3 - b^3)/(a - b)", "a^2 + a*b + b^2"),
    ("(a^3 + b^3)/(a + b)", "a^2 - a*b + b^2"),
    ("(x^4 - 1)/(x - 1)", "x^3 + x^2 + x + 1"),
    ("(x^2 - 1)/(x^2 + 3*x + 2)", "(x - 1)/(x + 2)"),
    ("1/(x - 1) - 1/(x + 1)", "2/(x^2 - 1)"),
    ("1/x + 1/y", "(x + y)/(x*y)"),
    ("1/(1 + 1/(1 + 1/x))", "(x + 1)/(2*x + 1)"),
    ("(x/y)/(z/w)", "x*w/(y*z)"),
    ("(a + b + c)^2", "a^2 + b^2 + c^2 + 2*a*b + 2*b*c + 2*a*c"),
    ("(a*d - b*c)^2 + (a*c + b*d)^2", "(a^2 + b^2)*(c^2 + d^2)"),
    ("(x + 1)^10 - (x + 1)^9*x", "(x + 1)^9"),
    ("a/(a - b) + b/(b - a)", "1"),
    ("(x - y)/(y - x)", "-1"),
    ("x^2/(x^2 + y^2) + y^2/(x^2 + y^2)", "1"),
    ("1/((a-b)*(a-c)) + 1/((b-c)*(b-a)) + 1/((c-a)*(c-b))", "0"),
    ("a^2/((a-b)*(a-c)) + b^2/((b-c)*(b-a)) + c^2/((c-a)*(c-b))", "1"),
    // Roots.
    ("sqrt(x)^2", "x"),
    ("sqrt(x^2)", "abs(x)"),
    ("sqrt(x^4)", "x^2"),
    ("sqrt(x^2 + 2*x*y + y^2)", "abs(x + y)"),
    ("sqrt(1 - sin(x)^2)", "abs(cos(x))"),
    ("(sqrt(x) + sqrt(y))*(sqrt(x) - sqrt(y))", "x - y"),
    ("1/(sqrt(x) + 1)", "(sqrt(x) - 1)/(x - 1)"),
    ("1/(sqrt(2) - 1)", "sqrt(2) + 1"),
    ("(1 + sqrt(5))^2/4", "(1 + sqrt(5))/2 + 1"),
    ("sqrt(x)*sqrt(x^3)", "x^2"),
    ("x^(1/3)*x^(2/3)", "x"),
    ("x^(1/2)*x^(1/3)", "x^(5/6)"),
    ("(x^2 + y^2)/sqrt(x^2 + y^2)", "sqrt(x^2 + y^2)"),
    ("(x^2 + 1)^(3/2)", "x^2*sqrt(x^2 + 1) + sqrt(x^2 + 1)"),
    ("1/sqrt(x)", "sqrt(x)/x"),
    ("sqrt(12)", "2*sqrt(3)"),
    ("sqrt(2)*sqrt(2)", "2"),
    ("sqrt(8) + sqrt(18)", "5*sqrt(2)"),
    ("abs(x)^2", "x^2"),
    ("abs(x*y)", "abs(x)*abs(y)"),
    ("abs(x)*abs(x)*abs(x)", "x^2*abs(x)"),
    ("abs(sin(x))^2 + cos(x)^2", "1"),
    // Exponentials and logarithms.
    ("exp(a + b)", "exp(a)*exp(b)"),
    ("exp(a - b)*exp(b)", "exp(a)"),
    ("exp(x)^2", "exp(2*x)"),
    ("exp(x/2)^2", "exp(x)"),
    ("(exp(x) + exp(-x))^2/4 - (exp(x) - exp(-x))^2/4", "1"),
    ("(exp(2*x) - 1)/(exp(x) - 1)", "exp(x) + 1"),
    ("exp(2*log(x))", "x^2"),
    ("exp(log(x)/2)", "sqrt(x)"),
    ("log(exp(x))", "x"),
    ("log(x^3)", "3*log(x)"),
    ("log(x^2)", "2*log(abs(x))"),
    ("log(sqrt(x))", "log(x)/2"),
    ("log(6)", "log(2) + log(3)"),
    ("log(2*x) - log(x)", "log(2)"),
    ("log(8)/log(2)", "3"),
    ("log(1/x)", "-log(x)"),
    ("log(x*exp(y))", "log(x) + y"),
    ("x^a*x^b", "x^(a + b)"),
    ("x^(a + 1)/x", "x^a"),
    ("(x^a)^2", "x^(2*a)"),
    ("x^(2*a) - 1", "(x^a - 1)*(x^a + 1)"),
    ("2^(x + 1)", "2*2^x"),
    ("(x + 1)^(a + 1) - (x + 1)^a", "x*(x + 1)^a"),
];

/// Different somewhere.
const DIFFERENT: &[(&str, &str)] = &[
    ("sin(x)", "cos(x)"),
    ("sin(x)^2", "1 + cos(x)^2"),
    ("sqrt(x^2)", "x"),
    ("log(x^2)", "2*log(x) + 1"),
    ("(x^2)^(1/2)", "-x"),
    ("sqrt(x^2*y)", "x*sqrt(y)"),
    ("abs(x + y)", "abs(x) + abs(y)"),
    ("(a + b)^2", "a^2 + b^2"),
    ("exp(x*y)", "exp(x)*exp(y)"),
    ("sin(2*x)", "2*sin(x)"),
    ("1/(a + b)", "1/a + 1/b"),
    ("x^a", "a^x"),
    ("tan(x + y)", "tan(x) + tan(y)"),
    ("asin(sin(x))", "x"),
    ("acos(cos(x))", "x"),
    ("floor(x)", "x"),
    ("sign(x)", "1"),
    ("abs(x)", "x"),
];

#[test]
fn identities_are_decided() {
    let mut wrong = Vec::new();
    for (left, right) in EQUAL {
        let mut p = Pool::new();
        let (a, b) = (read(&mut p, left), read(&mut p, right));
        if p.is_equal(a, b) != Some(true) || p.is_equal(b, a) != Some(true) {
            wrong.push(format!("{left} = {right}"));
        }
    }
    assert!(wrong.is_empty(), "not found equal: {wrong:#?}");
}

#[test]
fn differences_are_seen() {
    let mut wrong = Vec::new();
    for (left, right) in DIFFERENT {
        let mut p = Pool::new();
        let (a, b) = (read(&mut p, left), read(&mut p, right));
        if p.is_equal(a, b) != Some(false) {
            wrong.push(format!("{left} is not {right}"));
        }
    }
    // The sides of an identity with a term too much.
    for (left, right) in EQUAL {
        let mut p = Pool::new();
        let (a, b) = (read(&mut p, left), read(&mut p, right));
        let more = p.rational(1, 1000);
        let b = p.add(b, more);
        if p.is_equal(a, b) != Some(false) {
            wrong.push(format!("{left} is not {right} + 1/1000"));
        }
    }
    assert!(wrong.is_empty(), "not found different: {wrong:#?}");
}

#[test]
fn differences_simplify_to_zero() {
    let mut wrong = Vec::new();
    for (left, right) in EQUAL {
        let mut p = Pool::new();
        let (a, b) = (read(&mut p, left), read(&mut p, right));
        let difference = p.sub(a, b);
        let short = p.simplify(difference);
        if !p.is_zero(short) {
            wrong.push(format!("{left} - ({right}) is {}", p.text(short)));
        }
    }
    assert!(wrong.is_empty(), "not found zero: {wrong:#?}");
}

#[test]
fn what_is_not_valid_everywhere_stays() {
    for text in [
        "log(x*y)",
        "sqrt(x*y)",
        "(x^a)^b",
        "(x*y)^a",
        "asin(sin(x))",
        "acos(cos(x))",
        "atan(tan(x))",
        "log(x + y)",
        "abs(x + y)",
        "sqrt(x + y)",
        "floor(x + 1/2)",
        "sign(x*y)",
        "atan2(x, y)",
    ] {
        let mut p = Pool::new();
        let e = read(&mut p, text);
        let short = p.simplify(e);
        assert_eq!(short, e, "{text} became {}", p.text(short));
    }
}

#[test]
fn expansion_multiplies_out() {
    for (product, sum) in [
        ("(a + b)*(c + d)", "a*c + a*d + b*c + b*d"),
        ("(a + b)^3", "a^3 + 3*a^2*b + 3*a*b^2 + b^3"),
        ("x*(y + z*(u + 1))", "x*y + x*z*u + x*z"),
        ("sin(x + y)*(1 + a)", "sin(x + y) + a*sin(x + y)"),
        ("(sqrt(x) + 1)^2", "x + 2*sqrt(x) + 1"),
        ("(a + b)/c", "a/c + b/c"),
        ("(a + b)*exp(x)", "a*exp(x) + b*exp(x)"),
    ] {
        let mut p = Pool::new();
        let (a, b) = (read(&mut p, product), read(&mut p, sum));
        let expanded = p.expand(a);
        assert_eq!(expanded, b, "{product} is {}", p.text(expanded));
        assert_eq!(p.expand(b), b, "{sum} has nothing to multiply out");
    }
}

#[test]
fn collection_by_symbols() {
    let mut p = Pool::new();
    let e = read(&mut p, "a*x^2 + b*x^2 + x*sin(t)^2 + x*cos(t)^2 + c - x^2*a + d*(x + 1)");
    let x = p.symbol("x");
    let collected = p.collect(e, &[x]);
    let expected = read(&mut p, "b*x^2 + (d + 1)*x + c + d");
    assert_eq!(collected, expected, "{}", p.text(collected));
}
