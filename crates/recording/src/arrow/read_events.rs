//! Events and notices put together from the rows of their table.

use super::error::{ReadError, RowsError};
use super::event_table::{Layout, NOTICE, columns, kind_of, read_detail};
use super::read::mixed_up;
use super::read_messages::TableReader;
use super::schema_metadata::Table;
use super::table::{Cells, agree};
use crate::columns::Place;
use crate::event::Event;
use crate::recording::Recording;
use crate::schema::{Owner, Schema};
use crate::sink::Notice;
use std::collections::BTreeMap;
use std::io::Read;

/// Indices of objects and contexts, by name.
struct Names {
    objects: BTreeMap<String, usize>,
    contexts: BTreeMap<String, usize>,
}

impl Names {
    fn new(schema: &Schema) -> Self {
        let numbered = |names: &[String]| names.iter().cloned().zip(0..).collect();
        Self { objects: numbered(&schema.objects), contexts: numbered(&schema.contexts) }
    }
}

/// An event of which rows are still to come.
struct Open {
    event: Event,
    frame: usize,
    /// The places of its rows, in order, in `before` and `after`; `None` for constants.
    places: Vec<Option<usize>>,
    seen: usize,
}

/// Puts the rows of a table of events together.
pub(super) struct EventsReader {
    names: Names,
    layout: Layout,
    open: Option<Open>,
    last_time: f64,
    /// Number of whole events so far.
    pub(super) events: usize,
    /// Number of frames all of whose events were read.
    pub(super) known_frames: usize,
}

impl EventsReader {
    /// A reader of the events that happened in a recording of this schema.
    pub(super) fn new<R: Read>(schema: &Schema, table: &TableReader<R>) -> Result<Self, ReadError> {
        if table.table != Table::Events || !agree(&table.head.columns, &columns()) {
            return Err(ReadError::NotARecording("the second table is not one of events".to_owned()));
        }
        Ok(Self {
            names: Names::new(schema),
            layout: Layout::new(schema),
            open: None,
            last_time: f64::NEG_INFINITY,
            events: 0,
            known_frames: 0,
        })
    }

    /// Adds what a table of events holds.
    pub(super) fn add_all<R: Read>(
        &mut self,
        recording: &mut Recording,
        table: &mut TableReader<R>,
    ) -> Result<(), RowsError> {
        while let Some(batch) = table.next()? {
            for row in rows(batch)? {
                self.add(recording, &row)?;
            }
        }
        self.close(recording)
    }

    fn add(&mut self, recording: &mut Recording, row: &Row) -> Result<(), RowsError> {
        if [row.before, row.after].iter().any(|it| it.is_infinite()) {
            return Err(RowsError::damaged("a value is infinite"));
        }
        let Some(detail) = &row.detail else {
            let open = self.open.as_mut().ok_or_else(|| RowsError::damaged("it has no beginning"))?;
            return add_row(open, row);
        };
        self.close(recording)?;
        let frame = usize::try_from(row.frame).ok().filter(|&frame| frame >= self.known_frames);
        let frame = frame.ok_or_else(|| RowsError::damaged("it is not in the order of frames"))?;
        self.known_frames = frame;
        if !row.time.is_finite() {
            return Err(RowsError::damaged("its time is not a number"));
        }
        if row.kind == NOTICE {
            if frame <= recording.frames() {
                recording.notices.push(Notice { time: row.time, message: detail.clone() });
            }
            return Ok(());
        }
        if row.time < self.last_time || u64::try_from(row.index) != Ok(self.events as u64) {
            return Err(RowsError::damaged("it does not follow the event before"));
        }
        self.last_time = row.time;
        let begun = begin(&recording.schema, &self.names, &self.layout, row, detail);
        let mut begun = begun.ok_or_else(|| RowsError::damaged("it makes no sense"))?;
        if row.has_value {
            add_row(&mut begun, row)?;
        }
        self.open = Some(begun);
        Ok(())
    }

    /// Keeps an event that is whole, if the frames before it are there.
    fn close(&mut self, recording: &mut Recording) -> Result<(), RowsError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        if open.seen != open.places.len() {
            return Err(RowsError::damaged("it has too few rows"));
        }
        self.events += 1;
        if open.frame <= recording.frames() {
            recording.frames_before.push(open.frame);
            recording.events.push(open.event);
        }
        Ok(())
    }
}

/// One row of the table of events.
struct Row {
    index: i64,
    time: f64,
    kind: String,
    context: Option<String>,
    has_value: bool,
    before: f64,
    after: f64,
    frame: u64,
    detail: Option<String>,
}

/// The rows of a batch.
fn rows(batch: Vec<Cells>) -> Result<impl Iterator<Item = Row>, RowsError> {
    let Ok(columns) = <[Cells; 11]>::try_from(batch) else { return Err(mixed_up()) };
    let [
        Cells::Integers(indices),
        Cells::Reals(times),
        Cells::Texts(kinds),
        Cells::Texts(contexts),
        _,
        Cells::Texts(attributes),
        _,
        Cells::Reals(befores),
        Cells::Reals(afters),
        Cells::Counts(frames),
        Cells::Texts(details),
    ] = columns
    else {
        return Err(mixed_up());
    };
    let texts = kinds.into_iter().zip(contexts).zip(attributes).zip(details);
    let numbers = indices.into_iter().zip(times).zip(befores).zip(afters).zip(frames);
    Ok(texts.zip(numbers).map(|((((kind, context), attribute), detail), numbers)| {
        let ((((index, time), before), after), frame) = numbers;
        let kind = kind.unwrap_or_default();
        Row { index, time, kind, context, has_value: attribute.is_some(), before, after, frame, detail }
    }))
}

/// An event from its first row.
fn begin(schema: &Schema, names: &Names, layout: &Layout, row: &Row, detail: &str) -> Option<Open> {
    let (objects, given) = read_detail(detail)?;
    let objects = objects.iter().map(|name| names.objects.get(name).copied()).collect::<Option<Vec<_>>>()?;
    let context = match &row.context {
        Some(name) => Some(*names.contexts.get(name)?),
        None => None,
    };
    let mut places = Vec::new();
    let mut start = 0;
    for owner in Schema::owners(&objects) {
        places.extend(layout.of(owner).iter().map(|scalar| match scalar.place {
            Place::Row(place) => Some(start + place),
            Place::Constant { .. } => None,
        }));
        start += width(schema, owner);
    }
    let values = vec![f64::NAN; start];
    let event = Event {
        index: row.index.cast_unsigned(),
        time: row.time,
        kind: kind_of(&row.kind)?,
        context,
        objects,
        given,
        before: values.clone(),
        after: values,
    };
    Some(Open { event, frame: usize::try_from(row.frame).ok()?, places, seen: 0 })
}

fn width(schema: &Schema, owner: Owner) -> usize {
    let owned = schema.owned(owner);
    owned.last().map_or(0, |last| last.end() - owned[0].start)
}

fn add_row(open: &mut Open, row: &Row) -> Result<(), RowsError> {
    let place = open.places.get(open.seen);
    let place = place.ok_or_else(|| RowsError::damaged("it has too many rows"))?;
    if let Some(place) = *place {
        open.event.before[place] = row.before;
        open.event.after[place] = row.after;
    }
    open.seen += 1;
    Ok(())
}
