//! Measures at any instant, from stored values or from the laws that hold now. The laws of each object run at
//! most once.

use super::Engine;
use super::ids::{ActorId, Column, ColumnId, Id, ObjectId, Table};
use super::laws::inputs::Target;
use super::world::{Instant, LawCache, World};
use crate::run::options::{FEW, Stop};
use gedanken_recording::Sink;

impl Engine<'_> {
    /// Returns all measures at `t`, by the laws that hold now.
    pub(super) fn measures(&mut self, t: f64, sink: &mut dyn Sink) -> Result<Vec<f64>, Stop> {
        let mut totals = Vec::new();
        if self.meter.is_empty() {
            return Ok(totals);
        }
        let world = &self.world;
        let known = LawCache::default();
        let at = Instant { known: Some(&known), ..Instant::at(t) };
        let mut rows: Table<ActorId, Option<Table<ColumnId, f64>>> = Table::filled(None, world.layout.len());
        let mut read = |object: Option<usize>, attribute: &str, out: &mut Vec<f64>| match object {
            None if attribute == "t" => out.push(t),
            None => {
                let columns = world.layout.world_field(attribute).columns();
                out.extend(columns.map(|it| world.world_scalar(&at, it).unwrap_or(f64::NAN)));
            }
            Some(object) => {
                let actor = world.layout.actor_of(ObjectId::new(object)).unwrap_or_default();
                let field = world.layout.find(actor, attribute);
                let columns = field.map_or((ColumnId::default(), 0), |it| (it.start, it.width()));
                if world.actors[actor].updated == t || world.layout.is_static[actor] {
                    out.extend(columns.0.span(columns.1).map(|it| world.stored(actor, it)));
                    return;
                }
                let row = rows[actor].get_or_insert_with(|| world.row(&at, actor));
                out.extend_from_slice(row.slice(columns.0, columns.1));
            }
        };
        let mut notices = Vec::new();
        self.meter.append(t, &mut read, &mut totals, &mut notices);
        for notice in notices {
            self.notice(notice.message.clone(), notice.time, notice.message, sink)?;
        }
        Ok(totals)
    }

    /// Returns all measures at an event; NaN if that would read many objects.
    pub(super) fn measures_at_event(&mut self, t: f64, sink: &mut dyn Sink) -> Result<Vec<f64>, Stop> {
        if self.world.layout.len() <= FEW {
            return self.measures(t, sink);
        }
        let width = self.meter.types().map(|ty| ty.scalars().unwrap_or(0)).sum();
        Ok(vec![f64::NAN; width])
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
