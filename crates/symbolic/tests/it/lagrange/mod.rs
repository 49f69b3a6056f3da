//! Equations of motion against the textbook, against SymPy, and against themselves.

mod conserved;
#[path = "../../../dynamics/tests/counting/mod.rs"]
mod counting;
mod damped;
mod equations;
mod hamilton;
mod modes;
mod oracle;
#[path = "../symbolic/reader.rs"]
#[expect(dead_code, reason = "conditions are read by the other tests")]
mod reader;
mod refusals;
mod stated;
mod work;
