//! Ctrl-C as a flag that is read between steps, so that an interrupted run ends with complete files.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code after a second signal: the one of an unhandled SIGINT.
const EXIT_INTERRUPTED: i32 = 130;

/// A flag that SIGINT and SIGTERM raise.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Starts to handle SIGINT and SIGTERM. A second signal ends the process at once.
    pub(crate) fn watch() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal still finds the flag down, and then raises it.
            flag::register_conditional_shutdown(signal, EXIT_INTERRUPTED, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self(asked))
    }

    /// Nobody listens to signals: tests ask by themselves.
    #[cfg(test)]
    pub(crate) fn by_hand() -> (Self, Arc<AtomicBool>) {
        let asked = Arc::new(AtomicBool::new(false));
        (Self(Arc::clone(&asked)), asked)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
