//! Columns: one value of one kind for every component.
//!
//! A column is sparse in meaning and dense in memory. An entry that was never inserted reads as zero (a
//! rotation as the identity, a flag as false); which entries were inserted is a bit set beside the values.
//! Rules see plain slices.

use super::rows::RowSet;
use super::table::{AnyTable, TableKind};
use gedanken_math::units::{Dimension, Quantity};
use gedanken_math::{Quat, Vec3};
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Kind of the values of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A real number.
    Real,
    /// A vector of three reals.
    Vector,
    /// A unit quaternion, body to world.
    Rotation,
    /// True or false.
    Flag,
    /// One value of a type of its own for the whole model.
    Table(TableKind),
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Real => "real",
            Self::Vector => "3-vector",
            Self::Rotation => "rotation",
            Self::Flag => "flag",
            Self::Table(_) => "table",
        })
    }
}

/// The bare values of a column, by row.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Reals.
    Real(Vec<f64>),
    /// Vectors.
    Vector(Vec<Vec3>),
    /// Rotations.
    Rotation(Vec<Quat>),
    /// Flags.
    Flag(Vec<bool>),
    /// A table: not by row.
    Table(Box<dyn AnyTable>),
}

/// Placeholder of a column while a rule holds it.
impl Default for Values {
    fn default() -> Self {
        Self::Flag(Vec::new())
    }
}

impl Values {
    /// `count` zeros of a kind.
    #[must_use]
    pub fn zeros(kind: Kind, count: usize) -> Self {
        match kind {
            Kind::Real => Self::Real(vec![0.0; count]),
            Kind::Vector => Self::Vector(vec![Vec3::ZERO; count]),
            Kind::Rotation => Self::Rotation(vec![Quat::IDENTITY; count]),
            Kind::Flag => Self::Flag(vec![false; count]),
            Kind::Table(kind) => Self::Table(kind.make()),
        }
    }

    /// The kind of the values.
    #[must_use]
    pub fn kind(&self) -> Kind {
        match self {
            Self::Real(_) => Kind::Real,
            Self::Vector(_) => Kind::Vector,
            Self::Rotation(_) => Kind::Rotation,
            Self::Flag(_) => Kind::Flag,
            Self::Table(table) => Kind::Table((**table).kind()),
        }
    }

    /// The value in `row` as text, for messages.
    #[must_use]
    pub fn show(&self, row: usize) -> String {
        let list = |numbers: &[f64]| numbers.iter().map(|x| short(*x)).collect::<Vec<_>>().join(", ");
        match self {
            Self::Real(v) => short(v[row]),
            Self::Vector(v) => format!("[{}]", list(&v[row].to_array())),
            Self::Rotation(v) => format!("[{}]", list(&[v[row].w, v[row].x, v[row].y, v[row].z])),
            Self::Flag(v) => v[row].to_string(),
            Self::Table(table) => format!("{:?}", (**table).kind()),
        }
    }

    /// Returns `true` if the value in `row` is what a missing entry reads as.
    #[must_use]
    pub fn is_zero(&self, row: usize) -> bool {
        match self {
            Self::Real(v) => v[row] == 0.0,
            Self::Vector(v) => v[row] == Vec3::ZERO,
            Self::Rotation(v) => v[row] == Quat::IDENTITY,
            Self::Flag(v) => !v[row],
            Self::Table(_) => false,
        }
    }

    /// Returns `true` if the value in `row` is finite.
    pub(crate) fn is_finite(&self, row: usize) -> bool {
        match self {
            Self::Real(v) => v[row].is_finite(),
            Self::Vector(v) => v[row].is_finite(),
            Self::Rotation(v) => v[row].is_finite(),
            Self::Flag(_) => true,
            Self::Table(table) => (**table).all_finite(),
        }
    }

    /// The first row whose value is not finite.
    ///
    /// The common answer is "none", so the whole column is tested without a branch first, and only a column
    /// that fails is searched.
    #[must_use]
    pub fn first_non_finite(&self) -> Option<usize> {
        let fine = match self {
            Self::Real(v) => all_finite(v),
            Self::Vector(v) => all_finite(bytemuck::cast_slice(v)),
            Self::Rotation(v) => v.iter().all(|q| q.is_finite()),
            Self::Flag(_) => true,
            Self::Table(table) => (**table).all_finite(),
        };
        if fine { None } else { (0..self.len()).find(|&row| !self.is_finite(row)) }
    }

