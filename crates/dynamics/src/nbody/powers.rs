//! q^(-1/2) and q^(-3/2) by additions, subtractions and multiplications alone.
//!
//! Square root and division cost as much as all the rest of a pair, even in the widest registers, and the
//! estimates that processors offer instead differ between makers. So: a start from the bits of q, one cubic
//! correction of it, and a last step that is exact to rounding.

use super::lanes::{BLOCK, Lanes, each};

/// Factor that [`inverse_cubes`] leaves out; the sums of pairs are multiplied by it at the end.
pub(super) const UNIT: f64 = 15.0 / 8.0;

/// y ≈ q^(-1/2), within 4.7e-7 of it.
///
/// The reflected bits give s·q^(-1/2) within 6 %, with s near 0.85. With t = q y², the cubic is the minimax
/// approximation of t^(-1/2) over the t that occur, 0.674 to 0.762. Its leading coefficient is -1 because s
/// was chosen so, which saves a multiplication, and that s happens to give a better start than s = 1 does.
#[inline(always)]
fn rough_inverse_roots<V: Lanes>(q: &[V; BLOCK]) -> [V; BLOCK] {
    let (c0, c1, c2) = (V::splat(C0), V::splat(C1), V::splat(C2));
    let y = each!(r => q[r].reflect(MAGIC));
    let t = each!(r => y[r] * y[r]);
    let t = each!(r => q[r] * t[r]);
    let p = each!(r => c2 - t[r]);
    let p = each!(r => t[r] * p[r]);
    let p = each!(r => c1 - p[r]);
    let p = each!(r => t[r] * p[r]);
    let p = each!(r => c0 - p[r]);
    each!(r => y[r] * p[r])
}

const MAGIC: u64 = 0x5FE2_CA68_2DBB_0000;
const C0: f64 = 2.584_119_928_2;
const C1: f64 = 3.604_470_132_6;
const C2: f64 = 3.014_771_089_7;

/// w = (8/15) q^(-3/2), to 2.5 units in the last place.
///
/// With y ≈ q^(-1/2) and e = 1 - q y², |e| < 1e-6: q^(-3/2) = y³ (1 - e)^(-3/2) = y³ (1 + 3/2 e + 15/8 e²),
/// for the next term, 35/16 e³, is below 2e-18. Divided by 15/8 the quadratic is e (e + 4/5) + 8/15, one
/// multiplication less; [`UNIT`] makes it good, once per body.
///
/// Where q^(-3/2) overflows (q = 0 too), q overflows or q is NaN, w is infinite or NaN and the
/// acceleration not finite. Where it underflows (distances above 1e102), w is zero.
#[inline(always)]
pub(super) fn inverse_cubes<V: Lanes>(q: [V; BLOCK]) -> [V; BLOCK] {
    let y = rough_inverse_roots(&q);
    let y2 = each!(r => y[r] * y[r]);
    let e = each!(r => q[r] * y2[r]);
    let e = each!(r => V::splat(1.0) - e[r]);
    let y3 = each!(r => y[r] * y2[r]);
    let p = each!(r => e[r] + V::splat(4.0 / 5.0));
    let p = each!(r => e[r] * p[r]);
    let p = each!(r => p[r] + V::splat(8.0 / 15.0));
    each!(r => y3[r] * p[r])
}

/// q^(-1/2) to one unit in the last place: y + y e (1/2 + 3/8 e), with y and e as in [`inverse_cubes`].
#[inline(always)]
pub(super) fn inverse_roots<V: Lanes>(q: [V; BLOCK]) -> [V; BLOCK] {
    let y = rough_inverse_roots(&q);
    let e = each!(r => V::splat(1.0) - q[r] * (y[r] * y[r]));
    each!(r => y[r] + y[r] * (e[r] * (V::splat(0.5) + V::splat(0.375) * e[r])))
}

#[cfg(test)]
mod tests {
    //! Error of the powers, against arithmetic with twice the digits that shares nothing with them.
    use super::super::lanes::Column;
    use super::super::width::{Job, Width};
    use super::*;

    /// Half a unit in the last place: the largest relative error of one rounding.
    const U: f64 = f64::EPSILON / 2.0;

    struct Powers([f64; BLOCK]);

    impl Job for Powers {
        type Output = [[Column; 2]; BLOCK];

