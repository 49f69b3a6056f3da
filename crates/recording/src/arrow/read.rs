//! A recording put together from its two tables.

use super::checksum;
use super::error::{Damage, Flaw, ReadError, RowsError, Spot, has_checksums};
use super::frame_table::{LEADING_COLUMNS, head, places};
use super::read_end::End;
use super::read_events::EventsReader;
use super::read_messages::TableReader;
use super::schema_metadata::{RECORDING, Table, schema_of};
use super::table::{Cells, agree};
use crate::columns::Place;
use crate::recording::Recording;
use crate::sink::{CONTACT_SCALARS, Frame, Sink};
use std::io::Read;

/// A recording that was read.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The recording as far as it goes.
    pub recording: Recording,
    /// `true` if a table ended without saying so: the run goes on, or it was cut, or the copy was. All whole
    /// batches are there.
    pub cut: bool,
    /// What is known of the table of frames.
    pub frames: TableState,
    /// What is known of the table of events; `None` if it ends before its description does.
    pub events: Option<TableState>,
}

/// What is known of a table that was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableState {
    /// Version of the format. Tables of version 1 have no checksums.
    pub format: u32,
    /// Number of rows whose checksums fit.
    pub checked_rows: u64,
    /// Completeness.
    pub end: End,
}

impl TableState {
    fn of<R>(table: &TableReader<R>) -> Self {
        let checked_rows = table.chain.map_or(0, |chain| chain.rows);
        Self { format: table.format, checked_rows, end: table.end }
    }

    /// Returns `true` if every row was verified by a checksum.
    pub fn is_verified(&self) -> bool {
        has_checksums(self.format)
    }
}

/// Reads a recording from its tables of frames and of events, each a stream or a file, whole or cut. Events
/// that happened after a frame that is missing are left out.
///
/// # Errors
/// If it is no recording, or a damaged one, with the part that is good; not if it is cut after its
/// description.
pub fn read_arrow(frames: impl Read, events: impl Read) -> Result<Reading, ReadError> {
    let mut table = TableReader::new(frames)?;
    let mut recording = described(&table)?;
    let mut flaws = Vec::new();
    if let Err(error) = add_all_frames(&mut recording, &mut table) {
        flaws.push(error.into_flaw(Table::Frames, Spot::Frame(recording.frames()))?);
    }
    let events = add_events(&mut recording, events, &table, &mut flaws)?;
    if !flaws.is_empty() {
        let format = Some(table.format);
        return Err(ReadError::Damaged(Box::new(Damage { flaws, good: Some(recording), format })));
    }
    let frames = TableState::of(&table);
    let is_cut = |state: &TableState| matches!(state.end, End::Cut { .. });
    let cut = is_cut(&frames) || events.as_ref().is_none_or(is_cut);
    Ok(Reading { recording, cut, frames, events })
}

/// An empty recording of what the table of frames describes.
fn described<R: Read>(table: &TableReader<R>) -> Result<Recording, ReadError> {
    if table.table != Table::Frames {
        return Err(ReadError::NotARecording("it is a table of events, not of frames".to_owned()));
    }
    let schema = schema_of(&table.head.metadata)?;
    // One column for every scalar is looked at before names are made, whose number a description could make
    // up.
    let scalars = schema.constants.iter().map(|it| it.scalars.len()).sum::<usize>();
    let expected = LEADING_COLUMNS.checked_add(scalars).and_then(|it| it.checked_add(schema.width()));
    let expected = expected.and_then(|it| it.checked_add(usize::from(schema.contacts)));
    if expected != Some(table.head.columns.len()) || !agree(&head(&schema).columns, &table.head.columns) {
        let error = RowsError::damaged("its columns are not those that it describes");
        return Err(error.into_error(Table::Frames, Spot::Description));
    }
    Ok(Recording::new(schema))
}

