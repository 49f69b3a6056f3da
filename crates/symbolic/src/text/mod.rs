//! Expressions as text, as a physicist would write them, in the language's own grammar.
//!
//! ```text
//! m*l^2*theta_dot_dot + m*g*l*sine(theta)        3*g/(2*l)        if x < 0 then -x else 9.81*x
//! ```
//!
//! Reading the text back with the constructors of a [`Pool`] gives the same expression: constructors flatten,
//! collect and order, therefore the text may group and order freely. Readability is decided in two places:
//! [`written_order`] for the order of terms and factors, [`literal`] for numbers.
//!
//! Nothing here recurses over expressions: pending items are on an explicit stack, so that depth costs memory
//! and not the machine's stack.

mod factor;
mod literal;
mod row;
mod written_order;

use crate::number::Rational;
use crate::pool::truth::{Comparison, Truth, TruthNode};
use crate::pool::{Expr, Node, Pool};
use factor::{Base, Exponent, Factor, join_roots};
use literal::literal;
use row::{MAX_ROW_LENGTH, group};
use written_order::WrittenOrder;

/// Binding levels of operators, as in the table of the language.
mod level {
    pub(super) const CHOICE: u8 = 1;
    pub(super) const EITHER: u8 = 2;
    pub(super) const BOTH: u8 = 3;
    pub(super) const COMPARE: u8 = 4;
    pub(super) const COMPARED: u8 = 5;
    pub(super) const SUM: u8 = 6;
    pub(super) const PRODUCT: u8 = 7;
    pub(super) const FACTOR: u8 = 8;
    pub(super) const POWER: u8 = 9;
    pub(super) const ATOM: u8 = 10;
}

impl Pool {
    /// Returns the expression in the language of laws, in the order in which people write:
    /// `m*l^2*theta_dot_dot + m*g*l*sine(theta)`. Read back, it is the same expression.
    ///
    /// ```
    /// use gedanken_symbolic::Pool;
    ///
    /// let mut pool = Pool::new();
    /// let (g, l, theta) = (pool.symbol("g"), pool.symbol("l"), pool.symbol("theta"));
    /// let acceleration = pool.symbol("theta_dot_dot");
    /// let sine = pool.sin(theta);
    /// let pull = pool.mul(g, sine);
    /// let pull = pool.div(pull, l);
    /// let pendulum = pool.add(pull, acceleration);
    /// assert_eq!(pool.text(pendulum), "theta_dot_dot + g*sine(theta)/l");
    /// ```
    ///
    /// A part that is shared is written each time it occurs, so the text can be much longer than the pool is
    /// large. Where that may happen, use [`text_within`](Self::text_within).
    pub fn text(&self, expr: Expr) -> String {
        self.text_within(expr, usize::MAX).unwrap_or_default()
    }

    /// Returns the text, unless it has more bytes than `most`.
    pub fn text_within(&self, expr: Expr, most: usize) -> Option<String> {
        Writer::new(self, [expr]).write(Item::Expr(expr, level::CHOICE), most)
    }

    /// Returns the condition in the language of laws: `0 < x & x <= l`.
    pub fn truth_text(&self, truth: Truth) -> String {
        let mut compared = Vec::new();
        self.compared(truth, &mut |expr| compared.push(expr));
        Writer::new(self, compared).write(Item::Truth(truth, level::CHOICE), usize::MAX).unwrap_or_default()
    }
}

/// An item to be written.
#[derive(Clone, Debug)]
enum Item {
    /// An expression, in parentheses if it binds less tightly than this.
    Expr(Expr, u8),
    /// Minus a sum, likewise.
    Opposite(Expr, u8),
    Truth(Truth, u8),
    /// A number that is not negative, likewise.
    Number(Rational, u8),
    Text(&'static str),
}

struct Writer<'p> {
    pool: &'p Pool,
    written_order: WrittenOrder<'p>,
    /// Pending items, the next one last.
    open: Vec<Item>,
}

