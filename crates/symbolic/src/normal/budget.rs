//! Bounds on work, counted in steps and never by the clock: the same input gives the same answer on every
//! machine.

use crate::pool::{Expr, Pool};

/// Expressions nested deeper than this are left as they are: what follows the nesting uses the stack of the
/// machine.
const MAX_HEIGHT: u32 = 150;

impl Pool {
    /// What is done with so much work, or with less: who asks for more within it gets what is left.
    pub(crate) fn within<T>(&mut self, steps: u64, part: impl FnOnce(&mut Self) -> T) -> T {
        let limit = self.limit;
        self.limit = self.work.saturating_add(steps).min(limit);
        let result = part(self);
        self.limit = limit;
        result
    }

    /// So many steps, if so many are left.
    pub(crate) fn budget(&self, steps: u64) -> Budget {
        Budget { left: self.limit.saturating_sub(self.work).min(steps) }
    }

    /// Returns `true` if an expression is nested so deeply that it is left alone.
    pub(crate) fn is_too_deep(&self, expr: Expr) -> bool {
        self.height(expr) > MAX_HEIGHT
    }
}

/// Thrown by a computation that would take more work than it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Beyond;

/// The steps that a computation may still take.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Budget {
    left: u64,
}

impl Budget {
    #[cfg(test)]
    pub(crate) fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    /// Returns `true` if nothing is left.
    pub(crate) fn is_spent(self) -> bool {
        self.left == 0
    }

    /// Takes this many steps, if they are left.
    pub(crate) fn spend(&mut self, steps: usize) -> Result<(), Beyond> {
        match self.left.checked_sub(steps as u64) {
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

    /// How much has been spent when so much is left.
    pub(crate) fn spent(self, rest: Self) -> u64 {
        self.left.saturating_sub(rest.left)
    }

    /// What a part of the computation does under its own bound, at most `steps`: what it took is taken from
    /// the whole.
    pub(crate) fn within<T>(
        &mut self,
        steps: u64,
        part: impl FnOnce(&mut Self) -> Result<T, Beyond>,
    ) -> Result<T, Beyond> {
        let given = Self { left: self.left.min(steps) };
        let mut own = given;
        let result = part(&mut own);
        self.left -= given.spent(own);
        result
    }
}
