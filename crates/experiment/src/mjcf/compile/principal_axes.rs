//! Principal moments and axes of an inertia, in the order in which MuJoCo gives them.
//!
//! Any order and any sign of the axes would describe the same body. But the axes are frames in which users
//! give and read numbers, and where two moments are equal there are infinitely many: so the way to them is
//! MuJoCo's, Jacobi's method with a quaternion that collects the rotations.

use gedanken_math::{Mat3, Quat, Vec3};

/// Share of the largest element below which an off-diagonal one counts as zero.
const LEAST_ELEMENT: f64 = 4e-15;
/// Share of the largest element below which two moments count as equal.
const LEAST_DIFFERENCE: f64 = 1e-12;
/// Share of both kinds for meshes, whose vertices are of single precision.
pub(crate) const MESH_TOLERANCE: f64 = 1e-7;
/// Maximum number of rotations.
const MAX_ROTATIONS: usize = 500;

/// Principal moments in decreasing order, and the rotation from their axes. `tolerance` is the least share of
/// the largest element that counts, if it is more than rounding.
pub(crate) fn principal_axes(inertia: Mat3, tolerance: f64) -> (Vec3, Quat) {
    let scale = inertia.to_cols_array().iter().fold(0.0, |most: f64, element| most.max(element.abs()));
    let mut axes = Quat::IDENTITY;
    let mut moments = [0.0; 3];
    for _ in 0..MAX_ROTATIONS {
        let rotation = Mat3::from_quat(axes);
        let turned = rotation.transpose() * inertia * rotation;
        moments = [turned.x_axis.x, turned.y_axis.y, turned.z_axis.z];
        let Some(turn) = jacobi_rotation(turned, scale * tolerance.max(LEAST_ELEMENT)) else { break };
        axes = (axes * turn).normalize();
    }
    // Three neighbours are compared, as in a bubble sort.
    for first in [0, 1, 0] {
        if moments[first] + scale * tolerance.max(LEAST_DIFFERENCE) < moments[first + 1] {
            moments.swap(first, first + 1);
            let quarter = std::f64::consts::FRAC_1_SQRT_2;
            let mut turn = [0.0; 3];
            turn[(first + 2) % 3] = quarter;
            axes = (axes * Quat::from_xyzw(turn[0], turn[1], turn[2], quarter)).normalize();
        }
    }
    (Vec3::from_array(moments), axes)
}

/// The rotation that removes the largest off-diagonal element; `None` if that is at most `least`.
fn jacobi_rotation(matrix: Mat3, least: f64) -> Option<Quat> {
    let at = |row: usize, column: usize| matrix.col(column)[row];
    let [xy, xz, yz] = [at(0, 1), at(0, 2), at(1, 2)].map(f64::abs);
    // Row, column and the axis about which they are turned into each other.
    let (row, column, axis) = if xy > xz && xy > yz {
        (0, 1, 2)
    } else if xz > yz {
        (0, 2, 1)
    } else {
        (1, 2, 0)
    };
    let element = at(row, column);
    if element.abs() <= least || !element.is_finite() {
        return None;
    }
    let ratio = (at(column, column) - at(row, row)) / (2.0 * element);
    let root = (1.0 + ratio * ratio).sqrt();
    let tangent = if ratio >= 0.0 { 1.0 / (ratio + root) } else { -1.0 / (root - ratio) };
    // Of half the angle, so that the smallest rotation keeps its digits.
    let half_tangent = tangent / (1.0 + (1.0 + tangent * tangent).sqrt());
    let half_cosine = 1.0 / (1.0 + half_tangent * half_tangent).sqrt();
    let mut vector = [0.0; 3];
    vector[axis] = if axis == 1 { half_tangent } else { -half_tangent } * half_cosine;
    Some(Quat::from_xyzw(vector[0], vector[1], vector[2], half_cosine).normalize())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_make_the_inertia_diagonal() {
        let inertia = Mat3::from_cols_array(&[1.0, 0.1, 0.2, 0.1, 2.0, 0.3, 0.2, 0.3, 2.5]);
        let (moments, axes) = principal_axes(inertia, 0.0);
        let rotation = Mat3::from_quat(axes);
        let back = rotation * Mat3::from_diagonal(moments) * rotation.transpose();
        assert!(back.abs_diff_eq(inertia, 1e-12));
        assert!(moments.x >= moments.y && moments.y >= moments.z);
    }
}
