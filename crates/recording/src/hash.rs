//! The fingerprint of a frame.

/// A 64-bit hash of reals, bit for bit; −0 and 0 differ, as their bits do.
///
/// Four lanes of multiply and rotate, so that a million reals take a millisecond; not meant against malice.
pub fn hash_row(row: &[f64]) -> u64 {
    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;
    let mut lanes = [1u64, 2, 3, 4].map(|lane| lane.wrapping_mul(FACTOR));
    let mut take = |lane: usize, real: f64| {
        lanes[lane] = (lanes[lane] ^ real.to_bits()).wrapping_mul(FACTOR).rotate_left(29);
    };
    let chunks = row.chunks_exact(4);
    let rest = chunks.remainder();
    for chunk in chunks {
        for (lane, &real) in chunk.iter().enumerate() {
            take(lane, real);
        }
    }
    for (lane, &real) in rest.iter().enumerate() {
        take(lane, real);
    }
    let mut hash = row.len() as u64;
    for lane in lanes {
        hash = (hash ^ lane).wrapping_mul(FACTOR);
        hash ^= hash >> 32;
    }
    hash
}
