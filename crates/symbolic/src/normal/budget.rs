//! Bounds on work, counted in steps and never by the clock: the same input gives the same answer on every
//! machine.

use crate::pool::{Expr, Pool};
use gedanken_math::Cancel;

/// Maximum nesting. Deeper expressions are left as they are, because what follows recurses on the machine's
/// stack.
const MAX_HEIGHT: u32 = 150;

impl Pool {
    /// Runs `part` with at most so many steps. A bound inside it can only make that smaller.
    pub(crate) fn within<T>(&mut self, steps: u64, part: impl FnOnce(&mut Self) -> T) -> T {
        let limit = self.limit;
        self.limit = self.work.saturating_add(steps).min(limit);
        let result = part(self);
        self.limit = limit;
        result
    }

    /// Budget of so many steps, or of those that are left.
    pub(crate) fn budget(&self, steps: u64) -> Budget {
        let left = self.limit.saturating_sub(self.work).min(steps);
        Budget { left: if self.cancel.is_asked() { 0 } else { left }, cancel: self.cancel.clone() }
    }

    /// Returns `true` if an expression is nested so deeply that it is left alone.
    pub(crate) fn is_too_deep(&self, expr: Expr) -> bool {
        self.height(expr) > MAX_HEIGHT
    }
}

/// Error of a computation that would take more steps than it was given, or was cancelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beyond;

/// Steps that a computation may still take.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    left: u64,
    /// Token that leaves none.
    cancel: Cancel,
}

impl Budget {
    #[cfg(test)]
    pub(crate) fn new(steps: u64) -> Self {
        Self { left: steps, cancel: Cancel::never() }
    }

    /// Returns `true` if nothing is left.
    pub(crate) fn is_spent(&self) -> bool {
        self.left == 0
    }

    /// Takes this many steps, if they are left.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Beyond> {
        match self.left.checked_sub(steps as u64).filter(|_| !self.cancel.is_asked()) {
            Some(left) => {
                self.left = left;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Beyond)
            }
        }
    }

    /// Number of steps spent when `rest` is left.
    pub(crate) fn spent(&self, rest: &Self) -> u64 {
        self.left.saturating_sub(rest.left)
    }

    /// Runs a part of the computation under a bound of its own, at most `steps`. Its steps are taken from the
    /// whole.
    pub(crate) fn within<T>(
        &mut self,
        steps: u64,
        part: impl FnOnce(&mut Self) -> Result<T, Beyond>,
    ) -> Result<T, Beyond> {
        let given = Self { left: self.left.min(steps), cancel: self.cancel.clone() };
        let mut own = given.clone();
        let result = part(&mut own);
        self.left -= given.spent(&own);
        result
    }
}
