//! One step of a world: the pipeline of rules, and the rules that move bodies outside of contacts and joints.

pub mod outcome;
pub(crate) mod external_force;
pub mod free_motion;
pub(crate) mod free_rotation;
pub mod pipeline;
pub mod rest;
pub(crate) mod serialize;
pub mod simulation;
pub mod start_notice;
pub(crate) mod transfer;
