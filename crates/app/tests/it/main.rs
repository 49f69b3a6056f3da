//! Tests of the binary from outside, in one program: one module per subject.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![allow(
    clippy::disallowed_methods,
    reason = "these tests limit the time of what they wait for, and write files"
)]

mod begin;
#[cfg(target_os = "linux")]
mod cancel;
mod cli;
mod derive;
mod divergence;
mod files;
mod inspect;
mod lab;
mod language;
mod recording;
mod rigid;
mod run;
mod saves;
mod secret;
mod support;
mod sweep;
