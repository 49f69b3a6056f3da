//! A convex polyhedron, made from points.
//!
//! Faces are convex polygons with outward unit normals n and offsets c, n · x ≤ c inside; triangular facets,
//! fanned from the smallest vertex of each face, have the normal of their face, so that no sliver has a
//! normal made of noise. Inside, all lengths are measured from a reference point within the box: an offset of
//! a million costs no digits.
//!
//! Invariant: vertices are in increasing order of (x, y, z), faces in the order of their loops, whatever the
//! order of the points. Every point given is inside or on the hull, to a few [`hull::rounding`]s.

use super::{Convex, Projection, Solid};
use crate::bounds::Aabb;
use crate::error::{ShapeError, positive};
use crate::hull::{self, HalfEdges, Polytope};
use crate::mass::{self, MassProperties};
use crate::ray::{Hit, Ray};
use gedanken_math::{Pose, Vec3};

/// Maximum number of vertices for which scanning all of them is faster than climbing.
const MAX_VERTICES_TO_SCAN: usize = 32;

/// A convex polyhedron.
// In this order: what a support query reads comes first and shares two lines of memory.
#[derive(Debug, Clone)]
#[repr(C)]
pub struct ConvexHull {
    vertices: Vec<Vec3>,
    /// x, y and z of four vertices at a time, from `blocks_from`; filled up with copies of the first vertex.
    blocks: Vec<[[f64; 4]; 3]>,
    /// The body's origin, unless that is so far away that coordinates from the reference have more digits.
    blocks_from: Vec3,
    centroid: Vec3,
    /// Radius of the ball about the centroid that touches the nearest face from inside; the outer one reaches
    /// the farthest vertex.
    inner_radius: f64,
    outer_radius: f64,
    surface: HalfEdges,
    /// The face across each half-edge, in the order of the surface.
    across: Vec<u32>,
    normals: Vec<Vec3>,
    /// n · (x − reference) of each face.
    heights: Vec<f64>,
    triangles: Vec<[u32; 3]>,
    edges: Vec<[u32; 2]>,
    /// Start of the neighbours of each vertex, and one more for the end.
    neighbour_starts: Vec<u32>,
    neighbours: Vec<u32>,
    /// Vertices that reach farthest along ±x, ±y, ±z, from which climbing starts.
    extremes: [u32; 6],
    bounds: Aabb,
    reference: Vec3,
    volume: f64,
    area: f64,
}

/// A convex polygon of the surface.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Face<'a> {
    /// Counter-clockwise seen from outside.
    pub vertices: &'a [u32],
    /// The face across the edge from vertex k to vertex k + 1 of the loop.
    pub neighbours: &'a [u32],
    /// Outward, of unit length.
    pub normal: Vec3,
    /// n · x on the plane.
    pub offset: f64,
}

impl ConvexHull {
    /// The convex hull of the points, with faces merged that are coplanar to [`hull::rounding`].
    pub fn new(points: &[Vec3]) -> Result<Self, ShapeError> {
        Self::from_polytope(hull::convex(points)?)
    }

    /// Makes a shape of the polytope. Refused if it is so small or so large that its volume is not a number.
    pub fn from_polytope(Polytope { vertices, surface }: Polytope) -> Result<Self, ShapeError> {
        let bounds = vertices.iter().fold(Aabb::EMPTY, |bounds, &v| bounds.with(v));
        // The mean of the vertices is inside: every tetrahedron seen from there has a positive volume, and
        // none cancel.
        let reference = bounds.min
            + vertices.iter().fold(Vec3::ZERO, |sum, &v| sum + (v - bounds.min)) / vertices.len() as f64;
        let mut hull = Self {
            across: (0..surface.len()).map(|h| surface.face(surface.twin(h)) as u32).collect(),
            normals: Vec::with_capacity(surface.faces()),
            heights: Vec::with_capacity(surface.faces()),
            triangles: Vec::new(),
            edges: Vec::with_capacity(surface.len() / 2),
            neighbour_starts: vec![0; vertices.len() + 1],
            neighbours: vec![0; surface.len()],
            blocks: Vec::new(),
            blocks_from: Vec3::ZERO,
            extremes: [0; 6],
            bounds,
            reference,
            centroid: reference,
            inner_radius: 0.0,
            outer_radius: f64::INFINITY,
            volume: 0.0,
            area: 0.0,
            vertices,
            surface,
        };
        hull.lay_planes();
        hull.measure();
        positive("convex hull", "volume", hull.volume)?;
        hull.fit_balls();
        hull.join_vertices();
        hull.prepare_supports();
        Ok(hull)
    }

    /// The vertices, in increasing order of (x, y, z).
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// Triangles that cover the surface, as vertex numbers, counter-clockwise seen from outside.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// Number of faces.
    #[must_use]
    pub fn face_count(&self) -> usize {
        self.normals.len()
    }

