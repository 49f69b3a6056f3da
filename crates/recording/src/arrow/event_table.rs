//! The table of events.

use super::checksum;
use super::schema_metadata::{FORMAT, Metadata, RECORDING, Table, reals_from_json, reals_to_json};
use super::table::{Cells, ColumnHead, Kind, TableHead};
use crate::columns::Place;
use crate::event::{Event, EventKind};
use crate::schema::{Owner, Schema};
use crate::sink::Notice;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// The kind of rows that are notices.
pub(super) const NOTICE: &str = "notice";

/// Head of the table of events that belongs to frames whose metadata have this checksum.
pub(super) fn head(schema: &Schema, recording: u64) -> TableHead {
    let entries = [
        (FORMAT, Table::Events.format()),
        ("engine", schema.engine.clone()),
        ("simulation", schema.simulation.clone()),
        (RECORDING, checksum::to_text(recording)),
    ];
    let metadata: Metadata = entries.map(|(key, value)| (key.to_owned(), value)).into();
    TableHead { columns: columns(), metadata }
}

/// The columns of every table of events.
pub(super) fn columns() -> Vec<ColumnHead> {
    vec![
        ColumnHead::new("index", Kind::Integer, false),
        ColumnHead::new("time", Kind::Real, false),
        ColumnHead::new("kind", Kind::Text, false),
        ColumnHead::new("context", Kind::Text, true),
        ColumnHead::new("object", Kind::Text, true),
        ColumnHead::new("attribute", Kind::Text, true),
        ColumnHead::new("element", Kind::Text, true),
        ColumnHead::new("before", Kind::Real, true),
        ColumnHead::new("after", Kind::Real, true),
        ColumnHead::new("frame", Kind::Count, false),
        ColumnHead::new("detail", Kind::Text, true),
    ]
}

/// Number of events that begin in these rows.
pub(super) fn events_in(rows: &[Cells]) -> usize {
    let (Some(Cells::Integers(indices)), Some(Cells::Texts(details))) = (rows.first(), rows.last()) else {
        return 0;
    };
    indices.iter().zip(details).filter(|(index, detail)| **index >= 0 && detail.is_some()).count()
}

/// One scalar of an event.
#[derive(Debug)]
pub(super) struct Scalar {
    attribute: String,
    element: String,
    /// Position in the part of a row that is its owner's, or in the schema.
    pub(super) place: Place,
}

/// The scalars of all owners, in the order of rows of the table.
#[derive(Debug)]
pub(super) struct Layout {
    scalars: BTreeMap<Owner, Vec<Scalar>>,
}

impl Layout {
    pub(super) fn new(schema: &Schema) -> Self {
        let mut scalars: BTreeMap<Owner, Vec<Scalar>> = BTreeMap::new();
        for column in schema.columns() {
            let start = schema.owned(column.owner).first().map_or(0, |it| it.start);
            let place = match column.places[0] {
                Place::Row(place) => Place::Row(place - start),
                constant => constant,
            };
            // Of what has no object, the name alone tells measures from attributes of the world.
            let attribute = match column.owner {
                Owner::Object(_) => column.attribute,
                Owner::World | Owner::Measure => schema.label(column.owner, &column.attribute),
            };
            let scalar = Scalar { attribute, element: column.element, place };
            scalars.entry(column.owner).or_default().push(scalar);
        }
        Self { scalars }
    }

    /// The scalars of one owner.
    pub(super) fn of(&self, owner: Owner) -> &[Scalar] {
        self.scalars.get(&owner).map_or(&[], Vec::as_slice)
    }
}

/// Objects of an event and the engine's measurements, as JSON.
fn detail(schema: &Schema, event: &Event) -> String {
    let names: Vec<&str> = event.objects.iter().map(|&it| schema.objects[it].as_str()).collect();
    let given: Vec<Value> =
        event.given.iter().map(|(name, reals)| json!([name, reals_to_json(reals)])).collect();
    json!({ "objects": names, "given": given }).to_string()
}

/// Content of a detail: names of the objects, and the engine's measurements.
pub(super) type Detail = (Vec<String>, Vec<(String, Vec<f64>)>);

