//! Ctrl-C and SIGTERM as a token that all work looks at, so that an interrupted run ends with complete files.

use gedanken_math::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Exit code after a second signal: the one of an unhandled SIGINT.
const EXIT_INTERRUPTED: i32 = 130;

/// A token that SIGINT and SIGTERM ask, from the time it [watches](Self::watch) until it is dropped. Before and
/// after that they end the process at once, as they do by default.
#[derive(Debug, Default)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
    over: Arc<AtomicBool>,
}

impl Interrupt {
    /// Starts to handle SIGINT and SIGTERM. A second signal ends the process at once.
    pub(crate) fn watch(&self) -> io::Result<()> {
        for signal in [SIGINT, SIGTERM] {
            flag::register_conditional_default(signal, Arc::clone(&self.over))?;
            // In this order: the first signal still finds the flag down, and then raises it.
            flag::register_conditional_shutdown(signal, EXIT_INTERRUPTED, Arc::clone(&self.asked))?;
            flag::register(signal, Arc::clone(&self.asked))?;
        }
        Ok(())
    }

    /// Token that the signals ask.
    pub(crate) fn token(&self) -> Cancel {
        Cancel::from_flag(Arc::clone(&self.asked))
    }
}

impl Drop for Interrupt {
    fn drop(&mut self) {
        // The handlers themselves stay: without them the system would go on to ignore these signals.
        self.over.store(true, Ordering::SeqCst);
    }
}
