//! Simulations of rigid bodies: what is recorded of them, what happens, and that a run goes on as it was.

mod any_text;
mod bits;
mod columns;
mod dice;
mod events;
mod measures;
mod reactions;
mod run;
mod stops;
