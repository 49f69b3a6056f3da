//! EPA: penetration depth of two convex cores, by a polytope that grows inside A ⊖ B (@vandenbergen2003).
//!
//! The depth is the distance of the origin to the boundary of A ⊖ B: the smallest h(n) = max n·w over unit n.
//! A polytope of vertices of A ⊖ B around the origin has a face closest to it, at offset d along n, and
//!
//!   d  ≤  depth  ≤  h(n);
//!
//! The vertex that attains h(n) is added and the polytope grows, until the two bounds meet to rounding. The
//! witness points are those of the face. For polytopes the last face lies in a face of A ⊖ B and the answer
//! is exact to rounding. Round rims are approached with an error of the gap in depth, and of its square root
//! in the direction of the normal, until Newton's method refines them (see `refine_rims`). It also decides
//! where bodies of revolution share nearly one axis, and growing face by face would never end.
//!
//! A face in whose plane the new vertex lies is removed with those it sees if the vertex is on the line of
//! their common edge: so no face without area is made. A horizon that is not one closed loop (only rounding
//! can do that) is refused before anything is changed.

use super::contact::QueryError;
use super::gjk::VERTEX_ROUNDING;
use super::refine_rims::{Refined, refine};
use super::simplex::{Difference, Simplex, Vertex};
use crate::shape::Convex;
use gedanken_math::Vec3;

/// Maximum number of vertices added.
pub const MAX_ITERATIONS: u32 = 252;
/// Gap, relative to the extent, at which the growth has converged.
const CONVERGED: f64 = 1e-14;
/// The same after many iterations, for round surfaces that touch along a line.
const CONVERGED_LATE: f64 = 1e-12;
/// Gap, relative to the extent, that is accepted where rounding or the bound on vertices stops the growth.
const ACCEPTED: f64 = 1e-10;
const MAX_VERTICES: usize = MAX_ITERATIONS as usize + 4;
const MAX_FACES: usize = 2 * MAX_VERTICES;
const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Face {
    vertices: [u32; 3],
    /// The face across the edge from `vertices[k]` to `vertices[k + 1]`.
    across: [u32; 3],
    normal: Vec3,
    /// Growth that last saw the face from outside.
    seen: u32,
    /// Best known upper bound of a face that no growth can improve, by rounding.
    closed: Option<f64>,
}

/// Memory of the polytope, lent by the caller and reused.
#[derive(Debug, Clone)]
pub struct Polytope {
    vertices: Vec<Vertex>,
    faces: Vec<Face>,
    /// Offsets of the faces, infinite for removed ones: the search for the closest face reads only these.
    offsets: Vec<f64>,
    free: Vec<u32>,
    stack: Vec<(u32, u8)>,
    horizon: Vec<(u32, u8)>,
    removed: Vec<u32>,
}

impl Default for Polytope {
    fn default() -> Self {
        Self {
            vertices: Vec::with_capacity(MAX_VERTICES),
            faces: Vec::with_capacity(MAX_FACES),
            offsets: Vec::with_capacity(MAX_FACES),
            free: Vec::with_capacity(MAX_FACES),
            stack: Vec::with_capacity(2 * MAX_FACES),
            horizon: Vec::with_capacity(MAX_FACES),
            removed: Vec::with_capacity(MAX_FACES),
        }
    }
}

/// The overlap of two cores, in A's frame: the core of B must move by `normal * depth` to touch only.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CoreOverlap {
    /// The unit normal, from A to B.
    pub normal: Vec3,
    /// The depth; negative by rounding where the cores only touch.
    pub depth: f64,
    /// The deepest point of A's core.
    pub point_a: Vec3,
    /// The deepest point of B's core, in A's frame.
    pub point_b: Vec3,
}

impl From<Refined> for CoreOverlap {
    fn from(Refined { normal, depth, point_a, point_b, .. }: Refined) -> Self {
        Self { normal, depth, point_a, point_b }
    }
}

