//! 1,000 softened bodies on two threads, against ourselves on one, and against two runs on one thread beside
//! each other: what is more than those the machine does not give. The results must be equal bit for bit.

use super::Outcome;
use super::leapfrog::{BODIES, Leapfrog, SEED, pairs};
use crate::clock::{Times, seconds};
use crate::neighbours::Usage;
use crate::ours::Width;
use crate::plummer::{Body, sphere};
use crate::processors::{at_once, two_processors};
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
    let processors = two_processors()?;
    let mut apart = [0, 1].map(|_| Leapfrog::new(&start, Width::best()));
    let mut offered = Times::default();
    let before = Usage::now();
    for _ in 0..REPETITIONS {
        for (pool, leapfrog, times) in &mut sides {
            times.push(pool.install(|| seconds(|| leapfrog.steps(STEPS))));
        }
        offered.push(at_once(&processors, &mut apart, |leapfrog| leapfrog.steps(STEPS)));
    }
    let others = before.zip(Usage::now()).map(|(before, now)| now.others_since(&before));
    let others = others.map_or("an unknown part".into(), |part| format!("{:.0} %", 100.0 * part));
    let [(_, one, theirs), (_, two, ours)] = &sides[..] else { unreachable!("one thread and two") };
    let equal = bits(&one.bodies()) == bits(&two.bodies());
    let row = |peer: &str, peers: &Times, target: f64, remark: String| Row {
        case: format!("gravity, {BODIES} bodies, 2 threads, {}", Width::best()),
        peer: peer.into(),
        unit: "pairs/s",
        amount: pairs(BODIES) * STEPS as f64,
        ours: typical(ours),
        theirs: typical(peers),
        target: Some(target),
        sound: equal,
        remark: format!("judged by medians, by best {:.2}; {remark}", peers.best() / ours.best()),
    };
    let bits = if equal { "equal" } else { "NOT equal" };
    Ok(vec![
        row(
            "ours, 1 thread",
            theirs,
            1.7,
            format!(
                "after {} steps bits are {bits}; other programs used {others} of the machine",
                REPETITIONS * STEPS
            ),
        ),
        row(
            "ours, 1 thread, twice",
            &offered,
            1.7 / 2.0,
            format!(
                "two runs at once, each on its own processor, are {:.2} times one",
                theirs.median() / offered.median()
            ),
        ),
    ])
}

/// The middle repetition alone. The best one of a single thread meets the best one of two threads only by
/// luck, and it is the ordinary step whose speed a user gets from a second core.
fn typical(times: &Times) -> Times {
    let mut one = Times::default();
    one.push(times.median());
    one
}

fn bits(bodies: &[Body]) -> Vec<u64> {
    bodies.iter().flat_map(|body| body.position.into_iter().chain(body.velocity)).map(f64::to_bits).collect()
}