    /// A face by its number, less than [`Self::face_count`].
    #[must_use]
    pub fn face(&self, number: usize) -> Face<'_> {
        Face {
            vertices: self.surface.vertices(number),
            neighbours: &self.across[self.surface.of_face(number)],
            normal: self.normals[number],
            offset: self.offset(number),
        }
    }

    /// The faces.
    pub fn faces(&self) -> impl ExactSizeIterator<Item = Face<'_>> + '_ {
        (0..self.face_count()).map(|number| self.face(number))
    }

    /// The edges between faces, each once, smaller vertex first, in increasing order.
    #[must_use]
    pub fn edges(&self) -> &[[u32; 2]] {
        &self.edges
    }

    /// The vertices joined to this one by an edge, counter-clockwise seen from outside.
    #[must_use]
    pub fn neighbours(&self, vertex: usize) -> &[u32] {
        &self.neighbours[self.neighbour_starts[vertex] as usize..self.neighbour_starts[vertex + 1] as usize]
    }

    /// Returns the face whose normal is nearest to the direction; the first of several.
    #[must_use]
    pub fn face_along(&self, direction: Vec3) -> usize {
        let mut best = (0, f64::NEG_INFINITY);
        for (face, normal) in self.normals.iter().enumerate() {
            let along = normal.dot(direction);
            if along > best.1 {
                best = (face, along);
            }
        }
        best.0
    }

    /// The volume.
    #[must_use]
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// The area of the surface.
    #[must_use]
    pub fn area(&self) -> f64 {
        self.area
    }

    /// The box along the body's axes.
    #[must_use]
    pub fn aabb(&self) -> Aabb {
        self.bounds
    }

    /// Returns a vertex that is farthest in the direction; of several, the one with the smallest number up to
    /// 32 vertices.
    #[must_use]
    pub fn support_vertex(&self, direction: Vec3) -> usize {
        if self.vertices.len() <= MAX_VERTICES_TO_SCAN {
            return self.farthest_of_all(direction);
        }
        let mut start = (self.extremes[0] as usize, self.reach(self.extremes[0] as usize, direction));
        for &vertex in &self.extremes[1..] {
            let reach = self.reach(vertex as usize, direction);
            if reach > start.1 {
                start = (vertex as usize, reach);
            }
        }
        self.climb(start, direction)
    }

    fn offset(&self, face: usize) -> f64 {
        self.normals[face].dot(self.vertices[self.surface.vertices(face)[0] as usize])
    }

    /// Returns n · x − c, the height of the point above the plane of the face.
    fn height(&self, face: usize, from_reference: Vec3) -> f64 {
        self.normals[face].dot(from_reference) - self.heights[face]
    }

    fn reach(&self, vertex: usize, direction: Vec3) -> f64 {
        (self.vertices[vertex] - self.reference).dot(direction)
    }

    fn farthest_of_all(&self, direction: Vec3) -> usize {
        let mut best = [f64::NEG_INFINITY; 4];
        let mut at = [0_u64; 4];
        for (block, [x, y, z]) in self.blocks.iter().enumerate() {
            for lane in 0..4 {
                let reach = x[lane] * direction.x + y[lane] * direction.y + z[lane] * direction.z;
                let farther = reach > best[lane];
                best[lane] = if farther { reach } else { best[lane] };
                at[lane] = if farther { block as u64 } else { at[lane] };
            }
        }
        let number = |lane: usize| 4 * at[lane] as usize + lane;
        let winner = (1..4).fold(0, |win, lane| {
            let tie = best[lane] == best[win] && number(lane) < number(win);
            if best[lane] > best[win] || tie { lane } else { win }
        });
        // A copy that fills the last block stands for the first vertex.
        let vertex = number(winner);
        if vertex < self.vertices.len() { vertex } else { 0 }
    }

    /// Climbs along edges. On a convex polytope a vertex that is no lower than its neighbours is highest of
    /// all. The reach grows with every step, so that no vertex is visited twice.
    fn climb(&self, (mut vertex, mut reach): (usize, f64), direction: Vec3) -> usize {
        loop {
            let mut best = (vertex, reach);
            for &neighbour in self.neighbours(vertex) {
                let higher = self.reach(neighbour as usize, direction);
                if higher > best.1 {
                    best = (neighbour as usize, higher);
                }
            }
            if best.0 == vertex {
                return vertex;
            }
            (vertex, reach) = best;
        }
    }

    /// Computes the normal of each loop, and its plane through the outermost of its vertices.
    fn lay_planes(&mut self) {
        for face in 0..self.surface.faces() {
            let corners = self.surface.vertices(face);
            let area = hull::area_vector(&self.vertices, corners);
            // Scaled first, or squares of the smallest areas would vanish.
            let normal = (area / area.abs().max_element()).normalize();
            let reach = |&v: &u32| normal.dot(self.vertices[v as usize] - self.reference);
            self.heights.push(corners.iter().map(reach).fold(f64::NEG_INFINITY, f64::max));
            self.normals.push(normal);
            self.area += area.length();
            for k in 2..corners.len() {
                self.triangles.push([corners[0], corners[k - 1], corners[k]]);
            }
        }
    }

    /// Computes V = Σ a · (b × c) / 6, centre = Σ (a + b + c) a · (b × c) / 24 V over triangles, with a, b, c
    /// seen from the reference.
    fn measure(&mut self) {
        let plain = |[a, b, c]: [Vec3; 3]| {
            let o = self.reference;
            (a - o).dot((b - o).cross(c - o))
        };
        let (mut volume, mut moment) = self.moments(plain);
        // Products of three lengths l are wrong by ε l³, which only matters for plates and needles.
        let length = self.bounds.size().max_element();
        if volume < 1e-3 * length * length * length {
            (volume, moment) = self.moments(|triangle| hull::six_volumes(self.reference, triangle));
        }
        self.volume = volume;
        self.centroid = self.reference + moment / volume;
    }

    /// Computes the largest ball about the centroid inside, and the smallest outside.
    fn fit_balls(&mut self) {
        let (_, height) = self.highest(self.centroid - self.reference);
        self.inner_radius = (-height).max(0.0);
        let squared = |&vertex: &Vec3| (vertex - self.centroid).length_squared();
        self.outer_radius = self.vertices.iter().map(squared).fold(0.0, f64::max).sqrt();
    }

    fn moments(&self, six_volumes: impl Fn([Vec3; 3]) -> f64) -> (f64, Vec3) {
        self.triangles.iter().fold((0.0, Vec3::ZERO), |(volume, moment), triangle| {
            let corners = triangle.map(|v| self.vertices[v as usize]);
            let part = six_volumes(corners) / 6.0;
            let middle =
                corners.iter().fold(Vec3::ZERO, |sum, &corner| sum + (corner - self.reference)) / 4.0;
            (volume + part, moment + middle * part)
        })
    }

    fn join_vertices(&mut self) {
        let surface = &self.surface;
        let mut start = vec![usize::MAX; self.vertices.len()];
        for h in (0..surface.len()).rev() {
            start[surface.origin(h)] = h;
            self.neighbour_starts[surface.origin(h) + 1] += 1;
            let (from, to) = (surface.origin(h) as u32, surface.origin(surface.twin(h)) as u32);
            if from < to {
                self.edges.push([from, to]);
            }
        }
        self.edges.sort_unstable();
        for (vertex, &first) in start.iter().enumerate() {
            self.neighbour_starts[vertex + 1] += self.neighbour_starts[vertex];
            let mut h = first;
            let range = self.neighbour_starts[vertex] as usize..self.neighbour_starts[vertex + 1] as usize;
            // The twin of the half-edge before this one starts at the same vertex.
            for slot in range {
                self.neighbours[slot] = surface.origin(surface.twin(h)) as u32;
                h = surface.twin(surface.previous(h));
            }
        }
    }

    fn prepare_supports(&mut self) {
        self.extremes = [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z].map(|direction| {
            (0..self.vertices.len()).fold(0, |best, v| {
                if self.reach(v, direction) > self.reach(best, direction) { v } else { best }
            }) as u32
        });
        if self.vertices.len() <= MAX_VERTICES_TO_SCAN {
            let far = self.reference.abs().max_element() > 4.0 * self.bounds.size().max_element();
            self.blocks_from = if far { self.reference } else { Vec3::ZERO };
            let local = |v: usize| *self.vertices.get(v).unwrap_or(&self.vertices[0]) - self.blocks_from;
            let block = |b: usize| [0, 1, 2].map(|k| [0, 1, 2, 3].map(|lane| local(4 * b + lane)[k]));
            self.blocks = (0..self.vertices.len().div_ceil(4)).map(block).collect();
        }
    }

    /// Returns the face that the point is highest above, or least below, and the height; that is not a number
    /// for a point that is not.
    fn highest(&self, from_reference: Vec3) -> (usize, f64) {
        let mut best = (0, self.height(0, from_reference));
        for face in 1..self.face_count() {
            let height = self.height(face, from_reference);
            if height > best.1 {
                best = (face, height);
            }
        }
        best
    }

    /// Returns the point of the face closest to `point`, and `true` if it is inside the face.
    fn closest_on_face(&self, face: usize, height: f64, point: Vec3) -> (Vec3, bool) {
        let normal = self.normals[face];
        let corners = self.surface.vertices(face);
        let corner = |k: usize| self.vertices[corners[k % corners.len()] as usize];
        let mut best: Option<(Vec3, f64)> = None;
        for k in 0..corners.len() {
            let (a, along) = (corner(k), corner(k + 1) - corner(k));
            let away = point - a;
            if normal.cross(along).dot(away) < 0.0 {
                let t = (along.dot(away) / along.length_squared()).clamp(0.0, 1.0);
                let close = a + along * t;
                let distance = (point - close).length_squared();
                if best.is_none_or(|(_, least)| distance < least) {
                    best = Some((close, distance));
                }
            }
        }
        best.map_or((point - normal * height, true), |(close, _)| (close, false))
    }
}

