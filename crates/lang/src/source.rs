//! Source texts and places in them.
//!
//! A place is a file and a range of bytes. Everything a message points at is a [`Span`]; lines and columns
//! are computed from it when somebody looks, never stored. Columns count characters from 1, as people and the
//! thesis do.

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
        self.sources.push(Source { name: name.into(), text });
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

    /// Line and column of the start of a place.
    pub fn position(&self, span: Span) -> Position {
        let before = self.text(span.source).get(..span.start as usize).unwrap_or_default();
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        Position {
            line: 1 + before.bytes().filter(|&byte| byte == b'\n').count(),
            column: 1 + before[line_start..].chars().count(),
        }
    }
}
