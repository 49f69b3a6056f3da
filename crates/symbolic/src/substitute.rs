//! Substitution of parts of expressions, and search for the symbols they contain.
//!
//! An expression has a greater number than all its parts. So a loop over the parts in the order of their
//! numbers meets each after its own parts, without recursion, however deep the expression is.

use crate::pool::table::{Map, Set};
use crate::pool::truth::{Truth, TruthNode};
use crate::pool::{Expr, Node, Pool};
use std::collections::{BTreeSet, HashMap};

impl Pool {
    /// Returns the expression with every part that the table names replaced, all at once. Replacements are
    /// not searched again.
    pub fn substitute(&mut self, expr: Expr, table: &HashMap<Expr, Expr>) -> Expr {
        let mut done = table.clone();
        self.replaced(expr, &mut done)
    }

    /// Returns the expression with every part that the table names replaced. The table grows by the results,
    /// so that a second expression that shares parts with the first costs only its new parts.
    pub fn replaced(&mut self, expr: Expr, done: &mut HashMap<Expr, Expr>) -> Expr {
        for part in self.parts_without([expr], |part| done.contains_key(&part)) {
            let result = self.rebuilt(part, &mut |_, part| done.get(&part).copied().unwrap_or(part));
            done.insert(part, result);
        }
        done.get(&expr).copied().unwrap_or(expr)
    }

    /// Rebuilds the expression with `change` applied to its operands.
    pub fn rebuilt(&mut self, expr: Expr, change: &mut dyn FnMut(&mut Self, Expr) -> Expr) -> Expr {
        match self.node(expr).clone() {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => expr,
            Node::Sum { constant, terms } => {
                let mut changed = Vec::with_capacity(terms.len() + 1);
                for (term, coefficient) in terms {
                    changed.push((change(self, term), coefficient));
                }
                let one = self.one();
                changed.push((one, constant));
                self.linear(&changed)
            }
            Node::Product(factors) => {
                let changed: Vec<Expr> = factors.iter().map(|&factor| change(self, factor)).collect();
                self.product(&changed)
            }
            Node::Power(base, exponent) => {
                let (base, exponent) = (change(self, base), change(self, exponent));
                self.pow(base, exponent)
            }
            Node::Call(function, x) => {
                let x = change(self, x);
                self.call(function, x)
            }
            Node::Call2(function, x, y) => {
                let (x, y) = (change(self, x), change(self, y));
                self.call2(function, x, y)
            }
            Node::Choice(condition, x, y) => {
                let condition = self.rebuilt_truth(condition, change);
                let (x, y) = (change(self, x), change(self, y));
                self.choice(condition, x, y)
            }
        }
    }

    /// Rebuilds the condition with `change` applied to the expressions it compares.
    pub fn rebuilt_truth(&mut self, truth: Truth, change: &mut dyn FnMut(&mut Self, Expr) -> Expr) -> Truth {
        let mut made: Map<Truth, Truth> = Map::default();
        for part in self.truths_of(truth) {
            let new = |part: Truth| made.get(&part).copied().unwrap_or(part);
            let result = match *self.truth_node(part) {
                TruthNode::Known(_) => part,
                TruthNode::Compare(comparison, x, y) => {
                    let (x, y) = (change(self, x), change(self, y));
                    self.compare(comparison, x, y)
                }
                TruthNode::Not(x) => self.not(new(x)),
                TruthNode::Both(x, y) => self.both(new(x), new(y)),
                TruthNode::Either(x, y) => self.either(new(x), new(y)),
            };
            made.insert(part, result);
        }
        made.get(&truth).copied().unwrap_or(truth)
    }

    /// Returns `true` if `part` occurs in `expr`.
    pub fn contains(&self, expr: Expr, part: Expr) -> bool {
        let mut found = false;
        self.each_part(expr, |it| found |= it == part);
        found
    }

    /// Returns the names of all symbols in these expressions.
    pub fn symbols_of(&self, exprs: impl IntoIterator<Item = Expr>) -> BTreeSet<&str> {
        let mut names = BTreeSet::new();
        for part in self.parts_of(exprs) {
            names.extend(self.as_symbol(part).map(|symbol| self.name(symbol)));
        }
        names
    }

    /// Calls `visit` with every part of `expr`, itself included, each once.
    pub fn each_part(&self, expr: Expr, visit: impl FnMut(Expr)) {
        self.parts_of([expr]).into_iter().for_each(visit);
    }

    /// Returns every part of these expressions, themselves included, each once and after its own parts:
    /// computing over them in this order needs no recursion.
    pub fn parts_of(&self, exprs: impl IntoIterator<Item = Expr>) -> Vec<Expr> {
        self.parts_without(exprs, |_| false)
    }

    /// Returns the same without known parts, and without parts of these alone.
    pub(super) fn parts_without(
        &self,
        exprs: impl IntoIterator<Item = Expr>,
        known: impl Fn(Expr) -> bool,
    ) -> Vec<Expr> {
        let (mut seen, mut open, mut found) = (Set::default(), Vec::new(), Vec::new());
        open.extend(exprs.into_iter().filter(|it| !known(*it) && seen.insert(*it)));
        while let Some(part) = open.pop() {
            found.push(part);
            self.operands(part, |operand| {
                if !known(operand) && seen.insert(operand) {
                    open.push(operand);
                }
            });
        }
        found.sort_unstable_by_key(|part| part.0);
        found
    }
}
