//! Mass properties of any closed surface of triangles, by integrals over the surface (@mirtich1996).
//!
//! By the divergence theorem, ∫_V f dV = 1/(3 + k) ∮ f x·n dA for f homogeneous of degree k. On a triangle
//! (a, b, c) with D = a·(b × c) and s = a + b + c the surface integrals are closed:
//!
//! V = Σ D/6,   ∫ x = Σ D s/24,   ∫ x xᵀ = Σ D (a aᵀ + b bᵀ + c cᵀ + s sᵀ)/120.
//!
//! They are taken twice: about the first vertex, which gives the centre but for the rounding of long sums,
//! and about that centre, where the first moments are small and no parallel-axis term is left to subtract. So
//! an offset of the whole surface costs no digits beyond those that its vertices have lost.
//!
//! Invariant: a surface that is open, or that encloses no positive volume, is refused, never integrated.

use super::MassProperties;
use crate::error::{ShapeError, positive};
use gedanken_math::{Mat3, Vec3};

const SHAPE: &str = "polyhedron";

/// Mass, centre and inertia of the solid inside a closed surface of triangles that wind counter-clockwise
/// seen from outside. Triangles meet where they name the same vertex: equal vertices with two numbers do not
/// close a surface.
///
/// # Errors
/// No triangles, a vertex that is missing or not finite, a density that is not positive
/// ([`ShapeError::BadSize`]), an edge that does not join two triangles running along it in opposite
/// directions ([`ShapeError::Open`]), a volume that is not positive beyond rounding
/// ([`ShapeError::InsideOut`]).
pub fn of_polyhedron(
    vertices: &[Vec3],
    triangles: &[[u32; 3]],
    density: f64,
) -> Result<MassProperties, ShapeError> {
    positive(SHAPE, "density", density)?;
    check_indices(vertices, triangles)?;
    check_closed(triangles)?;
    let reference = vertices[triangles[0][0] as usize];
    let corners = |from: Vec3| triangles.iter().map(move |t| t.map(|v| vertices[v as usize] - from));

    let (mut volume, mut first, mut rounding) = (0.0, Vec3::ZERO, 0.0);
    for [a, b, c] in corners(reference) {
        let d = a.dot(b.cross(c));
        volume += d / 6.0;
        first += (a + b + c) * (d / 24.0);
        let (a, b, c) = (a.abs(), b.abs(), c.abs());
        let permanent =
            a.x * (b.y * c.z + b.z * c.y) + a.y * (b.z * c.x + b.x * c.z) + a.z * (b.x * c.y + b.y * c.x);
        rounding += permanent;
    }
    // Each determinant is off by at most 8 rounding errors of its permanent: 3 of the differences, 5 of the
    // products and sums. A volume below that is nothing but rounding.
    let encloses = volume > 8.0 * f64::EPSILON * rounding / 6.0;
    if !encloses {
        return Err(ShapeError::InsideOut { volume });
    }
    let about = reference + first / volume;

    let (mut volume, mut first) = (0.0, Vec3::ZERO);
    let (mut squares, mut products) = (Vec3::ZERO, Vec3::ZERO);
    for [a, b, c] in corners(about) {
        let d = a.dot(b.cross(c)) / 120.0;
        let s = a + b + c;
        volume += 20.0 * d;
        first += s * (5.0 * d);
        squares += (a * a + b * b + c * c + s * s) * d;
        let around = |v: Vec3| Vec3::new(v.y * v.z, v.z * v.x, v.x * v.y);
        products += (around(a) + around(b) + around(c) + around(s)) * d;
    }
    let inertia = Mat3::from_cols(
        Vec3::new(squares.y + squares.z, -products.z, -products.y),
        Vec3::new(-products.z, squares.z + squares.x, -products.x),
        Vec3::new(-products.y, -products.x, squares.x + squares.y),
    );
    MassProperties::checked(SHAPE, density, volume, about + first / volume, inertia * density)
}

/// Checks that every triangle names vertices that exist and are finite.
fn check_indices(vertices: &[Vec3], triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    if triangles.is_empty() {
        return Err(ShapeError::NoTriangles);
    }
    if let Some(index) = vertices.iter().position(|v| !v.is_finite()) {
        return Err(ShapeError::NotFinite { shape: SHAPE, field: "vertex", index });
    }
    let count = vertices.len();
    for (triangle, names) in triangles.iter().enumerate() {
        if let Some(&vertex) = names.iter().find(|&&v| v as usize >= count) {
            return Err(ShapeError::NoVertex { triangle, vertex: vertex as usize, count });
        }
    }
    Ok(())
}

/// Checks that every edge joins exactly two triangles, which run along it in opposite directions.
fn check_closed(triangles: &[[u32; 3]]) -> Result<(), ShapeError> {
    // (lower end, upper end, whether it runs downwards): sorted, the two uses of an edge are neighbours.
    let mut edges: Vec<(u32, u32, bool)> = Vec::with_capacity(3 * triangles.len());
    for &[a, b, c] in triangles {
        for (from, to) in [(a, b), (b, c), (c, a)] {
            edges.push((from.min(to), from.max(to), from > to));
        }
    }
    edges.sort_unstable();
    let mut rest = edges.as_slice();
    while let Some(&(low, high, down)) = rest.first() {
        let uses = rest.iter().take_while(|e| (e.0, e.1) == (low, high)).count();
        let (from, to) = if down { (high as usize, low as usize) } else { (low as usize, high as usize) };
        let open = |reason| Err(ShapeError::Open { from, to, reason });
        match uses {
            _ if low == high => return open("a triangle names this vertex twice"),
            1 => return open("only one triangle has this edge"),
            2 if rest[0].2 == rest[1].2 => return open("both triangles run along this edge the same way"),
            2 => rest = &rest[2..],
            _ => return open("more than two triangles share this edge"),
        }
    }
    Ok(())
}
