//! The natives: functions that every program may call, with their documentation.
//!
//! Each is written once over [`Arithmetic`], so that all executors agree. What `help` prints, what the
//! reference page shows and what the tests run are the same [`Entry`]. `registry` lists them, `signature`
//! says what they accept and give, and the values are in one file per family.

mod chance;
mod inverse;
mod matrix;
pub(crate) mod philox;
mod registry;
mod rotation;
mod scalar;
mod sequence;
mod signature;
mod sums_of_products;
mod vector;

pub(crate) use inverse::adjugate_inverse;
pub use registry::NATIVES;

use crate::arithmetic::Arithmetic;
use crate::operation::{Known, Mismatch, Of};
use crate::types::Type;
use crate::value::Shaped;
use registry::{IDS, Id};

/// A native, by its place in [`NATIVES`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Native(Id);

/// All that is said of a native.
#[derive(Debug)]
pub struct Entry {
    /// As it is called.
    pub name: &'static str,
    /// The names of its parameters.
    pub params: &'static [&'static str],
    /// Of what type, in words: `real -> real`.
    pub signature: &'static str,
    /// Summary in a sentence or two.
    pub summary: &'static str,
    /// The formula, in plain Unicode; empty where words say it all.
    pub formula: &'static str,
    /// An expression and its value, both as written in a session.
    pub example: (&'static str, &'static str),
}

impl Native {
    /// The native of this name.
    pub fn by_name(name: &str) -> Option<Self> {
        let index = NATIVES.iter().position(|entry| entry.name == name)?;
        IDS.get(index).copied().map(Self)
    }

    /// All that is said of it.
    pub fn entry(self) -> &'static Entry {
        &NATIVES[self.0 as usize]
    }

    /// The type of its result, for as many arguments as it has parameters.
    ///
    /// # Errors
    /// If it does not accept such arguments.
    pub fn result(self, arguments: &[Known]) -> Result<Type, Mismatch> {
        signature::result(self, arguments)
    }

    /// Its value, for as many arguments as it has parameters. What is returned after a
    /// [failure](crate::arithmetic::Failure) means nothing.
    ///
    /// # Errors
    /// If it does not accept such arguments.
    pub fn call<A: Arithmetic>(
        self,
        a: &mut A,
        arguments: &[Shaped<A::Real, A::Bool>],
    ) -> Result<Shaped<A::Real, A::Bool>, Mismatch> {
        value(self.0, a, arguments).ok_or_else(|| {
            let known: Vec<Known> = arguments.iter().map(|argument| know(a, argument)).collect();
            match self.result(&known) {
                Err(mismatch) => mismatch,
                Ok(_) => signature::size_not_known(self.entry()),
            }
        })
    }
}

/// Returns what can be said of a value now.
fn know<A: Arithmetic>(a: &A, value: &Of<A>) -> Known {
    let number = if let Shaped::Real(real) = value { a.known(*real) } else { None };
    Known { ty: value.type_of(), value: number }
}

