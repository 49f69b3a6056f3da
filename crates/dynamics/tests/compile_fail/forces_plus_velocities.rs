//! Vectors have dimensions too: a force cannot be added to a velocity.

use gedanken_dynamics::{Force, Rule, Velocity, read, write};

fn main() {
    let _ = Rule::new("kick", (read::<Force>(), write::<Velocity>()), |_, (f, v)| {
        v[1] += f[1];
    });
}
