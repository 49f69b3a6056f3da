//! A rule cannot write to a column that it declared to read.

use gedanken_dynamics::{Position, Rule, Velocity, read, write};

fn main() {
    let _ = Rule::new("drift", (read::<Velocity>(), write::<Position>()), |step, (v, r)| {
        r[1] += v[1] * step.h;
        v[1] = v[1] * 0.5;
    });
}
