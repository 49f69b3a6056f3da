//! Geometric queries at gaps near rounding, repeated with tiny shifts until there is an answer.
//!
//! Round rims a few 1e-10 m apart may leave GJK without an answer, by rounding: the direction from one body
//! to the other is what is left of a difference. A tiny shift of one body gives other roundings. The shifts
//! stay far below the gap that counts as touching, unless that does not help.

use gedanken_dynamics::Trouble;
use gedanken_geometry::narrow::QueryError;
use gedanken_math::{Pose, Vec3};

/// The length of the first shift, m.
const FIRST_SHIFT: f64 = 1e-13;
/// Maximum number of shifts; each is three times as long as the one before.
const MAX_SHIFTS: u32 = 12;

/// The answer of `query` for two poses, or for poses next to them.
pub(super) fn ask<T>(
    poses: [Pose; 2],
    mut query: impl FnMut(&Pose, &Pose) -> Result<T, QueryError>,
) -> Result<T, Trouble> {
    let [a, b] = poses;
    let mut answer = query(&a, &b);
    let mut shift = Vec3::new(1.0, 0.618, -0.414) * FIRST_SHIFT;
    for _ in 0..MAX_SHIFTS {
        if !matches!(answer, Err(QueryError::Unsettled { .. })) {
            break;
        }
        answer = query(&a, &Pose::new(b.rotation, b.translation + shift));
        // Round about, so that no shape has all shifts along a direction that it does not feel.
        shift = Vec3::new(-shift.z, shift.x, shift.y) * 3.0;
    }
    answer.map_err(|error| Trouble::Failed(error.to_string()))
}
