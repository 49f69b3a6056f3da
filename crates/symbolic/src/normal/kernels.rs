//! Kernels: the indeterminates that an expression is a polynomial in.
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

/// Maximum number of terms of a power of a sum that is multiplied out, even if expansion is all that is asked
/// for.
const MAX_TERMS_OF_A_POWER: u64 = 2000;
/// The same if the aim is a short expression.
const MAX_TERMS_TO_SIMPLIFY: u64 = 200;
/// Maximum power of a sum that is multiplied out if the aim is a short expression.
const MAX_POWER_TO_SIMPLIFY: u64 = 12;
/// Maximum whole exponent of a kernel. Larger exponents are part of a kernel.
pub(crate) const MAX_EXPONENT: i64 = 2000;
/// Maximum degree of a root that is split off. Roots of higher degree are kernels by themselves.
const MAX_ROOT_DEGREE: i64 = 60;

/// An indeterminate.
#[derive(Clone, Debug)]
pub(crate) struct Kernel {
    /// Expression of its first power.
    pub(crate) expr: Expr,
    /// Exponent and expression of a known power: √x has (2, x).
    pub(crate) value: Option<(i32, Expr)>,
    /// For a sine or a cosine: which of them, and its unit angle.
    pub(crate) trig: Option<(Wave, usize)>,
}

/// Sine or cosine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Wave {
    Cosine,
    Sine,
}

/// Depth to which expressions are taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Depth {
    /// Sums, products, whole powers.
    Algebra,
    /// Also functions of sums: angles, exponentials.
    Functions,
}

/// Kernels of some expressions.
#[derive(Clone, Debug)]
pub(crate) struct Table {
    pub(crate) depth: Depth,
    pub(crate) kernels: Vec<Kernel>,
    places: Map<Expr, Place>,
    waves: Map<(Wave, usize), Place>,
    pub(crate) angles: Angles,
    /// Each angle with its terms multiplied out.
    pub(crate) expanded: Map<Expr, Expr>,
    /// Least common multiple of the denominators of exponents, by base.
    roots: Map<Expr, i64>,
    /// Unit of which all coefficients are whole multiples, by base and term of the exponent.
    exponents: Map<(Option<Expr>, Expr), Rational>,
    /// Sums whose powers are not expanded.
    whole: Set<Expr>,
}

impl Table {
    /// Makes the table of these expressions, and returns their number of parts.
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

    /// Records the units that the parts of an expression need.
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

    /// Returns the unit of a term of exponents.
    pub(crate) fn exponent_unit(&self, base: Option<Expr>, term: Expr) -> Rational {
        self.exponents.get(&(base, term)).cloned().unwrap_or_else(Rational::one)
    }

    /// Returns the degree of the root of a base that is the kernel.
    pub(crate) fn root(&self, base: Expr) -> i64 {
        self.roots.get(&base).copied().filter(|&it| it <= MAX_ROOT_DEGREE).unwrap_or(1)
    }

    /// Returns `true` if powers of this sum stay powers.
    pub(crate) fn is_whole(&self, base: Expr) -> bool {
        self.whole.contains(&base)
    }

    /// Returns the place of a kernel, entering it if it is new.
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

    /// Returns the place of an expression without known powers.
    pub(crate) fn plain(&mut self, expr: Expr) -> Place {
        self.place(Kernel { expr, value: None, trig: None })
    }

    /// Returns the place of the sine or cosine of a unit, if it occurs.
    pub(crate) fn wave(&self, wave: Wave, unit: usize) -> Option<Place> {
        self.waves.get(&(wave, unit)).copied()
    }

    pub(crate) fn kernel(&self, place: Place) -> &Kernel {
        &self.kernels[place as usize]
    }
}

/// Returns the terms of a sum with their coefficients; the constant, if there is one, as a multiple of 1.
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

/// Number of terms of a power of a sum: (terms + power - 1 choose power).
fn terms_of_a_power(terms: u64, power: u64) -> u64 {
    let mut count = 1u64;
    for k in 1..terms {
        let Some(next) = count.checked_mul(power.saturating_add(k)) else { return u64::MAX };
        count = next / k;
    }
    count
}
