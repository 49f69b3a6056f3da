//! Random formulas, and their values computed without any algebra.

use gedanken_symbolic::{Comparison, Expr, Function, Function2, Pool, Truth};
use proptest::prelude::*;

/// The symbols of random formulas.
pub(crate) const NAMES: [&str; 5] = ["g", "m2", "theta", "x", "x_dot"];

/// A formula as it was written, without any order or collection.
#[derive(Clone, Debug)]
pub(crate) enum Tree {
    Number(i64, i64),
    Pi,
    Symbol(usize),
    Add(Box<Tree>, Box<Tree>),
    Sub(Box<Tree>, Box<Tree>),
    Mul(Box<Tree>, Box<Tree>),
    Div(Box<Tree>, Box<Tree>),
    Neg(Box<Tree>),
    Power(Box<Tree>, Box<Tree>),
    Call(Function, Box<Tree>),
    Call2(Function2, Box<Tree>, Box<Tree>),
    If(Box<Condition>, Box<Tree>, Box<Tree>),
}

#[derive(Clone, Debug)]
pub(crate) enum Condition {
    Compare(Comparison, Tree, Tree),
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

fn leaf() -> BoxedStrategy<Tree> {
    prop_oneof![
        2 => (-4..=4_i64, 1..=4_i64).prop_map(|(n, d)| Tree::Number(n, d)),
        1 => prop_oneof![Just((981, 100)), Just((1, 1000)), Just((3, 10)), Just((-7, 8))].prop_map(|(n, d)| Tree::Number(n, d)),
        1 => Just(Tree::Pi),
        8 => (0..NAMES.len()).prop_map(Tree::Symbol),
    ]
    .boxed()
}

fn condition(tree: BoxedStrategy<Tree>) -> BoxedStrategy<Condition> {
    let comparison =
        proptest::sample::select(&[Comparison::Eq, Comparison::Ne, Comparison::Lt, Comparison::Le][..]);
    let compare = (comparison, tree.clone(), tree).prop_map(|(it, x, y)| Condition::Compare(it, x, y));
    compare
        .prop_recursive(2, 4, 2, |inner| {
            let two = (inner.clone().prop_map(Box::new), inner.clone().prop_map(Box::new));
            prop_oneof![
                inner.prop_map(|it| Condition::Not(Box::new(it))),
                two.clone().prop_map(|(x, y)| Condition::Both(x, y)),
                two.prop_map(|(x, y)| Condition::Either(x, y)),
            ]
        })
        .boxed()
}

/// Formulas of some 20 operations.
pub(crate) fn tree() -> BoxedStrategy<Tree> {
    leaf()
        .prop_recursive(5, 24, 2, |inner| {
            let one = inner.clone().prop_map(Box::new);
            let two = (one.clone(), one.clone());
            let exponent = prop_oneof![
                6 => (-3..=4_i64, prop_oneof![3 => Just(1), 3 => Just(2), 1 => Just(3)]).prop_map(|(n, d)| Box::new(Tree::Number(n, d))),
                1 => one.clone(),
            ];
            let condition = condition(inner.boxed());
            prop_oneof![
                4 => two.clone().prop_map(|(x, y)| Tree::Add(x, y)),
                3 => two.clone().prop_map(|(x, y)| Tree::Sub(x, y)),
                6 => two.clone().prop_map(|(x, y)| Tree::Mul(x, y)),
                3 => two.clone().prop_map(|(x, y)| Tree::Div(x, y)),
                1 => one.clone().prop_map(Tree::Neg),
                4 => (one.clone(), exponent).prop_map(|(x, y)| Tree::Power(x, y)),
                4 => (proptest::sample::select(&Function::ALL[..]), one.clone()).prop_map(|(f, x)| Tree::Call(f, x)),
                1 => (proptest::sample::select(&Function2::ALL[..]), one.clone(), one.clone()).prop_map(|(f, x, y)| Tree::Call2(f, x, y)),
                1 => (condition.prop_map(Box::new), one.clone(), one).prop_map(|(c, x, y)| Tree::If(c, x, y)),
            ]
        })
        .boxed()
}

/// Values for the symbols, none of them special.
pub(crate) fn point() -> impl Strategy<Value = [f64; NAMES.len()]> {
    [0.3..3.0, 0.3..3.0, -1.5..1.5, -2.0..2.0, -2.0..2.0]
}

/// The value of a symbol by its name.
pub(crate) fn at(name: &str, point: &[f64; NAMES.len()]) -> f64 {
    NAMES.iter().position(|it| *it == name).map_or(f64::NAN, |place| point[place])
}

impl Tree {
    /// By the constructors of a pool; with the operands of sums and products exchanged if `swapped`.
    pub(crate) fn build(&self, p: &mut Pool, swapped: bool) -> Expr {
        let two = |p: &mut Pool, x: &Self, y: &Self| {
            if swapped {
                let y = y.build(p, swapped);
                (x.build(p, swapped), y)
            } else {
                (x.build(p, swapped), y.build(p, swapped))
            }
        };
        match self {
            Self::Number(n, d) => p.rational(*n, *d),
            Self::Pi => p.pi(),
            Self::Symbol(place) => p.symbol(NAMES[*place]),
            Self::Add(x, y) => {
                let (x, y) = two(p, x, y);
                if swapped { p.add(y, x) } else { p.add(x, y) }
            }
            Self::Sub(x, y) => {
                let (x, y) = two(p, x, y);
                p.sub(x, y)
            }
            Self::Mul(x, y) => {
                let (x, y) = two(p, x, y);
                if swapped { p.mul(y, x) } else { p.mul(x, y) }
            }
            Self::Div(x, y) => {
                let (x, y) = two(p, x, y);
                p.div(x, y)
            }
            Self::Neg(x) => {
                let x = x.build(p, swapped);
                p.neg(x)
            }
            Self::Power(x, y) => {
                let (x, y) = two(p, x, y);
                p.pow(x, y)
            }
            Self::Call(f, x) => {
                let x = x.build(p, swapped);
                p.call(*f, x)
            }
            Self::Call2(f, x, y) => {
                let (x, y) = two(p, x, y);
                p.call2(*f, x, y)
            }
            Self::If(c, x, y) => {
                let (x, y) = two(p, x, y);
                let c = c.build(p, swapped);
                p.choice(c, x, y)
            }
        }
    }

