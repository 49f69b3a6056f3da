//! Natives called with values, and values made from numbers.

use gedanken_lang::arithmetic::{Immediate, ScalarFault};
use gedanken_lang::native::Native;
use gedanken_lang::operation::Mismatch;
use gedanken_lang::value::{Matrix, Shaped, Value};

pub(crate) fn try_call(name: &str, arguments: &[Value]) -> Result<Result<Value, ScalarFault>, Mismatch> {
    let mut immediate = Immediate::default();
    let value = Native::by_name(name).unwrap().call(&mut immediate, arguments)?;
    Ok(immediate.fault().map_or(Ok(value), Err))
}

pub(crate) fn call(name: &str, arguments: &[Value]) -> Value {
    try_call(name, arguments).unwrap().unwrap()
}

pub(crate) fn real(x: f64) -> Value {
    Shaped::Real(x)
}

pub(crate) fn vector(v: &[f64]) -> Value {
    Shaped::Vector(v.to_vec())
}

pub(crate) fn matrix(rows: usize, columns: usize, elements: &[f64]) -> Value {
    Shaped::Matrix(Matrix { rows, columns, elements: elements.to_vec() })
}
