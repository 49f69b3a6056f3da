//! The text of expressions: as people write, and read back the same.

use super::constructors::many;
use crate::reader::read;
use gedanken_symbolic::{Pool, Rational};
use num_bigint::BigInt;
use proptest::prelude::*;

/// Each is written as it was read, whatever the order in which its parts were made.
#[test]
fn people_would_write_so() {
    let written = [
        "m*l^2*theta_dot_dot + m*g*l*sine(theta)",
        "m*l^2*theta_dot^2/2 + m*g*l*cosine(theta)",
        "theta_dot_dot + g*sine(theta)/l",
        "l1*(m1 + m2)*theta1_dot_dot + m2*l2*theta2_dot_dot*cosine(theta1 - theta2) \
         + m2*l2*theta2_dot^2*sine(theta1 - theta2) + g*(m1 + m2)*sine(theta1)",
        "l2*theta2_dot_dot + l1*theta1_dot_dot*cosine(theta1 - theta2) \
         - l1*theta1_dot^2*sine(theta1 - theta2) + g*sine(theta2)",
        "(M + m)*x_dot_dot + m*l*theta_dot_dot*cosine(theta) - m*l*theta_dot^2*sine(theta)",
        "m*(l + x)^2*theta_dot^2/2",
        "G*M*m/r",
        "3*g/(2*l)",
        "sqrt(g/l)",
        "2*pi*sqrt(l/g)",
        "1/2",
        "-1/2",
        "9.81*m",
        "-x",
        "x - y",
        "-x - y",
        "k*(r - l)",
        "-k*(l + r)",
        "k*(r - l) - m*g",
        "m*g - k*(l - r)",
        "-k*(a + b - c)",
        "c*(x2_dot - x1_dot) + k*(x2 - 2*x1)",
        "2*k*(1 - x)/3",
        "(y - x)*(y + z)",
        "-k*(l - r)^2",
        "x^(k*(a - b))",
        "x^2 + x + 1",
        "1 - x^2",
        "x*(x + 1)",
        "(x + y)^2",
        "1/(x + y)",
        "1/sqrt(x^2 + y^2)",
        "x/(2*y^2*(y + 1)^3)",
        "x^(k - 2*n)",
        "1/x^(2*n)",
        "x^(y^2)",
        "(x^y)^z",
        "2^x",
        "(1/2)^x",
        "(-2)^x",
        "x^(3/2)",
        "exp(-x)",
        "atan2(y, x)",
        "min(x, y) + max(x, y) + mod(x, 2)",
        "sqrt(6)*x",
        "abs(x)/x",
        "if x < 0 then -x else x^2",
        "2*(if x < 0 & 0 < y | x == y then (if x < 0 & y < 0 then 1 else 2) else if x <= 1 then 3 else 4)",
        "if !(x < 0 & y < 0) | x <= y then 1 else 2",
        "6.674e-11*m",
        "3e8*x",
        "0.1*x",
        "x/5",
        "x/3 + 0.01",
    ];
    for text in written {
        let mut pool = Pool::new();
        let expr = read(&mut pool, text);
        assert_eq!(pool.text(expr), text);
        let again = read(&mut pool, text);
        assert_eq!(again, expr, "{text}");
    }
}

/// Longer rows than a reader takes in one go are written in groups.
#[test]
fn long_rows_are_grouped() {
    for (operator, count) in
        [("+", 128), ("+", 129), ("+", 1000), ("-", 20_000), ("*", 128), ("*", 300), ("/", 300)]
    {
        let mut pool = Pool::new();
        let symbols: Vec<_> = (0..count).map(|place| pool.symbol(&format!("x{place}"))).collect();
        let expr = match operator {
            "+" => pool.sum(&symbols),
            "-" => {
                let sum = pool.sum(&symbols);
                pool.neg(sum)
            }
            _ => {
                let product = pool.product(&symbols);
                let exponent = if operator == "/" { -2 } else { 1 };
                pool.powi(product, exponent)
            }
        };
        let text = pool.text(expr);
        assert_eq!(read(&mut pool, &text), expr);
        let row = |part: &str| part.matches([' ', '*']).count();
        assert!(text.split(['(', ')']).all(|part| row(part) <= 2 * 128), "{operator}");
    }
}

/// Whole numbers of up to some hundred digits, some with many zeros at the end.
fn whole() -> impl Strategy<Value = Rational> {
    let digits =
        prop_oneof![9 => "[0-9]{1,19}", 5 => "[0-9]{1,100}", 1 => "[0-9]{700}", 5 => "[1-9]{1,15}0{1,100}"];
    digits.prop_map(|digits| Rational::from(digits.parse::<BigInt>().expect("digits are a number")))
}

proptest! {
    #![proptest_config(many(1))]

    /// Alone, as a coefficient, as a base and as an exponent.
    #[test]
    fn numbers_are_read_back(above in whole(), below in whole(), real in any::<f64>(), decimals in 0..1_000_000_i64, places in 0..12_i64) {
        let ratio = if below.is_zero() { above.clone() } else { &above / &below };
        let decimal = &Rational::from(decimals) * &Rational::from(10).power(-places).unwrap();
        let real = Rational::from_decimal(real).unwrap_or_else(Rational::zero);
        for number in [above, ratio, decimal, real] {
            for number in [-&number, number] {
                let mut pool = Pool::new();
                let x = pool.symbol("x");
                let n = pool.number(number);
                let exprs = [n, pool.mul(n, x), pool.pow(n, x), pool.pow(x, n), pool.add(x, n), pool.sqrt(n)];
                for expr in exprs {
                    let text = pool.text(expr);
                    prop_assert_eq!(read(&mut pool, &text), expr, "{}", text);
                }
            }
        }
    }

    /// Products of roots of numbers.
    #[test]
    fn roots_are_read_back(parts in proptest::collection::vec((1..3_000_000_i64, 1..2000_i64, -7..7_i64, 1..5_i64), 1..5)) {
        let mut pool = Pool::new();
        let mut expected = 0.0;
        let mut product = pool.one();
        for (above, below, p, q) in parts {
            let (number, exponent) = (pool.rational(above, below), pool.rational(p, q));
            let power = pool.pow(number, exponent);
            product = pool.mul(product, power);
            expected += libm::log(above as f64 / below as f64) * p as f64 / q as f64;
        }
        let text = pool.text(product);
        prop_assert_eq!(read(&mut pool, &text), product, "{}", text);
        let found = libm::log(pool.evaluate(product, &|_| f64::NAN));
        prop_assert!((found - expected).abs() < 1e-9 * (1.0 + expected.abs()), "{} {} {}", text, found, expected);
    }
}