impl<'p> Writer<'p> {
    fn new(pool: &'p Pool, exprs: impl IntoIterator<Item = Expr>) -> Self {
        Self { pool, written_order: WrittenOrder::new(pool, exprs), open: Vec::new() }
    }

    fn write(mut self, first: Item, most: usize) -> Option<String> {
        let mut out = String::new();
        let mut row = Vec::new();
        self.open.push(first);
        while let Some(item) = self.open.pop() {
            match item {
                Item::Text(text) => out.push_str(text),
                Item::Number(number, least) => {
                    let (text, level) = literal(&number);
                    if level < least {
                        out.extend(["(", &text, ")"]);
                    } else {
                        out.push_str(&text);
                    }
                }
                Item::Expr(expr, _) if self.pool.as_symbol(expr).is_some() => {
                    out.extend(self.pool.as_symbol(expr).map(|symbol| self.pool.name(symbol)));
                }
                Item::Expr(expr, least) => {
                    let inside = self.level(expr) < least;
                    self.bracketed(&mut row, inside, |writer, row| writer.expr(row, expr));
                }
                Item::Opposite(sum, least) => {
                    let inside = self.opposite_level(sum) < least;
                    self.bracketed(&mut row, inside, |writer, row| writer.sum(row, sum, true));
                }
                Item::Truth(truth, least) => {
                    let inside = self.truth_level(truth) < least;
                    self.bracketed(&mut row, inside, |writer, row| writer.truth(row, truth));
                }
            }
            self.open.extend(row.drain(..).rev());
            if out.len() > most {
                return None;
            }
        }
        Some(out)
    }

    fn bracketed(&self, row: &mut Vec<Item>, inside: bool, write: impl FnOnce(&Self, &mut Vec<Item>)) {
        if inside {
            row.push(Item::Text("("));
        }
        write(self, row);
        if inside {
            row.push(Item::Text(")"));
        }
    }

    /// Returns the binding level of the text of an expression.
    fn level(&self, expr: Expr) -> u8 {
        match self.pool.node(expr) {
            Node::Number(number) if number.is_negative() => level::SUM,
            Node::Number(number) => literal(number).1,
            Node::Pi | Node::Symbol(_) | Node::Call(..) | Node::Call2(..) => level::ATOM,
            Node::Sum { .. } => level::SUM,
            Node::Product(_) => level::PRODUCT,
            Node::Power(..) => match self.factor(expr) {
                (true, _) => level::PRODUCT,
                (false, factor) if factor.exponent.is_half() => level::ATOM,
                _ => level::POWER,
            },
            Node::Choice(..) => level::CHOICE,
        }
    }

