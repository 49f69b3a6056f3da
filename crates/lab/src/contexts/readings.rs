//! Values at any instant: recorded quantities are as stored; measures read what is stored, or what the laws
//! that hold now give, asked once for each object.

use super::Engine;
use super::laws::inputs::Target;
use super::rows::{Asked, Rows};
use super::world::{Instant, Known, World};
use crate::run::values::{Input, MAX_OBJECTS_MEASURED_AT_EVENTS, Values};
use std::cell::RefCell;
use std::collections::BTreeMap;

/// One moment of a run.
pub(super) struct Moment<'m, 'e> {
    t: f64,
    world: &'m World<'e>,
    rows: &'m Rows,
    /// `true` if measures have values here.
    is_measured: bool,
    /// Values that have been asked for.
    known: Known,
    asked: RefCell<Asked>,
    read: RefCell<BTreeMap<usize, Vec<f64>>>,
}

impl<'e> Engine<'e> {
    /// Values at `t`, by the laws that hold now.
    pub(super) fn moment_at(&self, t: f64) -> Moment<'_, 'e> {
        let (world, rows) = (&self.world, &self.rows);
        let (known, asked, read) = Default::default();
        Moment { t, world, rows, is_measured: true, known, asked, read }
    }

    /// Values just before or after an event; without measures where these would take looking at many
    /// objects.
    pub(super) fn moment_of_event(&self, t: f64) -> Moment<'_, 'e> {
        Moment { is_measured: self.world.cast.len() <= MAX_OBJECTS_MEASURED_AT_EVENTS, ..self.moment_at(t) }
    }
}

impl Values for Moment<'_, '_> {
    fn time(&self) -> f64 {
        self.t
    }

    fn recorded(&self, quantity: usize, out: &mut Vec<f64>) {
        self.rows.recorded(self.world, quantity, &mut self.asked.borrow_mut(), out);
    }

    fn attribute(&self, object: Option<usize>, name: &str, out: &mut Vec<f64>) {
        let world = self.world;
        let at = Instant { known: Some(&self.known), ..Instant::at(self.t) };
        match object {
            None if name == "t" => out.push(self.t),
            None => {
                let columns = world.cast.world_columns(name);
                out.extend(columns.map(|it| world.world_scalar(&at, it).unwrap_or(f64::NAN)));
            }
            Some(object) => {
                // Indices of the experiment are by name, and so are those of the cast.
                let actor = world.cast.objects.binary_search(&object).unwrap_or(0);
                let field = world.cast.find(actor, name);
                let columns = field.map_or(0..0, |it| it.start..it.start + it.width());
                if world.actors[actor].updated == self.t || world.cast.is_static[actor] {
                    out.extend(columns.map(|it| world.stored(actor, it)));
                    return;
                }
                let mut read = self.read.borrow_mut();
                let row = read.entry(actor).or_insert_with(|| world.row(&at, actor));
                out.extend_from_slice(&row[columns]);
            }
        }
    }

    fn knows(&self, _: &[Input]) -> bool {
        self.is_measured
    }
}

impl World<'_> {
    /// All scalars of an actor's attributes at an instant, by the laws that hold for it; NaN where these
    /// fail.
    fn row(&self, at: &Instant<'_>, actor: usize) -> Vec<f64> {
        let place = self.cast.places[actor];
        let mut row: Vec<f64> = self.stored[place.class].iter().map(|column| column[place.row]).collect();
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
                    row[column..column + width].copy_from_slice(own);
                }
            }
        }
        for column in laws.rates.iter().flat_map(|it| it.columns()) {
            row[column] = self.scalar(at, actor, column).unwrap_or(f64::NAN);
        }
        row
    }
}
