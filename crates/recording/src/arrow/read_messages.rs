//! A stream of Arrow taken apart into its messages.
//!
//! A message is four bytes `FF`, the length of its description, the description (a flatbuffer), and its body.
//! A stream ends with a description of length 0; a file is a stream after the word `ARROW1`, with a table of
//! contents behind its end that nothing here needs. Lengths are believed only as far as bytes arrive.

use super::error::ReadError;
use super::read_batch::decode;
use super::table::{CONSTANT, Cells, ColumnHead, Kind, TableHead};
use arrow_ipc::{MessageHeader, Precision, Type, root_as_message};
use std::io::{self, Read};

const MAGIC: &[u8; 6] = b"ARROW1";
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// Descriptions are far smaller: a hundred bytes for each column.
const MAX_DESCRIPTION_BYTES: usize = 1 << 30;
/// A file may be padded after its first word to what the writer aligns to.
const MAX_PADDING: usize = 64;

/// A table that is read batch by batch.
pub(super) struct TableReader<R> {
    bytes: R,
    pub(super) head: TableHead,
    /// `true` if the stream ended without saying so.
    pub(super) is_cut: bool,
    is_over: bool,
}

/// A message, or how the stream ended.
enum Next {
    Message { description: Vec<u8>, body: Vec<u8> },
    End,
    Cut,
}

impl<R: Read> TableReader<R> {
    /// Reads what the table is.
    pub(super) fn new(mut bytes: R) -> Result<Self, ReadError> {
        let first = match next_message(&mut bytes, true)? {
            Next::Message { description, .. } => description,
            Next::End | Next::Cut => return Err(ReadError::CutInHeader),
        };
        let message = root_as_message(&first).map_err(|_| not_arrow())?;
        let schema = message.header_as_schema().ok_or_else(not_arrow)?;
        let mut head = TableHead { columns: Vec::new(), metadata: Default::default() };
        for field in schema.fields().into_iter().flatten() {
            head.columns.push(column_head(&field)?);
        }
        for entry in schema.custom_metadata().into_iter().flatten() {
            if let (Some(key), Some(value)) = (entry.key(), entry.value()) {
                head.metadata.insert(key.to_owned(), value.to_owned());
            }
        }
        Ok(Self { bytes, head, is_cut: false, is_over: false })
    }

    /// The next rows; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Cells>>, ReadError> {
        if self.is_over {
            return Ok(None);
        }
        let (description, body) = match next_message(&mut self.bytes, false)? {
            Next::Message { description, body } => (description, body),
            end => {
                self.is_over = true;
                self.is_cut = matches!(end, Next::Cut);
                return Ok(None);
            }
        };
        let message = root_as_message(&description).map_err(|_| damaged_description())?;
        match message.header_type() {
            MessageHeader::RecordBatch => {
                let batch = message.header_as_record_batch().ok_or_else(damaged_description)?;
                decode(&self.head.columns, batch, &body).map(Some)
            }
            MessageHeader::DictionaryBatch => Err(ReadError::Unsupported("it uses dictionaries".to_owned())),
            _ => Err(damaged_description()),
        }
    }
}

fn not_arrow() -> ReadError {
    ReadError::NotARecording("it is no table of Arrow".to_owned())
}

fn damaged_description() -> ReadError {
    ReadError::damaged("the description of a batch cannot be read")
}

/// Reads up to `N` bytes: fewer only at the end.
fn word<const N: usize>(bytes: &mut impl Read) -> io::Result<Option<[u8; N]>> {
    let mut word = [0; N];
    match bytes.read_exact(&mut word) {
        Ok(()) => Ok(Some(word)),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

/// Reads exactly so many bytes, growing as they come; `None` if there are not so many.
fn take(bytes: &mut impl Read, length: usize) -> io::Result<Option<Vec<u8>>> {
    let mut taken = Vec::new();
    bytes.take(length as u64).read_to_end(&mut taken)?;
    Ok((taken.len() == length).then_some(taken))
}

fn next_message(bytes: &mut impl Read, is_first: bool) -> Result<Next, ReadError> {
    let Some(mut start) = word::<4>(bytes)? else { return Ok(Next::Cut) };
    if is_first && start == MAGIC[..4] {
        let Some(rest) = word::<4>(bytes)? else { return Ok(Next::Cut) };
        if rest[..2] != MAGIC[4..] {
            return Err(not_arrow());
        }
        start = [0; 4];
        for _ in 0..MAX_PADDING / 4 {
            if start != [0; 4] {
                break;
            }
            let Some(next) = word::<4>(bytes)? else { return Ok(Next::Cut) };
            start = next;
        }
    }
    if start != CONTINUATION {
        return Err(if is_first { not_arrow() } else { ReadError::damaged("a batch does not begin as one") });
    }
    let Some(length) = word::<4>(bytes)? else { return Ok(Next::Cut) };
    let length = usize::try_from(i32::from_le_bytes(length)).ok();
    let length = length.filter(|&it| it <= MAX_DESCRIPTION_BYTES).ok_or_else(damaged_description)?;
    if length == 0 {
        return Ok(Next::End);
    }
    let Some(description) = take(bytes, length)? else { return Ok(Next::Cut) };
    let message = root_as_message(&description);
    let message = message.map_err(|_| if is_first { not_arrow() } else { damaged_description() })?;
    let body = usize::try_from(message.bodyLength()).map_err(|_| damaged_description())?;
    let Some(body) = take(bytes, body)? else { return Ok(Next::Cut) };
    Ok(Next::Message { description, body })
}

fn column_head(field: &arrow_ipc::Field<'_>) -> Result<ColumnHead, ReadError> {
    let name = field.name().unwrap_or_default();
    let kind = match field.type_type() {
        Type::FloatingPoint => field
            .type_as_floating_point()
            .filter(|it| it.precision() == Precision::DOUBLE)
            .map(|_| Kind::Real),
        Type::Int => field
            .type_as_int()
            .filter(|it| it.bitWidth() == 64)
            .map(|it| if it.is_signed() { Kind::Integer } else { Kind::Count }),
        Type::Utf8 => Some(Kind::Text),
        Type::Binary => Some(Kind::Bytes),
        _ => None,
    };
    let kind = kind.filter(|_| field.dictionary().is_none());
    let kind = kind.ok_or_else(|| {
        ReadError::NotARecording(format!("its column `{name}` is of a type that recordings do not have"))
    })?;
    let constant = field.custom_metadata().into_iter().flatten().any(|it| it.key() == Some(CONSTANT));
    Ok(ColumnHead { constant, ..ColumnHead::new(name, kind, field.nullable()) })
}
