//! Checksums of a table: one of its metadata, and one in every row, over the row and all rows before it.
//!
//! Damage of any kind breaks the chain: changed cells, and rows that are missing, repeated or exchanged. The
//! chain is one of rows and not of batches, so that it survives a program that saves the table in other
//! batches, and names the row at which it breaks. Words are mixed by the step of SplitMix64, a bijection of 64
//! bits: two changes may cancel with probability 2⁻⁶⁴, one change never does. It is not meant against malice.
//! The definition, for others to verify, is in `docs/recordings.md`.

use super::schema_metadata::Metadata;
use super::table::{Cells, ColumnHead, Kind};

/// Column of the checksums, the last one. No quantity can have this name.
pub(super) const COLUMN: &str = "#checksum";
/// Key of the metadata, and of the end of a file.
pub(super) const KEY: &str = "checksum";
/// Keys that the checksum of metadata covers, in its order. Other programs may add keys of their own.
const COVERED: [&str; 16] = [
    "format",
    "engine",
    "text",
    "path",
    "imports",
    "simulation",
    "parameters",
    "initial_time",
    "duration",
    "frame_rate",
    "objects",
    "contexts",
    "quantities",
    "constants",
    "derived",
    "recording",
];
/// Word of a real that has no value.
const NO_REAL: u64 = 0x7FF8_0000_0000_0000;
/// Word of a text or of bytes that are not there.
const NO_BYTES: u64 = 0;

/// Mixes a word into a state: SplitMix64 of Steele, Lea and Flood.
fn mix(state: u64, word: u64) -> u64 {
    let mut mixed = (state ^ word).wrapping_add(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}

/// The word of some bytes.
///
/// Four lanes, since the steps of one would wait for each other: a keyframe can have megabytes.
fn word_of_bytes(bytes: &[u8]) -> u64 {
    let mut lanes = [1, 2, 3, 4];
    let (blocks, rest) = bytes.as_chunks::<32>();
    for block in blocks {
        for (lane, word) in lanes.iter_mut().zip(block.as_chunks::<8>().0) {
            *lane = mix(*lane, u64::from_le_bytes(*word));
        }
    }
    for (lane, word) in lanes.iter_mut().zip(rest.chunks(8)) {
        let mut padded = [0; 8];
        padded[..word.len()].copy_from_slice(word);
        *lane = mix(*lane, u64::from_le_bytes(padded));
    }
    let [a, b, c, d] = lanes;
    mix(bytes.len() as u64, a ^ b.rotate_left(16) ^ c.rotate_left(32) ^ d.rotate_left(48))
}

/// The checksum of a table's metadata.
pub(super) fn of_metadata(metadata: &Metadata) -> u64 {
    let entries = COVERED.iter().filter_map(|&key| Some((key, metadata.get(key)?)));
    entries.fold(0, |sum, (key, value)| {
        mix(mix(sum, word_of_bytes(key.as_bytes())), word_of_bytes(value.as_bytes()))
    })
}

/// A checksum as text.
pub(super) fn to_text(checksum: u64) -> String {
    format!("{checksum:016x}")
}

/// Head of the column of checksums.
pub(super) fn column() -> ColumnHead {
    ColumnHead::new(COLUMN, Kind::Count, false)
}

/// The chain of checksums of a table, up to some row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chain {
    /// Checksum of the last row; of the metadata before the first one.
    pub(super) last: u64,
    /// Number of rows.
    pub(super) rows: u64,
}

impl Chain {
    /// The chain of a table without rows.
    pub(super) fn new(metadata: &Metadata) -> Self {
        Self { last: of_metadata(metadata), rows: 0 }
    }

    /// Adds rows, and returns their checksums.
    pub(super) fn extend(&mut self, columns: &[Cells]) -> Vec<u64> {
        let mut sums = vec![0; columns.first().map_or(0, Cells::len)];
        // Column by column: the rows do not wait for each other, and memory is read in its order.
        for column in columns {
            match column {
                Cells::Reals(reals) => {
                    add(&mut sums, reals, |real| if real.is_nan() { NO_REAL } else { real.to_bits() });
                }
                Cells::Counts(counts) => add(&mut sums, counts, |count| *count),
                Cells::Integers(integers) => add(&mut sums, integers, |integer| integer.cast_unsigned()),
                Cells::Texts(texts) => add(&mut sums, texts, |text| {
                    text.as_ref().map_or(NO_BYTES, |text| word_of_bytes(text.as_bytes()))
                }),
                Cells::Bytes(all) => {
                    add(&mut sums, all, |bytes| bytes.as_deref().map_or(NO_BYTES, word_of_bytes));
                }
            }
        }
        for sum in &mut sums {
            self.last = mix(self.last, *sum);
            *sum = self.last;
        }
        self.rows += sums.len() as u64;
        sums
    }
}

/// Mixes the word of each cell into the sum of its row.
fn add<T>(sums: &mut [u64], cells: &[T], word: impl Fn(&T) -> u64) {
    for (sum, cell) in sums.iter_mut().zip(cells) {
        *sum = mix(*sum, word(cell));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of SplitMix64 from the seed 0, as its authors' program prints them.
    #[test]
    fn the_step_is_that_of_splitmix64() {
        const GAMMA: u64 = 0x9E37_79B9_7F4A_7C15;
        let found = [0, GAMMA, GAMMA.wrapping_mul(2)].map(|state| mix(state, 0));
        assert_eq!(found, [0xE220_A839_7B1D_CDAF, 0x6E78_9E6A_A1B9_65F4, 0x06C4_5D18_8009_454F]);
    }

    #[test]
    fn a_row_depends_on_all_before_it_and_on_no_batch() {
        let metadata = Metadata::from([("format".to_owned(), "x".to_owned())]);
        let columns = |reals: &[f64]| {
            vec![Cells::Reals(reals.to_vec()), Cells::Texts(vec![Some("ab".to_owned()); reals.len()])]
        };
        let whole = Chain::new(&metadata).extend(&columns(&[1.0, f64::NAN, 3.0]));
        let mut parts = Chain::new(&metadata);
        let mut again = parts.extend(&columns(&[1.0]));
        again.extend(parts.extend(&columns(&[f64::NAN, 3.0])));
        assert_eq!((again, parts.rows), (whole.clone(), 3));
        let changed = Chain::new(&metadata).extend(&columns(&[1.0, 2.0, 3.0]));
        assert_eq!(changed[0], whole[0]);
        assert!(changed[1] != whole[1] && changed[2] != whole[2]);
    }

    #[test]
    fn any_changed_bit_of_bytes_changes_their_word() {
        let bytes: Vec<u8> = (0..100).collect();
        let words: std::collections::BTreeSet<u64> = (0..=bytes.len())
            .map(|length| word_of_bytes(&bytes[..length]))
            .chain((0..bytes.len() * 8).map(|bit| {
                let mut other = bytes.clone();
                other[bit / 8] ^= 1 << (bit % 8);
                word_of_bytes(&other)
            }))
            .collect();
        assert_eq!(words.len(), 101 + 800);
    }
}
