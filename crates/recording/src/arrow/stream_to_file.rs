//! Makes an Arrow file of an Arrow stream, whole or cut.

use super::error::ReadError;
use super::read_messages::TableReader;
use super::table::{io_error, options, record_batch};
use arrow_ipc::writer::FileWriter;
use std::io::{Read, Write};
use std::sync::Arc;

/// Makes of a table's stream a file with the same metadata and rows, which pandas, polars and pyarrow open as
/// it is. Needs the memory of one batch. Works for both tables, and for a file, which it copies; returns
/// `true` if the stream was cut.
///
/// # Errors
/// If the stream cannot be read, or the file cannot be written. What was written of the file is then of no
/// use.
pub fn finish_arrow(stream: impl Read, file: impl Write) -> Result<bool, ReadError> {
    let mut table = TableReader::new(stream)?;
    let schema = Arc::new(table.head.to_arrow());
    let mut writer = FileWriter::try_new_with_options(file, &schema, options()?).map_err(io_error)?;
    while let Some(columns) = table.next()? {
        writer.write(&record_batch(&schema, columns)?).map_err(io_error)?;
    }
    writer.finish().map_err(io_error)?;
    Ok(table.is_cut)
}
