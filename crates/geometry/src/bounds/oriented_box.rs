//! Oriented boxes: {c + Q y : |yᵢ| ≤ hᵢ}.
//!
//! Two boxes are disjoint exactly if one of fifteen directions separates them (@gottschalk1996): the three
//! face normals of each and the nine products of their edges. Any direction n that separates is proof enough,
//! however it was found, so a product of nearly parallel edges needs no special care: it is projected on as
//! it came out of rounding, all six edges of both boxes, and a vanishing one separates nothing.

use super::SLACK;
use super::aabb::Aabb;
use super::ball::Ball;
use gedanken_math::linalg::symmetric3::diagonalise;
use gedanken_math::rotation::{axes, to_body, to_world};
use gedanken_math::{Mat3, Pose, Quat, Vec3};

/// A box in any orientation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Obb {
    /// Its centre.
    pub centre: Vec3,
    /// Half its size along its own axes.
    pub half_extents: Vec3,
    /// Turns its own axes into the world's; of unit length.
    pub rotation: Quat,
}

impl Obb {
    /// The box of this centre, these half-sizes and this orientation.
    #[must_use]
    pub const fn new(centre: Vec3, half_extents: Vec3, rotation: Quat) -> Self {
        Self { centre, half_extents, rotation }
    }

    /// A small box around the points: along their principal axes or the world's, whichever has the smaller
    /// surface. None if there are no points, or if one is not finite.
    #[must_use]
    pub fn from_points(points: &[Vec3]) -> Option<Self> {
        let straight = Self::from_points_along(Quat::IDENTITY, points)?;
        let turned = Self::from_points_along(principal_axes(points), points)?;
        Some(if turned.surface_area() < straight.surface_area() { turned } else { straight })
    }

    /// The smallest box of this orientation around the points. None if there are no points, or if one is not
    /// finite.
    #[must_use]
    pub fn from_points_along(rotation: Quat, points: &[Vec3]) -> Option<Self> {
        let origin = Aabb::from_points(points)?.centre();
        let seen = |p: Vec3| to_body(rotation, p - origin);
        let own = points.iter().fold(Aabb::EMPTY, |own, &p| own.with(seen(p)));
        Some(Self {
            centre: origin + to_world(rotation, own.centre()),
            half_extents: own.half_extents(),
            rotation,
        })
    }

    /// The box of a body frame, carried into the world.
    #[must_use]
    pub fn from_aabb(own: &Aabb, pose: &Pose) -> Self {
        Self {
            centre: pose.point_to_world(own.centre()),
            half_extents: own.half_extents(),
            rotation: pose.rotation,
        }
    }

    /// The area of the six faces.
    #[must_use]
    pub fn surface_area(&self) -> f64 {
        let h = self.half_extents;
        8.0 * (h.x * h.y + h.y * h.z + h.z * h.x)
    }

    /// The three edge directions in the world, as columns.
    #[must_use]
    pub fn axes(&self) -> Mat3 {
        let [x, y, z] = axes(self.rotation);
        Mat3::from_cols(x, y, z)
    }

    /// The eight corners, the first axis changing fastest.
    #[must_use]
    pub fn corners(&self) -> [Vec3; 8] {
        let axes = self.axes();
        core::array::from_fn(|k| {
            let sign = |bit: usize| if k & (1 << bit) == 0 { -1.0 } else { 1.0 };
            self.centre + axes * (self.half_extents * Vec3::new(sign(0), sign(1), sign(2)))
        })
    }

