//! Layout of recordings of a workflow: quantities, and the places of their scalars in the state.

use super::columns::stored;
use super::plan::Plan;
use crate::run::measures::Meter;
use crate::run::schema::{add_constant, add_measures, schema_of};
use gedanken_dynamics::{State, Values};
use gedanken_experiment::{Attribute, Object, Simulation, Verb};
use gedanken_recording::{Owner, Quantity, Schema};
use std::collections::BTreeSet;
use std::ops::Range;

/// Column and row of scalars, in their order.
#[derive(Debug, Default)]
pub(super) struct Places(Vec<(usize, usize)>);

/// Quantities that are recorded, and those that are saved. Attributes that no rule changes are constant.
#[derive(Debug)]
pub(super) struct Layout {
    pub(super) schema: Schema,
    /// Places of a recorded row; measures come after it.
    pub(super) recorded: Places,
    /// Everything that rules change, recorded or not.
    pub(super) changing: Vec<Quantity>,
    /// Its places.
    pub(super) kept: Places,
}

/// Layout of the recordings of a simulation.
pub(super) fn layout(
    plan: &Plan<'_>,
    world: &[Attribute],
    objects: &[Object],
    simulation: &Simulation,
    meter: &Meter,
) -> Layout {
    let mut changed: BTreeSet<(usize, &str)> = BTreeSet::new();
    for group in plan.leaves.iter().flat_map(|leaf| &leaf.checked.groups) {
        for cell in group.cells.iter().filter(|cell| cell.verb != Verb::Reads) {
            let own = group.objects.iter().map(|&object| plan.columns.row(Some(object)));
            let rows: Vec<usize> = if cell.of_world { vec![0] } else { own.collect() };
            changed.extend(rows.into_iter().map(|row| (row, cell.attribute.as_str())));
        }
    }
    let mut events: Vec<String> =
        plan.leaves.iter().filter(|leaf| leaf.rule.is_event).map(|leaf| leaf.rule.name.clone()).collect();
    events.sort_unstable();
    events.dedup();
    let names = simulation.objects.iter().map(|&index| objects[index].name.clone()).collect();
    let mut schema = schema_of(simulation, names, events);
    let record = &simulation.record;
    let own = simulation.objects.iter().enumerate().flat_map(|(place, &index)| {
        let object = &objects[index];
        object
            .attributes
            .iter()
            .map(move |it| (place + 1, Owner::Object(place), it, record.has_attribute(object, &it.name)))
    });
    let of_world = stored(world).map(|it| (0, Owner::World, it, record.has_world_attribute(&it.name)));
    let (mut recorded, mut changing, mut kept) = (Places::default(), Vec::new(), Places::default());
    for (row, owner, attribute, is_recorded) in of_world.chain(own) {
        if changed.contains(&(row, attribute.name.as_str())) {
            let (name, ty) = (attribute.name.clone(), attribute.ty());
            let columns = plan.columns.of(&name, &ty);
            let mut quantity = Quantity { owner, name, ty, context: None, start: kept.0.len() };
            changing.push(quantity.clone());
            kept.add(&columns, row);
            if is_recorded {
                quantity.start = recorded.0.len();
                schema.quantities.push(quantity);
                recorded.add(&columns, row);
            }
        } else if is_recorded {
            add_constant(&mut schema, owner, attribute);
        }
    }
    add_measures(&mut schema, meter);
    Layout { schema, recorded, changing, kept }
}

impl Places {
    fn add(&mut self, columns: &[usize], row: usize) {
        self.0.extend(columns.iter().map(|&column| (column, row)));
    }

    /// Scalars that stand at some of the places.
    pub(super) fn some<'s>(
        &'s self,
        which: Range<usize>,
        state: &'s State,
    ) -> impl Iterator<Item = f64> + 's {
        self.0[which].iter().map(|&(column, row)| scalar(state, column, row))
    }

    /// Number of places.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        self.0.iter().copied()
    }
}

/// The scalar that stands in a column and a row.
pub(super) fn scalar(state: &State, column: usize, row: usize) -> f64 {
    match state.columns()[column].values() {
        Values::Real(values) => values[row],
        _ => unreachable!("the columns of a workflow are reals"),
    }
}
