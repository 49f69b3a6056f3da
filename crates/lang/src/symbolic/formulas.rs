//! The arithmetic of formulas: every operator and native, written once for all executors, gives expressions
//! of a pool.
//!
//! Operations on numbers that have no value (1/0, √-1) fail as they do in a run, though before it. Work is
//! bounded: formulas that would be taller, longer or made of longer numbers than anybody can use are refused.

use super::decimal::bits;
use super::not_symbolic::Trouble;
use crate::arithmetic::{Arithmetic, Binary, Comparison, Failure, Unary};
use crate::diagnostic::Code;
use gedanken_symbolic::{
    Comparison as Compared, Expr, Function, Function2, Node, Pool, Rational, Truth, TruthNode,
};
use std::collections::HashMap;

/// Expressions that reading one program may make.
const MOST_EXPRESSIONS: usize = 300_000;
/// Expressions in expressions: those who differentiate and print them recurse.
const TALLEST: u32 = 200;
/// Of numbers.
const MOST_BITS: u64 = 16_384;

/// Computes with formulas.
pub(super) struct Formulas<'p> {
    pub(super) pool: &'p mut Pool,
    /// Maximum number of expressions in the end.
    most: usize,
    /// Depth to which each condition nests.
    truth_heights: HashMap<Truth, u32>,
    /// Number of choices, one side of which is being computed, that lie in each other.
    arms: u32,
    /// Why what is being computed has no value.
    failed: Option<Trouble>,
    /// Why nothing more is computed.
    refused: Option<Trouble>,
}

impl<'p> Formulas<'p> {
    pub(super) fn new(pool: &'p mut Pool) -> Self {
        let most = pool.len().saturating_add(MOST_EXPRESSIONS);
        Self { pool, most, truth_heights: HashMap::new(), arms: 0, failed: None, refused: None }
    }

    /// Takes the reason why what has just been computed has no value.
    pub(super) fn failure(&mut self) -> Option<Trouble> {
        self.failed.take()
    }

    /// Why nothing more is computed, if so.
    pub(super) fn refusal(&self) -> Option<&Trouble> {
        self.refused.as_ref()
    }

    /// An exact number.
    pub(super) fn number(&mut self, number: Rational) -> Expr {
        let number = self.pool.number(number);
        self.bounded(number)
    }

    /// -1, 0 or 1.
    pub(super) fn sign(&mut self, x: Expr) -> Expr {
        let sign = self.pool.call(Function::Sign, x);
        self.bounded(sign)
    }

    /// One of two formulas; the same where both are.
    pub(super) fn choice(&mut self, condition: Truth, then: Expr, otherwise: Expr) -> Expr {
        let choice = self.pool.choice(condition, then, otherwise);
        self.bounded(choice)
    }

    /// One of two conditions.
    pub(super) fn truth_choice(&mut self, condition: Truth, then: Truth, otherwise: Truth) -> Truth {
        if then == otherwise {
            return then;
        }
        let yes = self.both(condition, then);
        let unless = self.not(condition);
        let no = self.both(unless, otherwise);
        match (self.known_truth(then), self.known_truth(otherwise)) {
            (Some(true), _) => self.either(condition, otherwise),
            (_, Some(true)) => self.either(unless, then),
            _ => self.either(yes, no),
        }
    }

    /// From here to [`leave_arm`](Self::leave_arm) one side of a choice is computed. What has no value there
    /// is kept as it is written: it does no harm where the side is not taken.
    pub(super) fn enter_arm(&mut self) {
        self.arms += 1;
    }

    /// The end of a side.
    pub(super) fn leave_arm(&mut self) {
        self.arms -= 1;
    }

    /// Returns `true` if a computation without a value ends here.
    fn gives_up(&mut self, trouble: Option<Trouble>) -> bool {
        let trouble = trouble.filter(|_| self.arms == 0);
        let gives_up = trouble.is_some();
        if self.failed.is_none() {
            self.failed = trouble;
        }
        gives_up
    }

    fn refuse(&mut self, reason: impl Into<String>) {
        self.refused.get_or_insert_with(|| Trouble::too_large(reason));
    }

    /// The expression, unless it is too much.
    fn bounded(&mut self, expr: Expr) -> Expr {
        if self.refused.is_some() {
            return self.pool.zero();
        }
        let most = match self.pool.node(expr) {
            Node::Number(number) => bits(number),
            Node::Sum { constant, terms } => {
                terms.iter().fold(bits(constant), |most, (_, coefficient)| most.max(bits(coefficient)))
            }
            _ => 0,
        };
        if most > MOST_BITS {
            self.refuse("a number in it has thousands of digits");
        } else if self.pool.len() > self.most {
            self.refuse(format!("it is made of more than {MOST_EXPRESSIONS} expressions"));
        } else if self.pool.height(expr) > TALLEST {
            self.refuse(format!("its parts nest deeper than {TALLEST}"));
        } else {
            return expr;
        }
        self.pool.zero()
    }

