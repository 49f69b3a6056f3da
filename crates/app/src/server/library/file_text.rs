//! Text of a file as the page edits it, and what is needed to write it back as it was found.
//!
//! Editors in browsers know one kind of line break and no byte order mark. Both stay on disk as they are: a
//! text that goes to the page and back changes no other byte of the file.

use crate::files::disk;
use crate::wire::OnDisk;
use gedanken_lang::source::Sources;
use gedanken_math::hash::fnv1a;
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Byte order mark of UTF-8, which some editors write.
const MARK: &str = "\u{feff}";

/// Version of a file that exists and whose bytes cannot be read.
const UNREADABLE: &str = "unreadable";

/// How a text is written on disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Form {
    /// `true` if it begins with a byte order mark.
    has_mark: bool,
    /// `true` if most of its lines end in a carriage return and a line feed.
    has_returns: bool,
}

impl Form {
    fn of(text: &str) -> Self {
        let lines = text.matches('\n').count();
        let returns = text.matches("\r\n").count();
        Self { has_mark: text.starts_with(MARK), has_returns: 2 * returns > lines }
    }

    /// Returns the bytes of a text in this form.
    pub(super) fn bytes(self, text: &str) -> Vec<u8> {
        let text = unified(text);
        let body = if self.has_returns { text.replace('\n', "\r\n") } else { text };
        let mark = if self.has_mark { MARK } else { "" };
        [mark, &body].concat().into_bytes()
    }
}

/// Returns the text without mark, its lines ended by line feeds.
fn unified(text: &str) -> String {
    let body = text.strip_prefix(MARK).unwrap_or(text);
    body.replace("\r\n", "\n").replace('\r', "\n")
}

/// A file as it is now.
#[derive(Debug)]
pub(super) struct Found {
    /// State as the page is told.
    pub(super) state: OnDisk,
    /// Form of the text; the usual one if there is no text.
    pub(super) form: Form,
}

/// Returns the version of a content: equal contents have equal versions, whenever they were written.
pub(super) fn version(bytes: &[u8]) -> String {
    format!("{:x}-{:016x}", bytes.len(), fnv1a(bytes))
}

/// Looks at a file.
pub(super) fn find(path: &Path) -> Found {
    let unreadable = |why: String, version: String| Found {
        state: OnDisk::Unreadable { why, version },
        form: Form::default(),
    };
    let bytes = match bytes(path) {
        Ok(bytes) => bytes,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Found { state: OnDisk::Absent {}, form: Form::default() };
        }
        Err(error) => return unreadable(disk::plain(&error), UNREADABLE.to_owned()),
    };
    let version = version(&bytes);
    match disk::text(bytes.as_slice()) {
        Ok(text) => Found { form: Form::of(&text), state: OnDisk::Text { text: unified(&text), version } },
        Err(why) => unreadable(why, version),
    }
}

/// Reads a file, up to the first byte that is too many.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(Sources::LONGEST as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_goes_to_the_page_and_back_without_a_change() {
        for text in ["", "a", "a\n", "a\nb\n", "\u{feff}a\nb", "a\r\nb\r\n", "\u{feff}a\r\n\r\nb"] {
            let form = Form::of(text);
            let edited = unified(text);
            assert!(!edited.contains('\r') && !edited.starts_with(MARK), "{text:?}");
            assert_eq!(form.bytes(&edited), text.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn mixed_line_breaks_become_those_of_most_lines() {
        assert_eq!(Form::of("a\r\nb\r\nc\n").bytes("a\nb\nc\n"), b"a\r\nb\r\nc\r\n");
        assert_eq!(Form::of("a\r\nb\nc\n").bytes("a\nb\nc\n"), b"a\nb\nc\n");
        assert_eq!(unified("a\rb\r\nc\n"), "a\nb\nc\n", "as editors in browsers count lines");
        assert_eq!(Form::default().bytes("a\r\nb"), b"a\nb");
    }

    #[test]
    fn versions_tell_contents_apart_by_every_byte() {
        let contents: [&[u8]; 7] = [b"", b"a", b"a\n", b"a\r\n", "\u{feff}a\n".as_bytes(), b"\xff", b"A\n"];
        for (k, a) in contents.iter().enumerate() {
            for (l, b) in contents.iter().enumerate() {
                assert_eq!(version(a) == version(b), k == l, "{a:?} {b:?}");
            }
        }
    }
}