/// Returns the depth of two cores that overlap, from the simplex that GJK left.
pub(crate) fn depth<A: Convex + ?Sized, B: Convex + ?Sized>(
    difference: &Difference<'_, A, B>,
    simplex: &Simplex,
    polytope: &mut Polytope,
) -> Result<CoreOverlap, QueryError> {
    let mut size = 0.0f64;
    let mut full = *simplex;
    for vertex in full.vertices() {
        size = size.max(vertex.a.abs().max_element()).max(vertex.w.abs().max_element());
    }
    if let Some(normal) = complete(difference, &mut full, &mut size) {
        // A ⊖ B has no volume: the cores touch along all of it, and the normal is across.
        let normal = if normal.dot(difference.centres()) > 0.0 { -normal } else { normal };
        let (point_a, b) = simplex.witnesses();
        return Ok(CoreOverlap { normal, depth: 0.0, point_a, point_b: difference.b_to_a(b) });
    }
    polytope.start(&full);
    let mut error = f64::INFINITY;
    for iteration in 0..MAX_ITERATIONS {
        let index = polytope.closest();
        let face = polytope.faces[index as usize];
        if let Some(gap) = face.closed {
            if gap <= ACCEPTED * size {
                return Ok(polytope.overlap(difference, index, size));
            }
            error = gap;
            break;
        }
        let vertex = difference.support(face.normal);
        size = size.max(vertex.a.abs().max_element()).max(vertex.w.abs().max_element());
        let anchor = polytope.vertices[face.vertices[0] as usize].w;
        error = face.normal.dot(vertex.w - anchor);
        // Polytopes converge to rounding in few steps. Round surfaces that touch along a line may not, so the
        // demand falls with the iterations.
        let closed = match iteration {
            0..96 => CONVERGED,
            96..192 => CONVERGED_LATE,
            _ => ACCEPTED,
        };
        // A vertex that is there already would add faces without area.
        let grown = error > closed * size
            && !polytope.vertices.iter().any(|old| old.w == vertex.w)
            && polytope.grow(vertex, index, size);
        if !grown {
            polytope.faces[index as usize].closed = Some(error);
            polytope.offsets[index as usize] = face.normal.dot(vertex.w);
        }
    }
    polytope.smallest(difference, size).ok_or(QueryError::Unsettled {
        query: "the depth",
        iterations: MAX_ITERATIONS,
        error,
    })
}

/// Adds vertices until the simplex is a tetrahedron. Returns a normal instead if A ⊖ B is flat, a line or a
/// point.
fn complete<A: Convex + ?Sized, B: Convex + ?Sized>(
    difference: &Difference<'_, A, B>,
    simplex: &mut Simplex,
    size: &mut f64,
) -> Option<Vec3> {
    let mut farthest = |simplex: &mut Simplex, directions: &[Vec3], measure: &dyn Fn(Vec3) -> f64| {
        let mut best: Option<(f64, Vertex)> = None;
        for &direction in directions {
            for sign in [1.0, -1.0] {
                let vertex = difference.support(direction * sign);
                *size = size.max(vertex.a.abs().max_element()).max(vertex.w.abs().max_element());
                let far = measure(vertex.w);
                if best.is_none_or(|(old, _)| far > old) {
                    best = Some((far, vertex));
                }
            }
        }
        match best {
            Some((far, vertex)) if far > VERTEX_ROUNDING * *size => {
                simplex.push(vertex);
                true
            }
            _ => false,
        }
    };
    if simplex.len == 1 {
        let start = simplex.vertices[0].w;
        if !farthest(simplex, &Vec3::AXES, &|w| (w - start).length()) {
            return Some(Vec3::X);
        }
    }
    if simplex.len == 2 {
        let start = simplex.vertices[0].w;
        let edge = (simplex.vertices[1].w - start).normalize_or(Vec3::X);
        let across = across(edge);
        if !farthest(simplex, &[across, edge.cross(across)], &|w| (w - start).cross(edge).length()) {
            return Some(across);
        }
    }
    if simplex.len == 3 {
        let [p, q, r] = [0, 1, 2].map(|k| simplex.vertices[k].w);
        let normal = unit_normal(p, q, r);
        if !farthest(simplex, &[normal], &|w| (w - p).dot(normal).abs()) {
            return Some(normal);
        }
    }
    None
}

/// Returns a unit vector orthogonal to a unit vector.
pub(crate) fn across(unit: Vec3) -> Vec3 {
    let [x, y, z] = unit.abs().to_array();
    let axis = if x <= y && x <= z {
        Vec3::X
    } else if y <= z {
        Vec3::Y
    } else {
        Vec3::Z
    };
    unit.cross(axis).normalize_or(Vec3::X)
}

/// Returns the unit normal of a triangle from its two shorter edges. Of three edges these lose the fewest
/// digits in the cross product.
#[inline]
fn unit_normal(p: Vec3, q: Vec3, r: Vec3) -> Vec3 {
    let (pq, qr, rp) = (q - p, r - q, p - r);
    let (a, b, c) = (pq.length_squared(), qr.length_squared(), rp.length_squared());
    let cross = if a >= b && a >= c {
        qr.cross(rp)
    } else if b >= c {
        rp.cross(pq)
    } else {
        pq.cross(qr)
    };
    cross.normalize_or(Vec3::X)
}

