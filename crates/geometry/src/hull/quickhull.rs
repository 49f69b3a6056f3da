//! Quickhull in three dimensions, on exact signs (@barber1996).
//!
//! A triangulated polytope grows: every point outside waits at a facet it is strictly above. The farthest
//! point of a facet is added by removing all facets it is strictly above and joining it to their rim, the
//! horizon; points that waited at removed facets move to new ones or turn out to be inside.
//!
//! No tolerance is needed. Visible means strictly above, and the sign is exact, so coplanar triangles are
//! seen together or not at all, and the horizon is one simple cycle. No new triangle is degenerate: a point
//! on the line of a horizon edge would lie in the plane of the visible facet there. A waiting point that is
//! above a removed facet and outside the new polytope is above a new facet: along the ray from the added
//! point through it the height over the removed facet only falls, so it cannot be behind the old polytope.
//! Hence nothing is lost, and every step adds a vertex for good, or one that ends in the inside of a face or
//! an edge.

use super::half_edges::HalfEdges;
use super::orientation::Plane;
use super::simplex;
use crate::error::ShapeError;
use gedanken_math::Vec3;

const NONE: u32 = u32::MAX;

#[derive(Debug, Clone, Copy)]
struct Facet {
    plane: Plane,
    /// Counter-clockwise seen from outside.
    corners: [u32; 3],
    /// The facet across the edge from corner i to corner i + 1.
    across: [u32; 3],
    /// First of the outside points of this facet; the others follow through `Quickhull::next`.
    waiting: u32,
    /// The farthest of them, and its height.
    farthest: u32,
    height: f64,
    /// Step in which it was last visited: 2 · step if visible, 2 · step + 1 if not.
    mark: u32,
    alive: bool,
}

struct Quickhull<'a> {
    points: &'a [Vec3],
    extent: Vec3,
    facets: Vec<Facet>,
    /// Facets that may be overwritten.
    free: Vec<u32>,
    /// Next outside point of the same facet, by point.
    next: Vec<u32>,
    /// New facet that starts at each vertex of the horizon.
    starts: Vec<u32>,
}

/// Returns the triangles of the hull; vertices are indices of points.
pub(super) fn hull(points: &[Vec3]) -> Result<HalfEdges, ShapeError> {
    let simplex = simplex::start(points)?;
    let (low, high) = points.iter().fold((points[0], points[0]), |(low, high), &p| (low.min(p), high.max(p)));
    let mut hull = Quickhull {
        points,
        extent: high - low,
        facets: Vec::new(),
        free: Vec::new(),
        next: vec![NONE; points.len()],
        starts: vec![NONE; points.len()],
    };
    hull.start(simplex);
    hull.grow();
    Ok(hull.triangles())
}

