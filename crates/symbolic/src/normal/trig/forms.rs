//! The shortest way to write a polynomial in sines and cosines.

use super::waves::{Angle, Waves};
use crate::normal::budget::Beyond;
use crate::normal::kernels::Wave;
use crate::normal::polynomial::{Adder, Monomial, Place, Polynomial};
use crate::normal::read_polynomial::Reader;
use crate::number::Rational;
use crate::pool::Expr;
use crate::pool::table::Map;
use crate::simplify::{Costs, is_multiple_angle};
use std::rc::Rc;

/// Maximum number of waves in a polynomial that is written as a sum of waves.
const MAX_WAVES: usize = 128;
/// Maximum number of waves in a sum that is searched for products.
const MAX_WAVES_FOR_PRODUCTS: usize = 24;
/// Maximum number of terms of a polynomial that is rewritten.
const MAX_TERMS: usize = 400;
/// Maximum power in a polynomial that is rewritten.
const MAX_POWER: i32 = 24;
/// Maximum number of factors that are tried.
const MAX_TRIED_FACTORS: usize = 24;

/// Additional cost of a multiple of an angle where it is to be avoided.
const MULTIPLE_ANGLE_COST: u64 = 12;

/// Style in which sines and cosines are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Style {
    /// The shortest way, for each coefficient.
    Shortest,
    /// The shortest way that avoids multiples of angles: sin θ cos θ, where the shortest may be ½ sin 2θ.
    Single,
    /// Powers of sines and cosines of the units.
    Powers,
    /// Sums of sines and cosines of multiples.
    Multiples,
}

/// Results so far.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    written: Map<(Polynomial, Style), Polynomial>,
    shortest: Map<(Waves, Style), (u64, Polynomial)>,
    /// Start of all styles.
    expanded: Map<Polynomial, Rc<Expanded>>,
    /// Products of sines and cosines as sums of waves; `None` if there are too many.
    products: Map<Monomial, Option<Rc<Waves>>>,
}

/// A polynomial in sines and cosines, by the addition theorems and that of Pythagoras.
#[derive(Debug)]
struct Expanded {
    /// `None` if there are too many.
    waves: Option<Waves>,
    /// The polynomial as it came, without squares of cosines, and without squares of sines.
    powers: [Polynomial; 3],
}

impl Forms {
    /// Writes a polynomial in sines and cosines of units in a style; zero if it is zero for all angles.
    pub(crate) fn write(
        &mut self,
        reader: &mut Reader<'_>,
        costs: &mut Costs,
        polynomial: &Polynomial,
        style: Style,
    ) -> Result<Polynomial, Beyond> {
        let waves_in_it = polynomial.terms().iter().any(|it| !it.0.is_one());
        let high = polynomial.terms().iter().any(|it| it.0.powers().any(|it| it.1 > MAX_POWER));
        if !waves_in_it || high || polynomial.len() > MAX_TERMS {
            return Ok(polynomial.clone());
        }
        let content = polynomial.signed_content();
        let bare = polynomial.scaled(&(&Rational::one() / &content));
        let key = (bare, style);
        let found = match self.written.get(&key) {
            Some(found) => found.clone(),
            None => {
                let found = self.written_anew(reader, costs, &key.0, style)?;
                self.written.insert(key, found.clone());
                found
            }
        };
        Ok(found.scaled(&content))
    }

