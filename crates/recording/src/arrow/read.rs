//! A recording put together from its two tables.

use super::error::ReadError;
use super::frame_table::{LEADING_COLUMNS, head, places};
use super::read_events::add_events;
use super::read_messages::TableReader;
use super::schema_metadata::schema_of;
use super::table::{Cells, ColumnHead};
use crate::columns::Place;
use crate::recording::Recording;
use crate::sink::{Frame, Sink};
use std::io::Read;

/// A recording that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The recording as far as it goes.
    pub recording: Recording,
    /// `true` if a table ended without saying so: the run goes on, or it was cut, or the copy was. All whole
    /// batches are there.
    pub cut: bool,
}

/// Reads a recording from its tables of frames and of events, each a stream or a file, whole or cut. Events
/// that happened after a frame that is missing are left out.
///
/// # Errors
/// If it is no recording, or a damaged one; not if it is cut after its description.
pub fn read_arrow(frames: impl Read, events: impl Read) -> Result<Reading, ReadError> {
    let mut table = TableReader::new(frames)?;
    let schema = schema_of(&table.head.metadata)?;
    // One column for every scalar is looked at before names are made, whose number a description could make
    // up.
    let scalars = schema.constants.iter().map(|it| it.scalars.len()).sum::<usize>();
    let expected = LEADING_COLUMNS.checked_add(scalars).and_then(|it| it.checked_add(schema.width()));
    if expected != Some(table.head.columns.len()) || !agree(&head(&schema).columns, &table.head.columns) {
        return Err(ReadError::damaged("its columns are not those that it describes"));
    }
    let mut recording = Recording::new(schema);
    let places = places(&recording.schema);
    while let Some(batch) = table.next()? {
        add_frames(&mut recording, &places, batch)?;
    }
    let events_cut = match TableReader::new(events) {
        Ok(mut table) => {
            add_events(&mut recording, &mut table)?;
            table.is_cut
        }
        Err(ReadError::CutInHeader) => true,
        Err(other) => return Err(other),
    };
    Ok(Reading { recording, cut: table.is_cut || events_cut })
}

/// Returns `true` if names and kinds are the same; other programs that save a table may forget the rest.
pub(super) fn agree(a: &[ColumnHead], b: &[ColumnHead]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name && a.kind == b.kind)
}

pub(super) fn mixed_up() -> ReadError {
    ReadError::damaged("its columns are mixed up")
}

fn add_frames(recording: &mut Recording, places: &[Place], batch: Vec<Cells>) -> Result<(), ReadError> {
    let mut columns = batch.into_iter();
    let (
        Some(Cells::Reals(times)),
        Some(Cells::Counts(indices)),
        Some(Cells::Counts(hashes)),
        Some(Cells::Bytes(keyframes)),
    ) = (columns.next(), columns.next(), columns.next(), columns.next())
    else {
        return Err(mixed_up());
    };
    let width = recording.schema.width();
    let mut rows = vec![f64::NAN; width * times.len()];
    for (column, place) in columns.zip(places) {
        let Cells::Reals(reals) = column else { return Err(mixed_up()) };
        if let Place::Row(place) = *place {
            for (cell, real) in rows.iter_mut().skip(place).step_by(width).zip(reals) {
                *cell = real;
            }
        }
    }
    for (number, keyframe) in keyframes.iter().enumerate() {
        recording.frame(Frame {
            index: indices[number],
            time: times[number],
            row: &rows[number * width..][..width],
            hash: hashes[number],
            keyframe: keyframe.as_deref(),
        })?;
    }
    Ok(())
}
