//! Simplification to the form that people would write.
//!
//! ```text
//! expression ──read──► polynomial over kernels ──┬── term by term ────────┬──► styles of sines
//!                                                └── over a denominator ──┘          │
//!                                             the cheapest to read ◄── arranged ◄────┘
//! ```
//!
//! One pass reads the expression as a polynomial, writes its sines and cosines in several styles, collects
//! and factors, and takes the form that costs least to read. Passes are repeated as long as the cost falls.
//! An expression that no pass makes cheaper stays as it is, so the result never costs more than the input,
//! and simplifying it again changes nothing.
//!
//! All work is counted. An expression that would take too much is simplified part by part instead, as far as
//! the budget goes.

mod arrange;
mod cost;
mod factor;

pub(super) use cost::{Costs, is_multiple_angle};

use crate::normal::budget::Beyond;
use crate::normal::kernels::Depth;
use crate::normal::polynomial::Polynomial;
use crate::normal::read_polynomial::Reader;
use crate::normal::trig::Forms;
use crate::pool::table::Map;
use crate::pool::{Expr, Node, Pool};
use arrange::{Arranger, shared_powers};

/// Maximum number of steps of one pass over one expression.
const MAX_STEPS_PER_PASS: u64 = 100_000;
/// Maximum number of steps of all passes over an expression and its parts.
const MAX_STEPS: u64 = 300_000;
/// Maximum number of terms, multiplied out, of an expression that is simplified as a whole only.
const MAX_TERMS_AS_A_WHOLE: usize = 200;
/// Maximum number of steps of the search for a sum that all terms share.
const MAX_STEPS_PER_SUM: u64 = 20_000;
/// Maximum number of passes over one expression.
const MAX_PASSES: usize = 6;

impl Pool {
    /// Returns the expression as people would write it: collected, cancelled, with the theorems of sine and
    /// cosine applied. It equals the argument wherever both are defined.
    pub fn simplify(&mut self, expr: Expr) -> Expr {
        if self.is_too_deep(expr) {
            return expr;
        }
        self.within(MAX_STEPS, |pool| Simplifier::default().simplified(pool, expr))
    }

    /// Returns a polynomial in these symbols or functions: Σ power · coefficient, the coefficients
    /// simplified.
    pub fn collect(&mut self, expr: Expr, by: &[Expr]) -> Expr {
        if self.is_too_deep(expr) {
            return expr;
        }
        self.within(MAX_STEPS, |pool| {
            let mut simplifier = Simplifier::default();
            let inner = simplifier.inside(pool, expr);
            simplifier.collected(pool, inner, by).unwrap_or(expr)
        })
    }

    /// Splits an expression that is to be zero into the product of all common factors that may be divided by,
    /// and the rest, simplified. `may_divide` is asked of each base, symbols and sums. Factors that contain
    /// accelerations are never divided by. Where accelerations occur (`theta_dot_dot`), the rest is collected
    /// by them and by rates, and the first has a positive coefficient.
    pub fn without_common_factor(
        &mut self,
        expr: Expr,
        may_divide: &dyn Fn(&Self, Expr) -> bool,
    ) -> (Expr, Expr) {
        if self.is_too_deep(expr) {
            return (self.one(), expr);
        }
        self.within(MAX_STEPS, |pool| pool.taken_out(expr, may_divide))
    }

    fn taken_out(&mut self, expr: Expr, may_divide: &dyn Fn(&Self, Expr) -> bool) -> (Expr, Expr) {
        let mut simplifier = Simplifier::default();
        let mut rest = simplifier.simplified(self, expr);
        if self.is_zero(rest) {
            return (self.one(), rest);
        }
        let mut divided = Vec::new();
        for factor in self.factors(rest) {
            let base = self.base(factor);
            if self.as_number(base).is_some() || (!has_acceleration(self, base) && may_divide(self, base)) {
                divided.push(factor);
            }
        }
        let factor = self.product(&divided);
        rest = self.div(rest, factor);
        let mut divided = vec![factor];
        let shared = simplifier.shared(self, rest, may_divide);
        divided.push(shared);
        let rest = self.div(rest, shared);
        let expanded = self.expand(rest);
        let rest = simplifier.simplified(self, expanded);
        let rest = simplifier.by_motion(self, rest).unwrap_or(rest);
        (self.product(&divided), rest)
    }

    /// Returns the factors of a product, its number first.
    fn factors(&mut self, expr: Expr) -> Vec<Expr> {
        let (content, primitive) = self.content(expr);
        let number = self.number(content);
        match self.node(primitive) {
            Node::Product(factors) => std::iter::once(number).chain(factors.iter().copied()).collect(),
            _ => vec![number, primitive],
        }
    }
}

