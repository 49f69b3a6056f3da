//! Signatures of natives: what they accept and give, and what is said when they do not accept something.

use super::registry::Id;
use super::{Entry, Native};
use crate::operation::{Known, Mismatch};
use crate::types::{Dim, Type};

/// The most rows that `identityMatrix` makes.
pub(super) const LARGEST: usize = 1000;

/// Kind of value that one parameter accepts.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Real,
    Vector,
    Three,
    Four,
    Matrix,
    Square,
    /// 4 by 4, or its 3 by 3 part.
    Rotation,
    Sequence,
    /// Something to add up.
    Sum,
    /// A real, or a vector.
    Key,
    /// A number of rows or columns.
    Size,
}

fn kinds(id: Id) -> &'static [Kind] {
    use Kind::{Four, Key, Matrix, Real, Rotation, Sequence, Size, Square, Sum, Three, Vector};
    match id {
        Id::Pi => &[],
        Id::Sine | Id::Cosine | Id::Tangent | Id::InverseSine | Id::InverseCosine | Id::InverseTangent => {
            &[Real]
        }
        Id::Abs | Id::Sqrt | Id::Exp | Id::Log | Id::Floor | Id::Ceil | Id::Round | Id::Sign => &[Real],
        Id::Min | Id::Max | Id::Mod | Id::Atan2 => &[Real, Real],
        Id::Norm | Id::Normalize | Id::VectorDimension => &[Vector],
        Id::SkewSymmetricMatrix | Id::ArbitraryBasis => &[Three],
        Id::EulerXyzToRotationMatrix | Id::EulerXyzToQuaternion => &[Three],
        Id::MultiplyQuaternions => &[Four, Four],
        Id::QuaternionToEulerXyz | Id::QuaternionToRotationMatrix => &[Four],
        Id::RotationMatrixToQuaternion | Id::RotationMatrixToEulerXyz => &[Rotation],
        Id::QuaternionFromAxisAndAngle => &[Three, Real],
        Id::RotateVector => &[Three, Three, Real],
        Id::ReflectVector => &[Vector, Vector],
        Id::SquareMatrixInverse | Id::Determinant | Id::Trace => &[Square],
        Id::MatrixTranspose | Id::MatrixDimension => &[Matrix],
        Id::SubMatrix => &[Matrix, Size, Size],
        Id::IdentityMatrix => &[Size],
        Id::Head | Id::Tail | Id::Length | Id::IsEmpty => &[Sequence],
        Id::Sum => &[Sum],
        Id::Uniform | Id::Normal | Id::Direction | Id::Rotation => &[Real, Key],
    }
}

impl Kind {
    fn accepts(self, ty: &Type) -> bool {
        match (self, ty) {
            (_, Type::Unknown) | (Self::Sum | Self::Key, Type::Vector(_)) => true,
            (Self::Sum, Type::Sequence(of)) => !matches!(**of, Type::Bool | Type::Sequence(_)),
            (Self::Square, Type::Matrix(rows, columns)) => rows.fits(*columns),
            (Self::Rotation, _) => ty.fits(&Type::matrix(4, 4)) || ty.fits(&Type::matrix(3, 3)),
            (Self::Sequence, _) => matches!(ty, Type::Sequence(_)),
            (Self::Real | Self::Size | Self::Key, _) => *ty == Type::Real,
            (Self::Vector, _) => ty.fits(&Type::Vector(Dim::Any)),
            (Self::Three, _) => ty.fits(&Type::vector(3)),
            (Self::Four, _) => ty.fits(&Type::vector(4)),
            (Self::Matrix, _) => ty.fits(&Type::Matrix(Dim::Any, Dim::Any)),
            _ => false,
        }
    }

    fn words(self) -> &'static str {
        match self {
            Self::Real => "a real",
            Self::Vector => "a vector",
            Self::Three => "a vector of 3",
            Self::Four => "a vector of 4",
            Self::Matrix => "a matrix",
            Self::Square => "a matrix with as many rows as columns",
            Self::Rotation => "a 4 by 4 or 3 by 3 matrix",
            Self::Sequence => "a sequence",
            Self::Sum => "a vector, or a sequence of reals, vectors or matrices",
            Self::Size => "a whole number",
            Self::Key => "a real or a vector",
        }
    }
}

