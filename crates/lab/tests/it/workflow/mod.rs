//! Simulations by rules: from text to motion, and everything that can be wrong on the way.

mod any_text;
mod bits;
mod events;
mod gallery;
mod measures;
mod messages;
mod order;
mod record;
mod rules;
mod run;
