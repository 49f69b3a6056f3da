//! Messages for operands that an operator does not accept: the operator, what it met, what it needs, and what
//! may have been meant.

use super::Mismatch;
use crate::syntax::tree::{Binary, Unary};
use crate::types::{Dim, Type};

const BOOLEAN: &str = "a boolean is no number; `if c then 1 else 0` makes one of it";
const SEQUENCE: &str = "`{1, 2}` is a sequence, `[1, 2]` is a vector: for a vector write square brackets";

/// For shapes that are only known when it runs, where they must be known before.
pub(super) fn only_the_run_can_tell(sign: &str) -> Mismatch {
    Mismatch::new(
        format!("`{sign}` here gives values of different shapes, and only the run can tell which"),
        "make all of them of one shape",
    )
}

pub(super) fn unary(operator: Unary, operand: &Type) -> Mismatch {
    let sign = operator.sign();
    if operator == Unary::Not {
        return Mismatch::new(
            format!("`!` needs a boolean, but here is {operand}"),
            "`!` means \"not\": compare first, as in `!(x > 0)`",
        );
    }
    let help = if *operand == Type::Bool { "to negate a boolean write `!`" } else { SEQUENCE };
    Mismatch::new(format!("`{sign}` needs a real, a vector or a matrix, but here is {operand}"), help)
}

pub(super) fn binary(operator: Binary, left: &Type, right: &Type) -> Mismatch {
    let sign = operator.sign();
    let needs = match operator {
        Binary::Or | Binary::And => "two booleans",
        Binary::Equal | Binary::NotEqual => "two values of one type and shape",
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => "two reals",
        Binary::Join => "two sequences of the same type",
        Binary::Add | Binary::Subtract => "two values of the same shape",
        Binary::Multiply => product_needs(left, right),
        Binary::Divide => "a real on its right",
        Binary::Dot => "two vectors of one length",
        Binary::Power => "two reals",
        Binary::Element => "a vector, a matrix or a sequence and then a whole number",
    };
    let here = if left == right { twice(left) } else { format!("{left} and {right}") };
    Mismatch {
        message: format!("`{sign}` needs {needs}, but here are {here}"),
        help: help(operator, left, right),
    }
}

/// `two vectors of 2`; what Display says, in the plural.
fn twice(ty: &Type) -> String {
    match ty {
        Type::Real => "two reals".to_owned(),
        Type::Bool => "two booleans".to_owned(),
        Type::Vector(Dim::Is(n)) => format!("two vectors of {n}"),
        Type::Matrix(Dim::Is(rows), Dim::Is(columns)) => format!("two {rows} by {columns} matrices"),
        Type::Sequence(_) => "two sequences".to_owned(),
        other => format!("{other} and {other}"),
    }
}

fn product_needs(left: &Type, right: &Type) -> &'static str {
    match (left, right) {
        (Type::Vector(_), Type::Vector(_)) => "two vectors of 3 (their cross product)",
        (Type::Matrix(..), Type::Matrix(..)) => "as many columns on its left as rows on its right",
        (Type::Matrix(..), Type::Vector(_)) => "as many columns on its left as elements on its right",
        (Type::Vector(_), Type::Matrix(..)) => "the matrix on its left",
        _ => "reals, vectors or matrices",
    }
}

fn help(operator: Binary, left: &Type, right: &Type) -> Option<String> {
    let one_is = |test: fn(&Type) -> bool| test(left) || test(right);
    let (a_bool, a_sequence) = (one_is(|ty| *ty == Type::Bool), one_is(|ty| matches!(ty, Type::Sequence(_))));
    let text = match operator {
        Binary::Or | Binary::And => "compare first, as in `x > 0 & y > 0`",
        Binary::Equal | Binary::NotEqual => return equality_help(left, right),
        Binary::Join => return join_help(left, right),
        Binary::Element => return element_help(left, right),
        _ if a_sequence => return sequence_help(operator, left, right),
        _ if a_bool => BOOLEAN,
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
            "compare lengths, `norm(v)`, or single elements, `v # 1`"
        }
        Binary::Add | Binary::Subtract => return sum_help(operator, left, right),
        Binary::Multiply => return product_help(left, right),
        Binary::Divide => return division_help(left, right),
        Binary::Dot => match (left, right) {
            (Type::Real, Type::Real) => {
                "`.` is the inner product of two vectors; to multiply two reals write `*`"
            }
            (Type::Vector(_), Type::Vector(_)) => {
                "both vectors must have the same number of elements: is a comma missing, or one too many?"
            }
            (Type::Matrix(..), _) | (_, Type::Matrix(..)) => "to multiply by a matrix write `*`",
            _ => "`.` is the inner product of two vectors; to scale a vector by a real write `*`",
        },
        Binary::Power => match (left, right) {
            (Type::Vector(_), Type::Real) => {
                "`v . v` is the square of a vector's length, `norm(v)` the length itself"
            }
            (Type::Matrix(..), Type::Real) => {
                "multiply the matrix by itself, `m * m`; its inverse is `squareMatrixInverse(m)`"
            }
            _ => "take a single element, `v # 1`, or the length of a vector, `norm(v)`",
        },
    };
    Some(text.to_owned())
}

