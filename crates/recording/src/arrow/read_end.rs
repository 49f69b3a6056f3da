//! The end of a table: what proves that no row is missing.
//!
//! Behind the end of a file stands a table of contents, which other programs begin with, and its length and
//! the word `ARROW1`. It repeats the description and lists the batches. Ours also seals the file: it says how
//! many rows there are, and the checksum of the last one.

use super::checksum;
use super::checksum::Chain;
use super::error::RowsError;
use super::read_messages::{MAGIC, table_head};
use super::table::{TableHead, agree};
use arrow_ipc::root_as_footer;
use std::io::{self, Read};

/// Key of the number of rows in the table of contents.
pub(super) const ROWS: &str = "rows";

/// Completeness of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It ends where its seal says: no row is missing.
    Sealed,
    /// It ends as a whole table does, without a seal: it is a stream, or of a format without checksums, or
    /// was saved by another program.
    Open,
    /// It ended without saying so: the run goes on, or was cut, or the copy was. All whole batches are there.
    Cut {
        /// `true` if it is a finished file, which was whole once.
        is_file: bool,
    },
}

/// Place of a batch in a file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) offset: u64,
    /// Number of bytes behind its description.
    pub(super) body: usize,
}

/// Everything behind the end of a table.
pub(super) fn rest(bytes: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut rest = Vec::new();
    bytes.read_to_end(&mut rest)?;
    Ok(rest)
}

/// The end of a stream, behind which nothing stands.
pub(super) fn end_of_stream(rest: &[u8]) -> Result<End, RowsError> {
    if rest.is_empty() { Ok(End::Open) } else { Err(RowsError::damaged("more follows where it ends")) }
}

/// The end of a file, whose table of contents must be one of what was read.
pub(super) fn end_of_file(
    rest: &[u8],
    head: &TableHead,
    batches: &[Place],
    chain: Option<Chain>,
) -> Result<End, RowsError> {
    let Some(contents) = rest.strip_suffix(MAGIC) else { return Ok(End::Cut { is_file: true }) };
    let damaged = || RowsError::damaged("its table of contents cannot be read");
    let (contents, length) = contents.split_last_chunk::<4>().ok_or_else(damaged)?;
    let length = usize::try_from(i32::from_le_bytes(*length)).map_err(|_| damaged())?;
    let start = contents.len().checked_sub(length).ok_or_else(damaged)?;
    let footer = root_as_footer(&contents[start..]).map_err(|_| damaged())?;
    let listed = footer.recordBatches().map_or(0, |it| it.len());
    let fits = footer.recordBatches().into_iter().flatten().zip(batches).all(|(block, place)| {
        u64::try_from(block.offset()) == Ok(place.offset)
            && usize::try_from(block.bodyLength()) == Ok(place.body)
    });
    let described = footer.schema().and_then(|schema| table_head(schema).ok());
    let is_described =
        described.is_some_and(|it| agree(&it.columns, &head.columns) && it.metadata == head.metadata);
    if listed != batches.len() || !fits || !is_described {
        return Err(RowsError::damaged("its table of contents is not one of what it holds"));
    }
    let mut seal = (None, None);
    for entry in footer.custom_metadata().into_iter().flatten() {
        match entry.key() {
            Some(ROWS) => seal.0 = entry.value().map(str::to_owned),
            Some(checksum::KEY) => seal.1 = entry.value().map(str::to_owned),
            _ => {}
        }
    }
    match (chain, seal) {
        (None, _) | (_, (None, None)) => Ok(End::Open),
        (Some(Chain { last, rows }), seal)
            if seal == (Some(rows.to_string()), Some(checksum::to_text(last))) =>
        {
            Ok(End::Sealed)
        }
        _ => Err(RowsError::damaged("rows are missing at its end")),
    }
}
