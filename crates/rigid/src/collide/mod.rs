//! Finding contacts: broad phase, narrow phase, and the islands that contacts and joints make.

pub(crate) mod broad_phase;
pub(crate) mod contact_table;
pub(crate) mod island;
pub(crate) mod narrow_phase;
