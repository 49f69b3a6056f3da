//! Signals: Ctrl-C and SIGTERM as a token that all work looks at, so that an interrupted run ends with complete
//! files, and exit codes by the convention of shells, 128 plus the number of the signal.

use crate::failure::Failure;
use gedanken_math::Cancel;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// Number that shells add to that of a signal.
const EXIT_BY_SIGNAL: usize = 128;

/// Handlers of the signals of this process: there is one set, as there is one process.
#[derive(Debug)]
struct Handlers {
    /// Raised by a signal.
    asked: Arc<AtomicBool>,
    /// Exit code of the last signal.
    code: Arc<AtomicUsize>,
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
    let handlers = Handlers {
        asked: Arc::default(),
        code: Arc::default(),
        ends_at_once: Arc::new(AtomicBool::new(true)),
    };
    for signal in [SIGINT, SIGTERM] {
        let code = EXIT_BY_SIGNAL + signal.unsigned_abs() as usize;
        let exit = |condition: &Arc<AtomicBool>| {
            flag::register_conditional_shutdown(signal, code as i32, Arc::clone(condition))
        };
        exit(&handlers.ends_at_once)?;
        // In this order: the first signal still finds the flag down, and then raises it; a second one ends the
        // process.
        exit(&handlers.asked)?;
        flag::register_usize(signal, Arc::clone(&handlers.code), code)?;
        flag::register(signal, Arc::clone(&handlers.asked))?;
    }
    Ok(HANDLERS.get_or_init(|| handlers))
}

/// The wish of the user that this process shall end.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Interrupt(&'static Handlers);

impl Interrupt {
    /// The signals of this process. They still end it at once, until somebody [watches](Self::watch).
    ///
    /// # Errors
    /// If the system refuses.
    pub(crate) fn of_process() -> io::Result<Self> {
        handlers().map(Self)
    }

    /// Token that the signals ask.
    pub(crate) fn token(self) -> Cancel {
        Cancel::from_flag(Arc::clone(&self.0.asked))
    }

    /// Takes over SIGINT and SIGTERM while the guard lives: there is something to finish. A second signal ends
    /// the process at once.
    pub(crate) fn watch(self) -> Watch {
        self.0.ends_at_once.store(false, Ordering::SeqCst);
        Watch(self)
    }

    /// Returns the result of a command that was interrupted, which has been told.
    pub(crate) fn failure(self) -> Failure {
        Failure::Interrupted(self.0.code.load(Ordering::SeqCst) as u8)
    }
}

/// A part of the program in which a signal asks the token and does not end the process.
#[must_use = "signals end the process at once when it is dropped"]
#[derive(Debug)]
pub(crate) struct Watch(Interrupt);

impl Drop for Watch {
    fn drop(&mut self) {
        self.0.0.ends_at_once.store(true, Ordering::SeqCst);
    }
}
