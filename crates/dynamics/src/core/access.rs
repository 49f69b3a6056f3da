//! Accesses: how a rule says what it touches, and all that it gets to touch.
//!
//! A rule is built from a tuple of accesses and a function of what they lend. What is not in the tuple does
//! not exist for the function, so an undeclared column does not compile:
//!
//! | access | over all components | over some | lends |
//! |---|---|---|---|
//! | reads | [`read`] | [`read_at`] | `&[T]`, or [`Cells`] |
//! | writes (and reads) | [`write`](fn@write) | [`write_at`] | `&mut [T]`, or [`CellsMut`] |
//! | adds | [`add`] | [`add_at`] | the same, starting at zero; the sums are merged in declared order |
//! | memory | [`memory`] | | `&mut M`: scratch that the rule keeps between steps to avoid allocation |
//! | phenomena | [`phenomena`] | | an [`Emitter`] for timestamped events |
//! | tables | [`super::table`] | | `&T`, or `&mut T` |
//!
//! An access over some components checks every look-up and answers an undeclared one with an error.

use super::attribute::{Attribute, AttributeInfo};
use super::column::{Additive, Value, Values};
use super::component::ComponentId;
use super::fault::Trouble;
use super::rows::{RowSet, Rows};
use std::any::Any;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use std::sync::Arc;

/// Kind of access of a rule to a set of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verb {
    /// Looks at them.
    Reads,
    /// Sets them (and may look at them first).
    Writes,
    /// Adds to them, without looking.
    Adds,
}

impl Verb {
    /// Returns `true` if two rules doing this and that to the same cell may run side by side.
    #[must_use]
    pub fn agrees_with(self, other: Verb) -> bool {
        matches!((self, other), (Self::Reads, Self::Reads) | (Self::Adds, Self::Adds))
    }
}

impl fmt::Display for Verb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Adds => "adds to",
        })
    }
}

/// One line of a rule's domain: a verb and the cells it applies to, column × components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Access {
    /// The column.
    pub attribute: AttributeInfo,
    /// Kind of access.
    pub verb: Verb,
    /// The components.
    pub rows: Rows,
}

/// Makes the private memory of a rule.
pub(crate) type MakeMemory = fn() -> Box<dyn Any + Send>;

/// Declarations of a rule: cells, private memory, and emitters of phenomena.
#[derive(Default)]
pub struct Declaration {
    pub(crate) accesses: Vec<Access>,
    pub(crate) memories: Vec<MakeMemory>,
    pub(crate) emitters: usize,
}

/// An access that a rule can be lent, or a tuple or array of them.
pub trait View: Send + Sync + 'static {
    /// Argument that the rule's function receives.
    type Item<'a>;
    /// Adds what this view needs to the rule's declaration.
    fn declare(&self, declaration: &mut Declaration);
    /// Takes what was declared out of the lease, in the same order.
    fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a>;
}

/// Place of the columns that a rule reads: in its own branch of the workflow, or in one further out.
#[derive(Clone, Copy)]
pub(crate) struct Reading<'a> {
    pub(crate) places: &'a [Place],
    pub(crate) columns: Shared<'a>,
}

/// The columns of one branch, and of the branches around it, which no rule writes while the branch runs.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    pub(crate) own: &'a [Values],
    pub(crate) around: Option<&'a Shared<'a>>,
}

/// A column, and how many branches further out it stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) column: usize,
    pub(crate) outward: usize,
}

impl<'a> Shared<'a> {
    /// The column where it stands: in the nearest branch that has it.
    pub(crate) fn find(self, column: usize) -> &'a Values {
        let mut level = self;
        while level.own[column].len() == 0 {
            level = *level.around.expect("every column stands somewhere");
        }
        &level.own[column]
    }
}

impl<'a> Reading<'a> {
    pub(crate) fn column(self, position: usize) -> &'a Values {
        let Place { column, outward } = self.places[position];
        let mut level = self.columns;
        for _ in 0..outward {
            level = *level.around.expect("the builder counted the branches around a rule");
        }
        &level.own[column]
    }
}

