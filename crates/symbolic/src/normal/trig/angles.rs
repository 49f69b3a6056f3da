//! Angles as whole multiples of independent ones.
//!
//! sin and cos of all angles of an expression become polynomials in sin and cos of a few units, between which
//! the only relation is that of Pythagoras. Units are taken from the angles that occur, the simplest first:
//! if only θ₁ - θ₂ occurs, it is the unit, and nothing has to be expanded.

use crate::number::Rational;
use crate::pool::table::Map;
use crate::pool::{Expr, Node, Pool};
use num_traits::ToPrimitive;

/// Maximum multiple of a unit. Angles that are larger multiples stay whole.
const MAX_MULTIPLE: i32 = 12;
/// Maximum number of units in an angle. Angles that are sums of more stay whole.
const MAX_UNITS: usize = 5;

/// Angles of an expression, taken apart.
#[derive(Clone, Debug, Default)]
pub(crate) struct Angles {
    /// Independent angles.
    pub(crate) units: Vec<Expr>,
    /// Units and their multiplicities, by angle.
    pub(crate) multiples: Map<Expr, Vec<(usize, i32)>>,
    /// `true` if each angle is the sum of its units; else one stayed whole, and relations may be missed.
    pub(crate) complete: bool,
}

/// Σ coefficient · term, ascending in the order in which terms were met.
type Vector = Vec<(usize, Rational)>;

/// A row of the elimination: 1 at its pivot, with the combination of directions that makes it.
struct Row {
    pivot: usize,
    vector: Vector,
    combination: Vector,
}

impl Angles {
    /// Takes these angles apart. They are expected to be expanded. Rational multiples of π have a unit of
    /// their own, because sine and cosine of many of them are known.
    pub(crate) fn of(pool: &mut Pool, angles: &[Expr]) -> Self {
        let pi = pool.pi();
        let mut turned: Vec<(Expr, Expr, Rational)> = Vec::with_capacity(angles.len());
        let mut turn = Rational::zero();
        for &angle in angles {
            let turns = match pool.node(angle) {
                Node::Pi => Rational::one(),
                Node::Sum { terms, .. } => {
                    terms.iter().find(|it| it.0 == pi).map_or_else(Rational::zero, |it| it.1.clone())
                }
                _ => Rational::zero(),
            };
            turn = turn.common(&turns);
            let rest = pool.linear(&[(angle, Rational::one()), (pi, -&turns)]);
            turned.push((angle, rest, turns));
        }
        let others: Vec<Expr> = turned.iter().map(|it| it.1).filter(|&it| !pool.is_zero(it)).collect();
        let mut found = Self::without_turns(pool, &others);
        if turn.is_zero() {
            return found;
        }
        let unit = found.units.len();
        found.units.push(pool.scale(&turn, pi));
        for (angle, rest, turns) in turned {
            let mut multiples = found.multiples.get(&rest).cloned().unwrap_or_default();
            if !turns.is_zero() {
                match (&turns / &turn).to_i64().and_then(|it| it.to_i32()) {
                    Some(times) if times.abs() <= 2 * MAX_MULTIPLE => multiples.push((unit, times)),
                    _ => {
                        found.complete = false;
                        found.units.push(angle);
                        multiples = vec![(found.units.len() - 1, 1)];
                    }
                }
            }
            found.multiples.insert(angle, multiples);
        }
        found
    }

    fn without_turns(pool: &mut Pool, angles: &[Expr]) -> Self {
        let mut places: Map<Expr, usize> = Map::default();
        let mut sorted: Vec<(Expr, Vector)> = Vec::with_capacity(angles.len());
        for &angle in angles {
            sorted.push((angle, vector(pool, angle, &mut places)));
        }
        sorted.sort_by(|(a, x), (b, y)| x.len().cmp(&y.len()).then_with(|| pool.order(*a, *b)));
        sorted.dedup_by_key(|it| it.0);
        let (mut rows, mut directions, mut found) = (Vec::<Row>::new(), Vec::new(), Vec::new());
        for (angle, mut rest) in sorted {
            let mut combination = Vector::new();
            for row in &rows {
                let factor = at(&rest, row.pivot);
                if !factor.is_zero() {
                    rest = plus(&rest, &row.vector, &-&factor);
                    combination = plus(&combination, &row.combination, &factor);
                }
            }
            if let Some((pivot, first)) = rest.first().cloned() {
                // angle = rest + combination, so rest is one new direction less what is known.
                let own: Vector = vec![(directions.len(), Rational::one())];
                let inverse = &Rational::one() / &first;
                let minus = plus(&own, &combination, &Rational::from(-1));
                rows.push(Row {
                    pivot,
                    vector: plus(&Vector::new(), &rest, &inverse),
                    combination: plus(&Vector::new(), &minus, &inverse),
                });
                directions.push(angle);
                combination = own;
            }
            found.push((angle, combination));
        }
        Self::in_units(pool, &directions, &found)
    }

