//! Small dense blocks, row by row in flat slices: what the elimination does to the up to 6 × 6 numbers of two
//! constraints.
//!
//! Nearly all joints are ball joints, so that 3 × 3 blocks have loops of known length.

/// Rows whose pivot falls below this part of their own diagonal depend on those before them.
pub(super) const RANK_RATIO: f64 = 1e-11;

/// Pivots above this part of their own diagonal are taken in the order in which they come.
const SAFE_PIVOT_RATIO: f64 = 1e-3;

/// C −= A Bᵀ with C of i × j, A of i × k and B of j × k numbers.
pub(super) fn subtract_product(c: &mut [f64], a: &[f64], b: &[f64], size: [usize; 3]) {
    match size {
        [3, 3, 3] => subtract_fixed::<3, 3, 3>(c, a, b),
        [6, 6, 3] => subtract_fixed::<6, 6, 3>(c, a, b),
        [5, 5, 5] => subtract_fixed::<5, 5, 5>(c, a, b),
        [i, j, k] => {
            for (row, c) in a.chunks_exact(k).zip(c.chunks_exact_mut(j)).take(i) {
                for (other, c) in b.chunks_exact(k).zip(c) {
                    *c -= dot(row, other);
                }
            }
        }
    }
}

fn subtract_fixed<const I: usize, const J: usize, const K: usize>(c: &mut [f64], a: &[f64], b: &[f64]) {
    let (c, a, b) = (&mut c[..I * J], &a[..I * K], &b[..J * K]);
    for i in 0..I {
        for j in 0..J {
            let mut sum = 0.0;
            for k in 0..K {
                sum += a[i * K + k] * b[j * K + k];
            }
            c[i * J + j] -= sum;
        }
    }
}

/// C = A S with A of i × k numbers and S of k × k.
pub(super) fn multiply(c: &mut [f64], a: &[f64], s: &[f64], [i, k]: [usize; 2]) {
    if k == 3 {
        let s: &[f64; 9] = s.first_chunk().expect("three times three");
        for (a, c) in a.chunks_exact(3).zip(c.chunks_exact_mut(3)).take(i) {
            c[0] = a[0] * s[0] + a[1] * s[3] + a[2] * s[6];
            c[1] = a[0] * s[1] + a[1] * s[4] + a[2] * s[7];
            c[2] = a[0] * s[2] + a[1] * s[5] + a[2] * s[8];
        }
        return;
    }
    for (a, c) in a.chunks_exact(k).zip(c.chunks_exact_mut(k)).take(i) {
        c.fill(0.0);
        for (a, s) in a.iter().zip(s.chunks_exact(k)) {
            c.iter_mut().zip(s).for_each(|(c, s)| *c += a * s);
        }
    }
}

/// y −= A x with A of as many rows as y has numbers.
pub(super) fn subtract_image(y: &mut [f64], a: &[f64], x: &[f64]) {
    if let ([y0, y1, y2], [x0, x1, x2]) = (&mut *y, x) {
        let a: &[f64; 9] = a.first_chunk().expect("three times three");
        *y0 -= a[0] * x0 + a[1] * x1 + a[2] * x2;
        *y1 -= a[3] * x0 + a[4] * x1 + a[5] * x2;
        *y2 -= a[6] * x0 + a[7] * x1 + a[8] * x2;
        return;
    }
    for (y, row) in y.iter_mut().zip(a.chunks_exact(x.len())) {
        *y -= dot(row, x);
    }
}

