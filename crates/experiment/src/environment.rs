//! The environment of a block: everything in the file that it can name.
//!
//! Blocks are read kind by kind, in the order in which they need one another. Each kind finds in its
//! environment the kinds before it: without mistakes in [`Environment::experiment`], by name alone in
//! [`Environment::names`]. A name that is missing from both is a mistake of the block that uses it; a name
//! whose block has a mistake has been reported, and is not reported again.

use crate::experiment::Experiment;
use crate::read::blocks::BlockNames;
use crate::read::evaluate::Evaluator;
use gedanken_math::Cancel;
use std::collections::BTreeSet;

/// Everything in the file that a block can name.
#[derive(Clone, Copy)]
pub(crate) struct Environment<'e> {
    /// Blocks without mistakes, of the kinds that have been read so far.
    pub(crate) experiment: &'e Experiment,
    /// Names of all blocks, with and without mistakes.
    pub(crate) names: &'e Names,
    /// Values of expressions outside laws, which see the library and the world.
    pub(crate) evaluator: &'e Evaluator,
    /// Token that ends reading.
    pub(crate) cancel: &'e Cancel,
}

/// Names of all blocks, whether or not something is wrong with them.
#[derive(Default)]
pub(crate) struct Names {
    /// Objects.
    pub(crate) objects: BlockNames,
    /// Contexts.
    pub(crate) contexts: BlockNames,
    /// Rules and events.
    pub(crate) rules: BlockNames,
    /// Systems that are stated by their energies.
    pub(crate) lagrangians: BlockNames,
    /// Measures.
    pub(crate) measures: BTreeSet<String>,
    /// Objects whose position is a formula of a `lagrangian` block: they need not write one.
    pub(crate) placed_objects: BTreeSet<String>,
    /// Laws of rigid bodies that do work, those of joints and gravity among them.
    pub(crate) working_laws: Vec<String>,
    /// `true` if every attribute of the world has a value.
    pub(crate) is_world_whole: bool,
    /// `true` if all objects and attributes could be read, so that a missing name is a mistake of the
    /// formula that uses it.
    pub(crate) is_whole: bool,
}

impl Names {
    /// Returns `true` if no block was left out that a simulation could record.
    pub(crate) fn is_recordable_whole(&self) -> bool {
        self.is_world_whole && self.objects.values().chain(self.contexts.values()).all(Option::is_some)
    }
}
