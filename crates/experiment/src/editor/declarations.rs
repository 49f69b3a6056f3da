//! Declarations of a text, as far as it can be read: the names that may stand in it, and where they come
//! from.

use crate::gallery;
use crate::object::shape::ShapeKind;
use gedanken_lang::source::{Sources, Span};
use gedanken_lang::syntax::tree::{Block, Definition, File, Item, Name, Value};
use gedanken_lang::syntax::{Dialect, parse};
use std::collections::BTreeSet;

/// The tree of a text, whatever is wrong with it.
pub(super) fn parsed(text: &str, dialect: Dialect) -> File {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    parse(&sources, source, dialect).0
}

/// The name of a block, before or inside its braces; empty if it has none.
pub(super) fn name_of(block: &Block) -> String {
    name_in(block).map(|name| name.text.clone()).unwrap_or_default()
}

/// Name of a block with its position.
pub(super) fn name_in(block: &Block) -> Option<&Name> {
    block.name.as_ref().or_else(|| words(block, "name"))
}

/// The words that a key is set to.
pub(super) fn words<'b>(block: &'b Block, key: &str) -> Option<&'b Name> {
    match value(block, key)? {
        Value::Words(words) | Value::Text(words) => Some(words),
        _ => None,
    }
}

/// The names that a key lists.
pub(super) fn names<'b>(block: &'b Block, key: &str) -> &'b [Name] {
    match value(block, key) {
        Some(Value::Names(names)) => names,
        _ => &[],
    }
}

/// The definitions that a key holds.
pub(super) fn definitions<'b>(block: &'b Block, key: &str) -> &'b [Definition] {
    match value(block, key) {
        Some(Value::Definitions(definitions)) => definitions,
        _ => &[],
    }
}

/// Value of a key.
pub(super) fn value<'b>(block: &'b Block, key: &str) -> Option<&'b Value> {
    block.entries.iter().find(|entry| entry.key.text == key).map(|entry| &entry.value)
}

/// A text that is being written.
pub(super) struct Declarations {
    text: String,
    /// First byte of every line.
    lines: Vec<usize>,
    file: File,
    /// The functions of imported libraries, with the name of the file. Those of the gallery are known, others
    /// are not.
    pub(super) imported: Vec<(&'static str, Definition)>,
}

/// An attribute of the world or of an object.
pub(super) struct Attribute<'k> {
    /// Owner; `None` for the world.
    pub(super) object: Option<&'k str>,
    pub(super) name: &'k Name,
}

impl Declarations {
    pub(super) fn of(text: &str) -> Self {
        let file = parsed(text, Dialect::Experiment);
        let mut imported = Vec::new();
        for item in &file.items {
            let Item::Import(import) = item else { continue };
            let library = gallery::FILES.iter().find(|it| it.name == import.path && it.title().is_none());
            for file in library.map(|it| it.with_imports()).unwrap_or_default() {
                let definitions = parsed(file.text, Dialect::Library).into_definitions();
                imported.extend(definitions.into_iter().map(|it| (file.name, it)));
            }
        }
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Self { text: text.to_owned(), lines, file, imported }
    }

    /// Text of a span, on one line.
    pub(super) fn source(&self, span: Span) -> String {
        let text = self.text.get(span.range()).unwrap_or_default();
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// The text before a place.
    pub(super) fn before(&self, offset: usize) -> &str {
        self.text.get(..offset).unwrap_or_default()
    }

    /// The number of the line in which a place begins.
    pub(super) fn line(&self, span: Span) -> usize {
        self.lines.partition_point(|&line| line <= span.start as usize)
    }

    /// The blocks of a kind, in the order of the text.
    pub(super) fn blocks<'k>(&'k self, kind: &'k str) -> impl Iterator<Item = &'k Block> {
        self.all_blocks().filter(move |block| block.keyword.text == kind)
    }

    /// All blocks, in the order of the text.
    pub(super) fn all_blocks(&self) -> impl Iterator<Item = &Block> {
        self.file.items.iter().filter_map(|item| match item {
            Item::Block(block) => Some(block),
            _ => None,
        })
    }

    /// The block that a place is in. The last one may still be open, and then has no end.
    pub(super) fn block_at(&self, offset: usize) -> Option<&Block> {
        self.all_blocks().filter(|block| block.span.start as usize <= offset).last()
    }

    /// The attributes of the world, in the order of the text.
    pub(super) fn world(&self) -> impl Iterator<Item = &Name> {
        self.blocks("world attributes").flat_map(|block| &block.entries).map(|entry| &entry.key)
    }

    /// The attributes of objects and of the world.
    pub(super) fn attributes(&self) -> impl Iterator<Item = Attribute<'_>> {
        let of_objects = self.blocks("object").flat_map(|block| {
            let object = name_in(block).map(|name| name.text.as_str());
            let own = definitions(block, "attributes").iter();
            own.map(move |it| Attribute { object: object.or(Some("")), name: &it.name })
        });
        of_objects.chain(self.world().map(|name| Attribute { object: None, name }))
    }

    /// The names of all attributes that objects have, sorted.
    pub(super) fn of_objects(&self) -> Vec<&str> {
        let names = self.attributes().filter(|it| it.object.is_some()).map(|it| it.name.text.as_str());
        names.collect::<BTreeSet<&str>>().into_iter().collect()
    }
}

/// Physical type and shape of an object, in a few words: `dynamic sphere`.
pub(super) fn described(block: &Block) -> String {
    let both = ["physical_type", "geometrical_type"].map(|key| words(block, key).map(|it| it.text.as_str()));
    both.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

/// The shape of an object, if it is known.
pub(super) fn shape_of(block: &Block) -> Option<ShapeKind> {
    words(block, "geometrical_type").and_then(|words| ShapeKind::by_name(&words.text))
}
