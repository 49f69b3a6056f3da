//! Equations of motion against the textbook, against SymPy, and against themselves.

mod conserved;
mod equations;
mod hamilton;
mod modes;
mod oracle;
#[path = "../symbolic/reader.rs"]
#[expect(dead_code, reason = "conditions are read by the other tests")]
mod reader;
mod refusals;
mod stated;
