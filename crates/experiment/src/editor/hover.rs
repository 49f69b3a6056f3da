//! Hover: the meaning of the word at the cursor, and where it comes from.

use super::built_in_names::{given_in, previous_in};
use super::cursor::{Cursor, Expects, holds_definitions};
use super::declarations::{Declarations, definitions, described, name_in, name_of, names, words};
use super::expressions::{aliases, left_side, meaning, native_line};
use super::keywords::block_of;
use super::lagrangian_names::{head, in_formulas, in_measures};
use super::snippets::BLOCK_SNIPPETS;
use super::tokens::{Token, Tokens, boundary};
use crate::read::keys::{keys, written};
use gedanken_lang::native::NATIVES;
use gedanken_lang::session::OPERATORS;
use gedanken_lang::syntax::tree::Block;

/// Meaning of a word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The first byte of the word.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// Meaning: plain text, a few lines.
    pub text: String,
}

/// Meaning of the word at byte `offset` of a text, if it is known.
pub fn hover(text: &str, offset: usize) -> Option<Hover> {
    let offset = boundary(text, offset);
    let tokens = Tokens::of(text);
    if tokens.is_comment(text, offset) {
        return None;
    }
    let token = *tokens.at(offset)?;
    let declarations = Declarations::of(text);
    let cursor = Cursor::find(text, &tokens, token.start);
    let request = HoverRequest {
        declarations: &declarations,
        cursor: &cursor,
        block: block_of(&cursor, &declarations, token.start),
        token,
    };
    let text = match cursor.expects {
        Expects::Block => opener(token.text),
        Expects::Key | Expects::Nothing => request.key().or_else(|| request.name()),
        Expects::File => None,
        // A list names objects and contexts: `floor` is no native there.
        Expects::Item if !holds_definitions(&cursor.block, &cursor.key) => {
            request.thing().or_else(|| request.name())
        }
        Expects::Value if matches!(cursor.key.as_str(), "name" | "simulation") => request.thing(),
        _ => request.name(),
    };
    text.map(|text| Hover { start: token.start, end: token.end, text })
}

struct HoverRequest<'a> {
    declarations: &'a Declarations,
    cursor: &'a Cursor<'a>,
    /// The block of the word.
    block: Option<&'a Block>,
    token: Token<'a>,
}

