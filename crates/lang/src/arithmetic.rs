//! The scalar operations, and what it takes to compute with them.
//!
//! This is the seam that makes all executors agree. Every operator and native is written once, as a function
//! over [`Arithmetic`]; [`Immediate`] computes at once, the builder of the intermediate form (`ir`) writes
//! the same operations down in the same order. What one scalar operation does to bits is defined by
//! [`Unary::apply`], [`Binary::apply`] and [`Comparison::apply`], which every executor uses.
//!
//! Operations are total: 1/0 is an infinity, log(-1) is NaN. That a result is not finite is an error of the
//! language; who computes at once notices it at once ([`Immediate::fault`]), who computes many rows looks
//! afterwards.

use crate::native::philox;

/// Writes an enum down together with the list of its variants, which so misses none.
macro_rules! listed {
    ($(#[$about:meta])* pub enum $name:ident { $($(#[$doc:meta])* $variant:ident,)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum $name {
            $($(#[$doc])* $variant,)+
        }

        impl $name {
            /// Every one of them, in the order of their declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),+];
        }
    };
}

listed! {
    /// Real functions of one real.
    pub enum Unary {
        /// -x
        Neg,
        /// |x|
        Abs,
        /// √x
        Sqrt,
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
        /// the integer not above x
        Floor,
        /// the integer not below x
        Ceil,
        /// the nearest integer, halves away from zero
        Round,
        /// the next representable number above x; rounds enclosures outwards
        NextUp,
        /// the next representable number below x
        NextDown,
    }
}

listed! {
    /// Real functions of two reals.
    pub enum Binary {
        /// x + y
        Add,
        /// x - y
        Sub,
        /// x y
        Mul,
        /// x / y
        Div,
        /// xʸ; exactly the product for whole y of magnitude up to 8
        Pow,
        /// the smaller; the first if they are equal
        Min,
        /// the larger; the first if they are equal
        Max,
        /// the angle of the point (y, x): `atan2(x, y)` in the order of its arguments
        Atan2,
        /// x - y ⌊x/y⌋, computed without that rounding: the remainder with the sign of y
        Mod,
        /// random bits that x and y determine, as a real between -2 and 2
        Mix,
        /// a random number in [0, 1) that x and y determine
        Uniform,
    }
}

listed! {
    /// Comparisons of two reals.
    pub enum Comparison {
        /// x = y
        Eq,
        /// x ≠ y
        Ne,
        /// x < y
        Lt,
        /// x ≤ y
        Le,
    }
}

impl Unary {
    /// The result, by the pinned `libm`.
    #[inline]
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Self::Neg => -x,
            Self::Abs => x.abs(),
            Self::Sqrt => libm::sqrt(x),
            Self::Sin => libm::sin(x),
            Self::Cos => libm::cos(x),
            Self::Tan => libm::tan(x),
            Self::Asin => libm::asin(x),
            Self::Acos => libm::acos(x),
            Self::Atan => libm::atan(x),
            Self::Exp => libm::exp(x),
            Self::Log => libm::log(x),
            Self::Floor => libm::floor(x),
            Self::Ceil => libm::ceil(x),
            Self::Round => libm::round(x),
            Self::NextUp => x.next_up(),
            Self::NextDown => x.next_down(),
        }
    }
}

impl Binary {
    /// The result, by the pinned `libm`.
    #[inline]
    pub fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Add => x + y,
            Self::Sub => x - y,
            Self::Mul => x * y,
            Self::Div => x / y,
            Self::Pow => match small_integer(y) {
                Some(n) => {
                    // Where xⁿ overflows, x⁻ⁿ would be zero here, but whoever computes the product meets the
                    // overflow: the same for all, so not finite here either.
                    let mut immediate = Immediate::default();
                    let power = integer_power(&mut immediate, x, n);
                    if immediate.fault().is_some() && power.is_finite() { f64::NAN } else { power }
                }
                None => libm::pow(x, y),
            },
            Self::Min => {
                if y < x {
                    y
                } else {
                    x
                }
            }
            Self::Max => {
                if y > x {
                    y
                } else {
                    x
                }
            }
            Self::Atan2 => libm::atan2(x, y),
            Self::Mod => {
                let remainder = libm::fmod(x, y);
                if remainder == 0.0 {
                    0.0_f64.copysign(y)
                } else if (remainder < 0.0) != (y < 0.0) {
                    remainder + y
                } else {
                    remainder
                }
            }
            Self::Mix => philox::mix(x, y),
            Self::Uniform => philox::uniform(x, y),
        }
    }
}

impl Comparison {
    /// The result; false where a NaN is involved, but for `Ne`.
    #[inline]
    pub fn apply(self, x: f64, y: f64) -> bool {
        match self {
            Self::Eq => x == y,
            Self::Ne => x != y,
            Self::Lt => x < y,
            Self::Le => x <= y,
        }
    }
}

/// The exponent as a whole number, if it is one of magnitude up to 8: those powers are products.
pub fn small_integer(exponent: f64) -> Option<i32> {
    (exponent.abs() <= 8.0 && exponent == libm::trunc(exponent)).then_some(exponent as i32)
}

