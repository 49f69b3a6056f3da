//! Algebra of 6-vectors of one body and 6×6 blocks between two bodies.

use gedanken_math::{Twist, Vec3};

/// Three linear components, then three angular ones.
pub(super) type Six = [f64; 6];

/// 6×6 matrix by rows.
pub(super) type Block = [Six; 6];

pub(super) const ZERO: Block = [[0.0; 6]; 6];

pub(super) fn six(linear: Vec3, angular: Vec3) -> Six {
    [linear.x, linear.y, linear.z, angular.x, angular.y, angular.z]
}

pub(super) fn twist_of(six: &Six) -> Twist {
    Twist::new(Vec3::new(six[0], six[1], six[2]), Vec3::new(six[3], six[4], six[5]))
}

/// Adds weight·x yᵀ.
pub(super) fn add_row(block: &mut Block, x: &Six, y: &Six, weight: f64) {
    for (row, x) in block.iter_mut().zip(x) {
        let x = x * weight;
        row.iter_mut().zip(y).for_each(|(entry, y)| *entry += x * y);
    }
}

/// Adds the same summed over x = (e, r × e), y = (e, s × e) for three axes e at right angles: with \[r\] the
/// matrix of r ×, weight·(1, -\[s\]; \[r\], (r·s) 1 - s rᵀ).
pub(super) fn add_all(block: &mut Block, r: Vec3, s: Vec3, weight: f64) {
    let (wr, ws, inner) = (r * weight, s * weight, r.dot(s) * weight);
    let (r, wr, ws) = (r.to_array(), wr.to_array(), ws.to_array());
    for i in 0..3 {
        let (j, k) = ((i + 1) % 3, (i + 2) % 3);
        block[i][i] += weight;
        // [r] has -r_k at (i, j) and r_j at (i, k).
        block[i][3 + j] += ws[k];
        block[i][3 + k] -= ws[j];
        block[3 + i][j] -= wr[k];
        block[3 + i][k] += wr[j];
        for l in 0..3 {
            block[3 + i][3 + l] -= ws[i] * r[l];
        }
        block[3 + i][3 + i] += inner;
    }
}

/// Writes the Cholesky factor over the lower triangle, with the inverse of its diagonal. Returns `false` if
/// the block is not positive.
pub(super) fn factor(block: &mut Block) -> bool {
    for j in 0..6 {
        let done = block[j];
        let pivot = done[..j].iter().fold(done[j], |pivot, entry| pivot - entry * entry);
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        let inverse = 1.0 / pivot.sqrt();
        block[j][j] = inverse;
        for row in &mut block[j + 1..] {
            let entry = row[..j].iter().zip(&done).fold(row[j], |entry, (x, y)| entry - x * y);
            row[j] = entry * inverse;
        }
    }
    true
}

/// Solves L Lᵀ x = b in place.
pub(super) fn solve_column(factor: &Block, x: &mut Six) {
    for i in 0..6 {
        for k in 0..i {
            x[i] -= factor[i][k] * x[k];
        }
        x[i] *= factor[i][i];
    }
    for i in (0..6).rev() {
        for k in i + 1..6 {
            x[i] -= factor[k][i] * x[k];
        }
        x[i] *= factor[i][i];
    }
}

/// Solves the same for six columns at a time.
pub(super) fn solve_rows(factor: &Block, x: &mut Block) {
    for i in 0..6 {
        for k in 0..i {
            let known = x[k];
            x[i].iter_mut().zip(known).for_each(|(entry, known)| *entry -= factor[i][k] * known);
        }
        x[i].iter_mut().for_each(|entry| *entry *= factor[i][i]);
    }
    for i in (0..6).rev() {
        for k in i + 1..6 {
            let known = x[k];
            x[i].iter_mut().zip(known).for_each(|(entry, known)| *entry -= factor[k][i] * known);
        }
        x[i].iter_mut().for_each(|entry| *entry *= factor[i][i]);
    }
}
