//! States as words of 64 bits: written in order, and read back in the same order.

use super::options::Stop;

/// A 64-bit hash of words and texts. Every change of one word changes it; not meant against malice.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hash(u64);

impl Hash {
    /// Hash of nothing.
    pub(crate) const fn new() -> Self {
        Self(0xCBF2_9CE4_8422_2325)
    }

    /// Takes in a word.
    pub(crate) fn word(&mut self, word: u64) {
        // Each of the three operations can be undone, so that no two words lead to the same hash.
        self.0 = (self.0 ^ word).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }

    /// Takes in a text and its end: `ab`, `c` differs from `a`, `bc`.
    pub(crate) fn text(&mut self, text: &str) {
        self.word(text.len() as u64);
        for chunk in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.word(u64::from_le_bytes(word));
        }
    }

    /// Value of the hash.
    pub(crate) fn value(self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// Words of a state that is saved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Words(Vec<u64>);

impl Words {
    /// Appends a word.
    pub(crate) fn word(&mut self, word: u64) {
        self.0.push(word);
    }

    /// Appends a count or an index.
    pub(crate) fn index(&mut self, index: usize) {
        self.0.push(index as u64);
    }

    /// Appends a number, bit for bit.
    pub(crate) fn real(&mut self, real: f64) {
        self.0.push(real.to_bits());
    }

    /// Appends a text.
    pub(crate) fn text(&mut self, text: &str) {
        self.index(text.len());
        for chunk in text.as_bytes().chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.0.push(u64::from_le_bytes(word));
        }
    }

    /// All words.
    pub(crate) fn as_slice(&self) -> &[u64] {
        &self.0
    }
}

/// Reads the words of a state.
#[derive(Debug)]
pub(crate) struct WordsReader<'w>(&'w [u64]);

impl<'w> WordsReader<'w> {
    /// Reader of these words, from the first on.
    pub(crate) fn new(words: &'w [u64]) -> Self {
        Self(words)
    }

    /// The next word.
    pub(crate) fn word(&mut self) -> Result<u64, Stop> {
        let (first, rest) = self.0.split_first().ok_or_else(damaged)?;
        self.0 = rest;
        Ok(*first)
    }

    /// The next count or index, which must be less than `below`.
    pub(crate) fn index(&mut self, below: usize) -> Result<usize, Stop> {
        usize::try_from(self.word()?).ok().filter(|index| *index < below).ok_or_else(damaged)
    }

    /// The next number, which must be finite.
    pub(crate) fn real(&mut self) -> Result<f64, Stop> {
        Some(f64::from_bits(self.word()?)).filter(|real| real.is_finite()).ok_or_else(damaged)
    }

    /// The length of a list of which every element takes a word or more.
    pub(crate) fn length(&mut self) -> Result<usize, Stop> {
        let most = self.0.len();
        self.index(most)
    }

    /// The next text.
    pub(crate) fn text(&mut self) -> Result<String, Stop> {
        let length = self.index(self.0.len().saturating_mul(8))?;
        let (own, rest) = self.0.split_at_checked(length.div_ceil(8)).ok_or_else(damaged)?;
        self.0 = rest;
        let mut bytes: Vec<u8> = own.iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(length);
        String::from_utf8(bytes).map_err(|_| damaged())
    }

    /// All words that are left.
    pub(crate) fn rest(&mut self) -> &'w [u64] {
        std::mem::take(&mut self.0)
    }

    /// Ends the reading: nothing may be left.
    pub(crate) fn end(self) -> Result<(), Stop> {
        if self.0.is_empty() { Ok(()) } else { Err(damaged()) }
    }
}

/// Refusal of words that make no state.
pub(crate) fn damaged() -> Stop {
    Stop::Keyframe("it is damaged".to_owned())
}
