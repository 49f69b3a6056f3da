//! Completion: the words that can stand at the cursor.

use super::cursor::{Cursor, Expects, holds_definitions};
use super::declarations::Declarations;
use super::expressions::{heads, operands};
use super::keywords::{in_list, key_items, values};
use super::snippets::BLOCK_SNIPPETS;
use super::tokens::{Tokens, boundary};
use crate::gallery;
use gedanken_lang::session::Class;
use std::collections::BTreeSet;

/// Words that can stand at the cursor, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completions {
    /// The first byte of what an item replaces.
    pub start: usize,
    /// One past the last byte of that.
    pub end: usize,
    /// The proposals. No two have the same label.
    pub items: Vec<Item>,
}

/// A proposal for the cursor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Text that is shown, and that begins with the typed letters.
    pub label: String,
    /// Its kind.
    pub kind: ItemKind,
    /// Meaning or origin in a few words; plain text.
    pub detail: String,
    /// Text that is inserted.
    pub insert: String,
}

/// Kind of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ItemKind {
    /// A key of a block.
    Key,
    /// A word that a key is set to.
    Value,
    /// An attribute of the world, of objects or of a context, or something the engine gives.
    Attribute,
    /// A function of the text or of a library.
    Function,
    /// A native function.
    Native,
    /// An object.
    Object,
    /// A context, or another block that can be named.
    Context,
    /// A word of the language.
    Keyword,
    /// A file.
    File,
}

impl ItemKind {
    /// In one word: `native`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Key => "key",
            Self::Value => "value",
            Self::Attribute => "attribute",
            Self::Function => "function",
            Self::Native => "native",
            Self::Object => "object",
            Self::Context => "context",
            Self::Keyword => "keyword",
            Self::File => "file",
        }
    }
}

impl Item {
    /// A proposal that inserts its label.
    pub(super) fn new(kind: ItemKind, label: impl Into<String>, detail: impl Into<String>) -> Self {
        let (label, detail) = (label.into(), detail.into().replace('`', ""));
        Self { insert: label.clone(), label, kind, detail }
    }

    /// The proposal with another text to insert.
    pub(super) fn inserting(self, insert: impl Into<String>) -> Self {
        Self { insert: insert.into(), ..self }
    }
}

/// Words that can stand at byte `offset` of a text, and begin with the letters that are typed there.
pub fn complete(text: &str, offset: usize) -> Completions {
    let offset = boundary(text, offset);
    let nothing = Completions { start: offset, end: offset, items: Vec::new() };
    let tokens = Tokens::of(text);
    if tokens.is_comment(text, offset) {
        return nothing;
    }
    let declarations = Declarations::of(text);
    if let Some(quoted) = quoted(&tokens, offset) {
        let cursor = Cursor::find(text, &tokens, quoted.0);
        let items = if cursor.expects == Expects::File { files() } else { Vec::new() };
        let typed = text.get(quoted.0..offset).unwrap_or_default().trim_start_matches('"');
        return Completions { start: quoted.0, end: quoted.1, items: fitting(items, typed) };
    }
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let begun = text[..offset].trim_end_matches(is_part).len();
    // `2e` is the beginning of a number.
    if text[begun..offset].starts_with(|c: char| c.is_ascii_digit()) {
        return nothing;
    }
    let rest = text[offset..].find(|c: char| !is_part(c)).unwrap_or(text.len() - offset);
    // What stands behind the cursor goes only with a word that has begun before it.
    let end = if begun < offset { offset + rest } else { offset };
    let cursor = Cursor::find(text, &tokens, begun);
    let typed = text.get(cursor.start..offset).unwrap_or_default();
    let items = match cursor.expects {
        Expects::Block => blocks(),
        Expects::Key => key_items(&cursor, &declarations, offset),
        Expects::Value => values(&cursor, &declarations, offset),
        Expects::Item => match holds_definitions(&cursor.block, &cursor.key) {
            true => heads(&cursor, &declarations, offset),
            false => in_list(&cursor, &declarations, offset),
        },
        Expects::Operand => operands(&cursor, &declarations, offset),
        Expects::Operator => ["then", "else"]
            .map(|word| {
                Item::new(ItemKind::Keyword, word, "if condition then value else other")
                    .inserting(format!("{word} "))
            })
            .to_vec(),
        Expects::File => files(),
        Expects::Nothing => Vec::new(),
    };
    Completions { start: cursor.start, end, items: fitting(items, typed) }
}

/// The text in quotes that a place is in, if it is.
fn quoted(tokens: &Tokens<'_>, offset: usize) -> Option<(usize, usize)> {
    let inside = tokens.tokens.iter().find(|token| {
        let closed = token.text.len() > 1 && token.text.ends_with('"');
        token.class == Class::Text
            && token.start < offset
            && (offset < token.end || offset == token.end && !closed)
    });
    inside.map(|token| (token.start, token.end))
}

fn blocks() -> Vec<Item> {
    let item = |(name, detail, snippet): (&str, &str, &str)| {
        Item::new(ItemKind::Keyword, name, detail).inserting(snippet)
    };
    BLOCK_SNIPPETS.into_iter().map(item).collect()
}

/// The libraries that come with the lab.
fn files() -> Vec<Item> {
    let libraries = gallery::FILES.iter().filter(|file| file.title().is_none());
    let item = |file: &gallery::File| {
        Item::new(ItemKind::File, file.name, file.summary()).inserting(format!("\"{}\"", file.name))
    };
    libraries.map(item).collect()
}

/// The items that begin with what was typed, each once: first those in the same capitals, then others.
fn fitting(items: Vec<Item>, typed: &str) -> Vec<Item> {
    let plain = |text: &str| {
        text.split(['_', ' ', '\n', '\t', '\r']).filter(|it| !it.is_empty()).collect::<Vec<_>>().join("_")
    };
    let typed_plain = if typed.contains(char::is_whitespace) { plain(typed) } else { typed.to_owned() };
    let lower = typed_plain.to_ascii_lowercase();
    let mut seen = BTreeSet::new();
    let mut fitting: Vec<(bool, Item)> = Vec::new();
    for item in items {
        let label = if item.label.contains(' ') { plain(&item.label) } else { item.label.clone() };
        if label.to_ascii_lowercase().starts_with(&lower) && seen.insert(item.label.clone()) {
            fitting.push((!label.starts_with(&typed_plain), item));
        }
    }
    fitting.sort_by_key(|(other_capitals, _)| *other_capitals);
    fitting.into_iter().map(|(_, item)| item).collect()
}
