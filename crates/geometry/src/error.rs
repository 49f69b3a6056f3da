//! Errors of shapes: typed, naming the shape, the field and the way out.

/// Reason why a shape cannot be made or queried.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// A size that is zero, negative or not a number.
    #[error("the {field} of a {shape} cannot be {value}: it must be positive and finite")]
    BadSize {
        /// The shape.
        shape: &'static str,
        /// The field.
        field: &'static str,
        /// The value given.
        value: f64,
    },
    /// A direction of length zero, or not finite.
    #[error("the {field} of a {shape} has no direction: its length must be positive and finite")]
    NoDirection {
        /// The shape.
        shape: &'static str,
        /// The field.
        field: &'static str,
    },
    /// A point or pose with a coordinate that is not a number.
    #[error("{field} number {index} of a {shape} is not finite")]
    NotFinite {
        /// The shape.
        shape: &'static str,
        /// Field that is not finite.
        field: &'static str,
        /// Index of the point, from 0.
        index: usize,
    },
    /// A hull of no points.
    #[error("a convex hull needs points, and there are none")]
    NoPoints,
    /// A hull of one, two or three points.
    #[error("a convex hull needs at least four points, and there are {0}")]
    TooFewPoints(usize),
    /// All points of a hull are the same.
    #[error("all {0} points are equal: a convex hull needs four that span a volume")]
    AllEqual(usize),
    /// All points of a hull lie on a line.
    #[error("all {0} points lie on a line: a convex hull needs four that span a volume")]
    AllCollinear(usize),
    /// All points of a hull lie in a plane.
    #[error("all {0} points lie in a plane: a convex hull needs four that span a volume")]
    AllCoplanar(usize),
    /// A compound without parts.
    #[error("a compound needs at least one part")]
    NoParts,
    /// A part that a compound cannot hold.
    #[error("part {index} of a compound is a {shape}: {reason}")]
    BadPart {
        /// Index of the part, from 0.
        index: usize,
        /// Its shape.
        shape: &'static str,
        /// Reason.
        reason: &'static str,
    },
    /// A mesh without triangles.
    #[error("a mesh needs at least one triangle")]
    NoTriangles,
    /// A triangle that names a vertex that is not there.
    #[error("triangle {triangle} of a mesh names vertex {vertex}, but there are only {count}")]
    NoVertex {
        /// Index of the triangle, from 0.
        triangle: usize,
        /// The vertex it names.
        vertex: usize,
        /// Number of vertices.
        count: usize,
    },
    /// A triangle whose corners lie on a line, to rounding: it has no normal.
    #[error("triangle {triangle} of a mesh is flat: its corners lie on a line, so it faces nowhere")]
    FlatTriangle {
        /// Index of the triangle, from 0.
        triangle: usize,
    },
    /// A surface that does not enclose a volume: an edge with other than two triangles, or running the same
    /// way in both.
    #[error("the surface is not closed at the edge from vertex {from} to vertex {to}: {reason}")]
    Open {
        /// One end of the edge.
        from: usize,
        /// The other end.
        to: usize,
        /// Reason.
        reason: &'static str,
    },
    /// A closed surface whose triangles all face inwards, or that encloses nothing.
    #[error(
        "the surface encloses a volume of {volume}: its triangles must wind counter-clockwise seen from outside"
    )]
    InsideOut {
        /// The signed volume.
        volume: f64,
    },
    /// A query that does not exist for a shape without bounds or volume.
    #[error("a {shape} has no {what}")]
    Without {
        /// The shape.
        shape: &'static str,
        /// Property that was asked for.
        what: &'static str,
    },
}

/// Returns `value`, if it is positive and finite.
pub(crate) fn positive(shape: &'static str, field: &'static str, value: f64) -> Result<f64, ShapeError> {
    if value > 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(ShapeError::BadSize { shape, field, value })
    }
}
