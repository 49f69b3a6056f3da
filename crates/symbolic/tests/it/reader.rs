//! A small reader of the language's expressions, written apart from the writer: precedence climbing over
//! bytes.

use gedanken_symbolic::{Comparison, Expr, Function, Function2, Pool, Rational, Truth};

/// The expression that a text means, by the constructors of the pool.
pub(crate) fn read(pool: &mut Pool, text: &str) -> Expr {
    let mut reader = Reader { pool, rest: text };
    let value = reader.level(1);
    assert!(reader.rest.trim().is_empty(), "`{}` is left of `{text}`", reader.rest);
    value.real()
}

/// The condition that a text means.
pub(crate) fn read_truth(pool: &mut Pool, text: &str) -> Truth {
    let mut reader = Reader { pool, rest: text };
    let value = reader.level(1);
    assert!(reader.rest.trim().is_empty(), "`{}` is left of `{text}`", reader.rest);
    value.truth()
}

#[derive(Clone, Copy, Debug)]
enum Value {
    Real(Expr),
    Truth(Truth),
}

impl Value {
    fn real(self) -> Expr {
        match self {
            Self::Real(real) => real,
            Self::Truth(_) => panic!("a condition where a number belongs"),
        }
    }

    fn truth(self) -> Truth {
        match self {
            Self::Truth(truth) => truth,
            Self::Real(_) => panic!("a number where a condition belongs"),
        }
    }
}

/// Signs of two operands, longer ones first, with their level.
const OPERATORS: [(&str, u8); 13] = [
    ("==", 4),
    ("!=", 4),
    ("<=", 4),
    (">=", 4),
    ("|", 2),
    ("&", 3),
    ("<", 4),
    (">", 4),
    ("+", 6),
    ("-", 6),
    ("*", 7),
    ("/", 7),
    ("^", 9),
];

struct Reader<'p, 't> {
    pool: &'p mut Pool,
    rest: &'t str,
}

impl<'t> Reader<'_, 't> {
    fn eat(&mut self, sign: &str) -> bool {
        self.rest = self.rest.trim_start();
        match self.rest.strip_prefix(sign) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, sign: &str) {
        assert!(self.eat(sign), "`{sign}` expected before `{}`", self.rest);
    }

    fn word(&mut self) -> &'t str {
        self.rest = self.rest.trim_start();
        let end = self.rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn level(&mut self, least: u8) -> Value {
        let mut left = self.prefix();
        loop {
            self.rest = self.rest.trim_start();
            let Some(&(sign, level)) = OPERATORS.iter().find(|(sign, _)| self.rest.starts_with(sign)) else {
                return left;
            };
            if level < least {
                return left;
            }
            self.expect(sign);
            let right = self.level(if level == 9 { 9 } else { level + 1 });
            left = self.binary(sign, left, right);
        }
    }

    fn binary(&mut self, sign: &str, left: Value, right: Value) -> Value {
        let p = &mut *self.pool;
        let mut compare = |comparison, x: Value, y: Value| p.compare(comparison, x.real(), y.real());
        Value::Truth(match sign {
            "==" => compare(Comparison::Eq, left, right),
            "!=" => compare(Comparison::Ne, left, right),
            "<" => compare(Comparison::Lt, left, right),
            "<=" => compare(Comparison::Le, left, right),
            ">" => compare(Comparison::Lt, right, left),
            ">=" => compare(Comparison::Le, right, left),
            "&" => p.both(left.truth(), right.truth()),
            "|" => p.either(left.truth(), right.truth()),
            _ => {
                let (x, y) = (left.real(), right.real());
                return Value::Real(match sign {
                    "+" => p.add(x, y),
                    "-" => p.sub(x, y),
                    "*" => p.mul(x, y),
                    "/" => p.div(x, y),
                    _ => p.pow(x, y),
                });
            }
        })
    }

    fn prefix(&mut self) -> Value {
        if self.eat("-") {
            let x = self.level(9).real();
            return Value::Real(self.pool.neg(x));
        }
        if self.eat("!") {
            let x = self.level(9).truth();
            return Value::Truth(self.pool.not(x));
        }
        if self.eat("(") {
            let inner = self.level(1);
            self.expect(")");
            return inner;
        }
        self.rest = self.rest.trim_start();
        if self.rest.starts_with(|c: char| c.is_ascii_digit()) { self.number() } else { self.named() }
    }

    fn number(&mut self) -> Value {
        let bytes = self.rest.as_bytes();
        let digits =
            |from: usize| from + bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = digits(0);
        if bytes.get(end) == Some(&b'.') {
            assert!(digits(end + 1) > end + 1, "digits follow a point: {}", self.rest);
            end = digits(end + 1);
        }
        if bytes.get(end) == Some(&b'e') {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            end = digits(end + 1 + sign);
        }
        let (text, rest) = self.rest.split_at(end);
        self.rest = rest;
        let real: f64 = text.parse().expect("what has been cut out is a number");
        let number = Rational::from_decimal(real).expect("literals are finite");
        Value::Real(self.pool.number(number))
    }

    fn named(&mut self) -> Value {
        let name = self.word();
        match name {
            "" => panic!("a value expected before `{}`", self.rest),
            "true" | "false" => return Value::Truth(self.pool.truth(name == "true")),
            "pi" => return Value::Real(self.pool.pi()),
            "if" => {
                let condition = self.level(1).truth();
                assert_eq!(self.word(), "then");
                let then = self.level(1).real();
                assert_eq!(self.word(), "else");
                let otherwise = self.level(1).real();
                return Value::Real(self.pool.choice(condition, then, otherwise));
            }
            _ => {}
        }
        if !self.rest.starts_with('(') {
            return Value::Real(self.pool.symbol(name));
        }
        self.expect("(");
        let x = self.level(1).real();
        let y = self.eat(",").then(|| self.level(1).real());
        self.expect(")");
        Value::Real(match y {
            None if name == "sqrt" => self.pool.sqrt(x),
            None => {
                let function = Function::ALL
                    .into_iter()
                    .find(|function| function.name() == in_full(name))
                    .expect("only functions that exist are called");
                self.pool.call(function, x)
            }
            Some(y) => {
                let function = Function2::ALL
                    .into_iter()
                    .find(|function| function.name() == name)
                    .expect("only functions that exist are called");
                self.pool.call2(function, x, y)
            }
        })
    }
}

/// Name of a function in the language, given that or the short name of mathematics.
fn in_full(name: &str) -> &str {
    match name {
        "sin" => "sine",
        "cos" => "cosine",
        "tan" => "tangent",
        "asin" => "inverseSine",
        "acos" => "inverseCosine",
        "atan" => "inverseTangent",
        other => other,
    }
}