impl Polytope {
    fn start(&mut self, simplex: &Simplex) {
        self.vertices.clear();
        self.faces.clear();
        self.offsets.clear();
        self.free.clear();
        self.vertices.extend_from_slice(&simplex.vertices);
        let [p, q, r, s] = [0, 1, 2, 3].map(|k| self.vertices[k].w);
        if (q - p).cross(r - p).dot(s - p) > 0.0 {
            self.vertices.swap(0, 1);
        }
        // Outward faces of a tetrahedron of negative orientation, and the face across each edge.
        for (vertices, across) in
            [([0, 1, 2], [3, 1, 2]), ([2, 1, 3], [0, 3, 2]), ([0, 2, 3], [0, 1, 3]), ([1, 0, 3], [0, 2, 1])]
        {
            self.add(vertices, across);
        }
    }

    fn add(&mut self, vertices: [u32; 3], across: [u32; 3]) -> u32 {
        let [p, q, r] = vertices.map(|k| self.vertices[k as usize].w);
        let normal = unit_normal(p, q, r);
        let offset = normal.dot(p);
        let face = Face { vertices, across, normal, seen: 0, closed: None };
        if let Some(index) = self.free.pop() {
            self.faces[index as usize] = face;
            self.offsets[index as usize] = offset;
            index
        } else {
            self.faces.push(face);
            self.offsets.push(offset);
            (self.faces.len() - 1) as u32
        }
    }

    fn closest(&self) -> u32 {
        let mut best = (f64::INFINITY, 0);
        for (k, &offset) in self.offsets.iter().enumerate() {
            if offset < best.0 {
                best = (offset, k);
            }
        }
        best.1 as u32
    }

    /// Adds a vertex that sees the face `seed` from outside. Returns `false`, with nothing changed, if that
    /// is not possible.
    fn grow(&mut self, vertex: Vertex, seed: u32, size: f64) -> bool {
        let noise = 0.25 * VERTEX_ROUNDING * size;
        if self.vertices.len() == MAX_VERTICES {
            return false;
        }
        let stamp = self.vertices.len() as u32;
        self.stack.clear();
        self.horizon.clear();
        self.removed.clear();
        self.faces[seed as usize].seen = stamp;
        self.removed.push(seed);
        for edge in [2, 1, 0] {
            self.stack.push((seed, edge));
        }
        // Depth first, edges in turning order: the horizon comes out as a loop.
        while let Some((from, edge)) = self.stack.pop() {
            let index = self.faces[from as usize].across[edge as usize];
            let face = &self.faces[index as usize];
            if face.seen == stamp {
                continue;
            }
            let entry = self.edge_back(from, edge, index);
            let height = face.normal.dot(vertex.w - self.vertices[face.vertices[0] as usize].w);
            let in_line = || {
                let [p, q] = self.ends(from, edge).map(|k| self.vertices[k as usize].w);
                (vertex.w - p).cross(q - p).length() <= 4.0 * noise * (q - p).length()
            };
            // A face in the plane of which the vertex lies goes too, if the vertex is on the line of the
            // common edge: the new face on that edge would have no area.
            if height > noise || (height > -4.0 * noise && in_line()) {
                self.faces[index as usize].seen = stamp;
                self.removed.push(index);
                self.stack.push((index, (entry + 2) % 3));
                self.stack.push((index, (entry + 1) % 3));
            } else {
                self.horizon.push((index, entry));
            }
        }
        // Only rounding breaks the loop. Nothing but `seen` has changed so far, and 0 is the stamp of no
        // growth.
        if !self.horizon_is_a_loop() {
            for &index in &self.removed {
                self.faces[index as usize].seen = 0;
            }
            return false;
        }
        for k in 0..self.removed.len() {
            let index = self.removed[k];
            self.offsets[index as usize] = f64::INFINITY;
            self.faces[index as usize].closed = None;
            self.free.push(index);
        }
        self.vertices.push(vertex);
        let (mut first, mut last) = (NONE, NONE);
        for k in 0..self.horizon.len() {
            let (index, edge) = self.horizon[k];
            let [start, end] = self.ends(index, edge);
            let new = self.add([end, start, stamp], [index, NONE, last]);
            self.faces[index as usize].across[edge as usize] = new;
            if last == NONE {
                first = new;
            } else {
                self.faces[last as usize].across[1] = new;
            }
            last = new;
        }
        self.faces[last as usize].across[1] = first;
        self.faces[first as usize].across[2] = last;
        true
    }

    fn ends(&self, face: u32, edge: u8) -> [u32; 2] {
        let vertices = &self.faces[face as usize].vertices;
        [vertices[edge as usize], vertices[(edge as usize + 1) % 3]]
    }

    /// Returns the edge of `to` that is the edge of `from`, run backwards.
    fn edge_back(&self, from: u32, edge: u8, to: u32) -> u8 {
        let end = self.ends(from, edge)[1];
        let vertices = &self.faces[to as usize].vertices;
        if vertices[0] == end {
            0
        } else if vertices[1] == end {
            1
        } else {
            2
        }
    }

