//! The state: every attribute of every component at one instant, as columns.
//!
//! A state is a value. Cloning it is a snapshot, comparing [`State::hash`] is comparing bits, and a workflow
//! started from a clone continues exactly as the original does. Access is sparse: a missing entry reads as
//! zero, [`State::set`] inserts, [`State::adjust`] changes an entry or starts it from a default.

use super::attribute::{Attribute, Parity};
use super::column::{Column, Kind, Value, Values};
use super::component::ComponentId;
use super::model::{ColumnIndex, Model};
use super::table::{self, Table, table_info};
use gedanken_math::units::{Quantity, Time};
use std::sync::Arc;

/// All columns at one time.
#[derive(Debug, Clone)]
pub struct State {
    model: Model,
    pub(crate) time: f64,
    pub(crate) tick: u64,
    /// The workflow whose kept values (such as the acceleration of its last step) belong to the current
    /// positions. It saves work and decides no bit, so it is no part of the fingerprint.
    pub(crate) primed_for: Option<Arc<()>>,
    pub(crate) columns: Vec<Column>,
}

/// Why a state refused a value.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StateError {
    /// The model has no such attribute.
    #[error("the model has no attribute '{attribute}': add it with `Model::with`")]
    NoAttribute {
        /// The attribute asked for.
        attribute: String,
    },
    /// The attribute exists with another kind of value.
    #[error(
        "attribute '{attribute}' holds a {held} in this model, not a {asked}: ask for what `Model::with` was given"
    )]
    WrongKind {
        /// The attribute asked for.
        attribute: String,
        /// The kind it has.
        held: super::column::Kind,
        /// The kind asked for.
        asked: super::column::Kind,
    },
    /// The component is not one of the model's.
    #[error("component number {row} is not in this model, which has {count}: use this model's ids")]
    NoComponent {
        /// The number given.
        row: usize,
        /// Number that exists.
        count: usize,
    },
    /// A NaN or an infinity.
    #[error("{attribute} of '{component}' cannot be {value}: only finite values enter a state")]
    NotFinite {
        /// The attribute.
        attribute: String,
        /// The component.
        component: String,
        /// The value, as text.
        value: String,
    },
    /// A value that makes no sense for the attribute.
    #[error("{attribute} of '{component}' cannot be {value}: {reason}")]
    Refused {
        /// The attribute.
        attribute: String,
        /// The component.
        component: String,
        /// The value, as text.
        value: String,
        /// Expected value.
        reason: &'static str,
    },
}

impl State {
    pub(crate) fn new(model: Model, columns: Vec<Column>) -> Self {
        Self { model, time: 0.0, tick: 0, primed_for: None, columns }
    }

    /// The model this is a state of.
    #[must_use]
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// The time.
    #[must_use]
    pub fn time(&self) -> Quantity<Time> {
        Quantity::new(self.time)
    }

    /// Number of event rules that have run one after another since the start.
    #[must_use]
    pub fn tick(&self) -> u64 {
        self.tick
    }

    /// The same state at another time.
    #[must_use]
    pub fn at_time(mut self, time: Quantity<Time>) -> Self {
        self.time = time.si();
        self
    }

    /// The same values as a state of another model of the same components; attributes that only one of the
    /// two models has are left out, or start missing.
    #[must_use]
    pub fn onto(&self, model: &Model) -> State {
        let mut state = model.state().at_time(self.time());
        state.tick = self.tick;
        for (info, column) in self.model.schema().iter().zip(&self.columns) {
            if let Some(index) = model.column(&info.name).filter(|&k| model.schema()[k].kind == info.kind)
                && state.columns[index].values.len() == column.values.len()
            {
                state.columns[index] = column.clone();
            }
        }
        state
    }

    /// The value of `A` for a component: zero if it has none.
    pub fn get<A: Attribute>(&self, id: ComponentId) -> Result<A::Value, StateError> {
        let column = self.column_of::<A>()?;
        self.check_component(id)?;
        Ok(self.slice_of::<A>(column)[id.row()])
    }

    /// Returns `true` if a component has an entry for `A`: one that was inserted, or that a rule made.
    pub fn has<A: Attribute>(&self, id: ComponentId) -> Result<bool, StateError> {
        let index = self.column_of::<A>()?;
        self.check_component(id)?;
        Ok(self.columns[index].has(id.row()))
    }