    fn written_anew(
        &mut self,
        reader: &mut Reader<'_>,
        costs: &mut Costs,
        polynomial: &Polynomial,
        style: Style,
    ) -> Result<Polynomial, Beyond> {
        let expanded = self.expanded(reader, polynomial)?;
        let Expanded { waves, powers } = &*expanded;
        if waves.as_ref().is_some_and(|it| it.len() == 0) {
            return Ok(Polynomial::zero());
        }
        let mut best: Option<(u64, Polynomial)> = None;
        let mut offer = |cost: u64, it: Polynomial| {
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, it));
            }
        };
        if style != Style::Multiples || waves.is_none() {
            for form in powers {
                offer(effort(reader, costs, form, style), form.clone());
            }
        }
        if let Some(waves) = waves {
            match style {
                Style::Powers => {}
                Style::Multiples => offer(0, sum_of_waves(reader, waves)),
                Style::Shortest | Style::Single => {
                    let (cost, form) = self.shortest(reader, costs, waves, style, 4)?;
                    offer(cost, form);
                }
            }
        }
        Ok(best.expect("every style offers a form").1)
    }

    fn expanded(&mut self, reader: &mut Reader<'_>, polynomial: &Polynomial) -> Result<Rc<Expanded>, Beyond> {
        if let Some(known) = self.expanded.get(polynomial) {
            return Ok(known.clone());
        }
        let waves = self.waves_of(reader, polynomial)?;
        let powers = [
            polynomial.clone(),
            reader.without_squares(polynomial, Wave::Cosine)?,
            reader.without_squares(polynomial, Wave::Sine)?,
        ];
        let found = Rc::new(Expanded { waves, powers });
        self.expanded.insert(polynomial.clone(), found.clone());
        Ok(found)
    }

    /// Returns a polynomial in sines and cosines of units as a sum of waves; `None` if there are too many.
    fn waves_of(
        &mut self,
        reader: &mut Reader<'_>,
        polynomial: &Polynomial,
    ) -> Result<Option<Waves>, Beyond> {
        let mut sum = Waves::default();
        for (monomial, number) in polynomial.terms() {
            let product = match self.products.get(monomial) {
                Some(known) => known.clone(),
                None => {
                    let found = waves_of_product(reader, monomial)?.map(Rc::new);
                    self.products.insert(monomial.clone(), found.clone());
                    found
                }
            };
            let Some(product) = product else { return Ok(None) };
            reader.budget.spend(product.len())?;
            sum.add_all(&product, number);
            if sum.len() > MAX_WAVES {
                return Ok(None);
            }
        }
        Ok(Some(sum))
    }

    /// Returns the shortest of a sum of waves, powers of one wave, and a product.
    fn shortest(
        &mut self,
        reader: &mut Reader<'_>,
        costs: &mut Costs,
        waves: &Waves,
        style: Style,
        depth: u32,
    ) -> Result<(u64, Polynomial), Beyond> {
        let key = (waves.clone(), style);
        if let Some(found) = self.shortest.get(&key) {
            return Ok(found.clone());
        }
        let form = sum_of_waves(reader, waves);
        let mut best = (effort(reader, costs, &form, style), form);
        if let Some(forms) = powers_of_one(reader, waves)? {
            for form in forms {
                let cost = effort(reader, costs, &form, style);
                if cost < best.0 {
                    best = (cost, form);
                }
            }
        }
        if depth > 0 && waves.len() > 1 && waves.len() <= MAX_WAVES_FOR_PRODUCTS {
            for (angle, wave) in factors_to_try(waves) {
                let Some(quotient) = waves.divided(&angle, wave, &mut reader.budget)? else { continue };
                let (_, rest) = self.shortest(reader, costs, &quotient, style, depth - 1)?;
                let factor = kernel(reader, &angle, wave);
                let form = rest.times(&factor, &mut reader.budget)?;
                // A common factor before brackets.
                let own = effort(reader, costs, &factor, style);
                let cost = match rest.len() {
                    0 | 1 => effort(reader, costs, &form, style),
                    _ => own + 1 + effort(reader, costs, &rest, style),
                };
                if cost < best.0 {
                    best = (cost, form);
                }
            }
        }
        self.shortest.insert(key, best.clone());
        Ok(best)
    }
}

