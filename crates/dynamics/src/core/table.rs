//! Tables: what a state or a step holds beside columns, such as contacts with their impulses.
//!
//! A column has one value for every component. What has another shape (pairs that touch, islands, books) is a
//! table: any type of its own, of which a model has one value. Rules declare it as they declare a column,
//! with [`read_table`] and [`write_table`], and the same promises hold: a table of the state is kept, hashed,
//! restored on a fault and cloned with a snapshot; a table of a step is written before it is read.

use super::access::{Access, Declaration, Lease, Verb, View};
use super::attribute::{AttributeInfo, Frame, Life, Parity};
use super::column::{Kind, Values};
use super::rows::Rows;
use std::any::{Any, TypeId};
use std::fmt;
use std::marker::PhantomData;

/// A type that can be a table.
pub trait Table: Clone + Default + PartialEq + fmt::Debug + Send + Sync + 'static {
    /// The name in messages and workflows.
    const NAME: &'static str;
    /// `true` if it is part of the state.
    const LIFE: Life;

    /// Feeds every bit that decides how a run goes on to `word`: what a fingerprint of the state is made of.
    /// Tables of a step have none.
    fn words(&self, _word: &mut dyn FnMut(u64)) {}

    /// Returns `true` if every number in it is finite.
    fn is_finite(&self) -> bool {
        true
    }
}

/// Type of the table in a column slot. One word, because it travels inside of errors; compared without making
/// a table, because the ledger looks for its own in every step.
#[derive(Clone, Copy)]
pub struct TableKind {
    of: &'static TypeOfTable,
}

/// What is known of a type of tables.
struct TypeOfTable {
    make: fn() -> Box<dyn AnyTable>,
    id: fn() -> TypeId,
}

/// Holder of the constant of each type.
struct Of<T>(PhantomData<T>);

impl<T: Table> Of<T> {
    const TYPE: TypeOfTable = TypeOfTable { make: || Box::new(T::default()), id: TypeId::of::<T> };
}

impl TableKind {
    pub(crate) fn of<T: Table>() -> Self {
        Self { of: &Of::<T>::TYPE }
    }

    pub(crate) fn make(self) -> Box<dyn AnyTable> {
        (self.of.make)()
    }
}

impl PartialEq for TableKind {
    fn eq(&self, other: &Self) -> bool {
        (self.of.id)() == (other.of.id)()
    }
}

impl Eq for TableKind {}

impl fmt::Debug for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table '{}'", (*self.make()).name())
    }
}

/// A table behind a pointer, as columns are kept. Implemented for every [`Table`].
pub trait AnyTable: fmt::Debug + Send + Sync {
    /// Type of the table.
    fn kind(&self) -> TableKind;
    /// Its name.
    fn name(&self) -> &'static str;
    /// A copy.
    fn duplicate(&self) -> Box<dyn AnyTable>;
    /// Takes the content of another table of the same type, reusing memory.
    fn copy_from(&mut self, other: &dyn AnyTable);
    /// Returns `true` if both are of one type and equal.
    fn equals(&self, other: &dyn AnyTable) -> bool;
    /// Returns `true` if every number in it is finite.
    fn all_finite(&self) -> bool;
    /// See [`Table::words`].
    fn feed(&self, word: &mut dyn FnMut(u64));
    /// As a value of its own type.
    fn any(&self) -> &dyn Any;
    /// As a value of its own type, to change.
    fn any_mut(&mut self) -> &mut dyn Any;
}

impl<T: Table> AnyTable for T {
    fn kind(&self) -> TableKind {
        TableKind::of::<T>()
    }
    fn name(&self) -> &'static str {
        T::NAME
    }
    fn duplicate(&self) -> Box<dyn AnyTable> {
        Box::new(self.clone())
    }
    fn copy_from(&mut self, other: &dyn AnyTable) {
        self.clone_from(other.any().downcast_ref().expect("a table keeps its type"));
    }
    fn equals(&self, other: &dyn AnyTable) -> bool {
        other.any().downcast_ref() == Some(self)
    }
    fn all_finite(&self) -> bool {
        self.is_finite()
    }
    fn feed(&self, word: &mut dyn FnMut(u64)) {
        self.words(word);
    }
    fn any(&self) -> &dyn Any {
        self
    }
    fn any_mut(&mut self) -> &mut dyn Any {
        self
    }
}

impl Clone for Box<dyn AnyTable> {
    fn clone(&self) -> Self {
        (**self).duplicate()
    }
}

impl PartialEq for Box<dyn AnyTable> {
    fn eq(&self, other: &Self) -> bool {
        (**self).equals(&**other)
    }
}

/// The description of a table, as schemas list it.
#[must_use]
pub fn table_info<T: Table>() -> AttributeInfo {
    AttributeInfo {
        name: T::NAME.into(),
        symbol: "-",
        unit: "1",
        exponents: [0; 4],
        kind: Kind::Table(TableKind::of::<T>()),
        frame: Frame::Invariant,
        life: T::LIFE,
        parity: Parity::Even,
        writers: &[],
    }
}

/// The table in a column's place; `None` if there is another one.
pub(crate) fn held<T: Table>(values: &Values) -> Option<&T> {
    if let Values::Table(table) = values { (**table).any().downcast_ref() } else { None }
}

/// The same, to change.
pub(crate) fn held_mut<T: Table>(values: &mut Values) -> Option<&mut T> {
    if let Values::Table(table) = values { (**table).any_mut().downcast_mut() } else { None }
}

/// The access to read a table; see [`read_table`].
pub struct ReadTable<T>(PhantomData<fn() -> T>);

/// The access to change a table; see [`write_table`].
pub struct WriteTable<T>(PhantomData<fn() -> T>);

/// Reads a table.
#[must_use]
pub fn read_table<T: Table>() -> ReadTable<T> {
    ReadTable(PhantomData)
}

/// Writes a table; what is found there may be read.
#[must_use]
pub fn write_table<T: Table>() -> WriteTable<T> {
    WriteTable(PhantomData)
}

const KIND_WAS_CHECKED: &str = "the workflow builder checked the type of every table";

fn declare<T: Table>(declaration: &mut Declaration, verb: Verb) {
    declaration.accesses.push(Access { attribute: table_info::<T>(), verb, rows: Rows::All });
}

impl<T: Table> View for ReadTable<T> {
    type Item<'a> = &'a T;
    fn declare(&self, declaration: &mut Declaration) {
        declare::<T>(declaration, Verb::Reads);
    }
    fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a> {
        held(lease.reads().1).expect(KIND_WAS_CHECKED)
    }
}

impl<T: Table> View for WriteTable<T> {
    type Item<'a> = &'a mut T;
    fn declare(&self, declaration: &mut Declaration) {
        declare::<T>(declaration, Verb::Writes);
    }
    fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a> {
        held_mut(lease.changes().1).expect(KIND_WAS_CHECKED)
    }
}
