//! From scalars in columns to values of the language.

use gedanken_lang::types::Type;
use gedanken_lang::value::Value;

/// The value of a fixed type with these scalars, row by row; `None` if one of them is NaN, which is no value,
/// or if the type asks for others.
pub fn value_of(ty: &Type, scalars: &[f64]) -> Option<Value> {
    if scalars.iter().any(|it| it.is_nan()) {
        return None;
    }
    Value::from_scalars(ty, scalars.to_vec())
}