    /// The value, if it can be told from its neighbours: `None` beside jumps, and where numbers are so large
    /// or small that what is left of their difference is noise.
    pub(crate) fn value(&self, point: &[f64; NAMES.len()]) -> Option<f64> {
        let clear = |margin: f64| (margin.abs() > 1e-4).then_some(());
        let value = match self {
            Self::Number(n, d) => *n as f64 / *d as f64,
            Self::Pi => std::f64::consts::PI,
            Self::Symbol(place) => point[*place],
            Self::Add(x, y) => x.value(point)? + y.value(point)?,
            Self::Sub(x, y) => x.value(point)? - y.value(point)?,
            Self::Mul(x, y) => x.value(point)? * y.value(point)?,
            Self::Div(x, y) => x.value(point)? / y.value(point)?,
            Self::Neg(x) => -x.value(point)?,
            Self::Power(x, y) => {
                let (base, exponent) = (x.value(point)?, y.value(point)?);
                // Of what is not positive there are only whole powers, and what is whole but for rounding is
                // not.
                if !matches!(**y, Self::Number(_, 1)) {
                    clear(base.max(0.0))?;
                }
                libm::pow(base, exponent)
            }
            Self::Call(f, x) => {
                let x = x.value(point)?;
                match f {
                    Function::Sign | Function::Abs => clear(x)?,
                    Function::Floor | Function::Ceil => clear(x - libm::round(x))?,
                    Function::Round => clear(x - libm::floor(x) - 0.5)?,
                    Function::Asin | Function::Acos => clear(1.0 - x.abs())?,
                    _ => {}
                }
                f.apply(x)
            }
            Self::Call2(f, x, y) => {
                let (x, y) = (x.value(point)?, y.value(point)?);
                match f {
                    Function2::Min | Function2::Max => clear(x - y)?,
                    Function2::Mod => clear(x / y - libm::round(x / y))?,
                    // The origin has no angle, and on the left of it the angle jumps.
                    Function2::Atan2 => clear(if y < 0.0 { x } else { x.abs() + y })?,
                }
                f.apply(x, y)
            }
            Self::If(c, x, y) => {
                if c.holds(point)? {
                    x.value(point)?
                } else {
                    y.value(point)?
                }
            }
        };
        let moderate = value == 0.0 || (1e-3..1e3).contains(&value.abs());
        moderate.then_some(value)
    }
}

impl Condition {
    fn build(&self, p: &mut Pool, swapped: bool) -> Truth {
        match self {
            Self::Compare(comparison, x, y) => {
                let (x, y) = (x.build(p, swapped), y.build(p, swapped));
                p.compare(*comparison, x, y)
            }
            Self::Not(x) => {
                let x = x.build(p, swapped);
                p.not(x)
            }
            Self::Both(x, y) => {
                let (x, y) = (x.build(p, swapped), y.build(p, swapped));
                p.both(x, y)
            }
            Self::Either(x, y) => {
                let (x, y) = (x.build(p, swapped), y.build(p, swapped));
                p.either(x, y)
            }
        }
    }

    fn holds(&self, point: &[f64; NAMES.len()]) -> Option<bool> {
        Some(match self {
            Self::Compare(comparison, x, y) => {
                let (x, y) = (x.value(point)?, y.value(point)?);
                if (x - y).abs() < 1e-4 {
                    return None;
                }
                comparison.apply(x, y)
            }
            Self::Not(x) => !x.holds(point)?,
            Self::Both(x, y) => {
                let (x, y) = (x.holds(point)?, y.holds(point)?);
                x && y
            }
            Self::Either(x, y) => {
                let (x, y) = (x.holds(point)?, y.holds(point)?);
                x || y
            }
        })
    }
}
