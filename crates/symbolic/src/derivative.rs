//! Derivatives by the rules of the textbook, each shared part computed once.

use crate::matrix::Matrix;
use crate::number::Rational;
use crate::pool::function::{Function, Function2};
use crate::pool::table::{Map, Set};
use crate::pool::truth::Comparison;
use crate::pool::{Expr, Node, Pool};

/// A derivation, given by the rate of each symbol. One value asked for many expressions differentiates their
/// shared parts once.
///
/// Where only one operand of an expression varies, the chain rule goes straight down to the place that varies
/// and multiplies all slopes at once: sin(sin(… sin(x))) makes one product, not one for each level.
///
/// ```
/// use gedanken_symbolic::{Derivation, Pool};
///
/// // d/dt cos(2 θ), if θ changes at θ̇.
/// let mut pool = Pool::new();
/// let (theta, rate) = (pool.symbol("theta"), pool.symbol("theta_dot"));
/// let double = pool.add(theta, theta);
/// let cosine = pool.cos(double);
/// let mut in_time = Derivation::in_time([(theta, rate)]);
/// let changes = in_time.of(&mut pool, cosine);
/// assert_eq!(pool.text(changes), "-2*theta_dot*sine(2*theta)");
/// ```
#[derive(Clone, Debug)]
pub struct Derivation {
    /// Derivatives of the expressions met so far, symbols included.
    known: Map<Expr, Expr>,
}

impl Derivation {
    /// Derivation by one symbol: its rate is 1, that of all others 0.
    pub fn by(pool: &mut Pool, symbol: Expr) -> Self {
        let one = pool.one();
        Self { known: Map::from_iter([(symbol, one)]) }
    }

    /// Derivation in time: each of these symbols changes at its rate, all others are constant. Time itself,
    /// if it occurs, has the rate 1.
    pub fn in_time(rates: impl IntoIterator<Item = (Expr, Expr)>) -> Self {
        Self { known: rates.into_iter().collect() }
    }

    /// Returns the derivative.
    pub fn of(&mut self, pool: &mut Pool, expr: Expr) -> Expr {
        self.settle_constants(pool, expr);
        let mut wanted = self.wanted(pool, expr);
        // Parts have smaller numbers than what they are in.
        wanted.sort_unstable_by_key(|it| it.0);
        for it in wanted {
            let derivative = self.derived(pool, it);
            self.known.insert(it, derivative);
        }
        self.at(pool, expr)
    }

    /// Returns the known derivative, 0 if there is none.
    fn at(&self, pool: &mut Pool, expr: Expr) -> Expr {
        self.known.get(&expr).copied().unwrap_or_else(|| pool.zero())
    }

    /// Records a derivative of 0 for all constant parts.
    fn settle_constants(&mut self, pool: &mut Pool, expr: Expr) {
        let zero = pool.zero();
        let parts = pool.parts_without([expr], |part| self.known.contains_key(&part));
        let mut moving: Set<Expr> = Set::default();
        for part in parts {
            let mut moves = false;
            varied(pool, part, |operand| {
                moves |= moving.contains(&operand) || self.known.get(&operand).is_some_and(|it| *it != zero);
            });
            if moves {
                moving.insert(part);
            } else {
                self.known.insert(part, zero);
            }
        }
    }

    /// Returns the expression and all others whose derivatives its own needs.
    fn wanted(&self, pool: &Pool, expr: Expr) -> Vec<Expr> {
        let (mut seen, mut open, mut wanted) = (Set::default(), vec![expr], Vec::new());
        while let Some(head) = open.pop() {
            if self.known.contains_key(&head) || !seen.insert(head) {
                continue;
            }
            wanted.push(head);
            let mut end = head;
            while let Some(next) = self.only_moving(pool, end) {
                end = next;
            }
            if end == head {
                varied(pool, head, |operand| open.push(operand));
            } else {
                open.push(end);
            }
        }
        wanted
    }

