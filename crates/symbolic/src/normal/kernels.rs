//! Kernels: what an expression is a polynomial of.
//!
//! A kernel is a symbol, a root, a sine, a power with a symbolic exponent, a sum that something is divided
//! by. A [`Table`] numbers those of some expressions, so that sums, products and whole powers of them are
//! [polynomials](crate::normal::polynomial). Roots of one base are powers of one kernel, sines and cosines
//! are those of independent [angles](crate::normal::trig), and exponentials of sums are products.

use crate::normal::polynomial::Place;
use crate::normal::read_polynomial::inverse_waves;
use crate::normal::trig::Angles;
use crate::number::Rational;
use crate::pool::function::Function;
use crate::pool::table::{Map, Set};
use crate::pool::{Expr, Node, Pool};
use num_integer::Integer;
use num_traits::ToPrimitive;

/// Powers of sums that would have more terms than this are not multiplied out, even if that is all that is
/// asked for.
const MAX_TERMS_OF_A_POWER: u64 = 2000;
/// Nor are those with more terms than this, if the aim is a short expression.
const MAX_TERMS_TO_SIMPLIFY: u64 = 200;
/// And nor are higher powers than this one.
const MAX_POWER_TO_SIMPLIFY: u64 = 12;
/// Exponents above this are part of a kernel.
pub(crate) const MAX_EXPONENT: i64 = 2000;
/// Roots of a degree above this are kernels by themselves.
const MAX_ROOT_DEGREE: i64 = 60;

/// One of the things that an expression is a polynomial of.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// What its first power is.
    pub(crate) expr: Expr,
    /// If it is known: what its power of this exponent is.
    pub(crate) value: Option<(i32, Expr)>,
    /// Whether it is a sine or a cosine, and of which unit.
    pub(crate) trig: Option<(Wave, usize)>,
}

/// Sine or cosine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Wave {
    Cosine,
    Sine,
}

/// How far expressions are taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Sums, products, whole powers.
    Algebra,
    /// Also functions of sums: angles, exponentials.
    Functions,
}

/// The kernels of some expressions.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) depth: Depth,
    pub(crate) kernels: Vec<Kernel>,
    places: Map<Expr, Place>,
    waves: Map<(Wave, usize), Place>,
    pub(crate) angles: Angles,
    /// Of each angle its terms multiplied out.
    pub(crate) expanded: Map<Expr, Expr>,
    /// Of bases with fractional exponents, the denominators' least common multiple.
    roots: Map<Expr, i64>,
    /// Of the terms of exponents, by base, the unit of which all are whole multiples.
    exponents: Map<(Option<Expr>, Expr), Rational>,
    /// Sums whose powers are not expanded.
    whole: Set<Expr>,
}

impl Table {
    /// For these expressions, and how many parts they have.
    pub(crate) fn of(pool: &mut Pool, exprs: &[Expr], depth: Depth) -> (Self, usize) {
        let mut table = Self {
            depth,
            kernels: Vec::new(),
            places: Map::default(),
            waves: Map::default(),
            angles: Angles::default(),
            expanded: Map::default(),
            roots: Map::default(),
            exponents: Map::default(),
            whole: Set::default(),
        };
        let (mut seen, mut angles) = (Set::default(), Vec::new());
        for &expr in exprs {
            table.survey(pool, expr, &mut seen, &mut angles);
        }
        table.angles = Angles::of(pool, &angles);
        (table, seen.len())
    }

    /// Notes what units the parts of an expression need.
    fn survey(&mut self, pool: &mut Pool, expr: Expr, seen: &mut Set<Expr>, angles: &mut Vec<Expr>) {
        if !seen.insert(expr) {
            return;
        }
        match pool.node(expr).clone() {
            Node::Sum { terms, .. } => {
                for (term, _) in terms {
                    self.survey(pool, term, seen, angles);
                }
            }
            Node::Product(factors) => {
                for factor in factors {
                    self.survey(pool, factor, seen, angles);
                }
            }
            Node::Power(base, exponent) => match pool.as_number(exponent).cloned() {
                Some(number) => {
                    self.survey_power(pool, base, &number);
                    self.survey(pool, base, seen, angles);
                }
                None if self.depth == Depth::Functions => {
                    self.survey_exponent(pool, Some(base), exponent);
                    self.survey(pool, base, seen, angles);
                }
                None => {}
            },
            Node::Call(function, x) if self.depth == Depth::Functions => match function {
                Function::Sin | Function::Cos | Function::Tan => {
                    let angle = pool.expand(x);
                    self.expanded.insert(x, angle);
                    angles.push(angle);
                    // sin(asin x) is known, and so sin(2 asin x) is to be seen as that of a multiple.
                    for (term, _) in terms_of(pool, angle) {
                        if let Some(waves) = inverse_waves(pool, term) {
                            angles.push(term);
                            waves.into_iter().for_each(|it| self.survey(pool, it, seen, angles));
                        }
                    }
                }
                Function::Exp => self.survey_exponent(pool, None, x),
                Function::Abs => self.survey(pool, x, seen, angles),
                _ => {}
            },
            _ => {}
        }
    }

