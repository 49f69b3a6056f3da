//! Checks of a hull: the surface is closed, everything is below it, the faces are convex.

use gedanken_geometry::{Convex, ConvexHull};
use gedanken_math::Vec3;

/// Positive below the plane of a, b, c. Exact.
pub(crate) fn below(a: Vec3, b: Vec3, c: Vec3, p: Vec3) -> f64 {
    let [a, b, c, p] = [a, b, c, p].map(|v| robust::Coord3D { x: v.x, y: v.y, z: v.z });
    robust::orient3d(a, b, c, p)
}

/// n³ integer points.
pub(crate) fn grid(n: u32) -> Vec<Vec3> {
    (0..n * n * n).map(|i| Vec3::from_array([i % n, i / n % n, i / (n * n)].map(f64::from))).collect()
}

/// Every directed edge once, and its opposite once.
fn assert_closed(mut directed: Vec<(u32, u32)>) {
    directed.sort_unstable();
    assert!(directed.windows(2).all(|pair| pair[0] != pair[1]), "an edge is used twice in one direction");
    assert!(directed.iter().all(|&(a, b)| directed.binary_search(&(b, a)).is_ok()), "the surface is open");
}

/// Closed, two faces to an edge, running opposite ways, of the topology of a sphere; no facet inverted.
pub(crate) fn check_surface(hull: &ConvexHull) {
    let (v, e, f) = (hull.vertices().len(), hull.edges().len(), hull.face_count());
    assert_eq!(v + f, e + 2, "Euler: {v} vertices, {e} edges, {f} faces");
    assert_eq!(hull.triangles().len(), 2 * v - 4);
    let mut directed = Vec::new();
    for (number, face) in hull.faces().enumerate() {
        let n = face.vertices.len();
        assert!(n >= 3);
        assert!((face.normal.length() - 1.0).abs() < 1e-15);
        for k in 0..n {
            let edge = (face.vertices[k], face.vertices[(k + 1) % n]);
            directed.push(edge);
            let other = hull.face(face.neighbours[k] as usize);
            let m = other.vertices.len();
            let back = (0..m).find(|&j| (other.vertices[(j + 1) % m], other.vertices[j]) == edge);
            assert_eq!(other.neighbours[back.expect("the neighbour has the edge")] as usize, number);
        }
    }
    assert_eq!(directed.len(), 2 * e);
    assert_closed(directed);
    assert_closed(hull.triangles().iter().flat_map(|&[a, b, c]| [(a, b), (b, c), (c, a)]).collect());
    assert!(hull.volume() > 0.0);
    for face in hull.faces() {
        for k in 1..face.vertices.len() - 1 {
            let [a, b, c] = [0, k, k + 1].map(|j| hull.vertices()[face.vertices[j] as usize]);
            assert!(below(a, b, c, a - face.normal) > 0.0, "inverted facet {k} of {face:?}");
        }
    }
}

/// Every point on or below every facet; faces flat, strictly convex and different from their neighbours; all
/// exactly.
pub(crate) fn check_exactly(hull: &ConvexHull, points: &[Vec3]) {
    check_surface(hull);
    let at = |i: u32| hull.vertices()[i as usize];
    for &[a, b, c] in hull.triangles() {
        for &p in points {
            assert!(below(at(a), at(b), at(c), p) >= 0.0, "{p} is above {a} {b} {c}");
        }
    }
    for face in hull.faces() {
        let n = face.vertices.len();
        for k in 0..n {
            let [a, b, c] = [0, 1, 2].map(|j| at(face.vertices[(k + j) % n]));
            // Three in a row are not on a line and turn left: the centre sees them so.
            assert!(below(a, b, c, hull.centre()) > 0.0, "the loop {:?} turns back at {b}", face.vertices);
            assert!(
                face.vertices.iter().all(|&p| below(a, b, c, at(p)) == 0.0),
                "not flat: {:?}",
                face.vertices
            );
            let other = hull.face(face.neighbours[k] as usize);
            assert!(other.vertices.iter().any(|&p| below(a, b, c, at(p)) > 0.0), "coplanar neighbours");
        }
    }
    for (number, vertex) in hull.vertices().iter().enumerate() {
        assert!(hull.neighbours(number).len() >= 3);
        assert!(points.contains(vertex));
    }
}

/// Every point below every face, and every loop convex, to a multiple of
/// [`gedanken_geometry::hull::rounding`].
pub(crate) fn check_to_rounding(hull: &ConvexHull, points: &[Vec3], roundings: f64) {
    check_surface(hull);
    let delta = roundings * gedanken_geometry::hull::rounding(points);
    let at = |i: u32| hull.vertices()[i as usize];
    for face in hull.faces() {
        let (n, base) = (face.vertices.len(), at(face.vertices[0]));
        for &p in points {
            let height = face.normal.dot(p - base);
            assert!(
                height <= delta,
                "{p} is {height:e} above the face {:?}, delta = {delta:e}",
                face.vertices
            );
        }
        for k in 0..n {
            let (a, along) = (at(face.vertices[k]), at(face.vertices[(k + 1) % n]) - at(face.vertices[k]));
            let inward = face.normal.cross(along).normalize();
            for &p in face.vertices {
                assert!(inward.dot(at(p) - a) >= -delta, "the loop {:?} is not convex", face.vertices);
            }
        }
    }
}
