//! Measures of a workflow: totals over the columns of a state.

use super::columns::Columns;
use super::layout::scalar;
use crate::run::FEW;
use crate::run::measures::Meter;
use gedanken_dynamics::State;
use gedanken_experiment::{Experiment, Simulation};
use gedanken_recording::Notice;
use std::collections::BTreeMap;

/// Takes the measures of a simulation from its states.
#[derive(Debug)]
pub(super) struct Measures {
    meter: Meter,
    /// For every attribute that is read, and every row in which it is read, the columns of its scalars: a
    /// sphere's size is in one column, a cuboid's in three.
    columns: BTreeMap<String, BTreeMap<usize, Vec<usize>>>,
    /// The row of each object of the experiment, by its index.
    rows: Vec<usize>,
    /// Whether there are few enough objects to measure at every event.
    at_events: bool,
}

impl Measures {
    pub(super) fn new(
        experiment: &Experiment,
        simulation: &Simulation,
        columns: &Columns,
        native: bool,
    ) -> Self {
        let meter = Meter::new(experiment, simulation).natively(native);
        let mut read: BTreeMap<String, BTreeMap<usize, Vec<usize>>> = BTreeMap::new();
        for (object, name) in (0..meter.len()).flat_map(|measure| meter.inputs(measure)) {
            let attribute = match object {
                Some(object) => experiment.objects[object].attribute(&name),
                None => experiment.world.iter().find(|it| it.name == name),
            };
            let found = attribute.map(|it| columns.of(&name, &it.ty())).unwrap_or_default();
            read.entry(name).or_default().insert(columns.row(object), found);
        }
        let rows = (0..experiment.objects.len()).map(|object| columns.row(Some(object))).collect();
        Self { meter, columns: read, rows, at_events: simulation.objects.len() <= FEW }
    }

    /// Which they are.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// Appends all measures of a state to a row. One without a value is NaN there, and the first time, a
    /// notice.
    pub(super) fn append(&mut self, time: f64, state: &State, row: &mut Vec<f64>, notices: &mut Vec<Notice>) {
        let Self { meter, columns, rows, .. } = self;
        let mut read = |object: Option<usize>, attribute: &str, out: &mut Vec<f64>| {
            if object.is_none() && attribute == "t" {
                return out.push(time);
            }
            let place = object.map_or(0, |object| rows[object]);
            let found = columns.get(attribute).and_then(|of| of.get(&place));
            out.extend(found.into_iter().flatten().map(|&column| scalar(state, column, place)));
        };
        meter.append(time, &mut read, row, notices);
    }

    /// As [`append`](Self::append), at an event; without values where that would take looking at many
    /// objects.
    pub(super) fn append_at_event(
        &mut self,
        time: f64,
        state: &State,
        row: &mut Vec<f64>,
        notices: &mut Vec<Notice>,
    ) {
        if self.at_events {
            return self.append(time, state, row, notices);
        }
        let width = self.meter.types().map(|ty| ty.scalars().unwrap_or(0)).sum();
        row.extend(std::iter::repeat_n(f64::NAN, width));
    }
}
