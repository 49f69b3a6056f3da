//! Sessions: what they answer, and the messages of run time.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

#[path = "../support/transcript.rs"]
mod transcript;

mod answers;
mod messages;
