//! Types: what a value is, as far as it is known before anything runs.
//!
//! Lengths are part of types. A length that only the run can tell is [`Dim::Any`]; a type of which nothing is
//! known (the parameter of a library function) is [`Type::Unknown`]. A program all of whose types are
//! [`fixed`](Type::is_fixed) runs as native code.

use std::fmt;

/// A number of elements, rows or columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Dim {
    /// So many.
    Is(u32),
    /// Known only when it runs.
    Any,
}

impl Dim {
    /// Returns `true` if both may be the same number.
    pub fn fits(self, other: Self) -> bool {
        matches!((self, other), (Self::Any, _) | (_, Self::Any)) || self == other
    }

    /// Returns what is known if it is one or the other.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Any }
    }

    /// Returns what is known if it is both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        if self == Self::Any { other } else { self }
    }
}

/// Type of a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Type {
    /// A real number.
    Real,
    /// `true` or `false`.
    Bool,
    /// A vector of so many reals.
    Vector(Dim),
    /// A matrix of so many rows and columns.
    Matrix(Dim, Dim),
    /// A sequence of values of one type; of the empty sequence, [`Type::Unknown`].
    Sequence(Box<Self>),
    /// Known only when it runs.
    Unknown,
}

impl Type {
    /// A vector of `n`.
    pub const fn vector(n: u32) -> Self {
        Self::Vector(Dim::Is(n))
    }

    /// A matrix of `rows` by `columns`.
    pub const fn matrix(rows: u32, columns: u32) -> Self {
        Self::Matrix(Dim::Is(rows), Dim::Is(columns))
    }

    /// Returns `true` if type and shape are known, and made of reals and booleans only: what columns hold and
    /// native code computes.
    pub fn is_fixed(&self) -> bool {
        match self {
            Self::Real | Self::Bool => true,
            Self::Vector(n) => *n != Dim::Any,
            Self::Matrix(rows, columns) => *rows != Dim::Any && *columns != Dim::Any,
            Self::Sequence(_) | Self::Unknown => false,
        }
    }

    /// Returns the number of scalars of a value of a fixed type.
    pub fn scalars(&self) -> Option<usize> {
        match *self {
            Self::Real | Self::Bool => Some(1),
            Self::Vector(Dim::Is(n)) => Some(n as usize),
            Self::Matrix(Dim::Is(rows), Dim::Is(columns)) => Some(rows as usize * columns as usize),
            _ => None,
        }
    }

    /// Returns `true` if a value may be of both types.
    pub fn fits(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => true,
            (Self::Vector(n), Self::Vector(m)) => n.fits(*m),
            (Self::Matrix(n, m), Self::Matrix(p, q)) => n.fits(*p) && m.fits(*q),
            (Self::Sequence(a), Self::Sequence(b)) => a.fits(b),
            _ => self == other,
        }
    }

    /// Returns what is known of a value that is of one type or the other; `None` if no value is.
    pub fn or(&self, other: &Self) -> Option<Self> {
        Some(match (self, other) {
            (Self::Unknown, _) | (_, Self::Unknown) => Self::Unknown,
            (Self::Vector(n), Self::Vector(m)) if n.fits(*m) => Self::Vector(n.or(*m)),
            (Self::Matrix(n, m), Self::Matrix(p, q)) if n.fits(*p) && m.fits(*q) => {
                Self::Matrix(n.or(*p), m.or(*q))
            }
            (Self::Sequence(a), Self::Sequence(b)) => match (&**a, &**b) {
                // The empty sequence is of any type.
                (Self::Unknown, known) | (known, Self::Unknown) => Self::Sequence(Box::new(known.clone())),
                (a, b) => Self::Sequence(Box::new(a.or(b)?)),
            },
            _ if self == other => self.clone(),
            _ => return None,
        })
    }
}

impl fmt::Display for Type {
    /// In the words of messages: `a vector of 3`, `a 3 by 3 matrix`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real => f.write_str("a real"),
            Self::Bool => f.write_str("a boolean"),
            Self::Vector(Dim::Is(n)) => write!(f, "a vector of {n}"),
            Self::Vector(Dim::Any) => f.write_str("a vector"),
            Self::Matrix(Dim::Is(rows), Dim::Is(columns)) => write!(f, "a {rows} by {columns} matrix"),
            Self::Matrix(Dim::Any, Dim::Is(columns)) => write!(f, "a matrix of {columns} columns"),
            Self::Matrix(Dim::Is(rows), Dim::Any) => write!(f, "a matrix of {rows} rows"),
            Self::Matrix(Dim::Any, Dim::Any) => f.write_str("a matrix"),
            Self::Sequence(_) => f.write_str("a sequence"),
            Self::Unknown => f.write_str("a value of any type"),
        }
    }
}