/// The cells lent to one rule for one run, in the order of its declaration.
pub struct Lease<'a> {
    pub(crate) accesses: &'a [Access],
    pub(crate) next: usize,
    pub(crate) reading: Reading<'a>,
    pub(crate) written: std::slice::IterMut<'a, Values>,
    pub(crate) added: std::slice::IterMut<'a, Values>,
    pub(crate) memories: std::slice::IterMut<'a, Box<dyn Any + Send>>,
    pub(crate) emitted: Option<&'a mut Vec<Phenomenon>>,
    pub(crate) now: (u64, f64),
    pub(crate) rule: &'a Arc<str>,
}

impl<'a> Lease<'a> {
    /// The next declared access, with its position.
    fn advance(&mut self) -> (usize, &'a Access) {
        let position = self.next;
        self.next += 1;
        (position, &self.accesses[position])
    }

    /// The cells of the next access, which must be one that reads: for rules whose domain is known only at
    /// run time. `None` if the column is of another kind.
    pub fn cells<T: Value>(&mut self) -> Option<Cells<'a, T>> {
        let (access, values) = self.reads();
        Some(Cells { declared: Declared::new(access, values.len()), values: T::slice(values)? })
    }

    /// The same for an access that writes or adds.
    pub fn cells_mut<T: Value>(&mut self) -> Option<CellsMut<'a, T>> {
        let (access, values) = self.changes();
        Some(CellsMut { declared: Declared::new(access, values.len()), values: T::slice_mut(values)? })
    }

    /// The emitter of an event rule whose domain is known only at run time; `None` if it has been taken
    /// before.
    pub fn emitter(&mut self) -> Option<Emitter<'a>> {
        Some(Emitter { out: self.emitted.take()?, now: self.now, rule: self.rule })
    }

    pub(crate) fn reads(&mut self) -> (&'a Access, &'a Values) {
        let (position, access) = self.advance();
        (access, self.reading.column(position))
    }

    pub(crate) fn changes(&mut self) -> (&'a Access, &'a mut Values) {
        let (_, access) = self.advance();
        let values = if access.verb == Verb::Writes { self.written.next() } else { self.added.next() };
        (access, values.expect("the interpreter lends one column per declared access"))
    }
}

const KIND_WAS_CHECKED: &str = "the workflow builder checked the kind of every column";

macro_rules! accesses {
    ($($(#[$doc:meta])* $name:ident, $some:ident, $make:ident, $make_some:ident, $bound:ident, $verb:ident,
       $item:ty, $cells:ident, $lend:ident, $slice:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name<A> {
            info: AttributeInfo,
            attribute: PhantomData<fn() -> A>,
        }

        #[doc = concat!("[`", stringify!($name), "`], for some components only.")]
        pub struct $some<A> {
            whole: $name<A>,
            rows: Rows,
        }

        $(#[$doc])*
        #[must_use]
        pub fn $make<A: Attribute>() -> $name<A> where A::Value: $bound {
            $name { info: AttributeInfo::of::<A>(), attribute: PhantomData }
        }

        #[doc = concat!("[`", stringify!($make), "`](fn@", stringify!($make), "), for some components only.")]
        #[must_use]
        pub fn $make_some<A: Attribute>(rows: Rows) -> $some<A> where A::Value: $bound {
            $some { whole: $make::<A>(), rows }
        }

        impl<A: Attribute> $name<A> {
            /// The same, for the column of this label.
            #[must_use]
            pub fn labelled(self, label: &str) -> Self {
                Self { info: AttributeInfo::labelled::<A>(label), ..self }
            }
        }

        impl<A: Attribute> $some<A> {
            /// The same, for the column of this label.
            #[must_use]
            pub fn labelled(self, label: &str) -> Self {
                Self { whole: self.whole.labelled(label), ..self }
            }
        }

        impl<A: Attribute> View for $name<A> {
            type Item<'a> = $item;
            fn declare(&self, declaration: &mut Declaration) {
                let (attribute, verb) = (self.info.clone(), Verb::$verb);
                declaration.accesses.push(Access { attribute, verb, rows: Rows::All });
            }
            fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a> {
                A::Value::$slice(lease.$lend().1).expect(KIND_WAS_CHECKED)
            }
        }

        impl<A: Attribute> View for $some<A> {
            type Item<'a> = $cells<'a, A::Value>;
            fn declare(&self, declaration: &mut Declaration) {
                let (attribute, verb) = (self.whole.info.clone(), Verb::$verb);
                declaration.accesses.push(Access { attribute, verb, rows: self.rows.clone() });
            }
            fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a> {
                let (access, values) = lease.$lend();
                let declared = Declared::new(access, values.len());
                $cells { declared, values: A::Value::$slice(values).expect(KIND_WAS_CHECKED) }
            }
        }
    )*};
}

accesses! {
    /// Reads a column.
    Read, ReadAt, read, read_at, Value, Reads, &'a [A::Value], Cells, reads, slice;
    /// Writes a column; the values found there may be read.
    Write, WriteAt, write, write_at, Value, Writes, &'a mut [A::Value], CellsMut, changes, slice_mut;
    /// Adds to a column. The slice starts at zero; what the rule leaves in it is added to the column.
    Add, AddAt, add, add_at, Additive, Adds, &'a mut [A::Value], CellsMut, changes, slice_mut;
}

/// Some cells of a column, to read.
pub struct Cells<'a, T> {
    declared: Declared<'a>,
    values: &'a [T],
}

/// Some cells of a column, to change.
pub struct CellsMut<'a, T> {
    declared: Declared<'a>,
    values: &'a mut [T],
}

