//! Two boxes: the axis along which they overlap least, from closed forms (@gottschalk1996), and their contact
//! points.
//!
//! Boxes are apart if and only if one of fifteen axes separates them: three face normals of each, and the
//! nine products of their edges. Along a unit axis n, with t from A's centre to B's and half-sizes a, b,
//!
//!   separation(n) = |n·t| − Σᵢ aᵢ |n·uᵢ| − Σⱼ bⱼ |n·vⱼ|,
//!
//! and if all are negative the largest one is the depth of the overlap, with its sign turned. Where boxes are
//! apart the largest one is their distance only if the closest points lie along that axis: face on corner, or
//! edge across edge. Corner on corner it is not; such a pair goes to GJK.
//!
//! An edge must beat a face by [`AXIS_PREFERENCE`], and B's face A's, so that a box at rest keeps its normal
//! although rounding and small tilts make several axes nearly equal.

use super::box_clip::{ClipBuffer, against};
use crate::narrow::feature::{FACING_SINE, Feature};
use crate::narrow::gjk::VERTEX_ROUNDING;
use crate::narrow::manifold::{Manifold, ManifoldPoint};
use crate::shape::Cuboid;
use gedanken_math::{Pose, Quat, Vec3};

/// Advantage, relative to the smallest half-size, that an axis needs to be preferred over a simpler one.
pub(super) const AXIS_PREFERENCE: f64 = 1e-4;
/// Squared sine between two edges below which they count as parallel: their product then lies within rounding
/// of a face's normal, or costs less than 1e-10 of their size.
const PARALLEL_SINE_SQUARED: f64 = 1e-10;
/// Largest amount, relative to the size, by which a point may miss the separation before the axis counts as
/// the wrong one.
const SUPPORT_TOLERANCE: f64 = 1e-10;

/// A rotation as the three unit vectors into which it turns the axes.
#[derive(Debug, Clone, Copy)]
pub(super) struct RotationAxes(pub(crate) [[f64; 3]; 3]);

impl RotationAxes {
    /// Columns of the rotation matrix, divided by |q|² as [`gedanken_math::rotation::to_world`] does.
    #[inline]
    pub(super) fn of(q: Quat) -> Self {
        let s = 2.0 / q.length_squared();
        let (x, y, z, w) = (q.x, q.y, q.z, q.w);
        let (sx, sy, sz) = (s * x, s * y, s * z);
        let (xx, yy, zz) = (sx * x, sy * y, sz * z);
        let (xy, xz, yz) = (sx * y, sx * z, sy * z);
        let (wx, wy, wz) = (sx * w, sy * w, sz * w);
        Self([
            [1.0 - (yy + zz), xy + wz, xz - wy],
            [xy - wz, 1.0 - (xx + zz), yz + wx],
            [xz + wy, yz - wx, 1.0 - (xx + yy)],
        ])
    }

    #[inline]
    pub(super) fn apply(&self, x: [f64; 3]) -> [f64; 3] {
        let [u, v, w] = &self.0;
        let along = |k: usize| u[k] * x[0] + v[k] * x[1] + w[k] * x[2];
        [along(0), along(1), along(2)]
    }

    #[inline]
    pub(super) fn undo(&self, x: [f64; 3]) -> [f64; 3] {
        let [u, v, w] = self.0;
        [dot(u, x), dot(v, x), dot(w, x)]
    }

    fn inverse(&self) -> Self {
        let [u, v, w] = self.0;
        Self([[u[0], v[0], w[0]], [u[1], v[1], w[1]], [u[2], v[2], w[2]]])
    }
}

#[inline]
pub(super) fn dot(x: [f64; 3], y: [f64; 3]) -> f64 {
    x[0] * y[0] + x[1] * y[1] + x[2] * y[2]
}

#[inline]
fn size([x, y, z]: [f64; 3]) -> [f64; 3] {
    [x.abs(), y.abs(), z.abs()]
}

/// Features that face each other along the best axis.
#[derive(Debug, Clone, Copy)]
enum Axis {
    FaceOfA(usize),
    FaceOfB(usize),
    Edges(usize, usize),
}

/// B in A's frame.
struct Pair<'a> {
    /// Half-sizes.
    a: [f64; 3],
    b: [f64; 3],
    /// B's axes in A's frame.
    turn: &'a RotationAxes,
    /// B's centre in A's frame.
    t: &'a [f64; 3],
}

/// Two boxes in the world, and the bounds of the query.
struct BoxPair<'a> {
    pair: Pair<'a>,
    poses: [&'a Pose; 2],
    /// A's axes in the world.
    own: &'a RotationAxes,
    margin: f64,
    /// The margin, or the rounding of a zero gap.
    within: f64,
    /// Advantage that an axis needs over a simpler one, and that a corner needs beyond a side to be cut off.
    preference: f64,
    parts: [u32; 2],
}

