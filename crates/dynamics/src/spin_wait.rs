//! Going wide without falling asleep.
//!
//! A thread of rayon that finds no work for some 20 µs goes to sleep, and on a virtual machine it takes
//! longer to wake than a step of 1,000 bodies to compute. The serial parts of such a step last about as long,
//! so a second thread would sleep in some steps and not in others. Here threads that wait poll for work
//! instead. They yield between two looks, so whoever else wants the processor gets it, and they give up after
//! a while, so a long wait burns no core and no thread can wait for itself, whatever it was made to run while
//! it polled.
//!
//! Yielding has a trap: two threads that the system woke on one processor hand it to each other for
//! milliseconds, while the one beside them idles. So the thread that works gives way until the other has
//! come, and that one steps aside.
//!
//! Invariant: what is computed does not depend on who polls, or whether anybody does.


use super::awake::processor::Processor;
use rayon::Yield;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// Looks without finding work after which a thread may sleep: one or two milliseconds, several steps of 1,000
/// bodies.
const PATIENCE: usize = 4096;

/// Yields in which a thread that waits for this processor gets it. They take some microseconds if none does.
const COURTESY: usize = 16;

/// Does `work` and keeps another thread of the pool, if there is one to spare, ready for what goes wide in
/// it.
pub(crate) fn beside<R: Send>(work: impl FnOnce() -> R + Send) -> R {
    let (come, done) = (AtomicBool::new(false), AtomicBool::new(false));
    let taken = super::awake::processor::here();
    let work = || {
        let _mark = MarkOnDrop(&done);
        if rayon::current_num_threads() > 1 {
            give_way(&come);
        }
        work()
    };
    let vigil = || {
        come.store(true, Ordering::Release);
        poll_until(&done, || step_aside(taken));
    };
    rayon::join(work, vigil).0
}

/// `rayon::join`, whose caller stays awake when it has to wait for `b`.
pub(crate) fn join(a: impl FnOnce() + Send, b: impl FnOnce() + Send) {
    let done = AtomicBool::new(false);
    let a = || {
        a();
        poll_until(&done, || ());
    };
    let b = || {
        let _mark = MarkOnDrop(&done);
        b();
    };
    rayon::join(a, b);
}

/// Lets whoever shall come have this processor first, in case they were put on it.
fn give_way(come: &AtomicBool) {
    for _ in 0..COURTESY {
        if come.load(Ordering::Acquire) {
            break;
        }
        thread::yield_now();
    }
}

/// Leaves a processor that another thread works on.
fn step_aside(taken: Option<Processor>) {
    if let Some(taken) = taken.filter(|_| super::awake::processor::here() == taken) {
        super::awake::processor::leave(taken);
    }
}

/// Takes on work of the pool until a flag is up or patience is at its end; `between` looks that find nothing.
fn poll_until(done: &AtomicBool, between: impl Fn()) {
    let mut in_vain = 0;
    while in_vain < PATIENCE && !done.load(Ordering::Acquire) {
        if rayon::yield_now() == Some(Yield::Executed) {
            in_vain = 0;
        } else {
            in_vain += 1;
            between();
            thread::yield_now();
        }
    }
}

/// Puts up a flag even if the work panics: nobody shall wait for what will not come.
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
                let run = || beside(|| sum(0, 100, &total));
                rayon::join(|| beside(run), run);
                assert_eq!(total.into_inner(), 2 * 4950);
            }
        });
    }

    #[test]
    fn panics_pass_through() {
        let fails = |run: &(dyn Fn() + Sync)| catch_unwind(AssertUnwindSafe(run)).is_err();
        on_pools(|| {
            assert!(fails(&|| beside(|| panic!("meant"))));
            assert!(fails(&|| join(|| panic!("meant"), || ())));
            assert!(fails(&|| join(|| (), || panic!("meant"))));
        });
    }

    #[test]
    fn a_thread_that_waits_for_itself_gives_up() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        // The only thread takes on its own vigil, as one that waits for another pool may.
        let seen = pool.install(|| beside(rayon::yield_now));
        assert_eq!(seen, Some(Yield::Executed));
    }
}