/// Simplifies expressions; each distinct one once.
#[derive(Debug, Default)]
struct Simplifier {
    known: Map<Expr, Expr>,
    /// Expressions with simplified arguments.
    insides: Map<Expr, Expr>,
    costs: Costs,
}

impl Simplifier {
    fn simplified(&mut self, pool: &mut Pool, expr: Expr) -> Expr {
        if let Some(&known) = self.known.get(&expr) {
            return known;
        }
        let mut best = expr;
        let mut passed = vec![expr];
        for _ in 0..MAX_PASSES {
            // Not even parts are looked at any more, which are many where an expression has used up all.
            if pool.budget(MAX_STEPS_PER_PASS).is_spent() {
                break;
            }
            let next = self.pass(pool, best);
            if next == best || self.costs.of(pool, next) >= self.costs.of(pool, best) {
                break;
            }
            best = next;
            passed.push(best);
        }
        for it in passed {
            self.known.insert(it, best);
        }
        best
    }

    fn pass(&mut self, pool: &mut Pool, expr: Expr) -> Expr {
        let inner = self.inside(pool, expr);
        if matches!(pool.node(inner), Node::Number(_) | Node::Symbol(_) | Node::Pi) {
            return inner;
        }
        match self.rewritten(pool, inner) {
            Ok((found, terms)) if terms <= MAX_TERMS_AS_A_WHOLE => found,
            // Large: some part may be short by itself, and what is short need not be multiplied out.
            Ok((found, _)) => {
                let parts = self.by_parts(pool, inner);
                if self.costs.of(pool, parts) < self.costs.of(pool, found) { parts } else { found }
            }
            Err(Beyond) => self.by_parts(pool, inner),
        }
    }

    /// Returns the expression with the arguments of functions and all denominators simplified.
    fn inside(&mut self, pool: &mut Pool, expr: Expr) -> Expr {
        if let Some(&known) = self.insides.get(&expr) {
            return known;
        }
        let transparent = match pool.node(expr) {
            Node::Sum { .. } | Node::Product(_) => true,
            &Node::Power(_, exponent) => {
                pool.as_number(exponent).is_some_and(|it| it.is_integer() && it.is_positive())
            }
            _ => false,
        };
        let inside = pool.rebuilt(expr, &mut |pool, part| match transparent {
            true => self.inside(pool, part),
            false => self.simplified(pool, part),
        });
        self.insides.insert(expr, inside);
        inside
    }

    /// Simplifies an expression that is too large as a whole, operand by operand.
    fn by_parts(&mut self, pool: &mut Pool, expr: Expr) -> Expr {
        match pool.node(expr) {
            Node::Sum { .. } | Node::Product(_) => {
                pool.rebuilt(expr, &mut |pool, part| self.simplified(pool, part))
            }
            _ => expr,
        }
    }

    /// Returns the best form found, and the number of terms it was made from.
    fn rewritten(&mut self, pool: &mut Pool, expr: Expr) -> Result<(Expr, usize), Beyond> {
        let budget = pool.budget(MAX_STEPS_PER_PASS);
        let mut reader = Reader::new(pool, &[expr], Depth::Functions, budget);
        self.best_form(&mut reader, expr)
    }