fn equality_help(left: &Type, right: &Type) -> Option<String> {
    let text = match (left, right) {
        (Type::Vector(_), Type::Vector(_)) | (Type::Matrix(..), Type::Matrix(..)) => {
            "values of different shapes are never equal: is a comma missing, or one too many?"
        }
        (Type::Sequence(_), Type::Vector(_)) | (Type::Vector(_), Type::Sequence(_)) => SEQUENCE,
        (Type::Bool, _) | (_, Type::Bool) => "a boolean is a condition by itself: write `c` or `!c`",
        (Type::Vector(_), Type::Real) | (Type::Real, Type::Vector(_)) => {
            "compare the length, `norm(v)`, or a single element, `v # 1`"
        }
        _ => "compare a real with a real, a vector with a vector",
    };
    Some(text.to_owned())
}

fn join_help(left: &Type, right: &Type) -> Option<String> {
    let text = match (left, right) {
        (Type::Sequence(x), Type::Sequence(y)) => {
            return Some(format!(
                "the elements of one sequence are all alike; here the left has {x}, the right {y}"
            ));
        }
        (Type::Sequence(_), _) => "to append one value put it in braces: `s ++ {x}`",
        (_, Type::Sequence(_)) => "to put one value in front put it in braces: `{x} ++ s`",
        (Type::Real, Type::Real) => "to add two reals write `+`; `++` joins sequences, as in `{1} ++ {2}`",
        _ => "`++` joins sequences, as in `{1, 2} ++ {3}`",
    };
    Some(text.to_owned())
}

fn element_help(left: &Type, right: &Type) -> Option<String> {
    let text = match (left, right) {
        (Type::Real | Type::Bool, _) => "only vectors, matrices and sequences have elements",
        (Type::Matrix(..), Type::Vector(_)) => "take the row first, then its element: `m # 1 # 2`",
        _ => "elements are counted from 1, as in `v # 1`",
    };
    Some(text.to_owned())
}

fn sequence_help(operator: Binary, left: &Type, right: &Type) -> Option<String> {
    let text = match (operator, left, right) {
        (Binary::Add, Type::Sequence(_), Type::Sequence(_)) => {
            "to join two sequences write `++`; `sum(s)` adds up one"
        }
        (_, Type::Real, _) | (_, _, Type::Real) => {
            "take one element, `s # 1`, or add all of them up, `sum(s)`"
        }
        _ => SEQUENCE,
    };
    Some(text.to_owned())
}

fn sum_help(operator: Binary, left: &Type, right: &Type) -> Option<String> {
    let sign = operator.sign();
    Some(match (left, right) {
        (Type::Vector(_), Type::Real) => {
            format!(
                "did you mean its length, `norm(v) {sign} x`, one of its elements, `v # 1 {sign} x`, or a vector on the right, `v {sign} [0, 0, x]`?"
            )
        }
        (Type::Real, Type::Vector(_)) => {
            format!(
                "did you mean its length, `x {sign} norm(v)`, one of its elements, `x {sign} v # 1`, or a vector on the left, `[0, 0, x] {sign} v`?"
            )
        }
        (Type::Vector(_), Type::Vector(_)) => {
            "both vectors must have the same number of elements: is a comma missing, or one too many?"
                .to_owned()
        }
        (Type::Matrix(..), Type::Matrix(..)) => {
            "`subMatrix(m, rows, columns)` takes the part that fits".to_owned()
        }
        (Type::Matrix(..), Type::Real) | (Type::Real, Type::Matrix(..)) => {
            "for a multiple of the identity write `x * identityMatrix(3)`".to_owned()
        }
        _ => "multiply the matrix by the vector first, `m * v`".to_owned(),
    })
}

