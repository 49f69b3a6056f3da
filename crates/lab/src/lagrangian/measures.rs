//! Measures of a Lagrangian: totals over what is known at a moment.

use super::rows::{Moment, Placed, Rows, Source};
use crate::run::measures::Meter;
use gedanken_experiment::{Experiment, Lagrangian, Simulation};
use gedanken_recording::Notice;
use std::collections::BTreeMap;

/// Takes the measures of a simulation.
#[derive(Debug)]
pub(super) struct Measures {
    meter: Meter,
    /// For every attribute that is read, of whom, and what it is.
    sources: BTreeMap<(Option<usize>, String), Read>,
}

/// What an attribute is.
#[derive(Debug)]
enum Read {
    Time,
    Constant(Vec<f64>),
    Given(Source),
    Placed(Placed),
}

impl Measures {
    pub(super) fn new(experiment: &Experiment, simulation: &Simulation, native: bool) -> Self {
        Self { meter: Meter::new(experiment, simulation).natively(native), sources: BTreeMap::new() }
    }

    /// Which they are.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Finds out where everything is that they read.
    pub(super) fn look_up(&mut self, experiment: &Experiment, lagrangian: &Lagrangian, rows: &Rows) {
        let source = |object: Option<usize>, name: &str| match object {
            None if name == "t" => Read::Time,
            None => {
                let written = experiment.world.iter().find(|it| it.name == name);
                let parameter = lagrangian.parameters.iter().find(|it| it.name == name);
                match (written, rows.source(name), parameter) {
                    (Some(written), ..) => Read::Constant(written.value.scalars().unwrap_or_default()),
                    (None, Some(source), _) => Read::Given(source.clone()),
                    (None, None, parameter) => {
                        Read::Constant(parameter.map(|it| it.value).into_iter().collect())
                    }
                }
            }
            Some(index) => match rows.placed(index, name) {
                Some(placed) => Read::Placed(placed.clone()),
                None => {
                    let attribute = experiment.objects[index].attribute(name);
                    Read::Constant(attribute.and_then(|it| it.value.scalars()).unwrap_or_default())
                }
            },
        };
        for measure in 0..self.meter.len() {
            for (object, name) in self.meter.inputs(measure) {
                let found = source(object, &name);
                self.sources.insert((object, name), found);
            }
        }
    }

    /// Appends all measures of a moment. One without a value is NaN there, and the first time, a notice.
    pub(super) fn append(&mut self, moment: &Moment, row: &mut Vec<f64>, notices: &mut Vec<Notice>) {
        let Self { meter, sources } = self;
        let mut read = |object: Option<usize>, name: &str, out: &mut Vec<f64>| match sources
            .get(&(object, name.to_owned()))
        {
            Some(Read::Time) => out.push(moment.time),
            Some(Read::Constant(scalars)) => out.extend(scalars),
            Some(Read::Given(source)) => source.append(moment, out),
            Some(Read::Placed(placed)) => placed.append(moment, out),
            None => {}
        };
        meter.append(moment.time, &mut read, row, notices);
    }
}
