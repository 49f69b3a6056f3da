//! 1,000 softened bodies on two threads, against ourselves on one. The results must be equal bit for bit.

use super::Outcome;
use super::leapfrog::{BODIES, Leapfrog, SEED, pairs};
use crate::clock::{Times, seconds};
use crate::neighbours::Usage;
use crate::ours::Width;
use crate::plummer::{Body, sphere};
use crate::table::Row;

/// Long enough that starting a repetition, which wakes the second thread, does not count.
const REPETITIONS: usize = 40;
const STEPS: usize = 40;

pub fn run() -> Outcome {
    let start = sphere(BODIES, SEED);
    let mut sides = Vec::new();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| error.to_string())?;
        sides.push((pool, Leapfrog::new(&start, Width::best()), Times::default()));
    }
    let before = Usage::now();
    for _ in 0..REPETITIONS {
        for (pool, leapfrog, times) in &mut sides {
            times.push(pool.install(|| seconds(|| leapfrog.steps(STEPS))));
        }
    }
    let others = before.zip(Usage::now()).map(|(before, now)| now.others_since(&before));
    let others = others.map_or("an unknown part".into(), |part| format!("{:.0} %", 100.0 * part));
    let [(_, one, theirs), (_, two, ours)] = &sides[..] else { unreachable!("one thread and two") };
    let equal = bits(&one.bodies()) == bits(&two.bodies());
    Ok(vec![Row {
        case: format!("gravity, {BODIES} bodies, 2 threads, {}", Width::best()),
        peer: "ours, 1 thread".into(),
        unit: "pairs/s",
        amount: pairs(BODIES) * STEPS as f64,
        ours: typical(ours),
        theirs: typical(theirs),
        target: Some(1.7),
        sound: equal,
        remark: format!(
            "judged by medians, by best {:.2}; after {} steps bits are {}; other programs used {others} of the machine",
            theirs.best() / ours.best(),
            REPETITIONS * STEPS,
            if equal { "equal" } else { "NOT equal" }
        ),
    }])
}

/// The middle repetition alone. The best one of a single thread meets the best one of two threads only by luck, and it is
/// the ordinary step whose speed a user gets from a second core.
fn typical(times: &Times) -> Times {
    let mut one = Times::default();
    one.push(times.median());
    one
}

fn bits(bodies: &[Body]) -> Vec<u64> {
    bodies.iter().flat_map(|body| body.position.into_iter().chain(body.velocity)).map(f64::to_bits).collect()
}