/// Adds the events of a second table, as far as they are good. Frames whose events are not all known are
/// taken from a recording that is damaged there.
fn add_events<R: Read>(
    recording: &mut Recording,
    events: impl Read,
    frames: &TableReader<R>,
    flaws: &mut Vec<Flaw>,
) -> Result<Option<TableState>, ReadError> {
    let mut table = match TableReader::new(events) {
        Ok(table) => table,
        Err(ReadError::CutInHeader) => return Ok(None),
        Err(ReadError::Damaged(damage)) => {
            flaws.extend(damage.flaws);
            recording.truncate(0);
            return Ok(None);
        }
        Err(other) => return Err(other),
    };
    let mut reader = EventsReader::new(&recording.schema, &table)?;
    let of_frames = frames.head.metadata.get(checksum::KEY);
    if table.chain.is_some() && of_frames != table.head.metadata.get(RECORDING) {
        let what = "they are those of another recording".to_owned();
        flaws.push(Flaw { table: Table::Events, at: Spot::Description, what });
        recording.truncate(0);
        return Ok(None);
    }
    if let Err(error) = reader.add_all(recording, &mut table) {
        flaws.push(error.into_flaw(Table::Events, Spot::Event(reader.events))?);
        recording.truncate(reader.known_frames.min(recording.frames()));
    }
    Ok(Some(TableState::of(&table)))
}

fn add_all_frames<R: Read>(recording: &mut Recording, table: &mut TableReader<R>) -> Result<(), RowsError> {
    let places = places(&recording.schema);
    while let Some(batch) = table.next()? {
        add_frames(recording, &places, batch)?;
    }
    Ok(())
}

fn add_frames(recording: &mut Recording, places: &[Place], batch: Vec<Cells>) -> Result<(), RowsError> {
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
    for (place, column) in places.iter().zip(columns.by_ref()) {
        let Cells::Reals(reals) = column else { return Err(mixed_up()) };
        if let Place::Row(place) = *place {
            for (cell, real) in rows.iter_mut().skip(place).step_by(width).zip(reals) {
                *cell = real;
            }
        }
    }
    let contacts = contacts_of(recording, times.len(), columns.next())?;
    for (number, keyframe) in keyframes.iter().enumerate() {
        let frame = Frame {
            index: indices[number],
            time: times[number],
            row: &rows[number * width..][..width],
            hash: hashes[number],
            contacts: &contacts[number],
            keyframe: keyframe.as_deref(),
        };
        check_frame(recording, &frame)?;
        recording.frame(frame)?;
    }
    Ok(())
}

/// Contacts of each of so many frames.
fn contacts_of(
    recording: &Recording,
    frames: usize,
    column: Option<Cells>,
) -> Result<Vec<Vec<f64>>, RowsError> {
    let cells = match column {
        None if !recording.schema.contacts => return Ok(vec![Vec::new(); frames]),
        Some(Cells::Bytes(cells)) => cells,
        _ => return Err(mixed_up()),
    };
    let reals = |bytes: Vec<u8>| {
        let (words, rest) = bytes.as_chunks::<8>();
        let reals: Vec<f64> = words.iter().map(|it| f64::from_le_bytes(*it)).collect();
        let is_whole = rest.is_empty() && reals.len().is_multiple_of(CONTACT_SCALARS);
        let is_good = is_whole && reals.iter().all(|it| it.is_finite());
        if is_good { Ok(reals) } else { Err(RowsError::damaged("its contacts are no lists of reals")) }
    };
    cells.into_iter().map(|it| it.map_or(Ok(Vec::new()), reals)).collect()
}

/// Checks that a frame can follow those that were read: what no run ever writes is damage, also where there
/// are no checksums.
fn check_frame(recording: &Recording, frame: &Frame<'_>) -> Result<(), RowsError> {
    let fault = if frame.index != recording.frames() as u64 {
        "its number is not the next one"
    } else if !frame.time.is_finite() || recording.times.last().is_some_and(|last| *last >= frame.time) {
        "its time is not after that of the frame before"
    } else if frame.row.iter().any(|real| real.is_infinite()) {
        "a value is infinite"
    } else {
        return Ok(());
    };
    Err(RowsError::damaged(fault))
}

pub(super) fn mixed_up() -> RowsError {
    RowsError::damaged("its columns are mixed up")
}
