//! A set of a few things, in order: what an instant has to do with. Sorted in one piece of memory, which for
//! some pairs and actors is faster than any tree.

use smallvec::SmallVec;
use std::slice::Iter;

/// Number of elements that need no memory of their own.
const INLINE: usize = 8;

/// A small set, in order.
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
    /// Takes something in; gives whether it is new.
    pub(super) fn insert(&mut self, one: T) -> bool {
        match self.sorted.binary_search(&one) {
            Ok(_) => false,
            Err(place) => {
                self.sorted.insert(place, one);
                true
            }
        }
    }

    /// Takes something out; gives whether it was there.
    pub(super) fn remove(&mut self, one: &T) -> bool {
        self.sorted.binary_search(one).map(|place| self.sorted.remove(place)).is_ok()
    }

    pub(super) fn contains(&self, one: &T) -> bool {
        self.sorted.binary_search(one).is_ok()
    }

    pub(super) fn pop_first(&mut self) -> Option<T> {
        (!self.sorted.is_empty()).then(|| self.sorted.remove(0))
    }

    pub(super) fn retain(&mut self, keep: impl FnMut(&T) -> bool) {
        let mut keep = keep;
        self.sorted.retain(|one| keep(one));
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
