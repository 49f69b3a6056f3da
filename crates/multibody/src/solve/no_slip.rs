//! A pass that takes away creeping: friction forces are found anew, without regularisation.
