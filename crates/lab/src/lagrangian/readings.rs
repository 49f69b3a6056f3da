//! Sources of the attributes that measures of a Lagrangian read.

use super::rows::{Rows, Source};
use crate::run::measures::Meter;
use crate::run::values::Input;
use gedanken_experiment::{Experiment, Lagrangian};
use std::collections::BTreeMap;

/// Source of every attribute that measures read.
pub(super) fn readings(
    experiment: &Experiment,
    lagrangian: &Lagrangian,
    rows: &Rows,
    meter: &Meter,
) -> BTreeMap<Input, Source> {
    let source = |object: Option<usize>, name: &str| match object {
        None if name == "t" => Source::Time,
        None => {
            let written = experiment.world.iter().find(|it| it.name == name);
            let parameter = lagrangian.parameters.iter().find(|it| it.name == name);
            match (written, rows.source(name), parameter) {
                (Some(written), ..) => Source::Constant(written.value.scalars().unwrap_or_default()),
                (None, Some(source), _) => source.clone(),
                (None, None, parameter) => {
                    Source::Constant(parameter.map(|it| it.value).into_iter().collect())
                }
            }
        }
        Some(index) => match rows.placed(index, name) {
            Some(placed) => Source::Placed(placed.clone()),
            None => {
                let attribute = experiment.objects[index].attribute(name);
                Source::Constant(attribute.and_then(|it| it.value.scalars()).unwrap_or_default())
            }
        },
    };
    let inputs = (0..meter.len()).flat_map(|measure| meter.inputs(measure));
    inputs.map(|(object, name)| ((object, name.clone()), source(object, &name))).collect()
}
