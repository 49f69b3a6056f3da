//! Powers and roots, rewritten only where that is valid for all real bases.
//!
//! xᵃ is real for x ≥ 0, or for whole a. Therefore (xᵃ)ⁿ = xᵃⁿ for whole n, but (x²)^½ = |x|; (xy)ⁿ = xⁿyⁿ
//! for whole n, and √(xy) stays unless a factor is seen to be nowhere negative. Powers of numbers are in
//! [`radical`](crate::pool::radical).

use crate::number::Rational;
use crate::pool::function::Function;
use crate::pool::{Expr, Node, Pool};

impl Pool {
    /// base ^ exponent
    pub fn pow(&mut self, base: Expr, exponent: Expr) -> Expr {
        if self.is_one(base) {
            return base;
        }
        if let Some(exponent) = self.as_number(exponent).cloned() {
            return self.numeric_power(base, &exponent);
        }
        match *self.node(base) {
            Node::Call(Function::Exp, x) => {
                let product = self.mul(x, exponent);
                self.call(Function::Exp, product)
            }
            Node::Power(inner, first) if self.is_never_negative_base(inner, first) => {
                let product = self.mul(first, exponent);
                self.pow(inner, product)
            }
            _ => self.intern(Node::Power(base, exponent)),
        }
    }

    /// baseⁿ
    pub fn powi(&mut self, base: Expr, exponent: i64) -> Expr {
        self.numeric_power(base, &Rational::from(exponent))
    }

    /// √x
    pub fn sqrt(&mut self, x: Expr) -> Expr {
        self.numeric_power(x, &Rational::new(1, 2))
    }

    fn numeric_power(&mut self, base: Expr, exponent: &Rational) -> Expr {
        if exponent.is_zero() {
            return self.one();
        }
        if exponent.is_one() {
            return base;
        }
        match self.node(base) {
            Node::Number(number) => {
                let number = number.clone();
                self.number_power(&number, exponent)
            }
            &Node::Power(inner, first) => self.power_of_power(base, inner, first, exponent),
            Node::Product(factors) if exponent.is_integer() => {
                let factors = factors.clone();
                let powers: Vec<Expr> =
                    factors.iter().map(|&factor| self.numeric_power(factor, exponent)).collect();
                self.product(&powers)
            }
            Node::Product(factors) => {
                let factors = factors.clone();
                self.root_of_product(base, &factors, exponent)
            }
            Node::Sum { .. } => self.power_of_sum(base, exponent),
            &Node::Call(Function::Exp, x) => {
                let x = self.scale(exponent, x);
                self.call(Function::Exp, x)
            }
            &Node::Call(Function::Abs, x) if exponent.is_even() => self.numeric_power(x, exponent),
            _ => self.raised(base, exponent),
        }
    }

    pub(crate) fn raised(&mut self, base: Expr, exponent: &Rational) -> Expr {
        let exponent = self.number(exponent.clone());
        self.intern(Node::Power(base, exponent))
    }

    /// Returns `true` if innerᶠⁱʳˢᵗ exists only where `inner` is not negative.
    fn is_never_negative_base(&self, inner: Expr, first: Expr) -> bool {
        self.as_number(first).is_some_and(|it| !it.is_integer()) || self.never_negative(inner)
    }

    fn power_of_power(&mut self, base: Expr, inner: Expr, first: Expr, exponent: &Rational) -> Expr {
        let Some(number) = self.as_number(first).cloned() else {
            return match exponent.is_integer() || self.is_never_negative_base(inner, first) {
                true => {
                    let product = self.scale(exponent, first);
                    self.pow(inner, product)
                }
                false => self.raised(base, exponent),
            };
        };
        let product = &number * exponent;
        if !exponent.is_integer() && number.is_even() && !product.is_even() {
            let magnitude = self.call(Function::Abs, inner);
            return self.numeric_power(magnitude, &product);
        }
        // A number whose power was too large to be computed.
        if let Some(number) = self.as_number(inner).cloned() {
            return self.number_power(&number, &product);
        }
        self.numeric_power(inner, &product)
    }

    /// Takes factors that are nowhere negative out of a root. The rest keeps its sign.
    fn root_of_product(&mut self, base: Expr, factors: &[Expr], exponent: &Rational) -> Expr {
        let (outside, inside): (Vec<Expr>, Vec<Expr>) =
            factors.iter().partition(|&&factor| self.never_negative(factor));
        if outside.is_empty() {
            return self.raised(base, exponent);
        }
        let mut powers: Vec<Expr> =
            outside.into_iter().map(|factor| self.numeric_power(factor, exponent)).collect();
        let inside = self.product(&inside);
        powers.push(self.numeric_power(inside, exponent));
        self.product(&powers)
    }

    /// Takes the number that all terms share out of the power: with its sign for whole exponents, without it
    /// for others.
    fn power_of_sum(&mut self, base: Expr, exponent: &Rational) -> Expr {
        let (content, primitive) = self.content(base);
        let (content, primitive) = match exponent.is_integer() || content.is_positive() {
            true => (content, primitive),
            false => (content.abs(), self.neg(primitive)),
        };
        if content.is_one() {
            return self.raised(primitive, exponent);
        }
        let number = self.number_power(&content, exponent);
        // A term with a coefficient is not a sum any more.
        let power = self.numeric_power(primitive, exponent);
        self.product(&[number, power])
    }
}
