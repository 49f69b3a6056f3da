//! FNV-1a with 64 bits, the hash of Fowler, Noll and Vo: small, the same on every machine, and not meant
//! against malice.
//!
//! hash ← (hash ⊕ byte) · 0x100000001b3, from the basis 0xcbf29ce484222325.

/// An FNV-1a hash of the bytes so far.
#[derive(Clone, Copy, Debug)]
pub struct Fnv1a(u64);

impl Fnv1a {
    const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0100_0000_01b3;

    /// The hash of no bytes.
    pub const fn new() -> Self {
        Self(Self::BASIS)
    }

    /// A hash of no bytes that differs for every seed.
    pub const fn seeded(seed: u64) -> Self {
        Self(Self::BASIS ^ seed)
    }

    /// Adds bytes.
    pub fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(Self::PRIME);
        }
    }

    /// The hash.
    pub const fn finish(self) -> u64 {
        self.0
    }
}

impl Default for Fnv1a {
    fn default() -> Self {
        Self::new()
    }
}

/// The FNV-1a hash of some bytes.
pub fn fnv1a(bytes: &[u8]) -> u64 {
    let mut hash = Fnv1a::new();
    hash.write(bytes);
    hash.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test vectors of the authors.
    #[test]
    fn known_texts_have_known_hashes() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }
}
