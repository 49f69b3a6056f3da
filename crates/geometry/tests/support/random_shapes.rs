//! Random shapes and poses, and the exhaustive separating-axis test, for the tests of the narrow phase.

#![allow(dead_code, reason = "every test file uses some of it")]

use gedanken_geometry::{Capsule, Cone, ConvexHull, Cuboid, Cylinder, Shape, Sphere};
use gedanken_math::{Pose, Quat, Vec3};
use std::sync::Arc;

/// A stream of numbers (splitmix64).
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    pub(crate) fn vector(&mut self, half: f64) -> Vec3 {
        Vec3::new(self.between(-half, half), self.between(-half, half), self.between(-half, half))
    }

    pub(crate) fn direction(&mut self) -> Vec3 {
        loop {
            let v = self.vector(1.0);
            if v.length() > 0.1 && v.length() <= 1.0 {
                return v.normalize();
            }
        }
    }

    pub(crate) fn rotation(&mut self) -> Quat {
        loop {
            let [x, y, z, w] = [0; 4].map(|_| self.between(-1.0, 1.0));
            let q = Quat::from_xyzw(x, y, z, w);
            if q.length() > 0.1 && q.length() <= 1.0 {
                return q.normalize();
            }
        }
    }

    pub(crate) fn pose(&mut self, half: f64) -> Pose {
        Pose::new(self.rotation(), self.vector(half))
    }

    pub(crate) fn hull(&mut self, points: usize, stretch: Vec3) -> ConvexHull {
        let points: Vec<Vec3> = (0..points).map(|_| self.direction() * stretch).collect();
        ConvexHull::new(&points).expect("random points span a volume")
    }

    /// A bounded convex shape: 0 sphere, 1 cuboid, 2 capsule, 3 cylinder, 4 cone, 5 hull.
    pub(crate) fn shape(&mut self, kind: usize) -> Shape {
        let (p, q, r) = (self.between(0.2, 1.0), self.between(0.2, 1.0), self.between(0.2, 1.0));
        match kind {
            0 => Shape::Sphere(Sphere::new(p).expect("positive")),
            1 => Shape::Cuboid(Cuboid::new(2.0 * Vec3::new(p, q, r)).expect("positive")),
            2 => Shape::Capsule(Capsule::new(0.5 * p, q).expect("positive")),
            3 => Shape::Cylinder(Cylinder::new(p, q).expect("positive")),
            4 => Shape::Cone(Cone::new(p, 2.0 * q).expect("positive")),
            _ => Shape::Hull(Arc::new(self.hull(24, Vec3::new(p, q, r)))),
        }
    }
}

/// A polytope in the world: corners, outward unit face normals, unit edge directions.
pub(crate) struct Polytope {
    pub(crate) corners: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
    pub(crate) edges: Vec<Vec3>,
}

impl Polytope {
    pub(crate) fn of(shape: &Shape, pose: &Pose) -> Self {
        match shape {
            Shape::Cuboid(cuboid) => {
                let h = cuboid.half_extents();
                let signs = [-1.0, 1.0];
                let mut corners = Vec::new();
                for x in signs {
                    for y in signs {
                        for z in signs {
                            corners.push(pose.point_to_world(h * Vec3::new(x, y, z)));
                        }
                    }
                }
                let edges: Vec<Vec3> = Vec3::AXES.map(|axis| pose.vector_to_world(axis)).to_vec();
                let normals = edges.iter().flat_map(|&axis| [axis, -axis]).collect();
                Self { corners, normals, edges }
            }
            Shape::Hull(hull) => {
                let corners: Vec<Vec3> = hull.vertices().iter().map(|&v| pose.point_to_world(v)).collect();
                let normals = hull.faces().map(|face| pose.vector_to_world(face.normal)).collect();
                let edges = hull
                    .triangles()
                    .iter()
                    .flat_map(|triangle| {
                        let [i, j, k] = triangle.map(|v| v as usize);
                        [(i, j), (j, k), (k, i)]
                    })
                    .filter(|(i, j)| i < j)
                    .map(|(i, j)| (corners[j] - corners[i]).normalize())
                    .collect();
                Self { corners, normals, edges }
            }
            _ => panic!("not a polytope"),
        }
    }

    pub(crate) fn highest(&self, n: Vec3) -> f64 {
        self.corners.iter().map(|c| c.dot(n)).fold(f64::NEG_INFINITY, f64::max)
    }
}

/// The largest separation over all candidate axes, by brute force: (−depth, normal from A to B) if they
/// overlap, and a lower bound of the distance otherwise. Exact for overlapping polytopes: the boundary of A ⊖
/// B has only such faces.
pub(crate) fn separating_axes(a: &Polytope, b: &Polytope) -> (f64, Vec3) {
    let mut best = (f64::NEG_INFINITY, Vec3::X);
    let mut consider = |n: Vec3| {
        let separation = -b.highest(-n) - a.highest(n);
        if separation > best.0 {
            best = (separation, n);
        }
    };
    for &n in &a.normals {
        consider(n);
    }
    for &n in &b.normals {
        consider(-n);
    }
    for &e in &a.edges {
        for &f in &b.edges {
            let n = e.cross(f);
            // Parallel edges add no axis: their plane is that of a face.
            if n.length() > 1e-9 {
                consider(n.normalize());
                consider(-n.normalize());
            }
        }
    }
    best
}

/// The farthest point of a shape in the world.
pub(crate) fn support(shape: &Shape, pose: &Pose, n: Vec3) -> Vec3 {
    pose.point_to_world(shape.convex().expect("a convex shape").support(pose.vector_to_body(n)))
}

/// The gap that the unit direction n proves between two shapes: negative if they overlap along it.
pub(crate) fn support_gap(a: &Shape, pose_a: &Pose, b: &Shape, pose_b: &Pose, n: Vec3) -> f64 {
    n.dot(support(b, pose_b, -n) - support(a, pose_a, n))
}
