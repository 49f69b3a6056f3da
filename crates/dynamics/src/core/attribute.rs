//! Attributes: what a column means. One marker type per column names it, and carries its unit and frame.
//!
//! A rule that says `read::<Velocity>()` declares the access and gets a slice of metres per second in one
//! word. Attributes that an experiment makes up at run time use the same [`AttributeInfo`] with a name of
//! their own.

use super::column::{Kind, Value};
use std::fmt;
use std::sync::Arc;

/// The frame in which a vector's components are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// The inertial frame.
    World,
    /// The frame fixed in the body, along its principal axes.
    Body,
    /// A number, the same in all frames.
    Invariant,
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::World => "world",
            Self::Body => "body",
            Self::Invariant => "-",
        })
    }
}

/// Lifetime of a column's values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Life {
    /// Part of the state: kept, hashed, recorded.
    State,
    /// Scratch of one step: written before it is read (checked when a workflow is built), never part of the
    /// state.
    Step,
}

/// Behaviour of an attribute under time reversal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Parity {
    /// Stays.
    Even,
    /// Changes sign, as a velocity does.
    Odd,
}

/// A column's meaning, as a type.
pub trait Attribute: 'static + Send + Sync {
    /// Value per component.
    type Value: Value;
    /// The name in experiments, recordings and messages.
    const NAME: &'static str;
    /// The letter in formulas.
    const SYMBOL: &'static str;
    /// The SI unit, as printed.
    const UNIT: &'static str;
    /// The frame of the components.
    const FRAME: Frame;
    /// `true` if it is part of the state.
    const LIFE: Life = Life::State;
    /// Behaviour under time reversal.
    const PARITY: Parity = Parity::Even;
    /// The rules that write or add to it, by name.
    const WRITERS: &'static [&'static str];

    /// Objection to a value, if there is one. Values that are not finite never get this far.
    fn objection(_value: Self::Value) -> Option<&'static str> {
        None
    }
}

/// An attribute as a value: what a schema lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttributeInfo {
    /// The name; a labelled attribute is `name[label]`.
    pub name: Arc<str>,
    /// The letter in formulas.
    pub symbol: &'static str,
    /// The SI unit, as printed.
    pub unit: &'static str,
    /// The exponents of metre, kilogram, second and ampere in that unit.
    pub exponents: [i8; 4],
    /// Kind of the values.
    pub kind: Kind,
    /// The frame of the components.
    pub frame: Frame,
    /// `true` if it is part of the state.
    pub life: Life,
    /// Behaviour under time reversal.
    pub parity: Parity,
    /// The rules that write or add to it, by name.
    pub writers: &'static [&'static str],
}

impl AttributeInfo {
    /// The description of `A`.
    #[must_use]
    pub fn of<A: Attribute>() -> Self {
        Self {
            name: A::NAME.into(),
            symbol: A::SYMBOL,
            unit: A::UNIT,
            exponents: A::Value::EXPONENTS,
            kind: A::Value::KIND,
            frame: A::FRAME,
            life: A::LIFE,
            parity: A::PARITY,
            writers: A::WRITERS,
        }
    }

    /// The description of a real attribute that an experiment makes up at run time.
    #[must_use]
    pub fn real(name: impl Into<Arc<str>>, life: Life) -> Self {
        Self {
            name: name.into(),
            symbol: "-",
            unit: "1",
            exponents: [0; 4],
            kind: Kind::Real,
            frame: Frame::Invariant,
            life,
            parity: Parity::Even,
            writers: &[],
        }
    }

    /// The description of `A` under a label: one of several columns of the same meaning, such as the force of
    /// one law among many.
    #[must_use]
    pub fn labelled<A: Attribute>(label: &str) -> Self {
        Self { name: labelled_name::<A>(label), ..Self::of::<A>() }
    }
}

/// `name[label]`.
pub(crate) fn labelled_name<A: Attribute>(label: &str) -> Arc<str> {
    format!("{}[{label}]", A::NAME).into()
}
