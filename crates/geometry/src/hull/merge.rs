//! Merging of facets to faces: exactly coplanar ones always, nearly coplanar ones by a stated rule.
//!
//! **Exactly coplanar** triangles that share an edge are one face. Vertices inside a face or inside an edge
//! are dropped; by convexity every face that remains is a strictly convex polygon and every vertex an extreme
//! point.
//!
//! **Coplanar to rounding**: with δ = [`super::rounding`], faces are taken from the largest to the smallest.
//! Each that is still free lays its plane through the free faces around it that lie within δ and face the
//! same way, the plane is fitted to their sum, and all free faces connected to it that lie within δ of the
//! fitted plane become one with it. Then a region is dissolved, its faces standing alone again, if its rim is
//! not one strictly convex loop of at least three corners, if a triangle of the fan from its smallest vertex
//! faces back, if any point is more than 2 δ above the plane of the loop, or if a vertex dropped from the rim
//! is more than 2 δ away from the edge that replaces it. Faces that cannot be merged within that stay exact.

use super::area::area_vector;
use super::half_edges::{BadRegion, HalfEdges};
use super::orientation::side;
use gedanken_math::Vec3;

const UNASSIGNED: u32 = u32::MAX;

/// Maximum number of times that regions are dissolved before the exact faces are taken as they are.
const MAX_DISSOLUTIONS: usize = 32;

/// Maximum number of pairs of a face and a vertex for which every vertex is tested against every merged face.
/// Beyond it, the highest vertex is found by climbing, which rounding may stop early on hulls hardly thicker
/// than rounding.
const MAX_EXHAUSTIVE_PAIRS: usize = 1 << 24;

/// Merges exactly coplanar triangles.
pub(super) fn exactly_coplanar(points: &[Vec3], triangles: HalfEdges) -> HalfEdges {
    let corners = |face: usize| [0, 1, 2].map(|k| points[triangles.vertices(face)[k] as usize]);
    // The one vertex of the triangle across that is not ours decides.
    let coplanar = |h: usize| {
        let opposite = triangles.origin(triangles.next(triangles.next(triangles.twin(h))));
        is_flat(corners(triangles.face(h)), points[opposite])
    };
    let mut region = vec![UNASSIGNED; triangles.faces()];
    let mut regions = 0;
    let mut front = Vec::new();
    for seed in 0..triangles.faces() {
        if region[seed] != UNASSIGNED {
            continue;
        }
        region[seed] = regions;
        front.push(seed);
        while let Some(face) = front.pop() {
            for h in triangles.of_face(face) {
                let other = triangles.face(triangles.twin(h));
                if region[other] == UNASSIGNED && coplanar(h) {
                    region[other] = regions;
                    front.push(other);
                }
            }
        }
        regions += 1;
    }
    if regions as usize == triangles.faces() {
        return triangles;
    }
    triangles
        .merged(&region, regions as usize)
        .expect("the exact faces of a polytope are disks with three corners or more")
}

/// Returns `true` if p is exactly coplanar. The exact predicate is evaluated only if the rounded one is
/// close.
fn is_flat(corners: [Vec3; 3], p: Vec3) -> bool {
    let plane = super::orientation::Plane::new(corners, (p - corners[0]).abs());
    !plane.is_sure(plane.height(p)) && side(corners, p).is_eq()
}

/// Merges faces that are coplanar to `delta`; `None` if there are none.
pub(super) fn nearly_coplanar(points: &[Vec3], surface: &HalfEdges, delta: f64) -> Option<HalfEdges> {
    let merger = Merger { points, surface, delta, areas: areas(points, surface) };
    let flat = |h: usize| merger.is_within(surface.face(surface.twin(h)), merger.plane(surface.face(h)));
    if !(0..surface.len()).any(flat) {
        return None;
    }
    let (mut region, mut regions) = merger.regions();
    for _ in 0..MAX_DISSOLUTIONS {
        let size = sizes(&region, regions);
        let bad = match surface.merged(&region, regions) {
            Err(BadRegion(bad)) => vec![bad],
            Ok(merged) => {
                let bad = merger.bad(&merged, &region);
                if bad.is_empty() {
                    return Some(merged);
                }
                bad
            }
        };
        // A face that stands alone is sound by itself: its neighbours took too much.
        let mut dissolve = vec![false; regions];
        for &r in &bad {
            if size[r as usize] > 1 {
                dissolve[r as usize] = true;
                continue;
            }
            for h in (0..surface.len()).filter(|&h| region[surface.face(h)] == r) {
                dissolve[region[surface.face(surface.twin(h))] as usize] = true;
            }
        }
        (region, regions) = alone(&region, &dissolve);
        if regions == surface.faces() {
            return None;
        }
    }
    None
}

