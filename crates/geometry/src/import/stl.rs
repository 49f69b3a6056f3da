//! STL: a list of triangles, each with its corners written out, in binary or in text.
//!
//! Binary: 80 bytes of anything, the number n of triangles in 32 bits, then n times 50 bytes: normal and
//! three corners as twelve 32-bit floats, and two bytes of anything, all little-endian. Text: `solid` …
//! `endsolid` around facets of one `outer loop` of three `vertex` lines. Normals are not read: the winding of
//! the corners says the same, and files often have them wrong.
//!
//! Many binary files start with the word "solid" too: a file is binary if its length fits the number that it
//! declares.

use super::{ImportError, Place, Problem, TriangleSoup, Weld, lines, point, words};
use gedanken_math::Vec3;

const HEADER_BYTES: usize = 84;
const RECORD_BYTES: usize = 50;

/// The triangles of an STL file, binary or ASCII.
///
/// # Errors
/// What is wrong, and in which line or at which byte.
pub fn stl(bytes: &[u8]) -> Result<TriangleSoup, ImportError> {
    let declared =
        bytes.get(HEADER_BYTES - 4..HEADER_BYTES).map(|n| u32::from_le_bytes([n[0], n[1], n[2], n[3]]));
    let needed = declared.map(|n| HEADER_BYTES as u64 + u64::from(n) * RECORD_BYTES as u64);
    let fits = needed == Some(bytes.len() as u64);
    if !fits && bytes.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid")) {
        return ascii(bytes);
    }
    match (declared, needed) {
        (Some(_), Some(_)) if fits => binary(bytes),
        (Some(declared), Some(needed)) => Err(ImportError {
            place: Place::Byte(HEADER_BYTES - 4),
            problem: Problem::Length { declared, needed, bytes: bytes.len() },
        }),
        _ => Err(ImportError { place: Place::Byte(0), problem: Problem::NotStl }),
    }
}

/// Reads the binary form; the length has been checked.
fn binary(bytes: &[u8]) -> Result<TriangleSoup, ImportError> {
    let mut weld = Weld::default();
    for (k, record) in bytes[HEADER_BYTES..].chunks_exact(RECORD_BYTES).enumerate() {
        let float = |at: usize| {
            let b = &record[at..at + 4];
            f64::from(f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        };
        let corner = |at: usize| Vec3::new(float(at), float(at + 4), float(at + 8));
        weld.triangle([corner(12), corner(24), corner(36)]).map_err(|problem| ImportError {
            place: Place::Byte(HEADER_BYTES + k * RECORD_BYTES),
            problem,
        })?;
    }
    weld.finish(Place::Byte(bytes.len()))
}

/// Kind of line that may come next.
#[derive(Clone, Copy)]
enum Next {
    Solid,
    Facet,
    Loop,
    Vertex(usize),
    EndLoop,
    EndFacet,
}

impl Next {
    fn expected(self) -> &'static str {
        match self {
            Self::Solid => "\"solid\"",
            Self::Facet => "\"facet normal\" or \"endsolid\"",
            Self::Loop => "\"outer loop\"",
            Self::Vertex(_) => "\"vertex\"",
            Self::EndLoop => "\"endloop\"",
            Self::EndFacet => "\"endfacet\"",
        }
    }
}

fn ascii(bytes: &[u8]) -> Result<TriangleSoup, ImportError> {
    let mut weld = Weld::default();
    let mut next = Next::Solid;
    let mut corners = [Vec3::ZERO; 3];
    let mut last = 1;
    for (line, text) in lines(bytes) {
        last = line;
        let mut rest = words(text);
        let Some(word) = rest.next() else { continue };
        let is = |name: &str| word.eq_ignore_ascii_case(name.as_bytes());
        let then = |name: &str, rest: &mut dyn Iterator<Item = &[u8]>| {
            rest.next().is_some_and(|word| word.eq_ignore_ascii_case(name.as_bytes()))
        };
        // The rest of the line may hold names after "solid" and "endsolid", and normals, which are not read.
        let (after, free_rest) = match next {
            Next::Solid if is("solid") => (Next::Facet, true),
            Next::Facet if is("endsolid") => (Next::Solid, true),
            Next::Facet if is("facet") && then("normal", &mut rest) => (Next::Loop, true),
            Next::Loop if is("outer") && then("loop", &mut rest) => (Next::Vertex(0), false),
            Next::Vertex(k) if is("vertex") => {
                corners[k] = point(line, &mut rest)?;
                (if k < 2 { Next::Vertex(k + 1) } else { Next::EndLoop }, false)
            }
            Next::EndLoop if is("endloop") => {
                weld.triangle(corners).map_err(|problem| ImportError::line(line, problem))?;
                (Next::EndFacet, false)
            }
            Next::EndFacet if is("endfacet") => (Next::Facet, false),
            _ => return Err(ImportError::expected(line, next.expected(), text.trim_ascii())),
        };
        if let Some(more) = rest.next()
            && !free_rest
        {
            return Err(ImportError::expected(line, "the end of the line", more));
        }
        next = after;
    }
    if !matches!(next, Next::Solid) {
        return Err(ImportError::expected(last, next.expected(), b"the end of the file"));
    }
    weld.finish(Place::Line(last))
}
