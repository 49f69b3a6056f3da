//! Where the cursor is: in which block, behind which key, and what could come next there.
//!
//! The text before the cursor is read word by word and not by the parser, since it ends in the middle of
//! something. Like the parser, it takes a line that opens with a block for the beginning of that block,
//! whatever is still open before.

use super::tokens::{Token, Tokens};
use crate::read::keys::{BLOCKS, keys};
use gedanken_lang::session::Class;

/// What can stand at the cursor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Expects {
    /// A block or an import.
    Block,
    /// A key of the block.
    Key,
    /// What the key is set to.
    Value,
    /// A definition, or an item of a list, in the braces of the key.
    Item,
    /// An operand of an expression.
    Operand,
    /// What can follow an operand.
    Operator,
    /// The name of a file to import.
    File,
    /// Something that only the author knows.
    Nothing,
}

/// Where the cursor is.
#[derive(Clone, Debug)]
pub(super) struct Place<'t> {
    pub(super) expects: Expects,
    /// `context`, `world attributes`; empty outside of blocks.
    pub(super) block: String,
    /// The key, its words joined by underscores.
    pub(super) key: String,
    /// What is being defined, with its parameters.
    pub(super) definition: Option<&'t str>,
    pub(super) params: Vec<&'t str>,
    /// The definitions in these braces so far, this one included.
    pub(super) heads: Vec<&'t str>,
    /// The words since the last comma or line: those of a key, a list or an alias. What is typed now is not
    /// among them.
    pub(super) words: Vec<&'t str>,
    /// Names in these braces so far.
    pub(super) listed: Vec<&'t str>,
    /// Where the words began that are typed now, this one included.
    pub(super) start: usize,
}

/// What the reader is in the middle of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
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

struct Reader<'t> {
    state: State,
    place: Place<'t>,
    /// Where `place.words` began.
    words_start: Option<usize>,
    /// Whether all that stands behind the `=` is names.
    only_words: bool,
    /// Brackets that are open in an expression.
    depth: usize,
    last: Option<Token<'t>>,
}

/// Whether the braces of a key hold definitions.
pub(super) fn holds_definitions(block: &str, key: &str) -> bool {
    key == "functions"
        || key == "attributes" && block != "context"
        || block == "lagrangian" && LISTS.contains(&key)
}

