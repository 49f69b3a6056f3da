//! Bounds on work, counted in steps and never by the clock: the same input gives the same answer on every machine.

use super::pool::{Expr, Pool};

/// Expressions nested deeper than this are left as they are: what follows the nesting uses the stack of the machine.
const DEEPEST: u32 = 150;

impl Pool {
    /// Whether an expression is nested so deeply that it is left alone.
    pub(super) fn is_too_deep(&self, expr: Expr) -> bool {
        self.height(expr) > DEEPEST
    }
}

/// Thrown by a computation that would take more work than it was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beyond;

/// The steps that a computation may still take.
#[derive(Clone, Copy, Debug)]
pub(super) struct Budget {
    left: u64,
}

impl Budget {
    pub(super) fn new(steps: u64) -> Self {
        Self { left: steps }
    }

    /// Takes this many steps, if they are left.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), Beyond> {
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

    /// What may be spent, at most `steps` of it.
    pub(super) fn at_most(self, steps: u64) -> Self {
        Self { left: self.left.min(steps) }
    }

    /// Takes what a part that began with `given` has spent.
    pub(super) fn settle(&mut self, given: Self, rest: Self) {
        self.left -= given.left - rest.left;
    }

    /// What a part of the computation does under its own bound, at most `steps`: what it took is taken from the whole.
    pub(super) fn within<T>(
        &mut self,
        steps: u64,
        part: impl FnOnce(&mut Self) -> Result<T, Beyond>,
    ) -> Result<T, Beyond> {
        let given = self.at_most(steps);
        let mut own = given;
        let result = part(&mut own);
        self.settle(given, own);
        result
    }
}
