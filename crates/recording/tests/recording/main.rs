//! Recordings: what columns are called, what is read of them, and that every format gives back what was
//! recorded.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod any;
mod arrow;
mod columns;
mod csv;
mod cut;
mod damage;
mod disk;
mod documented;
mod full_disk;
mod hash;
mod json;
mod sample;
mod series;
mod stored;
