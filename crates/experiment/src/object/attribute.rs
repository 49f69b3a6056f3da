//! Attributes: a name and the value it has when a simulation begins.

use gedanken_lang::source::Span;
use gedanken_lang::types::Type;
use gedanken_lang::value::Value;

/// An attribute of the world or of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribute {
    /// Name in laws. Other spellings of the file have become the proper one: `position` for `pos`.
    pub name: String,
    /// Its initial value: a real, boolean, vector or matrix of finite numbers.
    pub value: Value,
    /// Position of its value: in the file, or in the setting that replaced it.
    pub span: Span,
}

impl Attribute {
    /// Its type, which it keeps.
    pub fn ty(&self) -> Type {
        self.value.type_of()
    }

    /// The numbers of a vector of `N`.
    pub fn vector<const N: usize>(&self) -> Option<[f64; N]> {
        match &self.value {
            Value::Vector(elements) => elements.as_slice().try_into().ok(),
            _ => None,
        }
    }
}
