//! Rows of a recording, from what is known at a moment.

use super::measures::Meter;
use super::values::{Input, Values};
use gedanken_recording::{Notice, Owner, Quantity, Schema};
use std::ops::Range;

/// Makes rows: quantities of the world and of objects, then measures.
#[derive(Debug)]
pub(crate) struct Rows {
    /// Numbers of quantities: of the world, and of each object.
    world: Range<usize>,
    objects: Vec<Range<usize>>,
    /// Number of scalars of a row, of each object, and of the world and all measures.
    width: usize,
    object_widths: Vec<usize>,
    shared_width: usize,
    meter: Meter,
    /// Inputs of each measure.
    inputs: Vec<Vec<Input>>,
}

impl Rows {
    /// Rows of a schema whose measures are those of `meter`.
    pub(crate) fn new(schema: &Schema, meter: Meter) -> Self {
        // Quantities stand in the order of their owners.
        let end = |owner: Owner| schema.quantities.partition_point(|it| it.owner <= owner);
        let world = 0..end(Owner::World);
        let mut start = world.end;
        let mut own = |object: usize| {
            let range = start..end(Owner::Object(object));
            start = range.end;
            range
        };
        let objects: Vec<Range<usize>> = (0..schema.objects.len()).map(&mut own).collect();
        let scalars = |quantities: &Range<usize>| -> usize {
            schema.quantities[quantities.clone()].iter().map(Quantity::width).sum()
        };
        let object_widths: Vec<usize> = objects.iter().map(scalars).collect();
        let width = schema.width();
        let shared_width = width - object_widths.iter().sum::<usize>();
        let inputs = (0..meter.len()).map(|measure| meter.inputs(measure)).collect();
        Self { world, objects, width, object_widths, shared_width, meter, inputs }
    }

    /// Replaces `row` by that of a frame.
    pub(crate) fn of_frame(&mut self, values: &dyn Values, row: &mut Vec<f64>, notices: &mut Vec<Notice>) {
        row.clear();
        row.reserve(self.width);
        let end = self.objects.last().map_or(self.world.end, |last| last.end);
        values.recorded(0..end, row);
        self.measures(values, row, notices);
    }

    /// Row of an event of these objects, which stand in it in the order of their names.
    pub(crate) fn of_event(
        &mut self,
        values: &dyn Values,
        objects: &[usize],
        notices: &mut Vec<Notice>,
    ) -> Vec<f64> {
        // Allocated once and no larger than needed: a recording keeps two rows of every event.
        let own: usize = objects.iter().map(|&it| self.object_widths[it]).sum();
        let mut row = Vec::with_capacity(self.shared_width + own);
        let mut add = |quantities: &Range<usize>| values.recorded(quantities.clone(), &mut row);
        add(&self.world);
        match *objects {
            // Most events are of one, or of two.
            [one] => add(&self.objects[one]),
            [one, other] => {
                add(&self.objects[one.min(other)]);
                add(&self.objects[one.max(other)]);
            }
            _ => {
                let mut sorted = objects.to_vec();
                sorted.sort_unstable();
                sorted.iter().for_each(|&it| add(&self.objects[it]));
            }
        }
        self.measures(values, &mut row, notices);
        row
    }

    /// Appends all measures.
    fn measures(&mut self, values: &dyn Values, row: &mut Vec<f64>, notices: &mut Vec<Notice>) {
        let mut read = |object: Option<usize>, name: &str, out: &mut Vec<f64>| {
            values.attribute(object, name, out);
        };
        let is_known = |measure: usize| values.knows(&self.inputs[measure]);
        self.meter.append(values.time(), &mut read, &is_known, row, notices);
    }
}
