//! A stream of Arrow taken apart into its messages.
//!
//! A message is four bytes `FF`, the length of its description, the description (a flatbuffer), and its body.
//! A stream ends with a description of length 0; a file is a stream after the word `ARROW1`, with a table of
//! contents behind its end. Lengths are believed only as far as bytes arrive, and rows only if their checksums
//! fit.

use super::checksum;
use super::checksum::Chain;
use super::error::{ReadError, RowsError, Spot, has_checksums};
use super::read_batch::decode;
use super::read_end::{End, Place, end_of_file, end_of_stream, rest};
use super::schema_metadata::Table;
use super::table::{CONSTANT, Cells, ColumnHead, Kind, TableHead, agree};
use arrow_ipc::{Endianness, MessageHeader, Precision, Type, root_as_message};
use std::io::{self, Read};

pub(super) const MAGIC: &[u8; 6] = b"ARROW1";
const CONTINUATION: [u8; 4] = [0xFF; 4];
/// Last bytes of a stream: a description of length 0.
const END: [u8; 8] = [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0];
/// Descriptions are far smaller: a hundred bytes for each column.
const MAX_DESCRIPTION_BYTES: usize = 1 << 30;
/// A file may be padded after its first word to what the writer aligns to.
const MAX_PADDING: usize = 64;

/// A table that is read batch by batch.
pub(super) struct TableReader<R> {
    bytes: Counted<R>,
    /// Columns without that of checksums, and the metadata.
    pub(super) head: TableHead,
    /// All columns.
    columns: Vec<ColumnHead>,
    /// Which table it is.
    pub(super) table: Table,
    /// Version of its format.
    pub(super) format: u32,
    /// Checksums up to the last row; `None` if the format has none.
    pub(super) chain: Option<Chain>,
    /// Completeness, known after the last batch.
    pub(super) end: End,
    /// Places of the batches.
    batches: Vec<Place>,
    /// Error behind the rows that were handed out last.
    broken: Option<RowsError>,
    is_over: bool,
}

impl<R: Read> TableReader<R> {
    /// Reads what the table is.
    pub(super) fn new(bytes: R) -> Result<Self, ReadError> {
        let mut bytes = Counted { bytes, position: 0, is_file: false };
        let first = match next_message(&mut bytes, true) {
            Ok(Next::Message { description, .. }) => description,
            Ok(Next::End | Next::Cut) => return Err(ReadError::CutInHeader),
            Err(RowsError::Io(error)) => return Err(ReadError::Io(error)),
            Err(_) => return Err(not_arrow()),
        };
        let message = root_as_message(&first).map_err(|_| not_arrow())?;
        let mut head = table_head(message.header_as_schema().ok_or_else(not_arrow)?)?;
        let (table, format) = Table::of(&head.metadata)?;
        let columns = head.columns.clone();
        let chain = match has_checksums(format) {
            true => Some(checked(table, &mut head)?),
            false => None,
        };
        let (end, batches) = (End::Open, Vec::new());
        Ok(Self { bytes, head, columns, table, format, chain, end, batches, broken: None, is_over: false })
    }

    /// The head as it was read, with the column of checksums.
    pub(super) fn whole_head(&self) -> TableHead {
        TableHead { columns: self.columns.clone(), metadata: self.head.metadata.clone() }
    }

    /// The next rows, whose checksums fit; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Vec<Cells>>, RowsError> {
        if let Some(error) = self.broken.take() {
            return Err(error);
        }
        if self.is_over {
            return Ok(None);
        }
        let read = self.read_batch();
        // After a batch that cannot be read nothing can be trusted to be one.
        self.is_over = !matches!(read, Ok(Some(_))) || self.broken.is_some();
        read
    }

    fn read_batch(&mut self) -> Result<Option<Vec<Cells>>, RowsError> {
        let offset = self.bytes.position;
        let (description, body) = match next_message(&mut self.bytes, false)? {
            Next::Message { description, body } => (description, body),
            Next::Cut => {
                self.end = End::Cut { is_file: self.bytes.is_file };
                return Ok(None);
            }
            Next::End => {
                let rest = rest(&mut self.bytes)?;
                let whole = self.whole_head();
                self.end = match self.bytes.is_file {
                    true => end_of_file(&rest, &whole, &self.batches, self.chain)?,
                    false => end_of_stream(&rest)?,
                };
                return Ok(None);
            }
        };
        self.batches.push(Place { offset, body: body.len() });
        let message = root_as_message(&description).map_err(|_| damaged_description())?;
        match message.header_type() {
            MessageHeader::RecordBatch => {
                let batch = message.header_as_record_batch().ok_or_else(damaged_description)?;
                let columns = decode(&self.columns, batch, &body)?;
                self.check(columns).map(Some)
            }
            MessageHeader::DictionaryBatch => Err(RowsError::Unsupported("it uses dictionaries".to_owned())),
            _ => Err(damaged_description()),
        }
    }

    /// Takes the checksums from rows, and the rows from the first on whose checksum does not fit.
    fn check(&mut self, mut columns: Vec<Cells>) -> Result<Vec<Cells>, RowsError> {
        let Some(chain) = &mut self.chain else { return Ok(columns) };
        let Some(Cells::Counts(written)) = columns.pop() else {
            return Err(RowsError::damaged("its columns are mixed up"));
        };
        let computed = chain.extend(&columns);
        if let Some(good) = written.iter().zip(&computed).position(|(written, computed)| written != computed)
        {
            columns.iter_mut().for_each(|column| column.truncate(good));
            self.broken = Some(RowsError::damaged("its checksum does not fit"));
        }
        Ok(columns)
    }
}

