//! Equations of motion against the textbook, against SymPy, and against themselves.

mod conserved;
mod cost;
mod damped;
mod equations;
mod hamilton;
mod modes;
mod oracle;
mod refusals;
mod stated;