    /// Returns the only operand that varies, if the derivative is a multiple of that operand's.
    fn only_moving(&self, pool: &Pool, expr: Expr) -> Option<Expr> {
        if self.known.contains_key(&expr) || matches!(pool.node(expr), Node::Call2(..) | Node::Choice(..)) {
            return None;
        }
        let (mut only, mut count) = (None, 0);
        varied(pool, expr, |operand| {
            // Constants have been recorded; every other part varies.
            if self.known.get(&operand).is_none_or(|it| !pool.is_zero(*it)) {
                (only, count) = (Some(operand), count + 1);
            }
        });
        only.filter(|_| count == 1)
    }

    /// Returns the derivative, given those of the parts it needs.
    fn derived(&self, pool: &mut Pool, head: Expr) -> Expr {
        let (mut factors, mut end) = (Vec::new(), head);
        while let Some(next) = self.only_moving(pool, end) {
            slopes(pool, &mut factors, end, next);
            end = next;
        }
        if end == head {
            return self.rule(pool, head);
        }
        factors.push(self.at(pool, end));
        pool.product(&factors)
    }

    /// Returns the derivative of an expression with several operands that vary.
    fn rule(&self, pool: &mut Pool, expr: Expr) -> Expr {
        match pool.node(expr).clone() {
            Node::Number(_) | Node::Pi | Node::Symbol(_) => pool.zero(),
            Node::Sum { terms, .. } => {
                let rates: Vec<(Expr, Rational)> =
                    terms.into_iter().map(|(term, scale)| (self.at(pool, term), scale)).collect();
                pool.linear(&rates)
            }
            Node::Product(factors) => {
                let mut terms = Vec::with_capacity(factors.len());
                for (place, &factor) in factors.iter().enumerate() {
                    let rate = self.at(pool, factor);
                    if !pool.is_zero(rate) {
                        let mut factors = factors.to_vec();
                        factors[place] = rate;
                        terms.push(pool.product(&factors));
                    }
                }
                pool.sum(&terms)
            }
            Node::Power(base, exponent) => self.power(pool, expr, base, exponent),
            Node::Call(function, x) => {
                let (outer, inner) = (slope(pool, function, expr, x), self.at(pool, x));
                pool.mul(outer, inner)
            }
            Node::Call2(function, x, y) => {
                let rates = [self.at(pool, x), self.at(pool, y)];
                of_two(pool, function, [x, y], rates)
            }
            Node::Choice(condition, x, y) => {
                let (x, y) = (self.at(pool, x), self.at(pool, y));
                pool.choice(condition, x, y)
            }
        }
    }

    /// (uⁿ)′ = n uⁿ⁻¹ u′, and for exponents that change (uᵛ)′ = uᵛ (v′ log u + v u′ / u).
    fn power(&self, pool: &mut Pool, expr: Expr, base: Expr, exponent: Expr) -> Expr {
        let (rate, growth) = (self.at(pool, base), self.at(pool, exponent));
        let terms = [(rate, true), (growth, false)].map(|(rate, by_base)| {
            let mut factors = vec![rate];
            power_slopes(pool, &mut factors, expr, by_base);
            pool.product(&factors)
        });
        pool.sum(&terms)
    }
}

/// Calls `visit` with every operand that an expression varies with: all but conditions.
fn varied(pool: &Pool, expr: Expr, mut visit: impl FnMut(Expr)) {
    match *pool.node(expr) {
        Node::Choice(_, x, y) => {
            visit(x);
            visit(y);
        }
        _ => pool.operands(expr, visit),
    }
}

/// Appends the factors of the derivative of an expression by the one operand that varies.
fn slopes(pool: &mut Pool, factors: &mut Vec<Expr>, expr: Expr, operand: Expr) {
    match pool.node(expr) {
        Node::Sum { terms, .. } => {
            let scale = terms.iter().find(|(term, _)| *term == operand).map(|(_, scale)| scale.clone());
            factors.extend(scale.map(|scale| pool.number(scale)));
        }
        Node::Product(all) => factors.extend(all.iter().copied().filter(|factor| *factor != operand)),
        &Node::Power(base, _) => power_slopes(pool, factors, expr, operand == base),
        &Node::Call(function, x) => factors.push(slope(pool, function, expr, x)),
        Node::Number(_) | Node::Pi | Node::Symbol(_) | Node::Call2(..) | Node::Choice(..) => {}
    }
}

