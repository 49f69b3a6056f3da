//! Expressions as polynomials over kernels.

use crate::normal::budget::{Beyond, Budget};
use crate::normal::kernels::{Depth, Kernel, MAX_EXPONENT, Table, Wave, terms_of};
use crate::normal::polynomial::{Adder, Monomial, Polynomial};
use crate::number::Rational;
use crate::pool::function::{Function, Function2};
use crate::pool::table::Map;
use crate::pool::{Expr, Node, Pool};
use num_traits::ToPrimitive;
use std::rc::Rc;

/// Number of parts of an expression that are visited in the time of one step.
const PARTS_PER_STEP: usize = 4;

/// Reads the expressions for which its table was made.
#[derive(Debug)]
pub(crate) struct Reader<'p> {
    pub(crate) pool: &'p mut Pool,
    pub(crate) table: Table,
    pub(crate) budget: Budget,
    given: Budget,
    known: Map<Expr, Rc<Polynomial>>,
    /// Cosine and sine of the unit angles.
    units: Map<usize, [Rc<Polynomial>; 2]>,
    values: Map<crate::normal::polynomial::Place, Rc<Polynomial>>,
    /// Expressions of monomials.
    pub(crate) products: Map<Monomial, Expr>,
}

impl<'p> Reader<'p> {
    pub(crate) fn new(pool: &'p mut Pool, exprs: &[Expr], depth: Depth, given: Budget) -> Self {
        let (table, parts) = Table::of(pool, exprs, depth);
        let (known, units, values, products) = Default::default();
        let mut budget = given.clone();
        // Where that is all that was left, the first part that is read says so.
        let _ = budget.spend(parts / PARTS_PER_STEP);
        Self { pool, table, budget, given, known, units, values, products }
    }

    /// Returns the expression as a polynomial. Sums in denominators are kernels.
    pub(crate) fn read(&mut self, expr: Expr) -> Result<Rc<Polynomial>, Beyond> {
        if let Some(known) = self.known.get(&expr) {
            return Ok(known.clone());
        }
        self.budget.spend(1)?;
        let found = match self.pool.node(expr).clone() {
            Node::Number(number) => Polynomial::constant(number),
            Node::Sum { constant, terms } => {
                let mut adder = Adder::default();
                adder.add(Monomial::one(), constant);
                for (term, coefficient) in &terms {
                    let part = self.read(*term)?;
                    self.budget.spend(part.len())?;
                    adder.add_all(&part, coefficient);
                }
                adder.finish()
            }
            Node::Product(factors) => {
                let mut parts = Vec::with_capacity(factors.len());
                for &factor in &factors {
                    parts.push(self.read(factor)?);
                }
                parts.sort_by_key(|it| it.len());
                let mut product = Polynomial::constant(Rational::one());
                for part in parts {
                    product = product.times(&part, &mut self.budget)?;
                }
                self.reduced(product)?
            }
            Node::Power(base, exponent) => match self.pool.as_number(exponent).cloned() {
                Some(number) => self.power(expr, base, &number)?,
                None if self.table.depth == Depth::Functions => self.exponential(Some(base), exponent)?,
                None => self.plain(expr),
            },
            Node::Symbol(_) | Node::Pi => self.power(expr, expr, &Rational::one())?,
            Node::Call(function, x) if self.table.depth == Depth::Functions => {
                self.call(expr, function, x)?
            }
            Node::Call(..) | Node::Call2(..) | Node::Choice(..) => {
                self.power(expr, expr, &Rational::one())?
            }
        };
        let found = Rc::new(found);
        self.known.insert(expr, found.clone());
        Ok(found)
    }

    fn plain(&mut self, expr: Expr) -> Polynomial {
        let place = self.table.plain(expr);
        Polynomial::term(Monomial::power(place, 1), Rational::one())
    }

    /// Returns baseⁿ for any number n, where `expr` is that power.
    fn power(&mut self, expr: Expr, base: Expr, exponent: &Rational) -> Result<Polynomial, Beyond> {
        let root = self.table.root(base);
        let Some(times) = (exponent * &Rational::from(root)).to_i64().filter(|it| it.abs() <= MAX_EXPONENT)
        else {
            return Ok(self.plain(expr));
        };
        let times = times.to_i32().expect("exponents are bounded above");
        let whole = self.table.is_whole(base);
        let composite = match self.pool.node(base) {
            Node::Number(_) => true,
            Node::Sum { .. } => !whole,
            Node::Product(_) => true,
            Node::Call(Function::Sin | Function::Cos | Function::Tan | Function::Abs, _)
                if expr != base && self.table.depth == Depth::Functions =>
            {
                let part = self.read(base)?;
                if root == 1
                    && let Some((monomial, number)) = part.single()
                    && let Some(number) = number.power(i64::from(times))
                {
                    return self.reduced(Polynomial::term(monomial.raised(times), number));
                }
                // A function that is a polynomial of kernels: sin(a + b).
                true
            }
            _ => false,
        };
        if composite && exponent.is_integer() && times >= 0 {
            let part = self.read(base)?;
            let power =
                u32::try_from(times / root.to_i32().expect("roots are bounded")).expect("not negative");
            let power = part.power(power, &mut self.budget)?;
            return self.reduced(power);
        }
        let first = match root {
            1 => base,
            _ => {
                let fraction = self.pool.rational(1, root);
                self.pool.pow(base, fraction)
            }
        };
        let value = composite.then(|| (root.to_i32().expect("roots are bounded"), base));
        let place = self.table.place(Kernel { expr: first, value, trig: None });
        self.reduced(Polynomial::term(Monomial::power(place, times), Rational::one()))
    }