/// Adds the points at which two boxes meet, up to `margin` apart, if they do. Returns `false` if closed forms
/// do not decide that.
pub(super) fn manifold(
    a: &Cuboid,
    pose_a: &Pose,
    b: &Cuboid,
    pose_b: &Pose,
    margin: f64,
    parts: [u32; 2],
    out: &mut Vec<Manifold>,
) -> bool {
    // Lent and not moved: they are read in pairs of numbers, and what was just written one by one is slow to
    // read so.
    let own = &RotationAxes::of(pose_a.rotation);
    let turn = &RotationAxes::of(pose_a.rotation.conjugate() * pose_b.rotation);
    let (a, b) = (a.half_extents(), b.half_extents());
    let t = &own.undo((pose_b.translation - pose_a.translation).to_array());
    let pair = Pair { a: a.to_array(), b: b.to_array(), turn, t };
    let size = t[0].abs().max(t[1].abs()).max(t[2].abs());
    let question = BoxPair {
        pair,
        poses: [pose_a, pose_b],
        own,
        margin,
        within: margin.max(VERTEX_ROUNDING * size),
        preference: AXIS_PREFERENCE * a.min(b).min_element(),
        parts,
    };
    let found = question.pair.best_axis(question.within, question.preference);
    let Some((axis, separation)) = found else { return true };
    // Of boxes that overlap, a preferred face may miss the depth of the edges that would have been chosen by
    // about the preference. Any other miss means that the axis says nothing about the closest points.
    let short =
        SUPPORT_TOLERANCE * (1.0 + size) + if separation > 0.0 { 0.0 } else { 2.0 * question.preference };
    match axis {
        Axis::FaceOfA(k) => {
            let mut n = [0.0; 3];
            n[k] = if t[k] < 0.0 { -1.0 } else { 1.0 };
            question.on_a(n, k, -separation - short, out)
        }
        Axis::FaceOfB(k) => {
            let mut n = [0.0; 3];
            n[k] = if dot(question.pair.turn.0[k], *t) < 0.0 { 1.0 } else { -1.0 };
            question.on_b(n, k, -separation - short, out)
        }
        Axis::Edges(i, j) => question.crossing(i, j, separation, out),
    }
}

impl Pair<'_> {
    /// Returns the axis of the largest separation, with preferences; `None` if a separation is above
    /// `within`.
    fn best_axis(&self, within: f64, preference: f64) -> Option<(Axis, f64)> {
        let Self { a, b, turn: RotationAxes(r), t } = self;
        // r[j][i]: component i of B's axis j.
        let abs = [size(r[0]), size(r[1]), size(r[2])];
        let (mut of_a, mut best_a) = (0, f64::NEG_INFINITY);
        for i in 0..3 {
            let s = t[i].abs() - (a[i] + b[0] * abs[0][i] + b[1] * abs[1][i] + b[2] * abs[2][i]);
            if s > best_a {
                (of_a, best_a) = (i, s);
            }
        }
        if best_a > within {
            return None;
        }
        let (mut of_b, mut best_b) = (0, f64::NEG_INFINITY);
        for j in 0..3 {
            let s = dot(r[j], **t).abs() - (b[j] + dot(*a, abs[j]));
            if s > best_b {
                (of_b, best_b) = (j, s);
            }
        }
        if best_b > within {
            return None;
        }
        let (mut axis, mut best) = if best_b > best_a + preference {
            (Axis::FaceOfB(of_b), best_b)
        } else {
            (Axis::FaceOfA(of_a), best_a)
        };
        let mut to_beat = best + preference;
        for i in 0..3 {
            let (i1, i2) = (NEXT_AXES[i], NEXT_AXES[i + 1]);
            for j in 0..3 {
                let (j1, j2) = (NEXT_AXES[j], NEXT_AXES[j + 1]);
                // Along uᵢ × vⱼ, not yet divided by its length.
                let along = (t[i2] * r[j][i1] - t[i1] * r[j][i2]).abs();
                let halves =
                    a[i1] * abs[j][i2] + a[i2] * abs[j][i1] + b[j1] * abs[j2][i] + b[j2] * abs[j1][i];
                let scaled = along - halves;
                // A length of at most 1 makes it larger in size: no need to divide what cannot win.
                if scaled <= to_beat.min(0.0) {
                    continue;
                }
                let squared = r[j][i1] * r[j][i1] + r[j][i2] * r[j][i2];
                if squared < PARALLEL_SINE_SQUARED {
                    continue;
                }
                let s = scaled / squared.sqrt();
                if s > within {
                    return None;
                }
                if s > to_beat {
                    (axis, best, to_beat) = (Axis::Edges(i, j), s, s);
                }
            }
        }
        Some((axis, best))
    }
}