/// Appends the factors n uⁿ⁻¹ by the base, or uⁿ log u by the exponent. 0ⁿ counts as 0, where it has
/// neighbours.
fn power_slopes(pool: &mut Pool, factors: &mut Vec<Expr>, expr: Expr, by_base: bool) {
    let &Node::Power(base, exponent) = pool.node(expr) else { return };
    if by_base {
        let one = pool.one();
        let less = pool.sub(exponent, one);
        factors.extend([exponent, pool.pow(base, less)]);
    } else if pool.is_zero(base) {
        factors.push(base);
    } else {
        factors.extend([expr, pool.call(Function::Log, base)]);
    }
}

/// Returns the derivative of a function of two reals with these rates.
fn of_two(pool: &mut Pool, function: Function2, [x, y]: [Expr; 2], [dx, dy]: [Expr; 2]) -> Expr {
    match function {
        Function2::Atan2 => {
            // Of (y, x): (x dy - y dx) / (x² + y²); the first argument is what is usually called y.
            let (up, down) = (pool.mul(y, dx), pool.mul(x, dy));
            let above = pool.sub(up, down);
            let (x2, y2) = (pool.powi(x, 2), pool.powi(y, 2));
            let below = pool.add(x2, y2);
            pool.div(above, below)
        }
        Function2::Min => {
            let other = pool.compare(Comparison::Lt, y, x);
            pool.choice(other, dy, dx)
        }
        Function2::Max => {
            let other = pool.compare(Comparison::Lt, x, y);
            pool.choice(other, dy, dx)
        }
        Function2::Mod => {
            // x - y floor(x/y), where it does not jump.
            let quotient = pool.div(x, y);
            let floor = pool.call(Function::Floor, quotient);
            let change = pool.mul(floor, dy);
            pool.sub(dx, change)
        }
    }
}

/// Returns f′(x), where `value` is f(x). Functions with jumps have the derivative of their pieces.
fn slope(pool: &mut Pool, function: Function, value: Expr, x: Expr) -> Expr {
    match function {
        Function::Sin => pool.cos(x),
        Function::Cos => {
            let sine = pool.sin(x);
            pool.neg(sine)
        }
        Function::Tan => {
            let cosine = pool.cos(x);
            pool.powi(cosine, -2)
        }
        Function::Asin | Function::Acos => {
            let (one, square) = (pool.one(), pool.powi(x, 2));
            let rest = pool.sub(one, square);
            let exponent = pool.rational(-1, 2);
            let slope = pool.pow(rest, exponent);
            if function == Function::Asin { slope } else { pool.neg(slope) }
        }
        Function::Atan => {
            let (one, square) = (pool.one(), pool.powi(x, 2));
            let sum = pool.add(one, square);
            pool.powi(sum, -1)
        }
        Function::Exp => value,
        Function::Log => pool.powi(x, -1),
        Function::Abs => pool.call(Function::Sign, x),
        Function::Sign | Function::Floor | Function::Ceil | Function::Round => pool.zero(),
    }
}

impl Pool {
    /// ∂f/∂symbol
    pub fn derivative(&mut self, f: Expr, symbol: Expr) -> Expr {
        Derivation::by(self, symbol).of(self, f)
    }

    /// ∂f/∂symbol for each symbol.
    pub fn gradient(&mut self, f: Expr, symbols: &[Expr]) -> Vec<Expr> {
        symbols.iter().map(|&symbol| self.derivative(f, symbol)).collect()
    }

    /// ∂fᵢ/∂xⱼ in row i and column j.
    pub fn jacobian(&mut self, f: &[Expr], x: &[Expr]) -> Matrix {
        let columns: Vec<Vec<Expr>> = x
            .iter()
            .map(|&symbol| {
                let mut by = Derivation::by(self, symbol);
                f.iter().map(|&f| by.of(self, f)).collect()
            })
            .collect();
        Matrix::from_fn(f.len(), x.len(), |row, column| columns[column][row])
    }
}
