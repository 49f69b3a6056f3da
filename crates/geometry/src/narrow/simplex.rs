//! Simplices in the Minkowski difference A ⊖ B, and their points closest to the origin.
//!
//! A vertex is a difference w = a - b of a point of A and a point of B. The closest point v of the simplex to
//! the origin is found region by region: which vertex, edge or triangle carries it is decided by signs of
//! projections and volumes, and v is then computed from that feature alone. On an edge v is made orthogonal
//! to the edge twice, on a triangle it is taken along the triangle's normal, so that its *direction* stays
//! good when its length is tiny.
//!
//! Invariant: after [`Simplex::solve`] the simplex holds only vertices of positive weight, the weights add up
//! to one, and v = Σ weight · w to rounding.

use gedanken_math::{Mat3, Pose, Vec3};

use crate::shape::Convex;

/// Distance from touching, relative to the bodies' extent, below which balls leave the answer to the walk, so
/// that there is one notion of touching. It is far above the rounding of centres, radii and vertices.
const ROUNDING_OF_BALLS: f64 = 1e-12;

/// A point of the Minkowski difference with the points that made it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Vertex {
    /// The point of A, in A's frame.
    pub a: Vec3,
    /// The point of B, in B's own frame: it stays a point of B when B moves.
    pub b: Vec3,
    /// The difference, in A's frame.
    pub w: Vec3,
}

impl Vertex {
    pub(crate) const ZERO: Vertex = Vertex { a: Vec3::ZERO, b: Vec3::ZERO, w: Vec3::ZERO };
}

/// Two bodies seen from the frame of the first: the support function of A ⊖ B.
pub(crate) struct Difference<'s, A: ?Sized, B: ?Sized> {
    pub(crate) a: &'s A,
    pub(crate) b: &'s B,
    /// Takes B's coordinates to A's.
    pub(crate) rotation: Mat3,
    inverse: Mat3,
    /// B's origin in A's frame.
    pub(crate) translation: Vec3,
}

impl<'s, A: Convex + ?Sized, B: Convex + ?Sized> Difference<'s, A, B> {
    pub(crate) fn new(a: &'s A, pose_a: &Pose, b: &'s B, pose_b: &Pose) -> Self {
        let a_from_b = pose_a.to(pose_b);
        // R = 1 + s (w [u]× + [u]×²) with s = 2/|q|²: a rotation even where |q| is off one by rounding.
        let q = a_from_b.rotation;
        let s = 2.0 / q.length_squared();
        let (x, y, z, w) = (s * q.x, s * q.y, s * q.z, s * q.w);
        let rotation = Mat3::from_cols(
            Vec3::new(1.0 - (y * q.y + z * q.z), x * q.y + w * q.z, x * q.z - w * q.y),
            Vec3::new(x * q.y - w * q.z, 1.0 - (x * q.x + z * q.z), y * q.z + w * q.x),
            Vec3::new(x * q.z + w * q.y, y * q.z - w * q.x, 1.0 - (x * q.x + y * q.y)),
        );
        Self { a, b, rotation, inverse: rotation.transpose(), translation: a_from_b.translation }
    }

    /// Returns the vertex of A ⊖ B farthest in `direction`.
    #[inline]
    pub(crate) fn support(&self, direction: Vec3) -> Vertex {
        let a = self.a.core_support(direction);
        let b = self.b.core_support(self.inverse * -direction);
        self.vertex(a, b)
    }

    #[inline]
    pub(crate) fn vertex(&self, a: Vec3, b: Vec3) -> Vertex {
        Vertex { a, b, w: a - self.b_to_a(b) }
    }

    /// Returns a direction in A's frame, in B's.
    #[inline]
    pub(crate) fn direction_to_b(&self, direction: Vec3) -> Vec3 {
        self.inverse * direction
    }

    /// Returns a point of B in A's frame.
    #[inline]
    pub(crate) fn b_to_a(&self, b: Vec3) -> Vec3 {
        self.rotation * b + self.translation
    }

    /// The vector between the centres, from B to A.
    #[inline]
    pub(crate) fn centres(&self) -> Vec3 {
        self.a.centre() - self.b_to_a(self.b.centre())
    }

