//! `mechanics = rigid`: what files say, what is said of them, and the worlds that are made of them.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/mod.rs"]
mod support;
#[allow(dead_code, reason = "shared with other tests, which use all of it")]
#[path = "../support/torn.rs"]
mod torn;

mod any_text;
mod messages;
mod worlds;