/// Rows of a column that a rule may look up.
#[derive(Clone)]
struct Declared<'a> {
    access: &'a Access,
    /// The first run of neighbours among them, which often is all there is, and is checked in no time.
    run: Range<usize>,
}

impl<'a> Declared<'a> {
    fn new(access: &'a Access, count: usize) -> Self {
        let run = match &access.rows {
            Rows::All => 0..count,
            Rows::Only(rows) => rows.runs().next().unwrap_or(0..0),
        };
        Self { access, run }
    }

    fn ids(&self, count: usize) -> impl Iterator<Item = ComponentId> + use<'a> {
        let (access, all) = (self.access, matches!(self.access.rows, Rows::All));
        let chosen = some_rows(&access.rows).into_iter().flat_map(RowSet::iter);
        (0..if all { count } else { 0 }).chain(chosen).map(ComponentId::from_row)
    }

    #[inline]
    fn row(&self, id: ComponentId) -> Result<usize, Trouble> {
        let row = id.row();
        if self.run.contains(&row) { Ok(row) } else { self.row_elsewhere(row) }
    }

    #[cold]
    fn row_elsewhere(&self, row: usize) -> Result<usize, Trouble> {
        match &self.access.rows {
            Rows::Only(rows) if rows.contains(row) => Ok(row),
            _ => Err(Trouble::Undeclared { column: self.access.attribute.name.clone(), row }),
        }
    }
}

impl<T: Copy> Cells<'_, T> {
    /// The declared components, in order.
    pub fn ids(&self) -> impl Iterator<Item = ComponentId> + use<'_, T> {
        self.declared.ids(self.values.len())
    }

    /// The value of a component, or an error if the rule did not declare it.
    pub fn at(&self, id: ComponentId) -> Result<T, Trouble> {
        Ok(self.values[self.declared.row(id)?])
    }
}

impl<T: Copy> CellsMut<'_, T> {
    /// The declared components, in order.
    pub fn ids(&self) -> impl Iterator<Item = ComponentId> + use<'_, T> {
        self.declared.ids(self.values.len())
    }

    /// The value of a component, or an error if the rule did not declare it.
    pub fn at(&self, id: ComponentId) -> Result<T, Trouble> {
        Ok(self.values[self.declared.row(id)?])
    }

    /// The cell of a component, to change, or an error if the rule did not declare it.
    pub fn at_mut(&mut self, id: ComponentId) -> Result<&mut T, Trouble> {
        Ok(&mut self.values[self.declared.row(id)?])
    }
}

