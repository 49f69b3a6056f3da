//! One moment of a workflow: the scalars of a state, as they are recorded and as measures read them.

use super::columns::Columns;
use super::layout::{Layout, scalar};
use crate::run::measures::Meter;
use crate::run::values::{Input, MAX_OBJECTS_MEASURED_AT_EVENTS, Values};
use gedanken_dynamics::State;
use gedanken_experiment::{Experiment, Simulation};
use std::collections::BTreeMap;
use std::ops::Range;

/// Columns that measures read.
#[derive(Debug)]
pub(super) struct Readings {
    /// For every attribute that is read, and every row in which it is read, the columns of its scalars: a
    /// sphere's size is in one column, a cuboid's in three.
    columns: BTreeMap<String, BTreeMap<usize, Vec<usize>>>,
    /// Row of each object of the experiment, by its index.
    rows: Vec<usize>,
    /// `true` if there are few enough objects to measure at every event.
    at_events: bool,
}

impl Readings {
    /// Columns that the measures of a simulation read.
    pub(super) fn new(
        experiment: &Experiment,
        simulation: &Simulation,
        columns: &Columns,
        meter: &Meter,
    ) -> Self {
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
        Self { columns: read, rows, at_events: simulation.objects.len() <= MAX_OBJECTS_MEASURED_AT_EVENTS }
    }
}

/// One moment of a run.
pub(super) struct Moment<'m> {
    pub(super) time: f64,
    pub(super) state: &'m State,
    pub(super) layout: &'m Layout,
    pub(super) readings: &'m Readings,
    /// `true` just before or after an event, `false` at a frame.
    pub(super) is_event: bool,
}

impl Values for Moment<'_> {
    fn time(&self) -> f64 {
        self.time
    }

    fn recorded(&self, quantities: Range<usize>, out: &mut Vec<f64>) {
        // Quantities that follow each other have scalars that follow each other.
        let quantities = &self.layout.schema.quantities[quantities];
        if let (Some(first), Some(last)) = (quantities.first(), quantities.last()) {
            out.extend(self.layout.recorded.some(first.start..last.end(), self.state));
        }
    }

    fn attribute(&self, object: Option<usize>, name: &str, out: &mut Vec<f64>) {
        if object.is_none() && name == "t" {
            return out.push(self.time);
        }
        let Readings { columns, rows, .. } = self.readings;
        let row = object.map_or(0, |object| rows[object]);
        let found = columns.get(name).and_then(|of| of.get(&row));
        out.extend(found.into_iter().flatten().map(|&column| scalar(self.state, column, row)));
    }

    /// At an event, everything if that does not take looking at many objects.
    fn knows(&self, _: &[Input]) -> bool {
        !self.is_event || self.readings.at_events
    }
}
