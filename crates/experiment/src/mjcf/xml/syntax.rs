//! XML as such: well-formed, without document type definitions and their entities.

use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::{SourceId, Span};
use roxmltree::{Document, Error, ParsingOptions};

/// Maximum number of nodes of one file, elements and texts together.
const MAX_NODES: u32 = 4_000_000;
/// Maximum number of attributes of an element; MJCF has elements with about 40.
const MAX_ATTRIBUTES: usize = 200;
/// Maximum number of names of namespaces, of which MJCF has none.
const MAX_NAMESPACES: usize = 16;

/// Parses a text in which [`without_comments`] left no comment.
pub(crate) fn parse(text: &str, source: SourceId) -> Result<Document<'_>, Box<Diagnostic>> {
    check_bounds(text, source)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| Box::new(explain(&error, text, source)))
}

/// Refuses what would take the parser time that grows with the square of the text: it compares every attribute
/// of an element with all others, and hands all namespaces on to every element inside.
fn check_bounds(text: &str, source: SourceId) -> Result<(), Box<Diagnostic>> {
    let too_large = |byte: usize, message: String| {
        let span = Span::new(source, byte..next_character(text, byte));
        Err(Box::new(Diagnostic::new(Code::E003, span, message)))
    };
    if let Some((byte, _)) = text.match_indices("xmlns").nth(MAX_NAMESPACES) {
        return too_large(byte, format!("the file names more than {MAX_NAMESPACES} namespaces"));
    }
    // Start of the tag around, the quote around, and the number of values so far.
    let (mut tag, mut quote, mut values) = (None, None, 0);
    for (at, byte) in text.bytes().enumerate() {
        match (tag, quote, byte) {
            (None, _, b'<') if !matches!(text.as_bytes().get(at + 1), Some(b'!' | b'?')) => {
                (tag, values) = (Some(at), 0);
            }
            (Some(_), None, b'>') => tag = None,
            (Some(start), None, b'"' | b'\'') => {
                quote = Some(byte);
                values += 1;
                if values > MAX_ATTRIBUTES {
                    return too_large(start, format!("an element has more than {MAX_ATTRIBUTES} attributes"));
                }
            }
            (Some(_), Some(open), _) if byte == open => quote = None,
            _ => {}
        }
    }
    Ok(())
}

/// The text with spaces in place of comments, so that every byte keeps its place.
///
/// XML forbids two hyphens inside a comment, but models are full of comments such as `<!-- ---- arm ---- -->`,
/// which MuJoCo reads.
pub(crate) fn without_comments(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("<!--") {
        let Some(length) = rest[start + 4..].find("-->") else { break };
        let end = start + 4 + length + 3;
        plain.push_str(&rest[..start]);
        for byte in rest[start..end].bytes() {
            plain.push(if byte == b'\n' { '\n' } else { ' ' });
        }
        rest = &rest[end..];
    }
    plain.push_str(rest);
    plain
}

/// A mistake of the XML, at its place.
fn explain(error: &Error, text: &str, source: SourceId) -> Diagnostic {
    let at = |byte: usize| Span::new(source, byte..next_character(text, byte));
    match error {
        Error::DtdDetected => {
            let start = text.find("<!DOCTYPE").unwrap_or(0);
            Diagnostic::new(
                Code::E002,
                Span::new(source, start..(start + "<!DOCTYPE".len()).min(text.len())),
                "a model has no document type definition",
            )
            .help("write what its entities stand for in their places, and remove it")
        }
        Error::UnknownEntityReference(name, position) => Diagnostic::new(
            Code::E002,
            at(byte_of(text, position.row, position.col)),
            format!("the entity `{name}` is not known"),
        )
        .help("only `&lt;` `&gt;` `&amp;` `&quot;` `&apos;` and numbers such as `&#65;` are read"),
        Error::NodesLimitReached | Error::AttributesLimitReached | Error::NamespacesLimitReached => {
            Diagnostic::new(Code::E003, at(0), format!("the file has more than {MAX_NODES} elements"))
        }
        Error::NoRootNode => Diagnostic::new(Code::E001, at(0), "the file has no element")
            .help("a model is an element `<mujoco>` … `</mujoco>`"),
        Error::UnclosedRootNode => {
            Diagnostic::new(Code::E001, at(text.len()), "the file ends before its elements are closed")
        }
        error => {
            let position = error.pos();
            // A diagnostic has its place anyway.
            let message = error.to_string().replace(&format!(" at {position}"), "");
            Diagnostic::new(
                Code::E001,
                at(byte_of(text, position.row, position.col)),
                format!("this is not XML: {message}"),
            )
        }
    }
}

/// The byte of a line and a column, both from 1, columns in characters.
fn byte_of(text: &str, line: u32, column: u32) -> usize {
    let start: usize = text.split_inclusive('\n').take(line.saturating_sub(1) as usize).map(str::len).sum();
    let rest = &text[start.min(text.len())..];
    let within = rest.char_indices().nth(column.saturating_sub(1) as usize).map_or(rest.len(), |(at, _)| at);
    start + within
}

/// One past the last byte of the character at a byte.
fn next_character(text: &str, byte: usize) -> usize {
    byte + text.get(byte..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}
