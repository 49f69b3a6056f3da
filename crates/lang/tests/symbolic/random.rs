//! Random expressions: all functions, conditions in conditions, powers of powers, long numbers.

use crate::dice::Dice;
use gedanken_symbolic::{Comparison, Expr, Function, Function2, Pool, Rational, Truth};

/// Names of the symbols; some like natives, some like rates.
pub(crate) const NAMES: [&str; 6] = ["x", "y", "theta_dot", "m1", "length", "p_phi"];

/// An expression of at most this depth.
pub(crate) fn expression(pool: &mut Pool, dice: &mut Dice, depth: usize) -> Expr {
    if depth == 0 || dice.happens(1, 8) {
        return match dice.below(4) {
            0 => {
                let number = number(dice);
                pool.number(number)
            }
            1 if dice.happens(1, 3) => pool.pi(),
            _ => {
                let name = dice.one_of(&NAMES);
                pool.symbol(name)
            }
        };
    }
    let part = |pool: &mut Pool, dice: &mut Dice| expression(pool, dice, depth - 1);
    match dice.below(12) {
        0..=2 => {
            let terms: Vec<Expr> = (0..2 + dice.below(3)).map(|_| part(pool, dice)).collect();
            pool.sum(&terms)
        }
        3..=5 => {
            let factors: Vec<Expr> = (0..2 + dice.below(3)).map(|_| part(pool, dice)).collect();
            pool.product(&factors)
        }
        6 => {
            let (x, y) = (part(pool, dice), part(pool, dice));
            pool.sub(x, y)
        }
        7 => {
            let base = part(pool, dice);
            let exponents =
                [(2, 1), (3, 1), (-1, 1), (-2, 1), (1, 2), (-1, 2), (3, 2), (-5, 2), (1, 3), (7, 10)];
            let (above, below) = dice.one_of(&exponents);
            let exponent = pool.rational(above, below);
            if dice.happens(1, 6) {
                let exponent = part(pool, dice);
                pool.pow(base, exponent)
            } else {
                pool.pow(base, exponent)
            }
        }
        8 | 9 => {
            let x = part(pool, dice);
            let function = dice.one_of(&Function::ALL);
            pool.call(function, x)
        }
        10 => {
            let (x, y) = (part(pool, dice), part(pool, dice));
            let function = dice.one_of(&Function2::ALL);
            pool.call2(function, x, y)
        }
        _ => {
            let condition = truth(pool, dice, depth - 1);
            let (x, y) = (part(pool, dice), part(pool, dice));
            pool.choice(condition, x, y)
        }
    }
}

fn truth(pool: &mut Pool, dice: &mut Dice, depth: usize) -> Truth {
    match dice.below(if depth == 0 { 1 } else { 5 }) {
        1 => {
            let x = truth(pool, dice, depth - 1);
            pool.not(x)
        }
        2 => {
            let (x, y) = (truth(pool, dice, depth - 1), truth(pool, dice, depth - 1));
            pool.both(x, y)
        }
        3 => {
            let (x, y) = (truth(pool, dice, depth - 1), truth(pool, dice, depth - 1));
            pool.either(x, y)
        }
        _ => {
            let comparisons = [Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le];
            let (x, y) = (expression(pool, dice, depth), expression(pool, dice, depth));
            pool.compare(dice.one_of(&comparisons), x, y)
        }
    }
}

fn number(dice: &mut Dice) -> Rational {
    let whole = |dice: &mut Dice, below: usize| i64::try_from(dice.below(below)).unwrap();
    match dice.below(5) {
        0 => Rational::new(whole(dice, 19) - 9, 1 + whole(dice, 9)),
        1 => Rational::from_decimal(dice.ordinary()).unwrap(),
        2 => {
            let long = Rational::from(10).power(10 + whole(dice, 60)).unwrap();
            let more = Rational::new(whole(dice, 1_000_000), 1 + whole(dice, 1000));
            &long + &more
        }
        3 => {
            let long = |dice: &mut Dice| i64::try_from(dice.next() >> 4).unwrap();
            Rational::new(long(dice) - (1 << 59), 1 + long(dice))
        }
        _ => Rational::from(whole(dice, 7) - 3),
    }
}