/// Returns a product of sines and cosines of units as a sum of waves; `None` if there are too many.
fn waves_of_product(reader: &mut Reader<'_>, monomial: &Monomial) -> Result<Option<Waves>, Beyond> {
    let mut product = Waves::one();
    for (place, exponent) in monomial.powers() {
        let (wave, unit) = reader.table.kernel(place).trig.expect("only sines and cosines are asked for");
        let angle = Angle::power(Place::try_from(unit).expect("units are few"), 1);
        for _ in 0..exponent {
            product = product.times(&angle, wave, &mut reader.budget)?;
        }
        if product.len() > MAX_WAVES {
            return Ok(None);
        }
    }
    Ok(Some(product))
}

/// Returns the cost of reading a sum of powers.
fn effort(reader: &Reader<'_>, costs: &mut Costs, polynomial: &Polynomial, style: Style) -> u64 {
    let mut cost = (polynomial.len() as u64).saturating_sub(1);
    for (monomial, number) in polynomial.terms() {
        if !number.abs().is_one() || monomial.is_one() {
            cost += if number.is_integer() { 1 } else { 3 };
        }
        for (place, exponent) in monomial.powers() {
            let kernel = reader.table.kernel(place).expr;
            cost += costs.of(reader.pool, kernel) + u64::from(exponent != 1);
            if style == Style::Single && is_multiple_angle(reader.pool, kernel) {
                cost += MULTIPLE_ANGLE_COST;
            }
        }
    }
    cost
}

/// Returns the expression of an angle, multiplied out.
fn angle_expr(reader: &mut Reader<'_>, angle: &Angle) -> Expr {
    let terms: Vec<(Expr, Rational)> = angle
        .powers()
        .map(|(unit, times)| (reader.table.angles.units[unit as usize], Rational::from(i64::from(times))))
        .collect();
    reader.pool.linear(&terms)
}

/// Returns the sine or cosine of an angle as a kernel.
fn kernel(reader: &mut Reader<'_>, angle: &Angle, wave: Wave) -> Polynomial {
    if angle.is_one() {
        return Polynomial::constant(Rational::from(i64::from(wave == Wave::Cosine)));
    }
    let x = angle_expr(reader, angle);
    let opposite = reader.pool.leads_negative(x);
    let x = if opposite { reader.pool.neg(x) } else { x };
    let value = match wave {
        Wave::Cosine => reader.pool.cos(x),
        Wave::Sine => reader.pool.sin(x),
    };
    let sign = if opposite && wave == Wave::Sine { -1 } else { 1 };
    let place = reader.table.plain(value);
    Polynomial::term(Monomial::power(place, 1), Rational::from(sign))
}

fn sum_of_waves(reader: &mut Reader<'_>, waves: &Waves) -> Polynomial {
    let mut sum = Adder::default();
    for (angle, wave, number) in waves.terms() {
        sum.add_all(&kernel(reader, angle, wave), number);
    }
    sum.finish()
}

