//! Formulas as people write them, for tests: a reader for the four operations, powers and functions.

use gedanken_symbolic::{Expr, Function, Function2, Pool};

/// Reads `2*m*l^2*cosine(theta1 - theta2)`; a name that is no function is a symbol, `pi` is π.
pub(crate) fn read(pool: &mut Pool, text: &str) -> Expr {
    let mut parser = Parser { pool, text: text.as_bytes(), at: 0 };
    let expr = parser.sum();
    parser.blank();
    assert_eq!(parser.at, text.len(), "all of {text:?} is a formula");
    expr
}

struct Parser<'a> {
    pool: &'a mut Pool,
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    fn blank(&mut self) {
        while self.text.get(self.at).is_some_and(u8::is_ascii_whitespace) {
            self.at += 1;
        }
    }

    fn takes(&mut self, symbol: u8) -> bool {
        self.blank();
        let found = self.text.get(self.at) == Some(&symbol);
        self.at += usize::from(found);
        found
    }

    fn sum(&mut self) -> Expr {
        let mut sum = self.product();
        loop {
            if self.takes(b'+') {
                let term = self.product();
                sum = self.pool.add(sum, term);
            } else if self.takes(b'-') {
                let term = self.product();
                sum = self.pool.sub(sum, term);
            } else {
                return sum;
            }
        }
    }

    fn product(&mut self) -> Expr {
        if self.takes(b'-') {
            let rest = self.product();
            return self.pool.neg(rest);
        }
        let mut product = self.power();
        loop {
            if self.takes(b'*') {
                let factor = self.power();
                product = self.pool.mul(product, factor);
            } else if self.takes(b'/') {
                let divisor = self.power();
                product = self.pool.div(product, divisor);
            } else {
                return product;
            }
        }
    }

    fn power(&mut self) -> Expr {
        let base = self.atom();
        if self.takes(b'^') {
            let exponent = if self.takes(b'-') {
                let it = self.power();
                self.pool.neg(it)
            } else {
                self.power()
            };
            return self.pool.pow(base, exponent);
        }
        base
    }

    fn atom(&mut self) -> Expr {
        if self.takes(b'(') {
            let inner = self.sum();
            assert!(self.takes(b')'), "brackets are closed");
            return inner;
        }
        let start = self.at;
        while self.text.get(self.at).is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_') {
            self.at += 1;
        }
        let word = std::str::from_utf8(&self.text[start..self.at]).expect("a formula is text");
        assert!(!word.is_empty(), "a name or a number at {start} of {:?}", std::str::from_utf8(self.text));
        if let Ok(number) = word.parse::<i64>() {
            return self.pool.integer(number);
        }
        if self.takes(b'(') {
            let x = self.sum();
            let value = match (word, function(word)) {
                (_, Some(function)) => self.pool.call(function, x),
                ("sqrt", None) => self.pool.sqrt(x),
                ("atan2", None) => {
                    assert!(self.takes(b','), "two arguments");
                    let y = self.sum();
                    self.pool.call2(Function2::Atan2, x, y)
                }
                _ => panic!("{word} is no function"),
            };
            assert!(self.takes(b')'), "brackets are closed");
            return value;
        }
        if word == "pi" { self.pool.pi() } else { self.pool.symbol(word) }
    }
}

fn function(word: &str) -> Option<Function> {
    Some(match word {
        "sine" | "sin" => Function::Sin,
        "cosine" | "cos" => Function::Cos,
        "tan" => Function::Tan,
        "asin" => Function::Asin,
        "acos" => Function::Acos,
        "atan" => Function::Atan,
        "exp" => Function::Exp,
        "log" => Function::Log,
        "abs" => Function::Abs,
        "sign" => Function::Sign,
        "floor" => Function::Floor,
        "ceil" => Function::Ceil,
        "round" => Function::Round,
        _ => return None,
    })
}
