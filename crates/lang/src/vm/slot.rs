//! A place on the stack: scalars lie in it, everything larger is shared, so that passing a long sequence on
//! costs nothing.

use super::cost::elements;
use crate::value::Value;
use std::sync::Arc;

/// One value on the stack.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    /// A real or a boolean.
    Scalar(Value),
    /// Anything else.
    Shared(Arc<Held>),
}

/// A value that several slots may share.
#[derive(Debug)]
pub(super) struct Held {
    value: Value,
    /// Number of scalars it holds.
    elements: usize,
}

impl Slot {
    pub(super) fn new(value: Value) -> Self {
        match value {
            Value::Real(_) | Value::Bool(_) => Self::Scalar(value),
            _ => {
                let elements = elements(&value);
                Self::Shared(Arc::new(Held { value, elements }))
            }
        }
    }

    pub(super) fn value(&self) -> &Value {
        match self {
            Self::Scalar(value) => value,
            Self::Shared(held) => &held.value,
        }
    }

    /// Number of scalars it holds on the heap.
    pub(super) fn elements(&self) -> usize {
        match self {
            Self::Scalar(_) => 0,
            Self::Shared(held) => held.elements,
        }
    }

    /// Address that tells shared values apart.
    pub(super) fn address(&self) -> Option<*const Held> {
        match self {
            Self::Scalar(_) => None,
            Self::Shared(held) => Some(Arc::as_ptr(held)),
        }
    }
}
