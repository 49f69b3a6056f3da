//! The core that every layer shares: components, columns, states, rules, flows and the one interpreter.
//!
//! Read in this order: [`component`] (what there is), [`attribute`] and [`column`] (what is known of it),
//! [`model`] and [`state`] (all of it together), [`access`] and [`rule`] (one pure function with a declared
//! domain), [`flow`] (rules put together) and [`workflow`] (checked and run). Nothing here knows any physics.

pub(crate) mod access;
pub(crate) mod attribute;
pub(crate) mod column;
pub(crate) mod component;
pub(crate) mod fault;
pub(crate) mod flow;
pub(crate) mod model;
pub(crate) mod rows;
pub(crate) mod rule;
pub(crate) mod state;
pub(crate) mod table;
pub(crate) mod workflow;
