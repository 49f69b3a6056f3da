//! Import of triangle surfaces from files: STL (binary and ASCII) and OBJ, from bytes to triangles.
//!
//! A reader gives a [`TriangleSoup`]: vertices and triangles as they are in the file, nothing repaired and
//! nothing left out. The caller makes of it a static surface ([`TriangleSoup::to_mesh`]) or the convex hull
//! of its vertices ([`TriangleSoup::to_hull`]); nothing is made convex in silence.
//!
//! Vertices with the same coordinates are one vertex, numbered in the order of first use. Invariant: any
//! bytes give triangles or an error that names its place; never a panic, and never more memory than a few
//! times the input.

mod obj;
mod stl;

pub use obj::obj;
pub use stl::stl;

use crate::error::ShapeError;
use crate::shape::{ConvexHull, TriangleMesh};
use gedanken_math::Vec3;
use std::collections::HashMap;
use std::fmt;

/// Triangles as read from a file.
#[derive(Debug, Clone, PartialEq)]
pub struct TriangleSoup {
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl TriangleSoup {
    /// Triangles between vertices; those that name a vertex that is not there are left out.
    #[must_use]
    pub fn new(vertices: Vec<Vec3>, mut triangles: Vec<[u32; 3]>) -> Self {
        triangles.retain(|triangle| triangle.iter().all(|&corner| (corner as usize) < vertices.len()));
        Self { vertices, triangles }
    }

    /// The vertices, no two of them equal, in the order in which the triangles first use them.
    #[must_use]
    pub fn vertices(&self) -> &[Vec3] {
        &self.vertices
    }

    /// The triangles, in the order of the file.
    #[must_use]
    pub fn triangles(&self) -> &[[u32; 3]] {
        &self.triangles
    }

    /// The triangles as a static surface.
    ///
    /// # Errors
    /// [`ShapeError::FlatTriangle`] for a triangle without area.
    pub fn to_mesh(&self) -> Result<TriangleMesh, ShapeError> {
        TriangleMesh::new(self.vertices.clone(), self.triangles.clone())
    }

    /// The convex hull of the vertices.
    ///
    /// # Errors
    /// Those of [`ConvexHull::new`], if the vertices do not span a volume.
    pub fn to_hull(&self) -> Result<ConvexHull, ShapeError> {
        ConvexHull::new(&self.vertices)
    }
}

/// A place in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// A line of a text, from 1.
    Line(usize),
    /// A byte, from 0.
    Byte(usize),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(line) => write!(f, "line {line}"),
            Self::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// Reason why a file cannot be read, and its place.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{place}: {problem}")]
pub struct ImportError {
    /// Place at which reading stopped.
    pub place: Place,
    /// Problem at that place.
    pub problem: Problem,
}

/// Problem of a file.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Problem {
    /// Neither form of STL.
    #[error("not an STL file: it neither starts with \"solid\" nor has the 84 bytes of a binary header")]
    NotStl,
    /// A binary STL whose length does not fit the number of triangles it declares.
    #[error("{declared} triangles are declared, which take {needed} bytes, but the file has {bytes}")]
    Length {
        /// The number of triangles in the header.
        declared: u32,
        /// The length that follows from it.
        needed: u64,
        /// The length of the file.
        bytes: usize,
    },
    /// Unexpected text.
    #[error("expected {expected}, found {found:?}")]
    Expected {
        /// Text that may stand here.
        expected: &'static str,
        /// Text that stands here, at most the start of it.
        found: String,
    },
    /// A coordinate that is infinite or not a number.
    #[error("a coordinate is not finite")]
    NotFinite,
    /// A face that names a vertex that is not there.
    #[error("a face names vertex {index}, but there are {count}")]
    NoVertex {
        /// The number in the file.
        index: i64,
        /// Number of vertices that can be named here.
        count: usize,
    },
    /// A polygon that triangles from its first corner do not cover.
    #[error("a polygon bends inwards as seen from its first corner: split it into triangles before export")]
    NotConvex,
    /// A file without triangles.
    #[error("the file has no triangles")]
    Empty,
    /// More vertices than can be numbered in 32 bits.
    #[error("there are more than 2³² vertices")]
    TooMany,
}

impl ImportError {
    fn line(line: usize, problem: Problem) -> Self {
        Self { place: Place::Line(line), problem }
    }

    fn expected(line: usize, expected: &'static str, found: &[u8]) -> Self {
        /// Maximum number of bytes shown: enough to find the place, and a bound on the share of a hostile
        /// file in a message.
        const MAX_SHOWN: usize = 40;
        let start = &found[..found.len().min(MAX_SHOWN)];
        Self::line(line, Problem::Expected { expected, found: String::from_utf8_lossy(start).into_owned() })
    }
}

/// Collects triangles and joins vertices with the same coordinates.
#[derive(Default)]
struct Weld {
    numbers: HashMap<[u64; 3], u32>,
    vertices: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
}

impl Weld {
    /// Returns the number of the vertex at `point`, a new one if it is new. Minus zero is zero.
    fn vertex(&mut self, point: Vec3) -> Result<u32, Problem> {
        let point = point + Vec3::ZERO;
        if !point.is_finite() {
            return Err(Problem::NotFinite);
        }
        let next = u32::try_from(self.vertices.len()).map_err(|_| Problem::TooMany)?;
        let number = *self.numbers.entry(point.to_array().map(f64::to_bits)).or_insert(next);
        if number == next {
            self.vertices.push(point);
        }
        Ok(number)
    }

    fn triangle(&mut self, corners: [Vec3; 3]) -> Result<(), Problem> {
        let [a, b, c] = corners;
        let triangle = [self.vertex(a)?, self.vertex(b)?, self.vertex(c)?];
        self.triangles.push(triangle);
        Ok(())
    }

    fn finish(self, end: Place) -> Result<TriangleSoup, ImportError> {
        if self.triangles.is_empty() {
            return Err(ImportError { place: end, problem: Problem::Empty });
        }
        Ok(TriangleSoup { vertices: self.vertices, triangles: self.triangles })
    }
}

/// The lines of a text with their numbers from 1; carriage returns count as space.
fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    bytes.split(|&b| b == b'\n').enumerate().map(|(k, line)| (k + 1, line))
}

/// The words of a line.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

/// A finite number.
fn number(line: usize, word: Option<&[u8]>) -> Result<f64, ImportError> {
    let word = word.unwrap_or_default();
    let parsed = std::str::from_utf8(word).ok().and_then(|text| text.parse::<f64>().ok());
    match parsed {
        Some(value) if value.is_finite() => Ok(value),
        Some(_) => Err(ImportError::line(line, Problem::NotFinite)),
        None => Err(ImportError::expected(line, "a number", word)),
    }
}

/// Three finite numbers.
fn point<'a>(line: usize, words: &mut impl Iterator<Item = &'a [u8]>) -> Result<Vec3, ImportError> {
    Ok(Vec3::new(number(line, words.next())?, number(line, words.next())?, number(line, words.next())?))
}