fn product_help(left: &Type, right: &Type) -> Option<String> {
    Some(match (left, right) {
        (Type::Vector(n), Type::Vector(m)) => {
            let other = [n, m]
                .into_iter()
                .find_map(|n| if let Dim::Is(n) = n { (*n != 3).then_some(*n) } else { None });
            let n = other.unwrap_or_default();
            let comma = if n < 3 { "is a comma missing?" } else { "is there one element too many?" };
            format!(
                "the cross product needs two vectors of 3; a vector of {n} appears here: {comma} \
                 The inner product is `v . w`"
            )
        }
        (Type::Matrix(rows, inner), Type::Matrix(other, _)) => match (rows.fits(*other), inner) {
            (true, _) => {
                "`matrixTranspose(m) * n` would fit; is one of them turned the wrong way?".to_owned()
            }
            _ => "`subMatrix(m, rows, columns)` takes the part that fits; a rotation matrix is 4 by 4"
                .to_owned(),
        },
        (Type::Matrix(Dim::Is(4), Dim::Is(4)), Type::Vector(Dim::Is(3))) => {
            "rotation matrices are 4 by 4; `subMatrix(m, 3, 3) * v` rotates a vector of 3".to_owned()
        }
        (Type::Matrix(rows, _), Type::Vector(n)) if rows.fits(*n) => {
            "`matrixTranspose(m) * v` would fit; is the matrix turned the wrong way?".to_owned()
        }
        (Type::Matrix(..), Type::Vector(_)) => "is a comma missing in the vector or in a row?".to_owned(),
        _ => "a vector stands on the right of a matrix: `m * v`, or `matrixTranspose(m) * v`".to_owned(),
    })
}

fn division_help(left: &Type, right: &Type) -> Option<String> {
    let text = match (left, right) {
        (Type::Vector(_), Type::Vector(_)) => {
            "to scale, divide by its length: `u / norm(v)`; element by element division does not exist in vector algebra"
        }
        (Type::Real, Type::Vector(_)) => {
            "divide by its length, `x / norm(v)`, or by one element, `x / (v # 1)`"
        }
        (_, Type::Matrix(..)) => "multiply by the inverse: `squareMatrixInverse(m) * v`",
        _ => "divide by the length of the vector: `m / norm(v)`",
    };
    Some(text.to_owned())
}

/// For an index that is known before anything runs.
pub(super) fn out_of_range(from: &Type, length: Dim, index: f64) -> Mismatch {
    let range = match length {
        Dim::Is(0) => "it has none".to_owned(),
        Dim::Is(1) => "it has only number 1".to_owned(),
        Dim::Is(n) => format!("the numbers go from 1 to {n}"),
        Dim::Any => "the numbers go up from 1".to_owned(),
    };
    let what = if matches!(from, Type::Matrix(..)) { "row" } else { "element" };
    Mismatch::new(
        format!("`#` asks for {what} {index} of {from}: {range}"),
        match index {
            0.0 => "counting starts at 1, not at 0",
            index if index != libm::trunc(index) => "use a whole number; `round(x)` makes one",
            _ => "check the number, or whether a comma is missing in what stands on the left",
        },
    )
}

pub(super) fn no_element_of_a_vector(place: usize, ty: &Type) -> Mismatch {
    let help = match ty {
        Type::Bool => BOOLEAN,
        Type::Sequence(_) => SEQUENCE,
        _ => "for values of any type write a sequence, `{a, b}`",
    };
    Mismatch::new(
        format!("`[ ]` needs reals, or vectors as the rows of a matrix, but element {} is {ty}", place + 1),
        help,
    )
}

pub(super) fn uneven_elements(first_place: usize, first: &Type, place: usize, ty: &Type) -> Mismatch {
    let help = if matches!((first, ty), (Type::Vector(_), Type::Vector(_))) {
        "the rows of a matrix have equal lengths: is a comma missing, or one too many?"
    } else {
        "write reals only for a vector, or vectors of one length for a matrix"
    };
    uneven("[ ]", (first_place, first), (place, ty), help)
}

pub(super) fn uneven_sequence(first_place: usize, first: &Type, place: usize, ty: &Type) -> Mismatch {
    uneven("{ }", (first_place, first), (place, ty), "the elements of one sequence are of one type and shape")
}

fn uneven(sign: &str, first: (usize, &Type), other: (usize, &Type), help: &str) -> Mismatch {
    let ((i, first), (j, other)) = (first, other);
    Mismatch::new(
        format!(
            "`{sign}` needs elements of one type, but element {} is {first} and element {} is {other}",
            i + 1,
            j + 1
        ),
        help,
    )
}
