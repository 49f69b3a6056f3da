//! What two processors give: the speed of two runs that share nothing, each on a processor of its own.
//!
//! Two virtual processors may be two cores, or two threads of one core that a host lends now to this machine
//! and now to another. No program on two threads can be faster than two programs beside each other.

use crate::clock::seconds;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Barrier;

/// Two pools of one thread, each held on a processor of its own where the system allows it (Linux).
pub fn two_processors() -> Result<[ThreadPool; 2], String> {
    let pool = |number: usize| {
        let builder = ThreadPoolBuilder::new().num_threads(1).start_handler(move |_| stay_on(number));
        builder.build().map_err(|error| error.to_string())
    };
    Ok([pool(0)?, pool(1)?])
}

/// Both runs at once. Returns the time in which the two together do as much as one of them does.
pub fn at_once<T: Send>(pools: &[ThreadPool; 2], runs: &mut [T; 2], work: impl Fn(&mut T) + Sync) -> f64 {
    let (start, work) = (Barrier::new(2), &work);
    let timed = |run: &mut T| {
        start.wait();
        seconds(|| work(run))
    };
    let [one, two] = runs;
    let [first, second] = std::thread::scope(|scope| {
        let other = scope.spawn(|| pools[1].install(|| timed(two)));
        [pools[0].install(|| timed(one)), other.join().expect("the other run has not panicked")]
    });
    1.0 / (1.0 / first + 1.0 / second)
}

/// Keeps the calling thread on one of the processors that it may run on.
#[cfg(target_os = "linux")]
fn stay_on(number: usize) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    if let Ok(all) = sched_getaffinity(None)
        && let Some(processor) = (0..CpuSet::MAX_CPU).filter(|&k| all.is_set(k)).nth(number)
    {
        let mut only = CpuSet::new();
        only.set(processor);
        // If it is refused, the two runs share a processor now and then, and the remark shows it.
        let _ = sched_setaffinity(None, &only);
    }
}

#[cfg(not(target_os = "linux"))]
fn stay_on(_: usize) {}