/// Returns powers of the sine and cosine of one angle, if all angles are multiples of it: squares of the one
/// replaced by those of the other, in both ways.
fn powers_of_one(reader: &mut Reader<'_>, waves: &Waves) -> Result<Option<[Polynomial; 2]>, Beyond> {
    let mut one: Option<Angle> = None;
    for (angle, _, _) in waves.terms().filter(|it| !it.0.is_one()) {
        one = Some(match one {
            None => angle.clone(),
            Some(known) => match common_angle(&known, angle) {
                Some(common) => common,
                None => return Ok(None),
            },
        });
    }
    let Some(one) = one else { return Ok(None) };
    // Squares come from even multiples: if all are even, half of the angle would do, which is a matter of
    // taste.
    let even = one.powers().all(|(_, times)| times % 2 == 0);
    let one = if even { one.powers().map(|(unit, times)| (unit, times / 2)).collect() } else { one };
    let (cosine, sine) = (kernel(reader, &one, Wave::Cosine), kernel(reader, &one, Wave::Sine));
    // cos and sin of multiples by repeated addition.
    let number = |it: i64| Polynomial::constant(Rational::from(it));
    let mut multiples = vec![[number(1), number(0)]];
    let mut sums = number(0);
    for (angle, wave, coefficient) in waves.terms() {
        let times = angle.powers().next().map_or(0, |(unit, times)| times / one.exponent(unit));
        let Ok(times) = usize::try_from(times) else { return Ok(None) };
        if times > 24 {
            return Ok(None);
        }
        while multiples.len() <= times {
            let [c, s] = &multiples[multiples.len() - 1];
            let budget = &mut reader.budget;
            let next = [
                c.times(&cosine, budget)?.minus(&s.times(&sine, budget)?),
                s.times(&cosine, budget)?.plus(&c.times(&sine, budget)?),
            ];
            multiples.push(next);
        }
        let [c, s] = &multiples[times];
        sums = sums.plus(&(if wave == Wave::Cosine { c } else { s }).scaled(coefficient));
    }
    let place =
        |it: &Polynomial| it.single().and_then(|(monomial, _)| monomial.powers().next()).map(|it| it.0);
    let (Some(c), Some(s)) = (place(&cosine), place(&sine)) else { return Ok(None) };
    Ok(Some([squares_replaced(reader, &sums, c, s)?, squares_replaced(reader, &sums, s, c)?]))
}

/// Returns the polynomial with squares of one kernel replaced by 1 less the square of the other.
fn squares_replaced(
    reader: &mut Reader<'_>,
    polynomial: &Polynomial,
    of: Place,
    by: Place,
) -> Result<Polynomial, Beyond> {
    let square = Polynomial::constant(Rational::one())
        .minus(&Polynomial::term(Monomial::power(by, 2), Rational::one()));
    let mut sum = Polynomial::zero();
    for (exponent, coefficient) in polynomial.coefficients(of) {
        let power = square.power(exponent.unsigned_abs() / 2, &mut reader.budget)?;
        let part = coefficient.times(&power, &mut reader.budget)?;
        sum = sum.plus(&part.shifted(&Monomial::power(of, exponent % 2)));
    }
    Ok(sum)
}

/// Returns the largest angle of which both are whole multiples, if they have one direction.
fn common_angle(a: &Angle, b: &Angle) -> Option<Angle> {
    use num_integer::Integer;
    let content = |it: &Angle| it.powers().fold(0, |common: i32, (_, times)| common.gcd(&times));
    let (p, q) = (content(a), content(b));
    let direction = |it: &Angle, by: i32| -> Angle { it.powers().map(|(unit, n)| (unit, n / by)).collect() };
    let unit = direction(a, p);
    (unit == direction(b, q)).then(|| unit.raised(p.gcd(&q)))
}

/// Returns sines and cosines that may divide a sum of waves, the simplest first.
fn factors_to_try(waves: &Waves) -> Vec<(Angle, Wave)> {
    let angles: Vec<&Angle> = waves.terms().map(|it| it.0).collect();
    let mut found: Vec<Angle> = Vec::new();
    let mut offer = |it: Angle| {
        let it = if it < Angle::one() { it.raised(-1) } else { it };
        if !it.is_one() && !found.contains(&it) {
            found.push(it);
        }
    };
    for (place, a) in angles.iter().enumerate() {
        for b in &angles[place..] {
            for both in [a.times(b), a.over(b)] {
                if both.powers().all(|(_, times)| times % 2 == 0) {
                    offer(both.powers().map(|(unit, times)| (unit, times / 2)).collect());
                }
            }
        }
    }
    let size = |it: &Angle| it.powers().map(|(_, times)| times.unsigned_abs()).sum::<u32>();
    found.sort_by(|a, b| size(a).cmp(&size(b)).then_with(|| b.cmp(a)));
    found.truncate(MAX_TRIED_FACTORS);
    found.into_iter().flat_map(|it| [(it.clone(), Wave::Sine), (it, Wave::Cosine)]).collect()
}
