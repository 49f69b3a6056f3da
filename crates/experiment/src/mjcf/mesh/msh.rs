//! MuJoCo's own binary format of meshes: four counts, then vertices, normals, texture coordinates and
//! triangles, all numbers of 32 bits, little-endian.

use crate::mjcf::MeshSurface;
use gedanken_math::Vec3;

/// Reads a file; the reason if it is none of the format.
pub(crate) fn msh(bytes: &[u8]) -> Result<MeshSurface, String> {
    let word = |index: usize| -> Option<[u8; 4]> {
        bytes.get(4 * index..4 * index + 4).and_then(|word| word.try_into().ok())
    };
    let count = |index: usize| word(index).and_then(|word| usize::try_from(i32::from_le_bytes(word)).ok());
    let (Some(vertices), Some(normals), Some(coordinates), Some(triangles)) =
        (count(0), count(1), count(2), count(3))
    else {
        return Err("it does not begin with four counts".to_owned());
    };
    // Counts are below 2³¹, so that none of this overflows 64 bits.
    let words = 4 + 3 * vertices as u64 + 3 * normals as u64 + 2 * coordinates as u64 + 3 * triangles as u64;
    if 4 * words != bytes.len() as u64 {
        return Err(format!("its counts take {} bytes, but it has {}", 4 * words, bytes.len()));
    }
    let real = |index: usize| f64::from(word(index).map_or(f32::NAN, f32::from_le_bytes));
    let vertex = |k: usize| Vec3::new(real(4 + 3 * k), real(5 + 3 * k), real(6 + 3 * k));
    let surface_vertices: Vec<Vec3> = (0..vertices).map(vertex).collect();
    if surface_vertices.iter().any(|vertex| !vertex.is_finite()) {
        return Err("a coordinate is not finite".to_owned());
    }
    let start = 4 + 3 * vertices + 3 * normals + 2 * coordinates;
    let mut surface = MeshSurface { vertices: surface_vertices, triangles: Vec::with_capacity(triangles) };
    for k in 0..triangles {
        let mut triangle = [0; 3];
        for (corner, at) in triangle.iter_mut().zip(start + 3 * k..) {
            let index = word(at).map_or(u32::MAX, u32::from_le_bytes);
            if index as usize >= vertices {
                return Err(format!("a triangle names vertex {index}, but there are {vertices}"));
            }
            *corner = index;
        }
        surface.triangles.push(triangle);
    }
    Ok(surface)
}
