//! The cursor in its text: the block and key that it is in, and the kind of word that could come next.
//!
//! The text before the cursor is read word by word and not by the parser, since it ends in the middle of
//! something. Like the parser, it takes a line that opens with a block for the beginning of that block,
//! whatever is still open before.

use super::tokens::{Token, Tokens};
use crate::read::keys::{BLOCKS, keys};
use gedanken_lang::session::Class;

/// Number of words of the longest key.
const MAX_KEY_WORDS: usize = 5;

/// Kind of word that can stand at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expects {
    /// A block or an import.
    Block,
    /// A key of the block.
    Key,
    /// The value of the key.
    Value,
    /// A definition, or an item of a list, in the braces of the key.
    Item,
    /// An operand of an expression.
    Operand,
    /// A word that can follow an operand.
    Operator,
    /// The name of a file to import.
    File,
    /// Something that only the author knows.
    Nothing,
}

/// The cursor in its text.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    pub(super) expects: Expects,
    /// `context`, `world attributes`; empty outside of blocks.
    pub(super) block: String,
    /// The key, its words joined by underscores.
    pub(super) key: String,
    /// Name that is being defined, with its parameters.
    pub(super) definition: Option<&'t str>,
    pub(super) params: Vec<&'t str>,
    /// The definitions in these braces so far, this one included.
    pub(super) heads: Vec<&'t str>,
    /// The words since the last comma or line: those of a key, a list or an alias. What is typed now is not
    /// among them.
    pub(super) words: Vec<&'t str>,
    /// Names in these braces so far.
    pub(super) listed: Vec<&'t str>,
    /// First byte of the words that are typed now, this one included.
    pub(super) start: usize,
}

/// Part of the text that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ReaderState {
    Outside,
    /// Before the `=` of an entry.
    Key,
    /// Behind it.
    Value,
    /// In the braces of the value, at an item or before the `=` of a definition.
    Item,
    /// Behind that.
    Body,
}

struct CursorReader<'t> {
    state: ReaderState,
    cursor: Cursor<'t>,
    /// First byte of `cursor.words`.
    words_start: Option<usize>,
    /// `true` if nothing but names stands behind the `=`.
    only_words: bool,
    /// Brackets that are open in an expression.
    depth: usize,
    last: Option<Token<'t>>,
}

/// Returns `true` if the braces of a key hold definitions.
pub(super) fn holds_definitions(block: &str, key: &str) -> bool {
    key == "functions"
        || key == "attributes" && block != "context"
        || block == "lagrangian" && LAGRANGIAN_LISTS.contains(&key)
}

/// The keys of a `lagrangian` block whose braces hold definitions, beside `functions`.
pub(super) const LAGRANGIAN_LISTS: [&str; 10] = [
    "coordinates",
    "rates",
    "momenta",
    "parameters",
    "forces",
    "constraints",
    "velocity_constraints",
    "stops",
    "positions",
    "orientations",
];

/// Returns `true` if the braces of a key hold expressions.
fn holds_expressions(key: &str) -> bool {
    matches!(key, "geometric_data_directions" | "plots" | "arrows" | "draw")
}

impl<'t> Cursor<'t> {
    /// The place of a word that begins at `start`.
    pub(super) fn find(text: &'t str, tokens: &Tokens<'t>, start: usize) -> Self {
        let cursor = Self {
            expects: Expects::Nothing,
            block: String::new(),
            key: String::new(),
            definition: None,
            params: Vec::new(),
            heads: Vec::new(),
            words: Vec::new(),
            listed: Vec::new(),
            start,
        };
        let mut reader = CursorReader {
            state: ReaderState::Outside,
            cursor,
            words_start: None,
            only_words: true,
            depth: 0,
            last: None,
        };
        let before = tokens.tokens.iter().take_while(|token| token.end <= start);
        let before: Vec<&Token<'t>> = before.collect();
        for (index, token) in before.iter().enumerate() {
            let opens = token.opens_line && opens_block(&before[index..]);
            reader.read(token, opens);
        }
        let gap = text.get(reader.last.map_or(0, |token| token.end)..start).unwrap_or_default();
        let opens_line = gap.contains('\n') || reader.last.is_none();
        reader.finish(opens_line)
    }
}

