//! Formulas from text: what they are, and what is said of those that cannot be.

use gedanken_lang::symbolic::expression;
use gedanken_symbolic::{Function, Pool};

fn is(text: &str, printed: &str) {
    let mut pool = Pool::new();
    let expr = expression(&mut pool, text).unwrap_or_else(|e| panic!("{text}: {e:?}"));
    assert_eq!(pool.text(expr), printed, "{text}");
}

fn codes(text: &str) -> Vec<&'static str> {
    let diagnostics = expression(&mut Pool::new(), text).unwrap_err();
    diagnostics.iter().map(|diagnostic| diagnostic.code.as_str()).collect()
}

#[test]
fn natives_and_symbols() {
    is("sine(pi / 6)", "1/2");
    is("x + x", "2*x");
    is("sqrt(x^2)", "abs(x)");
    is("x^0.5", "sqrt(x)");
    is("norm([3*x, 4*x])", "5*abs(x)");
    is("[1, 2] . [a, b]", "a + 2*b");
    is("([0, 0, 1] * [x, y, 0]) # 1", "-y");
    is("sum({a, b, a})", "2*a + b");
    is("{a, b, c} # (1 + 1)", "b");
    is("if 1 < 2 then a else b", "a");
    is("VFLangNative.sign(x)", "sign(x)");
    is("normalize([x, y]) # 1", "x/sqrt(x^2 + y^2)");
    is("(squareMatrixInverse([[a, b], [c, d]]) * [1, 0]) # 1", "d/(a*d - b*c)");
    is("determinant([[a, 1], [1, b]])", "a*b - 1");
    // What always fails has no formula; what has no value as a number is kept where it may never be looked
    // at.
    is("if x > 0 then [x, y] # 1 else [x, y] # (sign(5) + 2)", "x");
    is("if x > 0 then sqrt(x) else log(-1)", "if 0 < x then sqrt(x) else log(-1)");
}

#[test]
fn natives_stay_what_they_are() {
    let mut pool = Pool::new();
    let (x, sign) = (pool.symbol("x"), expression(&mut pool, "sign(x)").unwrap());
    assert_eq!(sign, pool.call(Function::Sign, x));
    let pi = expression(&mut pool, "pi").unwrap();
    assert_eq!(pi, pool.pi());
    // A symbol may be called like a native that needs arguments.
    let length = expression(&mut pool, "length").unwrap();
    assert_eq!(length, pool.symbol("length"));
}

#[test]
fn a_condition_of_a_formula() {
    let mut pool = Pool::new();
    let expr = expression(&mut pool, "if 0 < x & x <= l | !(y == 2) then x else -x").unwrap();
    let printed = pool.text(expr);
    assert_eq!(expression(&mut pool, &printed), Ok(expr), "{printed}");
}

#[test]
fn what_cannot_be_says_why() {
    for (text, code) in [
        ("", "E107"),
        ("x +", "E107"),
        ("x x", "E109"),
        ("f(x)", "E201"),
        ("sine(x, y)", "E202"),
        ("1 / 0", "E501"),
        ("x / (1 - 1)", "E501"),
        ("sqrt(-2)", "E502"),
        ("(-2)^0.5", "E503"),
        ("log(0)", "E504"),
        ("inverseSine(2)", "E506"),
        ("[1, 2] # 3", "E301"),
        ("[1, 2] # (sign(5) + 2)", "E507"),
        ("squareMatrixInverse([[1, 2], [2, 4]]) # 1 # 1", "E508"),
        ("head({})", "E509"),
        ("[x, y]", "E510"),
        ("x < y", "E510"),
        ("identityMatrix(x) # 1 # 1", "E510"),
        ("x + [1]", "E301"),
        ("1e99999", "E102"),
    ] {
        let codes = codes(text);
        assert!(codes.contains(&code), "{text}: {codes:?}");
    }
}

/// Powers of powers of powers: refused, not computed.
#[test]
fn nothing_takes_for_ever() {
    for text in [
        "((((10^200)^20)^20)^20)^20",
        "2^0.123456789",
        "(2 * x)^1000000000",
        "(((1 + x)^99999)^99999)^99999",
        "9999999999^(1/999999999)",
        "10^1e300",
        "mod(1e300, 1e-300)",
        "determinant([[a,b,c,d,e],[b,c,d,e,a],[c,d,e,a,b],[d,e,a,b,c],[e,a,b,c,d]])",
    ] {
        let _ = expression(&mut Pool::new(), text);
    }
}
