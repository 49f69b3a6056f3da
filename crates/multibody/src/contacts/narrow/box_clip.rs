//! Clipping of a box's face to that of another: convex polygons of a few corners, without allocation.

use gedanken_math::Vec3;

/// Room for corners. A parallelogram clipped by four half-planes has at most eight.
const CAPACITY: usize = 12;

/// A convex polygon over a plane: x and y along it, z the height above it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Polygon {
    /// Room for corners.
    corners: [Vec3; CAPACITY],
    /// Number of corners.
    len: usize,
}

impl Polygon {
    /// A polygon without corners.
    const EMPTY: Polygon = Polygon { corners: [Vec3::ZERO; CAPACITY], len: 0 };

    /// The parallelogram middle ± u ± v.
    pub(super) fn parallelogram(middle: Vec3, u: Vec3, v: Vec3) -> Self {
        let mut made = Self::EMPTY;
        for (along_u, along_v) in [(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)] {
            made.push(middle + u * along_u + v * along_v);
        }
        made
    }

    /// The corners in order.
    pub(super) fn corners(&self) -> &[Vec3] {
        &self.corners[..self.len]
    }

    /// Adds a corner, if there is room.
    fn push(&mut self, corner: Vec3) {
        if self.len < CAPACITY {
            self.corners[self.len] = corner;
            self.len += 1;
        }
    }

    /// Keeps what has sign · coordinate ≤ limit.
    pub(super) fn clip(&mut self, coordinate: usize, sign: f64, limit: f64) {
        let outside = |corner: &Vec3| sign * corner[coordinate] - limit;
        if self.corners().iter().all(|corner| outside(corner) <= 0.0) {
            return;
        }
        let mut kept = Self::EMPTY;
        for k in 0..self.len {
            let (p, q) = (self.corners[k], self.corners[(k + 1) % self.len]);
            let (p_out, q_out) = (outside(&p), outside(&q));
            if p_out <= 0.0 {
                kept.push(p);
            }
            if (p_out < 0.0 && q_out > 0.0) || (p_out > 0.0 && q_out < 0.0) {
                kept.push(p + (q - p) * (p_out / (p_out - q_out)));
            }
        }
        *self = kept;
    }

    /// Lowers all corners.
    pub(super) fn lower(&mut self, by: f64) {
        self.corners[..self.len].iter_mut().for_each(|corner| corner.z -= by);
    }

    /// Returns the corners of height at most `height`, without those whose square of the distance from an
    /// earlier one, along the plane, is below `same`.
    pub(super) fn distinct(&self, height: f64, same: f64) -> Self {
        let mut kept = Self::EMPTY;
        for &corner in self.corners() {
            let near = |other: &Vec3| {
                let (dx, dy) = (other.x - corner.x, other.y - corner.y);
                dx * dx + dy * dy < same
            };
            if corner.z <= height && !kept.corners().iter().any(near) {
                kept.push(corner);
            }
        }
        kept
    }
}
