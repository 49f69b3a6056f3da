//! One step of a world: the pipeline of rules, and the rules that move bodies outside of contacts and joints.

pub(crate) mod bookkeeping;
pub(crate) mod external_force;
pub(crate) mod free_motion;
pub(crate) mod free_rotation;
mod interaction;
pub(crate) mod kick_middle;
pub(crate) mod outcome;
pub(crate) mod pipeline;
pub(crate) mod reactions;
mod serialize;
pub(crate) mod simulation;
pub(crate) mod start;
pub(crate) mod start_notice;
pub(crate) mod stiffness;
mod transfer;