impl Quickhull<'_> {
    fn start(&mut self, [a, b, c, d]: [u32; 4]) {
        // d is below a, b, c.
        for (corners, across) in
            [([a, b, c], [3, 1, 2]), ([b, d, c], [3, 2, 0]), ([c, d, a], [1, 3, 0]), ([a, d, b], [2, 1, 0])]
        {
            let facet = self.facet(corners, across);
            self.facets.push(facet);
        }
        for p in 0..self.points.len() as u32 {
            self.assign(p, &[0, 1, 2, 3]);
        }
    }

    fn grow(&mut self) {
        let mut queue: Vec<u32> = vec![0, 1, 2, 3];
        let (mut visible, mut horizon, mut new) = (Vec::new(), Vec::new(), Vec::new());
        let mut head = 0;
        let mut step = 0;
        while let Some(&facet) = queue.get(head) {
            head += 1;
            let Facet { alive: true, farthest: eye, .. } = self.facets[facet as usize] else { continue };
            if eye == NONE {
                continue;
            }
            step += 1;
            self.find_visible(facet, eye, step, &mut visible, &mut horizon);
            self.join(eye, &horizon, &mut new);
            for &old in &visible {
                let mut p = self.facets[old as usize].waiting;
                while p != NONE {
                    let after = self.next[p as usize];
                    if p != eye {
                        self.assign(p, &new);
                    }
                    p = after;
                }
                self.facets[old as usize].alive = false;
            }
            self.free.extend_from_slice(&visible);
            queue.extend(new.iter().filter(|&&f| self.facets[f as usize].farthest != NONE));
            if head > queue.len() / 2 {
                queue.drain(..head);
                head = 0;
            }
        }
    }

    /// Finds all facets that the point is strictly above, and their rim: (facet outside, its edge).
    fn find_visible(
        &mut self,
        first: u32,
        eye: u32,
        step: u32,
        visible: &mut Vec<u32>,
        horizon: &mut Vec<(u32, usize)>,
    ) {
        visible.clear();
        horizon.clear();
        visible.push(first);
        self.facets[first as usize].mark = 2 * step;
        let mut seen = 0;
        while let Some(&facet) = visible.get(seen) {
            seen += 1;
            for k in 0..3 {
                let other = self.facets[facet as usize].across[k];
                let mark = self.facets[other as usize].mark;
                let sees =
                    if mark / 2 == step { mark.is_multiple_of(2) } else { self.is_above(other, eye).0 };
                self.facets[other as usize].mark = 2 * step + u32::from(!sees);
                if !sees {
                    let back = self.facets[other as usize].across.iter().position(|&f| f == facet);
                    horizon.push((other, back.expect("neighbours know each other")));
                } else if mark / 2 != step {
                    visible.push(other);
                }
            }
        }
    }

    /// Joins the point to every edge of the horizon.
    fn join(&mut self, eye: u32, horizon: &[(u32, usize)], new: &mut Vec<u32>) {
        new.clear();
        for &(outside, edge) in horizon {
            let corners = self.facets[outside as usize].corners;
            let (to, from) = (corners[edge], corners[(edge + 1) % 3]);
            let facet = self.facet([from, to, eye], [outside, NONE, NONE]);
            let id = match self.free.pop() {
                Some(id) => {
                    self.facets[id as usize] = facet;
                    id
                }
                None => {
                    self.facets.push(facet);
                    self.facets.len() as u32 - 1
                }
            };
            self.facets[outside as usize].across[edge] = id;
            self.starts[from as usize] = id;
            new.push(id);
        }
        for &id in new.iter() {
            let to = self.facets[id as usize].corners[1];
            let after = self.starts[to as usize];
            self.facets[id as usize].across[1] = after;
            self.facets[after as usize].across[2] = id;
        }
    }

    /// Assigns the point to the first of the facets that it is strictly above, if any.
    fn assign(&mut self, p: u32, facets: &[u32]) {
        for &id in facets {
            let (above, height) = self.is_above(id, p);
            if above {
                let facet = &mut self.facets[id as usize];
                self.next[p as usize] = facet.waiting;
                facet.waiting = p;
                if facet.farthest == NONE || height > facet.height {
                    (facet.farthest, facet.height) = (p, height);
                }
                return;
            }
        }
    }

    fn is_above(&self, facet: u32, p: u32) -> (bool, f64) {
        let Facet { plane, corners, .. } = &self.facets[facet as usize];
        let p = self.points[p as usize];
        let height = plane.height(p);
        (plane.is_above(height, corners.map(|i| self.points[i as usize]), p), height)
    }

    fn facet(&self, corners: [u32; 3], across: [u32; 3]) -> Facet {
        let plane = Plane::new(corners.map(|i| self.points[i as usize]), self.extent);
        Facet { plane, corners, across, waiting: NONE, farthest: NONE, height: 0.0, mark: 0, alive: true }
    }

    fn triangles(&self) -> HalfEdges {
        let mut number = vec![NONE; self.facets.len()];
        let alive = || self.facets.iter().enumerate().filter(|(_, facet)| facet.alive);
        for (new, (old, _)) in alive().enumerate() {
            number[old] = new as u32;
        }
        let mut surface = HalfEdges::default();
        for (old, facet) in alive() {
            surface.push_face(facet.corners.iter().zip(facet.across).map(|(&corner, other)| {
                let back = self.facets[other as usize].across.iter().position(|&f| f as usize == old);
                (corner, 3 * number[other as usize] + back.expect("neighbours know each other") as u32)
            }));
        }
        surface
    }
}
