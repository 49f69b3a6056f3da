//! Tables of the few kinds of columns that recordings have, and their way into Arrow.

use super::schema_metadata::Metadata;
use arrow_array::{ArrayRef, BinaryArray, Float64Array, Int64Array, RecordBatch, StringArray, UInt64Array};
use arrow_ipc::MetadataVersion;
use arrow_ipc::writer::IpcWriteOptions;
use arrow_schema::{ArrowError, DataType, Field, Schema};
use std::io;
use std::sync::Arc;

/// The mark of columns that repeat what never changes.
pub(super) const CONSTANT: &str = "constant";

/// Type of the cells of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Real,
    Count,
    Integer,
    Text,
    Bytes,
}

impl Kind {
    fn data_type(self) -> DataType {
        match self {
            Self::Real => DataType::Float64,
            Self::Count => DataType::UInt64,
            Self::Integer => DataType::Int64,
            Self::Text => DataType::Utf8,
            Self::Bytes => DataType::Binary,
        }
    }
}

/// Head of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ColumnHead {
    pub(super) name: String,
    pub(super) kind: Kind,
    pub(super) nullable: bool,
    /// `true` if it repeats a constant of the schema.
    pub(super) constant: bool,
}

impl ColumnHead {
    pub(super) fn new(name: impl Into<String>, kind: Kind, nullable: bool) -> Self {
        Self { name: name.into(), kind, nullable, constant: false }
    }
}

/// Head of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct TableHead {
    pub(super) columns: Vec<ColumnHead>,
    pub(super) metadata: Metadata,
}

impl TableHead {
    pub(super) fn to_arrow(&self) -> Schema {
        let field = |column: &ColumnHead| {
            let field = Field::new(&column.name, column.kind.data_type(), column.nullable);
            if column.constant { field.with_metadata([(CONSTANT, "true")]) } else { field }
        };
        let fields: Vec<Field> = self.columns.iter().map(field).collect();
        let entries = self.metadata.iter().map(|(key, value)| (key.clone(), value.clone()));
        Schema::new_with_metadata(fields, entries.collect::<std::collections::HashMap<_, _>>())
    }
}

/// Returns `true` if names and kinds are the same; other programs that save a table may forget the rest.
pub(super) fn agree(a: &[ColumnHead], b: &[ColumnHead]) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.name == b.name && a.kind == b.kind)
}

/// Some rows of one column.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cells {
    /// NaN is no value.
    Reals(Vec<f64>),
    Counts(Vec<u64>),
    Integers(Vec<i64>),
    Texts(Vec<Option<String>>),
    Bytes(Vec<Option<Vec<u8>>>),
}

impl Cells {
    /// Number of rows.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Reals(reals) => reals.len(),
            Self::Counts(counts) => counts.len(),
            Self::Integers(integers) => integers.len(),
            Self::Texts(texts) => texts.len(),
            Self::Bytes(all) => all.len(),
        }
    }

    /// Keeps the first rows.
    pub(super) fn truncate(&mut self, rows: usize) {
        match self {
            Self::Reals(reals) => reals.truncate(rows),
            Self::Counts(counts) => counts.truncate(rows),
            Self::Integers(integers) => integers.truncate(rows),
            Self::Texts(texts) => texts.truncate(rows),
            Self::Bytes(all) => all.truncate(rows),
        }
    }

    fn into_array(self) -> ArrayRef {
        match self {
            Self::Reals(reals) if reals.iter().any(|it| it.is_nan()) => {
                let values = reals.into_iter().map(|it| (!it.is_nan()).then_some(it));
                Arc::new(values.collect::<Float64Array>())
            }
            Self::Reals(reals) => Arc::new(Float64Array::from(reals)),
            Self::Counts(counts) => Arc::new(UInt64Array::from(counts)),
            Self::Integers(integers) => Arc::new(Int64Array::from(integers)),
            Self::Texts(texts) => Arc::new(StringArray::from(texts)),
            Self::Bytes(bytes) => Arc::new(bytes.into_iter().collect::<BinaryArray>()),
        }
    }
}

/// Rows of a table as Arrow takes them.
pub(super) fn record_batch(schema: &Arc<Schema>, columns: Vec<Cells>) -> io::Result<RecordBatch> {
    let arrays = columns.into_iter().map(Cells::into_array).collect();
    RecordBatch::try_new(Arc::clone(schema), arrays).map_err(io_error)
}

/// Buffers are aligned to eight bytes, which is all that the format asks for: batches are small while a run
/// goes on.
pub(super) fn options() -> io::Result<IpcWriteOptions> {
    IpcWriteOptions::try_new(8, false, MetadataVersion::V5).map_err(io_error)
}

/// The failure of a writer as it was.
pub(super) fn io_error(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, error) => error,
        other => io::Error::other(other),
    }
}
