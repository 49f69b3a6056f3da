//! From formulas to the intermediate form: what runs.
//!
//! Every expression is written once, however often it is used. What is symbolic becomes cheap: whole powers
//! are products, halves of powers are roots, a product has one division for all that stands below its line,
//! and terms of a sum over the same denominator share one too. An arm of a choice asks for what it needs only
//! where it is taken.

mod terms;

use super::NotSymbolic;
use super::decimal::bits;
use crate::arithmetic::{Arithmetic, Binary, Comparison, Unary};
use crate::diagnostic::Code;
use crate::ir::{Builder, Full, Graph, GraphOutput, Group, MOST_NODES, NodeId, Side};
use crate::native::Native;
use crate::program::{InputId, OutputKind};
use crate::types::Type;
use crate::value::Shaped;
use gedanken_symbolic::lagrange::StraightLine;
use gedanken_symbolic::{
    Comparison as Compared, Expr, Function, Function2, Node, Pool, Rational, Truth, TruthNode,
};
use std::collections::HashMap;

/// The steps of a course as a graph. Its slot i is `inputs[i]`, a symbol, read as element 0 of input i; its
/// outputs are the results, called `result0` and so on.
///
/// # Errors
/// If a symbol is neither an input nor the name of an earlier step, if a number is larger than any real, or
/// if there are too many operations.
pub fn graph(pool: &Pool, course: &StraightLine, inputs: &[Expr]) -> Result<Graph, NotSymbolic> {
    let exprs = || course.lets.iter().map(|(_, value)| *value).chain(course.results.iter().copied());
    let mut writer = Writer {
        pool,
        builder: Builder::new(),
        reals: HashMap::new(),
        truths: HashMap::new(),
        has_choices: exprs().any(|expr| has_choice(pool, expr)),
    };
    for (number, &input) in (0_u32..).zip(inputs) {
        let name = || pool.as_symbol(input).map_or_else(String::new, |symbol| pool.name(symbol).to_owned());
        let node = writer.builder.slot(InputId(number), 0, name);
        writer.reals.insert(input, Made { node, group: None });
    }
    for (symbol, value) in &course.lets {
        let made = writer.write(*value)?;
        writer.reals.insert(*symbol, made);
    }
    let mut outputs = Vec::with_capacity(course.results.len());
    for (number, &result) in course.results.iter().enumerate() {
        let made = writer.write(result)?;
        outputs.push(GraphOutput {
            name: format!("result{number}"),
            kind: OutputKind::Law,
            ty: Type::Real,
            nodes: vec![writer.taken(made)],
        });
    }
    match writer.builder.full() {
        None => Ok(writer.builder.finish(outputs)),
        Some(Full::Long) => Err(refused(format!("it takes more than {MOST_NODES} operations"))),
        Some(Full::Deep) => Err(refused("its `if`s nest too deeply")),
    }
}

fn refused(reason: impl Into<String>) -> NotSymbolic {
    NotSymbolic { what: "the computation".to_owned(), reason: reason.into(), place: None, code: Code::E522 }
}

fn has_choice(pool: &Pool, expr: Expr) -> bool {
    let mut found = false;
    pool.each_part(expr, |part| found |= matches!(pool.node(part), Node::Choice(..)));
    found
}

/// A node, and what is asked for where it is used.
#[derive(Clone, Copy)]
struct Made {
    node: NodeId,
    group: Option<Group>,
}

/// Something to be written.
#[derive(Clone, Copy)]
enum Item {
    Real(Expr),
    Truth(Truth),
}

struct Writer<'p> {
    pool: &'p Pool,
    builder: Builder,
    reals: HashMap<Expr, Made>,
    truths: HashMap<Truth, Made>,
    /// Without choices everything is always computed, and nobody needs to know what belongs together.
    has_choices: bool,
}

