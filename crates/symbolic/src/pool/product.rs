//! Products: equal bases collected, numbers in front, in canonical order.

use crate::number::Rational;
use crate::pool::function::Function;
use crate::pool::{Expr, Node, Pool};

/// A product under construction.
#[derive(Debug)]
struct Gathered {
    coefficient: Rational,
    powers: Vec<Power>,
    /// Exponents of all factors eˣ.
    exponents: Vec<Expr>,
}

/// A factor that is neither number nor product nor a power of e.
#[derive(Clone, Copy, Debug)]
struct Power {
    base: Expr,
    /// Exponent, if it is not 1.
    exponent: Option<Expr>,
    /// The factor itself.
    whole: Expr,
}

impl Pool {
    /// Returns the product of these factors.
    pub fn product(&mut self, factors: &[Expr]) -> Expr {
        let mut gathered = Gathered {
            coefficient: Rational::one(),
            powers: Vec::with_capacity(factors.len()),
            exponents: Vec::new(),
        };
        for &factor in factors {
            self.gather(&mut gathered, factor);
        }
        // Powers that meet become one, or something of smaller bases, so this ends.
        while self.meet(&mut gathered) {}
        let Gathered { coefficient, powers, exponents } = gathered;
        if let Some(undefined) = self.undefined
            && powers.iter().any(|power| power.whole == undefined)
        {
            return undefined;
        }
        if coefficient.is_zero() {
            return self.zero();
        }
        let mut found: Vec<Expr> = powers.into_iter().map(|power| power.whole).collect();
        for exponent in exponents {
            found.push(self.call(Function::Exp, exponent));
        }
        found.sort_by(|a, b| self.order(*a, *b));
        let product = match found.as_slice() {
            [] => return self.number(coefficient),
            [factor] => *factor,
            _ => self.intern(Node::Product(found.into())),
        };
        self.scale(&coefficient, product)
    }

    /// Multiplies factors of equal bases. Returns `true` if there were any.
    fn meet(&mut self, gathered: &mut Gathered) -> bool {
        let mut met = false;
        if gathered.exponents.len() > 1 {
            let exponent = self.sum(&gathered.exponents);
            gathered.exponents.clear();
            let power = self.call(Function::Exp, exponent);
            self.gather(gathered, power);
            met = true;
        }
        let powers = &mut gathered.powers;
        powers.sort_unstable_by_key(|power| power.base.0);
        if powers.is_sorted_by(|a, b| a.base.0 < b.base.0) {
            return met;
        }
        let powers = std::mem::take(powers);
        for run in powers.chunk_by(|a, b| a.base == b.base) {
            if let [alone] = run {
                gathered.powers.push(*alone);
                continue;
            }
            let exponents: Vec<Expr> =
                run.iter().map(|power| power.exponent.unwrap_or_else(|| self.one())).collect();
            let exponent = self.sum(&exponents);
            let power = self.pow(run[0].base, exponent);
            self.gather(gathered, power);
        }
        true
    }

    fn gather(&mut self, gathered: &mut Gathered, factor: Expr) {
        match self.node(factor) {
            Node::Number(number) => gathered.coefficient = &gathered.coefficient * number,
            Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
                let (term, coefficient) = &terms[0];
                gathered.coefficient = &gathered.coefficient * coefficient;
                let term = *term;
                self.gather(gathered, term);
            }
            Node::Sum { .. } => {
                let (content, primitive) = self.content(factor);
                gathered.coefficient = &gathered.coefficient * &content;
                gathered.powers.push(Power { base: primitive, exponent: None, whole: primitive });
            }
            Node::Product(factors) => {
                // A product holds no numbers, sums of a number in common, or products.
                for &whole in factors {
                    match self.node(whole) {
                        &Node::Call(Function::Exp, exponent) => gathered.exponents.push(exponent),
                        _ => gathered.powers.push(self.as_power(whole)),
                    }
                }
            }
            &Node::Call(Function::Exp, exponent) => gathered.exponents.push(exponent),
            _ => gathered.powers.push(self.as_power(factor)),
        }
    }

    fn as_power(&self, whole: Expr) -> Power {
        match *self.node(whole) {
            Node::Power(base, exponent) => Power { base, exponent: Some(exponent), whole },
            _ => Power { base: whole, exponent: None, whole },
        }
    }

    /// a b
    pub fn mul(&mut self, a: Expr, b: Expr) -> Expr {
        self.product(&[a, b])
    }

    /// a / b
    pub fn div(&mut self, a: Expr, b: Expr) -> Expr {
        let inverse = self.powi(b, -1);
        self.mul(a, inverse)
    }
}