    /// Inserts or replaces the value of `A` for a component.
    pub fn set<A: Attribute>(&mut self, id: ComponentId, value: A::Value) -> Result<(), StateError> {
        let index = self.column_of::<A>()?;
        self.check_component(id)?;
        let named = || (A::NAME.to_owned(), self.model.components().name(id).to_owned(), shown::<A>(value));
        if !value.is_finite() {
            let (attribute, component, value) = named();
            return Err(StateError::NotFinite { attribute, component, value });
        }
        if let Some(reason) = A::objection(value) {
            let (attribute, component, value) = named();
            return Err(StateError::Refused { attribute, component, value, reason });
        }
        let column = &mut self.columns[index];
        column.inserted.insert(id.row());
        A::Value::slice_mut(&mut column.values).expect("the kind was checked")[id.row()] = value;
        self.primed_for = None;
        Ok(())
    }

    /// Inserts or replaces the value of a real attribute that was described at run time, by its name.
    pub fn set_real(&mut self, attribute: &str, id: ComponentId, value: f64) -> Result<(), StateError> {
        let index = self
            .model
            .column(attribute)
            .ok_or_else(|| StateError::NoAttribute { attribute: attribute.to_owned() })?;
        self.check_component(id)?;
        let held = self.model.schema()[index].kind;
        let column = &mut self.columns[index];
        let Values::Real(values) = &mut column.values else {
            return Err(StateError::WrongKind { attribute: attribute.to_owned(), held, asked: Kind::Real });
        };
        if !value.is_finite() {
            let component = self.model.components().name(id).to_owned();
            let (attribute, value) = (attribute.to_owned(), value.to_string());
            return Err(StateError::NotFinite { attribute, component, value });
        }
        values[id.row()] = value;
        column.inserted.insert(id.row());
        self.primed_for = None;
        Ok(())
    }

    /// Puts the clock to a time and a tick: what a state needs that is restored from its values.
    pub fn set_clock(&mut self, time: Quantity<Time>, tick: u64) {
        self.time = time.si();
        self.tick = tick;
    }

    /// Values of all columns, to be replaced by those of a saved state. Forces that were computed before are
    /// forgotten.
    pub fn values_mut(&mut self) -> impl Iterator<Item = &mut Values> {
        self.primed_for = None;
        self.columns.iter_mut().map(|column| &mut column.values)
    }

    /// Like [`State::set`], for values that a method itself keeps: what was computed before stays valid.
    pub fn keep<A: Attribute>(&mut self, id: ComponentId, value: A::Value) -> Result<(), StateError> {
        let primed_for = self.primed_for.clone();
        self.set::<A>(id, value)?;
        self.primed_for = primed_for;
        Ok(())
    }

    /// Replaces the value in a row of a column that is known to exist, without making an entry.
    pub fn overwrite<A: Attribute>(&mut self, row: usize, value: A::Value) {
        if let Ok(index) = self.column_of::<A>() {
            A::Value::slice_mut(&mut self.columns[index].values).expect("the kind was checked")[row] = value;
        }
    }

    /// Changes the value of `A` for a component, starting from `default` if it has none.
    pub fn adjust<A: Attribute>(
        &mut self,
        id: ComponentId,
        default: A::Value,
        change: impl FnOnce(A::Value) -> A::Value,
    ) -> Result<(), StateError> {
        let start = if self.has::<A>(id)? { self.get::<A>(id)? } else { default };
        self.set::<A>(id, change(start))
    }

    /// All values of `A` by row, zero where missing.
    pub fn all<A: Attribute>(&self) -> Result<&[A::Value], StateError> {
        Ok(self.slice_of::<A>(self.column_of::<A>()?))
    }

