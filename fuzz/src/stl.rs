//! Any bytes as an STL file: read or refused, never a panic; what is read becomes a mesh or is refused with a
//! reason.

use gedanken_geometry::import::stl;

/// The target.
pub fn run(bytes: &[u8]) {
    if let Ok(soup) = stl(bytes) {
        assert!(soup.triangles().len() <= bytes.len() / 50);
        assert!(soup.triangles().iter().flatten().all(|&v| (v as usize) < soup.vertices().len()));
        if let Ok(mesh) = soup.to_mesh() {
            // Open, inside out or a solid: an answer in any case.
            let _ = mesh.as_solid(1.0);
        }
    }
}