/// x −= Aᵀ y with A of as many rows as y has numbers.
pub(super) fn subtract_transposed(x: &mut [f64], a: &[f64], y: &[f64]) {
    if let ([x0, x1, x2], [y0, y1, y2]) = (&mut *x, y) {
        let a: &[f64; 9] = a.first_chunk().expect("three times three");
        *x0 -= a[0] * y0 + a[3] * y1 + a[6] * y2;
        *x1 -= a[1] * y0 + a[4] * y1 + a[7] * y2;
        *x2 -= a[2] * y0 + a[5] * y1 + a[8] * y2;
        return;
    }
    for (y, row) in y.iter().zip(a.chunks_exact(x.len())) {
        x.iter_mut().zip(row).for_each(|(x, a)| *x -= a * y);
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// The inverse of a symmetric positive matrix on the `open` rows (bits) that do not depend on each other,
/// zero elsewhere; and which rows these are. A row depends on others if its pivot is nothing beside `scale`,
/// its diagonal before the elimination.
pub(super) fn invert(d: &[f64], scale: &[f64], open: u8, out: &mut [f64]) -> u8 {
    let n = scale.len();
    if n == 3 && open == 0b111 && invert_three(d, scale, out) {
        return open;
    }
    let mut a = [0.0; 36];
    a[..n * n].copy_from_slice(&d[..n * n]);
    let mut swept = 0u8;
    while swept != open {
        // The largest pivot first, each measured by its own diagonal; of equal ones the first.
        let (mut best, mut pivot) = (RANK_RATIO, None);
        for p in (0..n).filter(|p| (open & !swept) >> p & 1 == 1) {
            let left = a[p * n + p] / scale[p];
            if left > best {
                (best, pivot) = (left, Some(p));
            }
        }
        let Some(p) = pivot else { break };
        sweep(&mut a, n, p);
        swept |= 1 << p;
    }
    for i in 0..n {
        for j in 0..n {
            let both = swept >> i & swept >> j & 1 == 1;
            out[i * n + j] = if both { -a[i * n + j] } else { 0.0 };
        }
    }
    swept
}

/// The sweep operator: after it has gone over a set of rows, their block is minus its inverse, and the rest
/// is the Schur complement (@beaton1964).
fn sweep(a: &mut [f64; 36], n: usize, p: usize) {
    let pivot = a[p * n + p];
    for i in (0..n).filter(|&i| i != p) {
        let factor = a[i * n + p] / pivot;
        for j in (0..n).filter(|&j| j != p) {
            a[i * n + j] -= factor * a[p * n + j];
        }
        a[i * n + p] = factor;
    }
    for j in (0..n).filter(|&j| j != p) {
        a[p * n + j] /= pivot;
    }
    a[p * n + p] = -1.0 / pivot;
}

/// By LDLᵀ, if no pivot is small.
fn invert_three(d: &[f64], scale: &[f64], out: &mut [f64]) -> bool {
    let (d, out) = (&d[..9], &mut out[..9]);
    let p0 = d[0];
    let (l10, l20) = (d[3] / p0, d[6] / p0);
    let p1 = d[4] - l10 * d[3];
    let l21 = (d[7] - l20 * d[3]) / p1;
    let p2 = d[8] - l20 * d[6] - l21 * l21 * p1;
    if !(p0 > SAFE_PIVOT_RATIO * scale[0]
        && p1 > SAFE_PIVOT_RATIO * scale[1]
        && p2 > SAFE_PIVOT_RATIO * scale[2])
    {
        return false;
    }
    let m20 = l10 * l21 - l20;
    let (i0, i1, i2) = (1.0 / p0, 1.0 / p1, 1.0 / p2);
    let (a21, a20) = (-l21 * i2, m20 * i2);
    let a10 = -l10 * i1 + m20 * a21;
    out[0] = i0 + l10 * l10 * i1 + m20 * a20;
    out[4] = i1 - l21 * a21;
    out[8] = i2;
    (out[1], out[3]) = (a10, a10);
    (out[2], out[6]) = (a20, a20);
    (out[5], out[7]) = (a21, a21);
    true
}

/// The inverse of any matrix on the `open` rows (bits), zero elsewhere. Pivots that vanish leave their rows
/// out.
pub(super) fn invert_any(d: &[f64], n: usize, open: u8, out: &mut [f64]) {
    if n == 3 && open == 0b111 && invert_any_three(d, out) {
        return;
    }
    let mut a = [0.0; 36];
    a[..n * n].copy_from_slice(&d[..n * n]);
    let size = (0..n).filter(|p| open >> p & 1 == 1).fold(0.0, |most: f64, p| most.max(a[p * n + p].abs()));
    let mut swept = 0u8;
    while swept != open {
        // The matrix is close to a symmetric one that is definite, so pivots are found on the diagonal.
        let left = (0..n).filter(|p| (open & !swept) >> p & 1 == 1);
        let pivot = left.fold(None, |best: Option<usize>, p| match best {
            Some(best) if a[p * n + p].abs() <= a[best * n + best].abs() => Some(best),
            _ => Some(p),
        });
        let Some(p) = pivot.filter(|&p| a[p * n + p].abs() > RANK_RATIO * size) else { break };
        sweep(&mut a, n, p);
        swept |= 1 << p;
    }
    for i in 0..n {
        for j in 0..n {
            let both = swept >> i & swept >> j & 1 == 1;
            out[i * n + j] = if both { -a[i * n + j] } else { 0.0 };
        }
    }
}

/// By Cramer's rule, if the determinant is not small.
fn invert_any_three(d: &[f64], out: &mut [f64]) -> bool {
    let (d, out) = (&d[..9], &mut out[..9]);
    let (x, y, z) = (d[4] * d[8] - d[5] * d[7], d[5] * d[6] - d[3] * d[8], d[3] * d[7] - d[4] * d[6]);
    let determinant = d[0] * x + d[1] * y + d[2] * z;
    if determinant.is_nan() || determinant.abs() <= 1e-6 * (d[0] * d[4] * d[8]).abs() {
        return false;
    }
    let one = 1.0 / determinant;
    (out[0], out[3], out[6]) = (x * one, y * one, z * one);
    out[1] = (d[2] * d[7] - d[1] * d[8]) * one;
    out[4] = (d[0] * d[8] - d[2] * d[6]) * one;
    out[7] = (d[1] * d[6] - d[0] * d[7]) * one;
    out[2] = (d[1] * d[5] - d[2] * d[4]) * one;
    out[5] = (d[2] * d[3] - d[0] * d[5]) * one;
    out[8] = (d[0] * d[4] - d[1] * d[3]) * one;
    true
}
