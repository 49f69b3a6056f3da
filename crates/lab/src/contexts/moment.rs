//! One moment of a run: recorded quantities are as stored. Measures read stored values, or those that the laws
//! give that hold now; the laws of each object run at most once.

use super::Engine;
use super::ids::{ActorId, Column, ColumnId, Id, ObjectId, Table};
use super::laws::inputs::Target;
use super::rows::Rows;
use super::world::{Instant, LawCache, World};
use crate::run::values::{Input, MAX_OBJECTS_MEASURED_AT_EVENTS, Values};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

/// One moment of a run.
pub(super) struct Moment<'m, 'e> {
    t: f64,
    world: &'m World<'e>,
    rows: &'m Rows,
    /// `true` if measures have values here.
    is_measured: bool,
    /// Values that have been computed.
    known: LawCache,
    attributes: RefCell<BTreeMap<ActorId, Table<ColumnId, f64>>>,
}

impl<'e> Engine<'e> {
    /// Values at `t`, by the laws that hold now.
    pub(super) fn moment_at(&self, t: f64) -> Moment<'_, 'e> {
        let (world, rows) = (&self.world, &self.rows);
        let (known, attributes) = Default::default();
        Moment { t, world, rows, is_measured: true, known, attributes }
    }

    /// Values just before or after an event; without measures where these would read many objects.
    pub(super) fn moment_of_event(&self, t: f64) -> Moment<'_, 'e> {
        Moment { is_measured: self.world.layout.len() <= MAX_OBJECTS_MEASURED_AT_EVENTS, ..self.moment_at(t) }
    }
}

impl Values for Moment<'_, '_> {
    fn time(&self) -> f64 {
        self.t
    }

    fn recorded(&self, quantities: Range<usize>, out: &mut Vec<f64>) {
        self.rows.recorded(self.world, quantities, out);
    }

    fn attribute(&self, object: Option<usize>, name: &str, out: &mut Vec<f64>) {
        let world = self.world;
        let at = Instant { known: Some(&self.known), ..Instant::at(self.t) };
        match object {
            None if name == "t" => out.push(self.t),
            None => {
                let columns = world.layout.world_field(name).columns();
                out.extend(columns.map(|it| world.world_scalar(&at, it).unwrap_or(f64::NAN)));
            }
            Some(object) => {
                let actor = world.layout.actor_of(ObjectId::new(object)).unwrap_or_default();
                let field = world.layout.find(actor, name);
                let columns = field.map_or((ColumnId::default(), 0), |it| (it.start, it.width()));
                if world.actors[actor].updated == self.t || world.layout.is_static[actor] {
                    out.extend(columns.0.span(columns.1).map(|it| world.stored(actor, it)));
                    return;
                }
                let mut attributes = self.attributes.borrow_mut();
                let row = attributes.entry(actor).or_insert_with(|| world.row(&at, actor));
                out.extend_from_slice(row.slice(columns.0, columns.1));
            }
        }
    }

    fn knows(&self, _: &[Input]) -> bool {
        self.is_measured
    }
}

impl World<'_> {
    /// Returns all scalars of an actor's attributes at an instant, by the laws that hold for it; NaN where
    /// these fail.
    fn row(&self, at: &Instant<'_>, actor: ActorId) -> Table<ColumnId, f64> {
        let place = self.layout.rows[actor];
        let mut row: Table<ColumnId, f64> =
            self.stored[place.class].iter().map(|column| column[place.index]).collect();
        let Some(id) = self.actors[actor].laws else { return row };
        let laws = &self.laws[id];
        if let Some(program) = &laws.laws {
            let mut out = vec![0.0; program.width];
            if self.run(at, actor, id, program, &mut out).is_err() {
                out.fill(f64::NAN);
            }
            let mut values = &out[..];
            for &(target, width) in &program.targets {
                let (own, rest) = values.split_at(width);
                values = rest;
                if let Target::Stored { column, .. } = target {
                    row.slice_mut(column, width).copy_from_slice(own);
                }
            }
        }
        for column in laws.rates.iter().flat_map(|it| it.columns()) {
            row[column] = self.scalar(at, actor, column).unwrap_or(f64::NAN);
        }
        row
    }
}