/// The value, or `None` if the arguments do not fit; [`signature::result`] knows why.
fn value<A: Arithmetic>(id: Id, a: &mut A, arguments: &[Of<A>]) -> Option<Of<A>> {
    use Shaped::{Bool, Matrix, Real, Sequence, Vector};
    Some(match (id, arguments) {
        (Id::Pi, []) => Real(a.real(std::f64::consts::PI)),
        (Id::Norm, [Vector(v)]) => Real(vector::norm(a, v)),
        (Id::Normalize, [Vector(v)]) => Vector(vector::normalize(a, v)),
        (Id::VectorDimension, [Vector(v)]) => Real(a.real(v.len() as f64)),
        (Id::SkewSymmetricMatrix, [Vector(v)]) => Matrix(vector::skew(a, fixed(v)?)),
        (Id::RotateVector, [Vector(v), Vector(axis), Real(angle)]) => {
            Vector(vector::rotate(a, fixed(v)?, fixed(axis)?, *angle).to_vec())
        }
        (Id::ReflectVector, [Vector(v), Vector(normal)]) if v.len() == normal.len() => {
            Vector(vector::reflect(a, v, normal))
        }
        (Id::ArbitraryBasis, [Vector(n)]) => Matrix(vector::arbitrary_basis(a, fixed(n)?)),
        (Id::MultiplyQuaternions, [Vector(p), Vector(q)]) => {
            Vector(rotation::multiply(a, fixed(p)?, fixed(q)?).to_vec())
        }
        (Id::QuaternionToEulerXyz, [Vector(q)]) => {
            let m = rotation::matrix_of_quaternion(a, fixed(q)?);
            Vector(rotation::euler_of_matrix(a, m).to_vec())
        }
        (Id::QuaternionToRotationMatrix, [Vector(q)]) => {
            let m = rotation::matrix_of_quaternion(a, fixed(q)?);
            Matrix(rotation::homogeneous(a, m))
        }
        (Id::EulerXyzToRotationMatrix, [Vector(angles)]) => {
            let m = rotation::matrix_of_euler(a, fixed(angles)?);
            Matrix(rotation::homogeneous(a, m))
        }
        (Id::EulerXyzToQuaternion, [Vector(angles)]) => {
            Vector(rotation::quaternion_of_euler(a, fixed(angles)?).to_vec())
        }
        (Id::RotationMatrixToQuaternion, [Matrix(m)]) => {
            Vector(rotation::quaternion_of_matrix(a, rotation::of_rotation_matrix(m)?))
        }
        (Id::RotationMatrixToEulerXyz, [Matrix(m)]) => {
            Vector(rotation::euler_of_matrix(a, rotation::of_rotation_matrix(m)?).to_vec())
        }
        (Id::QuaternionFromAxisAndAngle, [Vector(axis), Real(angle)]) => {
            Vector(rotation::quaternion_of_axis(a, fixed(axis)?, *angle).to_vec())
        }
        (Id::SquareMatrixInverse, [Matrix(m)]) if m.rows == m.columns => Matrix(inverse::inverse(a, m)),
        (Id::Determinant, [Matrix(m)]) if m.rows == m.columns => Real(inverse::determinant(a, m)),
        (Id::Trace, [Matrix(m)]) if m.rows == m.columns => Real(matrix::trace(a, m)),
        (Id::MatrixTranspose, [Matrix(m)]) => Matrix(matrix::transpose(m)),
        (Id::MatrixDimension, [Matrix(m)]) => Vector(vec![a.real(m.rows as f64), a.real(m.columns as f64)]),
        (Id::SubMatrix, [Matrix(m), Real(rows), Real(columns)]) => {
            let rows = signature::size(a.known(*rows)?, m.rows)?;
            let columns = signature::size(a.known(*columns)?, m.columns)?;
            Matrix(matrix::part(m, rows, columns))
        }
        (Id::IdentityMatrix, [Real(n)]) => {
            let n = signature::size(a.known(*n)?, signature::LARGEST)?;
            Matrix(matrix::identity(a, n))
        }
        (Id::Head, [Sequence(items)]) => sequence::head(a, items),
        (Id::Tail, [Sequence(items)]) => sequence::tail(a, items),
        (Id::Length, [Sequence(items)]) => Real(a.real(items.len() as f64)),
        (Id::IsEmpty, [Sequence(items)]) => Bool(a.truth(items.is_empty())),
        (Id::Sum, [Sequence(items)]) => sequence::sum(a, items)?,
        (Id::Uniform, [Real(seed), key]) => Real(chance::uniform(a, *seed, reals(key)?)),
        (Id::Normal, [Real(seed), key]) => Real(chance::normal(a, *seed, reals(key)?)),
        (Id::Direction, [Real(seed), key]) => Vector(chance::direction(a, *seed, reals(key)?)),
        (Id::Rotation, [Real(seed), key]) => Vector(chance::rotation(a, *seed, reals(key)?)),
        (Id::Sum, [Vector(v)]) => Real(crate::operation::algebra::sum(a, v.iter().copied())),
        (_, [Real(x)]) => Real(scalar::of_one(a, id, *x)?),
        (_, [Real(x), Real(y)]) => Real(scalar::of_two(a, id, *x, *y)?),
        _ => return None,
    })
}

/// The elements of a vector, or a real as the only one.
fn reals<R, B>(value: &Shaped<R, B>) -> Option<&[R]> {
    match value {
        Shaped::Real(real) => Some(std::slice::from_ref(real)),
        Shaped::Vector(elements) => Some(elements),
        _ => None,
    }
}

/// Exactly `N` of them.
fn fixed<R: Copy, const N: usize>(elements: &[R]) -> Option<[R; N]> {
    elements.try_into().ok()
}
