//! Keeps rayon's workers spinning between the parallel parts of a step.
//!
//! A thread of rayon that finds no work for some 20 µs goes to sleep. On a virtual machine waking it takes
//! longer than a step of 1,000 bodies. The serial parts of such a step last about as long, so a second thread
//! would sleep in some steps and not in others. Here threads that wait poll for work instead. They yield
//! between two polls, so that any other thread that wants the processor gets it. They give up after
//! [`MAX_IDLE_POLLS`], so that a long wait burns no core and no thread can wait for itself, whatever it was
//! made to run while it polled.
//!
//! Threads are never pinned or moved: on which processor they run is for the operating system to say.
//!
//! Invariant: the results do not depend on which thread polls, or whether any does.

use rayon::Yield;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Polls without work after which a thread may sleep: one or two milliseconds, several steps of 1,000 bodies.
const MAX_IDLE_POLLS: usize = 4096;

/// Does `work` and keeps another thread of the pool, if there is one to spare, ready for the parallel parts
/// of it.
pub(crate) fn with_ready_worker<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let done = AtomicBool::new(false);
    let work = || {
        let _mark = MarkOnDrop(&done);
        work()
    };
    rayon::join(work, || poll_until(&done)).0
}

/// `rayon::join`, whose caller stays awake when it has to wait for `b`.
pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    let done = AtomicBool::new(false);
    let a = || {
        a();
        poll_until(&done);
    };
    let b = || {
        let _mark = MarkOnDrop(&done);
        b();
    };
    rayon::join(a, b);
}

/// Takes on work of the pool until the flag is set, or until [`MAX_IDLE_POLLS`] in a row found none.
fn poll_until(done: &AtomicBool) {
    let mut idle = 0;
    while idle < MAX_IDLE_POLLS && !done.load(Ordering::Acquire) {
        if rayon::yield_now() == Some(Yield::Executed) {
            idle = 0;
        } else {
            idle += 1;
            thread::yield_now();
        }
    }
}

/// Sets a flag when dropped, so also if the work panics: no thread waits for a result that never comes.
struct MarkOnDrop<'a>(&'a AtomicBool);

impl Drop for MarkOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::AtomicUsize;

    fn on_pools(test: impl Fn() + Sync) {
        for threads in [1, 2, 5] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(&test);
        }
        test();
    }

    /// The sum of a range, in tasks of one.
    fn sum(from: usize, to: usize, total: &AtomicUsize) {
        if to - from == 1 {
            total.fetch_add(from, Ordering::Relaxed);
        } else {
            let half = from.midpoint(to);
            join(|| sum(from, half, total), || sum(half, to, total));
        }
    }

    #[test]
    fn all_work_is_done_once_however_it_nests() {
        on_pools(|| {
            for _ in 0..100 {
                let total = AtomicUsize::new(0);
                let run = || with_ready_worker(|| sum(0, 100, &total));
                rayon::join(|| with_ready_worker(run), run);
                assert_eq!(total.into_inner(), 2 * 4950);
            }
        });
    }

    #[test]
    fn panics_pass_through() {
        let fails = |run: &(dyn Fn() + Sync)| catch_unwind(AssertUnwindSafe(run)).is_err();
        on_pools(|| {
            assert!(fails(&|| with_ready_worker(|| panic!("meant"))));
            assert!(fails(&|| join(|| panic!("meant"), || ())));
            assert!(fails(&|| join(|| (), || panic!("meant"))));
        });
    }

    #[test]
    fn a_thread_that_waits_for_itself_gives_up() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        // The only thread of the pool takes on its own waiting task, as one that waits for another pool may.
        let seen = pool.install(|| with_ready_worker(rayon::yield_now));
        assert_eq!(seen, Some(Yield::Executed));
    }
}