    /// Returns baseˣ of a symbolic exponent as a product over the terms of x; without a base it is e.
    fn exponential(&mut self, base: Option<Expr>, exponent: Expr) -> Result<Polynomial, Beyond> {
        let exponent = self.pool.expand(exponent);
        let mut product = Polynomial::constant(Rational::one());
        for (term, coefficient) in terms_of(self.pool, exponent) {
            if let (Some(base), true) = (base, self.pool.is_one(term)) {
                let number = self.pool.number(coefficient.clone());
                let expr = self.pool.pow(base, number);
                let power = self.read(expr)?;
                product = product.times(&power, &mut self.budget)?;
                continue;
            }
            if let (None, &Node::Call(Function::Log, inner)) = (base, self.pool.node(term)) {
                // exp(n log u) = uⁿ wherever log u is defined.
                let number = self.pool.number(coefficient.clone());
                let expr = self.pool.pow(inner, number);
                let power = self.read(expr)?;
                product = product.times(&power, &mut self.budget)?;
                continue;
            }
            let unit = self.table.exponent_unit(base, term);
            let times = (&coefficient / &unit).to_i64().and_then(|it| it.to_i32());
            let (unit, times) = times.map_or((coefficient, 1), |times| (unit, times));
            let exponent = self.pool.scale(&unit, term);
            let power = match base {
                Some(base) => self.pool.pow(base, exponent),
                None => self.pool.call(Function::Exp, exponent),
            };
            let place = self.table.plain(power);
            product = product.shifted(&Monomial::power(place, times));
        }
        Ok(product)
    }

    fn call(&mut self, expr: Expr, function: Function, x: Expr) -> Result<Polynomial, Beyond> {
        match function {
            Function::Sin => Ok(self.wave(x)?[1].clone()),
            Function::Cos => Ok(self.wave(x)?[0].clone()),
            Function::Tan => {
                let (sine, cosine) = (self.pool.sin(x), self.pool.cos(x));
                let above = self.read(sine)?;
                let below = self.pool.powi(cosine, -1);
                let below = self.read(below)?;
                let quotient = above.times(&below, &mut self.budget)?;
                self.reduced(quotient)
            }
            Function::Exp => self.exponential(None, x),
            Function::Log => {
                let mut sum = Adder::default();
                for (term, coefficient) in self.pool.logarithm_terms(x) {
                    let part =
                        match term == expr || matches!(self.pool.node(term), Node::Call(Function::Log, _)) {
                            true => self.power(term, term, &Rational::one())?,
                            false => (*self.read(term)?).clone(),
                        };
                    sum.add_all(&part, &coefficient);
                }
                Ok(sum.finish())
            }
            Function::Abs => {
                // |u|² = u²
                let square = self.pool.powi(x, 2);
                let place = self.table.place(Kernel { expr, value: Some((2, square)), trig: None });
                Ok(Polynomial::term(Monomial::power(place, 1), Rational::one()))
            }
            _ => self.power(expr, expr, &Rational::one()),
        }
    }

    /// Returns cosine and sine of an angle, in those of the units.
    fn wave(&mut self, angle: Expr) -> Result<[Polynomial; 2], Beyond> {
        let angle = match self.table.expanded.get(&angle) {
            Some(&expanded) => expanded,
            None => angle,
        };
        let multiples = self.table.angles.multiples.get(&angle).cloned().unwrap_or_else(|| {
            self.table.angles.units.push(angle);
            vec![(self.table.angles.units.len() - 1, 1)]
        });
        let mut sum = [Polynomial::constant(Rational::one()), Polynomial::zero()];
        for (unit, times) in multiples {
            let one = self.unit(unit)?;
            let one = if times < 0 {
                [(*one[0]).clone(), one[1].negated()]
            } else {
                [(*one[0]).clone(), (*one[1]).clone()]
            };
            for _ in 0..times.unsigned_abs() {
                sum = self.turned(&sum, &one)?;
            }
        }
        let [cosine, sine] = sum;
        Ok([self.reduced(cosine)?, self.reduced(sine)?])
    }

