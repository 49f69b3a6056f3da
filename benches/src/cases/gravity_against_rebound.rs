//! 1,000 softened bodies on one thread, against REBOUND's leapfrog with direct summation (`gravity basic`).
//!
//! Ours is the whole product: law, workflow, checks and all. The widest registers have a target; the narrower
//! ones are listed for machines that have no wider.

use super::Outcome;
use super::leapfrog::{BODIES, Leapfrog, SEED, SOFTENING, STEP, pairs};
use crate::clock::{Times, seconds};
use crate::ours::Width;
use crate::peers::rebound::Rebound;
use crate::plummer::{Body, distance, energy, sphere};
use crate::table::Row;

const REPETITIONS: usize = 15;
const STEPS: usize = 40;

pub fn run() -> Outcome {
    let start = sphere(BODIES, SEED);
    let mut peer = Rebound::start(&start, SOFTENING, STEP)?;
    let mut sides: Vec<(Width, Leapfrog, Times)> =
        Width::available().map(|width| (width, Leapfrog::new(&start, width), Times::default())).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;

    let mut theirs = Times::default();
    for _ in 0..REPETITIONS {
        theirs.push(peer.steps(STEPS)?);
        for (_, leapfrog, ours) in &mut sides {
            ours.push(pool.install(|| seconds(|| leapfrog.steps(STEPS))));
        }
    }

    let before = energy(&start, SOFTENING);
    let error = |bodies: &[Body]| ((energy(bodies, SOFTENING) - before) / before).abs();
    let their_bodies = peer.bodies()?;
    let row = |(width, leapfrog, ours): (Width, Leapfrog, Times)| {
        let (our_error, their_error) = (error(&leapfrog.bodies()), error(&their_bodies));
        Row {
            case: format!("gravity, {BODIES} bodies, 1 thread, {width}"),
            peer: peer.name(),
            unit: "pairs/s",
            amount: pairs(BODIES) * STEPS as f64,
            ours,
            theirs: theirs.clone(),
            target: (width == Width::best()).then_some(2.0),
            // The same method with the same step has the same truncation error.
            sound: our_error <= 2.0 * their_error,
            remark: format!(
                "energy error {our_error:.2e}, theirs {their_error:.2e} after {} steps; positions by {:.1e}",
                REPETITIONS * STEPS,
                distance(&leapfrog.bodies(), &their_bodies),
            ),
        }
    };
    Ok(sides.into_iter().rev().map(row).collect())
}
