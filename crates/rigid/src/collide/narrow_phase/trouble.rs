//! What can go wrong when contacts are found, in words that name both bodies.

use crate::world::World;
use gedanken_dynamics::{ComponentId, Trouble};
use gedanken_geometry::narrow::QueryError;

fn name(world: &World, row: u32) -> &str {
    world.model().components().name(ComponentId::from_row(row as usize))
}

/// Geometry has no answer.
pub(super) fn unanswered(world: &World, rows: [u32; 2], error: &QueryError) -> Trouble {
    let [one, two] = rows.map(|row| name(world, row));
    Trouble::Failed(format!(
        "where '{one}' (A) and '{two}' (B) touch cannot be told: {error}; let them pass through each other, or give one \
         of them another shape"
    ))
}

/// A curve of friction returns what no friction can be.
pub(super) fn bad_friction(world: &World, rows: [u32; 2], found: [f64; 2], speed: f64) -> Trouble {
    let [one, two] = rows.map(|row| (name(world, row), &world.material(row as usize).name));
    Trouble::Failed(format!(
        "at a speed of {speed} m/s the friction of '{}' (material '{}') is {}, and of '{}' (material '{}') it is {}: it \
         must be zero or positive at all speeds, so mend the curve of the material",
        one.0, one.1, found[0], two.0, two.1, found[1]
    ))
}
