//! Sums and products: one division for each denominator, powers as products and roots.

use super::{Item, Writer};
use crate::arithmetic::{Arithmetic, Binary, Unary, integer_power};
use crate::ir::NodeId;
use crate::symbolic::NotSymbolic;
use gedanken_symbolic::{Expr, Node, Rational};

/// Whole powers up to this are products.
const LARGEST_PRODUCT: u64 = 64;

/// A base and a positive exponent.
type Raised = (Expr, Rational);

/// coefficient · above / below.
pub(super) struct Term {
    coefficient: Rational,
    above: Vec<Raised>,
    below: Vec<Raised>,
}

impl Writer<'_> {
    /// Collects what a product needs.
    pub(super) fn factors_of(&self, term: Expr, needs: &mut Vec<Item>) {
        let term = self.term(term, Rational::one());
        needs.extend(term.above.iter().chain(&term.below).map(|(base, _)| Item::Real(*base)));
    }

    /// An expression as a coefficient and factors above and below a line.
    pub(super) fn term(&self, expr: Expr, coefficient: Rational) -> Term {
        let mut term = Term { coefficient, above: Vec::new(), below: Vec::new() };
        let alone = [expr];
        let factors: &[Expr] = match self.pool.node(expr) {
            Node::Product(factors) => factors,
            _ => &alone,
        };
        for &factor in factors {
            match self.pool.node(factor) {
                &Node::Power(base, exponent) => match self.pool.as_number(exponent) {
                    Some(exponent) if exponent.is_negative() && is_cheap(exponent) => {
                        term.below.push((base, exponent.abs()));
                    }
                    Some(exponent) => term.above.push((base, exponent.clone())),
                    None => term.above.push((factor, Rational::one())),
                },
                _ => term.above.push((factor, Rational::one())),
            }
        }
        term
    }

    /// xⁿ for positive n, and for other n if they are not cheap.
    fn raised(&mut self, (base, exponent): &Raised) -> Result<NodeId, NotSymbolic> {
        let base = self.known(*base);
        if !is_cheap(exponent) {
            let exponent = self.number(exponent)?;
            return Ok(self.builder.binary(Binary::Pow, base, exponent));
        }
        let whole = exponent.floor();
        let root = (whole != *exponent).then(|| self.builder.unary(Unary::Sqrt, base));
        let whole = whole.to_i64().and_then(|it| i32::try_from(it).ok()).unwrap_or(0);
        let power = (whole > 0).then(|| integer_power(&mut self.builder, base, whole));
        Ok(match (power, root) {
            (Some(power), Some(root)) => self.builder.binary(Binary::Mul, power, root),
            (Some(only), None) | (None, Some(only)) => only,
            (None, None) => self.builder.real(1.0),
        })
    }

    fn all_of(&mut self, factors: &[Raised]) -> Result<Option<NodeId>, NotSymbolic> {
        let mut product = None;
        for factor in factors {
            let factor = self.raised(factor)?;
            product = Some(match product {
                None => factor,
                Some(product) => self.builder.binary(Binary::Mul, product, factor),
            });
        }
        Ok(product)
    }

    /// Writes what is above the line of a term, without its sign: the factors first, which other terms may
    /// have too, then the number.
    fn above(&mut self, term: &Term) -> Result<NodeId, NotSymbolic> {
        let coefficient = term.coefficient.abs();
        Ok(match self.all_of(&term.above)? {
            Some(product) if coefficient.is_one() => product,
            Some(product) => {
                let coefficient = self.number(&coefficient)?;
                self.builder.binary(Binary::Mul, coefficient, product)
            }
            None => self.number(&coefficient)?,
        })
    }

    /// The product without its sign.
    pub(super) fn product(&mut self, term: &Term) -> Result<NodeId, NotSymbolic> {
        let above = self.above(term)?;
        Ok(match self.all_of(&term.below)? {
            Some(below) => self.builder.binary(Binary::Div, above, below),
            None => above,
        })
    }

    /// Σ terms + constant.
    pub(super) fn sum(&mut self, terms: Vec<Term>, constant: &Rational) -> Result<NodeId, NotSymbolic> {
        let mut addends: Vec<(bool, NodeId)> = Vec::with_capacity(terms.len() + 1);
        let mut left = terms;
        while let Some(below) = left.first().map(|term| term.below.clone()) {
            let (alike, others): (Vec<Term>, Vec<Term>) =
                left.into_iter().partition(|term| term.below == below);
            left = others;
            if below.is_empty() || alike.len() == 1 {
                for term in &alike {
                    addends.push((term.coefficient.is_negative(), self.product(term)?));
                }
                continue;
            }
            let mut above = Vec::with_capacity(alike.len());
            for term in &alike {
                above.push((term.coefficient.is_negative(), self.above(term)?));
            }
            let above = self.added(&above);
            let below = self.all_of(&below)?;
            let quotient = below.map_or(above, |below| self.builder.binary(Binary::Div, above, below));
            addends.push((false, quotient));
        }
        if !constant.is_zero() {
            addends.push((constant.is_negative(), self.number(&constant.abs())?));
        }
        Ok(self.added(&addends))
    }

    /// Their sum; what is negative is subtracted.
    fn added(&mut self, addends: &[(bool, NodeId)]) -> NodeId {
        let first = addends.iter().position(|(negative, _)| !negative).unwrap_or(0);
        let Some(&(negative, start)) = addends.get(first) else { return self.builder.real(0.0) };
        let mut sum = if negative { self.builder.unary(Unary::Neg, start) } else { start };
        for (place, &(negative, addend)) in addends.iter().enumerate() {
            if place != first {
                let operation = if negative { Binary::Sub } else { Binary::Add };
                sum = self.builder.binary(operation, sum, addend);
            }
        }
        sum
    }
}

/// Returns `true` if a power is products and a root: x³, √x, 1/(x√x).
fn is_cheap(exponent: &Rational) -> bool {
    let twice = exponent + exponent;
    twice.to_i64().is_some_and(|twice| twice.unsigned_abs() <= 2 * LARGEST_PRODUCT)
}
