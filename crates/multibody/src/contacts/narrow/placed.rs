//! A shape's axes and centre in the world, as the closed forms want them.

use gedanken_math::{Mat3, Pose, Vec3};

/// Length below which a vector has no direction, and smallest value of a denominator.
pub(super) const TINY: f64 = 1e-15;

/// A shape in the world: its axes as columns, and its centre.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    /// Axes in the world, column by column.
    pub(super) axes: Mat3,
    /// Centre in the world.
    pub(super) centre: Vec3,
}

impl Placed {
    /// Places a shape.
    ///
    /// Entries of the matrix are the sums that MuJoCo forms, in its order: which of two equally good axes or
    /// corners wins is decided by their last bits.
    pub(super) fn new(pose: &Pose) -> Self {
        let q = pose.rotation;
        let (ww, xx, yy, zz) = (q.w * q.w, q.x * q.x, q.y * q.y, q.z * q.z);
        let (wx, wy, wz) = (q.w * q.x, q.w * q.y, q.w * q.z);
        let (xy, xz, yz) = (q.x * q.y, q.x * q.z, q.y * q.z);
        let axes = Mat3::from_cols(
            Vec3::new((ww - yy) + (xx - zz), 2.0 * (xy + wz), 2.0 * (xz - wy)),
            Vec3::new(2.0 * (xy - wz), (ww + yy) - (xx + zz), 2.0 * (yz + wx)),
            Vec3::new(2.0 * (xz + wy), 2.0 * (yz - wx), (ww - yy) - (xx - zz)),
        );
        Self { axes, centre: pose.translation }
    }

    /// The shape's z axis: a plane's normal, a capsule's and a cylinder's axis.
    pub(super) fn z(&self) -> Vec3 {
        self.axes.z_axis
    }

    /// A direction of the world along the shape's axes.
    pub(super) fn vector_to_shape(&self, v: Vec3) -> Vec3 {
        Vec3::new(self.axes.x_axis.dot(v), self.axes.y_axis.dot(v), self.axes.z_axis.dot(v))
    }

    /// A point of the shape's frame in the world.
    pub(super) fn point_to_world(&self, p: Vec3) -> Vec3 {
        self.axes * p + self.centre
    }
}

/// Returns the direction and the length of a vector; the direction is x where there is none.
pub(super) fn direction(v: Vec3) -> (Vec3, f64) {
    let length = v.length();
    if length < TINY { (Vec3::X, length) } else { (v * (1.0 / length), length) }
}
