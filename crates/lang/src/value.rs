//! Values: what an expression has when it has run.
//!
//! [`Shaped`] is a value over any kind of scalar. Over `f64` and `bool` it is a [`Value`]; over the nodes of
//! an intermediate program it is a value that will be computed. Operators and natives are written once, over
//! both.

use crate::types::{Dim, Type};
use std::fmt;

/// A value made of reals `R` and booleans `B`.
#[derive(Clone, Debug, PartialEq)]
pub enum Shaped<R, B> {
    /// One real.
    Real(R),
    /// One boolean.
    Bool(B),
    /// A column of reals, of any length, also none.
    Vector(Vec<R>),
    /// Reals row by row.
    Matrix(Matrix<R>),
    /// Values of one type, of any length.
    Sequence(Vec<Self>),
}

/// A matrix, row by row: element (i, j) is `elements[i * columns + j]`.
#[derive(Clone, Debug, PartialEq)]
pub struct Matrix<R> {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// `rows * columns` of them.
    pub elements: Vec<R>,
}

impl<R: Copy> Matrix<R> {
    /// Element (i, j), both from 0.
    pub fn at(&self, row: usize, column: usize) -> R {
        self.elements[row * self.columns + column]
    }

    /// Row `row`, from 0.
    pub fn row(&self, row: usize) -> &[R] {
        &self.elements[row * self.columns..][..self.columns]
    }
}

/// A value of a program that has run.
pub type Value = Shaped<f64, bool>;

impl<R, B> Shaped<R, B> {
    /// Its type. All lengths are known; only the elements of an empty sequence are not.
    pub fn type_of(&self) -> Type {
        match self {
            Self::Real(_) => Type::Real,
            Self::Bool(_) => Type::Bool,
            Self::Vector(elements) => Type::Vector(dim(elements.len())),
            Self::Matrix(matrix) => Type::Matrix(dim(matrix.rows), dim(matrix.columns)),
            Self::Sequence(items) => Type::Sequence(Box::new(type_of_items(items))),
        }
    }
}

/// The type of the items of a sequence. The first one tells, unless it is itself a sequence with nothing in
/// it and a later one says more.
pub(crate) fn type_of_items<R, B>(items: &[Shaped<R, B>]) -> Type {
    let nested = matches!(items.first(), Some(Shaped::Sequence(_)));
    let telling = if nested { items } else { &items[..items.len().min(1)] };
    let of = telling.iter().map(Shaped::type_of).reduce(|a, b| a.or(&b).unwrap_or(Type::Unknown));
    of.unwrap_or(Type::Unknown)
}

/// Values are bounded far below 2³² elements.
pub(crate) fn dim(length: usize) -> Dim {
    u32::try_from(length).map_or(Dim::Any, Dim::Is)
}

impl Value {
    /// Its scalars as columns hold them: row by row, booleans as 0 and 1. A sequence has none, since columns
    /// hold no sequences.
    pub fn scalars(&self) -> Option<Vec<f64>> {
        match self {
            Self::Real(real) => Some(vec![*real]),
            Self::Bool(truth) => Some(vec![f64::from(*truth)]),
            Self::Vector(elements) => Some(elements.clone()),
            Self::Matrix(matrix) => Some(matrix.elements.clone()),
            Self::Sequence(_) => None,
        }
    }

    /// The value of a fixed type with these scalars, as [`scalars`](Self::scalars) gives them; `None` if they
    /// are too many or too few.
    pub fn from_scalars(ty: &Type, scalars: Vec<f64>) -> Option<Self> {
        if ty.scalars() != Some(scalars.len()) {
            return None;
        }
        Some(match *ty {
            Type::Real => Self::Real(scalars[0]),
            Type::Bool => Self::Bool(scalars[0] != 0.0),
            Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => {
                Self::Matrix(Matrix { rows: rows as usize, columns: columns as usize, elements: scalars })
            }
            _ => Self::Vector(scalars),
        })
    }
}

impl fmt::Display for Value {
    /// As it would be written in the language; reals in their shortest form that reads back the same, but for
    /// the sign of zero: `-0` is equal to `0` in the language, dividing by either is an error, and but for
    /// angles (`atan2`) nothing tells them apart, so `-[1, 0, 0]` is `[-1, 0, 0]`. Who needs the bits takes
    /// the scalars.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(real) => write_real(f, *real),
            Self::Bool(truth) => write!(f, "{truth}"),
            Self::Vector(elements) => write_vector(f, elements),
            Self::Matrix(matrix) => {
                f.write_str("[")?;
                for row in 0..matrix.rows {
                    if row > 0 {
                        f.write_str(", ")?;
                    }
                    write_vector(f, matrix.row(row))?;
                }
                f.write_str("]")
            }
            Self::Sequence(items) => {
                f.write_str("{")?;
                for (index, item) in items.iter().enumerate() {
                    if index > 0 {
                        f.write_str(", ")?;
                    }
                    write!(f, "{item}")?;
                }
                f.write_str("}")
            }
        }
    }
}

fn write_vector(f: &mut fmt::Formatter<'_>, elements: &[f64]) -> fmt::Result {
    f.write_str("[")?;
    for (index, &element) in elements.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        write_real(f, element)?;
    }
    f.write_str("]")
}

/// Shortest digits that read back the same; with an exponent where plain digits would be long.
fn write_real(f: &mut fmt::Formatter<'_>, real: f64) -> fmt::Result {
    let magnitude = real.abs();
    if magnitude != 0.0 && !(1e-5..1e16).contains(&magnitude) {
        write!(f, "{real:e}")
    } else {
        // Adding zero takes the sign from zero and nothing from anything else.
        write!(f, "{}", real + 0.0)
    }
}