impl Convex for ConvexHull {
    fn core_support(&self, direction: Vec3) -> Vec3 {
        let vertex = self.support_vertex(direction);
        if self.vertices.len() <= MAX_VERTICES_TO_SCAN && self.blocks_from == Vec3::ZERO {
            // The search has just read these lines of memory; the list of vertices would be another miss.
            let [x, y, z] = &self.blocks[vertex / 4];
            Vec3::new(x[vertex % 4], y[vertex % 4], z[vertex % 4])
        } else {
            self.vertices[vertex]
        }
    }
    fn centre(&self) -> Vec3 {
        self.centroid
    }
    fn inner_radius(&self) -> f64 {
        self.inner_radius
    }
    fn outer_radius(&self) -> f64 {
        self.outer_radius
    }
}

impl Solid for ConvexHull {
    fn kind(&self) -> &'static str {
        "convex hull"
    }

    fn bounds(&self, pose: &Pose) -> Aabb {
        let world = |vertex: usize| pose.point_to_world(self.vertices[vertex]);
        if self.vertices.len() <= MAX_VERTICES_TO_SCAN {
            return (0..self.vertices.len()).fold(Aabb::EMPTY, |bounds, v| bounds.with(world(v)));
        }
        [Vec3::X, Vec3::Y, Vec3::Z].into_iter().fold(Aabb::EMPTY, |bounds, axis| {
            let axis = pose.vector_to_body(axis);
            bounds.with(world(self.support_vertex(axis))).with(world(self.support_vertex(-axis)))
        })
    }

    fn mass_properties(&self, density: f64) -> Result<MassProperties, ShapeError> {
        mass::of_polyhedron(&self.vertices, &self.triangles, density)
    }

    /// Clips the ray below every plane: from the last plane it comes down through to the first it goes up
    /// through.
    fn cast_ray(&self, ray: &Ray) -> Option<Hit> {
        let origin = ray.origin - self.reference;
        let mut enter: Option<(f64, usize)> = None;
        let mut leave = f64::INFINITY;
        for face in 0..self.face_count() {
            let height = self.height(face, origin);
            let rise = self.normals[face].dot(ray.direction);
            if height > 0.0 {
                let t = height / -rise;
                // Level with the plane or going up: it never comes down. Not a number: no ray.
                if !(rise < 0.0 && t.is_finite()) {
                    return None;
                }
                if enter.is_none_or(|(last, _)| t > last) {
                    enter = Some((t, face));
                }
            } else if rise > 0.0 {
                leave = leave.min(-height / rise);
            } else if height.is_nan() || rise.is_nan() {
                return None;
            }
        }
        match enter {
            None => Some(Hit { t: 0.0, normal: -ray.direction.normalize_or_zero() }),
            Some((t, face)) => (t <= leave).then(|| Hit { t, normal: self.normals[face] }),
        }
    }

    /// Inside, the nearest plane holds the closest point. Outside, the closest point is on a face that can be
    /// seen.
    fn project(&self, point: Vec3) -> Projection {
        let local = point - self.reference;
        let (face, height) = self.highest(local);
        if height <= 0.0 || height.is_nan() {
            let normal = self.normals[face];
            return Projection { point: point - normal * height, normal, signed_distance: height };
        }
        let mut best = Projection { point, normal: self.normals[face], signed_distance: f64::INFINITY };
        for face in 0..self.face_count() {
            let height = self.height(face, local);
            // No point of the face is nearer than its plane.
            if height <= 0.0 || height >= best.signed_distance {
                continue;
            }
            let (close, inside) = self.closest_on_face(face, height, point);
            let distance = if inside { height } else { (point - close).length() };
            if distance < best.signed_distance {
                let normal =
                    if inside || distance == 0.0 { self.normals[face] } else { (point - close) / distance };
                best = Projection { point: close, normal, signed_distance: distance };
            }
        }
        best
    }

    fn contains(&self, point: Vec3, eps: f64) -> bool {
        let (_, height) = self.highest(point - self.reference);
        // Beyond an edge or a corner a point is farther from the hull than from any plane.
        height <= eps && (height <= 0.0 || self.project(point).signed_distance <= eps)
    }
}
