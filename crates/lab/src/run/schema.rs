//! The schema of a run: what every mechanics writes into it in the same way.

use super::measures::Meter;
use gedanken_experiment::{Attribute, Simulation};
use gedanken_lang::types::Type;
use gedanken_recording::{Constant, Owner, Quantity, Schema};

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
        contacts: false,
        derived: Vec::new(),
    }
}

/// Adds a quantity that varies, without a context, at the end of a row.
pub(crate) fn add(schema: &mut Schema, owner: Owner, name: &str, ty: Type) {
    let start = schema.width();
    schema.quantities.push(Quantity { owner, name: name.to_owned(), ty, context: None, start });
}

/// Adds an attribute that never changes.
pub(crate) fn add_constant(schema: &mut Schema, owner: Owner, attribute: &Attribute) {
    let scalars = attribute.value.scalars().unwrap_or_default();
    schema.constants.push(Constant { owner, name: attribute.name.clone(), ty: attribute.ty(), scalars });
}

/// Adds all measures, which come last in a row.
pub(crate) fn add_measures(schema: &mut Schema, meter: &Meter) {
    for (name, ty) in meter.names().zip(meter.types()) {
        add(schema, Owner::Measure, name, ty.clone());
    }
}
