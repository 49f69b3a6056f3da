//! The table of frames.

use super::schema_metadata::metadata_of;
use super::table::{Cells, ColumnHead, Kind, TableHead};
use crate::columns::Place;
use crate::schema::Schema;
use crate::sink::Frame;

/// Number of columns before the quantities.
pub(super) const LEADING_COLUMNS: usize = 4;

/// Name of the last column, where contacts are recorded.
const CONTACTS: &str = "contacts";

/// Head of the table of frames.
pub(super) fn head(schema: &Schema) -> TableHead {
    let mut columns = vec![
        ColumnHead::new("t", Kind::Real, false),
        ColumnHead::new("frame", Kind::Count, false),
        ColumnHead::new("hash", Kind::Count, false),
        ColumnHead::new("keyframe", Kind::Bytes, true),
    ];
    columns.extend(schema.columns().into_iter().map(|column| {
        let constant = matches!(column.places.first(), Some(Place::Constant { .. }));
        ColumnHead { constant, ..ColumnHead::new(column.name, Kind::Real, true) }
    }));
    if schema.contacts {
        columns.push(ColumnHead::new(CONTACTS, Kind::Bytes, true));
    }
    TableHead { columns, metadata: metadata_of(schema) }
}

/// The place of each column after the first ones.
pub(super) fn places(schema: &Schema) -> Vec<Place> {
    schema.columns().into_iter().flat_map(|column| column.places).collect()
}

/// Frames that are not written yet.
#[derive(Debug, Default)]
pub(super) struct PendingFrames {
    times: Vec<f64>,
    indices: Vec<u64>,
    hashes: Vec<u64>,
    keyframes: Vec<Option<Vec<u8>>>,
    /// Little-endian reals.
    contacts: Vec<Option<Vec<u8>>>,
    /// Row after row.
    rows: Vec<f64>,
    bytes: usize,
}

impl PendingFrames {
    pub(super) fn push(&mut self, frame: &Frame<'_>) {
        self.times.push(frame.time);
        self.indices.push(frame.index);
        self.hashes.push(frame.hash);
        self.keyframes.push(frame.keyframe.map(<[u8]>::to_vec));
        self.rows.extend_from_slice(frame.row);
        let contacts: Vec<u8> = frame.contacts.iter().flat_map(|it| it.to_le_bytes()).collect();
        self.bytes += contacts.len();
        self.contacts.push((!contacts.is_empty()).then_some(contacts));
        self.bytes += size_of_val(frame.row) + frame.keyframe.map_or(0, <[u8]>::len);
    }

    pub(super) fn len(&self) -> usize {
        self.times.len()
    }

    /// Approximate memory that they take.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Takes all of them as columns.
    pub(super) fn take(&mut self, schema: &Schema, places: &[Place]) -> Vec<Cells> {
        let all = std::mem::take(self);
        let (count, width) = (all.len(), schema.width());
        let mut columns = Vec::with_capacity(LEADING_COLUMNS + places.len());
        columns.push(Cells::Reals(all.times));
        columns.push(Cells::Counts(all.indices));
        columns.push(Cells::Counts(all.hashes));
        columns.push(Cells::Bytes(all.keyframes));
        columns.extend(places.iter().map(|&place| match place {
            Place::Row(place) => Cells::Reals(all.rows.iter().skip(place).step_by(width).copied().collect()),
            Place::Constant { .. } => Cells::Reals(vec![schema.constant_scalar(place); count]),
        }));
        if schema.contacts {
            columns.push(Cells::Bytes(all.contacts));
        }
        columns
    }
}