/// The keys of a `lagrangian` block whose braces hold definitions, beside `functions`.
pub(super) const LISTS: [&str; 10] = [
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

/// Whether the braces of a key hold expressions.
fn holds_expressions(key: &str) -> bool {
    key == "geometric_data_directions"
}

impl<'t> Place<'t> {
    /// The place of a word that begins at `start`.
    pub(super) fn find(text: &'t str, tokens: &Tokens<'t>, start: usize) -> Self {
        let place = Self {
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
        let mut reader = Reader {
            state: State::Outside,
            place,
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

/// Whether tokens begin with a block that there is: its words, a name perhaps, and a brace.
fn opens_block(tokens: &[&Token<'_>]) -> bool {
    let names = tokens.iter().take_while(|token| token.is_name()).count();
    let first = tokens.first().map(|token| token.text).unwrap_or_default();
    let is_block = BLOCKS.contains(&first) || matches!(first, "world" | "world_attributes");
    is_block && names <= 3 && tokens.get(names).is_some_and(|token| token.text == "{")
}

impl<'t> Reader<'t> {
    fn read(&mut self, token: &Token<'t>, opens_block: bool) {
        if opens_block {
            self.leave_block();
        }
        match self.state {
            State::Outside => self.outside(token),
            State::Key => self.key(token),
            State::Value => self.value(token),
            State::Item => self.item(token),
            State::Body => self.body(token),
        }
        self.last = Some(*token);
    }

    fn clear_words(&mut self) {
        self.place.words.clear();
        self.words_start = None;
    }

    fn word(&mut self, token: &Token<'t>) {
        self.words_start.get_or_insert(token.start);
        self.place.words.push(token.text);
    }

    fn leave_block(&mut self) {
        self.state = State::Outside;
        self.place.block.clear();
        self.leave_entry();
    }

    fn leave_entry(&mut self) {
        self.place.key.clear();
        self.place.heads.clear();
        self.place.listed.clear();
        self.leave_definition();
    }

    fn leave_definition(&mut self) {
        self.place.definition = None;
        self.place.params.clear();
        self.depth = 0;
        self.clear_words();
    }

    fn outside(&mut self, token: &Token<'t>) {
        if token.opens_line {
            self.clear_words();
        }
        if token.text == "{" {
            let first = self.place.words.first().copied().unwrap_or_default();
            self.place.block = match first {
                "world" | "world_attributes" => "world attributes".to_owned(),
                other => other.to_owned(),
            };
            self.state = State::Key;
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
        let key = self.place.words.join("_");
        self.leave_entry();
        self.place.key = key;
        self.state = State::Value;
        self.only_words = true;
        if self.place.block == "world attributes" {
            self.only_words = false;
        }
    }

    fn value(&mut self, token: &Token<'t>) {
        let is_first = self.last.is_some_and(|last| last.text == "=" && self.place.words.is_empty());
        if is_first && token.text == "{" && self.place.block != "world attributes" {
            self.state = State::Item;
            return;
        }
        let goes_on = self.last.is_some_and(|last| !last.ends_value());
        if self.depth == 0 && token.opens_line && token.is_name() && !goes_on {
            self.state = State::Key;
            self.leave_entry();
            return self.key(token);
        }
        match token.text {
            "}" if self.depth == 0 => return self.leave_block(),
            "," if self.depth == 0 => {
                self.state = State::Key;
                return self.leave_entry();
            }
            "=" if self.depth == 0 && !self.place.words.is_empty() => return self.next_on_line(),
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
        let words = std::mem::take(&mut self.place.words);
        let is_key =
            |from: &usize| keys(&self.place.block).iter().any(|(key, _)| *key == words[*from..].join("_"));
        let from = (0..words.len()).find(is_key).unwrap_or(words.len() - 1);
        self.place.words = words[from..].to_vec();
        self.set();
    }

    fn item(&mut self, token: &Token<'t>) {
        if token.text == "}" {
            self.state = State::Key;
            return self.leave_entry();
        }
        if holds_expressions(&self.place.key) {
            self.state = State::Body;
            return self.body(token);
        }
        let defines = holds_definitions(&self.place.block, &self.place.key);
        match token.text {
            "=" if defines && !self.place.words.is_empty() => {
                let words = std::mem::take(&mut self.place.words);
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
                    self.place.listed.push(token.text);
                }
            }
        }
    }

    fn define(&mut self, name: &'t str, params: Vec<&'t str>) {
        self.leave_definition();
        self.place.definition = Some(name);
        self.place.params = params;
        self.place.heads.push(name);
        self.state = State::Body;
    }

    fn body(&mut self, token: &Token<'t>) {
        let goes_on = self.last.is_some_and(|last| !last.ends_value());
        let defines = !holds_expressions(&self.place.key);
        if self.depth == 0 && defines && token.opens_line && token.is_name() && !goes_on {
            self.state = State::Item;
            self.leave_definition();
            return self.item(token);
        }
        match token.text {
            "}" if self.depth == 0 => {
                self.state = State::Key;
                self.leave_entry();
            }
            "," if self.depth == 0 && defines => {
                self.state = State::Item;
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
    fn finish(mut self, opens_line: bool) -> Place<'t> {
        let ends = self.last.is_some_and(|last| last.ends_value());
        // What is typed at the beginning of a line is the next entry or definition, unless something is
        // unfinished.
        if opens_line && ends && self.depth == 0 {
            match self.state {
                State::Value => {
                    self.state = State::Key;
                    self.leave_entry();
                }
                State::Body => {
                    self.state = State::Item;
                    self.leave_definition();
                }
                _ => {}
            }
        }
        let defines = holds_definitions(&self.place.block, &self.place.key);
        if opens_line
            && (matches!(self.state, State::Outside | State::Key) || self.state == State::Item && defines)
        {
            self.clear_words();
        }
        let operand = if ends { Expects::Operator } else { Expects::Operand };
        let imports = self.place.words.first() == Some(&"import");
        self.place.expects = match self.state {
            State::Outside if imports => Expects::File,
            State::Outside => Expects::Block,
            State::Key if self.place.block == "world attributes" => Expects::Nothing,
            State::Key => Expects::Key,
            State::Value if self.only_words => Expects::Value,
            State::Value | State::Body => operand,
            State::Item if defines && (self.depth > 0 || !self.place.words.is_empty()) => Expects::Nothing,
            State::Item if holds_expressions(&self.place.key) => operand,
            State::Item => Expects::Item,
        };
        // Keys, values of several words and blocks are replaced from their first word on.
        if matches!(self.place.expects, Expects::Block | Expects::Key | Expects::Value) {
            self.place.start = self.words_start.unwrap_or(self.place.start);
        }
        self.place
    }
}
