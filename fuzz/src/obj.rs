//! Any bytes as an OBJ file: read or refused, never a panic; what is read becomes a mesh or is refused with a
//! reason.

use gedanken_geometry::import::obj;

/// The target.
pub fn run(bytes: &[u8]) {
    if let Ok(soup) = obj(bytes) {
        assert!(soup.triangles().len() <= bytes.len() / 2);
        assert!(soup.triangles().iter().flatten().all(|&v| (v as usize) < soup.vertices().len()));
        if let Ok(mesh) = soup.to_mesh() {
            // Open, inside out or a solid: an answer in any case.
            let _ = mesh.as_solid(1.0);
        }
    }
}
