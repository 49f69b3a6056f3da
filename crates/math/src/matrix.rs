//! Matrices made of vectors.

use crate::{Mat3, Vec3};

/// Returns the matrix \[v\] of the cross product: \[v\] w = v × w.
#[must_use]
pub fn cross_matrix(v: Vec3) -> Mat3 {
    Mat3::from_cols(Vec3::new(0.0, v.z, -v.y), Vec3::new(-v.z, 0.0, v.x), Vec3::new(v.y, -v.x, 0.0))
}

/// Returns the matrix u vᵀ.
#[must_use]
pub fn outer(u: Vec3, v: Vec3) -> Mat3 {
    Mat3::from_cols(u * v.x, u * v.y, u * v.z)
}

/// Returns a multiple of the unit matrix.
#[must_use]
pub fn multiple_of_unit(factor: f64) -> Mat3 {
    Mat3::from_diagonal(Vec3::splat(factor))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matrices_act_as_their_vectors_say() {
        let (u, v, w) = (Vec3::new(1.0, -2.0, 0.5), Vec3::new(0.3, 0.7, -1.0), Vec3::new(2.0, 1.0, 4.0));
        assert_eq!(cross_matrix(v) * w, v.cross(w));
        assert!((outer(u, v) * w - u * v.dot(w)).length() < 1e-14);
        assert_eq!(multiple_of_unit(3.0) * w, w * 3.0);
    }
}