    /// The box along the world's axes that just holds this one: half-sizes Σⱼ |Qᵢⱼ| hⱼ.
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        Aabb::around(self.centre, absolute(self.axes()) * self.half_extents)
    }

    /// The ball through the corners.
    #[must_use]
    pub fn ball(&self) -> Ball {
        Ball { centre: self.centre, radius: self.half_extents.length() }
    }

    /// Returns `true` if the boxes have a point in common; touching counts.
    #[must_use]
    pub fn intersects(&self, other: &Self) -> bool {
        boxes_meet(
            (self.centre, self.axes(), self.half_extents),
            (other.centre, other.axes(), other.half_extents),
        )
    }

    /// Returns `true` if the boxes have a point in common; touching counts.
    #[must_use]
    pub fn intersects_aabb(&self, other: &Aabb) -> bool {
        // Beyond the oriented box's own bounds the other is of no concern: clipped there, it is finite.
        let own = self.aabb();
        let own = own.fattened(self.half_extents.length());
        if !own.intersects(other) {
            return false;
        }
        let near = Aabb::new(own.min.max(other.min), own.max.min(other.max));
        boxes_meet(
            (self.centre, self.axes(), self.half_extents),
            (near.centre(), Mat3::IDENTITY, near.half_extents()),
        )
    }

    /// Returns `true` if the point is inside or on the surface.
    #[must_use]
    pub fn contains_point(&self, point: Vec3) -> bool {
        let room = self.half_extents + Vec3::splat(self.slack(point));
        self.seen(point).abs().cmple(room).all()
    }

    /// Returns `true` if all of `other` is inside: |tᵢ| + Σⱼ |Rᵢⱼ| kⱼ ≤ hᵢ, seen from this box.
    #[must_use]
    pub fn contains(&self, other: &Self) -> bool {
        let (mine, theirs) = (self.axes(), other.axes());
        let reach = absolute(mine.transpose() * theirs) * other.half_extents;
        let slack = self.slack(other.centre) + SLACK * other.half_extents.element_sum();
        (self.seen(other.centre).abs() + reach).cmple(self.half_extents + Vec3::splat(slack)).all()
    }

    /// Returns `true` if all of the box is inside.
    #[must_use]
    pub fn contains_aabb(&self, other: &Aabb) -> bool {
        other.is_finite() && self.contains(&Self::from_aabb(other, &Pose::IDENTITY))
    }

    /// Returns `true` if all of the ball is inside.
    #[must_use]
    pub fn contains_ball(&self, other: &Ball) -> bool {
        let room = self.half_extents + Vec3::splat(self.slack(other.centre) + SLACK * other.radius);
        (self.seen(other.centre).abs() + Vec3::splat(other.radius)).cmple(room).all()
    }

    /// A small box that holds both: along the axes of one, of the other or of the world, whichever has the
    /// least surface. The smallest of all orientations is not sought.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        if self.contains(other) {
            return *self;
        }
        if other.contains(self) {
            return *other;
        }
        let mut corners = [Vec3::ZERO; 16];
        corners[..8].copy_from_slice(&self.corners());
        corners[8..].copy_from_slice(&other.corners());
        let mut best: Option<Self> = None;
        for rotation in [self.rotation, other.rotation, Quat::IDENTITY] {
            if let Some(found) = Self::from_points_along(rotation, &corners)
                && best.is_none_or(|b| found.surface_area() < b.surface_area())
            {
                best = Some(found);
            }
        }
        // Corners overflow only where no finite box would do.
        best.unwrap_or(Self { half_extents: Vec3::INFINITY, ..*self })
    }

    /// The box with every face moved outwards by `by`.
    #[must_use]
    pub fn fattened(&self, by: f64) -> Self {
        Self { half_extents: self.half_extents + Vec3::splat(by), ..*self }
    }

    /// The smallest box of this orientation that holds this one all along a translation.
    #[must_use]
    pub fn swept(&self, displacement: Vec3) -> Self {
        let own = to_body(self.rotation, displacement).abs() * 0.5;
        Self { centre: self.centre + displacement * 0.5, half_extents: self.half_extents + own, ..*self }
    }

    /// A point of the world, seen from the box.
    pub(super) fn seen(&self, point: Vec3) -> Vec3 {
        to_body(self.rotation, point - self.centre)
    }

    /// What rounding can do to the place of `point` as seen from the box.
    pub(super) fn slack(&self, point: Vec3) -> f64 {
        SLACK * ((point - self.centre).abs() + self.centre.abs() + self.half_extents).element_sum()
    }
}

/// The rotation to the eigenvectors of Σ (p − p̄)(p − p̄)ᵀ, the principal axes of a cloud of points.
fn principal_axes(points: &[Vec3]) -> Quat {
    let weight = 1.0 / points.len() as f64;
    let mean = points.iter().fold(Vec3::ZERO, |sum, &p| sum + p * weight);
    let spread = points.iter().fold(Mat3::ZERO, |sum, &p| {
        let d = p - mean;
        sum + Mat3::from_cols(d * d.x, d * d.y, d * d.z)
    });
    let (_, [x, y, z]) = diagonalise(&spread);
    let rotation = Quat::from_mat3(&Mat3::from_cols(x, y, z));
    // A cloud too wide for its squares has no axes to speak of; the world's are as good.
    if rotation.is_finite() { rotation.normalize() } else { Quat::IDENTITY }
}

fn absolute(m: Mat3) -> Mat3 {
    Mat3::from_cols(m.x_axis.abs(), m.y_axis.abs(), m.z_axis.abs())
}

/// Returns `true` if two boxes (centre, axes, half-sizes) meet: no direction separates them by more than
/// rounding.
fn boxes_meet((c, a, h): (Vec3, Mat3, Vec3), (d, b, k): (Vec3, Mat3, Vec3)) -> bool {
    let t = d - c;
    let slack = SLACK * (c.abs() + d.abs() + h + k).element_sum();
    let reach = |axes: &Mat3, half: Vec3, n: Vec3| (axes.transpose() * n).abs().dot(half);
    let separates =
        |n: Vec3| t.dot(n).abs() > (reach(&a, h, n) + reach(&b, k, n)) + slack * n.abs().element_sum();
    for i in 0..3 {
        if separates(a.col(i)) || separates(b.col(i)) {
            return false;
        }
    }
    for i in 0..3 {
        for j in 0..3 {
            if separates(a.col(i).cross(b.col(j))) {
                return false;
            }
        }
    }
    true
}
