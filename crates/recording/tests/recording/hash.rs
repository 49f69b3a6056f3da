//! Equal rows have equal hashes, and a changed bit changes the hash.

use gedanken_recording::hash_row;
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_changed_bit_changes_the_hash(
        bits in prop::collection::vec(any::<u64>(), 1..40),
        at in any::<prop::sample::Index>(),
        bit in 0..64u32,
    ) {
        let row: Vec<f64> = bits.iter().map(|&it| f64::from_bits(it)).collect();
        let at = at.index(bits.len());
        let mut other = row.clone();
        other[at] = f64::from_bits(bits[at] ^ (1 << bit));
        prop_assert_eq!(hash_row(&row), hash_row(&row.clone()));
        prop_assert_ne!(hash_row(&row), hash_row(&other));
    }

    #[test]
    fn order_and_length_count(
        bits in prop::collection::vec(any::<u64>(), 2..40),
        at in any::<prop::sample::Index>(),
    ) {
        let row: Vec<f64> = bits.iter().map(|&it| f64::from_bits(it)).collect();
        let at = at.index(bits.len() - 1);
        let mut swapped = row.clone();
        swapped.swap(at, at + 1);
        prop_assert!(bits[at] == bits[at + 1] || hash_row(&row) != hash_row(&swapped));
        prop_assert_ne!(hash_row(&row), hash_row(&row[..bits.len() - 1]));
    }
}
