//! The schema of a run before its quantities are known.

use gedanken_experiment::Simulation;
use gedanken_recording::Schema;

/// Schema of a simulation in which these objects and contexts take part, without quantities yet. The caller
/// of a run fills in text, path, imports and parameters.
pub(crate) fn schema_of(simulation: &Simulation, objects: Vec<String>, contexts: Vec<String>) -> Schema {
    Schema {
        engine: env!("CARGO_PKG_VERSION").to_owned(),
        text: String::new(),
        path: String::new(),
        imports: Vec::new(),
        simulation: simulation.name.clone(),
        parameters: Vec::new(),
        initial_time: simulation.initial_time,
        duration: simulation.duration,
        frame_rate: simulation.frame_rate,
        objects,
        contexts,
        quantities: Vec::new(),
        constants: Vec::new(),
        derived: Vec::new(),
    }
}
