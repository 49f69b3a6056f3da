//! Sets of rows: which components of a column a rule may touch.
//!
//! A domain is a set of cells, column × components. The component half is a [`RowSet`], one bit a row, so
//! that overlap is a machine-word `and` and membership a shift. Words before the first row and behind the last
//! are left out: many rules of one component each cost as much as one rule of all.

use super::component::ComponentId;
use std::ops::Range;
use std::sync::Arc;

/// A set of rows (component numbers), ordered.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RowSet {
    /// Number of words left out at the beginning; 0 if there are no rows.
    first: usize,
    /// Neither the first nor the last is zero, so that equal sets have equal words.
    words: Vec<u64>,
}

impl RowSet {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// All rows below `count`.
    #[must_use]
    pub fn full(count: usize) -> Self {
        let mut words = vec![u64::MAX; count / 64];
        if !count.is_multiple_of(64) {
            words.push((1 << (count % 64)) - 1);
        }
        Self { first: 0, words }
    }

    /// Adds a row.
    pub fn insert(&mut self, row: usize) {
        let word = row / 64;
        self.make_room(word, word + 1);
        self.words[word - self.first] |= 1 << (row % 64);
    }

    /// Makes room for words from `first` to before `end`; the set must get a row in each end that is new.
    fn make_room(&mut self, first: usize, end: usize) {
        if self.words.is_empty() {
            self.first = first;
        }
        if first < self.first {
            self.words.splice(0..0, std::iter::repeat_n(0, self.first - first));
            self.first = first;
        }
        self.words.resize(self.words.len().max(end - self.first), 0);
    }

    /// The word of this number; 0 where it is left out.
    fn word(&self, number: usize) -> u64 {
        number.checked_sub(self.first).and_then(|k| self.words.get(k)).copied().unwrap_or(0)
    }

    /// Returns `true` if the set holds this row.
    #[must_use]
    pub fn contains(&self, row: usize) -> bool {
        self.word(row / 64) >> (row % 64) & 1 == 1
    }

    /// The rows, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().zip(self.first..).flat_map(|(&word, k)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(64 * k + bit)
            })
        })
    }

    /// The rows as ranges of neighbours, ascending: what copy loops want, for a range is a slice.
    pub fn runs(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let mut from = 64 * self.first;
        std::iter::from_fn(move || {
            let start = self.next(from, true)?;
            let end = self.next(start, false).unwrap_or(64 * self.end());
            from = end;
            Some(start..end)
        })
    }

    /// Number of the word behind the last.
    fn end(&self) -> usize {
        self.first + self.words.len()
    }

    /// The first row at or after `from` that is in the set, or that is not. Words that are left out hold no
    /// row.
    fn next(&self, from: usize, member: bool) -> Option<usize> {
        let mut mask = u64::MAX << (from % 64);
        for number in from / 64..self.end() {
            let word = self.word(number);
            let hits = if member { word } else { !word } & mask;
            if hits != 0 {
                return Some(64 * number + hits.trailing_zeros() as usize);
            }
            mask = u64::MAX;
        }
        None
    }

    /// Returns `true` if the set has no rows.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The number of rows.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|w| w.count_ones() as usize).sum()
    }

    /// The rows that both sets hold.
    #[must_use]
    pub fn intersection(&self, other: &RowSet) -> RowSet {
        let (first, end) = (self.first.max(other.first), self.end().min(other.end()));
        RowSet::trimmed(first, (first..end).map(|k| self.word(k) & other.word(k)).collect())
    }

    /// The rows that `other` does not hold.
    #[must_use]
    pub fn difference(&self, other: &RowSet) -> RowSet {
        let words = self.words.iter().zip(self.first..).map(|(word, k)| word & !other.word(k));
        RowSet::trimmed(self.first, words.collect())
    }

    /// A set of these words, without zeros at its ends.
    fn trimmed(first: usize, mut words: Vec<u64>) -> RowSet {
        words.truncate(words.iter().rposition(|w| *w != 0).map_or(0, |last| last + 1));
        let zeros = words.iter().position(|w| *w != 0).unwrap_or(0);
        words.drain(..zeros);
        RowSet { first: if words.is_empty() { 0 } else { first + zeros }, words }
    }

    /// Adds every row of `other`.
    pub fn unite(&mut self, other: &RowSet) {
        if other.is_empty() {
            return;
        }
        self.make_room(other.first, other.end());
        for (a, b) in self.words[other.first - self.first..].iter_mut().zip(&other.words) {
            *a |= b;
        }
    }
}

impl FromIterator<usize> for RowSet {
    fn from_iter<I: IntoIterator<Item = usize>>(rows: I) -> Self {
        let mut set = Self::new();
        for row in rows {
            set.insert(row);
        }
        set
    }
}

impl FromIterator<ComponentId> for RowSet {
    fn from_iter<I: IntoIterator<Item = ComponentId>>(ids: I) -> Self {
        ids.into_iter().map(ComponentId::row).collect()
    }
}

/// The components of an access: every one, or a given set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Rows {
    /// Every component.
    All,
    /// These only.
    Only(Arc<RowSet>),
}

impl Rows {
    /// These components only.
    pub fn only(ids: impl IntoIterator<Item = ComponentId>) -> Self {
        Self::Only(Arc::new(ids.into_iter().collect()))
    }

    /// The rows of a set, given how many there are in all.
    pub(crate) fn of_set(set: RowSet, count: usize) -> Self {
        if set.len() == count { Self::All } else { Self::Only(Arc::new(set)) }
    }

    /// The rows as a set, given how many there are in all.
    #[must_use]
    pub fn to_set(&self, count: usize) -> RowSet {
        match self {
            Self::All => RowSet::full(count),
            Self::Only(set) => (**set).clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    proptest! {
        /// The bit set against the standard library's ordered set.
        #[test]
        fn a_row_set_is_a_set(a in prop::collection::btree_set(0..200usize, 0..40),
                              b in prop::collection::btree_set(0..200usize, 0..40)) {
            let (x, y): (RowSet, RowSet) = (a.iter().copied().collect(), b.iter().rev().copied().collect());
            prop_assert_eq!(x.iter().collect::<BTreeSet<_>>(), a.clone());
            prop_assert_eq!(x.runs().flatten().collect::<BTreeSet<_>>(), a.clone());
            prop_assert!(x.runs().zip(x.runs().skip(1)).all(|(one, next)| one.end < next.start));
            prop_assert_eq!(x.len(), a.len());
            prop_assert_eq!(x.is_empty(), a.is_empty());
            prop_assert_eq!(x.intersection(&y).iter().collect::<BTreeSet<_>>(), &a & &b);
            prop_assert_eq!(x.difference(&y).iter().collect::<BTreeSet<_>>(), &a - &b);
            prop_assert_eq!(x.intersection(&y), (&a & &b).into_iter().collect::<RowSet>());
            prop_assert_eq!(x.difference(&y), (&a - &b).into_iter().collect::<RowSet>());
            let mut both = x.clone();
            both.unite(&y);
            prop_assert_eq!(both.iter().collect::<BTreeSet<_>>(), &a | &b);
            prop_assert!((0..210).all(|r| x.contains(r) == a.contains(&r)));
        }
    }

    #[test]
    fn full_is_full() {
        for n in [0, 1, 63, 64, 65, 128] {
            assert_eq!(RowSet::full(n).iter().collect::<Vec<_>>(), (0..n).collect::<Vec<_>>());
            assert_eq!(RowSet::full(n).runs().count(), n.min(1));
        }
    }
}