/// Checks the metadata of a table with checksums, and takes their column from its head.
fn checked(table: Table, head: &mut TableHead) -> Result<Chain, ReadError> {
    let chain = Chain::new(&head.metadata);
    let damaged = |what: &str| RowsError::damaged(what).into_error(table, Spot::Description);
    if head.metadata.get(checksum::KEY) != Some(&checksum::to_text(chain.last)) {
        return Err(damaged("its checksum does not fit"));
    }
    match head.columns.pop() {
        Some(last) if agree(&[checksum::column()], std::slice::from_ref(&last)) => Ok(chain),
        _ => Err(damaged("its last column is not that of checksums")),
    }
}

/// Names and kinds of the columns of a schema, and its metadata.
pub(super) fn table_head(schema: arrow_ipc::Schema<'_>) -> Result<TableHead, ReadError> {
    if schema.endianness() != Endianness::Little {
        return Err(ReadError::Unsupported("its numbers are big-endian".to_owned()));
    }
    let mut head = TableHead { columns: Vec::new(), metadata: Default::default() };
    for field in schema.fields().into_iter().flatten() {
        head.columns.push(column_head(&field)?);
    }
    for entry in schema.custom_metadata().into_iter().flatten() {
        if let (Some(key), Some(value)) = (entry.key(), entry.value()) {
            head.metadata.insert(key.to_owned(), value.to_owned());
        }
    }
    Ok(head)
}

fn not_arrow() -> ReadError {
    ReadError::NotARecording("it is no table of Arrow".to_owned())
}

fn damaged_description() -> RowsError {
    RowsError::damaged("the description of a batch cannot be read")
}

/// A message, or how the stream ended.
enum Next {
    Message { description: Vec<u8>, body: Vec<u8> },
    End,
    Cut,
}

/// Bytes whose position is known.
struct Counted<R> {
    bytes: R,
    position: u64,
    /// `true` if they began as a file of Arrow does.
    is_file: bool,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.bytes.read(buffer)?;
        self.position += read as u64;
        Ok(read)
    }
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

/// Reads exactly so many bytes, growing as they come; `None` if there are not so many, and the table was cut.
fn take<R: Read>(bytes: &mut Counted<R>, length: usize) -> Result<Option<Vec<u8>>, RowsError> {
    let mut taken = Vec::new();
    bytes.by_ref().take(length as u64).read_to_end(&mut taken)?;
    if taken.len() == length {
        return Ok(Some(taken));
    }
    // A length that is too large swallows the end, which a table that was cut does not have.
    let end: &[u8] = if bytes.is_file { MAGIC } else { &END };
    if taken.ends_with(end) { Err(RowsError::damaged("a batch has a wrong length")) } else { Ok(None) }
}

fn next_message<R: Read>(bytes: &mut Counted<R>, is_first: bool) -> Result<Next, RowsError> {
    let Some(mut start) = word::<4>(bytes)? else { return Ok(Next::Cut) };
    if is_first && start == MAGIC[..4] {
        let Some(rest) = word::<4>(bytes)? else { return Ok(Next::Cut) };
        if rest[..2] != MAGIC[4..] {
            return Err(damaged_description());
        }
        bytes.is_file = true;
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
        return Err(RowsError::damaged("a batch does not begin as one"));
    }
    let Some(length) = word::<4>(bytes)? else { return Ok(Next::Cut) };
    let length = usize::try_from(i32::from_le_bytes(length)).ok();
    let length = length.filter(|&it| it <= MAX_DESCRIPTION_BYTES).ok_or_else(damaged_description)?;
    if length == 0 {
        return Ok(Next::End);
    }
    let Some(description) = take(bytes, length)? else { return Ok(Next::Cut) };
    let message = root_as_message(&description).map_err(|_| damaged_description())?;
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
