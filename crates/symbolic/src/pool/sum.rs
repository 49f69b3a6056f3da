//! Sums: equal terms collected, in canonical order.

use crate::number::Rational;
use crate::pool::{Expr, Node, Pool};

impl Pool {
    /// Returns the sum of these terms.
    pub fn sum(&mut self, terms: &[Expr]) -> Expr {
        let one = Rational::one();
        let scaled: Vec<(Expr, Rational)> = terms.iter().map(|&term| (term, one.clone())).collect();
        self.linear(&scaled)
    }

    /// Returns Σ coefficient · term, of any terms.
    pub fn linear(&mut self, terms: &[(Expr, Rational)]) -> Expr {
        let mut sum = Rational::zero();
        let mut found: Vec<(Expr, Rational)> = Vec::with_capacity(terms.len());
        for (term, scale) in terms {
            match self.node(*term) {
                Node::Number(number) => sum = &sum + &(number * scale),
                Node::Sum { constant, terms } => {
                    sum = &sum + &(constant * scale);
                    found.extend(terms.iter().map(|(term, inner)| (*term, inner * scale)));
                }
                _ => found.push((*term, scale.clone())),
            }
        }
        if let Some(undefined) = self.undefined
            && found.iter().any(|(term, _)| *term == undefined)
        {
            return undefined;
        }
        // Equal terms meet when they are sorted by their numbers, which is quicker than by what they are.
        found.sort_unstable_by_key(|(term, _)| term.0);
        found.dedup_by(|(later, more), (term, scale)| {
            let same = later == term;
            if same {
                *scale = &*scale + more;
            }
            same
        });
        found.retain(|(_, scale)| !scale.is_zero());
        match found.as_slice() {
            [] => return self.number(sum),
            [(term, scale)] if sum.is_zero() && scale.is_one() => return *term,
            _ => {}
        }
        found.sort_by(|(a, _), (b, _)| self.order(*a, *b));
        self.intern(Node::Sum { constant: sum, terms: found.into() })
    }

    /// a + b
    pub fn add(&mut self, a: Expr, b: Expr) -> Expr {
        self.sum(&[a, b])
    }

    /// a - b
    pub fn sub(&mut self, a: Expr, b: Expr) -> Expr {
        self.linear(&[(a, Rational::one()), (b, Rational::from(-1))])
    }

    /// -a
    pub fn neg(&mut self, a: Expr) -> Expr {
        self.scale(&Rational::from(-1), a)
    }

    /// Returns a number times an expression; a sum is multiplied term by term.
    pub fn scale(&mut self, scale: &Rational, a: Expr) -> Expr {
        if scale.is_one() {
            return a;
        }
        self.linear(&[(a, scale.clone())])
    }

    /// Returns the expression as a number times an expression without a common number that leads with a
    /// positive coefficient. Zero is zero times one.
    pub fn content(&mut self, expr: Expr) -> (Rational, Expr) {
        let content = match self.node(expr) {
            Node::Number(number) => {
                let number = number.clone();
                return (number, self.one());
            }
            Node::Sum { constant, terms } => {
                let common = terms.iter().fold(constant.clone(), |common, (_, it)| common.common(it));
                if terms[0].1.is_negative() { -&common } else { common }
            }
            _ => return (Rational::one(), expr),
        };
        if content.is_one() {
            return (content, expr);
        }
        let inverse = &Rational::one() / &content;
        let primitive = self.scale(&inverse, expr);
        (content, primitive)
    }
}
