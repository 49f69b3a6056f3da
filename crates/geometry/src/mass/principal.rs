//! Principal axes: the right-handed rotation in which an inertia is diagonal, with its moments in ascending
//! order.

use super::MassProperties;
use gedanken_math::linalg::symmetric3::diagonalise;
use gedanken_math::{Mat3, Quat, Vec3};

impl MassProperties {
    /// The principal moments, ascending, and the rotation `body_from_principal` that takes principal axes to
    /// body axes.
    ///
    /// The axes are right-handed; of each of the first two, the largest coordinate (the first of equal ones)
    /// is positive. Axes of equal moments are not unique: they are the ones closest to the body's own.
    #[must_use]
    pub fn principal(&self) -> (Vec3, Quat) {
        let (moments, axes) = diagonalise(&self.inertia);
        let mut order = [0, 1, 2];
        order.sort_by(|&i, &j| moments[i].total_cmp(&moments[j]));
        let forward = |axis: Vec3| {
            let size = axis.abs();
            let largest = size.max_element();
            let leading = (0..3).find(|&k| size[k] == largest).unwrap_or(0);
            if axis[leading] < 0.0 { -axis } else { axis }
        };
        let first = forward(axes[order[0]]);
        let second = forward(axes[order[1]]);
        let rotation = Quat::from_mat3(&Mat3::from_cols(first, second, first.cross(second))).normalize();
        (Vec3::new(moments[order[0]], moments[order[1]], moments[order[2]]), rotation)
    }
}
