//! Area vector of a loop (its area times its normal) and volume of a tetrahedron, right to rounding for
//! slivers too.
//!
//! A = ½ Σ (xₖ − x₀) × (xₖ₊₁ − x₀). For a sliver of length l and height h the plain sum is wrong by ε l² of ½
//! l h, so its direction by ε l / h: for needles of 1e-10 a point at a distance 1 would stand 1e-6 above a
//! plane that holds it. Thin loops are therefore summed exactly, from error-free differences and products,
//! and rounded once (@shewchuk1997). Volumes are summed in pairs of numbers, x = high + low: 106 bits.

use gedanken_math::Vec3;

/// Returns area times normal of a loop that is counter-clockwise seen from the normal's tip.
pub(crate) fn area_vector(points: &[Vec3], corners: &[u32]) -> Vec3 {
    let corner = |k: usize| points[corners[k] as usize];
    let spoke = |k: usize| corner(k) - corner(0);
    let (mut sum, mut sizes) = (Vec3::ZERO, 0.0);
    for k in 2..corners.len() {
        let (u, v) = (spoke(k - 1), spoke(k));
        sum += u.cross(v);
        sizes += u.abs().max_element() * v.abs().max_element();
    }
    // Every component is wrong by 4 roundings of the sizes at most, 2 ε: the direction by 2√2 · 4 ε, below
    // `rounding`.
    if sum.abs().max_element() >= 0.25 * sizes {
        return sum / 2.0;
    }
    let mut sums = [const { ExactSum(Vec::new()) }; 3];
    for k in 2..corners.len() {
        let [u, v] = [k - 1, k].map(|k| [0, 1, 2].map(|i| exact_sum(corner(k)[i], -corner(0)[i])));
        for (i, sum) in sums.iter_mut().enumerate() {
            let (j, k) = ((i + 1) % 3, (i + 2) % 3);
            sum.add_product(u[j], v[k]);
            sum.add_product((-u[k].0, -u[k].1), v[j]);
        }
    }
    Vec3::from_array(sums.map(|sum| sum.rounded() / 2.0))
}

/// Returns six times the volume of the tetrahedron with this apex below the triangle: (a − o) · (b − o) × (c
/// − o), however thin.
pub(crate) fn six_volumes(apex: Vec3, triangle: [Vec3; 3]) -> f64 {
    let [a, b, c] = triangle.map(|p| [0, 1, 2].map(|i| exact_sum(p[i], -apex[i])));
    let mut sum = (0.0, 0.0);
    for (i, &side) in a.iter().enumerate() {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        let cross = add(product(b[j], c[k]), product((-b[k].0, -b[k].1), c[j]));
        sum = add(sum, product(side, cross));
    }
    sum.0 + sum.1
}

/// A number as the sum of two, the second below the last bit of the first.
type Pair = (f64, f64);

fn exact_sum(a: f64, b: f64) -> Pair {
    let sum = a + b;
    let shadow = sum - a;
    (sum, (a - (sum - shadow)) + (b - shadow))
}

fn exact_product(a: f64, b: f64) -> Pair {
    // Halves of 26 bits, whose products are exact.
    let halves = |x: f64| {
        let big = 134_217_729.0 * x;
        let high = big - (big - x);
        (high, x - high)
    };
    let product = a * b;
    let ((a, a_low), (b, b_low)) = (halves(a), halves(b));
    (product, a_low * b_low - (((product - a * b) - a_low * b) - a * b_low))
}

/// A sum without rounding, as numbers of increasing size that do not overlap.
struct ExactSum(Vec<f64>);

impl ExactSum {
    fn add(&mut self, x: f64) {
        let (mut carry, mut kept) = (x, 0);
        for k in 0..self.0.len() {
            let (high, low) = exact_sum(carry, self.0[k]);
            if low != 0.0 {
                self.0[kept] = low;
                kept += 1;
            }
            carry = high;
        }
        self.0.truncate(kept);
        self.0.push(carry);
    }

    fn add_product(&mut self, a: Pair, b: Pair) {
        for (x, y) in [(a.1, b.1), (a.0, b.1), (a.1, b.0), (a.0, b.0)] {
            let (high, low) = exact_product(x, y);
            self.add(low);
            self.add(high);
        }
    }

    fn rounded(&self) -> f64 {
        self.0.iter().sum()
    }
}

fn product(a: Pair, b: Pair) -> Pair {
    let (high, low) = exact_product(a.0, b.0);
    exact_sum(high, low + (a.0 * b.1 + a.1 * b.0))
}

fn add(a: Pair, b: Pair) -> Pair {
    let (high, low) = exact_sum(a.0, b.0);
    let (tail, rest) = exact_sum(a.1, b.1);
    let (high, low) = exact_sum(high, low + tail);
    exact_sum(high, low + rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// A triangle with sides of 2²⁰ steps and a height of a few, in integers, is computed exactly by
        /// i128.
        #[test]
        fn slivers_have_their_direction(
            a in prop::array::uniform3(-99_i64..99), along in prop::array::uniform3(-(1_i64 << 40)..1 << 40),
            off in prop::array::uniform3(-9_i64..10), times in 2..50_i64,
        ) {
            let b: [i64; 3] = std::array::from_fn(|k| a[k] + along[k]);
            let c: [i64; 3] = std::array::from_fn(|k| a[k] + times * along[k] + off[k]);
            let points = [a, b, c].map(|p| Vec3::from_array(p.map(|x| x as f64)));
            let cross = |i: usize| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                let (u, v) = (|i: usize| i128::from(b[i] - a[i]), |i: usize| i128::from(c[i] - a[i]));
                u(j) * v(k) - u(k) * v(j)
            };
            let expected = Vec3::new(cross(0) as f64, cross(1) as f64, cross(2) as f64) / 2.0;
            let area = area_vector(&points, &[0, 1, 2]);
            let sizes = (points[1] - points[0]).length() * (points[2] - points[0]).length();
            // Plain: 4 roundings per product; thin: exact but for the last rounding.
            let thin = expected.length() < 0.001 * sizes;
            let bound = if thin { 2.0 * f64::EPSILON * expected.length() } else { 8.0 * f64::EPSILON * sizes };
            prop_assert!((area - expected).length() <= bound, "{area} is not {expected}");
        }

        #[test]
        fn thin_volumes_are_right(
            u in prop::array::uniform3(-(1_i64 << 33)..1 << 33), v in prop::array::uniform3(-(1_i64 << 33)..1 << 33),
            off in prop::array::uniform3(-9_i64..10), o in prop::array::uniform3(-99_i64..99), s in -3..4_i64, t in -3..4_i64,
        ) {
            // Coplanar with u and v but for a few steps in 2³³.
            let w: [i64; 3] = std::array::from_fn(|k| s * u[k] + t * v[k] + off[k]);
            let cross = |i: usize| {
                let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                i128::from(v[j]) * i128::from(w[k]) - i128::from(v[k]) * i128::from(w[j])
            };
            let expected = (0..3).map(|i| i128::from(u[i]) * cross(i)).sum::<i128>() as f64;
            let origin = Vec3::from_array(o.map(|x| x as f64));
            let corner = |p: [i64; 3]| Vec3::from_array(std::array::from_fn(|k| (p[k] + o[k]) as f64));
            let volumes = six_volumes(origin, [u, v, w].map(corner));
            // Pairs hold 106 bits; the terms are below 2¹⁰⁷.
            prop_assert!((volumes - expected).abs() <= 2.0 * f64::EPSILON * expected.abs() + 32.0, "{volumes} {expected}");
        }
    }
}