    /// Returns `Some(true)` if balls inside the bodies overlap, `Some(false)` if balls around them are apart,
    /// by more than [`ROUNDING_OF_BALLS`]; `None` if balls about the centres do not decide.
    #[inline]
    pub(crate) fn decided_by_balls(&self) -> Option<bool> {
        let (centre_a, centre_b) = (self.a.centre(), self.b.centre());
        let distance = (centre_a - self.b_to_a(centre_b)).length();
        let inner = self.a.inner_radius() + self.b.inner_radius() + self.margin();
        let outer = self.a.outer_radius() + self.b.outer_radius() + self.margin();
        let reach = centre_a.abs().max_element() + centre_b.abs().max_element();
        if distance + ROUNDING_OF_BALLS * (reach + outer) < inner {
            Some(true)
        } else if distance - ROUNDING_OF_BALLS * (reach + distance) > outer {
            Some(false)
        } else {
            None
        }
    }

    pub(crate) fn margin(&self) -> f64 {
        self.a.margin() + self.b.margin()
    }
}

/// At most four vertices with the weights of their point closest to the origin. It also serves as the cache
/// of a pair: a query that starts from the last one's simplex needs fewer steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Simplex {
    pub(crate) vertices: [Vertex; 4],
    pub(crate) weights: [f64; 4],
    pub(crate) len: usize,
}

impl Default for Simplex {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl Simplex {
    /// Simplex without vertices: a query from here starts cold.
    pub const EMPTY: Simplex = Simplex { vertices: [Vertex::ZERO; 4], weights: [0.0; 4], len: 0 };

    /// The vertices.
    #[must_use]
    pub fn vertices(&self) -> &[Vertex] {
        &self.vertices[..self.len]
    }

    pub(crate) fn push(&mut self, vertex: Vertex) {
        self.vertices[self.len] = vertex;
        self.len += 1;
    }

    pub(crate) fn holds(&self, w: Vec3) -> bool {
        self.vertices().iter().any(|vertex| vertex.w == w)
    }

    /// Returns Σ weight · w, the closest point.
    pub(crate) fn point(&self) -> Vec3 {
        self.vertices()
            .iter()
            .zip(&self.weights)
            .fold(Vec3::ZERO, |sum, (vertex, &weight)| sum + vertex.w * weight)
    }

    /// Returns Σ weight · a in A's frame and Σ weight · b in B's frame.
    pub(crate) fn witnesses(&self) -> (Vec3, Vec3) {
        let (mut a, mut b) = (Vec3::ZERO, Vec3::ZERO);
        for (vertex, &weight) in self.vertices().iter().zip(&self.weights) {
            a += vertex.a * weight;
            b += vertex.b * weight;
        }
        (a, b)
    }

    /// Returns the point closest to the origin, with the simplex reduced to the vertices that carry it;
    /// `None` if the origin is inside a tetrahedron, which is then kept whole.
    ///
    /// `newest`: the last vertex lies beyond all the others as seen along the previous closest point, so the
    /// face without it need not be tested.
    pub(crate) fn solve(&mut self, newest: bool) -> Option<Vec3> {
        let w = |k: usize| self.vertices[k].w;
        let closest = match self.len {
            1 => Closest::vertex(0, w(0)),
            2 => Closest::segment([0, 1], w(0), w(1)),
            3 => Closest::triangle([0, 1, 2], w(0), w(1), w(2)),
            _ => Closest::tetrahedron([w(0), w(1), w(2), w(3)], newest)?,
        };
        // In place, in the order of the vertices: each moves down or stays.
        let mut kept = [0.0; 4];
        for k in 0..closest.len {
            kept[closest.index[k]] = closest.weight[k];
        }
        let before = self.len;
        self.len = 0;
        for (k, &weight) in kept.iter().enumerate().take(before) {
            if weight > 0.0 {
                if self.len != k {
                    self.vertices[self.len] = self.vertices[k];
                }
                self.weights[self.len] = weight;
                self.len += 1;
            }
        }
        Some(closest.v)
    }
}

/// The closest point of a simplex and the vertices that carry it.
#[derive(Clone, Copy)]
struct Closest {
    v: Vec3,
    index: [usize; 3],
    weight: [f64; 3],
    len: usize,
}

impl Closest {
    #[inline]
    fn vertex(i: usize, v: Vec3) -> Self {
        Self { v, index: [i, 0, 0], weight: [1.0, 0.0, 0.0], len: 1 }
    }

    #[inline]
    fn segment(i: [usize; 2], a: Vec3, b: Vec3) -> Self {
        let edge = b - a;
        let squared = edge.length_squared();
        let along = -a.dot(edge);
        if along <= 0.0 || squared == 0.0 {
            return Self::vertex(i[0], a);
        }
        if along >= squared {
            return Self::vertex(i[1], b);
        }
        let t = along / squared;
        // Measured from the nearer end, and once more against the edge: the first difference of two long
        // vectors leaves a rounding error along the edge that would turn a short v.
        let v = if t <= 0.5 { a + edge * t } else { b - edge * (1.0 - t) };
        let v = v - edge * (v.dot(edge) / squared);
        Self { v, index: [i[0], i[1], 0], weight: [1.0 - t, t, 0.0], len: 2 }
    }

