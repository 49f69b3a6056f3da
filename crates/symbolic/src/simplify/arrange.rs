//! From a polynomial to the expression that is easiest to read: collected by accelerations and rates,
//! factored where that is shorter.

use super::cost::Costs;
use super::factor::two_factors;
use super::{is_acceleration, moves};
use crate::normal::budget::Beyond;
use crate::normal::polynomial::{Adder, Monomial, Place, Polynomial};
use crate::normal::read_polynomial::Reader;
use crate::normal::trig::{Forms, Style};
use crate::number::Rational;
use crate::pool::table::Map;
use crate::pool::{Expr, Node};

/// Maximum number of terms of a polynomial that is collected by other kernels than those that move.
const MAX_TERMS_TO_COLLECT: usize = 40;
/// Maximum number of terms of a polynomial for which every kernel is tried as the one to collect by.
const MAX_TERMS_TO_TRY_ALL_KERNELS: usize = 12;
/// Maximum number of terms of a polynomial that is written in all styles. Some styles hardly make larger ones
/// shorter.
const MAX_TERMS_FOR_ALL_STYLES: usize = 100;
/// Maximum number of steps of the search for factors of one polynomial.
const MAX_STEPS_PER_FACTOR: u64 = 20_000;

/// Classes of kernels to collect by, the preferred one first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Class {
    /// Accelerations, rates, momenta and multipliers: in these, equations of motion are polynomials.
    Motion,
    /// Functions, roots, sums in denominators.
    Function,
    /// Other symbols.
    Symbol,
}

/// Arranges the polynomials of one reader.
#[derive(Debug)]
pub(super) struct Arranger<'a, 'p> {
    pub(super) reader: &'a mut Reader<'p>,
    costs: &'a mut Costs,
    forms: &'a mut Forms,
    known: Map<Polynomial, Expr>,
}

impl<'a, 'p> Arranger<'a, 'p> {
    pub(super) fn new(reader: &'a mut Reader<'p>, costs: &'a mut Costs, forms: &'a mut Forms) -> Self {
        Self { reader, costs, forms, known: Map::default() }
    }

    pub(super) fn cost(&mut self, expr: Expr) -> u64 {
        self.costs.of(self.reader.pool, expr)
    }

    fn is_wave(&self, place: Place) -> bool {
        self.reader.table.kernel(place).trig.is_some()
    }

    /// Returns `true` if sines or cosines occur.
    fn has_waves(&self, polynomial: &Polynomial) -> bool {
        polynomial.kernels().into_iter().any(|it| self.is_wave(it))
    }

    fn class(&self, place: Place) -> Class {
        let pool = &*self.reader.pool;
        let expr = self.reader.table.kernel(place).expr;
        match pool.node(expr) {
            Node::Symbol(_) if moves(pool, expr) => Class::Motion,
            Node::Symbol(_) => Class::Symbol,
            &Node::Power(base, _) if matches!(pool.node(base), Node::Symbol(_)) => Class::Symbol,
            Node::Pi => Class::Symbol,
            _ => Class::Function,
        }
    }

    /// Returns the polynomial written in all styles that may differ, equal results once.
    pub(super) fn in_styles(&mut self, polynomial: &Polynomial) -> Result<Vec<Polynomial>, Beyond> {
        let mut found = Vec::new();
        for &style in self.styles(polynomial) {
            let written = self.written(polynomial, style)?;
            if !found.contains(&written) {
                found.push(written);
            }
        }
        Ok(found)
    }

