//! Ctrl-C: a wish that is looked at between frames, so that a run ends with all its files whole.

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The exit code of who asks twice: as if nobody had listened to the signal.
const EXIT_INTERRUPTED: i32 = 130;

/// Whether somebody has asked to end.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// From now on Ctrl-C asks, and so does a request to terminate. Asking again ends at once.
    pub(crate) fn watch() -> io::Result<Self> {
        let asked = Arc::new(AtomicBool::new(false));
        for signal in [SIGINT, SIGTERM] {
            // In this order: the first signal still finds the flag down, and then raises it.
            flag::register_conditional_shutdown(signal, EXIT_INTERRUPTED, Arc::clone(&asked))?;
            flag::register(signal, Arc::clone(&asked))?;
        }
        Ok(Self(asked))
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
