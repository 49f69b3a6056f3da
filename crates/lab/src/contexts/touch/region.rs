//! Regions of contact: where two flat features meet, in the plane across the normal.
//!
//! A region is a point, a segment or a convex polygon, told by its corners counter-clockwise. Everything that
//! comes out is in that form: no corner twice, none on a line between its neighbours, both up to a tolerance.
//! So what rounding adds to a clipped polygon (a corner cut in two, a crossing of two edges that lie on each
//! other) never moves the mean of its corners.

/// A point of the plane.
pub(crate) type Place = [f64; 2];

/// The sine of the largest angle at which two segments still run alike.
const ALIKE: f64 = 1e-8;

fn minus(p: Place, q: Place) -> Place {
    [p[0] - q[0], p[1] - q[1]]
}

fn cross(p: Place, q: Place) -> f64 {
    p[0] * q[1] - p[1] * q[0]
}

fn dot(p: Place, q: Place) -> f64 {
    p[0] * q[0] + p[1] * q[1]
}

fn length(p: Place) -> f64 {
    dot(p, p).sqrt()
}

/// The point at part `s` of the way from p to q.
fn between(p: Place, q: Place, s: f64) -> Place {
    [p[0] + s * (q[0] - p[0]), p[1] + s * (q[1] - p[1])]
}

/// The convex hull of some points (Andrew's monotone chain): its corners counter-clockwise, the leftmost
/// first.
pub(crate) fn hull(points: &[Place], tolerance: f64) -> Vec<Place> {
    let mut sorted = points.to_vec();
    sorted.sort_unstable_by(|p, q| p[0].total_cmp(&q[0]).then(p[1].total_cmp(&q[1])));
    let mut apart: Vec<Place> = Vec::with_capacity(sorted.len());
    for point in sorted {
        if apart.iter().all(|&other| length(minus(point, other)) > tolerance) {
            apart.push(point);
        }
    }
    if apart.len() < 3 {
        return apart;
    }
    let chain = |points: &mut dyn Iterator<Item = Place>| {
        let mut chain: Vec<Place> = Vec::new();
        for point in points {
            while let [.., before, last] = chain[..]
                && cross(minus(last, before), minus(point, before))
                    <= tolerance * length(minus(point, before))
            {
                chain.pop();
            }
            chain.push(point);
        }
        // The last one begins the other chain.
        chain.pop();
        chain
    };
    let mut corners = chain(&mut apart.iter().copied());
    corners.extend(chain(&mut apart.iter().rev().copied()));
    corners
}

/// The part of a region inside a polygon (@sutherland1974). Corners outside by no more than the tolerance
/// stay as they are.
fn clipped(region: &[Place], polygon: &[Place], tolerance: f64) -> Vec<Place> {
    let mut left = region.to_vec();
    for (k, &p) in polygon.iter().enumerate() {
        let side = minus(polygon[(k + 1) % polygon.len()], p);
        let height = |x: Place| cross(side, minus(x, p)) / length(side);
        let before = std::mem::take(&mut left);
        for (i, &from) in before.iter().enumerate() {
            let to = before[(i + 1) % before.len()];
            let (h, g) = (height(from), height(to));
            if h >= -tolerance {
                left.push(from);
            }
            if (h >= -tolerance) != (g >= -tolerance) {
                left.push(between(from, to, (h / (h - g)).clamp(0.0, 1.0)));
            }
        }
    }
    left
}

/// Where two segments meet: the ends of what they share if they run alike, else the point at which they
/// cross.
fn crossed([p, q]: [Place; 2], [r, s]: [Place; 2]) -> Vec<Place> {
    let (u, v) = (minus(q, p), minus(s, r));
    let turn = cross(u, v);
    if turn.abs() > ALIKE * length(u) * length(v) {
        let along = cross(minus(r, p), v) / turn;
        return vec![between(p, q, along.clamp(0.0, 1.0))];
    }
    let squared = dot(u, u);
    let (from, to) = (dot(minus(r, p), u) / squared, dot(minus(s, p), u) / squared);
    let (least, greatest) = (from.min(to).max(0.0), from.max(to).min(1.0));
    if least > greatest {
        return Vec::new();
    }
    // Midway between both lines, which may lie beside each other by rounding.
    let beside = cross(u, minus(r, p)) / (2.0 * squared);
    [least, greatest]
        .map(|part| [p[0] + part * u[0] - beside * u[1], p[1] + part * u[1] + beside * u[0]])
        .to_vec()
}

/// What two regions share; `None` is the whole plane. Empty if they share nothing, or if both are the whole
/// plane.
///
/// A point that faces an edge is taken at its word, or half of it that faces a point.
pub(crate) fn shared(a: Option<&[Place]>, b: Option<&[Place]>, tolerance: f64) -> Vec<Place> {
    let points = match (a, b) {
        (None, None) => Vec::new(),
        (Some(region), None) | (None, Some(region)) => region.to_vec(),
        (Some(polygon @ [_, _, _, ..]), Some(region)) | (Some(region), Some(polygon @ [_, _, _, ..])) => {
            clipped(region, polygon, tolerance)
        }
        (Some(&[p]), Some(&[q])) => vec![between(p, q, 0.5)],
        (Some(&[p]), Some(_)) | (Some(_), Some(&[p])) => vec![p],
        (Some(&[p, q]), Some(&[r, s])) => crossed([p, q], [r, s]),
        (Some([]), Some(_)) | (Some(_), Some([])) => Vec::new(),
    };
    hull(&points, tolerance)
}

/// Whether a region holds a point, or misses it by no more than the tolerance.
pub(crate) fn holds(region: &[Place], point: Place, tolerance: f64) -> bool {
    match *region {
        [] => false,
        [p] => length(minus(point, p)) <= tolerance,
        [p, q] => {
            let u = minus(q, p);
            let along = (dot(minus(point, p), u) / dot(u, u)).clamp(0.0, 1.0);
            length(minus(point, between(p, q, along))) <= tolerance
        }
        _ => !clipped(&[point], region, tolerance).is_empty(),
    }
}