/// xⁿ by squaring, for |n| ≤ 8; for negative n, one over it. x⁰ is 1.
pub fn integer_power<A: Arithmetic>(a: &mut A, x: A::Real, n: i32) -> A::Real {
    let mut power: Option<A::Real> = None;
    let mut square = x;
    let mut left = n.unsigned_abs();
    while left > 0 {
        if left & 1 == 1 {
            power = Some(power.map_or(square, |power| a.binary(Binary::Mul, power, square)));
        }
        left >>= 1;
        if left > 0 {
            square = a.binary(Binary::Mul, square, square);
        }
    }
    let one = a.real(1.0);
    match power {
        None => one,
        Some(power) if n < 0 => a.binary(Binary::Div, one, power),
        Some(power) => power,
    }
}

/// Why a computation has no result, beyond a number that is not finite.
#[derive(Clone, Debug, PartialEq)]
pub enum Failure {
    /// `#` by a number that is no whole number from 1 to `length`.
    Index {
        /// Index that was asked for.
        index: f64,
        /// Number of elements.
        length: usize,
    },
    /// The inverse of a matrix that has none.
    Singular,
    /// `head` or `tail` of nothing.
    Empty,
    /// A basis along a vector without a direction: all its elements are zero.
    NoDirection,
}

/// Computes with scalars, now or later.
pub trait Arithmetic {
    /// A real number, or the promise of one.
    type Real: Copy;
    /// A truth value, or the promise of one.
    type Bool: Copy;

    /// A constant.
    fn real(&mut self, constant: f64) -> Self::Real;
    /// A constant.
    fn truth(&mut self, constant: bool) -> Self::Bool;
    /// Applies `operation`.
    fn unary(&mut self, operation: Unary, x: Self::Real) -> Self::Real;
    /// Applies `operation`.
    fn binary(&mut self, operation: Binary, x: Self::Real, y: Self::Real) -> Self::Real;
    /// Compares.
    fn compare(&mut self, comparison: Comparison, x: Self::Real, y: Self::Real) -> Self::Bool;
    /// Negates.
    fn not(&mut self, x: Self::Bool) -> Self::Bool;
    /// Both; neither side can fail, so both may be computed.
    fn both(&mut self, x: Self::Bool, y: Self::Bool) -> Self::Bool;
    /// One of them; neither side can fail, so both may be computed.
    fn either(&mut self, x: Self::Bool, y: Self::Bool) -> Self::Bool;
    /// One of two values that have both been computed.
    fn select(&mut self, condition: Self::Bool, then: Self::Real, otherwise: Self::Real) -> Self::Real;
    /// One of two computations; the other one is not made and cannot fail. Both give equally many reals.
    fn branch(
        &mut self,
        condition: Self::Bool,
        then: &mut dyn FnMut(&mut Self) -> Vec<Self::Real>,
        otherwise: &mut dyn FnMut(&mut Self) -> Vec<Self::Real>,
    ) -> Vec<Self::Real>;
    /// Gives up: a real that is NaN, and why. The reason may depend on values that are not known yet.
    fn fail(&mut self, failure: Failure) -> Self::Real;
    /// The number, if it is known now.
    fn known(&self, x: Self::Real) -> Option<f64>;
    /// The truth value, if it is known now.
    fn known_truth(&self, x: Self::Bool) -> Option<bool>;
}

/// Computes at once, and keeps the first thing that went wrong.
#[derive(Debug, Default)]
pub struct Immediate {
    fault: Option<ScalarFault>,
}

/// The first scalar operation that went wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum ScalarFault {
    /// The result of `operation` on finite operands is not finite.
    Unary(Unary, f64),
    /// The result of `operation` on finite operands is not finite.
    Binary(Binary, f64, f64),
    /// An operation gave up.
    Failed(Failure),
}

impl Immediate {
    /// Takes the fault that happened since the last call, if any.
    pub fn fault(&mut self) -> Option<ScalarFault> {
        self.fault.take()
    }
}

impl Arithmetic for Immediate {
    type Real = f64;
    type Bool = bool;

    fn real(&mut self, constant: f64) -> f64 {
        constant
    }

    fn truth(&mut self, constant: bool) -> bool {
        constant
    }

    fn unary(&mut self, operation: Unary, x: f64) -> f64 {
        let result = operation.apply(x);
        if !result.is_finite() && self.fault.is_none() {
            self.fault = Some(ScalarFault::Unary(operation, x));
        }
        result
    }

    fn binary(&mut self, operation: Binary, x: f64, y: f64) -> f64 {
        let result = operation.apply(x, y);
        if !result.is_finite() && self.fault.is_none() {
            self.fault = Some(ScalarFault::Binary(operation, x, y));
        }
        result
    }

    fn compare(&mut self, comparison: Comparison, x: f64, y: f64) -> bool {
        comparison.apply(x, y)
    }

    fn not(&mut self, x: bool) -> bool {
        !x
    }

    fn both(&mut self, x: bool, y: bool) -> bool {
        x && y
    }

    fn either(&mut self, x: bool, y: bool) -> bool {
        x || y
    }

    fn select(&mut self, condition: bool, then: f64, otherwise: f64) -> f64 {
        if condition { then } else { otherwise }
    }

    fn branch(
        &mut self,
        condition: bool,
        then: &mut dyn FnMut(&mut Self) -> Vec<f64>,
        otherwise: &mut dyn FnMut(&mut Self) -> Vec<f64>,
    ) -> Vec<f64> {
        if condition { then(self) } else { otherwise(self) }
    }

    fn fail(&mut self, failure: Failure) -> f64 {
        self.fault.get_or_insert(ScalarFault::Failed(failure));
        f64::NAN
    }

    fn known(&self, x: f64) -> Option<f64> {
        Some(x)
    }

    fn known_truth(&self, x: bool) -> Option<bool> {
        Some(x)
    }
}