    /// Returns the binding level of the text of minus a sum.
    fn opposite_level(&self, sum: Expr) -> u8 {
        match self.pool.node(sum) {
            Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
                let (term, scale) = &terms[0];
                if (-scale).is_one() { self.level(*term) } else { level::PRODUCT }
            }
            _ => level::SUM,
        }
    }

    fn truth_level(&self, truth: Truth) -> u8 {
        match self.pool.truth_node(truth) {
            TruthNode::Known(_) => level::ATOM,
            TruthNode::Compare(..) => level::COMPARE,
            TruthNode::Not(_) => level::FACTOR,
            TruthNode::Both(..) => level::BOTH,
            TruthNode::Either(..) => level::EITHER,
        }
    }

    fn expr(&self, row: &mut Vec<Item>, expr: Expr) {
        match self.pool.node(expr) {
            Node::Number(number) => {
                if number.is_negative() {
                    row.push(Item::Text("-"));
                }
                row.push(Item::Number(number.abs(), level::PRODUCT));
            }
            Node::Pi => row.push(Item::Text("pi")),
            Node::Symbol(_) => row.push(Item::Expr(expr, level::ATOM)),
            Node::Sum { .. } => self.sum(row, expr, false),
            Node::Product(_) | Node::Power(..) => self.term(row, &Rational::one(), expr, None),
            Node::Call(function, x) => call(row, function.name(), &[*x]),
            Node::Call2(function, x, y) => call(row, function.name(), &[*x, *y]),
            &Node::Choice(condition, then, otherwise) => row.extend([
                Item::Text("if "),
                Item::Truth(condition, level::EITHER),
                Item::Text(" then "),
                Item::Expr(then, level::EITHER),
                Item::Text(" else "),
                Item::Expr(otherwise, level::CHOICE),
            ]),
        }
    }

    fn truth(&self, row: &mut Vec<Item>, truth: Truth) {
        match *self.pool.truth_node(truth) {
            TruthNode::Known(known) => row.push(Item::Text(if known { "true" } else { "false" })),
            TruthNode::Compare(comparison, x, y) => row.extend([
                Item::Expr(x, level::COMPARED),
                Item::Text(match comparison {
                    Comparison::Eq => " == ",
                    Comparison::Ne => " != ",
                    Comparison::Lt => " < ",
                    Comparison::Le => " <= ",
                }),
                Item::Expr(y, level::COMPARED),
            ]),
            TruthNode::Not(x) => row.extend([Item::Text("!"), Item::Truth(x, level::ATOM)]),
            TruthNode::Both(x, y) => {
                row.extend([Item::Truth(x, level::BOTH), Item::Text(" & "), Item::Truth(y, level::COMPARE)])
            }
            TruthNode::Either(x, y) => {
                row.extend([Item::Truth(x, level::EITHER), Item::Text(" | "), Item::Truth(y, level::BOTH)]);
            }
        }
    }

    /// Writes a sum, or minus it.
    fn sum(&self, row: &mut Vec<Item>, sum: Expr, opposite: bool) {
        let Node::Sum { constant, terms } = self.pool.node(sum) else { return };
        let sign = if opposite { Rational::from(-1) } else { Rational::one() };
        let mut scaled: Vec<(Option<Expr>, Rational)> =
            terms.iter().map(|(term, scale)| (Some(*term), scale * &sign)).collect();
        scaled.sort_by(|(a, _), (b, _)| self.written_order.order_terms(*a, *b));
        if !constant.is_zero() {
            scaled.push((None, constant * &sign));
        }
        // Rather than a minus in front: k (r - l) for -k (l - r).
        let mut turned = vec![None; scaled.len()];
        if !scaled.iter().any(|(_, scale)| scale.is_positive()) {
            for ((term, scale), turned) in scaled.iter_mut().zip(&mut turned) {
                *turned = term.and_then(|term| self.written_order.turnable(term));
                *scale = if turned.is_some() { -&*scale } else { scale.clone() };
            }
        }
        if let Some(lead) = scaled.iter().position(|(_, scale)| scale.is_positive()) {
            scaled[..=lead].rotate_right(1);
            turned[..=lead].rotate_right(1);
        }
        let start = row.len();
        let mut ends = Vec::with_capacity(scaled.len());
        for (place, ((term, scale), turned)) in scaled.iter().zip(turned).enumerate() {
            // A group stands in parentheses, behind a plus.
            let opens = place.is_multiple_of(MAX_ROW_LENGTH) && scaled.len() > MAX_ROW_LENGTH;
            row.push(Item::Text(match (opens || place == 0, scale.is_negative()) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            }));
            match term {
                Some(term) => self.term(row, &scale.abs(), *term, turned),
                None => row.push(Item::Number(scale.abs(), level::PRODUCT)),
            }
            ends.push(row.len() - start);
        }
        group(row, start, &ends, " + ");
    }

    /// Writes a positive number times an expression that is neither number nor sum, one of its sums `turned`
    /// into the opposite.
    fn term(&self, row: &mut Vec<Item>, scale: &Rational, term: Expr, turned: Option<Expr>) {
        let (mut above, mut below) = (Vec::new(), Vec::new());
        let mut sort = |factor: Expr| {
            let (divides, mut written) = self.factor(factor);
            if turned == Some(factor) {
                written.base = Base::Opposite(factor);
            }
            if divides { below.push(written) } else { above.push(written) }
        };
        match self.pool.node(term) {
            Node::Product(factors) => self.written_order.ordered(factors).into_iter().for_each(&mut sort),
            _ => sort(term),
        }
        join_roots(self.pool, &mut above);
        let (_, level) = literal(scale);
        let (first, last) = if level == level::PRODUCT {
            (Rational::from(scale.numerator()), Rational::from(scale.denominator()))
        } else {
            (scale.clone(), Rational::one())
        };
        if !first.is_one() || above.is_empty() {
            above.insert(0, Factor::number(first));
        }
        if !last.is_one() {
            below.insert(0, Factor::number(last));
        }
        self.factors(row, &above);
        if below.is_empty() {
            return;
        }
        row.push(Item::Text("/"));
        self.bracketed(row, below.len() > 1, |writer, row| writer.factors(row, &below));
    }

    fn factors(&self, row: &mut Vec<Item>, factors: &[Factor]) {
        let start = row.len();
        let mut ends = Vec::with_capacity(factors.len());
        for (place, factor) in factors.iter().enumerate() {
            let opens = place.is_multiple_of(MAX_ROW_LENGTH) && factors.len() > MAX_ROW_LENGTH;
            if place > 0 && !opens {
                row.push(Item::Text("*"));
            }
            self.power(row, factor);
            ends.push(row.len() - start);
        }
        group(row, start, &ends, "*");
    }

    fn power(&self, row: &mut Vec<Item>, factor: &Factor) {
        let base = |least| match &factor.base {
            Base::Expr(base) => Item::Expr(*base, least),
            Base::Opposite(sum) => Item::Opposite(*sum, least),
            Base::Number(number) => Item::Number(number.clone(), least),
        };
        match &factor.exponent {
            Exponent::Number(exponent) if exponent.is_one() => row.push(base(level::FACTOR)),
            exponent if exponent.is_half() => {
                row.extend([Item::Text("sqrt("), base(level::CHOICE), Item::Text(")")]);
            }
            exponent => row.extend([
                base(level::ATOM),
                Item::Text("^"),
                match exponent {
                    Exponent::Number(exponent) => Item::Number(exponent.clone(), level::ATOM),
                    Exponent::Expr(exponent) => Item::Expr(*exponent, level::ATOM),
                    Exponent::Opposite(exponent) => Item::Opposite(*exponent, level::ATOM),
                },
            ]),
        }
    }

    /// Returns an expression that is neither number, sum nor product as a factor, and `true` if it belongs to
    /// the denominator.
    fn factor(&self, expr: Expr) -> (bool, Factor) {
        let &Node::Power(base, exponent) = self.pool.node(expr) else {
            return (false, Factor { base: Base::Expr(expr), exponent: Exponent::Number(Rational::one()) });
        };
        let (below, exponent) = match self.pool.node(exponent) {
            Node::Number(number) => (number.is_negative(), Exponent::Number(number.abs())),
            Node::Sum { constant, terms }
                if !constant.is_positive() && terms.iter().all(|(_, scale)| scale.is_negative()) =>
            {
                (true, Exponent::Opposite(exponent))
            }
            _ => (false, Exponent::Expr(exponent)),
        };
        (below, Factor { base: Base::Expr(base), exponent })
    }
}

fn call(row: &mut Vec<Item>, name: &'static str, arguments: &[Expr]) {
    row.extend([Item::Text(name), Item::Text("(")]);
    for (place, &argument) in arguments.iter().enumerate() {
        row.push(Item::Text(if place > 0 { ", " } else { "" }));
        row.push(Item::Expr(argument, level::CHOICE));
    }
    row.push(Item::Text(")"));
}