    fn bounded_truth(&mut self, truth: Truth) -> Truth {
        let height = |it: &Self, x: Truth| it.truth_heights.get(&x).copied().unwrap_or(0);
        let tall = match *self.pool.truth_node(truth) {
            TruthNode::Known(_) => 0,
            TruthNode::Compare(_, x, y) => self.pool.height(x).max(self.pool.height(y)),
            TruthNode::Not(x) => height(self, x),
            TruthNode::Both(x, y) | TruthNode::Either(x, y) => height(self, x).max(height(self, y)),
        };
        self.truth_heights.insert(truth, tall + 1);
        if tall < TALLEST {
            return truth;
        }
        self.refuse(format!("its conditions nest deeper than {TALLEST}"));
        self.pool.truth(false)
    }

    /// A random number. It has a value where its seed and key are numbers, and no form elsewhere.
    fn random(&mut self, operation: Binary, x: Expr, y: Expr) -> Expr {
        let known = [x, y].map(|it| self.pool.as_number(it).map(Rational::to_f64));
        if let [Some(x), Some(y)] = known {
            return self.real(operation.apply(x, y));
        }
        self.refused.get_or_insert_with(|| {
            let reason = "it draws a random number whose seed or key is no number known before the run; give \
                          the number a name of its own, as an attribute of the world, and use that name";
            Trouble::new(Code::E758, reason)
        });
        self.pool.zero()
    }

    fn one_of_two(&mut self, side: &mut dyn FnMut(&mut Self) -> Vec<Expr>) -> (Vec<Expr>, Option<Trouble>) {
        let outside = self.failed.take();
        let results = side(self);
        (results, std::mem::replace(&mut self.failed, outside))
    }

    /// Returns `true` if a condition is `divisor == 0`.
    fn is_vanishing(&self, condition: Truth, divisor: Expr) -> bool {
        match *self.pool.truth_node(condition) {
            TruthNode::Compare(Compared::Eq, x, y) => {
                x == divisor && self.pool.is_zero(y) || y == divisor && self.pool.is_zero(x)
            }
            _ => false,
        }
    }
}

