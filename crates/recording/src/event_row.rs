//! The rows of events, which are cut down to the world, those who take part, and measures.
//!
//! What is kept of a row are whole stretches, since every owner's quantities are one; nobody else counts
//! offsets.

use crate::columns::Place;
use crate::event::Event;
use crate::schema::{Owner, Schema};
use crate::selection::Selection;
use crate::value::value_of;
use gedanken_lang::value::Value;
use std::io;
use std::ops::Range;

/// One side of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Moment {
    /// Just before it.
    Before,
    /// Just after it.
    After,
}

impl Event {
    /// Its values at one side.
    pub fn row(&self, moment: Moment) -> &[f64] {
        match moment {
            Moment::Before => &self.before,
            Moment::After => &self.after,
        }
    }

    /// A measurement of the engine, by name.
    pub fn given(&self, name: &str) -> Option<&[f64]> {
        self.given.iter().find(|(it, _)| it == name).map(|(_, reals)| reals.as_slice())
    }
}

impl Schema {
    /// The stretch of a row that is one owner's.
    fn stretch(&self, owner: Owner) -> Range<usize> {
        let owned = self.owned(owner);
        match (owned.first(), owned.last()) {
            (Some(first), Some(last)) => first.start..last.end(),
            _ => 0..0,
        }
    }

    /// The owners whose values an event of these objects has, in the order of its rows.
    pub(super) fn owners(objects: &[usize]) -> Vec<Owner> {
        let mut taking_part = objects.to_vec();
        taking_part.sort_unstable();
        taking_part.dedup();
        let objects = taking_part.into_iter().map(Owner::Object);
        [Owner::World].into_iter().chain(objects).chain([Owner::Measure]).collect()
    }

    /// Number of reals in a row of an event of these objects.
    pub fn event_width(&self, objects: &[usize]) -> usize {
        Self::owners(objects).into_iter().map(|owner| self.stretch(owner).len()).sum()
    }

    /// Puts what an event of these objects kept back into a row; the values of all others stay.
    pub fn paste(&self, kept: &[f64], objects: &[usize], row: &mut [f64]) {
        let mut rest = kept;
        for owner in Self::owners(objects) {
            let stretch = self.stretch(owner);
            let (these, others) = rest.split_at(stretch.len());
            row[stretch].copy_from_slice(these);
            rest = others;
        }
    }

    /// Position in the rows of an event of a place in a whole row; `None` if its owner does not take part.
    pub fn event_place(&self, objects: &[usize], place: usize) -> Option<usize> {
        let mut start = 0;
        for owner in Self::owners(objects) {
            let stretch = self.stretch(owner);
            if stretch.contains(&place) {
                return Some(start + place - stretch.start);
            }
            start += stretch.len();
        }
        None
    }

    /// Returns `true` if one of these places is known at an event: its owner takes part, or it is a constant.
    pub fn takes_part(&self, event: &Event, places: &[Place]) -> bool {
        places.iter().any(|place| match *place {
            Place::Row(place) => self.event_place(&event.objects, place).is_some(),
            Place::Constant { .. } => true,
        })
    }

    /// A scalar at one side of an event: the first of `places` that has a value; NaN if none has.
    pub fn event_scalar(&self, event: &Event, moment: Moment, places: &[Place]) -> f64 {
        let scalar = |place: Place| match place {
            Place::Row(place) => {
                let place = self.event_place(&event.objects, place)?;
                event.row(moment).get(place).copied()
            }
            Place::Constant { .. } => Some(self.constant_scalar(place)),
        };
        places.iter().filter_map(|&place| scalar(place)).find(|it| !it.is_nan()).unwrap_or(f64::NAN)
    }

    /// A value at one side of an event; `None` if it has none there, or if its owner does not take part.
    pub fn event_value(&self, event: &Event, moment: Moment, what: &Selection) -> Option<Value> {
        let scalars = (0..what.width()).map(|it| self.event_scalar(event, moment, &what.scalar(it)));
        value_of(&what.ty, &scalars.collect::<Vec<f64>>())
    }

    /// Checks that an event is one of this schema.
    ///
    /// # Errors
    /// It names an object or a context that there is not, or has not as many values as its objects ask for.
    pub(super) fn check_event(&self, event: &Event) -> io::Result<()> {
        let known = event.objects.iter().all(|&it| it < self.objects.len())
            && event.context.is_none_or(|it| it < self.contexts.len());
        let width = self.event_width(&event.objects);
        if known && event.before.len() == width && event.after.len() == width {
            return Ok(());
        }
        let why = format!("event {} does not fit the recording's schema", event.index);
        Err(io::Error::new(io::ErrorKind::InvalidInput, why))
    }

    /// Checks that a row is one of this schema.
    ///
    /// # Errors
    /// It has too few or too many reals.
    pub(super) fn check_row(&self, row: &[f64]) -> io::Result<()> {
        if row.len() == self.width() {
            return Ok(());
        }
        let why = format!("a frame has {} values, and the recording's schema {}", row.len(), self.width());
        Err(io::Error::new(io::ErrorKind::InvalidInput, why))
    }
}
