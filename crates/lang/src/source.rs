//! Source texts and places in them.
//!
//! A place is a file and a range of bytes. Everything a message points at is a [`Span`]; lines and columns
//! are computed from it when somebody looks, never stored. Columns count characters from 1, as people and the
//! thesis do. Every text has an index of its lines and characters, so that a place is found in a long text as
//! quickly as in a short one.

use std::fmt;
use std::ops::Range;

/// A text that was read: a file, an input of a session, or the argument of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SourceId(u32);

/// A range of bytes in one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// Text that the place belongs to.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `range` of `source`.
    pub fn new(source: SourceId, range: Range<usize>) -> Self {
        Self { source, start: offset(range.start), end: offset(range.end) }
    }

    /// From the start of `self` to the end of `other`, which lies in the same source, further on.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { end: other.end.max(self.end), ..self }
    }

    /// The bytes.
    pub fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The empty place just after this one: where something is missing.
    #[must_use]
    pub fn after(self) -> Self {
        Self { start: self.end, ..self }
    }
}

/// Texts are bounded to [`Sources::LONGEST`] bytes, so offsets fit.
fn offset(byte: usize) -> u32 {
    u32::try_from(byte).unwrap_or(u32::MAX)
}

/// A line and a column, both from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// From 1.
    pub line: usize,
    /// From 1, in characters.
    pub column: usize,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// All texts read so far. Texts are only ever added, so that a place stays valid for as long as anything was
/// made from it.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    sources: Vec<Source>,
}

#[derive(Clone, Debug)]
struct Source {
    name: String,
    text: String,
    /// First byte of every line.
    lines: Vec<u32>,
    /// Number of characters that begin before every byte that is a multiple of [`STRIDE`].
    characters: Vec<u32>,
}

/// Number of bytes from one count of characters to the next.
const STRIDE: usize = 256;

impl Source {
    fn new(name: String, text: String) -> Self {
        let after_newline = |(at, byte): (usize, u8)| (byte == b'\n').then(|| offset(at + 1));
        let lines = std::iter::once(0).chain(text.bytes().enumerate().filter_map(after_newline)).collect();
        let mut characters = vec![0];
        for chunk in text.as_bytes().chunks_exact(STRIDE) {
            characters.push(characters[characters.len() - 1] + offset(begun_in(chunk)));
        }
        Self { name, text, lines, characters }
    }

    /// Index of the line of a byte, from 0.
    fn line(&self, byte: usize) -> usize {
        self.lines.partition_point(|&start| start as usize <= byte) - 1
    }

    /// Number of characters that begin before a byte.
    fn characters_before(&self, byte: usize) -> usize {
        let mark = byte / STRIDE;
        self.characters[mark] as usize + begun_in(&self.text.as_bytes()[mark * STRIDE..byte])
    }
}

/// Number of characters that begin in bytes of UTF-8: all but the continuations `0b10……`.
fn begun_in(bytes: &[u8]) -> usize {
    bytes.iter().filter(|&&byte| byte & 0b1100_0000 != 0b1000_0000).count()
}

impl Sources {
    /// The longest text that is read, in bytes: offsets are 32 bits wide, and nobody writes that many laws.
    pub const LONGEST: usize = 64 << 20;

    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a text under the name that messages show: a path, or `[3]` for the third input of a session. What
    /// exceeds [`Self::LONGEST`] is cut off at a character; readers refuse such texts before.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> SourceId {
        let mut text = text.into();
        if text.len() > Self::LONGEST {
            let end = (0..=Self::LONGEST).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0);
            text.truncate(end);
        }
        self.sources.push(Source::new(name.into(), text));
        SourceId(offset(self.sources.len() - 1))
    }

    /// The name it was added under.
    pub fn name(&self, id: SourceId) -> &str {
        &self.sources[id.0 as usize].name
    }

    /// The whole text.
    pub fn text(&self, id: SourceId) -> &str {
        &self.sources[id.0 as usize].text
    }

    /// The text at a place.
    pub fn slice(&self, span: Span) -> &str {
        self.text(span.source).get(span.range()).unwrap_or_default()
    }

    /// Line and column of the start of a place; the first ones for a place outside the text.
    pub fn position(&self, span: Span) -> Position {
        let source = &self.sources[span.source.0 as usize];
        let start = span.start as usize;
        let byte = if source.text.is_char_boundary(start) { start } else { 0 };
        let line = source.line(byte);
        let line_start = source.lines[line] as usize;
        Position {
            line: 1 + line,
            column: 1 + source.characters_before(byte) - source.characters_before(line_start),
        }
    }

    /// The whole lines that a range of bytes of a text touches: the number of the first one, from 1, and their
    /// bytes, line ends included.
    pub(crate) fn lines(&self, id: SourceId, range: Range<usize>) -> (usize, Range<usize>) {
        let source = &self.sources[id.0 as usize];
        let (first, last) = (source.line(range.start), source.line(range.end));
        let end = source.lines.get(last + 1).map_or(source.text.len(), |&next| next as usize);
        (1 + first, source.lines[first] as usize..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The position as it is counted from the beginning of the text.
    fn counted(text: &str, byte: usize) -> Position {
        let before = text.get(..byte).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        let lines = before.bytes().filter(|&byte| byte == b'\n').count();
        Position { line: 1 + lines, column: 1 + before[line_start..].chars().count() }
    }

    #[test]
    fn positions_are_those_that_are_counted_from_the_beginning() {
        let long = format!("{}\n{}größer", "ω = 𝛼\n".repeat(200), "é".repeat(700));
        for text in ["", "a", "\n", "ab\ncd", "größer\r\n\nω²\n", long.as_str()] {
            let mut sources = Sources::new();
            let source = sources.add("text", text);
            for byte in 0..=text.len() + 1 {
                let position = sources.position(Span::new(source, byte..byte));
                assert_eq!(position, counted(text, byte), "byte {byte} of {} bytes", text.len());
            }
        }
    }

    #[test]
    fn lines_of_a_range_are_whole() {
        let mut sources = Sources::new();
        let source = sources.add("text", "ab\ncd\nef");
        assert_eq!(sources.lines(source, 0..0), (1, 0..3));
        assert_eq!(sources.lines(source, 4..4), (2, 3..6));
        assert_eq!(sources.lines(source, 1..7), (1, 0..8));
        assert_eq!(sources.lines(source, 8..8), (3, 6..8));
    }
}
