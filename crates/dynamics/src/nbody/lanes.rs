//! Vectors of f64, one type per register width, behind one trait: what the kernel is written in.
//!
//! Written with the machine's intrinsics, not as loops over arrays: the compiler did find the vectors in
//! such loops, but a harmless edit of the kernel made it lose them and three quarters of the speed.
//!
//! Invariant: every operation here rounds as IEEE 754 says, lane by lane, and none estimates or fuses, so
//! all types give the same bits. Reductions are the kernel's business, for they have an order.

use std::ops::{Add, Mul, Sub};

/// Bodies in a block, and the number of partial sums a row keeps: the width of the widest register, on
/// every machine, since the order of summation decides the bits.
pub(super) const BLOCK: usize = 8;

/// A column of one block.
pub(super) type Column = [f64; BLOCK];

/// A bit mask for each body of a block: all ones keeps a value, zero replaces it by +0, even if it is NaN.
pub(super) type Keep = [u64; BLOCK];

/// Some neighbouring lanes of a [`Column`]. `part` counts vectors from the column's start.
pub(super) trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> {
    /// Number of vectors in a column.
    const PARTS: usize;
    /// The same value in every lane.
    fn splat(value: f64) -> Self;
    /// Reads one part of a column.
    fn load(column: &Column, part: usize) -> Self;
    /// Writes one part of a column.
    fn store(self, column: &mut Column, part: usize);
    /// Bitwise and with one part of a mask.
    fn keep(self, mask: &Keep, part: usize) -> Self;
    /// `magic - bits / 2` on the bit patterns: halves and negates the exponent.
    fn reflect(self, magic: u64) -> Self;
}

/// An array with a value for each row of a tile. A macro, since closures are not sure to be inlined, and what
/// is not inlined is not compiled for the wide registers; `array::from_fn` cost four fifths of the speed.
macro_rules! each {
    ($r:ident => $value:expr) => {{
        let mut values = [{
            let $r = 0;
            $value
        }; BLOCK];
        for $r in 1..BLOCK {
            values[$r] = $value;
        }
        values
    }};
}
pub(super) use each;

/// One lane, for any machine.
#[derive(Clone, Copy)]
pub(super) struct Plain(f64);

impl Add for Plain {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Plain {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul for Plain {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(self.0 * other.0)
    }
}

impl Lanes for Plain {
    const PARTS: usize = BLOCK;
    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(value)
    }
    #[inline(always)]
    fn load(column: &Column, part: usize) -> Self {
        Self(column[part])
    }
    #[inline(always)]
    fn store(self, column: &mut Column, part: usize) {
        column[part] = self.0;
    }
    #[inline(always)]
    fn keep(self, mask: &Keep, part: usize) -> Self {
        Self(f64::from_bits(self.0.to_bits() & mask[part]))
    }
    #[inline(always)]
    fn reflect(self, magic: u64) -> Self {
        Self(f64::from_bits(magic.wrapping_sub(self.0.to_bits() >> 1)))
    }
}

#[cfg(target_arch = "x86_64")]
pub(super) use x86::{Avx2, Avx512, Sse2};

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "vector intrinsics; `Width` starts code with these types after detection")]
mod x86 {
    use super::{Add, BLOCK, Column, Keep, Lanes, Mul, Sub};
    use std::arch::x86_64::*;

    // SAFETY, for every block below: the instructions exist, because values of these types are made only in
    // code that `Width::run` starts once the processor has said so; the pointers are those of slices that
    // are as long as the register, by the bounds check on the slice.
    macro_rules! register {
        ($(#[$doc:meta])* $name:ident: $raw:ty, $lanes:literal, $splat:ident, $load:ident, $store:ident,
         $add:ident, $sub:ident, $mul:ident, $bits:ident, $float:ident,
         $bit_load:ident, $bit_splat:ident, $bit_and:ident, $bit_sub:ident, $bit_shift:ident) => {
            $(#[$doc])*
            #[derive(Clone, Copy)]
            pub(in crate::nbody) struct $name($raw);

            impl Add for $name {
                type Output = Self;
                #[inline(always)]
                fn add(self, other: Self) -> Self {
                    Self(unsafe { $add(self.0, other.0) })
                }
            }

            impl Sub for $name {
                type Output = Self;
                #[inline(always)]
                fn sub(self, other: Self) -> Self {
                    Self(unsafe { $sub(self.0, other.0) })
                }
            }

            impl Mul for $name {
                type Output = Self;
                #[inline(always)]
                fn mul(self, other: Self) -> Self {
                    Self(unsafe { $mul(self.0, other.0) })
                }
            }

            impl Lanes for $name {
                const PARTS: usize = BLOCK / $lanes;
                #[inline(always)]
                fn splat(value: f64) -> Self {
                    Self(unsafe { $splat(value) })
                }
                #[inline(always)]
                fn load(column: &Column, part: usize) -> Self {
                    let lanes = &column[part * $lanes..][..$lanes];
                    Self(unsafe { $load(lanes.as_ptr()) })
                }
                #[inline(always)]
                fn store(self, column: &mut Column, part: usize) {
                    let lanes = &mut column[part * $lanes..][..$lanes];
                    unsafe { $store(lanes.as_mut_ptr(), self.0) }
                }
                #[inline(always)]
                fn keep(self, mask: &Keep, part: usize) -> Self {
                    let lanes = &mask[part * $lanes..][..$lanes];
                    Self(unsafe { $float($bit_and($bits(self.0), $bit_load(lanes.as_ptr().cast()))) })
                }
                #[inline(always)]
                fn reflect(self, magic: u64) -> Self {
                    let magic = magic.cast_signed();
                    Self(unsafe { $float($bit_sub($bit_splat(magic), $bit_shift::<1>($bits(self.0)))) })
                }
            }
        };
    }

    register!(
        /// Two lanes, on every x86-64.
        Sse2: __m128d, 2, _mm_set1_pd, _mm_loadu_pd, _mm_storeu_pd,
        _mm_add_pd, _mm_sub_pd, _mm_mul_pd, _mm_castpd_si128, _mm_castsi128_pd,
        _mm_loadu_si128, _mm_set1_epi64x, _mm_and_si128, _mm_sub_epi64, _mm_srli_epi64
    );
    register!(
        /// Four lanes.
        Avx2: __m256d, 4, _mm256_set1_pd, _mm256_loadu_pd, _mm256_storeu_pd,
        _mm256_add_pd, _mm256_sub_pd, _mm256_mul_pd, _mm256_castpd_si256, _mm256_castsi256_pd,
        _mm256_loadu_si256, _mm256_set1_epi64x, _mm256_and_si256, _mm256_sub_epi64, _mm256_srli_epi64
    );
    register!(
        /// Eight lanes.
        Avx512: __m512d, 8, _mm512_set1_pd, _mm512_loadu_pd, _mm512_storeu_pd,
        _mm512_add_pd, _mm512_sub_pd, _mm512_mul_pd, _mm512_castpd_si512, _mm512_castsi512_pd,
        _mm512_loadu_si512, _mm512_set1_epi64, _mm512_and_si512, _mm512_sub_epi64, _mm512_srli_epi64
    );
}
