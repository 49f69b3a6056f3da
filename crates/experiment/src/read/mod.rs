//! Reading: from the text of a file to an experiment, and what is common to all kinds of blocks.

pub(crate) mod blocks;
pub(crate) mod evaluate;
pub(crate) mod experiment;
pub(crate) mod fields;
pub(crate) mod keys;
pub(crate) mod numbers;
pub(crate) mod overrides;
mod suspicions;
