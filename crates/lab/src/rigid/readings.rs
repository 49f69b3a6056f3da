//! Sources of the attributes that measures of rigid bodies read.

use super::source::Source;
use crate::run::measures::Meter;
use crate::run::values::Input;
use gedanken_experiment::Experiment;
use gedanken_experiment::rigid::quantities::{ObjectQuantity, StepKind, WorldQuantity};
use std::collections::BTreeMap;

/// Source of every attribute that measures read, in a simulation with these bodies and laws.
pub(super) fn readings<'l, Id: Copy>(
    experiment: &Experiment,
    bodies: &[(usize, Id)],
    laws: impl Iterator<Item = &'l str>,
    steps: StepKind,
    meter: &Meter,
) -> BTreeMap<Input, Source<Id>> {
    let of_world: BTreeMap<String, WorldQuantity> = WorldQuantity::all(laws, steps).into_iter().collect();
    let source = |object: Option<usize>, name: &str| {
        let Some(index) = object else {
            let written = experiment.world.iter().find(|it| it.name == name);
            return match (name, written, of_world.get(name)) {
                ("t", _, _) => Source::Time,
                (_, Some(written), _) => Source::Constant(written.value.scalars().unwrap_or_default()),
                (_, None, Some(what)) => Source::WorldQuantity(*what),
                (_, None, None) => Source::Constant(idle(name)),
            };
        };
        let object = &experiment.objects[index];
        let body = bodies.iter().find(|(known, _)| *known == index).map(|(_, id)| *id);
        let attribute = object.attribute(name);
        match (ObjectQuantity::by_name(name).filter(|_| !object.is_static), body) {
            (Some(what), Some(id)) => {
                let ty = match what {
                    ObjectQuantity::Orientation => attribute.map_or(what.ty(), |it| it.ty()),
                    _ => what.ty(),
                };
                Source::ObjectQuantity(id, what, ty.scalars().unwrap_or(0))
            }
            _ => Source::Constant(attribute.and_then(|it| it.value.scalars()).unwrap_or_default()),
        }
    };
    let inputs = (0..meter.len()).flat_map(|measure| meter.inputs(measure));
    inputs.map(|(object, name)| ((object, name.clone()), source(object, &name))).collect()
}

/// Work or impulse of a law that does not act in this simulation: none.
fn idle(name: &str) -> Vec<f64> {
    vec![0.0; if name.starts_with("impulse_of_") { 3 } else { 1 }]
}
