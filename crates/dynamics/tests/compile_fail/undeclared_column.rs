//! A rule is lent what it declared and nothing else: there is no way to name another column.

use gedanken_dynamics::{Position, Rule, Velocity, read, write};

fn main() {
    let _ = Rule::new("drift", (read::<Velocity>(), write::<Position>()), |step, (v, r, m)| {
        r[1] += v[1] * step.h / m[1];
    });
}