    /// Closest point by the regions of a triangle (@ericson2005), or that of its edges where it has no area
    /// to speak of.
    #[inline]
    fn triangle(i: [usize; 3], a: Vec3, b: Vec3, c: Vec3) -> Self {
        let (ab, bc, ca) = (b - a, c - b, a - c);
        let (ab2, bc2, ca2) = (ab.length_squared(), bc.length_squared(), ca.length_squared());
        // Of three edges the two shorter ones lose the fewest digits in the cross product: a sliver's normal
        // is then as good as its corners are, whatever its shape.
        let (normal, product) = if bc2 >= ab2 && bc2 >= ca2 {
            (ca.cross(ab), ca2 * ab2)
        } else if ca2 >= ab2 {
            (ab.cross(bc), ab2 * bc2)
        } else {
            (bc.cross(ca), bc2 * ca2)
        };
        let squared = normal.length_squared();
        // sin² of the angle between them below (2⁻⁴⁸)²: a line to rounding.
        if squared <= product * 1e-29 || squared == 0.0 {
            return Self::of_edges(i, a, b, c);
        }
        let v = normal * (normal.dot(a) / squared);
        // The barycentric weights of v, times |normal|²: areas seen from v, whose differences to the corners
        // are as small as the triangle, so that small triangles far from the origin lose no digits.
        let (p, q, r) = (a - v, b - v, c - v);
        let (wa, wb, wc) = (normal.dot(q.cross(r)), normal.dot(r.cross(p)), normal.dot(p.cross(q)));
        if wa > 0.0 && wb > 0.0 && wc > 0.0 {
            let sum = wa + wb + wc;
            return Self { v, index: i, weight: [wa / sum, wb / sum, wc / sum], len: 3 };
        }
        // Outside one or two edges. Only those can carry the closest point, unless rounding says none does.
        let mut best: Option<Self> = None;
        let mut consider = |weight: f64, edge: [usize; 2], p: Vec3, q: Vec3| {
            if weight <= 0.0 {
                let candidate = Self::segment(edge, p, q);
                if best.is_none_or(|old| candidate.v.length_squared() < old.v.length_squared()) {
                    best = Some(candidate);
                }
            }
        };
        consider(wc, [i[0], i[1]], a, b);
        consider(wa, [i[1], i[2]], b, c);
        consider(wb, [i[2], i[0]], c, a);
        best.unwrap_or_else(|| Self::of_edges(i, a, b, c))
    }

    fn of_edges(i: [usize; 3], a: Vec3, b: Vec3, c: Vec3) -> Self {
        let mut best = Self::segment([i[0], i[1]], a, b);
        for candidate in [Self::segment([i[1], i[2]], b, c), Self::segment([i[2], i[0]], c, a)] {
            if candidate.v.length_squared() < best.v.length_squared() {
                best = candidate;
            }
        }
        best
    }

    /// Closest point of a tetrahedron; `None` if the origin is inside or on the boundary.
    #[inline]
    fn tetrahedron(w: [Vec3; 4], newest: bool) -> Option<Self> {
        // Alike oriented: the fourth vertex is on the same side of each, that of the sign of -volume.
        const FACES: [[usize; 3]; 4] = [[0, 1, 3], [1, 2, 3], [2, 0, 3], [0, 2, 1]];
        let (e1, e2, e3) = (w[1] - w[0], w[2] - w[0], w[3] - w[0]);
        let volume = e1.cross(e2).dot(e3);
        let scale = e1.length_squared() * e2.length_squared() * e3.length_squared();
        // volume² / Π|e|² below (2⁻⁴⁶)²: flat to rounding, and the sides of its faces mean nothing.
        let flat = volume * volume <= scale * 2e-28;
        let mut best: Option<Self> = None;
        for &[i, j, k] in if newest && !flat { &FACES[..3] } else { &FACES[..] } {
            let normal = (w[j] - w[i]).cross(w[k] - w[i]);
            // The origin is outside if it and the fourth vertex lie on different sides.
            if flat || normal.dot(w[i]) * volume < 0.0 {
                let candidate = Self::triangle([i, j, k], w[i], w[j], w[k]);
                if best.is_none_or(|old| candidate.v.length_squared() < old.v.length_squared()) {
                    best = Some(candidate);
                }
            }
        }
        best
    }
}
