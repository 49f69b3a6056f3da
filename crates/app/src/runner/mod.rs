//! Runs of the commands and of the page: the choice of a simulation, the loop, its outputs and its verdicts.

pub(crate) mod drive;
pub(crate) mod flusher;
pub(crate) mod format;
pub(crate) mod outputs;
pub(crate) mod places;
pub(crate) mod source;
pub(crate) mod verdict;
