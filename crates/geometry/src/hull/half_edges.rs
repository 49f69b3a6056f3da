//! A closed surface of polygons as half-edges: flat arrays, no pointers.
//!
//! The half-edges of a face follow one another, counter-clockwise seen from outside; each knows the vertex it
//! starts at and its twin, the half-edge of the neighbouring face that runs the other way.

use gedanken_math::Vec3;

/// Faces, loops and neighbours of a closed surface.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HalfEdges {
    /// Start of the half-edges of each face, and one more for the end.
    first: Vec<u32>,
    /// Vertex at which each half-edge starts.
    origin: Vec<u32>,
    /// Opposite of each half-edge.
    twin: Vec<u32>,
    /// Face of each half-edge.
    face: Vec<u32>,
}

impl Default for HalfEdges {
    fn default() -> Self {
        Self { first: vec![0], origin: Vec::new(), twin: Vec::new(), face: Vec::new() }
    }
}

/// A region of faces that cannot become one face.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BadRegion(pub(super) u32);

impl HalfEdges {
    /// Number of faces.
    #[must_use]
    pub fn faces(&self) -> usize {
        self.first.len() - 1
    }

    /// Number of half-edges: twice the edges.
    #[must_use]
    pub fn len(&self) -> usize {
        self.origin.len()
    }

