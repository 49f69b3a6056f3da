//! Small systems of linear equations.

/// Smallest pivot, relative to the largest entry of its row. Smaller ones count as zero.
const MIN_RELATIVE_PIVOT: f64 = 1e-13;

/// Memory for [`solve_with`], kept between calls.
#[derive(Debug, Clone, Default)]
pub struct SolveScratch {
    size: Vec<f64>,
    rows: Vec<usize>,
    x: Vec<f64>,
}

/// Solves A x = b by elimination with row pivoting. `a` is overwritten and `b` becomes x. Returns `false` if
/// A is singular to rounding or has an entry that is not a number; `b` is then undefined.
pub fn solve(a: &mut [f64], b: &mut [f64]) -> bool {
    solve_with(a, b, &mut SolveScratch::default())
}

/// The same as [`solve`], without allocating once `scratch` has grown.
pub fn solve_with(a: &mut [f64], b: &mut [f64], scratch: &mut SolveScratch) -> bool {
    let n = b.len();
    debug_assert_eq!(a.len(), n * n, "a square matrix");
    // Rows are measured each by its own largest entry, so that units do not matter.
    let SolveScratch { size, rows, x } = scratch;
    size.clear();
    size.extend((0..n).map(|i| a[i * n..(i + 1) * n].iter().fold(0.0, |most: f64, it| most.max(it.abs()))));
    if size.iter().any(|it| !(*it > 0.0 && it.is_finite())) {
        return n == 0;
    }
    rows.clear();
    rows.extend(0..n);
    for k in 0..n {
        let weight = |row: usize, a: &[f64]| a[row * n + k].abs() / size[row];
        let mut best = k;
        for place in k + 1..n {
            if weight(rows[place], a) > weight(rows[best], a) {
                best = place;
            }
        }
        rows.swap(k, best);
        let pivot_row = rows[k];
        let pivot = a[pivot_row * n + k];
        let weight = weight(pivot_row, a);
        if weight.is_nan() || weight <= MIN_RELATIVE_PIVOT || !pivot.is_finite() {
            return false;
        }
        for &row in &rows[k + 1..] {
            let factor = a[row * n + k] / pivot;
            if factor == 0.0 {
                continue;
            }
            for j in k + 1..n {
                a[row * n + j] -= factor * a[pivot_row * n + j];
            }
            b[row] -= factor * b[pivot_row];
        }
    }
    x.clear();
    x.resize(n, 0.0);
    for k in (0..n).rev() {
        let row = rows[k];
        let rest: f64 = (k + 1..n).map(|j| a[row * n + j] * x[j]).sum();
        x[k] = (b[row] - rest) / a[row * n + k];
    }
    b.copy_from_slice(x);
    b.iter().all(|it| it.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hilbert_times_a_known_vector_comes_back() {
        let n = 5;
        let hilbert: Vec<f64> = (0..n * n).map(|k| 1.0 / ((k / n + k % n + 1) as f64)).collect();
        let x = [1.0, -2.0, 3.0, -4.0, 5.0];
        let mut b: Vec<f64> = (0..n).map(|i| (0..n).map(|j| hilbert[i * n + j] * x[j]).sum()).collect();
        assert!(solve(&mut hilbert.clone(), &mut b));
        assert!(b.iter().zip(x).all(|(b, x)| (b - x).abs() < 1e-9), "{b:?}");
    }

    #[test]
    fn what_has_no_solution_is_told() {
        assert!(!solve(&mut [1.0, 2.0, 2.0, 4.0], &mut [1.0, 1.0]));
        assert!(!solve(&mut [0.0], &mut [1.0]));
        assert!(!solve(&mut [f64::NAN], &mut [1.0]));
        // Rows of very different size are no fault.
        let mut b = [1e-20, 1.0];
        assert!(solve(&mut [1e-20, 0.0, 0.0, 1.0], &mut b));
        assert_eq!(b, [1.0, 1.0]);
        assert!(solve(&mut [], &mut []));
    }
}