/// The unit normal of a plane and a point of it.
type FittedPlane = (Vec3, Vec3);

struct Merger<'a> {
    points: &'a [Vec3],
    surface: &'a HalfEdges,
    delta: f64,
    /// Area times normal of each face.
    areas: Vec<Vec3>,
}

impl Merger<'_> {
    fn point(&self, h: usize) -> Vec3 {
        self.points[self.surface.origin(h)]
    }

    fn plane(&self, face: usize) -> FittedPlane {
        (self.areas[face].normalize_or_zero(), self.point(self.surface.of_face(face).start))
    }

    /// Returns `true` if all vertices are within δ of the plane, and the face does not face the other way: a
    /// plate has two sides. A sliver no higher than δ may face anywhere.
    fn is_within(&self, face: usize, (normal, base): FittedPlane) -> bool {
        let near = |h: usize| normal.dot(self.point(h) - base).abs() <= self.delta;
        let length = |h: usize| (self.point(self.surface.next(h)) - self.point(h)).length();
        let ahead = self.areas[face].dot(normal);
        self.surface.of_face(face).all(near)
            && (ahead >= 0.0
                || -ahead <= self.delta * self.surface.of_face(face).map(length).fold(0.0, f64::max))
    }

    /// Returns the region of each face by the rule above, and the number of regions.
    fn regions(&self) -> (Vec<u32>, usize) {
        let faces = self.surface.faces();
        let mut order: Vec<usize> = (0..faces).collect();
        let size: Vec<f64> = self.areas.iter().map(|area| area.length_squared()).collect();
        order.sort_by(|&i, &j| size[j].total_cmp(&size[i]));
        let mut region = vec![UNASSIGNED; faces];
        let mut regions = 0;
        let mut grown = Vec::new();
        for seed in order {
            if region[seed] != UNASSIGNED {
                continue;
            }
            self.grow(seed, self.plane(seed), regions, &mut region, &mut grown);
            if grown.len() > 1 {
                let plane = self.fit(&grown);
                for &face in &grown {
                    region[face] = UNASSIGNED;
                }
                self.grow(seed, plane, regions, &mut region, &mut grown);
            }
            regions += 1;
        }
        (region, regions as usize)
    }

    fn grow(&self, seed: usize, plane: FittedPlane, number: u32, region: &mut [u32], grown: &mut Vec<usize>) {
        grown.clear();
        grown.push(seed);
        region[seed] = number;
        let mut done = 0;
        while let Some(&face) = grown.get(done) {
            done += 1;
            for h in self.surface.of_face(face) {
                let other = self.surface.face(self.surface.twin(h));
                if region[other] == UNASSIGNED && self.is_within(other, plane) {
                    region[other] = number;
                    grown.push(other);
                }
            }
        }
    }

    /// Returns the plane across the sum of the areas, through the mean of the vertices.
    fn fit(&self, faces: &[usize]) -> FittedPlane {
        let normal = faces.iter().fold(Vec3::ZERO, |sum, &face| sum + self.areas[face]).normalize_or_zero();
        let base = self.point(self.surface.of_face(faces[0]).start);
        let half_edges = || faces.iter().flat_map(|&face| self.surface.of_face(face));
        let height = half_edges().fold(0.0, |sum, h| sum + normal.dot(self.point(h) - base));
        (normal, base + normal * (height / half_edges().count() as f64))
    }

    /// Returns the regions whose loop or fan of triangles is not convex, whose plane is not above everything
    /// to 2 δ, or that lost a vertex farther than 2 δ from its edge.
    fn bad(&self, merged: &HalfEdges, region: &[u32]) -> Vec<u32> {
        let mut bad = Vec::new();
        let half_edge = self.surface.half_edge_of_vertices();
        // A face that is neither merged nor has lost a vertex is exact: it has as many corners as before.
        let mut before = vec![(0, 0); merged.faces()];
        for (face, &r) in region.iter().enumerate() {
            before[r as usize].0 += 1;
            before[r as usize].1 += self.surface.vertices(face).len();
        }
        let changed = |r: &usize| before[*r] != (1, merged.vertices(*r).len());
        let few = (0..merged.faces()).filter(changed).count().saturating_mul(self.points.len())
            <= MAX_EXHAUSTIVE_PAIRS;
        for r in (0..merged.faces()).filter(changed) {
            let corners = merged.vertices(r);
            let n = corners.len();
            let normal = area_vector(self.points, corners).normalize_or_zero();
            let fan = (0..n).min_by_key(|&k| corners[k]).unwrap_or(0);
            let faces_back = |i: usize, j: usize, k: usize| {
                let triangle = [i, j, k].map(|i| corners[i % n]);
                area_vector(self.points, &triangle).dot(normal) <= 0.0
            };
            let turns_back = |k: usize| {
                faces_back(k, k + 1, k + 2) || (k + 2 < n && faces_back(fan, fan + k + 1, fan + k + 2))
            };
            let base = merged.origin(merged.of_face(r).start);
            let above = |v: usize| normal.dot(self.points[v] - self.points[base]);
            let top = merged.of_face(r).map(|h| above(merged.origin(h))).fold(0.0, f64::max);
            let highest = if few {
                (0..self.points.len()).map(above).fold(0.0, f64::max)
            } else {
                above(self.climb(base, normal, &half_edge))
            };
            if highest > top + 2.0 * self.delta || (0..n).any(turns_back) {
                bad.push(r as u32);
            }
        }
        // Vertices between two regions, dropped from the rim of each.
        let kept = merged.used_vertices();
        for h in 0..self.surface.len() {
            let r = region[self.surface.face(h)];
            let v = self.surface.origin(h);
            let on_rim = r != region[self.surface.face(self.surface.twin(h))];
            if !on_rim || kept.binary_search(&(v as u32)).is_ok() {
                continue;
            }
            let distance = |e: usize| {
                let (a, b) = (self.points[merged.origin(e)], self.points[merged.origin(merged.next(e))]);
                (b - a).normalize_or_zero().cross(self.points[v] - a).length()
            };
            if merged.of_face(r as usize).map(distance).fold(f64::INFINITY, f64::min) > 2.0 * self.delta {
                bad.push(r);
            }
        }
        bad
    }

    /// Returns the vertex of the exact surface that is farthest in the direction, along edges that lead up.
    fn climb(&self, from: usize, direction: Vec3, half_edge: &[u32]) -> usize {
        let reach = |v: usize| direction.dot(self.points[v] - self.points[from]);
        let (mut vertex, mut best) = (from, 0.0);
        loop {
            let (start, here) = (half_edge[vertex] as usize, vertex);
            let mut h = start;
            loop {
                let other = self.surface.origin(self.surface.twin(h));
                if reach(other) > best {
                    (vertex, best) = (other, reach(other));
                }
                h = self.surface.twin(self.surface.previous(h));
                if h == start {
                    break;
                }
            }
            if vertex == here {
                return vertex;
            }
        }
    }
}

fn areas(points: &[Vec3], surface: &HalfEdges) -> Vec<Vec3> {
    (0..surface.faces()).map(|face| area_vector(points, surface.vertices(face))).collect()
}

fn sizes(region: &[u32], regions: usize) -> Vec<u32> {
    let mut size = vec![0; regions];
    for &r in region {
        size[r as usize] += 1;
    }
    size
}

/// Returns the regions with some of them dissolved into single faces, numbered anew.
fn alone(region: &[u32], dissolve: &[bool]) -> (Vec<u32>, usize) {
    let mut number = vec![UNASSIGNED; dissolve.len()];
    let mut count = 0;
    let renamed = region
        .iter()
        .map(|&r| {
            let known = number[r as usize];
            if known != UNASSIGNED && !dissolve[r as usize] {
                return known;
            }
            number[r as usize] = count;
            count += 1;
            count - 1
        })
        .collect();
    (renamed, count as usize)
}
