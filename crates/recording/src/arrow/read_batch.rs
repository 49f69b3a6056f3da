//! Decodes a batch of rows, with every length and place checked against the bytes that are there.

use super::error::RowsError;
use super::table::{Cells, ColumnHead, Kind};
use arrow_ipc::RecordBatch;

/// The rows of a batch, column by column.
pub(super) fn decode(
    heads: &[ColumnHead],
    batch: RecordBatch<'_>,
    body: &[u8],
) -> Result<Vec<Cells>, RowsError> {
    if batch.compression().is_some() {
        return Err(RowsError::Unsupported("it is compressed".to_owned()));
    }
    let rows = usize::try_from(batch.length()).map_err(|_| broken("a negative number of rows"))?;
    let lengths = batch.nodes().into_iter().flatten().map(|node| (node.length(), node.null_count()));
    let lengths: Vec<(i64, i64)> = lengths.collect();
    if lengths.len() != heads.len() || lengths.iter().any(|&(length, _)| length != batch.length()) {
        return Err(broken("columns of different lengths"));
    }
    let places = batch.buffers().into_iter().flatten().map(|it| (it.offset(), it.length())).collect();
    let mut buffers = Buffers { body, places, next: 0, end: 0 };
    let columns = heads.iter().zip(lengths).map(|(head, (_, nulls))| column(head, rows, nulls, &mut buffers));
    columns.collect()
}

fn broken(what: &str) -> RowsError {
    RowsError::damaged(format!("a batch has {what}"))
}

/// Buffers of a body, one after the other. They do not overlap, so no batch decodes to much more than its
/// bytes.
struct Buffers<'b> {
    body: &'b [u8],
    places: Vec<(i64, i64)>,
    next: usize,
    end: usize,
}

impl<'b> Buffers<'b> {
    fn take(&mut self) -> Result<&'b [u8], RowsError> {
        let &(offset, length) = self.places.get(self.next).ok_or_else(|| broken("too few buffers"))?;
        self.next += 1;
        let stretch = (|| {
            let offset = usize::try_from(offset).ok()?;
            let length = usize::try_from(length).ok()?;
            let end = offset.checked_add(length)?;
            (length == 0 || offset >= self.end).then_some(())?;
            let stretch = self.body.get(offset..end)?;
            self.end = self.end.max(end);
            Some(stretch)
        })();
        stretch.ok_or_else(|| broken("a buffer that is not in it"))
    }
}

/// Rows that have a value. A column without nulls need not say.
struct Valid<'b> {
    bits: Option<&'b [u8]>,
}

impl Valid<'_> {
    fn has(&self, row: usize) -> bool {
        self.bits.is_none_or(|bits| bits[row / 8] >> (row % 8) & 1 == 1)
    }
}

fn column(head: &ColumnHead, rows: usize, nulls: i64, buffers: &mut Buffers<'_>) -> Result<Cells, RowsError> {
    let bits = buffers.take()?;
    let valid = Valid { bits: (nulls != 0).then_some(bits) };
    if valid.bits.is_some_and(|bits| bits.len() < rows.div_ceil(8)) {
        return Err(broken("a mask that is too short"));
    }
    Ok(match head.kind {
        Kind::Real => {
            let reals = words(buffers.take()?, rows)?.map(f64::from_le_bytes).enumerate();
            Cells::Reals(reals.map(|(row, real)| if valid.has(row) { real } else { f64::NAN }).collect())
        }
        Kind::Count => Cells::Counts(words(buffers.take()?, rows)?.map(u64::from_le_bytes).collect()),
        Kind::Integer => Cells::Integers(words(buffers.take()?, rows)?.map(i64::from_le_bytes).collect()),
        Kind::Text => {
            let text =
                |bytes: &[u8]| String::from_utf8(bytes.to_vec()).map_err(|_| broken("a text that is none"));
            Cells::Texts(stretches(rows, &valid, buffers, text)?)
        }
        Kind::Bytes => Cells::Bytes(stretches(rows, &valid, buffers, |bytes| Ok(bytes.to_vec()))?),
    })
}

/// The first `count` words of eight bytes.
fn words(bytes: &[u8], count: usize) -> Result<impl Iterator<Item = [u8; 8]>, RowsError> {
    let length = count.checked_mul(8).filter(|&it| it <= bytes.len());
    let length = length.ok_or_else(|| broken("a column that is too short"))?;
    Ok(bytes[..length].as_chunks::<8>().0.iter().copied())
}

/// Values of different lengths: offsets of four bytes, one more than rows, into the bytes of all.
fn stretches<T>(
    rows: usize,
    valid: &Valid<'_>,
    buffers: &mut Buffers<'_>,
    read: impl Fn(&[u8]) -> Result<T, RowsError>,
) -> Result<Vec<Option<T>>, RowsError> {
    let (offsets, bytes) = (buffers.take()?, buffers.take()?);
    if rows == 0 {
        return Ok(Vec::new());
    }
    let offsets = offsets.as_chunks::<4>().0;
    if offsets.len() <= rows {
        return Err(broken("a column that is too short"));
    }
    let offset = |row: usize| usize::try_from(i32::from_le_bytes(offsets[row])).ok();
    let mut end = 0;
    let mut values = Vec::with_capacity(rows);
    for row in 0..rows {
        let stretch = (|| {
            let (from, to) = (offset(row)?, offset(row + 1)?);
            // Increasing, so that no byte is read twice.
            (from >= end).then_some(())?;
            end = to;
            bytes.get(from..to)
        })();
        let stretch = stretch.ok_or_else(|| broken("a value that is not in it"))?;
        values.push(if valid.has(row) { Some(read(stretch)?) } else { None });
    }
    Ok(values)
}
