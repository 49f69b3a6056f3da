//! Random bits from a counter: Philox4x32-10 (@salmon2011).
//!
//! A block cipher without secrets: ten rounds of two products turn a counter of 128 bits into 128 bits that
//! pass every battery of statistical tests known. There is no state, so that the bits are the same whoever
//! asks for them, and in which order.
//!
//! The language knows reals only, so both of its operations go from two reals to one. The counter is the bits
//! of both, with -0 taken for 0; the key says which operation it is. What is not finite gives NaN.

/// Multipliers of a round, and what the key grows by after each.
const MULTIPLIERS: [u32; 2] = [0xD251_1F53, 0xCD9E_8D57];
const GROWTH: [u32; 2] = [0x9E37_79B9, 0xBB67_AE85];
const ROUNDS: u32 = 10;

/// Keys of the two operations.
const MIX: [u32; 2] = [0, 0];
const UNIFORM: [u32; 2] = [1, 0];

/// The exponent bit that makes a real 2 or larger, or not finite.
const LARGE: u64 = 1 << 62;

/// 63 random bits as a real between -2 and 2: what takes the place of the two in a further call.
pub(crate) fn mix(x: f64, y: f64) -> f64 {
    bits(x, y, MIX).map_or(f64::NAN, |bits| f64::from_bits(bits & !LARGE))
}

/// One of the 2⁵³ multiples of 2⁻⁵³ in [0, 1), all equally likely.
pub(crate) fn uniform(x: f64, y: f64) -> f64 {
    bits(x, y, UNIFORM).map_or(f64::NAN, |bits| (bits >> 11) as f64 * (0.5 * f64::EPSILON))
}

/// The first 64 bits of a block, or `None` if a real is not finite.
fn bits(x: f64, y: f64, key: [u32; 2]) -> Option<u64> {
    if !(x.is_finite() && y.is_finite()) {
        return None;
    }
    // -0 + 0 is 0; any other number stays as it is.
    let [x, y] = [x, y].map(|it| (it + 0.0).to_bits());
    let [first, second, ..] = block([x as u32, (x >> 32) as u32, y as u32, (y >> 32) as u32], key);
    Some(u64::from(first) | u64::from(second) << 32)
}

/// The block of a counter and a key.
fn block(mut counter: [u32; 4], mut key: [u32; 2]) -> [u32; 4] {
    for _ in 0..ROUNDS {
        let [first, second] = [(counter[0], MULTIPLIERS[0]), (counter[2], MULTIPLIERS[1])]
            .map(|(word, multiplier)| u64::from(word) * u64::from(multiplier));
        counter = [
            (second >> 32) as u32 ^ counter[1] ^ key[0],
            second as u32,
            (first >> 32) as u32 ^ counter[3] ^ key[1],
            first as u32,
        ];
        key = [key[0].wrapping_add(GROWTH[0]), key[1].wrapping_add(GROWTH[1])];
    }
    counter
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The published answers: `kat_vectors` of the authors' library Random123, `philox4x32 10`.
    #[test]
    fn blocks_are_those_of_the_authors() {
        let all = u32::MAX;
        for (counter, key, expected) in [
            ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
            ([all; 4], [all; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
            (
                [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
                [0xa409_3822, 0x299f_31d0],
                [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
            ),
        ] {
            assert_eq!(block(counter, key), expected);
        }
    }

    #[test]
    fn the_zero_block_is_read_from_its_low_words() {
        // 0xe169c58d6627e8d5 without the exponent bit.
        assert_eq!(mix(0.0, -0.0).to_bits(), 0xa169_c58d_6627_e8d5);
        let [first, second, ..] = block([0; 4], UNIFORM);
        let bits = u64::from(first) | u64::from(second) << 32;
        assert_eq!(uniform(-0.0, 0.0), (bits >> 11) as f64 / (1_u64 << 53) as f64);
    }

    proptest! {
        #[test]
        fn results_are_in_their_ranges(x in any::<u64>(), y in any::<u64>()) {
            let (x, y) = (f64::from_bits(x), f64::from_bits(y));
            let (mixed, drawn) = (mix(x, y), uniform(x, y));
            if x.is_finite() && y.is_finite() {
                prop_assert!(mixed.abs() < 2.0 && (0.0..1.0).contains(&drawn));
            } else {
                prop_assert!(mixed.is_nan() && drawn.is_nan());
            }
        }
    }
}