impl HoverRequest<'_> {
    /// The key that the word is part of.
    fn key(&self) -> Option<String> {
        let entry = self.block?.entries.iter().find(|entry| {
            let range = entry.key.span.range();
            range.start <= self.token.start && self.token.end <= range.end
        })?;
        let (key, meaning) = keys(&self.cursor.block).iter().find(|(key, _)| *key == entry.key.text)?;
        Some(format!("{}\n{}", written(key), meaning.replace('`', "")))
    }

    /// In the order in which names get their meaning: parameter, name of a system, function of the block,
    /// attribute or alias, imported function, native. What else has a name comes last.
    fn name(&self) -> Option<String> {
        let word = self.token.text;
        if self.cursor.params.contains(&word) {
            return Some(format!(
                "{word}\nparameter of {}",
                self.cursor.definition.unwrap_or("this function")
            ));
        }
        let found = [
            self.stated(),
            self.function(),
            self.of_block(),
            self.attribute(),
            self.engine(),
            self.imported(),
            native(word),
            self.thing(),
            operator(word),
        ];
        found.into_iter().flatten().next()
    }

    fn function(&self) -> Option<String> {
        let block = self.block?;
        let it = definitions(block, "functions").iter().find(|it| it.name.text == self.token.text)?;
        let (kind, name) = (&block.keyword.text, name_of(block));
        let law = self.declarations.source(it.span);
        Some(format!(
            "{law}\n{} is defined in {kind} {name}, line {}",
            left_side(it),
            self.declarations.line(it.span)
        ))
    }

    /// A name that a `lagrangian` block gives to its own formulas, or to measures.
    fn stated(&self) -> Option<String> {
        let word = self.token.text;
        match (self.cursor.block.as_str(), self.block) {
            ("lagrangian", Some(block)) => {
                let own = || in_formulas(block, self.declarations).into_iter().find(|it| it.name == word);
                let told = || {
                    let it = own()?;
                    Some(format!("{word}\n{}, line {}", it.meaning, self.declarations.line(it.written)))
                };
                head(block, self.declarations, self.token.start).or_else(told)
            }
            ("measure", _) if self.cursor.expects != Expects::Key => {
                let (block, it) =
                    in_measures(self.declarations).into_iter().find(|(_, it)| it.name == word)?;
                let line = self.declarations.line(it.written);
                Some(format!("{word}\n{}, of lagrangian {block}, line {line}", it.meaning))
            }
            _ => None,
        }
    }

    /// Attributes and aliases of a context or rule.
    fn of_block(&self) -> Option<String> {
        let (block, word) = (self.block?, self.token.text);
        if let Some(alias) = aliases(block).iter().find(|it| it.name.text == word) {
            return Some(format!("{word}\n{}, line {}", meaning(alias), self.declarations.line(alias.span)));
        }
        let name = names(block, "attributes").iter().find(|it| it.text == word)?;
        Some(format!(
            "{word}\nattribute of {} {}, line {}",
            block.keyword.text,
            name_of(block),
            self.declarations.line(name.span)
        ))
    }

    /// Every attribute of that name, one in a line.
    fn attribute(&self) -> Option<String> {
        let word = self.token.text;
        let mut lines = Vec::new();
        for block in self.declarations.all_blocks() {
            let owner = name_of(block);
            match block.keyword.text.as_str() {
                "world attributes" => {
                    for entry in block.entries.iter().filter(|it| it.key.text == word) {
                        let (value, line) =
                            (self.declarations.source(entry.span), self.declarations.line(entry.span));
                        lines.push(format!("{value}   attribute of the world, line {line}"));
                    }
                }
                "object" => {
                    for it in definitions(block, "attributes").iter().filter(|it| it.name.text == word) {
                        let (value, line) =
                            (self.declarations.source(it.span), self.declarations.line(it.span));
                        lines.push(format!("{value}   attribute of {owner}, line {line}"));
                    }
                }
                _ => {}
            }
        }
        // The object in which the word stands comes first.
        let own = self.block.filter(|it| it.keyword.text == "object").map(name_of);
        let ends = own.map(|own| format!("attribute of {own}, "));
        lines.sort_by_key(|line| !ends.as_ref().is_some_and(|ends| line.contains(ends.as_str())));
        const MAX_LINES: usize = 6;
        if lines.len() > MAX_LINES {
            let more = lines.len() - MAX_LINES;
            lines.truncate(MAX_LINES);
            lines.push(format!("and {more} more"));
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }

    fn engine(&self) -> Option<String> {
        let word = self.token.text;
        let kind = self.cursor.block.as_str();
        if word == "previous" {
            return previous_in(kind).map(|meaning| format!("previous(x)\n{meaning}"));
        }
        let given = given_in(kind, self.block, &self.declarations.of_objects());
        let found = given.iter().find(|it| it.name == word)?;
        Some(format!("{word}\ngiven by the engine: {}", found.meaning))
    }

    fn imported(&self) -> Option<String> {
        let (file, it) =
            self.declarations.imported.iter().rev().find(|(_, it)| it.name.text == self.token.text)?;
        Some(format!("{}\nimported from {file}", left_side(it)))
    }

    /// An object, context or other block by its name.
    fn thing(&self) -> Option<String> {
        let word = self.token.text;
        let block =
            self.declarations.all_blocks().find(|it| name_in(it).is_some_and(|name| name.text == word))?;
        let mut text = format!("{} {word}, line {}", block.keyword.text, self.declarations.line(block.span));
        let more = match block.keyword.text.as_str() {
            "object" => described(block),
            "context" => words(block, "type").map(|it| it.text.clone()).unwrap_or_default(),
            _ => String::new(),
        };
        if !more.is_empty() {
            text.push('\n');
            text.push_str(&more);
        }
        Some(text)
    }
}

/// A block by its first word.
fn opener(word: &str) -> Option<String> {
    let (name, what, _) = BLOCK_SNIPPETS.iter().find(|(name, ..)| name.split(' ').next() == Some(word))?;
    Some(format!("{name}\n{what}"))
}

fn native(word: &str) -> Option<String> {
    let entry = NATIVES.iter().find(|entry| entry.name == word)?;
    let mut text = format!("{}\n{}", native_line(entry), entry.summary);
    if !entry.formula.is_empty() {
        text.push('\n');
        text.push_str(entry.formula);
    }
    Some(text)
}

fn operator(word: &str) -> Option<String> {
    let word = if matches!(word, "then" | "else") { "if" } else { word };
    let (sign, does, example, value) = OPERATORS.iter().find(|(sign, ..)| *sign == word)?;
    Some(format!("{sign}\n{}\n{example} is {value}", does.replace('`', "")))
}
