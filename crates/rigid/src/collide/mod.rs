//! Finding contacts: broad phase, narrow phase, and the islands that contacts and joints make.

pub mod broad_phase;
pub mod collision_body;
pub mod contact_table;
pub mod island;
pub mod narrow_phase;
