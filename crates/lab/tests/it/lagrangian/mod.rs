//! Runs of systems that are stated by their energies: against closed answers, against rigid bodies, against
//! themselves.

mod any_text;
mod bits;
mod book;
mod columns;
mod constraints;
mod hamilton;
mod messages;
mod methods;
mod motion;
mod rigid;
mod run;
mod settings;
mod stops;
