//! Pool that owns expressions, and the nodes they are made of.

pub(crate) mod function;
mod logarithm;
mod order;
mod power;
mod product;
pub(crate) mod radical;
mod sign;
mod sum;
pub(crate) mod table;
pub(crate) mod truth;

use crate::number::Rational;
use crate::pool::function::{Function, Function2};
use crate::pool::table::{Set, Table};
use crate::pool::truth::{Truth, TruthNode};
use gedanken_math::{Cancel, Cancelled};

/// An expression of a pool. Equal expressions of a pool are one, and have the same number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Expr(pub(crate) u32);

/// A name of a pool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Symbol(pub(crate) u32);

/// Content of an expression. Operands are in canonical order, which depends on their content and not on the
/// order in which they were made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A rational number.
    Number(Rational),
    /// π
    Pi,
    /// A real that has a name.
    Symbol(Symbol),
    /// constant + Σ coefficient · term. Terms are neither numbers nor sums, all different, with coefficients
    /// that are not 0. A term with a coefficient is a sum of one.
    Sum {
        /// Constant; may be 0.
        constant: Rational,
        /// Terms, at least one; if the constant is 0, not one with coefficient 1 alone.
        terms: Box<[(Expr, Rational)]>,
    },
    /// Product of at least two factors of different bases. None is a product, or a number that is no root.
    /// Sums have no common factor in their coefficients and begin with a positive one.
    Product(Box<[Expr]>),
    /// Base and exponent.
    Power(Expr, Expr),
    /// A function of one real.
    Call(Function, Expr),
    /// A function of two reals.
    Call2(Function2, Expr, Expr),
    /// The first where the condition holds, else the second.
    Choice(Truth, Expr, Expr),
}

/// Owns expressions; see the [module](super).
#[derive(Clone, Debug)]
pub struct Pool {
    nodes: Table<Node>,
    /// Nesting of each expression.
    heights: Vec<u32>,
    truths: Table<TruthNode>,
    names: Table<String>,
    /// Number of steps taken so far to expand and to simplify.
    pub(crate) work: u64,
    /// Maximum number of steps.
    pub(crate) limit: u64,
    /// Token that ends what takes many steps.
    pub(crate) cancel: Cancel,
    /// 1/0, once it has been met.
    pub(crate) undefined: Option<Expr>,
}

impl Default for Pool {
    fn default() -> Self {
        Self::new()
    }
}

impl Pool {
    /// A pool without expressions.
    pub fn new() -> Self {
        Self {
            nodes: Table::default(),
            heights: Vec::new(),
            truths: Table::default(),
            names: Table::default(),
            work: 0,
            limit: u64::MAX,
            cancel: Cancel::never(),
            undefined: None,
        }
    }

    /// Ends what takes many steps when the token is asked, in place of the token before. What has been
    /// computed by then is not simplified, so that it means nothing.
    pub fn until(&mut self, cancel: Cancel) {
        self.cancel = cancel;
    }

    /// Looks at the token.
    ///
    /// # Errors
    /// If it has been asked.
    pub fn check_cancel(&self) -> Result<(), Cancelled> {
        self.cancel.check()
    }

    /// Number of expressions, which is the memory that a computation has cost.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Number of steps taken so far to expand, to simplify and to compare: about one for each product of two
    /// terms, the same on every machine.
    pub fn work(&self) -> u64 {
        self.work
    }

    /// Returns `true` if it owns no expression.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the content of an expression.
    pub fn node(&self, expr: Expr) -> &Node {
        self.nodes.get(expr.0)
    }

    /// Returns the content of a condition.
    pub fn truth_node(&self, truth: Truth) -> &TruthNode {
        self.truths.get(truth.0)
    }

