//! Table that gives equal values one number, and the hash that it and the other maps of a pool use.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// A map with a hash that is quick and the same on every machine. Its order is arbitrary: use it for lookup,
/// never for iteration.
pub(crate) type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// A set by the same hash.
pub(crate) type Set<K> = HashSet<K, BuildHasherDefault<Mixer>>;

/// Hasher that rotates, mixes and multiplies word by word.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Mixer(u64);

impl Mixer {
    fn mix(&mut self, word: u64) {
        // An odd number without pattern: 2⁶⁴ divided by the golden ratio.
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }
}

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.mix(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, word: u8) {
        self.mix(word.into());
    }

    fn write_u32(&mut self, word: u32) {
        self.mix(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.mix(word);
    }

    fn write_i64(&mut self, word: i64) {
        self.mix(word.cast_unsigned());
    }

    fn write_usize(&mut self, word: usize) {
        self.mix(word as u64);
    }

    /// Mixes the upper half into the lower one, from which tables take their places: a product carries
    /// upwards only.
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// Distinct values, numbered in the order in which they came. Each is kept once.
#[derive(Clone, Debug)]
pub(crate) struct Table<T> {
    values: Vec<T>,
    /// Open addressing: half of the hash, and the number. The length is a power of two, at most half of the
    /// places are taken, and a value is at the first free place from its hash on.
    places: Vec<Option<(u32, u32)>>,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { values: Vec::new(), places: Vec::new() }
    }
}

impl<T> Table<T> {
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn get(&self, number: u32) -> &T {
        &self.values[number as usize]
    }

    /// Returns the number of the value that hashes like `key` and equals it.
    pub(crate) fn find<Q: Hash + ?Sized>(&self, key: &Q, equals: impl Fn(&T) -> bool) -> Option<u32> {
        if self.places.is_empty() {
            return None;
        }
        let (hash, mask) = (short_hash(key), self.places.len() - 1);
        let mut place = hash as usize & mask;
        while let Some((other, number)) = self.places[place] {
            if other == hash && equals(self.get(number)) {
                return Some(number);
            }
            place = (place + 1) & mask;
        }
        None
    }

    /// Inserts the value if it is new, and returns its number.
    pub(crate) fn insert(&mut self, value: T) -> u32
    where
        T: Hash,
    {
        let number = u32::try_from(self.values.len())
            .expect("a pool of four thousand million expressions does not fit into memory");
        if self.places.len() < 2 * (self.values.len() + 1) {
            let taken = std::mem::take(&mut self.places);
            self.places.resize((2 * taken.len()).max(64), None);
            taken.into_iter().flatten().for_each(|(hash, number)| self.place(hash, number));
        }
        self.place(short_hash(&value), number);
        self.values.push(value);
        number
    }

    fn place(&mut self, hash: u32, number: u32) {
        let mask = self.places.len() - 1;
        let mut place = hash as usize & mask;
        while self.places[place].is_some() {
            place = (place + 1) & mask;
        }
        self.places[place] = Some((hash, number));
    }
}

/// The lower half of the hash.
fn short_hash<Q: Hash + ?Sized>(key: &Q) -> u32 {
    let mut mixer = Mixer::default();
    key.hash(&mut mixer);
    (mixer.finish() & u64::from(u32::MAX)) as u32
}
