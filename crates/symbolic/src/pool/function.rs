//! Elementary functions, and their values where these are known.

use crate::number::Rational;
use crate::pool::{Expr, Node, Pool};

/// Real functions of one real.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function {
    /// sin x
    Sin,
    /// cos x
    Cos,
    /// tan x
    Tan,
    /// arcsin x
    Asin,
    /// arccos x
    Acos,
    /// arctan x
    Atan,
    /// eˣ
    Exp,
    /// natural logarithm
    Log,
    /// |x|
    Abs,
    /// -1, 0 or 1
    Sign,
    /// the whole number not above x
    Floor,
    /// the whole number not below x
    Ceil,
    /// the nearest whole number, halves away from zero
    Round,
}

/// Real functions of two reals.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Function2 {
    /// The angle of the point (y, x), in the order of the arguments y, x.
    Atan2,
    /// the smaller
    Min,
    /// the larger
    Max,
    /// the remainder with the sign of the divisor
    Mod,
}

impl Function {
    /// All functions.
    pub const ALL: [Self; 13] = [
        Self::Sin,
        Self::Cos,
        Self::Tan,
        Self::Asin,
        Self::Acos,
        Self::Atan,
        Self::Exp,
        Self::Log,
        Self::Abs,
        Self::Sign,
        Self::Floor,
        Self::Ceil,
        Self::Round,
    ];

    /// Name in the language of laws.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sin => "sine",
            Self::Cos => "cosine",
            Self::Tan => "tangent",
            Self::Asin => "inverseSine",
            Self::Acos => "inverseCosine",
            Self::Atan => "inverseTangent",
            Self::Exp => "exp",
            Self::Log => "log",
            Self::Abs => "abs",
            Self::Sign => "sign",
            Self::Floor => "floor",
            Self::Ceil => "ceil",
            Self::Round => "round",
        }
    }

    /// Returns `true` if f(-x) = -f(x) for all x.
    fn is_odd(self) -> bool {
        use Function::{Asin, Atan, Round, Sign, Sin, Tan};
        matches!(self, Sin | Tan | Asin | Atan | Sign | Round)
    }

    /// Returns `true` if f(-x) = f(x) for all x.
    fn is_even(self) -> bool {
        matches!(self, Self::Cos | Self::Abs)
    }

    /// Returns the value, by the pinned `libm`.
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Self::Sin => libm::sin(x),
            Self::Cos => libm::cos(x),
            Self::Tan => libm::tan(x),
            Self::Asin => libm::asin(x),
            Self::Acos => libm::acos(x),
            Self::Atan => libm::atan(x),
            Self::Exp => libm::exp(x),
            Self::Log => libm::log(x),
            Self::Abs => x.abs(),
            Self::Sign if x > 0.0 => 1.0,
            Self::Sign if x < 0.0 => -1.0,
            Self::Sign => 0.0 * x,
            Self::Floor => libm::floor(x),
            Self::Ceil => libm::ceil(x),
            Self::Round => libm::round(x),
        }
    }
}

impl Function2 {
    /// All functions.
    pub const ALL: [Self; 4] = [Self::Atan2, Self::Min, Self::Max, Self::Mod];

    /// Name in the language of laws.
    pub fn name(self) -> &'static str {
        match self {
            Self::Atan2 => "atan2",
            Self::Min => "min",
            Self::Max => "max",
            Self::Mod => "mod",
        }
    }

    /// Returns the value, by the pinned `libm`.
    pub fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Atan2 => libm::atan2(x, y),
            Self::Min if y < x => y,
            Self::Max if y > x => y,
            Self::Min | Self::Max => x,
            Self::Mod => {
                let remainder = libm::fmod(x, y);
                if remainder != 0.0 && (remainder < 0.0) != (y < 0.0) { remainder + y } else { remainder }
            }
        }
    }
}

impl Pool {
    /// Returns `function(x)`, or its value where that is known.
    pub fn call(&mut self, function: Function, x: Expr) -> Expr {
        if let Some(known) = self.known(function, x) {
            return known;
        }
        if (function.is_odd() || function.is_even()) && self.leads_negative(x) {
            let opposite = self.neg(x);
            let value = self.call(function, opposite);
            return if function.is_odd() { self.neg(value) } else { value };
        }
        self.intern(Node::Call(function, x))
    }

    /// Returns `function(x, y)`, or its value where that is known.
    pub fn call2(&mut self, function: Function2, x: Expr, y: Expr) -> Expr {
        if let (Node::Number(a), Node::Number(b)) = (self.node(x), self.node(y)) {
            match function {
                Function2::Min => return if b < a { y } else { x },
                Function2::Max => return if b > a { y } else { x },
                Function2::Mod if !b.is_zero() => {
                    let rest = a - &(b * &(a / b).floor());
                    return self.number(rest);
                }
                Function2::Atan2 if a.is_zero() || b.is_zero() => {
                    let (half, whole) = (Rational::new(1, 2), Rational::one());
                    let turns = match a.is_zero() {
                        true if b.is_negative() => whole,
                        true => Rational::zero(),
                        false => &half * &a.signum(),
                    };
                    let pi = self.pi();
                    return self.scale(&turns, pi);
                }
                _ => {}
            }
        }
        match function {
            Function2::Min | Function2::Max if x == y => x,
            Function2::Min | Function2::Max if self.order(x, y).is_gt() => {
                self.intern(Node::Call2(function, y, x))
            }
            _ => self.intern(Node::Call2(function, x, y)),
        }
    }