    /// Returns the name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.names.get(symbol.0)
    }

    /// Symbol of this name. If the text of an expression is to be read back, the name must be valid in the
    /// language of laws and have no meaning there: not `pi`, and no function.
    pub fn symbol(&mut self, name: &str) -> Expr {
        let number = match self.names.find(name, |it| it == name) {
            Some(number) => number,
            None => self.names.insert(name.to_owned()),
        };
        let symbol = Symbol(number);
        self.intern(Node::Symbol(symbol))
    }

    /// A number.
    pub fn number(&mut self, number: Rational) -> Expr {
        self.intern(Node::Number(number))
    }

    /// A whole number.
    pub fn integer(&mut self, whole: i64) -> Expr {
        self.number(Rational::from(whole))
    }

    /// A fraction, whose denominator is not zero.
    pub fn rational(&mut self, numerator: i64, denominator: i64) -> Expr {
        self.number(Rational::new(numerator, denominator))
    }

    /// 0
    pub fn zero(&mut self) -> Expr {
        self.integer(0)
    }

    /// 1
    pub fn one(&mut self) -> Expr {
        self.integer(1)
    }

    /// π
    pub fn pi(&mut self) -> Expr {
        self.intern(Node::Pi)
    }

    /// Returns the number, if the expression is one.
    pub fn as_number(&self, expr: Expr) -> Option<&Rational> {
        match self.node(expr) {
            Node::Number(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the symbol, if the expression is one.
    pub fn as_symbol(&self, expr: Expr) -> Option<Symbol> {
        match self.node(expr) {
            Node::Symbol(symbol) => Some(*symbol),
            _ => None,
        }
    }

    /// Returns `true` if it is the number 0.
    pub fn is_zero(&self, expr: Expr) -> bool {
        self.as_number(expr).is_some_and(Rational::is_zero)
    }

    /// Returns `true` if it is the number 1.
    pub fn is_one(&self, expr: Expr) -> bool {
        self.as_number(expr).is_some_and(Rational::is_one)
    }

    /// Calls `visit` with each direct operand of `expr`, those in its condition included.
    pub fn operands(&self, expr: Expr, mut visit: impl FnMut(Expr)) {
        match self.node(expr) {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => {}
            Node::Sum { terms, .. } => terms.iter().for_each(|(term, _)| visit(*term)),
            Node::Product(factors) => factors.iter().for_each(|factor| visit(*factor)),
            &Node::Power(x, y) | &Node::Call2(_, x, y) => {
                visit(x);
                visit(y);
            }
            &Node::Call(_, x) => visit(x),
            &Node::Choice(condition, x, y) => {
                self.compared(condition, &mut visit);
                visit(x);
                visit(y);
            }
        }
    }

    /// Calls `visit` with each expression that a condition compares.
    pub fn compared(&self, truth: Truth, visit: &mut impl FnMut(Expr)) {
        if let TruthNode::Compare(_, x, y) = *self.truth_node(truth) {
            visit(x);
            visit(y);
            return;
        }
        for truth in self.truths_of(truth) {
            if let TruthNode::Compare(_, x, y) = *self.truth_node(truth) {
                visit(x);
                visit(y);
            }
        }
    }

    /// Returns the parts of a condition, itself included, each once and after its own parts.
    pub(crate) fn truths_of(&self, truth: Truth) -> Vec<Truth> {
        let (mut seen, mut open, mut found) = (Set::from_iter([truth]), vec![truth], Vec::new());
        while let Some(truth) = open.pop() {
            found.push(truth);
            match *self.truth_node(truth) {
                TruthNode::Known(_) | TruthNode::Compare(..) => {}
                TruthNode::Not(x) => open.extend(seen.insert(x).then_some(x)),
                TruthNode::Both(x, y) | TruthNode::Either(x, y) => {
                    open.extend([x, y].into_iter().filter(|it| seen.insert(*it)));
                }
            }
        }
        found.sort_unstable_by_key(|truth| truth.0);
        found
    }

    /// Nesting of an expression; 0 for numbers and symbols.
    pub fn height(&self, expr: Expr) -> u32 {
        self.heights[expr.0 as usize]
    }

    pub(crate) fn intern(&mut self, node: Node) -> Expr {
        if let Some(number) = self.nodes.find(&node, |it| *it == node) {
            return Expr(number);
        }
        let expr = Expr(self.nodes.insert(node));
        let mut height = 0;
        self.operands(expr, |operand| height = height.max(self.height(operand) + 1));
        self.heights.push(height);
        expr
    }

    pub(crate) fn intern_truth(&mut self, node: TruthNode) -> Truth {
        match self.truths.find(&node, |it| *it == node) {
            Some(number) => Truth(number),
            None => Truth(self.truths.insert(node)),
        }
    }
}