    fn survey_power(&mut self, pool: &Pool, base: Expr, exponent: &Rational) {
        if let Some(denominator) = exponent.denominator().to_i64()
            && denominator <= MAX_ROOT_DEGREE
        {
            let root = self.roots.entry(base).or_insert(1);
            *root = root.lcm(&denominator).min(i64::from(i32::MAX));
        }
        if let Node::Sum { constant, terms } = pool.node(base) {
            let terms = terms.len() as u64 + u64::from(!constant.is_zero());
            let power = exponent.abs().floor().to_i64().unwrap_or(i64::MAX).unsigned_abs();
            let count = terms_of_a_power(terms, power);
            let large = match self.depth {
                Depth::Algebra => count > MAX_TERMS_OF_A_POWER,
                Depth::Functions => count > MAX_TERMS_TO_SIMPLIFY || power > MAX_POWER_TO_SIMPLIFY,
            };
            if large {
                self.whole.insert(base);
            }
        }
    }

    fn survey_exponent(&mut self, pool: &mut Pool, base: Option<Expr>, exponent: Expr) {
        let exponent = pool.expand(exponent);
        for (term, coefficient) in terms_of(pool, exponent) {
            if let (None, &Node::Call(Function::Log, inner)) = (base, pool.node(term)) {
                self.survey_power(pool, inner, &coefficient);
            }
            let unit = self.exponents.entry((base, term)).or_insert_with(Rational::zero);
            *unit = unit.common(&coefficient);
        }
    }

    /// The unit of a term of exponents.
    pub(crate) fn exponent_unit(&self, base: Option<Expr>, term: Expr) -> Rational {
        self.exponents.get(&(base, term)).cloned().unwrap_or_else(Rational::one)
    }

    /// The degree of the root of a base that is the kernel.
    pub(crate) fn root(&self, base: Expr) -> i64 {
        self.roots.get(&base).copied().filter(|&it| it <= MAX_ROOT_DEGREE).unwrap_or(1)
    }

    /// Returns `true` if powers of this sum stay powers.
    pub(crate) fn is_whole(&self, base: Expr) -> bool {
        self.whole.contains(&base)
    }

    /// The place of a kernel, which is entered if it is new.
    pub(crate) fn place(&mut self, kernel: Kernel) -> Place {
        let next = Place::try_from(self.kernels.len()).expect("kernels are fewer than expressions");
        let place = *self.places.entry(kernel.expr).or_insert(next);
        if place == next {
            if let Some(wave) = kernel.trig {
                self.waves.entry(wave).or_insert(place);
            }
            self.kernels.push(kernel);
        }
        place
    }

    /// The place of an expression that nothing is known of.
    pub(crate) fn plain(&mut self, expr: Expr) -> Place {
        self.place(Kernel { expr, value: None, trig: None })
    }

    /// The sine or cosine of a unit, if it occurs.
    pub(crate) fn wave(&self, wave: Wave, unit: usize) -> Option<Place> {
        self.waves.get(&(wave, unit)).copied()
    }

    pub(crate) fn kernel(&self, place: Place) -> &Kernel {
        &self.kernels[place as usize]
    }
}

/// Terms and coefficients of a sum; the number, if there is one, as a multiple of 1.
pub(crate) fn terms_of(pool: &mut Pool, expr: Expr) -> Vec<(Expr, Rational)> {
    let one = pool.one();
    match pool.node(expr) {
        Node::Number(number) => vec![(one, number.clone())],
        Node::Sum { constant, terms } => {
            let mut found = terms.to_vec();
            if !constant.is_zero() {
                found.push((one, constant.clone()));
            }
            found
        }
        _ => vec![(expr, Rational::one())],
    }
}

/// How many terms the power of a sum has: the number of ways to choose, (terms + power - 1 over power).
fn terms_of_a_power(terms: u64, power: u64) -> u64 {
    let mut count = 1u64;
    for k in 1..terms {
        let Some(next) = count.checked_mul(power.saturating_add(k)) else { return u64::MAX };
        count = next / k;
    }
    count
}