    /// Returns `true` if there are no half-edges.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.origin.is_empty()
    }

    /// The half-edges of a face.
    #[must_use]
    pub fn of_face(&self, face: usize) -> std::ops::Range<usize> {
        self.first[face] as usize..self.first[face + 1] as usize
    }

    /// The vertices of a face, counter-clockwise seen from outside.
    #[must_use]
    pub fn vertices(&self, face: usize) -> &[u32] {
        &self.origin[self.of_face(face)]
    }

    /// Vertex at which the half-edge starts.
    #[must_use]
    pub fn origin(&self, half_edge: usize) -> usize {
        self.origin[half_edge] as usize
    }

    /// The half-edge that runs the other way.
    #[must_use]
    pub fn twin(&self, half_edge: usize) -> usize {
        self.twin[half_edge] as usize
    }

    /// The face of the half-edge.
    #[must_use]
    pub fn face(&self, half_edge: usize) -> usize {
        self.face[half_edge] as usize
    }

    /// Next half-edge around the same face.
    #[must_use]
    pub fn next(&self, half_edge: usize) -> usize {
        let range = self.of_face(self.face(half_edge));
        if half_edge + 1 == range.end { range.start } else { half_edge + 1 }
    }

    /// Previous half-edge around the same face.
    #[must_use]
    pub fn previous(&self, half_edge: usize) -> usize {
        let range = self.of_face(self.face(half_edge));
        if half_edge == range.start { range.end - 1 } else { half_edge - 1 }
    }

    /// Returns the vertices of all faces, in increasing order.
    pub(super) fn used_vertices(&self) -> Vec<u32> {
        let mut used = self.origin.clone();
        used.sort_unstable();
        used.dedup();
        used
    }

    /// Returns a half-edge that starts at each vertex.
    pub(super) fn half_edge_of_vertices(&self) -> Vec<u32> {
        let mut half_edge = vec![u32::MAX; self.origin.iter().max().map_or(0, |&v| v as usize + 1)];
        for (h, &v) in self.origin.iter().enumerate() {
            half_edge[v as usize] = h as u32;
        }
        half_edge
    }

    /// Adds a face by its vertices and the twins of its half-edges.
    pub(super) fn push_face(&mut self, half_edges: impl Iterator<Item = (u32, u32)>) {
        let face = self.faces() as u32;
        for (origin, twin) in half_edges {
            self.origin.push(origin);
            self.twin.push(twin);
            self.face.push(face);
        }
        self.first.push(self.origin.len() as u32);
    }

    /// Returns the surface with all faces of a region merged, and vertices dropped where only two regions
    /// meet.
    ///
    /// `region` is the region of each face, numbered without gaps from 0. Fails for a region that is not a
    /// disk, touches itself or keeps fewer than three corners.
    pub(super) fn merged(&self, region: &[u32], regions: usize) -> Result<Self, BadRegion> {
        let region_of = |h: usize| region[self.face(h)];
        let border: Vec<bool> = (0..self.len()).map(|h| region_of(h) != region_of(self.twin(h))).collect();
        let vertices = self.origin.iter().max().map_or(0, |&v| v as usize + 1);
        let (mut meeting, mut around) = (vec![0_u32; vertices], vec![0_u32; regions]);
        let mut start = vec![usize::MAX; regions];
        // In reverse, so that `start` keeps the first border of each region.
        for h in (0..self.len()).rev().filter(|&h| border[h]) {
            meeting[self.origin(h)] += 1;
            around[region_of(h) as usize] += 1;
            start[region_of(h) as usize] = h;
        }
        // Where only two borders meet, the vertex is inside an edge between two regions and is dropped.
        let is_corner = |h: usize| meeting[self.origin(h)] > 2;
        let next_border = |h: usize| {
            let mut n = self.next(h);
            while !border[n] {
                n = self.next(self.twin(n));
            }
            n
        };

        // A chain of borders from corner to corner becomes one half-edge. Its twin is the chain that starts
        // with the twin of its last border, whose number is known only at the end.
        let mut result = Self::default();
        let mut number = vec![u32::MAX; self.len()];
        let mut seen = vec![u32::MAX; vertices];
        let mut corners: Vec<(u32, u32)> = Vec::new();
        for (r, &start) in start.iter().enumerate() {
            let bad = BadRegion(r as u32);
            if start == usize::MAX {
                return Err(bad);
            }
            let (mut h, mut left) = (start, around[r]);
            while !is_corner(h) {
                h = next_border(h);
                left -= 1;
                if left == 0 {
                    return Err(bad);
                }
            }
            let first = h;
            left = around[r];
            corners.clear();
            loop {
                if is_corner(h) {
                    if seen[self.origin(h)] == r as u32 {
                        return Err(bad);
                    }
                    seen[self.origin(h)] = r as u32;
                    number[h] = (result.len() + corners.len()) as u32;
                    corners.push((self.origin[h], 0));
                }
                if let Some((_, twin)) = corners.last_mut() {
                    *twin = self.twin[h];
                }
                h = next_border(h);
                left -= 1;
                if h == first {
                    break;
                }
            }
            if left > 0 || corners.len() < 3 {
                return Err(bad);
            }
            result.push_face(corners.iter().copied());
        }
        for twin in &mut result.twin {
            *twin = number[*twin as usize];
        }
        Ok(result)
    }

    /// Returns the vertices in use, in increasing order of their points' (x, y, z), and the surface in their
    /// numbers: every face starts at its smallest vertex, faces are in the order of their loops.
    pub(super) fn canonical(&self, points: &[Vec3]) -> (Vec<u32>, Self) {
        let mut used = self.used_vertices();
        // Adding zero makes -0 and 0 equal in this order too.
        let key = |i: u32, k: usize| points[i as usize][k] + 0.0;
        used.sort_unstable_by(|&i, &j| {
            (0..3).map(|k| key(i, k).total_cmp(&key(j, k))).find(|order| order.is_ne()).unwrap_or(i.cmp(&j))
        });
        let mut rank = vec![0; self.origin.iter().max().map_or(0, |&v| v as usize + 1)];
        for (new, &old) in used.iter().enumerate() {
            rank[old as usize] = new as u32;
        }

        let origin: Vec<u32> = self.origin.iter().map(|&v| rank[v as usize]).collect();
        let smallest = |face: usize| self.of_face(face).min_by_key(|&h| origin[h]).unwrap_or(0);
        let from = |h: usize| {
            let range = self.of_face(self.face(h));
            (h..range.end).chain(range.start..h)
        };
        // Two faces have at most two vertices in common: the first three tell them apart.
        let mut faces: Vec<([u32; 3], usize)> = (0..self.faces())
            .map(|face| {
                let h = smallest(face);
                let (n, m) = (self.next(h), self.next(self.next(h)));
                ([origin[h], origin[n], origin[m]], h)
            })
            .collect();
        faces.sort_unstable();
        let mut number = vec![0; self.len()];
        for (new, h) in faces.iter().flat_map(|&(_, h)| from(h)).enumerate() {
            number[h] = new as u32;
        }
        let mut surface = Self::default();
        for &(_, h) in &faces {
            surface.push_face(from(h).map(|h| (origin[h], number[self.twin(h)])));
        }
        (used, surface)
    }
}
