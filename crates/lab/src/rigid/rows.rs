//! Quantities in a recording of rigid bodies, and their sources.

use super::event_kinds::EVENTS;
use super::readings::readings;
use super::source::Source;
use crate::run::measures::Meter;
use crate::run::schema::{add, add_constant, add_measures, schema_of};
use crate::run::values::Input;
use gedanken_experiment::rigid::quantities::{ObjectQuantity, StepKind, WorldQuantity};
use gedanken_experiment::{Experiment, Object, Simulation};
use gedanken_lang::types::Type;
use gedanken_recording::{Owner, Schema};
use std::collections::BTreeMap;

/// Quantities that are recorded and measured, and their sources.
#[derive(Debug)]
pub(crate) struct Rows<Id> {
    pub(crate) schema: Schema,
    /// Source of each quantity of the schema, but of measures.
    pub(crate) recorded: Vec<Source<Id>>,
    /// Source of every attribute that measures read.
    pub(crate) readings: BTreeMap<Input, Source<Id>>,
}

impl<Id: Copy> Rows<Id> {
    /// Rows of a simulation with these bodies and laws; measures come last.
    pub(crate) fn new<'l>(
        experiment: &Experiment,
        simulation: &Simulation,
        bodies: &[(usize, Id)],
        laws: impl Iterator<Item = &'l str> + Clone,
        steps: StepKind,
        joints: &[JointColumns],
        meter: &Meter,
    ) -> Self {
        let readings = readings(experiment, bodies, laws.clone(), steps, meter);
        let names = bodies.iter().map(|&(object, _)| experiment.objects[object].name.clone()).collect();
        let mut schema = schema_of(simulation, names, EVENTS.map(|(name, _)| name.to_owned()).to_vec());
        let written = |name: &str| experiment.world.iter().any(|it| it.name == name);
        let record = &simulation.record;
        let mut recorded = Vec::new();
        for (name, what) in WorldQuantity::all(laws, steps) {
            if !written(&name) && record.has_world_attribute(&name) {
                add(&mut schema, Owner::World, &name, what.ty());
                recorded.push(Source::WorldQuantity(what));
            }
        }
        for joint in joints {
            for (name, source) in joint.columns() {
                let scalars = match source {
                    Source::Coordinate(_, scalars) | Source::Rate(_, scalars) => scalars,
                    Source::JointForce(_) | Source::JointTorque(_) => 3,
                    _ => 1,
                };
                let ty = if scalars == 1 { Type::Real } else { Type::vector(scalars as u32) };
                if !written(&name) && record.has_world_attribute(&name) {
                    add(&mut schema, Owner::World, &name, ty);
                    recorded.push(source);
                }
            }
        }
        for attribute in experiment.world.iter().filter(|it| it.name != "t") {
            if record.has_world_attribute(&attribute.name) {
                add_constant(&mut schema, Owner::World, attribute);
            }
        }
        for (place, &(index, id)) in bodies.iter().enumerate() {
            let object = &experiment.objects[index];
            for (name, ty, what) in varying(object) {
                if record.has_attribute(object, &name) {
                    recorded.push(Source::ObjectQuantity(id, what, ty.scalars().unwrap_or(0)));
                    add(&mut schema, Owner::Object(place), &name, ty);
                }
            }
            for attribute in object.attributes.iter().filter(|it| !varies(object, &it.name)) {
                if record.has_attribute(object, &attribute.name) {
                    add_constant(&mut schema, Owner::Object(place), attribute);
                }
            }
        }
        add_measures(&mut schema, meter);
        Self { schema, recorded, readings }
    }

    /// The same rows with events of these names.
    pub(crate) fn with_events(mut self, names: Vec<String>) -> Self {
        self.schema.contexts = names;
        self
    }
}

/// Columns of a joint.
#[derive(Clone, Debug)]
pub(crate) struct JointColumns {
    /// Name of the joint, as a name of the language.
    pub(crate) name: String,
    /// What is recorded of it.
    pub(crate) what: JointRecord,
}

/// What is recorded of a joint.
#[derive(Clone, Copy, Debug)]
pub(crate) enum JointRecord {
    /// Its coordinates and its velocities.
    Motion {
        /// What the coordinates are: `angle`, `shift`, `rotation`.
        what: &'static str,
        /// Place of the first coordinate, and their number.
        coordinates: (usize, usize),
        /// Place of the first velocity, and their number.
        rates: (usize, usize),
    },
    /// Its force and torque, by its number among joints.
    Forces(usize),
}

impl JointColumns {
    /// Force and torque of the joint with this number and name.
    pub(crate) fn of_forces((number, name): (usize, String)) -> Self {
        Self { name, what: JointRecord::Forces(number) }
    }

    fn columns<Id>(&self) -> [(String, Source<Id>); 2] {
        let name = &self.name;
        match self.what {
            JointRecord::Motion { what, coordinates, rates } => [
                (format!("{what}_of_{name}"), Source::Coordinate(coordinates.0, coordinates.1)),
                (format!("rate_of_{name}"), Source::Rate(rates.0, rates.1)),
            ],
            JointRecord::Forces(number) => [
                (format!("force_of_{name}"), Source::JointForce(number)),
                (format!("torque_of_{name}"), Source::JointTorque(number)),
            ],
        }
    }
}

/// Everything of an object that changes in a run, by name.
fn varying(object: &Object) -> Vec<(String, Type, ObjectQuantity)> {
    if object.is_static {
        return Vec::new();
    }
    let own = object.attributes.iter().filter_map(|attribute| {
        let what = ObjectQuantity::by_name(&attribute.name).filter(|it| !is_computed(*it))?;
        Some((attribute.name.clone(), attribute.ty(), what))
    });
    let computed = ObjectQuantity::computed().map(|it| (it.name().to_owned(), it.ty(), it));
    let mut all: Vec<_> = own.chain(computed).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn is_computed(what: ObjectQuantity) -> bool {
    ObjectQuantity::computed().any(|it| it == what)
}

/// Returns `true` if something of an object changes in a run.
fn varies(object: &Object, name: &str) -> bool {
    !object.is_static && ObjectQuantity::by_name(name).is_some()
}