/// The type of the native's result.
pub(super) fn result(native: Native, arguments: &[Known]) -> Result<Type, Mismatch> {
    let (id, entry) = (native.0, native.entry());
    let kinds = kinds(id);
    if kinds.len() != arguments.len() {
        return Err(wrong_count(entry, arguments.len()));
    }
    for (place, (kind, argument)) in kinds.iter().zip(arguments).enumerate() {
        if !kind.accepts(&argument.ty) {
            return Err(wrong_type(id, entry, place, *kind, &argument.ty));
        }
    }
    Ok(match id {
        Id::Normalize | Id::MatrixTranspose | Id::SquareMatrixInverse => same_shape(id, &arguments[0].ty),
        Id::ReflectVector => reflected(entry, &arguments[0].ty, &arguments[1].ty)?,
        Id::SkewSymmetricMatrix | Id::ArbitraryBasis => Type::matrix(3, 3),
        Id::MultiplyQuaternions | Id::EulerXyzToQuaternion | Id::Rotation => Type::vector(4),
        Id::Direction => Type::vector(3),
        Id::RotationMatrixToQuaternion | Id::QuaternionFromAxisAndAngle => Type::vector(4),
        Id::QuaternionToEulerXyz | Id::RotationMatrixToEulerXyz | Id::RotateVector => Type::vector(3),
        Id::QuaternionToRotationMatrix | Id::EulerXyzToRotationMatrix => Type::matrix(4, 4),
        Id::SubMatrix => {
            let (rows, columns) = match arguments[0].ty {
                Type::Matrix(rows, columns) => (rows, columns),
                _ => (Dim::Any, Dim::Any),
            };
            Type::Matrix(part(entry, 1, &arguments[1], rows)?, part(entry, 2, &arguments[2], columns)?)
        }
        Id::IdentityMatrix => {
            let n = part(entry, 0, &arguments[0], crate::value::dim(LARGEST))?;
            Type::Matrix(n, n)
        }
        Id::MatrixDimension => Type::vector(2),
        Id::Head | Id::Sum => match &arguments[0].ty {
            Type::Sequence(of) => (**of).clone(),
            Type::Vector(_) => Type::Real,
            _ => Type::Unknown,
        },
        Id::Tail => match &arguments[0].ty {
            sequence @ Type::Sequence(_) => sequence.clone(),
            _ => Type::Sequence(Box::new(Type::Unknown)),
        },
        Id::IsEmpty => Type::Bool,
        _ => Type::Real,
    })
}

/// Of natives that keep a shape, or turn it on its side.
fn same_shape(id: Id, ty: &Type) -> Type {
    match (id, ty) {
        (Id::MatrixTranspose, Type::Matrix(rows, columns)) => Type::Matrix(*columns, *rows),
        (Id::SquareMatrixInverse, Type::Matrix(rows, columns)) => {
            Type::Matrix(rows.and(*columns), columns.and(*rows))
        }
        (Id::Normalize, Type::Unknown) => Type::Vector(Dim::Any),
        (_, Type::Unknown) => Type::Matrix(Dim::Any, Dim::Any),
        (_, other) => other.clone(),
    }
}

fn reflected(entry: &Entry, v: &Type, normal: &Type) -> Result<Type, Mismatch> {
    match (v, normal) {
        (Type::Vector(n), Type::Vector(m)) if n.fits(*m) => Ok(Type::Vector(n.and(*m))),
        (Type::Vector(n), _) | (_, Type::Vector(n)) if v.fits(normal) => Ok(Type::Vector(*n)),
        _ if v.fits(normal) => Ok(Type::Vector(Dim::Any)),
        _ => Err(Mismatch::new(
            format!("`{}` needs two vectors of one length, but here are {v} and {normal}", entry.name),
            "is a comma missing in one of them, or one too many?",
        )),
    }
}

/// The size as a whole number from 1 to `most`.
pub(super) fn size(value: f64, most: usize) -> Option<usize> {
    (value >= 1.0 && value <= most as f64 && value == libm::trunc(value)).then_some(value as usize)
}

/// The number of rows or columns that parameter `place` asks for; `most` where the run may tell of more.
fn part(entry: &Entry, place: usize, asked: &Known, most: Dim) -> Result<Dim, Mismatch> {
    let Some(value) = asked.value else { return Ok(Dim::Any) };
    let (limit, up_to) = match most {
        Dim::Is(n) => (n, format!("from 1 to {n}")),
        Dim::Any => (u32::MAX, "from 1 up".to_owned()),
    };
    match size(value, limit as usize) {
        Some(size) => Ok(crate::value::dim(size)),
        None => Err(Mismatch {
            message: format!(
                "`{}` needs a whole number {up_to} as `{}`, but here is {value}",
                entry.name, entry.params[place]
            ),
            help: (entry.params.len() > 1)
                .then(|| "`matrixDimension(m)` tells how many there are".to_owned()),
        }),
    }
}

/// For a size that must be known before it runs, and is not.
pub(super) fn size_not_known(entry: &Entry) -> Mismatch {
    Mismatch::new(
        format!("`{}` gives a matrix whose size only the run can tell", entry.name),
        "write the number of rows and columns as a number",
    )
}