    fn styles(&self, polynomial: &Polynomial) -> &'static [Style] {
        match self.has_waves(polynomial) {
            true if polynomial.len() > MAX_TERMS_FOR_ALL_STYLES => &[Style::Single, Style::Shortest],
            true => &[Style::Shortest, Style::Single, Style::Powers, Style::Multiples],
            false => &[Style::Powers],
        }
    }

    /// Writes sines and cosines in a style, in each coefficient of the rest.
    fn written(&mut self, polynomial: &Polynomial, style: Style) -> Result<Polynomial, Beyond> {
        if !self.has_waves(polynomial) {
            return Ok(polynomial.clone());
        }
        let groups = polynomial.grouped(|place, exponent| !(self.is_wave(place) && exponent > 0));
        let mut adder = Adder::default();
        for (key, waves) in groups {
            let form = self.forms.write(self.reader, self.costs, &waves, style)?;
            adder.add_all(&form.shifted(&key), &Rational::one());
        }
        Ok(adder.finish())
    }

    /// Returns the polynomial over one denominator, in each style.
    pub(super) fn quotients(&mut self, polynomial: &Polynomial) -> Result<Vec<Expr>, Beyond> {
        let fraction = self.reader.together(polynomial)?;
        let fraction = self.reader.cancelled(fraction)?;
        let mut belows = vec![self.reader.monomial(&fraction.below)];
        belows.extend(self.joined(&fraction.below)?);
        let mut found = Vec::new();
        for written in self.in_styles(&fraction.above)? {
            let above = self.arranged(&written);
            for &below in &belows {
                found.push(self.reader.pool.div(above, below));
            }
        }
        Ok(found)
    }

    /// Joins several sums in a denominator, if sines and cosines may become simpler in it: (1 - cos θ) (1 +
    /// cos θ).
    fn joined(&mut self, below: &Monomial) -> Result<Option<Expr>, Beyond> {
        let table = &self.reader.table;
        let (sums, rest) =
            below.split(|place, exponent| matches!(table.kernel(place).value, Some((1, _)) if exponent > 0));
        if sums.powers().count() < 2 {
            return Ok(None);
        }
        let lifted = Polynomial::term(sums, Rational::one());
        let product = self.reader.reduced(lifted)?;
        if !self.has_waves(&product) {
            return Ok(None);
        }
        let written = self.written(&product, Style::Shortest)?;
        let (one, other) = (self.arranged(&written), self.reader.monomial(&rest));
        Ok(Some(self.reader.pool.mul(one, other)))
    }

    /// Returns the polynomial with common factors before brackets, and the brackets in their best form.
    pub(super) fn arranged(&mut self, polynomial: &Polynomial) -> Expr {
        match polynomial.terms() {
            [] => return self.reader.pool.zero(),
            [(monomial, number)] => {
                let monomial = self.reader.monomial(monomial);
                return self.reader.pool.scale(number, monomial);
            }
            _ => {}
        }
        let (content, shared, rest) = taken_apart(polynomial);
        let inner = self.best(&rest);
        if shared.is_one() {
            return self.reader.pool.scale(&content, inner);
        }
        let shared = self.reader.monomial(&shared);
        let product = self.reader.pool.mul(shared, inner);
        let product = self.reader.pool.scale(&content, product);
        let flat = self.reader.flat(polynomial);
        self.cheaper(product, flat)
    }

    /// Returns the cheaper of two expressions; the first if they cost the same.
    fn cheaper(&mut self, a: Expr, b: Expr) -> Expr {
        if self.cost(b) < self.cost(a) { b } else { a }
    }

    /// Returns the best form of a polynomial of two terms or more that no monomial divides.
    fn best(&mut self, polynomial: &Polynomial) -> Expr {
        if let Some(&known) = self.known.get(polynomial) {
            return known;
        }
        let mut best = self.reader.flat(polynomial);
        if polynomial.len() > 2 && self.reader.budget.spend(polynomial.len()).is_ok() {
            for it in self.collected(polynomial) {
                best = self.cheaper(best, it);
            }
            let gathered = self.gathered(best);
            best = self.cheaper(best, gathered);
        }
        self.known.insert(polynomial.clone(), best);
        best
    }

    fn collected(&mut self, polynomial: &Polynomial) -> Vec<Expr> {
        let mut found = Vec::new();
        let kernels = polynomial.kernels();
        let Some(first) = kernels.iter().map(|&it| self.class(it)).min() else { return found };
        if polynomial.len() <= MAX_TERMS_TO_COLLECT {
            let factors =
                self.reader.budget.within(MAX_STEPS_PER_FACTOR, |budget| two_factors(polynomial, budget));
            if let Ok(Some([a, b])) = factors {
                let (a, b) = (self.arranged(&a), self.arranged(&b));
                found.push(self.reader.pool.mul(a, b));
            }
        }
        if first != Class::Symbol {
            let it = self.by_kernels(polynomial, &|arranger, place| arranger.class(place) == first);
            found.push(it);
        }
        // Equations of motion stay sums over what moves; anything else may also be collected by what stands
        // in many terms.
        let is_equation =
            kernels.iter().any(|&it| is_acceleration(self.reader.pool, self.reader.table.kernel(it).expr));
        if !is_equation && polynomial.len() <= MAX_TERMS_TO_COLLECT {
            let mut counted: Vec<(usize, Place)> = kernels
                .iter()
                .map(|&place| {
                    (polynomial.terms().iter().filter(|(it, _)| it.exponent(place) != 0).count(), place)
                })
                .filter(|it| it.0 > 1 && (first != Class::Motion || self.class(it.1) == Class::Function))
                .collect();
            counted.sort_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
            counted.truncate(if polynomial.len() <= MAX_TERMS_TO_TRY_ALL_KERNELS { 6 } else { 1 });
            for (_, place) in counted {
                found.push(self.by_kernels(polynomial, &|_, it| it == place));
            }
        }
        found
    }

    /// Joins terms of a sum that have the same brackets: a (x + y) + b (x + y) is (a + b) (x + y).
    fn gathered(&mut self, expr: Expr) -> Expr {
        let pool = &mut *self.reader.pool;
        let Node::Sum { constant, terms } = pool.node(expr).clone() else { return expr };
        let mut sums: Vec<(Expr, Vec<(Expr, Rational)>)> = Vec::new();
        let mut rest = Vec::new();
        for (term, coefficient) in terms {
            let bracket = match pool.node(term) {
                Node::Product(factors) => {
                    factors.iter().copied().find(|&it| matches!(pool.node(it), Node::Sum { .. }))
                }
                _ => None,
            };
            let Some(bracket) = bracket else {
                rest.push((term, coefficient));
                continue;
            };
            let before = pool.div(term, bracket);
            match sums.iter_mut().find(|it| it.0 == bracket) {
                Some((_, known)) => known.push((before, coefficient)),
                None => sums.push((bracket, vec![(before, coefficient)])),
            }
        }
        for (bracket, before) in sums {
            let before = pool.linear(&before);
            rest.push((pool.mul(before, bracket), Rational::one()));
        }
        let one = pool.one();
        rest.push((one, constant));
        pool.linear(&rest)
    }

    /// Returns Σ monomial in the chosen kernels · coefficient. Coefficients that differ by a monomial share
    /// their brackets.
    pub(super) fn by_kernels(
        &mut self,
        polynomial: &Polynomial,
        chosen: &dyn Fn(&Self, Place) -> bool,
    ) -> Expr {
        let groups = polynomial.grouped(|place, _| chosen(self, place));
        if groups.len() == 1 && groups[0].0.is_one() {
            return self.reader.flat(polynomial);
        }
        let mut brackets: Vec<(Polynomial, Vec<(Monomial, Rational)>)> = Vec::new();
        let mut places: Map<Polynomial, usize> = Map::default();
        for (key, coefficient) in groups {
            let (content, shared, rest) = taken_apart(&coefficient);
            let before = (key.times(&shared), content);
            match places.get(&rest) {
                Some(&place) => brackets[place].1.push(before),
                None => {
                    places.insert(rest.clone(), brackets.len());
                    brackets.push((rest, vec![before]));
                }
            }
        }
        let whole = brackets.len() == 1;
        let mut terms = Vec::with_capacity(brackets.len());
        for (rest, before) in brackets {
            if rest.as_number().is_some() {
                // Terms without brackets of their own.
                let sum: Polynomial = before.into_iter().collect();
                terms.push(self.reader.flat(&sum));
                continue;
            }
            let before: Polynomial = before.into_iter().collect();
            let before = match before.len() < polynomial.len() || !whole {
                true => self.arranged(&before),
                false => self.reader.flat(&before),
            };
            let inner = self.best(&rest);
            terms.push(self.reader.pool.mul(before, inner));
        }
        self.reader.pool.sum(&terms)
    }
}

/// Returns a number with the sign of the first coefficient, a monomial, and the rest. Kernels with positive
/// exponents in some terms and negative ones in others are not taken out.
pub(super) fn taken_apart(polynomial: &Polynomial) -> (Rational, Monomial, Polynomial) {
    let content = polynomial.signed_content();
    let shared = shared_powers(polynomial);
    let Some(inverse) = content.inverse() else { return (content, Monomial::one(), polynomial.clone()) };
    let rest = polynomial.shifted(&shared.raised(-1)).scaled(&inverse);
    (content, shared, rest)
}

/// Returns the powers that all terms have in the numerator, or all in the denominator.
pub(super) fn shared_powers(polynomial: &Polynomial) -> Monomial {
    let Some((first, _)) = polynomial.terms().first() else { return Monomial::one() };
    first
        .powers()
        .filter_map(|(place, _)| {
            let (high, low) = polynomial.degrees(place);
            let shared = if low > 0 { low } else { high.min(0) };
            (shared != 0).then_some((place, shared))
        })
        .collect()
}
