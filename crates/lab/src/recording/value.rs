//! From scalars in columns to values of the language.

use gedanken_lang::types::{Dim, Type};
use gedanken_lang::value::{Matrix, Value};

/// The value of a fixed type with these scalars, row by row; `None` if one of them is NaN, which is no value, or if the type
/// asks for others.
pub fn value_of(ty: &Type, scalars: &[f64]) -> Option<Value> {
    if ty.scalars() != Some(scalars.len()) || scalars.iter().any(|it| it.is_nan()) {
        return None;
    }
    match (ty, scalars) {
        (Type::Real, &[real]) => Some(Value::Real(real)),
        (Type::Bool, &[truth]) => Some(Value::Bool(truth != 0.0)),
        (Type::Vector(_), elements) => Some(Value::Vector(elements.to_vec())),
        (Type::Matrix(Dim::Is(rows), Dim::Is(columns)), elements) => Some(Value::Matrix(Matrix {
            rows: *rows as usize,
            columns: *columns as usize,
            elements: elements.to_vec(),
        })),
        _ => None,
    }
}
