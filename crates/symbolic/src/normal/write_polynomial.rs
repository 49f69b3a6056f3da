//! Polynomials over kernels written as expressions.

use crate::normal::kernels::{Kernel, Wave};
use crate::normal::polynomial::{Monomial, Polynomial};
use crate::normal::read_polynomial::Reader;
use crate::number::Rational;
use crate::pool::Expr;
use crate::pool::function::Function;

impl Reader<'_> {
    /// Returns the expression of a monomial.
    pub(crate) fn monomial(&mut self, monomial: &Monomial) -> Expr {
        if let Some(&known) = self.products.get(monomial) {
            return known;
        }
        let mut factors = Vec::new();
        for (place, exponent) in monomial.powers() {
            let kernel = self.table.kernel(place).clone();
            let base = match self.tangent_of(&kernel, exponent, monomial) {
                Some(None) => continue,
                Some(Some(tangent)) => tangent,
                None => kernel.expr,
            };
            factors.push(self.pool.powi(base, i64::from(exponent)));
        }
        let product = self.pool.product(&factors);
        self.products.insert(monomial.clone(), product);
        product
    }

    /// Returns tan θ in place of sin θ, and nothing in place of cos θ, where they occur as sin θ / cos θ to
    /// one power.
    fn tangent_of(&mut self, kernel: &Kernel, exponent: i32, monomial: &Monomial) -> Option<Option<Expr>> {
        let (wave, unit) = kernel.trig?;
        let (sine, cosine) = match wave {
            Wave::Sine => (exponent, -exponent),
            Wave::Cosine => (-exponent, exponent),
        };
        if sine < 0 || cosine > 0 {
            return None;
        }
        let partner = self.other_wave(wave, unit)?;
        if monomial.exponent(partner) != -exponent {
            return None;
        }
        let angle = self.table.angles.units[unit];
        Some((wave == Wave::Sine).then(|| self.pool.call(Function::Tan, angle)))
    }

    /// Returns the expression of a polynomial, term by term.
    pub(crate) fn flat(&mut self, polynomial: &Polynomial) -> Expr {
        let terms: Vec<(Expr, Rational)> = polynomial
            .terms()
            .iter()
            .map(|(monomial, number)| (self.monomial(monomial), number.clone()))
            .collect();
        self.pool.linear(&terms)
    }
}
