//! Whole numbers from -12 to 12 as types, with addition and halving that the compiler does.
//!
//! A dimension is a few exponents; multiplying two quantities adds them. The names (`N2`, `Z0`, `P3`) are
//! what a compiler error prints, so they are kept short: binary-coded integers from a library would be
//! unreadable there.

use core::marker::PhantomData;

/// A whole number known to the compiler.
pub trait Exponent: 'static {
    /// The number.
    const VALUE: i8;
    /// Its negative.
    type Negative: Exponent;
}

/// Addition of two numbers, each from -6 to 6.
pub trait Plus<Right> {
    /// `Self + Right`.
    type Sum: Exponent;
}

/// Half of an even number.
pub trait Halved {
    /// `Self / 2`.
    type Half: Exponent;
}

macro_rules! exponents {
    ($($name:ident = $value:literal, negative $negative:ident;)*) => {$(
        #[doc = concat!("The exponent ", stringify!($value), ".")]
        #[derive(Debug, Clone, Copy)]
        pub struct $name(PhantomData<()>);
        impl Exponent for $name {
            const VALUE: i8 = $value;
            type Negative = $negative;
        }
    )*};
}

exponents! {
    N12 = -12, negative P12; N11 = -11, negative P11; N10 = -10, negative P10; N9 = -9, negative P9;
    N8 = -8, negative P8; N7 = -7, negative P7; N6 = -6, negative P6; N5 = -5, negative P5;
    N4 = -4, negative P4; N3 = -3, negative P3; N2 = -2, negative P2; N1 = -1, negative P1;
    Z0 = 0, negative Z0;
    P1 = 1, negative N1; P2 = 2, negative N2; P3 = 3, negative N3; P4 = 4, negative N4;
    P5 = 5, negative N5; P6 = 6, negative N6; P7 = 7, negative N7; P8 = 8, negative N8;
    P9 = 9, negative N9; P10 = 10, negative N10; P11 = 11, negative N11; P12 = 12, negative N12;
}

/// One row of the addition table: `$a + b` for every `b` of the list, the sums being a window of all numbers.
macro_rules! row {
    ($a:ident; [] [$($rest:ident)*]) => {};
    ($a:ident; [$b:ident $($bs:ident)*] [$sum:ident $($sums:ident)*]) => {
        impl Plus<$b> for $a { type Sum = $sum; }
        row!($a; [$($bs)*] [$($sums)*]);
    };
}

/// All rows: each starts one number further along the list of sums.
macro_rules! table {
    ([] [$($sums:ident)*]) => {};
    ([$a:ident $($as:ident)*] [$sum:ident $($sums:ident)*]) => {
        row!($a; [N6 N5 N4 N3 N2 N1 Z0 P1 P2 P3 P4 P5 P6] [$sum $($sums)*]);
        table!([$($as)*] [$($sums)*]);
    };
}

table! {
    [N6 N5 N4 N3 N2 N1 Z0 P1 P2 P3 P4 P5 P6]
    [N12 N11 N10 N9 N8 N7 N6 N5 N4 N3 N2 N1 Z0 P1 P2 P3 P4 P5 P6 P7 P8 P9 P10 P11 P12]
}

macro_rules! halves {
    ($($even:ident => $half:ident),*) => {$( impl Halved for $even { type Half = $half; } )*};
}

halves!(N12 => N6, N10 => N5, N8 => N4, N6 => N3, N4 => N2, N2 => N1, Z0 => Z0,
        P2 => P1, P4 => P2, P6 => P3, P8 => P4, P10 => P5, P12 => P6);

#[cfg(test)]
mod tests {
    use super::*;

    fn sum<A: Plus<B>, B>() -> i8 {
        <A::Sum as Exponent>::VALUE
    }

    /// The macro builds the table by sliding a window; the corners and the middle pin it down.
    #[test]
    fn the_addition_table_is_addition() {
        assert_eq!(sum::<N6, N6>(), -12);
        assert_eq!(sum::<N6, P6>(), 0);
        assert_eq!(sum::<P6, N6>(), 0);
        assert_eq!(sum::<P6, P6>(), 12);
        assert_eq!(sum::<P2, N5>(), -3);
        assert_eq!(sum::<Z0, P4>(), 4);
        assert_eq!(<<P3 as Exponent>::Negative as Exponent>::VALUE, -3);
        assert_eq!(<<N8 as Halved>::Half as Exponent>::VALUE, -4);
    }
}
