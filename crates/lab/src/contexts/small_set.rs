//! A sorted set of a few elements: the actors and pairs of an instant. Contiguous memory is faster here than
//! a tree.

use smallvec::SmallVec;
use std::slice::Iter;

/// Number of elements that need no heap memory.
const INLINE: usize = 8;

/// A small set, sorted.
#[derive(Clone, Debug)]
pub(super) struct SmallSet<T> {
    sorted: SmallVec<[T; INLINE]>,
}

impl<T> Default for SmallSet<T> {
    fn default() -> Self {
        Self { sorted: SmallVec::new() }
    }
}

impl<T: Ord + Copy> SmallSet<T> {
    /// Adds an element. Returns `true` if it is new.
    pub(super) fn insert(&mut self, one: T) -> bool {
        match self.sorted.binary_search(&one) {
            Ok(_) => false,
            Err(place) => {
                self.sorted.insert(place, one);
                true
            }
        }
    }

    /// Removes an element. Returns `true` if it was there.
    pub(super) fn remove(&mut self, one: &T) -> bool {
        self.sorted.binary_search(one).map(|place| self.sorted.remove(place)).is_ok()
    }

    pub(super) fn contains(&self, one: &T) -> bool {
        self.sorted.binary_search(one).is_ok()
    }

    /// Returns the first element.
    pub(super) fn first(&self) -> Option<T> {
        self.sorted.first().copied()
    }

    /// Returns the first element after another, which need not be in the set.
    pub(super) fn first_after(&self, one: &T) -> Option<T> {
        let place = self.sorted.partition_point(|it| it <= one);
        self.sorted.get(place).copied()
    }

    pub(super) fn pop_first(&mut self) -> Option<T> {
        (!self.sorted.is_empty()).then(|| self.sorted.remove(0))
    }

    pub(super) fn len(&self) -> usize {
        self.sorted.len()
    }

    pub(super) fn iter(&self) -> Iter<'_, T> {
        self.sorted.iter()
    }
}

impl<T: Ord + Copy> Extend<T> for SmallSet<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, more: I) {
        more.into_iter().for_each(|one| {
            self.insert(one);
        });
    }
}

impl<'f, T> IntoIterator for &'f SmallSet<T> {
    type Item = &'f T;
    type IntoIter = Iter<'f, T>;

    fn into_iter(self) -> Iter<'f, T> {
        self.sorted.iter()
    }
}

impl<T> IntoIterator for SmallSet<T> {
    type Item = T;
    type IntoIter = smallvec::IntoIter<[T; INLINE]>;

    fn into_iter(self) -> Self::IntoIter {
        self.sorted.into_iter()
    }
}