impl Writer<'_> {
    /// The expression and all it needs, operands first. Expressions may be tall, so this does not recurse.
    fn write(&mut self, root: Expr) -> Result<Made, NotSymbolic> {
        let mut open = vec![Item::Real(root)];
        let mut needs = Vec::new();
        while let Some(&item) = open.last() {
            let done = |it: &Item| match it {
                Item::Real(expr) => self.reals.contains_key(expr),
                Item::Truth(truth) => self.truths.contains_key(truth),
            };
            if done(&item) {
                open.pop();
                continue;
            }
            needs.clear();
            self.needs(item, &mut needs);
            needs.retain(|need| !done(need));
            if needs.is_empty() {
                self.make(item)?;
                open.pop();
            } else {
                open.append(&mut needs);
            }
        }
        Ok(self.reals[&root])
    }

    /// Collects the items that must be written before.
    fn needs(&self, item: Item, needs: &mut Vec<Item>) {
        let expr = match item {
            Item::Real(expr) => expr,
            Item::Truth(truth) => {
                match *self.pool.truth_node(truth) {
                    TruthNode::Known(_) => {}
                    TruthNode::Compare(_, x, y) => needs.extend([Item::Real(x), Item::Real(y)]),
                    TruthNode::Not(x) => needs.push(Item::Truth(x)),
                    TruthNode::Both(x, y) | TruthNode::Either(x, y) => {
                        needs.extend([Item::Truth(x), Item::Truth(y)]);
                    }
                }
                return;
            }
        };
        match self.pool.node(expr) {
            Node::Sum { terms, .. } => terms.iter().for_each(|(term, _)| self.factors_of(*term, needs)),
            Node::Product(_) => self.factors_of(expr, needs),
            &Node::Choice(condition, x, y) => {
                needs.extend([Item::Truth(condition), Item::Real(x), Item::Real(y)]);
            }
            // Exponents that are numbers go into the operation.
            &Node::Power(base, exponent) if self.pool.as_number(exponent).is_some() => {
                needs.push(Item::Real(base));
            }
            _ => self.pool.operands(expr, |operand| needs.push(Item::Real(operand))),
        }
    }

    /// Writes an item whose needs have been written.
    fn make(&mut self, item: Item) -> Result<(), NotSymbolic> {
        if self.has_choices {
            self.builder.begin_group();
        }
        let node = match item {
            Item::Real(expr) => self.real(expr),
            Item::Truth(truth) => Ok(self.truth(truth)),
        };
        let group = self.has_choices.then(|| self.builder.end_group());
        let made = Made { node: node?, group };
        match item {
            Item::Real(expr) => self.reals.insert(expr, made),
            Item::Truth(truth) => self.truths.insert(truth, made),
        };
        Ok(())
    }

    /// The node, asked for here.
    fn taken(&mut self, made: Made) -> NodeId {
        if let Some(group) = made.group {
            self.builder.ask(group);
        }
        made.node
    }

    fn known(&mut self, expr: Expr) -> NodeId {
        self.taken(self.reals[&expr])
    }

    fn real(&mut self, expr: Expr) -> Result<NodeId, NotSymbolic> {
        Ok(match self.pool.node(expr) {
            Node::Number(number) => self.number(number)?,
            Node::Pi => self.builder.real(std::f64::consts::PI),
            Node::Symbol(symbol) => {
                let name = self.pool.name(*symbol);
                let reason = format!("`{name}` has no value: it is neither an input nor computed before");
                return Err(refused(reason));
            }
            Node::Sum { constant, terms } => {
                let terms = terms.iter().map(|(term, coefficient)| self.term(*term, coefficient.clone()));
                self.sum(terms.collect(), constant)?
            }
            Node::Product(_) => {
                let term = self.term(expr, Rational::one());
                self.product(&term)?
            }
            &Node::Power(base, exponent) => match self.pool.as_number(exponent) {
                Some(_) => {
                    let term = self.term(expr, Rational::one());
                    self.product(&term)?
                }
                None => {
                    let (base, exponent) = (self.known(base), self.known(exponent));
                    self.builder.binary(Binary::Pow, base, exponent)
                }
            },
            &Node::Call(function, x) => {
                let x = self.known(x);
                self.call(function, x)
            }
            &Node::Call2(function, x, y) => {
                let (x, y) = (self.known(x), self.known(y));
                let operation = match function {
                    Function2::Atan2 => Binary::Atan2,
                    Function2::Min => Binary::Min,
                    Function2::Max => Binary::Max,
                    Function2::Mod => Binary::Mod,
                };
                self.builder.binary(operation, x, y)
            }
            &Node::Choice(condition, x, y) => {
                let (x, y) = (self.reals[&x], self.reals[&y]);
                self.choice(condition, x, y)
            }
        })
    }

    fn number(&mut self, number: &Rational) -> Result<NodeId, NotSymbolic> {
        let real = number.to_f64();
        if !real.is_finite() {
            return Err(refused(format!(
                "a number in it, of {} bits, is larger than any real",
                bits(number)
            )));
        }
        Ok(self.builder.real(real))
    }

    fn call(&mut self, function: Function, x: NodeId) -> NodeId {
        let operation = match function {
            Function::Sin => Unary::Sin,
            Function::Cos => Unary::Cos,
            Function::Tan => Unary::Tan,
            Function::Asin => Unary::Asin,
            Function::Acos => Unary::Acos,
            Function::Atan => Unary::Atan,
            Function::Exp => Unary::Exp,
            Function::Log => Unary::Log,
            Function::Abs => Unary::Abs,
            Function::Floor => Unary::Floor,
            Function::Ceil => Unary::Ceil,
            Function::Round => Unary::Round,
            Function::Sign => {
                let sign = Native::by_name("sign").map(|it| it.call(&mut self.builder, &[Shaped::Real(x)]));
                let Some(Ok(Shaped::Real(sign))) = sign else {
                    unreachable!("there is a native `sign` of one real")
                };
                return sign;
            }
        };
        self.builder.unary(operation, x)
    }

    /// One of two; in its arm each asks for what it needs.
    fn choice(&mut self, condition: Truth, then: Made, otherwise: Made) -> NodeId {
        let condition = self.taken(self.truths[&condition]);
        match self.builder.known_truth(condition) {
            Some(true) => return self.taken(then),
            Some(false) => return self.taken(otherwise),
            None => {}
        }
        let sides = [then, otherwise].map(|made| self.side(made));
        self.joined(condition, sides)
    }

    /// An arm that gives one value.
    fn side(&mut self, made: Made) -> (Side, Vec<NodeId>) {
        self.builder.begin_arm();
        let node = self.taken(made);
        (self.builder.end_arm(), vec![node])
    }

    fn joined(&mut self, condition: NodeId, [then, otherwise]: [(Side, Vec<NodeId>); 2]) -> NodeId {
        let joined = self.builder.join(condition, then, otherwise);
        joined.first().copied().expect("arms with one result each are joined to one")
    }

    fn truth(&mut self, truth: Truth) -> NodeId {
        match *self.pool.truth_node(truth) {
            TruthNode::Known(known) => self.builder.truth(known),
            TruthNode::Compare(comparison, x, y) => {
                let (x, y) = (self.known(x), self.known(y));
                let comparison = match comparison {
                    Compared::Eq => Comparison::Eq,
                    Compared::Ne => Comparison::Ne,
                    Compared::Lt => Comparison::Lt,
                    Compared::Le => Comparison::Le,
                };
                self.builder.compare(comparison, x, y)
            }
            TruthNode::Not(x) => {
                let x = self.taken(self.truths[&x]);
                self.builder.not(x)
            }
            TruthNode::Both(x, y) => self.logical(x, y, false),
            TruthNode::Either(x, y) => self.logical(x, y, true),
        }
    }

    /// The second is looked at only if the first does not settle it, as in the language.
    fn logical(&mut self, x: Truth, y: Truth, settled: bool) -> NodeId {
        let x = self.taken(self.truths[&x]);
        let y = self.truths[&y];
        match self.builder.known_truth(x) {
            Some(known) if known == settled => return x,
            Some(_) => return self.taken(y),
            None => {}
        }
        let y = self.side(y);
        let constant = (Side::default(), vec![self.builder.truth(settled)]);
        self.joined(x, if settled { [constant, y] } else { [y, constant] })
    }
}
