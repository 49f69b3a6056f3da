//! Expansion: products over sums, multiplied out.

use crate::normal::kernels::Depth;
use crate::normal::read_polynomial::Reader;
use crate::pool::table::Set;
use crate::pool::{Expr, Node, Pool};

/// Maximum number of steps of one expansion.
const MAX_STEPS: u64 = 200_000;

impl Pool {
    /// Multiplies out products over sums and whole powers of sums. Arguments of functions, exponents and
    /// denominators stay as they are, and so does everything that would become enormous.
    pub fn expand(&mut self, expr: Expr) -> Expr {
        if self.is_too_deep(expr) || !self.is_expandable(expr) {
            return expr;
        }
        let budget = self.budget(MAX_STEPS);
        let mut reader = Reader::new(self, &[expr], Depth::Algebra, budget);
        match reader.read(expr) {
            Ok(polynomial) => reader.flat(&polynomial),
            Err(_) => expr,
        }
    }

    /// Returns `true` if a sum stands in a product or under a power.
    fn is_expandable(&self, expr: Expr) -> bool {
        let is_sum = |it: Expr| matches!(self.node(it), Node::Sum { .. });
        let (mut seen, mut open) = (Set::from_iter([expr]), vec![expr]);
        while let Some(next) = open.pop() {
            match self.node(next) {
                Node::Sum { terms, .. } => {
                    open.extend(terms.iter().map(|it| it.0).filter(|&it| seen.insert(it)));
                }
                Node::Product(factors) => {
                    if factors.iter().any(|&it| is_sum(it)) {
                        return true;
                    }
                    open.extend(factors.iter().copied().filter(|&it| seen.insert(it)));
                }
                &Node::Power(base, _) if is_sum(base) || matches!(self.node(base), Node::Product(_)) => {
                    return true;
                }
                _ => {}
            }
        }
        false
    }
}
