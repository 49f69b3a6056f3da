//! Natives of reals: single scalar operations, but for `sign`.

use super::registry::Id;
use crate::arithmetic::{Arithmetic, Binary, Comparison, Unary};

pub(super) fn of_one<A: Arithmetic>(a: &mut A, id: Id, x: A::Real) -> Option<A::Real> {
    let operation = match id {
        Id::Sine => Unary::Sin,
        Id::Cosine => Unary::Cos,
        Id::Tangent => Unary::Tan,
        Id::InverseSine => Unary::Asin,
        Id::InverseCosine => Unary::Acos,
        Id::InverseTangent => Unary::Atan,
        Id::Abs => Unary::Abs,
        Id::Sqrt => Unary::Sqrt,
        Id::Exp => Unary::Exp,
        Id::Log => Unary::Log,
        Id::Floor => Unary::Floor,
        Id::Ceil => Unary::Ceil,
        Id::Round => Unary::Round,
        Id::Sign => return Some(sign(a, x)),
        _ => return None,
    };
    Some(a.unary(operation, x))
}

pub(super) fn of_two<A: Arithmetic>(a: &mut A, id: Id, x: A::Real, y: A::Real) -> Option<A::Real> {
    let operation = match id {
        Id::Min => Binary::Min,
        Id::Max => Binary::Max,
        Id::Mod => Binary::Mod,
        Id::Atan2 => Binary::Atan2,
        _ => return None,
    };
    Some(a.binary(operation, x, y))
}

fn sign<A: Arithmetic>(a: &mut A, x: A::Real) -> A::Real {
    let (minus, zero, plus) = (a.real(-1.0), a.real(0.0), a.real(1.0));
    let (below, above) = (a.compare(Comparison::Lt, x, zero), a.compare(Comparison::Lt, zero, x));
    let not_below = a.select(above, plus, zero);
    a.select(below, minus, not_below)
}