    /// sin x
    pub fn sin(&mut self, x: Expr) -> Expr {
        self.call(Function::Sin, x)
    }

    /// cos x
    pub fn cos(&mut self, x: Expr) -> Expr {
        self.call(Function::Cos, x)
    }

    /// Returns the value where it is exact, or simpler for all real x.
    fn known(&mut self, function: Function, x: Expr) -> Option<Expr> {
        use Function::{Abs, Acos, Asin, Atan, Ceil, Cos, Exp, Floor, Log, Round, Sign, Sin, Tan};
        if let Node::Number(number) = self.node(x) {
            let number = number.clone();
            return match function {
                Sin | Tan | Asin | Atan | Sign if number.is_zero() => Some(self.zero()),
                Cos | Exp if number.is_zero() => Some(self.one()),
                Log if number.is_one() => Some(self.zero()),
                Acos if number.is_one() => Some(self.zero()),
                Abs => Some(self.number(number.abs())),
                Sign => Some(self.number(number.signum())),
                Floor => Some(self.number(number.floor())),
                Ceil => Some(self.number(-&(-&number).floor())),
                // Halves away from zero, as `libm` rounds.
                Round => {
                    let half = &number.abs() + &Rational::new(1, 2);
                    Some(self.number(&number.signum() * &half.floor()))
                }
                _ => None,
            };
        }
        if matches!(function, Sin | Cos | Tan)
            && let Some(turns) = self.over_pi(x)
            && let Some(value) = self.at_turns(function, &turns)
        {
            return Some(value);
        }
        match (function, self.node(x)) {
            // Not the other way round: arcsin(sin x) is x only within a quarter turn.
            (Sin, &Node::Call(Asin, inner))
            | (Cos, &Node::Call(Acos, inner))
            | (Tan, &Node::Call(Atan, inner))
            | (Exp, &Node::Call(Log, inner))
            | (Log, &Node::Call(Exp, inner)) => Some(inner),
            (Exp, Node::Sum { constant, terms }) if constant.is_zero() && terms.len() == 1 => {
                let (term, coefficient) = terms[0].clone();
                let &Node::Call(Log, inner) = self.node(term) else { return None };
                let exponent = self.number(coefficient);
                Some(self.pow(inner, exponent))
            }
            (Abs, _) if self.never_negative(x) => Some(x),
            (Abs, &Node::Power(base, exponent)) => {
                let exponent = self.as_number(exponent)?.clone();
                let magnitude = self.call(Abs, base);
                let exponent = self.number(exponent);
                Some(self.pow(magnitude, exponent))
            }
            (Abs, Node::Product(factors)) => {
                let factors = factors.clone();
                let magnitudes: Vec<Expr> = factors.iter().map(|&factor| self.call(Abs, factor)).collect();
                Some(self.product(&magnitudes))
            }
            (Abs | Sign, Node::Sum { constant, terms }) if constant.is_zero() && terms.len() == 1 => {
                let (term, coefficient) = terms[0].clone();
                let inner = self.call(function, term);
                let scale = if function == Abs { coefficient.abs() } else { coefficient.signum() };
                Some(self.scale(&scale, inner))
            }
            (Sign, Node::Call(Exp, _) | Node::Pi) => Some(self.one()),
            (Sign, Node::Call(Sign, _)) => Some(x),
            _ => None,
        }
    }

    /// Returns q, if the expression is qπ.
    pub(crate) fn over_pi(&self, x: Expr) -> Option<Rational> {
        match self.node(x) {
            Node::Pi => Some(Rational::one()),
            Node::Sum { constant, terms } if constant.is_zero() && terms.len() == 1 => {
                matches!(self.node(terms[0].0), Node::Pi).then(|| terms[0].1.clone())
            }
            _ => None,
        }
    }

    /// Returns the function at qπ, where its value is 0, a half, or a half of a root of 2 or 3.
    fn at_turns(&mut self, function: Function, turns: &Rational) -> Option<Expr> {
        let twelfths = (turns * &Rational::from(12)).to_i64()?.rem_euclid(24);
        let sine = |pool: &mut Self, twelfths: i64| {
            let (quarter, negative) = (twelfths % 12, twelfths >= 12);
            let value = match quarter.min(12 - quarter) {
                0 => pool.zero(),
                2 => pool.rational(1, 2),
                3 => pool.half_root(2),
                4 => pool.half_root(3),
                6 => pool.one(),
                _ => return None,
            };
            Some(if negative { pool.neg(value) } else { value })
        };
        match function {
            Function::Sin => sine(self, twelfths),
            Function::Cos => sine(self, (twelfths + 6) % 24),
            _ => {
                let below = sine(self, (twelfths + 6) % 24)?;
                let above = sine(self, twelfths)?;
                (!self.is_zero(below)).then(|| self.div(above, below))
            }
        }
    }

    /// √n / 2
    fn half_root(&mut self, n: i64) -> Expr {
        let n = self.integer(n);
        let root = self.sqrt(n);
        self.scale(&Rational::new(1, 2), root)
    }
}
