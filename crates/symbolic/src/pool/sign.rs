//! Signs of expressions, as far as they do not depend on the symbols.

use crate::pool::function::{Function, Function2};
use crate::pool::{Expr, Node, Pool};

/// Maximum depth of the search.
const MAX_DEPTH: u32 = 8;

impl Pool {
    /// Returns `true` if it is seen to be nowhere negative where it is defined. `false` says nothing.
    pub fn never_negative(&self, expr: Expr) -> bool {
        self.never_negative_within(expr, MAX_DEPTH)
    }

    fn never_negative_within(&self, expr: Expr, depth: u32) -> bool {
        let Some(depth) = depth.checked_sub(1) else { return false };
        let part = |part: Expr| self.never_negative_within(part, depth);
        match self.node(expr) {
            Node::Number(number) => !number.is_negative(),
            Node::Pi => true,
            Node::Symbol(_) => false,
            Node::Sum { constant, terms } => {
                !constant.is_negative()
                    && terms.iter().all(|(_, scale)| scale.is_positive())
                    && terms.iter().all(|(term, _)| part(*term))
            }
            Node::Product(factors) => factors.iter().all(|factor| part(*factor)),
            Node::Power(base, exponent) => match self.as_number(*exponent) {
                // Powers that are not whole exist only of what is not negative, and are positive.
                Some(exponent) if exponent.is_even() || !exponent.is_integer() => true,
                _ => part(*base),
            },
            Node::Call(function, x) => match function {
                Function::Exp | Function::Abs | Function::Acos => true,
                Function::Asin
                | Function::Atan
                | Function::Sign
                | Function::Floor
                | Function::Ceil
                | Function::Round => part(*x),
                Function::Sin | Function::Cos | Function::Tan | Function::Log => false,
            },
            Node::Call2(function, x, y) => match function {
                Function2::Min => part(*x) && part(*y),
                Function2::Max => part(*x) || part(*y),
                // It has the sign of the divisor.
                Function2::Mod => part(*y),
                // From 0 to π above the axis.
                Function2::Atan2 => part(*x),
            },
            Node::Choice(_, x, y) => part(*x) && part(*y),
        }
    }

    /// Returns `true` if the first coefficient is negative: of x and -x exactly one of the two has that,
    /// unless x is 0.
    pub fn leads_negative(&self, expr: Expr) -> bool {
        match self.node(expr) {
            Node::Number(number) => number.is_negative(),
            Node::Sum { terms, .. } => terms[0].1.is_negative(),
            _ => false,
        }
    }
}
