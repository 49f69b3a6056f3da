//! Rules and events: one evaluation of some functions, with everything that it may touch declared.
//!
//! `rule` changes attributes; `event` looks whether something holds, says so, and may set attributes when it
//! does. The lists `reads`, `writes` and `adds` are the domain: by it alone a workflow knows what can run
//! side by side.

pub(crate) mod check;
pub(crate) mod flow;
pub(crate) mod members;
pub(crate) mod model;
pub(crate) mod read;
pub(crate) mod scope;