    /// Copies everything from a column of the same kind and length, without allocating.
    pub(crate) fn copy_from(&mut self, other: &Values) {
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => a.copy_from_slice(b),
            (Self::Vector(a), Self::Vector(b)) => a.copy_from_slice(b),
            (Self::Rotation(a), Self::Rotation(b)) => a.copy_from_slice(b),
            (Self::Flag(a), Self::Flag(b)) => a.copy_from_slice(b),
            (Self::Table(a), Self::Table(b)) => (**a).copy_from(&**b),
            _ => unreachable!("a column keeps its kind"),
        }
    }

    /// Copies some rows from a column of the same kind.
    pub(crate) fn copy_rows(&mut self, other: &Values, rows: &RowSet) {
        fn some<T: Copy>(to: &mut [T], from: &[T], rows: &RowSet) {
            for run in rows.runs() {
                to[run.clone()].copy_from_slice(&from[run]);
            }
        }
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => some(a, b, rows),
            (Self::Vector(a), Self::Vector(b)) => some(a, b, rows),
            (Self::Rotation(a), Self::Rotation(b)) => some(a, b, rows),
            (Self::Flag(a), Self::Flag(b)) => some(a, b, rows),
            _ => unreachable!("a column keeps its kind"),
        }
    }

    /// Sets all rows, or some, to zero.
    pub(crate) fn clear(&mut self, rows: Option<&RowSet>) {
        fn clear<T: Copy>(v: &mut [T], zero: T, rows: Option<&RowSet>) {
            match rows {
                None => v.fill(zero),
                Some(rows) => rows.runs().for_each(|run| v[run].fill(zero)),
            }
        }
        match self {
            Self::Real(v) => clear(v, 0.0, rows),
            Self::Vector(v) => clear(v, Vec3::ZERO, rows),
            Self::Rotation(v) => clear(v, Quat::IDENTITY, rows),
            Self::Flag(v) => clear(v, false, rows),
            Self::Table(table) => *table = (**table).kind().make(),
        }
    }

    /// Adds `gain` times another column, on all rows or some. Only reals and vectors add.
    pub(crate) fn accumulate(&mut self, gain: f64, other: &Values, rows: Option<&RowSet>) {
        fn sum<T: Copy + std::ops::AddAssign + std::ops::Mul<f64, Output = T>>(
            to: &mut [T],
            gain: f64,
            from: &[T],
            rows: Option<&RowSet>,
        ) {
            let add = |to: &mut [T], from: &[T]| {
                let pairs = to.iter_mut().zip(from);
                if gain == 1.0 {
                    pairs.for_each(|(a, b)| *a += *b)
                } else {
                    pairs.for_each(|(a, b)| *a += *b * gain)
                }
            };
            match rows {
                None => add(to, from),
                Some(rows) => rows.runs().for_each(|run| add(&mut to[run.clone()], &from[run])),
            }
        }
        match (self, other) {
            (Self::Real(a), Self::Real(b)) => sum(a, gain, b, rows),
            (Self::Vector(a), Self::Vector(b)) => sum(a, gain, b, rows),
            _ => unreachable!("the workflow builder admits only reals and vectors as sums"),
        }
    }

    /// Fills reals and vectors with NaN.
    pub(crate) fn poison(&mut self) {
        match self {
            Self::Real(v) => v.fill(f64::NAN),
            Self::Vector(v) => v.fill(Vec3::NAN),
            Self::Rotation(_) | Self::Flag(_) | Self::Table(_) => {}
        }
    }

    /// The number of rows; one for a table.
    #[expect(clippy::len_without_is_empty, reason = "every column has at least the world's row")]
    #[must_use]
    pub fn len(&self) -> usize {
        match self {
            Self::Real(v) => v.len(),
            Self::Vector(v) => v.len(),
            Self::Rotation(v) => v.len(),
            Self::Flag(v) => v.len(),
            Self::Table(_) => 1,
        }
    }

    /// Feeds the bits of every value to `word`.
    pub fn for_each_word(&self, mut word: impl FnMut(u64)) {
        match self {
            Self::Real(v) => v.iter().for_each(|x| word(x.to_bits())),
            Self::Vector(v) => v.iter().for_each(|p| p.to_array().iter().for_each(|x| word(x.to_bits()))),
            Self::Rotation(v) => v.iter().for_each(|q| q.to_array().iter().for_each(|x| word(x.to_bits()))),
            Self::Flag(v) => v.iter().for_each(|b| word(u64::from(*b))),
            Self::Table(table) => (**table).feed(&mut word),
        }
    }
}

/// A number with all its digits, and a power of ten where it is very large or very small.
fn short(x: f64) -> String {
    let plain = x == 0.0 || !x.is_finite() || (1e-4..1e15).contains(&x.abs());
    if plain { x.to_string() } else { format!("{x:e}") }
}

/// Returns `true` if no exponent is all ones, which marks infinities and NaN: adding one to such an exponent
/// carries into the sign's place. Integer operations alone, so that the loop runs at the speed of memory on
/// any vector unit.
fn all_finite(values: &[f64]) -> bool {
    const EXPONENT: u64 = 0x7FF0_0000_0000_0000;
    const ONE: u64 = 0x0010_0000_0000_0000;
    values.iter().fold(0, |carries, x| carries | ((x.to_bits() & EXPONENT) + ONE)) >> 63 == 0
}

/// A type that can stand in a column: a quantity, a rotation or a flag.
pub trait Value: Copy + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// Kind of column that stores it.
    const KIND: Kind;
    /// Value of a missing entry.
    const ZERO: Self;
    /// The exponents of metre, kilogram, second and ampere.
    const EXPONENTS: [i8; 4];
    /// The column as a slice of this type; `None` if the column is of another kind.
    fn slice(values: &Values) -> Option<&[Self]>;
    /// The column as a mutable slice of this type; `None` if the column is of another kind.
    fn slice_mut(values: &mut Values) -> Option<&mut [Self]>;
    /// Returns `true` if the value is finite.
    fn is_finite(self) -> bool;
}