impl Arithmetic for Formulas<'_> {
    type Real = Expr;
    type Bool = Truth;

    fn real(&mut self, constant: f64) -> Expr {
        match Rational::from_decimal(constant) {
            Some(number) => self.number(number),
            None => {
                self.failed.get_or_insert_with(|| Trouble::new(Code::E505, "a number in it is not finite"));
                self.pool.zero()
            }
        }
    }

    fn truth(&mut self, constant: bool) -> Truth {
        self.pool.truth(constant)
    }

    fn unary(&mut self, operation: Unary, x: Expr) -> Expr {
        let trouble = self.pool.as_number(x).and_then(|x| without_value(operation, x));
        if self.gives_up(trouble) {
            return self.pool.zero();
        }
        let function = match operation {
            Unary::Neg => {
                let opposite = self.pool.neg(x);
                return self.bounded(opposite);
            }
            Unary::Sqrt => {
                let root = self.pool.sqrt(x);
                return self.bounded(root);
            }
            Unary::Sin => Function::Sin,
            Unary::Cos => Function::Cos,
            Unary::Tan => Function::Tan,
            Unary::Asin => Function::Asin,
            Unary::Acos => Function::Acos,
            Unary::Atan => Function::Atan,
            Unary::Exp => Function::Exp,
            Unary::Log => Function::Log,
            Unary::Abs => Function::Abs,
            Unary::Floor => Function::Floor,
            Unary::Ceil => Function::Ceil,
            Unary::Round => Function::Round,
            Unary::NextUp | Unary::NextDown => {
                self.refuse("it speaks of how numbers are rounded, and formulas are exact");
                return self.pool.zero();
            }
        };
        let value = self.pool.call(function, x);
        self.bounded(value)
    }

    fn binary(&mut self, operation: Binary, x: Expr, y: Expr) -> Expr {
        let trouble = match (self.pool.as_number(x), self.pool.as_number(y)) {
            (_, Some(y)) if matches!(operation, Binary::Div | Binary::Mod) && y.is_zero() => Some(by_zero()),
            (Some(x), Some(y)) if operation == Binary::Pow => power_without_value(x, y),
            _ => None,
        };
        if self.gives_up(trouble) {
            return self.pool.zero();
        }
        let value = match operation {
            Binary::Add => self.pool.add(x, y),
            Binary::Sub => self.pool.sub(x, y),
            Binary::Mul => self.pool.mul(x, y),
            Binary::Div => self.pool.div(x, y),
            Binary::Pow => self.pool.pow(x, y),
            Binary::Min => self.pool.call2(Function2::Min, x, y),
            Binary::Max => self.pool.call2(Function2::Max, x, y),
            Binary::Atan2 => self.pool.call2(Function2::Atan2, x, y),
            Binary::Mod => self.pool.call2(Function2::Mod, x, y),
            Binary::Mix | Binary::Uniform => return self.random(operation, x, y),
        };
        self.bounded(value)
    }

    fn compare(&mut self, comparison: Comparison, x: Expr, y: Expr) -> Truth {
        let comparison = match comparison {
            Comparison::Eq => Compared::Eq,
            Comparison::Ne => Compared::Ne,
            Comparison::Lt => Compared::Lt,
            Comparison::Le => Compared::Le,
        };
        let truth = self.pool.compare(comparison, x, y);
        self.bounded_truth(truth)
    }

    fn not(&mut self, x: Truth) -> Truth {
        let truth = self.pool.not(x);
        self.bounded_truth(truth)
    }

    fn both(&mut self, x: Truth, y: Truth) -> Truth {
        let truth = self.pool.both(x, y);
        self.bounded_truth(truth)
    }

    fn either(&mut self, x: Truth, y: Truth) -> Truth {
        let truth = self.pool.either(x, y);
        self.bounded_truth(truth)
    }

    /// Natives put 1 in place of a divisor that vanishes, so that nothing fails; a formula need not have a
    /// value there.
    fn select(&mut self, condition: Truth, then: Expr, otherwise: Expr) -> Expr {
        if self.pool.is_one(then) && self.is_vanishing(condition, otherwise) {
            return otherwise;
        }
        self.choice(condition, then, otherwise)
    }

    fn branch(
        &mut self,
        condition: Truth,
        then: &mut dyn FnMut(&mut Self) -> Vec<Expr>,
        otherwise: &mut dyn FnMut(&mut Self) -> Vec<Expr>,
    ) -> Vec<Expr> {
        match self.known_truth(condition) {
            Some(true) => return then(self),
            Some(false) => return otherwise(self),
            None => {}
        }
        let (x, x_fails) = self.one_of_two(then);
        let (y, y_fails) = self.one_of_two(otherwise);
        match (x_fails, y_fails) {
            (None, None) => x.into_iter().zip(y).map(|(x, y)| self.choice(condition, x, y)).collect(),
            (None, Some(_)) => x,
            (Some(_), None) => y,
            (Some(trouble), Some(_)) => {
                self.failed.get_or_insert(trouble);
                x
            }
        }
    }

    fn fail(&mut self, failure: Failure) -> Expr {
        self.failed.get_or_insert_with(|| Trouble::of(&failure));
        self.pool.zero()
    }

    /// Whoever asks wants to know whether it is a certain whole number, so what only rounds to one is not
    /// known.
    fn known(&self, x: Expr) -> Option<f64> {
        let number = self.pool.as_number(x)?;
        let real = number.to_f64();
        (number.is_integer() || real != libm::trunc(real)).then_some(real)
    }

    fn known_truth(&self, x: Truth) -> Option<bool> {
        match *self.pool.truth_node(x) {
            TruthNode::Known(known) => Some(known),
            _ => None,
        }
    }
}

/// Why a function has no value at a number, if so.
fn without_value(operation: Unary, x: &Rational) -> Option<Trouble> {
    match operation {
        Unary::Sqrt if x.is_negative() => Some(Trouble::new(Code::E502, format!("√({x}) is not real"))),
        Unary::Asin | Unary::Acos if x.abs() > Rational::one() => {
            Some(Trouble::new(Code::E506, "it asks for the angle of a sine or cosine beyond 1"))
        }
        Unary::Log if !x.is_positive() => {
            Some(Trouble::new(Code::E504, "it takes the logarithm of a number that is not positive"))
        }
        _ => None,
    }
}

/// Why a power of numbers has no value, if so.
fn power_without_value(base: &Rational, exponent: &Rational) -> Option<Trouble> {
    if base.is_zero() && exponent.is_negative() {
        return Some(by_zero());
    }
    let is_real = !base.is_negative() || exponent.is_integer();
    (!is_real).then(|| Trouble::new(Code::E503, format!("({base})^({exponent}) is not real")))
}

fn by_zero() -> Trouble {
    Trouble::new(Code::E501, "it divides by zero")
}