/// Reads a text that [`detail`] wrote.
pub(super) fn read_detail(text: &str) -> Option<Detail> {
    let value: Value = serde_json::from_str(text).ok()?;
    let names = value.get("objects")?.as_array()?.iter();
    let names = names.map(|it| it.as_str().map(str::to_owned)).collect::<Option<_>>()?;
    let given = value.get("given")?.as_array()?.iter();
    let given = given
        .map(|it| Some((it.get(0)?.as_str()?.to_owned(), reals_from_json(it.get(1)?)?)))
        .collect::<Option<_>>()?;
    Some((names, given))
}

/// The kind of event that is called so.
pub(super) fn kind_of(name: &str) -> Option<EventKind> {
    EventKind::ALL.into_iter().find(|kind| kind.name() == name)
}

/// Rows that are not written yet.
#[derive(Debug, Default)]
pub(super) struct PendingEvents {
    index: Vec<i64>,
    time: Vec<f64>,
    kind: Vec<Option<String>>,
    context: Vec<Option<String>>,
    object: Vec<Option<String>>,
    attribute: Vec<Option<String>>,
    element: Vec<Option<String>>,
    before: Vec<f64>,
    after: Vec<f64>,
    frame: Vec<u64>,
    detail: Vec<Option<String>>,
    bytes: usize,
}

/// Cells that are the same in all rows of an event.
struct Common<'e> {
    index: i64,
    time: f64,
    kind: &'e str,
    context: Option<&'e str>,
    frame: u64,
}

impl PendingEvents {
    /// Adds an event that happened after `frame` frames.
    pub(super) fn push(&mut self, schema: &Schema, layout: &Layout, event: &Event, frame: u64) {
        let common = Common {
            index: event.index.cast_signed(),
            time: event.time,
            kind: event.kind.name(),
            context: event.context.map(|it| schema.contexts[it].as_str()),
            frame,
        };
        let mut detail = Some(detail(schema, event));
        let mut start = 0;
        for owner in Schema::owners(&event.objects) {
            let object = match owner {
                Owner::Object(object) => Some(schema.objects[object].as_str()),
                Owner::World | Owner::Measure => None,
            };
            for scalar in layout.of(owner) {
                let (before, after) = match scalar.place {
                    Place::Row(place) => (event.before[start + place], event.after[start + place]),
                    constant => (schema.constant_scalar(constant), schema.constant_scalar(constant)),
                };
                let element = (!scalar.element.is_empty()).then_some(scalar.element.as_str());
                self.row(&common, object, Some(&scalar.attribute), element, (before, after), detail.take());
            }
            start += schema.owned(owner).iter().map(|it| it.width()).sum::<usize>();
        }
        if detail.is_some() {
            // Nothing has a value: a row that says only that it happened.
            self.row(&common, None, None, None, (f64::NAN, f64::NAN), detail);
        }
    }

    /// Adds a notice that came after `frame` frames.
    pub(super) fn push_notice(&mut self, notice: &Notice, frame: u64) {
        let common = Common { index: -1, time: notice.time, kind: NOTICE, context: None, frame };
        self.row(&common, None, None, None, (f64::NAN, f64::NAN), Some(notice.message.clone()));
    }

    fn row(
        &mut self,
        common: &Common<'_>,
        object: Option<&str>,
        attribute: Option<&str>,
        element: Option<&str>,
        (before, after): (f64, f64),
        detail: Option<String>,
    ) {
        let texts = [Some(common.kind), common.context, object, attribute, element, detail.as_deref()];
        self.bytes += 40 + texts.into_iter().flatten().map(|it| it.len() + 4).sum::<usize>();
        self.index.push(common.index);
        self.time.push(common.time);
        self.kind.push(Some(common.kind.to_owned()));
        self.context.push(common.context.map(str::to_owned));
        self.object.push(object.map(str::to_owned));
        self.attribute.push(attribute.map(str::to_owned));
        self.element.push(element.map(str::to_owned));
        self.before.push(before);
        self.after.push(after);
        self.frame.push(common.frame);
        self.detail.push(detail);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Approximate memory that they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes all of them as columns.
    pub(super) fn take(&mut self) -> Vec<Cells> {
        let all = std::mem::take(self);
        vec![
            Cells::Integers(all.index),
            Cells::Reals(all.time),
            Cells::Texts(all.kind),
            Cells::Texts(all.context),
            Cells::Texts(all.object),
            Cells::Texts(all.attribute),
            Cells::Texts(all.element),
            Cells::Reals(all.before),
            Cells::Reals(all.after),
            Cells::Counts(all.frame),
            Cells::Texts(all.detail),
        ]
    }
}
