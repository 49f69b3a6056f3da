//! Evaluation: the value of an expression when its symbols are numbers.

use crate::number::Rational;
use crate::pool::table::Map;
use crate::pool::truth::{Truth, TruthNode};
use crate::pool::{Expr, Node, Pool, Symbol};

impl Pool {
    /// Returns the value in f64, with the pinned `libm`; NaN or an infinity where it is undefined. For tests
    /// and decisions: simulations run compiled code.
    pub fn evaluate(&self, expr: Expr, symbol: &dyn Fn(Symbol) -> f64) -> f64 {
        self.evaluate_all(&[], &[expr], symbol)[0]
    }

    /// Returns the values of several expressions, shared parts computed once. Each pair of `lets` defines a
    /// symbol, which later pairs and the expressions may use.
    pub fn evaluate_all(
        &self,
        lets: &[(Expr, Expr)],
        exprs: &[Expr],
        symbol: &dyn Fn(Symbol) -> f64,
    ) -> Vec<f64> {
        let mut values = Values { pool: self, known: Map::default() };
        for &(name, expr) in lets {
            values.find([expr], symbol);
            let value = values.of(expr);
            values.known.insert(name, value);
        }
        values.find(exprs.iter().copied(), symbol);
        exprs.iter().map(|&expr| values.of(expr)).collect()
    }
}

struct Values<'p> {
    pool: &'p Pool,
    /// Values of the parts of the expression that is evaluated next.
    known: Map<Expr, f64>,
}

impl Values<'_> {
    fn find(&mut self, exprs: impl IntoIterator<Item = Expr>, symbol: &dyn Fn(Symbol) -> f64) {
        for part in self.pool.parts_without(exprs, |part| self.known.contains_key(&part)) {
            let value = self.compute(part, symbol);
            self.known.insert(part, value);
        }
    }

    fn of(&self, expr: Expr) -> f64 {
        self.known.get(&expr).copied().unwrap_or(f64::NAN)
    }

    fn compute(&self, expr: Expr, symbol: &dyn Fn(Symbol) -> f64) -> f64 {
        match self.pool.node(expr) {
            Node::Number(number) => number.to_f64(),
            Node::Pi => std::f64::consts::PI,
            Node::Symbol(it) => symbol(*it),
            Node::Sum { constant, terms } => {
                terms.iter().fold(constant.to_f64(), |sum, (term, c)| sum + c.to_f64() * self.of(*term))
            }
            Node::Product(factors) => factors.iter().fold(1.0, |product, factor| product * self.of(*factor)),
            Node::Power(base, exponent) => match self.pool.as_number(*exponent) {
                Some(half) if *half == Rational::new(1, 2) => libm::sqrt(self.of(*base)),
                _ => libm::pow(self.of(*base), self.of(*exponent)),
            },
            Node::Call(function, x) => function.apply(self.of(*x)),
            Node::Call2(function, x, y) => function.apply(self.of(*x), self.of(*y)),
            Node::Choice(condition, x, y) => self.of(if self.holds(*condition) { *x } else { *y }),
        }
    }

    fn holds(&self, truth: Truth) -> bool {
        let mut known: Map<Truth, bool> = Map::default();
        for part in self.pool.truths_of(truth) {
            let of = |part: Truth| known.get(&part).copied().unwrap_or(false);
            let holds = match *self.pool.truth_node(part) {
                TruthNode::Known(holds) => holds,
                TruthNode::Compare(comparison, x, y) => comparison.apply(self.of(x), self.of(y)),
                TruthNode::Not(x) => !of(x),
                TruthNode::Both(x, y) => of(x) && of(y),
                TruthNode::Either(x, y) => of(x) || of(y),
            };
            known.insert(part, holds);
        }
        known.get(&truth).copied().unwrap_or(false)
    }
}
