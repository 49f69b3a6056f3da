//! Signals: Ctrl-C and SIGTERM as a flag that is read between steps, so that an interrupted run ends with
//! complete files, and exit codes by the convention of shells, 128 plus the number of the signal.

use crate::failure::Failure;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Number that shells add to that of a signal.
const EXIT_BY_SIGNAL: usize = 128;

/// A flag that SIGINT and SIGTERM raise.
#[derive(Clone, Debug)]
pub(crate) struct Interrupt {
    asked: Arc<AtomicBool>,
    /// Exit code of the last signal.
    code: Arc<AtomicUsize>,
}

/// What signals do to this process: there is one, as there is one process.
struct Handlers {
    interrupt: Interrupt,
    /// `true` while there is nothing to finish: a signal ends the process at once.
    ends_at_once: Arc<AtomicBool>,
}

static HANDLERS: OnceLock<Handlers> = OnceLock::new();

/// Makes SIGINT and SIGTERM end the process with the exit code that the convention asks for.
///
/// # Errors
/// If the system refuses.
pub(crate) fn exit_by_convention() -> io::Result<()> {
    handlers().map(|_| ())
}

/// Makes SIGTERM, and where no editor takes the keys SIGINT, end a session: that is no failure.
///
/// # Errors
/// If the system refuses.
pub(crate) fn exit_fine(is_edited: bool) -> io::Result<()> {
    for signal in if is_edited { &[SIGTERM][..] } else { &[SIGTERM, SIGINT] } {
        flag::register_conditional_shutdown(*signal, 0, Arc::new(AtomicBool::new(true)))?;
    }
    Ok(())
}

/// Makes a write beyond the limit for files (`ulimit -f`) an error like any other, instead of a signal that
/// ends the process.
///
/// # Errors
/// If the system refuses.
pub(crate) fn survive_file_limit() -> io::Result<()> {
    #[cfg(unix)]
    flag::register(signal_hook::consts::SIGXFSZ, Arc::new(AtomicBool::new(false)))?;
    Ok(())
}

fn handlers() -> io::Result<&'static Handlers> {
    if let Some(handlers) = HANDLERS.get() {
        return Ok(handlers);
    }
    let (interrupt, _) = Interrupt::by_hand();
    let ends_at_once = Arc::new(AtomicBool::new(true));
    for signal in [SIGINT, SIGTERM] {
        let code = EXIT_BY_SIGNAL + signal.unsigned_abs() as usize;
        let exit = |condition: &Arc<AtomicBool>| {
            flag::register_conditional_shutdown(signal, code as i32, Arc::clone(condition))
        };
        exit(&ends_at_once)?;
        // In this order: the first signal still finds the flag down, and then raises it; a second one ends
        // the process.
        exit(&interrupt.asked)?;
        flag::register_usize(signal, Arc::clone(&interrupt.code), code)?;
        flag::register(signal, Arc::clone(&interrupt.asked))?;
    }
    Ok(HANDLERS.get_or_init(|| Handlers { interrupt, ends_at_once }))
}

impl Interrupt {
    /// Takes over SIGINT and SIGTERM: from here on there is something to finish. A second signal ends the
    /// process at once.
    pub(crate) fn watch() -> io::Result<Self> {
        let handlers = handlers()?;
        handlers.ends_at_once.store(false, Ordering::SeqCst);
        Ok(handlers.interrupt.clone())
    }

    /// Nobody listens to signals: who has the flag asks.
    pub(crate) fn by_hand() -> (Self, Arc<AtomicBool>) {
        let asked = Arc::new(AtomicBool::new(false));
        let code = Arc::new(AtomicUsize::new(EXIT_BY_SIGNAL + SIGINT.unsigned_abs() as usize));
        (Self { asked: Arc::clone(&asked), code }, asked)
    }

    pub(crate) fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }

    /// Returns the result of a command that was interrupted, which has been told.
    pub(crate) fn failure(&self) -> Failure {
        Failure::Interrupted(self.code.load(Ordering::SeqCst) as u8)
    }
}
