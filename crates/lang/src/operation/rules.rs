//! The type rules of the operators: which operands fit, and what comes out.
//!
//! A type that only the run can tell fits wherever something of that type could; the result says as much as
//! is sure.

use super::{Known, Mismatch, compare_and_pick, messages};
use crate::syntax::tree::{Binary, Unary};
use crate::types::{Dim, Type};
use crate::value::dim;

/// Real, vector, matrix, or perhaps one of them.
fn may_be_numeric(ty: &Type) -> bool {
    !matches!(ty, Type::Bool | Type::Sequence(_))
}

/// The type of `operator operand`.
///
/// # Errors
/// If the operator does not accept it.
pub fn unary_type(operator: Unary, operand: &Type) -> Result<Type, Mismatch> {
    match operator {
        Unary::Minus | Unary::Plus if may_be_numeric(operand) => Ok(operand.clone()),
        Unary::Not if operand.fits(&Type::Bool) => Ok(Type::Bool),
        _ => Err(messages::unary(operator, operand)),
    }
}

/// The type of `left operator right`, also for `&` and `|`.
///
/// # Errors
/// If the operator does not accept them.
pub fn binary_type(operator: Binary, left: &Known, right: &Known) -> Result<Type, Mismatch> {
    let (l, r) = (&left.ty, &right.ty);
    let result = match operator {
        Binary::Or | Binary::And => both(l, r, &Type::Bool).then_some(Type::Bool),
        Binary::Equal | Binary::NotEqual => l.fits(r).then_some(Type::Bool),
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => {
            both(l, r, &Type::Real).then_some(Type::Bool)
        }
        Binary::Join => join(l, r),
        Binary::Add | Binary::Subtract => sum(l, r),
        Binary::Multiply => product(l, r),
        Binary::Divide => (may_be_numeric(l) && r.fits(&Type::Real)).then(|| l.clone()),
        Binary::Dot => (both(l, r, &Type::Vector(Dim::Any)) && l.fits(r)).then_some(Type::Real),
        Binary::Power => both(l, r, &Type::Real).then_some(Type::Real),
        Binary::Element => return element(left, right),
    };
    result.ok_or_else(|| messages::binary(operator, l, r))
}

fn both(left: &Type, right: &Type, wanted: &Type) -> bool {
    left.fits(wanted) && right.fits(wanted)
}

fn join(left: &Type, right: &Type) -> Option<Type> {
    match (left, right) {
        (Type::Sequence(_), Type::Sequence(_)) => left.or(right),
        (sequence @ Type::Sequence(_), Type::Unknown) | (Type::Unknown, sequence @ Type::Sequence(_)) => {
            Some(sequence.clone())
        }
        (Type::Unknown, Type::Unknown) => Some(Type::Sequence(Box::new(Type::Unknown))),
        _ => None,
    }
}

fn sum(left: &Type, right: &Type) -> Option<Type> {
    let fits = may_be_numeric(left) && may_be_numeric(right) && left.fits(right);
    fits.then(|| match (left, right) {
        (Type::Vector(n), Type::Vector(m)) => Type::Vector(n.and(*m)),
        (Type::Matrix(n, m), Type::Matrix(p, q)) => Type::Matrix(n.and(*p), m.and(*q)),
        (Type::Unknown, other) | (other, _) => other.clone(),
    })
}

fn product(left: &Type, right: &Type) -> Option<Type> {
    if !may_be_numeric(left) || !may_be_numeric(right) {
        return None;
    }
    let three = Dim::Is(3);
    Some(match (left, right) {
        (Type::Real, other) | (other, Type::Real) => other.clone(),
        (Type::Vector(n), Type::Vector(m)) if n.fits(three) && m.fits(three) => Type::Vector(three),
        (Type::Matrix(rows, inner), Type::Matrix(other, columns)) if inner.fits(*other) => {
            Type::Matrix(*rows, *columns)
        }
        (Type::Matrix(rows, inner), Type::Vector(n)) if inner.fits(*n) => Type::Vector(*rows),
        // By a real or, for three, by another vector: of the same length either way.
        (Type::Vector(n), Type::Unknown) => Type::Vector(*n),
        (Type::Unknown, Type::Vector(_)) => Type::Vector(Dim::Any),
        (Type::Unknown, Type::Matrix(_, columns)) => Type::Matrix(Dim::Any, *columns),
        (Type::Matrix(..), Type::Unknown) | (Type::Unknown, Type::Unknown) => Type::Unknown,
        _ => return None,
    })
}

fn element(from: &Known, index: &Known) -> Result<Type, Mismatch> {
    let (result, length) = match &from.ty {
        Type::Vector(n) => (Type::Real, *n),
        Type::Matrix(rows, columns) => (Type::Vector(*columns), *rows),
        Type::Sequence(of) => ((**of).clone(), Dim::Any),
        Type::Unknown => (Type::Unknown, Dim::Any),
        Type::Real | Type::Bool => return Err(messages::binary(Binary::Element, &from.ty, &index.ty)),
    };
    if !index.ty.fits(&Type::Real) {
        return Err(messages::binary(Binary::Element, &from.ty, &index.ty));
    }
    if let Some(value) = index.value {
        let place = compare_and_pick::whole_from_one(value);
        let inside = place.is_some_and(|place| match length {
            Dim::Is(length) => place <= length as usize,
            Dim::Any => true,
        });
        if !inside {
            return Err(messages::out_of_range(&from.ty, length, value));
        }
    }
    Ok(result)
}

/// The type of `[elements]`: a vector of reals, or a matrix of rows.
///
/// # Errors
/// If they are neither all reals nor all vectors of one length.
pub fn vector_type(elements: &[Type]) -> Result<Type, Mismatch> {
    let count = dim(elements.len());
    // What the first element of known type is, all must be.
    let Some((first_place, first)) = elements.iter().enumerate().find(|(_, ty)| **ty != Type::Unknown) else {
        return Ok(if elements.is_empty() { Type::Vector(count) } else { Type::Unknown });
    };
    let mut columns = match first {
        Type::Real => Dim::Any,
        Type::Vector(n) => *n,
        _ => return Err(messages::no_element_of_a_vector(first_place, first)),
    };
    for (place, ty) in elements.iter().enumerate() {
        match (first, ty) {
            (_, Type::Unknown) | (Type::Real, Type::Real) => {}
            (Type::Vector(_), Type::Vector(n)) if n.fits(columns) => columns = columns.and(*n),
            (_, Type::Real | Type::Vector(_)) => {
                return Err(messages::uneven_elements(first_place, first, place, ty));
            }
            _ => return Err(messages::no_element_of_a_vector(place, ty)),
        }
    }
    Ok(if *first == Type::Real { Type::Vector(count) } else { Type::Matrix(count, columns) })
}

/// The type of `{elements}`.
///
/// # Errors
/// If they are not all of one type.
pub fn sequence_type(elements: &[Type]) -> Result<Type, Mismatch> {
    let mut of: Option<(usize, Type)> = None;
    for (place, ty) in elements.iter().enumerate().filter(|(_, ty)| **ty != Type::Unknown) {
        of = Some(match of {
            None => (place, ty.clone()),
            Some((first, of)) => match of.or(ty) {
                Some(of) => (first, of),
                None => return Err(messages::uneven_sequence(first, &of, place, ty)),
            },
        });
    }
    Ok(Type::Sequence(Box::new(of.map_or(Type::Unknown, |(_, of)| of))))
}