fn wrong_count(entry: &Entry, given: usize) -> Mismatch {
    let needs = match entry.params {
        [] => "no arguments".to_owned(),
        [one] => format!("one argument, `{one}`"),
        many => format!("{} arguments, `{}`", many.len(), many.join("`, `")),
    };
    let here = match given {
        0 => "none is given".to_owned(),
        1 => "one is given".to_owned(),
        n => format!("{n} are given"),
    };
    Mismatch::new(
        format!("`{}` needs {needs}, but {here}", entry.name),
        format!("for example `{}`", entry.example.0),
    )
}

fn wrong_type(id: Id, entry: &Entry, place: usize, kind: Kind, met: &Type) -> Mismatch {
    let message =
        format!("`{}` needs {} as `{}`, but here is {met}", entry.name, kind.words(), entry.params[place]);
    Mismatch::new(
        message,
        advice(id, kind, met).map_or_else(|| format!("for example `{}`", entry.example.0), str::to_owned),
    )
}

/// Returns advice on what may have been meant; `None` where an example says it best.
fn advice(id: Id, kind: Kind, met: &Type) -> Option<&'static str> {
    Some(match (id, kind, met) {
        (Id::Abs, _, Type::Vector(_)) => "the length of a vector is `norm(v)`",
        (Id::Length, _, Type::Vector(_)) => {
            "`length` counts the elements of a sequence; for a vector, `norm(v)` is how long it is and \
             `vectorDimension(v)` how many elements it has"
        }
        (Id::IsEmpty | Id::Head | Id::Tail, _, Type::Vector(_)) => {
            "`[1, 2]` is a vector, `{1, 2}` a sequence; the first element of a vector is `v # 1`"
        }
        (Id::Norm, _, Type::Real) => "the magnitude of a real is `abs(x)`",
        (Id::Norm | Id::Normalize, _, Type::Matrix(..)) => "take one row, `m # 1`",
        (Id::VectorDimension, _, Type::Matrix(..)) => "`matrixDimension(m)` gives rows and columns",
        (Id::VectorDimension, _, Type::Sequence(_)) => "`length(s)` counts the elements of a sequence",
        (Id::MatrixDimension, _, Type::Vector(_)) => "`vectorDimension(v)` counts the elements of a vector",
        (Id::RotationMatrixToQuaternion | Id::RotationMatrixToEulerXyz, _, Type::Vector(Dim::Is(4))) => {
            "that may be a quaternion: `quaternionToRotationMatrix(q)` makes the matrix"
        }
        (Id::RotationMatrixToQuaternion, _, Type::Vector(Dim::Is(3))) => {
            "those may be Euler angles: `eulerXYZToQuaternion(angles)` starts from them"
        }
        (Id::MatrixTranspose | Id::SubMatrix, _, Type::Vector(_)) => {
            "a vector has no rows and columns; `[v]` is the matrix whose one row it is"
        }
        (_, Kind::Key, Type::Sequence(_)) => "`{1, 2}` is a sequence, `[1, 2]` is a vector",
        (Id::Sum, ..) => "`sum({1, 2, 3})` adds up a sequence, `sum([1, 2, 3])` the elements of a vector",
        (_, Kind::Four, Type::Vector(Dim::Is(3))) => {
            "a quaternion is a vector of 4, [w, x, y, z]; `eulerXYZToQuaternion(angles)` makes one from angles, \
             `quaternionFromAxisAndAngle(axis, angle)` one from an axis"
        }
        (_, Kind::Four, Type::Matrix(..)) => {
            "`rotationMatrixToQuaternion(m)` makes a quaternion, a vector of 4"
        }
        (_, Kind::Four, _) => "a quaternion is a vector of 4, [w, x, y, z]",
        (Id::EulerXyzToRotationMatrix | Id::EulerXyzToQuaternion, _, Type::Vector(Dim::Is(4))) => {
            "that may be a quaternion: `quaternionToEulerXYZ(q)` makes angles of it"
        }
        (_, Kind::Three, Type::Vector(Dim::Is(2))) => "is a comma missing?",
        (_, Kind::Three, Type::Vector(_)) => "write three elements, as in `[1, 0, 0]`",
        (_, Kind::Square, Type::Matrix(..)) => {
            "`subMatrix(m, rows, columns)` takes a part; or is a row missing?"
        }
        (_, Kind::Square | Kind::Matrix, Type::Real) => {
            "one over a real is `1 / x`; a matrix is written `[[1, 0], [0, 1]]`"
        }
        (_, Kind::Vector | Kind::Three, Type::Sequence(_)) => "`{1, 2}` is a sequence, `[1, 2]` is a vector",
        (_, Kind::Real | Kind::Size, Type::Vector(_)) => {
            "take one element, `v # 1`, or the length of the vector, `norm(v)`"
        }
        (_, Kind::Real | Kind::Size, Type::Matrix(..)) => "take one element, `m # 1 # 1`",
        (_, Kind::Real | Kind::Size, Type::Sequence(_)) => "take one element, `s # 1`",
        (_, _, Type::Bool) => "a boolean is no number; `if c then 1 else 0` makes one of it",
        _ => return None,
    })
}