    fn best_form(&mut self, reader: &mut Reader<'_>, expr: Expr) -> Result<(Expr, usize), Beyond> {
        let polynomial = reader.read(expr)?;
        let mut forms = Forms::default();
        let mut arranger = Arranger::new(reader, &mut self.costs, &mut forms);
        let mut best: Option<(u64, Expr)> = None;
        let mut offer = |cost: u64, it: Expr| {
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, it));
            }
        };
        for written in arranger.in_styles(&polynomial)? {
            let it = arranger.arranged(&written);
            offer(arranger.cost(it), it);
        }
        if polynomial.terms().iter().any(|(monomial, _)| !monomial.is_whole()) {
            // An expression too large over one denominator may still have been simplified without.
            let quotients = arranger.quotients(&polynomial);
            for it in quotients.unwrap_or_default() {
                offer(arranger.cost(it), it);
            }
        }
        Ok((best.expect("every expression has a form").1, polynomial.len()))
    }

    /// Returns the monomial, with a number, that all terms share and that may be divided by. The first
    /// acceleration is left with a positive coefficient.
    fn shared(&mut self, pool: &mut Pool, expr: Expr, may_divide: &dyn Fn(&Pool, Expr) -> bool) -> Expr {
        let budget = pool.budget(MAX_STEPS_PER_PASS);
        let mut reader = Reader::new(pool, &[expr], Depth::Algebra, budget);
        let Ok(polynomial) = reader.read(expr) else { return reader.pool.one() };
        if polynomial.is_zero() {
            return reader.pool.one();
        }
        let accelerated = polynomial.terms().iter().find(|(monomial, _)| {
            monomial.powers().any(|(place, _)| is_acceleration(reader.pool, reader.table.kernel(place).expr))
        });
        let (_, lead) = accelerated.unwrap_or(&polynomial.terms()[0]);
        let content = polynomial.content();
        let content = if lead.is_negative() { -&content } else { content };
        let (shared, _) = shared_powers(&polynomial).split(|place, _| {
            let pool = &*reader.pool;
            let base = pool.base(reader.table.kernel(place).expr);
            !has_acceleration(pool, base) && may_divide(pool, base)
        });
        let mut shared = reader.monomial(&shared);
        if let Some(sum) = shared_sum(&mut reader, &polynomial)
            && may_divide(reader.pool, sum)
        {
            shared = reader.pool.mul(shared, sum);
        }
        reader.pool.scale(&content, shared)
    }

    /// Returns Σ monomial in these kernels · coefficient, simplified.
    fn collected(&mut self, pool: &mut Pool, expr: Expr, by: &[Expr]) -> Result<Expr, Beyond> {
        let budget = pool.budget(MAX_STEPS_PER_PASS);
        let mut reader = Reader::new(pool, &[expr], Depth::Algebra, budget);
        let polynomial = reader.read(expr)?;
        let groups = polynomial.grouped(|place, _| {
            let pool = &*reader.pool;
            by.contains(&pool.base(reader.table.kernel(place).expr))
        });
        let mut parts = Vec::with_capacity(groups.len());
        for (key, coefficient) in groups {
            parts.push((reader.monomial(&key), reader.flat(&coefficient)));
        }
        drop(reader);
        let mut terms = Vec::with_capacity(parts.len());
        for (key, coefficient) in parts {
            let coefficient = self.simplified(pool, coefficient);
            terms.push(pool.mul(key, coefficient));
        }
        Ok(pool.sum(&terms))
    }

    /// Collects by accelerations, rates and multipliers, if there are accelerations.
    fn by_motion(&mut self, pool: &mut Pool, expr: Expr) -> Option<Expr> {
        if !has_acceleration(pool, expr) {
            return None;
        }
        let budget = pool.budget(MAX_STEPS_PER_PASS);
        let mut reader = Reader::new(pool, &[expr], Depth::Algebra, budget);
        let polynomial = reader.read(expr).ok()?;
        let groups = polynomial.grouped(|place, _| {
            let pool = &*reader.pool;
            moves(pool, pool.base(reader.table.kernel(place).expr))
        });
        let mut forms = Forms::default();
        let mut arranger = Arranger::new(&mut reader, &mut self.costs, &mut forms);
        let mut terms = Vec::with_capacity(groups.len());
        for (key, coefficient) in groups {
            let coefficient = arranger.arranged(&coefficient);
            let key = arranger.reader.monomial(&key);
            terms.push(arranger.reader.pool.mul(key, coefficient));
        }
        Some(reader.pool.sum(&terms))
    }
}

/// Returns the sum that divides the coefficients of all kernels that move, if it is found with little work.
fn shared_sum(reader: &mut Reader<'_>, polynomial: &Polynomial) -> Option<Expr> {
    let groups = polynomial.grouped(|place, _| {
        let pool = &*reader.pool;
        moves(pool, pool.base(reader.table.kernel(place).expr))
    });
    let common = reader.budget.within(MAX_STEPS_PER_SUM, |budget| {
        let mut common = Polynomial::zero();
        for (_, coefficient) in &groups {
            common = common.common_divisor(coefficient, budget)?;
            if common.len() < 2 {
                break;
            }
        }
        Ok(common)
    });
    let (_, _, sum) = common.ok()?.primitive();
    (sum.len() > 1 && groups.len() > 1).then(|| reader.flat(&sum))
}

/// Returns `true` if it is named like an acceleration.
fn is_acceleration(pool: &Pool, expr: Expr) -> bool {
    pool.as_symbol(expr).is_some_and(|it| pool.name(it).ends_with("_dot_dot"))
}

/// Returns `true` if accelerations occur in it.
fn has_acceleration(pool: &Pool, expr: Expr) -> bool {
    let mut found = false;
    pool.each_part(expr, |it| found |= is_acceleration(pool, it));
    found
}

/// Returns `true` if it is named like an acceleration, a rate, a momentum or a multiplier.
fn moves(pool: &Pool, expr: Expr) -> bool {
    pool.as_symbol(expr).is_some_and(|it| {
        let name = pool.name(it);
        name.ends_with("_dot") || name.starts_with("p_") || name.starts_with("lambda_")
    })
}
