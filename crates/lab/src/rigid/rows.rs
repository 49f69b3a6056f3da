//! What a recording of rigid bodies contains, and the rows of it.

use super::events::EVENTS;
use super::moment::Moment;
use crate::run::measures::Meter;
use gedanken_dynamics::ComponentId;
use gedanken_experiment::rigid::quantities::{ObjectQuantity as OfObject, WorldQuantity as OfWorld};
use gedanken_experiment::{Experiment, Object, Simulation};
use gedanken_lang::types::Type;
use gedanken_recording::{Constant, Owner, Quantity, Schema};

/// What is recorded, and where it is found.
#[derive(Debug)]
pub(super) struct Rows {
    pub(super) schema: Schema,
    world: Vec<OfWorld>,
    /// By the place of an object in the simulation.
    objects: Vec<Recorded>,
}

/// What is recorded of an object.
#[derive(Debug)]
struct Recorded {
    id: ComponentId,
    cells: Vec<(OfObject, usize)>,
}

impl Rows {
    /// What is recorded of a simulation with these bodies and laws; measures come last.
    pub(super) fn new<'l>(
        experiment: &Experiment,
        simulation: &Simulation,
        bodies: &[(usize, ComponentId)],
        laws: impl Iterator<Item = &'l str>,
        meter: &Meter,
    ) -> Self {
        let names = bodies.iter().map(|&(object, _)| experiment.objects[object].name.clone()).collect();
        let mut schema =
            crate::run::schema_of(simulation, names, EVENTS.map(|(name, _)| name.to_owned()).to_vec());
        let written = |name: &str| experiment.world.iter().any(|it| it.name == name);
        let record = &simulation.record;
        let mut world = Vec::new();
        for (name, what) in OfWorld::all(laws) {
            if !written(&name) && record.has_world_attribute(&name) {
                add(&mut schema, Owner::World, &name, what.ty());
                world.push(what);
            }
        }
        for attribute in experiment.world.iter().filter(|it| it.name != "t") {
            if record.has_world_attribute(&attribute.name) {
                let scalars = attribute.value.scalars().unwrap_or_default();
                let (owner, name, ty) = (Owner::World, attribute.name.clone(), attribute.ty());
                schema.constants.push(Constant { owner, name, ty, scalars });
            }
        }
        let mut objects = Vec::with_capacity(bodies.len());
        for (place, &(index, id)) in bodies.iter().enumerate() {
            let object = &experiment.objects[index];
            let mut cells = Vec::new();
            for (name, ty, what) in varying(object) {
                if record.has_attribute(object, &name) {
                    cells.push((what, ty.scalars().unwrap_or(0)));
                    add(&mut schema, Owner::Object(place), &name, ty);
                }
            }
            for attribute in object.attributes.iter().filter(|it| !varies(object, &it.name)) {
                if record.has_attribute(object, &attribute.name) {
                    let scalars = attribute.value.scalars().unwrap_or_default();
                    let (owner, name, ty) = (Owner::Object(place), attribute.name.clone(), attribute.ty());
                    schema.constants.push(Constant { owner, name, ty, scalars });
                }
            }
            objects.push(Recorded { id, cells });
        }
        for (name, ty) in meter.names().zip(meter.types()) {
            add(&mut schema, Owner::Measure, name, ty.clone());
        }
        Self { schema, world, objects }
    }

    /// All that is recorded of a moment, but measures.
    pub(super) fn whole(&self, moment: &Moment<'_>, out: &mut Vec<f64>) {
        self.some(moment, 0..self.objects.len(), out);
    }

    /// What an event of these objects keeps of a moment, but measures: the world, and the objects by name.
    pub(super) fn part(&self, moment: &Moment<'_>, objects: &[usize], out: &mut Vec<f64>) {
        self.some(moment, objects.iter().copied(), out);
    }

    fn some(&self, moment: &Moment<'_>, objects: impl Iterator<Item = usize>, out: &mut Vec<f64>) {
        self.world.iter().for_each(|&what| moment.of_world(what, out));
        for recorded in objects.map(|object| &self.objects[object]) {
            for &(what, scalars) in &recorded.cells {
                moment.of_object(recorded.id, what, scalars, out);
            }
        }
    }
}

/// What of an object changes in a run, by name.
fn varying(object: &Object) -> Vec<(String, Type, OfObject)> {
    if object.is_static {
        return Vec::new();
    }
    let own = object.attributes.iter().filter_map(|attribute| {
        let what = OfObject::by_name(&attribute.name).filter(|it| !is_computed(*it))?;
        Some((attribute.name.clone(), attribute.ty(), what))
    });
    let computed = OfObject::computed().map(|it| (it.name().to_owned(), it.ty(), it));
    let mut all: Vec<_> = own.chain(computed).collect();
    all.sort_by(|a, b| a.0.cmp(&b.0));
    all
}

fn is_computed(what: OfObject) -> bool {
    OfObject::computed().any(|it| it == what)
}

/// Whether something of an object changes in a run.
fn varies(object: &Object, name: &str) -> bool {
    !object.is_static && OfObject::by_name(name).is_some()
}

fn add(schema: &mut Schema, owner: Owner, name: &str, ty: Type) {
    let start = schema.width();
    schema.quantities.push(Quantity { owner, name: name.to_owned(), ty, context: None, start });
}