impl BoxPair<'_> {
    /// Adds B's points on A's face across axis k, along the unit vector n (A's frame), if one is at least
    /// this deep.
    fn on_a(&self, n: [f64; 3], k: usize, at_least: f64, out: &mut Vec<Manifold>) -> bool {
        let Pair { a, b, turn, t } = &self.pair;
        let mut room = ClipBuffer::EMPTY;
        let flat = against(*a, k, *b, turn, **t, n, self.within, self.preference, &mut room);
        if flat.deepest() < at_least {
            return false;
        }
        flat.push(self.own, self.poses[0].translation, true, self.margin, self.parts, out);
        true
    }

    /// Adds A's points on B's face across axis k, along the unit vector n (B's frame, from B to A), if one is
    /// at least this deep.
    fn on_b(&self, n: [f64; 3], k: usize, at_least: f64, out: &mut Vec<Manifold>) -> bool {
        let Pair { a, b, turn, t } = &self.pair;
        let centre = turn.undo(**t).map(|x| -x);
        let (turn, mut room) = (turn.inverse(), ClipBuffer::EMPTY);
        let flat = against(*b, k, *a, &turn, centre, n, self.within, self.preference, &mut room);
        if flat.deepest() < at_least {
            return false;
        }
        let own = RotationAxes::of(self.poses[1].rotation);
        flat.push(&own, self.poses[1].translation, false, self.margin, self.parts, out);
        true
    }

    /// Adds the one point of two crossing edges, with those of the faces beside them where these face along
    /// the same axis.
    fn crossing(&self, i: usize, j: usize, separation: f64, out: &mut Vec<Manifold>) -> bool {
        let Pair { a, b, turn, t } = &self.pair;
        let (i1, i2) = (NEXT_AXES[i], NEXT_AXES[i + 1]);
        let v = turn.0[j];
        let mut n = [0.0; 3];
        (n[i1], n[i2]) = (-v[i2], v[i1]);
        let sign = if dot(n, **t) < 0.0 { -1.0 } else { 1.0 };
        let squared = v[i1] * v[i1] + v[i2] * v[i2];
        let scale = sign / squared.sqrt();
        let n = n.map(|x| x * scale);
        // The middles of both edges.
        let mut vertex = [0u32; 2];
        let mut p = [0.0; 3];
        for k in [i1, i2] {
            p[k] = if n[k] < 0.0 { -a[k] } else { a[k] };
            vertex[0] |= u32::from(n[k] >= 0.0) << k;
        }
        let mut q = **t;
        for k in [NEXT_AXES[j], NEXT_AXES[j + 1]] {
            let along = dot(turn.0[k], n);
            let half = if along > 0.0 { -b[k] } else { b[k] };
            vertex[1] |= u32::from(along <= 0.0) << k;
            q = [0, 1, 2].map(|m| q[m] + turn.0[k][m] * half);
        }
        // Points p + x uᵢ and q + y vⱼ with the way between them across both.
        let d = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
        let (c, e, f) = (v[i], d[i], dot(v, d));
        let (x, y) = ((e - c * f) / squared, (c * e - f) / squared);
        if x.abs() > a[i] * (1.0 + SUPPORT_TOLERANCE) || y.abs() > b[j] * (1.0 + SUPPORT_TOLERANCE) {
            return false;
        }
        p[i] = x;
        let point_a = self.poses[0].translation + Vec3::from_array(self.own.apply(p));
        let normal = Vec3::from_array(self.own.apply(n));
        let crossing = ManifoldPoint {
            point_a,
            point_b: point_a + normal * separation,
            depth: (-separation).max(-self.margin),
            feature_a: Feature::edge(vertex[0], vertex[0] | 1 << i),
            feature_b: Feature::edge(vertex[1], vertex[1] | 1 << j),
        };
        let manifold = if self.beside(n, out) {
            out.last_mut().expect("one was added just now")
        } else {
            Manifold::open(out, normal, self.parts)
        };
        manifold.normal = normal;
        manifold.include(crossing, SUPPORT_TOLERANCE * (1.0 + separation.abs()));
        true
    }

    /// Adds the points of two faces that both face along n to within [`FACING_SINE`].
    fn beside(&self, n: [f64; 3], out: &mut Vec<Manifold>) -> bool {
        let seen_by_b = self.pair.turn.undo(n).map(|x| -x);
        let (k, l) = (largest(n), largest(seen_by_b));
        let level = |x: f64| x * x >= 1.0 - FACING_SINE * FACING_SINE;
        if !(level(n[k]) && level(seen_by_b[l])) {
            return false;
        }
        if n[k].abs() + 1e-6 >= seen_by_b[l].abs() {
            self.on_a(n, k, f64::MIN, out)
        } else {
            self.on_b(seen_by_b, l, f64::MIN, out)
        }
    }
}

/// The axes after one: NEXT_AXES[k] and NEXT_AXES[k + 1].
pub(super) const NEXT_AXES: [usize; 4] = [1, 2, 0, 1];

/// Returns the component of the largest size, the first of equals.
#[inline]
pub(super) fn largest(x: [f64; 3]) -> usize {
    let [x, y, z] = size(x);
    if x >= y && x >= z {
        0
    } else if y >= z {
        1
    } else {
        2
    }
}