/// Returns `true` if tokens open a block: its words, a name perhaps, and a brace.
fn opens_block(tokens: &[&Token<'_>]) -> bool {
    let names = tokens.iter().take(4).take_while(|token| token.is_name()).count();
    let first = tokens.first().map(|token| token.text).unwrap_or_default();
    let is_block = BLOCKS.contains(&first) || matches!(first, "world" | "world_attributes");
    is_block && names <= 3 && tokens.get(names).is_some_and(|token| token.text == "{")
}

impl<'t> CursorReader<'t> {
    fn read(&mut self, token: &Token<'t>, opens_block: bool) {
        if opens_block {
            self.leave_block();
        }
        match self.state {
            ReaderState::Outside => self.outside(token),
            ReaderState::Key => self.key(token),
            ReaderState::Value => self.value(token),
            ReaderState::Item => self.item(token),
            ReaderState::Body => self.body(token),
        }
        self.last = Some(*token);
    }

    fn clear_words(&mut self) {
        self.cursor.words.clear();
        self.words_start = None;
    }

    fn word(&mut self, token: &Token<'t>) {
        self.words_start.get_or_insert(token.start);
        self.cursor.words.push(token.text);
    }

    fn leave_block(&mut self) {
        self.state = ReaderState::Outside;
        self.cursor.block.clear();
        self.leave_entry();
    }

    fn leave_entry(&mut self) {
        self.cursor.key.clear();
        self.cursor.heads.clear();
        self.cursor.listed.clear();
        self.leave_definition();
    }

    fn leave_definition(&mut self) {
        self.cursor.definition = None;
        self.cursor.params.clear();
        self.depth = 0;
        self.clear_words();
    }

    fn outside(&mut self, token: &Token<'t>) {
        if token.opens_line {
            self.clear_words();
        }
        if token.text == "{" {
            let first = self.cursor.words.first().copied().unwrap_or_default();
            self.cursor.block = match first {
                "world" | "world_attributes" => "world attributes".to_owned(),
                other => other.to_owned(),
            };
            self.state = ReaderState::Key;
            self.clear_words();
        } else {
            self.word(token);
        }
    }

    fn key(&mut self, token: &Token<'t>) {
        match token.text {
            "}" => self.leave_block(),
            "=" => self.set(),
            "," => self.clear_words(),
            _ => {
                if token.opens_line {
                    self.clear_words();
                }
                self.word(token);
            }
        }
    }

    /// The `=` of an entry.
    fn set(&mut self) {
        let key = self.cursor.words.join("_");
        self.leave_entry();
        self.cursor.key = key;
        self.state = ReaderState::Value;
        self.only_words = true;
        if self.cursor.block == "world attributes" {
            self.only_words = false;
        }
    }

    fn value(&mut self, token: &Token<'t>) {
        let is_first = self.last.is_some_and(|last| last.text == "=" && self.cursor.words.is_empty());
        if is_first && token.text == "{" && self.cursor.block != "world attributes" {
            self.state = ReaderState::Item;
            return;
        }
        let goes_on = self.last.is_some_and(|last| !last.ends_value());
        if self.depth == 0 && token.opens_line && token.is_name() && !goes_on {
            self.state = ReaderState::Key;
            self.leave_entry();
            return self.key(token);
        }
        match token.text {
            "}" if self.depth == 0 => return self.leave_block(),
            "," if self.depth == 0 => {
                self.state = ReaderState::Key;
                return self.leave_entry();
            }
            "=" if self.depth == 0 && !self.cursor.words.is_empty() => return self.next_on_line(),
            "(" | "[" | "{" => self.depth += 1,
            ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        if token.is_name() {
            self.word(token);
        } else {
            self.only_words = false;
            self.clear_words();
        }
    }

    /// `name = first initial time = 0`: the last of the words were the next key.
    fn next_on_line(&mut self) {
        let words = std::mem::take(&mut self.cursor.words);
        let is_key =
            |from: &usize| keys(&self.cursor.block).iter().any(|(key, _)| *key == words[*from..].join("_"));
        let longest = words.len().saturating_sub(MAX_KEY_WORDS);
        let from = (longest..words.len()).find(is_key).unwrap_or(words.len() - 1);
        self.cursor.words = words[from..].to_vec();
        self.set();
    }

    fn item(&mut self, token: &Token<'t>) {
        if token.text == "}" {
            self.state = ReaderState::Key;
            return self.leave_entry();
        }
        if holds_expressions(&self.cursor.key) {
            self.state = ReaderState::Body;
            return self.body(token);
        }
        let defines = holds_definitions(&self.cursor.block, &self.cursor.key);
        match token.text {
            "=" if defines && !self.cursor.words.is_empty() => {
                let words = std::mem::take(&mut self.cursor.words);
                self.define(words[0], words[1..].to_vec());
            }
            "," if !defines || self.depth == 0 => self.clear_words(),
            "(" => self.depth += 1,
            ")" => self.depth = self.depth.saturating_sub(1),
            _ => {
                if token.opens_line && (defines || token.text == "use" || token.text == "mandatory") {
                    self.clear_words();
                }
                if token.is_name() || token.class == Class::Constant {
                    self.word(token);
                    self.cursor.listed.push(token.text);
                }
            }
        }
    }

    fn define(&mut self, name: &'t str, params: Vec<&'t str>) {
        self.leave_definition();
        self.cursor.definition = Some(name);
        self.cursor.params = params;
        self.cursor.heads.push(name);
        self.state = ReaderState::Body;
    }

    fn body(&mut self, token: &Token<'t>) {
        let goes_on = self.last.is_some_and(|last| !last.ends_value());
        let defines = !holds_expressions(&self.cursor.key);
        if self.depth == 0 && defines && token.opens_line && token.is_name() && !goes_on {
            self.state = ReaderState::Item;
            self.leave_definition();
            return self.item(token);
        }
        match token.text {
            "}" if self.depth == 0 => {
                self.state = ReaderState::Key;
                self.leave_entry();
            }
            "," if self.depth == 0 && defines => {
                self.state = ReaderState::Item;
                self.leave_definition();
            }
            // `v = a w = b` on one line: the name before this sign was the next one.
            "=" if self.depth == 0 && defines => {
                if let Some(last) = self.last.filter(Token::is_name) {
                    self.define(last.text, Vec::new());
                }
            }
            "(" | "[" | "{" => self.depth += 1,
            ")" | "]" | "}" => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// The place behind all that was read.
    fn finish(mut self, opens_line: bool) -> Cursor<'t> {
        let ends = self.last.is_some_and(|last| last.ends_value());
        // What is typed at the beginning of a line is the next entry or definition, unless something is
        // unfinished.
        if opens_line && ends && self.depth == 0 {
            match self.state {
                ReaderState::Value => {
                    self.state = ReaderState::Key;
                    self.leave_entry();
                }
                ReaderState::Body => {
                    self.state = ReaderState::Item;
                    self.leave_definition();
                }
                _ => {}
            }
        }
        let defines = holds_definitions(&self.cursor.block, &self.cursor.key);
        if opens_line
            && (matches!(self.state, ReaderState::Outside | ReaderState::Key)
                || self.state == ReaderState::Item && defines)
        {
            self.clear_words();
        }
        let operand = if ends { Expects::Operator } else { Expects::Operand };
        let imports = self.cursor.words.first() == Some(&"import");
        self.cursor.expects = match self.state {
            ReaderState::Outside if imports => Expects::File,
            ReaderState::Outside => Expects::Block,
            ReaderState::Key if self.cursor.block == "world attributes" => Expects::Nothing,
            ReaderState::Key => Expects::Key,
            ReaderState::Value if self.only_words => Expects::Value,
            ReaderState::Value | ReaderState::Body => operand,
            ReaderState::Item if defines && (self.depth > 0 || !self.cursor.words.is_empty()) => {
                Expects::Nothing
            }
            ReaderState::Item if holds_expressions(&self.cursor.key) => operand,
            ReaderState::Item => Expects::Item,
        };
        // Keys, values of several words and blocks are replaced from their first word on.
        if matches!(self.cursor.expects, Expects::Block | Expects::Key | Expects::Value) {
            self.cursor.start = self.words_start.unwrap_or(self.cursor.start);
        }
        self.cursor
    }
}