    /// The components that have an entry for `A`, with their values, in order.
    pub fn entries<A: Attribute>(
        &self,
    ) -> Result<impl Iterator<Item = (ComponentId, A::Value)> + '_, StateError> {
        let index = self.column_of::<A>()?;
        let (column, values) = (&self.columns[index], self.slice_of::<A>(index));
        let rows = (0..values.len()).filter(|&row| column.has(row));
        Ok(rows.map(|row| (ComponentId::from_row(row), values[row])))
    }

    /// A table of the state.
    pub fn table<T: Table>(&self) -> Result<&T, StateError> {
        let index = self.table_column::<T>()?;
        Ok(table::held(&self.columns[index].values).expect("the kind was checked"))
    }

    /// A table of the state, to change.
    pub fn table_mut<T: Table>(&mut self) -> Result<&mut T, StateError> {
        let index = self.table_column::<T>()?;
        self.primed_for = None;
        Ok(table::held_mut(&mut self.columns[index].values).expect("the kind was checked"))
    }

    fn table_column<T: Table>(&self) -> Result<ColumnIndex, StateError> {
        let index = self
            .model
            .column(T::NAME)
            .ok_or_else(|| StateError::NoAttribute { attribute: T::NAME.to_owned() })?;
        // By the table itself: to compare kinds makes a table of each, in every access.
        if table::held::<T>(&self.columns[index].values).is_some() {
            Ok(index)
        } else {
            let (held, asked) = (self.model.schema()[index].kind, table_info::<T>().kind);
            Err(StateError::WrongKind { attribute: T::NAME.to_owned(), held, asked })
        }
    }

    /// The columns in the order of the model's schema.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Reverses time: odd attributes (velocities) change sign. Stepping on then retraces a reversible
    /// method's path.
    #[must_use]
    pub fn reversed(mut self) -> Self {
        for (info, column) in self.model.schema().iter().zip(&mut self.columns) {
            if info.parity == Parity::Odd {
                match &mut column.values {
                    Values::Real(v) => v.iter_mut().for_each(|x| *x = -*x),
                    Values::Vector(v) => v.iter_mut().for_each(|x| *x = -*x),
                    Values::Rotation(_) | Values::Flag(_) | Values::Table(_) => {}
                }
            }
        }
        self
    }

    /// Checks what a sound state promises: every value is finite. (The objections of single attributes, such
    /// as a mass of zero, were raised when they were set.)
    pub fn validate(&self) -> Result<(), StateError> {
        for (info, column) in self.model.schema().iter().zip(&self.columns) {
            if let Some(row) = column.values.first_non_finite() {
                return Err(StateError::NotFinite {
                    attribute: info.name.to_string(),
                    component: self.model.components().name(ComponentId::from_row(row)).to_owned(),
                    value: column.values.show(row),
                });
            }
        }
        Ok(())
    }

    /// A fingerprint of every bit of the state: time, tick, and all columns with their missing entries.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = Fingerprint::new();
        hash.word(self.time.to_bits());
        hash.word(self.tick);
        for column in &self.columns {
            hash.word(column.inserted.len() as u64);
            column.inserted.iter().for_each(|row| hash.word(row as u64));
            column.values.for_each_word(|w| hash.word(w));
        }
        hash.finish()
    }

    pub(crate) fn column_of<A: Attribute>(&self) -> Result<ColumnIndex, StateError> {
        let index = self
            .model
            .column(A::NAME)
            .ok_or_else(|| StateError::NoAttribute { attribute: A::NAME.to_owned() })?;
        let held = self.model.schema()[index].kind;
        if held == A::Value::KIND {
            Ok(index)
        } else {
            Err(StateError::WrongKind { attribute: A::NAME.to_owned(), held, asked: A::Value::KIND })
        }
    }

    fn slice_of<A: Attribute>(&self, index: ColumnIndex) -> &[A::Value] {
        A::Value::slice(&self.columns[index].values).expect("the kind was checked")
    }

    fn check_component(&self, id: ComponentId) -> Result<(), StateError> {
        let count = self.model.components().len();
        if id.row() < count { Ok(()) } else { Err(StateError::NoComponent { row: id.row(), count }) }
    }
}

/// The value with its unit, as a message has it.
fn shown<A: Attribute>(value: A::Value) -> String {
    let mut one = Values::zeros(A::Value::KIND, 1);
    A::Value::slice_mut(&mut one).expect("the kind is the value's own")[0] = value;
    if A::UNIT == "1" { one.show(0) } else { format!("{} {}", one.show(0), A::UNIT) }
}

/// A 64-bit fingerprint of a sequence of words: multiply, rotate, and a final avalanche. Not a defence
/// against malice, only against differing bits.
struct Fingerprint(u64);

impl Fingerprint {
    fn new() -> Self {
        Self(0x9E37_79B9_7F4A_7C15)
    }

    fn word(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(29) ^ word).wrapping_mul(0xD6E8_FEB8_6659_FD93);
    }

    fn finish(self) -> u64 {
        let h = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        h ^ (h >> 29)
    }
}
