//! Operators on values of each shape, and the shapes that they accept.
//!
//! Each operator twice: its type rule (`rules`), which the checker uses, and its value over any
//! [`Arithmetic`] (`algebra`, `choose`), which lowers vector algebra to scalar operations in one fixed order
//! for all executors. Both refuse the same operands in the same words (`words`): a value that does not exist
//! asks the rule why.

pub(crate) mod algebra;
mod compare_and_pick;
mod messages;
mod rules;

pub use rules::{binary_type, sequence_type, unary_type, vector_type};

use crate::arithmetic::{self, Arithmetic, Comparison};
use crate::syntax::tree::{Binary, Unary};
use crate::types::Type;
use crate::value::{Matrix, Shaped};

/// Knowledge of an operand or argument before it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Known {
    /// Its type.
    pub ty: Type,
    /// Its value, for a real that does not depend on anything.
    pub value: Option<f64>,
}

/// Why an operator or native does not accept its operands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// One sentence that names the operator and the types it met.
    pub message: String,
    /// The way out.
    pub help: Option<String>,
}

/// A value over the scalars of `A`.
pub type Of<A> = Shaped<<A as Arithmetic>::Real, <A as Arithmetic>::Bool>;

impl Mismatch {
    /// With advice.
    pub(crate) fn new(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { message: message.into(), help: Some(help.into()) }
    }
}

impl From<Type> for Known {
    fn from(ty: Type) -> Self {
        Self { ty, value: None }
    }
}

/// The value of `operator operand`.
///
/// # Errors
/// As [`unary_type`].
pub fn unary<A: Arithmetic>(a: &mut A, operator: Unary, operand: &Of<A>) -> Result<Of<A>, Mismatch> {
    let value = match (operator, operand) {
        (Unary::Minus, numeric) => algebra::negate(a, numeric),
        (Unary::Plus, Shaped::Real(_) | Shaped::Vector(_) | Shaped::Matrix(_)) => Some(operand.clone()),
        (Unary::Not, Shaped::Bool(truth)) => Some(Shaped::Bool(a.not(*truth))),
        _ => None,
    };
    value.ok_or_else(|| match unary_type(operator, &operand.type_of()) {
        Err(mismatch) => mismatch,
        Ok(_) => messages::only_the_run_can_tell(operator.sign()),
    })
}

/// The value of `left operator right`; of `&` and `|`, when both sides have been computed.
///
/// An index out of range is no mismatch but a [failure](arithmetic::Failure::Index): only values tell. What
/// is returned after a failure means nothing.
///
/// # Errors
/// As [`binary_type`].
pub fn binary<A: Arithmetic>(
    a: &mut A,
    operator: Binary,
    left: &Of<A>,
    right: &Of<A>,
) -> Result<Of<A>, Mismatch> {
    binary_value(a, operator, left, right).ok_or_else(|| {
        match binary_type(operator, &left.type_of().into(), &right.type_of().into()) {
            Err(mismatch) => mismatch,
            Ok(_) => messages::only_the_run_can_tell(operator.sign()),
        }
    })
}

/// `None` if the operator does not accept them.
fn binary_value<A: Arithmetic>(a: &mut A, operator: Binary, left: &Of<A>, right: &Of<A>) -> Option<Of<A>> {
    use Shaped::{Bool, Real, Sequence, Vector};
    Some(match (operator, left, right) {
        (Binary::Or, Bool(x), Bool(y)) => Bool(a.either(*x, *y)),
        (Binary::And, Bool(x), Bool(y)) => Bool(a.both(*x, *y)),
        (Binary::Equal, Real(x), Real(y)) => Bool(a.compare(Comparison::Eq, *x, *y)),
        (Binary::NotEqual, Real(x), Real(y)) => Bool(a.compare(Comparison::Ne, *x, *y)),
        (Binary::Equal, ..) => Bool(compare_and_pick::equal(a, left, right)?),
        (Binary::NotEqual, ..) => {
            let equal = compare_and_pick::equal(a, left, right)?;
            Bool(a.not(equal))
        }
        (Binary::Less, Real(x), Real(y)) => Bool(a.compare(Comparison::Lt, *x, *y)),
        (Binary::LessEqual, Real(x), Real(y)) => Bool(a.compare(Comparison::Le, *x, *y)),
        (Binary::Greater, Real(x), Real(y)) => Bool(a.compare(Comparison::Lt, *y, *x)),
        (Binary::GreaterEqual, Real(x), Real(y)) => Bool(a.compare(Comparison::Le, *y, *x)),
        (Binary::Join, Sequence(first), Sequence(second)) => compare_and_pick::join(first, second)?,
        (Binary::Add, ..) => algebra::elementwise(a, arithmetic::Binary::Add, left, right)?,
        (Binary::Subtract, ..) => algebra::elementwise(a, arithmetic::Binary::Sub, left, right)?,
        (Binary::Multiply, ..) => algebra::multiply(a, left, right)?,
        (Binary::Divide, _, Real(divisor)) => algebra::divide(a, left, *divisor)?,
        (Binary::Dot, Vector(x), Vector(y)) if x.len() == y.len() => Real(algebra::dot(a, x, y)),
        (Binary::Power, Real(base), Real(exponent)) => Real(algebra::power(a, *base, *exponent)),
        (Binary::Element, _, Real(index)) => compare_and_pick::element(a, left, *index)?,
        _ => return None,
    })
}

/// The value of `[elements]`.
///
/// # Errors
/// As [`vector_type`].
pub fn vector<R: Copy, B: Copy>(elements: &[Shaped<R, B>]) -> Result<Shaped<R, B>, Mismatch> {
    vector_value(elements).ok_or_else(|| {
        let types: Vec<Type> = elements.iter().map(Shaped::type_of).collect();
        match vector_type(&types) {
            Err(mismatch) => mismatch,
            Ok(_) => messages::only_the_run_can_tell("[ ]"),
        }
    })
}

/// `None` unless they are all reals or all vectors of one length.
fn vector_value<R: Copy, B: Copy>(elements: &[Shaped<R, B>]) -> Option<Shaped<R, B>> {
    let Some(Shaped::Vector(first)) = elements.first() else {
        let real = |element: &Shaped<R, B>| if let Shaped::Real(real) = element { Some(*real) } else { None };
        return elements.iter().map(real).collect::<Option<_>>().map(Shaped::Vector);
    };
    let mut matrix = Matrix { rows: elements.len(), columns: first.len(), elements: Vec::new() };
    for row in elements {
        match row {
            Shaped::Vector(row) if row.len() == matrix.columns => matrix.elements.extend_from_slice(row),
            _ => return None,
        }
    }
    Some(Shaped::Matrix(matrix))
}

/// The value of `{elements}`.
///
/// # Errors
/// As [`sequence_type`].
pub fn sequence<R: Copy, B: Copy>(elements: &[Shaped<R, B>]) -> Result<Shaped<R, B>, Mismatch> {
    let types: Vec<Type> = elements.iter().map(Shaped::type_of).collect();
    sequence_type(&types)?;
    Ok(Shaped::Sequence(elements.to_vec()))
}
