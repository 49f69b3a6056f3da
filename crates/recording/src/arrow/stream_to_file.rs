//! Makes an Arrow file of an Arrow stream, whole or cut.

use super::checksum;
use super::checksum::Chain;
use super::error::{ReadError, Spot};
use super::event_table::events_in;
use super::read_end::{End, ROWS};
use super::read_messages::TableReader;
use super::schema_metadata::Table;
use super::table::{Cells, io_error, options, record_batch};
use arrow_ipc::writer::FileWriter;
use std::io::{Read, Write};
use std::sync::Arc;

/// Makes of a table's stream a file with the same metadata and rows, which pandas, polars and pyarrow open as
/// it is, and seals it. Needs the memory of one batch. Works for both tables, and for a file, which it copies;
/// returns `true` if the stream was cut.
///
/// # Errors
/// If the stream cannot be read or is damaged, or the file cannot be written. What was written of the file is
/// then of no use.
pub fn finish_arrow(stream: impl Read, file: impl Write) -> Result<bool, ReadError> {
    let mut table = TableReader::new(stream)?;
    let schema = Arc::new(table.whole_head().to_arrow());
    let mut writer = FileWriter::try_new_with_options(file, &schema, options()?).map_err(io_error)?;
    let mut chain = table.chain;
    let mut at = match table.table {
        Table::Frames => Spot::Frame(0),
        Table::Events => Spot::Event(0),
    };
    while let Some(mut columns) = table.next().map_err(|error| error.into_error(table.table, at))? {
        match &mut at {
            Spot::Frame(number) => *number += columns.first().map_or(0, Cells::len),
            Spot::Event(number) => *number += events_in(&columns),
            Spot::Description => {}
        }
        columns.extend(chain.as_mut().map(|chain| Cells::Counts(chain.extend(&columns))));
        writer.write(&record_batch(&schema, columns)?).map_err(io_error)?;
    }
    if let Some(Chain { last, rows }) = chain {
        writer.write_metadata(ROWS, rows.to_string());
        writer.write_metadata(checksum::KEY, checksum::to_text(last));
    }
    writer.finish().map_err(io_error)?;
    Ok(matches!(table.end, End::Cut { .. }))
}
