//! Wavefront OBJ: `v x y z` lines and `f` lines of corners `v`, `v/vt`, `v//vn` or `v/vt/vn`.
//!
//! Numbers of vertices count from 1; negative ones count back from the vertices read so far. Polygons are cut
//! into triangles that share their first corner, and refused where those would not cover them. Texture,
//! normals, groups, materials, points and lines carry no surface and are ignored; curves and free-form
//! surfaces are refused.

use super::{ImportError, Place, Problem, TriangleSoup, Weld, lines, number, point, words};
use gedanken_math::Vec3;

/// Statements without a surface.
const IGNORED_STATEMENTS: [&[u8]; 19] = [
    b"vt",
    b"vn",
    b"vp",
    b"g",
    b"o",
    b"s",
    b"mg",
    b"usemtl",
    b"mtllib",
    b"usemap",
    b"maplib",
    b"l",
    b"p",
    b"lod",
    b"bevel",
    b"c_interp",
    b"d_interp",
    b"shadow_obj",
    b"trace_obj",
];

/// The triangles of an OBJ file.
///
/// # Errors
/// What is wrong, and in which line.
pub fn obj(bytes: &[u8]) -> Result<TriangleSoup, ImportError> {
    // Vertices first: a face may name one that comes later.
    let mut vertices = Vec::new();
    let mut last = 1;
    for (line, text) in statements(bytes) {
        last = line;
        let mut rest = words(text);
        match rest.next() {
            None | Some(b"f") => {}
            Some(b"v") => vertices.push(vertex(line, &mut rest)?),
            Some(word) if IGNORED_STATEMENTS.contains(&word) => {}
            Some(word) => return Err(ImportError::expected(line, "a statement of points and faces", word)),
        }
    }
    let mut weld = Weld::default();
    let mut polygon: Vec<Vec3> = Vec::new();
    let mut so_far = 0;
    for (line, text) in statements(bytes) {
        let mut rest = words(text);
        match rest.next() {
            Some(b"v") => so_far += 1,
            Some(b"f") => {
                polygon.clear();
                for word in rest {
                    polygon.push(vertices[corner(line, word, so_far, vertices.len())?]);
                }
                face(line, &polygon, &mut weld)?;
            }
            _ => {}
        }
    }
    weld.finish(Place::Line(last))
}

/// Lines with their comments cut off.
fn statements(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    lines(bytes).map(|(line, text)| (line, text.split(|&b| b == b'#').next().unwrap_or_default()))
}

/// Reads three coordinates, then perhaps a weight, which must be one, or a colour, which is ignored.
fn vertex<'a>(line: usize, rest: &mut impl Iterator<Item = &'a [u8]>) -> Result<Vec3, ImportError> {
    let place = point(line, rest)?;
    let mut more = [0.0; 4];
    let mut count = 0;
    for word in rest {
        let value = number(line, Some(word))?;
        *more.get_mut(count).ok_or_else(|| ImportError::expected(line, "the end of the line", word))? = value;
        count += 1;
    }
    // x y z, x y z w, x y z r g b, x y z w r g b
    let weighted = count == 1 || count == 4;
    if count == 2 || (weighted && more[0] != 1.0) {
        return Err(ImportError::expected(
            line,
            "three coordinates, and a weight of 1 if any",
            b"other weights",
        ));
    }
    Ok(place)
}

/// Returns the vertex that a corner of a face names, from 0.
fn corner(line: usize, word: &[u8], so_far: usize, count: usize) -> Result<usize, ImportError> {
    let integer = |digits: &[u8]| std::str::from_utf8(digits).ok().and_then(|text| text.parse::<i64>().ok());
    let mut fields = word.split(|&b| b == b'/');
    let index = fields.next().and_then(integer);
    // The part after the slashes is not used, but must be a corner all the same.
    let others = fields.clone().count();
    let proper = others <= 2 && fields.all(|field| field.is_empty() || integer(field).is_some());
    let Some(index) = index.filter(|_| proper) else {
        return Err(ImportError::expected(line, "a corner like 1, 1/2, 1//3 or 1/2/3", word));
    };
    let found = if index > 0 {
        usize::try_from(index - 1).ok().filter(|&k| k < count)
    } else {
        usize::try_from(index.unsigned_abs()).ok().filter(|&k| k > 0 && k <= so_far).map(|k| so_far - k)
    };
    let visible = if index > 0 { count } else { so_far };
    found.ok_or_else(|| ImportError::line(line, Problem::NoVertex { index, count: visible }))
}

/// Cuts a polygon into triangles that share its first corner.
fn face(line: usize, polygon: &[Vec3], weld: &mut Weld) -> Result<(), ImportError> {
    let &[first, ref others @ ..] = polygon else {
        return Err(ImportError::expected(line, "at least three corners", b"a face without corners"));
    };
    if others.len() < 2 {
        return Err(ImportError::expected(line, "at least three corners", b"a face of one or two"));
    }
    let fan = || others.windows(2).map(|pair| (pair[0] - first, pair[1] - first));
    // Twice the vector area: triangles that turn against it overlap others.
    let whole: Vec3 = fan().map(|(a, b)| a.cross(b)).sum();
    // Corners on a line turn neither way, but by rounding.
    let against = |(a, b): (Vec3, Vec3)| {
        let turn = a.cross(b).dot(whole);
        turn < -8.0 * f64::EPSILON * a.length() * b.length() * whole.length()
    };
    if others.len() > 2 && fan().any(against) {
        return Err(ImportError::line(line, Problem::NotConvex));
    }
    for pair in others.windows(2) {
        weld.triangle([first, pair[0], pair[1]]).map_err(|problem| ImportError::line(line, problem))?;
    }
    Ok(())
}