/// A value that can be added up: what an `Adds` access needs.
pub trait Additive: Value {}

/// The numbers of a quantity: a real on a line, a vector in space. What laws that hold in both are written
/// in.
pub trait Coordinates:
    Copy
    + PartialEq
    + Default
    + fmt::Debug
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + Mul<f64, Output = Self>
    + Div<f64, Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// Kind of column that stores it.
    const KIND: Kind;
    /// The origin.
    const ZERO: Self;
    /// The column as a slice, if it is of this kind.
    fn slice(values: &Values) -> Option<&[Self]>;
    /// The column as a mutable slice, if it is of this kind.
    fn slice_mut(values: &mut Values) -> Option<&mut [Self]>;
    /// The inner product.
    fn dot(self, other: Self) -> f64;
    /// Returns `true` if all components are finite.
    fn is_finite(self) -> bool;
    /// The length: √(a·a), which on a line is the magnitude.
    fn length(self) -> f64 {
        self.dot(self).sqrt()
    }
}

macro_rules! coordinates {
    ($($type:ty, $kind:ident, $zero:expr, $dot:expr;)*) => {$(
        impl Coordinates for $type {
            const KIND: Kind = Kind::$kind;
            const ZERO: Self = $zero;
            fn slice(values: &Values) -> Option<&[Self]> {
                if let Values::$kind(v) = values { Some(v) } else { None }
            }
            fn slice_mut(values: &mut Values) -> Option<&mut [Self]> {
                if let Values::$kind(v) = values { Some(v) } else { None }
            }
            fn dot(self, other: Self) -> f64 {
                $dot(self, other)
            }
            fn is_finite(self) -> bool {
                <$type>::is_finite(self)
            }
        }
    )*};
}

coordinates! {
    f64, Real, 0.0, |a: f64, b: f64| a * b;
    Vec3, Vector, Vec3::ZERO, Vec3::dot;
}

impl<D: Dimension, T: Coordinates> Value for Quantity<D, T> {
    const KIND: Kind = T::KIND;
    const ZERO: Self = Quantity::new(T::ZERO);
    const EXPONENTS: [i8; 4] = D::EXPONENTS;
    fn slice(values: &Values) -> Option<&[Self]> {
        T::slice(values).map(Self::from_si_slice)
    }
    fn slice_mut(values: &mut Values) -> Option<&mut [Self]> {
        T::slice_mut(values).map(Self::from_si_slice_mut)
    }
    fn is_finite(self) -> bool {
        self.si().is_finite()
    }
}

impl<D: Dimension, T: Coordinates> Additive for Quantity<D, T> {}

macro_rules! plain_values {
    ($($type:ty, $kind:ident, $zero:expr, $finite:expr;)*) => {$(
        impl Value for $type {
            const KIND: Kind = Kind::$kind;
            const ZERO: Self = $zero;
            const EXPONENTS: [i8; 4] = [0; 4];
            fn slice(values: &Values) -> Option<&[Self]> {
                if let Values::$kind(v) = values { Some(v) } else { None }
            }
            fn slice_mut(values: &mut Values) -> Option<&mut [Self]> {
                if let Values::$kind(v) = values { Some(v) } else { None }
            }
            fn is_finite(self) -> bool {
                $finite(self)
            }
        }
    )*};
}

plain_values! {
    Quat, Rotation, Quat::IDENTITY, Quat::is_finite;
    bool, Flag, false, |_| true;
}

/// A column of the state: the values, and which entries were inserted.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    pub(crate) values: Values,
    pub(crate) inserted: RowSet,
}

impl Column {
    pub(crate) fn new(kind: Kind, count: usize) -> Self {
        Self { values: Values::zeros(kind, count), inserted: RowSet::new() }
    }

    /// The values by row; missing entries are zero.
    #[must_use]
    pub fn values(&self) -> &Values {
        &self.values
    }

    /// Returns `true` if the row has an entry: one that was inserted, even as zero, or that a rule has made
    /// other than zero.
    #[must_use]
    pub fn has(&self, row: usize) -> bool {
        self.inserted.contains(row) || !self.values.is_zero(row)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_non_finite_row_is_found_in_every_kind() {
        let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        for x in bad {
            assert_eq!(Values::Real(vec![1.0, -2.0, x, x]).first_non_finite(), Some(2));
            assert_eq!(Values::Vector(vec![Vec3::ONE, Vec3::new(0.0, x, 0.0)]).first_non_finite(), Some(1));
            assert_eq!(Values::Rotation(vec![Quat::from_xyzw(x, 0.0, 0.0, 1.0)]).first_non_finite(), Some(0));
        }
        assert_eq!(Values::Real(vec![f64::MAX, f64::MAX, -0.0]).first_non_finite(), None);
        assert_eq!(Values::Flag(vec![true]).first_non_finite(), None);
    }
}
