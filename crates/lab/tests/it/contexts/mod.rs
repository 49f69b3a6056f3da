//! The contexts engine: contacts at the times that closed forms give, the same bits always, and failures that
//! keep what was computed.

mod bands;
mod bounces;
mod contacts;
mod corners;
mod failures;
mod gas;
mod grazes;
mod laws;
mod opening;
mod orbits;
mod random_scenes;
mod release;
mod same_bits;
mod sight;
mod stacks;
mod support;
