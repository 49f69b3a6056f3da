//! Tests of the crate from outside.

mod mjcf;
mod soft;
mod view;
