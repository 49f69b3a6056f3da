//! One token for everything that can be cancelled: evaluations, steps, searches, checks and derivations.
//!
//! Whoever wants work to end [asks](Cancel::ask); long loops look at the token and end with [`Cancelled`].
//! A token that was asked stays asked. So a caller need not follow how an end travels through the layers
//! between: after the call it looks itself, and what came of work that was cancelled means nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A wish that work shall end, shared by those who work and those who may want it to end.
///
/// A look is one relaxed load. The order of the flag against other memory does not matter: work that sees it
/// late ends late.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    /// `None` if nobody can ask.
    asked: Option<Arc<AtomicBool>>,
    /// Number of looks that are left before it asks itself.
    looks: Option<Arc<AtomicU64>>,
}

/// The work was cancelled: it has no result, and nothing is wrong with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the work was cancelled")]
pub struct Cancelled;

impl Cancel {
    /// A token that is never asked.
    pub const fn never() -> Self {
        Self { asked: None, looks: None }
    }

    /// A token that has not been asked.
    #[must_use]
    pub fn new() -> Self {
        Self::from_flag(Arc::default())
    }

    /// A token that is asked when `flag` is raised, such as by a signal.
    #[must_use]
    pub const fn from_flag(flag: Arc<AtomicBool>) -> Self {
        Self { asked: Some(flag), looks: None }
    }

    /// A token that asks itself when it has been looked at so many times: it ends work at one place, the same
    /// on every machine, where work has one thread.
    #[must_use]
    pub fn after(looks: u64) -> Self {
        Self { looks: Some(Arc::new(AtomicU64::new(looks))), ..Self::new() }
    }

    /// Asks for the end of all work that has this token, or a clone of it.
    pub fn ask(&self) {
        if let Some(asked) = &self.asked {
            asked.store(true, Ordering::Relaxed);
        }
    }

    /// Forgets that it was asked, for whoever uses one token for one piece of work after the other. From now on
    /// it does not ask itself.
    pub fn forget(&self) {
        self.set_looks(u64::MAX);
        if let Some(asked) = &self.asked {
            asked.store(false, Ordering::Relaxed);
        }
    }

    /// Returns `true` if the work shall end.
    #[inline]
    pub fn is_asked(&self) -> bool {
        match &self.asked {
            None => false,
            Some(asked) => asked.load(Ordering::Relaxed) || (self.looks.is_some() && self.is_last_look()),
        }
    }

    /// Looks at the token in passing.
    ///
    /// # Errors
    /// If the work shall end.
    #[inline]
    pub fn check(&self) -> Result<(), Cancelled> {
        if self.is_asked() { Err(Cancelled) } else { Ok(()) }
    }

    /// Lets a token that counts its looks ask itself after so many more.
    pub fn set_looks(&self, looks: u64) {
        if let Some(left) = &self.looks {
            left.store(looks, Ordering::Relaxed);
        }
    }

    /// Number of looks that are left before it asks itself; `None` if it does not count them.
    pub fn looks_left(&self) -> Option<u64> {
        self.looks.as_ref().map(|it| it.load(Ordering::Relaxed))
    }

    #[cold]
    fn is_last_look(&self) -> bool {
        let count = |left: u64| left.checked_sub(1);
        let Some(looks) = &self.looks else { return false };
        let is_last = looks.fetch_update(Ordering::Relaxed, Ordering::Relaxed, count).is_err();
        if is_last {
            self.ask();
        }
        is_last
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_asked_by_any_of_its_clones_and_stays_so() {
        let cancel = Cancel::new();
        let other = cancel.clone();
        assert_eq!(cancel.check(), Ok(()));
        other.ask();
        assert_eq!((cancel.check(), cancel.is_asked()), (Err(Cancelled), true));
        cancel.forget();
        assert!(!other.is_asked());
    }

    #[test]
    fn nobody_can_ask_a_token_that_is_never_asked() {
        let cancel = Cancel::never();
        cancel.ask();
        assert!(!cancel.is_asked() && !Cancel::default().is_asked());
    }

    #[test]
    fn a_flag_that_is_raised_asks() {
        let flag = Arc::new(AtomicBool::new(false));
        let cancel = Cancel::from_flag(Arc::clone(&flag));
        assert!(!cancel.is_asked());
        flag.store(true, Ordering::Relaxed);
        assert!(cancel.is_asked());
    }

    #[test]
    fn looks_are_counted() {
        let cancel = Cancel::after(2);
        let looks: Vec<bool> = (0..4).map(|_| cancel.is_asked()).collect();
        assert_eq!(looks, [false, false, true, true]);
        assert_eq!((cancel.looks_left(), Cancel::new().looks_left()), (Some(0), None));
    }
}
