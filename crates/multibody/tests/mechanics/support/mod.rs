//! What the tests share: dice, random mechanisms, independent energies, finite differences.

pub(crate) mod build;
pub(crate) mod dice;
pub(crate) mod energy;
pub(crate) mod scenes;
pub(crate) mod slopes;
