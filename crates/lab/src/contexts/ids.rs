//! Typed indices of the contexts engine: an index of one table cannot be used for another.
//!
//! The experiment numbers its objects and contexts by plain `usize`. They become [`ObjectId`] and
//! [`ContextId`] when a simulation is built, and [`Id::index`] leads back at the boundary. [`Table`] is a
//! `Vec` that only its own id can index.

use std::cmp::Ordering;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index.
pub(crate) trait Id: Copy {
    /// Returns the id with an index.
    fn new(index: usize) -> Self;

    /// Returns its index, counted from 0.
    fn index(self) -> usize;
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident;)*) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) struct $name(u32);

        impl Id for $name {
            #[inline]
            fn new(index: usize) -> Self {
                debug_assert!(u32::try_from(index).is_ok());
                Self(index as u32)
            }

            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }
        }
    )*};
}

ids! {
    /// An object that takes part in the simulation. Ids are in the order of names.
    ActorId;
    /// An object of the experiment.
    ObjectId;
    /// A class of actors with the same attributes, shape and free fall.
    ClassId;
    /// A context of the experiment.
    ContextId;
    /// A context compiled for its participants: an entry of `World::laws`.
    LawId;
    /// A scalar of the attributes of a class.
    ColumnId;
    /// A scalar of the world's attributes.
    WorldColumnId;
    /// A scalar of the context attributes of one participant.
    ContextColumnId;
    /// A participant of a context, numbered as the context numbers them.
    ParticipantId;
    /// A system of actors that are integrated together.
    SystemId;
}

/// An index of a scalar, in which the scalars of one attribute follow each other.
pub(crate) trait Column: Id + PartialOrd {
    /// Returns the column `element` places after this one.
    #[inline]
    fn offset(self, element: usize) -> Self {
        Self::new(self.index() + element)
    }

    /// Returns the columns of an attribute of `width` scalars that begins here.
    #[inline]
    fn span(self, width: usize) -> impl Iterator<Item = Self> + Clone {
        (self.index()..self.index() + width).map(Self::new)
    }

    /// Returns the place of this column in an attribute of `width` scalars that begins at `start`; `None` if
    /// it belongs to another.
    #[inline]
    fn within(self, start: Self, width: usize) -> Option<usize> {
        self.index().checked_sub(start.index()).filter(|&it| it < width)
    }
}

impl Column for ColumnId {}
impl Column for WorldColumnId {}
impl Column for ContextColumnId {}

/// Values by id.
#[derive(Clone, Debug)]
pub(crate) struct Table<I, T> {
    values: Vec<T>,
    id: PhantomData<I>,
}

impl<I: Id, T> Table<I, T> {
    /// Returns `count` times the same value.
    pub(crate) fn filled(value: T, count: usize) -> Self
    where
        T: Clone,
    {
        vec![value; count].into()
    }

    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    /// Adds a value and returns its id.
    pub(crate) fn push(&mut self, value: T) -> I {
        self.values.push(value);
        I::new(self.values.len() - 1)
    }

    /// Sets all values to the same one.
    pub(crate) fn fill(&mut self, value: T)
    where
        T: Clone,
    {
        self.values.fill(value);
    }

    /// Returns all ids, in order.
    pub(crate) fn ids(&self) -> impl Iterator<Item = I> + Clone + use<I, T> {
        (0..self.values.len()).map(I::new)
    }

    pub(crate) fn iter(&self) -> std::slice::Iter<'_, T> {
        self.values.iter()
    }

    pub(crate) fn iter_mut(&mut self) -> std::slice::IterMut<'_, T> {
        self.values.iter_mut()
    }

    /// Returns all values with their ids, in order.
    pub(crate) fn entries(&self) -> impl Iterator<Item = (I, &T)> {
        self.values.iter().enumerate().map(|(index, value)| (I::new(index), value))
    }

    /// Returns the id of the value that `compare` finds equal; values are sorted by it.
    pub(crate) fn position(&self, compare: impl FnMut(&T) -> Ordering) -> Option<I> {
        self.values.binary_search_by(compare).ok().map(I::new)
    }

    /// Returns the `width` values from `first` on.
    #[inline]
    pub(crate) fn slice(&self, first: I, width: usize) -> &[T] {
        &self.values[first.index()..first.index() + width]
    }

    /// Returns the `width` values from `first` on.
    #[inline]
    pub(crate) fn slice_mut(&mut self, first: I, width: usize) -> &mut [T] {
        &mut self.values[first.index()..first.index() + width]
    }
}

impl<I: Id, T> Index<I> for Table<I, T> {
    type Output = T;

    #[inline]
    fn index(&self, id: I) -> &T {
        &self.values[id.index()]
    }
}

impl<I: Id, T> IndexMut<I> for Table<I, T> {
    #[inline]
    fn index_mut(&mut self, id: I) -> &mut T {
        &mut self.values[id.index()]
    }
}

impl<I, T> From<Vec<T>> for Table<I, T> {
    fn from(values: Vec<T>) -> Self {
        Self { values, id: PhantomData }
    }
}

impl<I, T> FromIterator<T> for Table<I, T> {
    fn from_iter<V: IntoIterator<Item = T>>(values: V) -> Self {
        values.into_iter().collect::<Vec<T>>().into()
    }
}

impl<'t, I, T> IntoIterator for &'t Table<I, T> {
    type Item = &'t T;
    type IntoIter = std::slice::Iter<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter()
    }
}

impl<'t, I, T> IntoIterator for &'t mut Table<I, T> {
    type Item = &'t mut T;
    type IntoIter = std::slice::IterMut<'t, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.values.iter_mut()
    }
}