    /// Returns cosine and sine of the sum of two angles.
    fn turned(
        &mut self,
        [c, s]: &[Polynomial; 2],
        [d, t]: &[Polynomial; 2],
    ) -> Result<[Polynomial; 2], Beyond> {
        let budget = &mut self.budget;
        let cosine = c.times(d, budget)?.minus(&s.times(t, budget)?);
        let sine = s.times(d, budget)?.plus(&c.times(t, budget)?);
        Ok([cosine, sine])
    }

    /// Returns cosine and sine of a unit: kernels, unless their values are known.
    fn unit(&mut self, unit: usize) -> Result<[Rc<Polynomial>; 2], Beyond> {
        if let Some(known) = self.units.get(&unit) {
            return Ok(known.clone());
        }
        let angle = self.table.angles.units[unit];
        let found = match inverse_waves(self.pool, angle) {
            Some(exprs) => [self.read(exprs[0])?, self.read(exprs[1])?],
            None => {
                let exprs = [(Wave::Cosine, self.pool.cos(angle)), (Wave::Sine, self.pool.sin(angle))];
                let mut found = Vec::with_capacity(2);
                for (wave, expr) in exprs {
                    found.push(match self.pool.node(expr) {
                        Node::Call(Function::Sin | Function::Cos, _) => {
                            let kernel = Kernel { expr, value: None, trig: Some((wave, unit)) };
                            let place = self.table.place(kernel);
                            Rc::new(Polynomial::term(Monomial::power(place, 1), Rational::one()))
                        }
                        _ => self.read(expr)?,
                    });
                }
                let sine = found.pop().expect("there are two");
                [found.pop().expect("there are two"), sine]
            }
        };
        self.units.insert(unit, found.clone());
        Ok(found)
    }

    /// Returns a power of a kernel one of whose powers is known.
    fn value(
        &mut self,
        place: crate::normal::polynomial::Place,
        value: Expr,
    ) -> Result<Rc<Polynomial>, Beyond> {
        if let Some(known) = self.values.get(&place) {
            return Ok(known.clone());
        }
        let found = self.read(value)?;
        self.values.insert(place, found.clone());
        Ok(found)
    }

    /// Returns the polynomial with known powers of kernels replaced: √x √x is x.
    pub(crate) fn reduced(&mut self, polynomial: Polynomial) -> Result<Polynomial, Beyond> {
        let reducible = |table: &Table, monomial: &Monomial| {
            monomial.powers().find_map(|(place, exponent)| {
                let (degree, value) = table.kernel(place).value?;
                (exponent >= degree).then_some((place, exponent, degree, value))
            })
        };
        if !polynomial.terms().iter().any(|(monomial, _)| reducible(&self.table, monomial).is_some()) {
            return Ok(polynomial);
        }
        let mut adder = Adder::default();
        let mut open: Vec<(Monomial, Rational)> = polynomial.terms().to_vec();
        while let Some((monomial, number)) = open.pop() {
            self.budget.spend(1)?;
            let Some((place, exponent, degree, value)) = reducible(&self.table, &monomial) else {
                adder.add(monomial, number);
                continue;
            };
            let times = exponent / degree;
            let rest = monomial.over(&Monomial::power(place, times * degree));
            let value = self.value(place, value)?;
            let power = value.power(times.unsigned_abs(), &mut self.budget)?;
            self.budget.spend(power.len())?;
            open.extend(power.terms().iter().map(|(m, n)| (m.times(&rest), n * &number)));
        }
        Ok(adder.finish())
    }
}

/// Adds the steps spent to the work of the pool.
impl Drop for Reader<'_> {
    fn drop(&mut self) {
        self.pool.work = self.pool.work.saturating_add(self.given.spent(&self.budget));
    }
}

/// Returns cosine and sine of an angle that is an inverse function: cos(asin x) = √(1 - x²) wherever asin x
/// is defined.
pub(crate) fn inverse_waves(pool: &mut Pool, angle: Expr) -> Option<[Expr; 2]> {
    let square = |pool: &mut Pool, x: Expr| pool.powi(x, 2);
    let one = pool.one();
    match *pool.node(angle) {
        Node::Call(Function::Asin | Function::Acos, x) => {
            let square = square(pool, x);
            let rest = pool.sub(one, square);
            let root = pool.sqrt(rest);
            let is_sine = matches!(pool.node(angle), Node::Call(Function::Asin, _));
            Some(if is_sine { [root, x] } else { [x, root] })
        }
        Node::Call(Function::Atan, x) => {
            let square = square(pool, x);
            let sum = pool.add(one, square);
            let exponent = pool.rational(-1, 2);
            let cosine = pool.pow(sum, exponent);
            Some([cosine, pool.mul(x, cosine)])
        }
        Node::Call2(Function2::Atan2, y, x) => {
            let (x2, y2) = (square(pool, x), square(pool, y));
            let sum = pool.add(x2, y2);
            let exponent = pool.rational(-1, 2);
            let inverse = pool.pow(sum, exponent);
            Some([pool.mul(x, inverse), pool.mul(y, inverse)])
        }
        _ => None,
    }
}