    fn in_units(pool: &mut Pool, directions: &[Expr], found: &[(Expr, Vector)]) -> Self {
        let mut common = vec![Rational::zero(); directions.len()];
        for (_, combination) in found {
            for (direction, coefficient) in combination {
                common[*direction] = common[*direction].common(coefficient);
            }
        }
        let mut angles = Self { complete: true, ..Self::default() };
        for (&direction, scale) in directions.iter().zip(&mut common) {
            // sin(2 - x) is written -sin(x - 2), so the unit is x - 2.
            if pool.leads_negative(direction) {
                *scale = -&*scale;
            }
            let unit = pool.scale(scale, direction);
            angles.units.push(unit);
        }
        for (angle, combination) in found {
            let multiples: Option<Vec<(usize, i32)>> = combination
                .iter()
                .map(|(direction, coefficient)| {
                    let times = (coefficient / &common[*direction]).to_i64()?.to_i32()?;
                    (times.abs() <= MAX_MULTIPLE).then_some((*direction, times))
                })
                .collect();
            let multiples = multiples.filter(|it| it.len() <= MAX_UNITS).unwrap_or_else(|| {
                angles.complete = false;
                angles.units.push(*angle);
                vec![(angles.units.len() - 1, 1)]
            });
            angles.multiples.insert(*angle, multiples);
        }
        angles
    }
}

fn vector(pool: &mut Pool, angle: Expr, places: &mut Map<Expr, usize>) -> Vector {
    let one = pool.one();
    let mut terms: Vec<(Expr, Rational)> = match pool.node(angle) {
        Node::Number(number) => vec![(one, number.clone())],
        Node::Sum { constant, terms } => {
            let mut found = terms.to_vec();
            if !constant.is_zero() {
                found.push((one, constant.clone()));
            }
            found
        }
        _ => vec![(angle, Rational::one())],
    };
    terms.retain(|it| !it.1.is_zero());
    let mut vector: Vector = terms
        .into_iter()
        .map(|(term, coefficient)| {
            let next = places.len();
            (*places.entry(term).or_insert(next), coefficient)
        })
        .collect();
    vector.sort_by_key(|it| it.0);
    vector
}

fn at(vector: &Vector, place: usize) -> Rational {
    vector.iter().find(|it| it.0 == place).map_or_else(Rational::zero, |it| it.1.clone())
}

/// a + scale · b
fn plus(a: &Vector, b: &Vector, scale: &Rational) -> Vector {
    let mut sum: std::collections::BTreeMap<usize, Rational> = a.iter().cloned().collect();
    for (place, coefficient) in b {
        let change = coefficient * scale;
        let entry = sum.entry(*place).or_insert_with(Rational::zero);
        *entry = &*entry + &change;
    }
    sum.into_iter().filter(|it| !it.1.is_zero()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_alone_are_units() {
        let mut p = Pool::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| p.symbol(name));
        let (ab, bc, ac) = (p.sub(a, b), p.sub(b, c), p.sub(a, c));
        let twice = p.scale(&Rational::from(2), ab);
        let angles = Angles::of(&mut p, &[ab, bc, ac, twice]);
        assert_eq!(angles.units.len(), 2);
        assert!(angles.complete);
        assert_eq!(angles.multiples[&twice].len(), 1);
        for angle in [ab, bc, ac, twice] {
            let terms: Vec<(Expr, Rational)> = angles.multiples[&angle]
                .iter()
                .map(|&(unit, times)| (angles.units[unit], Rational::from(i64::from(times))))
                .collect();
            assert_eq!(p.linear(&terms), angle);
        }
    }

    #[test]
    fn units_lead_with_a_positive_multiple() {
        let mut p = Pool::new();
        let (x, two, pi) = (p.symbol("x"), p.integer(2), p.pi());
        let (ahead, behind) = (p.sub(x, two), p.sub(two, x));
        let turned = p.add(behind, pi);
        let angles = Angles::of(&mut p, &[turned, behind, ahead]);
        assert_eq!(angles.units, [ahead, pi]);
        assert_eq!(angles.multiples[&turned], [(0, -1), (1, 1)]);
        assert_eq!(angles.multiples[&ahead], [(0, 1)]);
    }

    #[test]
    fn halves_make_the_unit_smaller() {
        let mut p = Pool::new();
        let x = p.symbol("x");
        let half = p.scale(&Rational::new(1, 2), x);
        let third = p.scale(&Rational::new(1, 3), x);
        let angles = Angles::of(&mut p, &[x, half, third]);
        assert_eq!(angles.units, [p.scale(&Rational::new(1, 6), x)]);
        assert_eq!(angles.multiples[&x], [(0, 6)]);
        assert_eq!(angles.multiples[&half], [(0, 3)]);
    }
}
