//! The processor under a thread, and the way off it.
//!
//! Systems that do not tell get none: their threads stay where they were put.

/// The number of a processor.
pub(crate) type Processor = usize;

/// Where this thread runs now; the next moment it may be elsewhere.
#[cfg(target_os = "linux")]
pub(crate) fn here() -> Option<Processor> {
    Some(rustix::thread::sched_getcpu())
}

/// Moves this thread to another processor that it may run on, if there is one. Where it may run is as before.
#[cfg(target_os = "linux")]
pub(crate) fn leave(processor: Processor) {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
    if processor >= CpuSet::MAX_CPU {
        return;
    }
    // The system moves a thread at once that runs where it no longer may. If it refuses, the thread stays:
    // slower, not wrong.
    if let Ok(all) = sched_getaffinity(None) {
        let mut others = all;
        others.unset(processor);
        if others.count() > 0 && sched_setaffinity(None, &others).is_ok() {
            let _ = sched_setaffinity(None, &all);
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn here() -> Option<Processor> {
    None
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn leave(_: Processor) {}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    #[test]
    fn a_thread_that_leaves_may_still_run_everywhere() {
        let before = sched_getaffinity(None).unwrap();
        // Alone on its processor and just moved, it is not moved back within a microsecond; ten tries make
        // sure.
        let moved = (0..10).any(|_| {
            let start = here().unwrap();
            leave(start);
            here() != Some(start)
        });
        assert_eq!(sched_getaffinity(None).unwrap(), before);
        assert!(moved || before.count() == 1);
    }

    #[test]
    fn a_thread_with_nowhere_to_go_stays() {
        let all = sched_getaffinity(None).unwrap();
        let only = here().unwrap();
        let mut set = CpuSet::new();
        set.set(only);
        sched_setaffinity(None, &set).unwrap();
        leave(only);
        let stayed = (here(), sched_getaffinity(None).unwrap());
        sched_setaffinity(None, &all).unwrap();
        assert_eq!(stayed, (Some(only), set));
    }
}
