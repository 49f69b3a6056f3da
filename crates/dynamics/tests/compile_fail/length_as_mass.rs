//! An attribute takes values of its own dimension only.

use gedanken_math::units::METRE;
use gedanken_dynamics::{ComponentId, Mass, State};

fn weigh(state: &mut State) {
    let _ = state.set::<Mass>(ComponentId::WORLD, 5.0 * METRE);
}

fn main() {
    let _ = weigh;
}