        #[inline(always)]
        fn run<V: Lanes>(self) -> Self::Output {
            let mut out = [[[0.0; BLOCK]; 2]; BLOCK];
            for part in 0..V::PARTS {
                let q = each!(r => V::splat(self.0[r]));
                let (roots, cubes) = (inverse_roots(q), inverse_cubes(q));
                for r in 0..BLOCK {
                    roots[r].store(&mut out[r][0], part);
                    cubes[r].store(&mut out[r][1], part);
                }
            }
            out
        }
    }

    /// a b as an unevaluated sum, without error (@dekker1971).
    fn product(a: f64, b: f64) -> (f64, f64) {
        let split = |v: f64| {
            let c = 134_217_729.0 * v;
            let high = c - (c - v);
            (high, v - high)
        };
        let (p, (ah, al), (bh, bl)) = (a * b, split(a), split(b));
        (p, ((ah * bh - p) + ah * bl + al * bh) + al * bl)
    }

    /// a b for a sum a, to about 2^-100.
    fn times((high, low): (f64, f64), b: f64) -> (f64, f64) {
        let (p, e) = product(high, b);
        let e = e + low * b;
        (p + e, e - ((p + e) - p))
    }

    /// Relative error of y as q^(-1/2): half of q y² - 1.
    fn root_error(q: f64, y: f64) -> f64 {
        let (high, low) = times(product(q, y), y);
        ((high - 1.0) + low) / 2.0
    }

    /// Relative error of (15/8) w as q^(-3/2): half of (15/8)² q³ w² - 1.
    fn cube_error(q: f64, w: f64) -> f64 {
        let qw = times(product(q, w), 15.0 / 8.0);
        let (high, low) = times(times(times(qw, q), w), 15.0 / 8.0);
        let (high, low) = times((high, low), q);
        ((high - 1.0) + low) / 2.0
    }

    /// From 2^-400 to 2^400, all mantissas about equally dense, and the ends of the intervals between which
    /// the reflected bits behave alike.
    fn samples() -> Vec<f64> {
        let mut samples = Vec::new();
        for exponent in (-400_i32..400).step_by(7) {
            let scale = f64::from_bits(u64::try_from(1023 + exponent).expect("a normal number") << 52);
            for k in 0..1_000_u32 {
                samples.push(scale * (1.0 + f64::from(k) * 0.001_000_1));
            }
            samples.extend([scale * (2.0 - f64::EPSILON), scale * (1.0 + f64::EPSILON)]);
        }
        samples.resize(samples.len().next_multiple_of(BLOCK), 1.0);
        samples
    }

    /// Roundings a of y², b of q y², c of y y², g of the quadratic's last sum, h of the last product: with
    /// e = 1 - q y² (1 + a)(1 + b), which is subtracted without error, w errs by
    /// -3/2 (a + b) + a + c + g + h, at most 5 u, and the root by (a + b)/2 and its own last sum, 2 u. The
    /// constants' own error and terms of order e u add less than a tenth.
    #[test]
    fn powers_err_by_no_more_than_their_roundings() {
        let (mut root_worst, mut cube_worst) = (0.0_f64, 0.0_f64);
        for width in Width::available() {
            for q in samples().chunks_exact(BLOCK) {
                let q = std::array::from_fn(|r| q[r]);
                for (q, [roots, cubes]) in q.into_iter().zip(width.run(Powers(q))) {
                    for (root, cube) in roots.into_iter().zip(cubes) {
                        root_worst = root_worst.max(root_error(q, root).abs());
                        cube_worst = cube_worst.max(cube_error(q, cube).abs());
                    }
                }
            }
        }
        println!("worst errors: root {:.3} u, cube {:.3} u", root_worst / U, cube_worst / U);
        assert!(root_worst <= 2.1 * U, "root: {} u", root_worst / U);
        assert!(cube_worst <= 5.1 * U, "cube: {} u", cube_worst / U);
    }

    #[test]
    fn powers_out_of_range_are_never_quietly_wrong() {
        for width in Width::available() {
            let q = [0.0, f64::MIN_POSITIVE, 5e-324, 1e-210, f64::INFINITY, f64::NAN, 1e-300, 1e-250];
            for (q, [_, cubes]) in q.into_iter().zip(width.run(Powers(q))) {
                assert!(cubes.iter().all(|w| !w.is_finite()), "{width}: {q}: {cubes:?}");
            }
            for [_, cubes] in width.run(Powers([f64::MAX; BLOCK])) {
                assert_eq!(cubes, [0.0; BLOCK], "{width}: underflow is zero");
            }
        }
    }
}
