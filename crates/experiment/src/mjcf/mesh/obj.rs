//! Wavefront OBJ as MuJoCo reads it: all vertices, in single precision, but the faces of the first group only.
//!
//! The importer of shapes reads all groups, in double precision. A model that was made for MuJoCo has the mass
//! that MuJoCo gives it.

use crate::mjcf::MeshSurface;
use gedanken_math::Vec3;

/// Maximum number of corners of a face.
const MAX_CORNERS: usize = 1000;

/// Reads a file; the reason if it cannot be read.
pub(crate) fn obj(bytes: &[u8]) -> Result<MeshSurface, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut vertices: Vec<Vec3> = Vec::new();
    let mut faces: Vec<(usize, Vec<i64>)> = Vec::new();
    let mut is_first_group = true;
    for (line, statement) in (1..).zip(text.lines()) {
        let mut words = statement.split_ascii_whitespace();
        match words.next() {
            Some("v") => {
                let mut coordinates = [0.0; 3];
                for coordinate in &mut coordinates {
                    *coordinate = words
                        .next()
                        .and_then(|word| word.parse::<f64>().ok())
                        .map(|number| f64::from(number as f32))
                        .filter(|number| number.is_finite())
                        .ok_or_else(|| format!("line {line}: three coordinates are expected"))?;
                }
                vertices.push(Vec3::from_array(coordinates));
            }
            Some("f") if is_first_group => {
                let corners: Option<Vec<i64>> = words.map(|word| corner(word, vertices.len())).collect();
                let corners = corners.filter(|corners| (3..=MAX_CORNERS).contains(&corners.len()));
                let corners =
                    corners.ok_or_else(|| format!("line {line}: at least three corners are expected"))?;
                faces.push((line, corners));
            }
            // Groups end where the next one begins, if they have faces.
            Some("g" | "o") if !faces.is_empty() => is_first_group = false,
            _ => {}
        }
    }
    let mut surface = MeshSurface { vertices, triangles: Vec::new() };
    for (line, corners) in faces {
        add_face(&mut surface, &corners)
            .ok_or_else(|| format!("line {line}: a face names a vertex that is not there"))?;
    }
    Ok(surface)
}

/// The number of a vertex from 0, of a corner such as `1`, `1/2`, `1//3` or `-1`.
fn corner(word: &str, so_far: usize) -> Option<i64> {
    let number = word.split('/').next()?.parse::<i64>().ok()?;
    let so_far = i64::try_from(so_far).ok()?;
    Some(if number < 0 { so_far + number } else { number - 1 })
}

/// Cuts a face into triangles: a quadrilateral along its shorter diagonal, others from their first corner.
fn add_face(surface: &mut MeshSurface, corners: &[i64]) -> Option<()> {
    let count = surface.vertices.len();
    let indices: Option<Vec<u32>> = corners
        .iter()
        .map(|corner| {
            usize::try_from(*corner).ok().filter(|k| *k < count).and_then(|k| u32::try_from(k).ok())
        })
        .collect();
    let indices = indices?;
    let vertex = |k: usize| surface.vertices[indices[k] as usize];
    if let [a, b, c, d] = indices[..] {
        let first = (vertex(2) - vertex(0)).length_squared();
        let second = (vertex(3) - vertex(1)).length_squared();
        surface.triangles.extend(if first < second {
            [[a, b, c], [a, c, d]]
        } else {
            [[a, b, d], [b, c, d]]
        });
        return Some(());
    }
    surface.triangles.extend(indices[1..].windows(2).map(|pair| [indices[0], pair[0], pair[1]]));
    Some(())
}
