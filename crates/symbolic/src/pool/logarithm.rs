//! Logarithms taken apart as far as that is valid for all real arguments.
//!
//! log(xⁿ) is n log x for odd n and n log|x| for even n, log(2x) is log 2 + log x, log(x²y) is 2 log|x| + log
//! y; log(xy) stays.

use crate::number::Rational;
use crate::pool::function::Function;
use crate::pool::{Expr, Node, Pool};
use num_bigint::BigInt;
use num_integer::Integer;
use num_traits::{One, ToPrimitive};

/// Maximum prime factor that is looked for.
const MAX_FACTOR: i64 = 1000;

impl Pool {
    /// Returns log x as a sum of coefficients times logarithms or other terms. An x that cannot be taken
    /// apart gives one term.
    pub(crate) fn logarithm_terms(&mut self, x: Expr) -> Vec<(Expr, Rational)> {
        match self.node(x).clone() {
            Node::Number(number) if number.is_positive() => self.number_logarithm(&number),
            Node::Sum { constant, terms }
                if constant.is_zero() && terms.len() == 1 && terms[0].1.is_positive() =>
            {
                let mut found = self.number_logarithm(&terms[0].1);
                found.extend(self.logarithm_terms(terms[0].0));
                found
            }
            Node::Power(base, exponent) => match self.as_number(exponent).cloned() {
                Some(number) => {
                    let base = if number.is_even() { self.call(Function::Abs, base) } else { base };
                    let parts = self.logarithm_terms(base);
                    parts.into_iter().map(|(term, coefficient)| (term, &coefficient * &number)).collect()
                }
                None => self.one_logarithm(x),
            },
            Node::Product(factors) => {
                let (sure, open): (Vec<Expr>, Vec<Expr>) =
                    factors.iter().partition(|&&factor| self.is_never_negative(factor));
                if sure.is_empty() {
                    return self.one_logarithm(x);
                }
                let mut found = Vec::new();
                for factor in sure {
                    found.extend(self.logarithm_terms(factor));
                }
                let rest = self.product(&open);
                if !self.is_one(rest) {
                    found.extend(self.one_logarithm(rest));
                }
                found
            }
            _ => self.one_logarithm(x),
        }
    }

    fn one_logarithm(&mut self, x: Expr) -> Vec<(Expr, Rational)> {
        vec![(self.call(Function::Log, x), Rational::one())]
    }

    /// Returns `true` if it is negative for no real arguments for which it is defined.
    fn is_never_negative(&self, expr: Expr) -> bool {
        match self.node(expr) {
            Node::Number(number) => !number.is_negative(),
            Node::Call(Function::Exp | Function::Abs, _) | Node::Pi => true,
            &Node::Power(_, exponent) => {
                self.as_number(exponent).is_some_and(|it| it.is_even() || !it.is_integer())
            }
            _ => false,
        }
    }

    /// Returns the logarithm of a positive number, by its small prime factors.
    fn number_logarithm(&mut self, number: &Rational) -> Vec<(Expr, Rational)> {
        let mut found = Vec::new();
        for (mut rest, sign) in [(number.numerator().clone(), 1), (number.denominator().clone(), -1)] {
            let mut times = Vec::new();
            for factor in 2..MAX_FACTOR {
                let divisor = BigInt::from(factor);
                if rest.is_one() || &divisor * &divisor > rest {
                    break;
                }
                let mut count = 0;
                while rest.is_multiple_of(&divisor) {
                    rest /= &divisor;
                    count += 1;
                }
                times.push((factor, count));
            }
            for (factor, count) in times {
                if count > 0 {
                    let factor = self.integer(factor);
                    found.push((self.call(Function::Log, factor), Rational::from(sign * count)));
                }
            }
            if !rest.is_one() {
                let rest = match rest.to_i64() {
                    Some(small) => self.integer(small),
                    None => self.number(Rational::from(rest)),
                };
                found.push((self.call(Function::Log, rest), Rational::from(sign)));
            }
        }
        found
    }
}