/// Memory of a rule's own; see [`memory`].
pub struct Memory<M>(PhantomData<fn() -> M>);

/// Memory that a rule keeps from step to step so as not to allocate. It must not carry information: what a
/// rule reads there it has written in the same run.
#[must_use]
pub fn memory<M: Default + Send + 'static>() -> Memory<M> {
    Memory(PhantomData)
}

impl<M: Default + Send + 'static> View for Memory<M> {
    type Item<'a> = &'a mut M;
    fn declare(&self, declaration: &mut Declaration) {
        declaration.memories.push(|| Box::new(M::default()));
    }
    fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a> {
        let memory = lease.memories.next().expect("the interpreter keeps one memory per declaration");
        memory.downcast_mut().expect("the memory was made by the same declaration")
    }
}

/// An occurrence that a rule names, at a component, at a tick and a time.
#[derive(Debug, Clone, PartialEq)]
pub struct Phenomenon {
    /// The tick at which the rule ran.
    pub tick: u64,
    /// The time at which the rule ran, in seconds.
    pub time: f64,
    /// The rule that announced it.
    pub rule: Arc<str>,
    /// The component it happened to.
    pub component: ComponentId,
    /// Name of the occurrence.
    pub name: &'static str,
}

/// The access to announce phenomena; see [`phenomena`].
pub struct Phenomena(());

/// Lets a rule announce that something happened.
#[must_use]
pub fn phenomena() -> Phenomena {
    Phenomena(())
}

/// Announces phenomena, stamped with the rule's name, tick and time.
pub struct Emitter<'a> {
    out: &'a mut Vec<Phenomenon>,
    now: (u64, f64),
    rule: &'a Arc<str>,
}

impl Emitter<'_> {
    /// Announces that `name` happened to a component.
    pub fn emit(&mut self, component: ComponentId, name: &'static str) {
        let ((tick, time), rule) = (self.now, self.rule.clone());
        self.out.push(Phenomenon { tick, time, rule, component, name });
    }
}

impl View for Phenomena {
    type Item<'a> = Emitter<'a>;
    fn declare(&self, declaration: &mut Declaration) {
        declaration.emitters += 1;
    }
    fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a> {
        lease.emitter().expect("a rule takes its emitter once")
    }
}

impl<V: View, const N: usize> View for [V; N] {
    type Item<'a> = [V::Item<'a>; N];
    fn declare(&self, declaration: &mut Declaration) {
        self.iter().for_each(|v| v.declare(declaration));
    }
    fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a> {
        std::array::from_fn(|k| self[k].lend(lease))
    }
}

/// Empty view, for a rule that only moves the clock.
impl View for () {
    type Item<'a> = ();
    fn declare(&self, _: &mut Declaration) {}
    fn lend<'a>(&self, _: &mut Lease<'a>) -> Self::Item<'a> {}
}

macro_rules! tuples {
    ($(($($name:ident $k:tt),+);)*) => {$(
        impl<$($name: View),+> View for ($($name,)+) {
            type Item<'a> = ($($name::Item<'a>,)+);
            fn declare(&self, declaration: &mut Declaration) {
                $(self.$k.declare(declaration);)+
            }
            fn lend<'a>(&self, lease: &mut Lease<'a>) -> Self::Item<'a> {
                ($(self.$k.lend(lease),)+)
            }
        }
    )*};
}

tuples! {
    (A 0);
    (A 0, B 1);
    (A 0, B 1, C 2);
    (A 0, B 1, C 2, D 3);
    (A 0, B 1, C 2, D 3, E 4);
    (A 0, B 1, C 2, D 3, E 4, F 5);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6);
    (A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7);
}

/// The rows of an access as the interpreter's copy loops want them: `None` for all.
pub(crate) fn some_rows(rows: &Rows) -> Option<&RowSet> {
    match rows {
        Rows::All => None,
        Rows::Only(rows) => Some(rows),
    }
}