    /// Returns `true` if each edge of the horizon, seen from inside, starts where the last one ended, and no
    /// vertex comes twice.
    fn horizon_is_a_loop(&self) -> bool {
        let n = self.horizon.len();
        n >= 3
            && (0..n).all(|k| {
                let (face, edge) = self.horizon[k];
                let (next, next_edge) = self.horizon[(k + 1) % n];
                let start = self.ends(face, edge)[0];
                self.ends(next, next_edge)[1] == start
                    && self.horizon[..k].iter().all(|&(other, edge)| self.ends(other, edge)[0] != start)
            })
    }

    /// Returns the overlap along the normal of a face. Where several faces share its plane, the one below the
    /// origin has the witnesses.
    fn overlap<A: Convex + ?Sized, B: Convex + ?Sized>(
        &self,
        difference: &Difference<'_, A, B>,
        index: u32,
        size: f64,
    ) -> CoreOverlap {
        let normal = self.faces[index as usize].normal;
        let depth = self.offsets[index as usize];
        let foot = normal * depth;
        let mut best = (f64::NEG_INFINITY, [0.0; 3], index);
        for (k, face) in self.faces.iter().enumerate() {
            let plane = ACCEPTED * size;
            let same = |i: u32| (normal.dot(self.vertices[i as usize].w) - depth).abs() <= plane;
            if self.offsets[k].is_finite()
                && face.normal.dot(normal) > 0.9
                && face.vertices.iter().all(|&i| same(i))
            {
                let (weights, least) = self.weights(face, foot);
                if least > best.0 {
                    best = (least, weights, k as u32);
                }
                if least >= 0.0 {
                    break;
                }
            }
        }
        let (vertices, weights) = self.carriers(best.2, best.1);
        if let Some(found) = refine(difference, &vertices, &weights, normal, size) {
            return found.into();
        }
        let (mut point_a, mut b) = (Vec3::ZERO, Vec3::ZERO);
        for (vertex, weight) in vertices.iter().zip(weights) {
            point_a += vertex.a * weight;
            b += vertex.b * weight;
        }
        CoreOverlap { normal, depth, point_a, point_b: difference.b_to_a(b) }
    }

    /// Returns the vertices of a face, and these weights without negative ones.
    fn carriers(&self, index: u32, weights: [f64; 3]) -> ([Vertex; 3], [f64; 3]) {
        let weights = weights.map(|weight| weight.max(0.0));
        let sum = weights[0] + weights[1] + weights[2];
        let weights = weights.map(|weight| if sum > 0.0 { weight / sum } else { 1.0 / 3.0 });
        (self.faces[index as usize].vertices.map(|i| self.vertices[i as usize]), weights)
    }

    /// Returns the smallest overlap among all faces that may still hide one, where bodies of revolution about
    /// nearly one axis have too many faces to grow one by one.
    ///
    /// Below a face the boundary of A ⊖ B is no closer than the face: faces farther away than the smallest
    /// known h(n) hide nothing. Each of the others is refined. The answer must be proved by its own
    /// witnesses, and no normal of a face may give less.
    fn smallest<A: Convex + ?Sized, B: Convex + ?Sized>(
        &self,
        difference: &Difference<'_, A, B>,
        size: f64,
    ) -> Option<CoreOverlap> {
        let reach = |n: Vec3| difference.support(n).w.dot(n);
        let alive = || (0..self.faces.len()).filter(|&k| self.offsets[k].is_finite());
        let bound = alive().map(|k| reach(self.faces[k].normal)).fold(f64::INFINITY, f64::min);
        let mut best: Option<Refined> = None;
        for k in alive() {
            let face = &self.faces[k];
            let foot = face.normal * self.offsets[k];
            if self.offsets[k] <= best.map_or(bound, |best| best.depth.min(bound)) {
                let (vertices, weights) = self.carriers(k as u32, self.weights(face, foot).0);
                let found = refine(difference, &vertices, &weights, face.normal, size)?;
                if found.off <= ACCEPTED * size && best.is_none_or(|best| found.depth < best.depth) {
                    best = Some(found);
                }
            }
        }
        best.filter(|best| best.depth <= bound + ACCEPTED * size).map(CoreOverlap::from)
    }

    /// Returns the barycentric weights of a point in the plane of a face, and the least of them.
    fn weights(&self, face: &Face, foot: Vec3) -> ([f64; 3], f64) {
        let [p, q, r] = face.vertices.map(|i| self.vertices[i as usize].w - foot);
        let volumes = [face.normal.dot(q.cross(r)), face.normal.dot(r.cross(p)), face.normal.dot(p.cross(q))];
        let sum = volumes[0] + volumes[1] + volumes[2];
        let weights = volumes.map(|volume| volume / sum);
        (weights, weights[0].min(weights[1]).min(weights[2]))
    }
}
