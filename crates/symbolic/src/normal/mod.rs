//! The normal form, and equality decided by it.
//!
//! The normal form is a quotient of polynomials over kernels: squares of cosines are written as those of
//! sines, angles and exponents of sums are taken apart, and roots are reduced by their radicands. The
//! remaining kernels satisfy no relation that is known here, so an expression is zero for all arguments if
//! its numerator is.

pub(crate) mod budget;
mod counterexample;
mod expand;
pub(crate) mod fraction;
pub(crate) mod kernels;
pub(crate) mod polynomial;
pub(crate) mod read_polynomial;
pub(crate) mod trig;
mod write_polynomial;

use crate::normal::budget::{Beyond, Budget};
use crate::normal::fraction::Fraction;
use crate::normal::kernels::{Depth, Wave};
use crate::normal::read_polynomial::Reader;
use crate::pool::table::Map;
use crate::pool::{Expr, Node, Pool};

/// Maximum number of steps of one normal form.
const MAX_STEPS: u64 = 500_000;
/// Maximum number of steps of a comparison: two simplifications, and normal forms before and after.
const MAX_STEPS_TO_COMPARE: u64 = 1_000_000;

/// Results so far.
#[derive(Debug, Default)]
struct Known {
    normal: Map<Expr, Expr>,
    /// Expressions with their arguments in normal form.
    inside: Map<Expr, Expr>,
}

impl Pool {
    /// Returns the normal form: one quotient of polynomials multiplied out. `None` if it would become
    /// enormous. Two expressions that are equal have a difference whose normal form is 0.
    pub fn normal(&mut self, expr: Expr) -> Option<Expr> {
        if self.is_too_deep(expr) {
            return None;
        }
        self.within(MAX_STEPS, |pool| {
            let mut budget = pool.budget(MAX_STEPS);
            pool.normal_within(expr, &mut budget, &mut Known::default()).ok()
        })
    }

    /// Decides whether two expressions are equal wherever both are defined. `Some(true)` is proved by the
    /// normal form, `Some(false)` by numbers at which they differ. `None` if neither succeeds.
    pub fn is_equal(&mut self, a: Expr, b: Expr) -> Option<bool> {
        if a == b {
            return Some(true);
        }
        if self.is_too_deep(a) || self.is_too_deep(b) {
            return None;
        }
        if self.differ(a, b) {
            return Some(false);
        }
        self.within(MAX_STEPS_TO_COMPARE, |pool| pool.is_difference_zero(a, b))
    }

    fn is_difference_zero(&mut self, a: Expr, b: Expr) -> Option<bool> {
        let difference = self.sub(a, b);
        if self.normal(difference).is_some_and(|it| self.is_zero(it)) {
            return Some(true);
        }
        // Roots of squares show only when what is under them is short.
        let (a, b) = (self.simplify(a), self.simplify(b));
        let difference = self.sub(a, b);
        let normal = self.normal(difference)?;
        self.is_zero(normal).then_some(true)
    }

    fn normal_within(&mut self, expr: Expr, budget: &mut Budget, known: &mut Known) -> Result<Expr, Beyond> {
        if let Some(&found) = known.normal.get(&expr) {
            return Ok(found);
        }
        let inner = self.normal_inside(expr, budget, known)?;
        let mut reader = Reader::new(self, &[inner], Depth::Functions, budget.clone());
        let found = (|| {
            let read = reader.read(inner)?;
            let fraction = reader.together(&read)?;
            let above = reader.without_squares(&fraction.above, Wave::Cosine)?;
            let fraction = reader.cancelled(Fraction { above, ..fraction })?;
            let above = reader.without_squares(&fraction.above, Wave::Cosine)?;
            let (above, below) = (reader.flat(&above), reader.monomial(&fraction.below));
            Ok(reader.pool.div(above, below))
        })();
        *budget = reader.budget.clone();
        let found = found?;
        known.normal.insert(expr, found);
        Ok(found)
    }

    /// Returns the expression with the arguments of functions and all denominators in normal form.
    fn normal_inside(&mut self, expr: Expr, budget: &mut Budget, known: &mut Known) -> Result<Expr, Beyond> {
        if let Some(&found) = known.inside.get(&expr) {
            return Ok(found);
        }
        budget.spend(1)?;
        let mut beyond = false;
        let transparent = match self.node(expr) {
            Node::Sum { .. } | Node::Product(_) => true,
            &Node::Power(_, exponent) => {
                self.as_number(exponent).is_some_and(|it| it.is_integer() && it.is_positive())
            }
            _ => false,
        };
        let result = self.rebuilt(expr, &mut |pool, part| {
            let found = match transparent {
                true => pool.normal_inside(part, budget, known),
                false => pool.normal_within(part, budget, known),
            };
            found.unwrap_or_else(|Beyond| {
                beyond = true;
                part
            })
        });
        if beyond {
            return Err(Beyond);
        }
        known.inside.insert(expr, result);
        Ok(result)
    }
}
