//! Blocks of experiment files: `object { key = value … }`.
//!
//! Keys may be written with spaces or underscores, entries may be separated by commas or by nothing. What a
//! key is set to is decided by the table in `keys`, and by what stands there for keys that are not in it.

use super::cursor::{Parsed, Parser, Stop};
use super::keys::{self, BLOCKS, Shape};
use super::token::Kind;
use super::tree::{Block, Curve, Definition, Entry, Name, Value};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

impl Parser<'_> {
    /// A block, from its first word on. `None` if this is no block at all.
    pub(crate) fn block(&mut self) -> Option<Block> {
        if self.kind() != Kind::Name || self.at_definition() || !self.words_then_brace() {
            self.no_block();
            return None;
        }
        let keyword = self.block_keyword();
        let name = (self.kind() == Kind::Name).then(|| self.name());
        if self.kind() == Kind::Name {
            let (span, met) = (self.span(), self.slice());
            self.report(
                Diagnostic::new(Code::E123, span, format!("`{met}` does not belong before `{{`"))
                    .help("a block has one name at most, without spaces: use `_` instead"),
            );
            while self.kind() == Kind::Name {
                self.bump();
            }
        }
        let opening = self.bump();
        let entries = self.entries(&keyword.text, opening);
        let span = keyword.span.to(self.last_span());
        Some(Block { keyword, name, entries, span })
    }

    /// Returns `true` if the names that begin here end in `{`.
    fn words_then_brace(&self) -> bool {
        let names = (0..6).take_while(|&ahead| self.kind_after(ahead) == Kind::Name).count();
        names > 0 && self.kind_after(names) == Kind::OpenCurly
    }

    /// Returns `true` if a block that the language knows begins on this line.
    pub(crate) fn at_block(&self) -> bool {
        self.token(0).opens_line
            && self.words_then_brace()
            && self
                .word(0)
                .is_some_and(|word| BLOCKS.contains(&word) || word == "world" || word == "world_attributes")
    }

    fn block_keyword(&mut self) -> Name {
        let word = self.name();
        if word.text == "world_attributes" {
            return Name { text: "world attributes".to_owned(), span: word.span };
        }
        if word.text == "world" {
            if self.word(0) == Some("attributes") {
                let span = word.span.to(self.bump());
                return Name { text: "world attributes".to_owned(), span };
            }
            self.report(
                Diagnostic::new(Code::E123, word.span, "`world` must be followed by `attributes`")
                    .help("write `world attributes { … }`")
                    .edit(word.span.after(), " attributes"),
            );
            return Name { text: "world attributes".to_owned(), span: word.span };
        }
        if BLOCKS.contains(&word.text.as_str()) {
            return word;
        }
        let diagnostic =
            Diagnostic::new(Code::E123, word.span, format!("there is no block called `{}`", word.text));
        let Some(meant) = keys::nearest(&word.text, BLOCKS).or_else(|| keys::block_of_word(&word.text))
        else {
            let all = BLOCKS.iter().map(|block| format!("`{block}`")).collect::<Vec<_>>().join(", ");
            self.report(diagnostic.help(format!("the blocks are {all}")));
            return word;
        };
        self.report(diagnostic.help(format!("did you mean `{meant}`?")).edit(word.span, meant));
        Name { text: meant.to_owned(), span: word.span }
    }

    /// Something other than a block at the outermost level.
    fn no_block(&mut self) {
        if self.foreign_comment() {
            return;
        }
        let (span, met) = (self.span(), self.slice());
        let diagnostic = if self.kind() == Kind::Name && BLOCKS.contains(&met) {
            Diagnostic::new(Code::E123, span, format!("`{met}` must be followed by `{{`"))
                .help(format!("write `{met} {{ … }}`"))
        } else if self.at_definition() {
            Diagnostic::new(Code::E117, span, format!("the definition of `{met}` stands outside every block"))
                .help("put it into `functions = { … }` of a context, into `world attributes { … }`, or into a .vfl file that is imported")
        } else {
            let diagnostic =
                Diagnostic::new(Code::E117, span, format!("a block is expected, but here is `{met}`"));
            match self.word(0).and_then(|word| keys::nearest(word, BLOCKS)) {
                Some(meant) => diagnostic.help(format!("did you mean `{meant} {{ … }}`?")),
                None => diagnostic
                    .help("an experiment consists of blocks such as `object { … }` and `context { … }`"),
            }
        };
        self.report(diagnostic);
        self.bump();
        while !self.at_end() && !self.at_block() && self.kind() != Kind::Import {
            self.bump();
        }
    }

    fn entries(&mut self, block: &str, opening: Span) -> Vec<Entry> {
        let mut entries = Vec::new();
        (self.in_entries, self.in_braces) = (block != "world attributes", true);
        loop {
            match self.kind() {
                Kind::CloseCurly => {
                    self.bump();
                    break;
                }
                Kind::Comma => {
                    self.bump();
                }
                Kind::Semicolon => self.needless_separator(),
                Kind::End => {
                    self.unclosed(Kind::OpenCurly, opening);
                    break;
                }
                _ if self.at_block() => {
                    self.unclosed(Kind::OpenCurly, opening);
                    break;
                }
                Kind::Name => match self.entry(block) {
                    Ok(Some(entry)) => entries.push(entry),
                    Ok(None) => self.skip_to_definition(),
                    Err(_) => break,
                },
                _ => self.no_key(),
            }
        }
        (self.in_entries, self.in_braces) = (false, false);
        entries
    }

    fn no_key(&mut self) {
        if self.foreign_comment() {
            return;
        }
        if self.kind().closes().is_some() {
            self.too_many_closed();
        } else {
            let (span, met) = (self.span(), self.slice());
            self.report(
                Diagnostic::new(Code::E124, span, format!("a key is expected, but here is `{met}`"))
                    .help("a block consists of lines such as `name = ball`"),
            );
            self.bump();
        }
        self.skip_to_definition();
    }

    /// `key = value`. `Ok(None)`: reported, go on with the next one. `Err`: the block has no end.
    fn entry(&mut self, block: &str) -> Parsed<Option<Entry>> {
        if block == "material" && self.kind_after(1) == Kind::OpenRound && self.at_definition() {
            return Ok(self.definition().map(|definition| Entry {
                key: definition.name.clone(),
                span: definition.span,
                value: Value::Function(definition),
            }));
        }
        let mut key = self.name();
        while self.kind() == Kind::Name && !self.token(0).opens_line {
            let word = self.name();
            key.text.push('_');
            key.text.push_str(&word.text);
            key.span = key.span.to(word.span);
        }
        if self.eat(Kind::Equals).is_none() && !self.missing_equals(&key) {
            return Ok(None);
        }
        let value = match self.value(block, &key) {
            Ok(value) => value,
            Err(Stop::Here) => {
                self.skip_to_definition();
                Value::Missing
            }
            Err(Stop::Definition) if self.at_end() || self.at_block() => return Err(Stop::Definition),
            Err(Stop::Definition) => {
                self.skip_to_definition();
                Value::Missing
            }
        };
        let span = key.span.to(self.last_span());
        Ok(Some(Entry { key, value, span }))
    }

    /// Returns `true` if the value can be read although there is no `=` before it.
    fn missing_equals(&mut self, key: &Name) -> bool {
        let here = self.last_span().after();
        let diagnostic =
            Diagnostic::new(Code::E124, here, format!("`=` is missing after `{}`", self.text_of(key.span)))
                .label("`=` is expected here")
                .help("an entry reads `key = value`");
        let first = self.text_of(key.span).split_whitespace().next().unwrap_or_default();
        if first.len() < key.text.len() && keys::is_known(first) && !keys::is_known(&key.text) {
            // `name ball`: the `=` belongs after the word that is a key.
            let start = key.span.start as usize;
            let word = Span::new(self.source, start..start + first.len());
            self.report(diagnostic.edit(word.after(), " ="));
            return false;
        }
        let goes_on = matches!(
            self.kind(),
            Kind::OpenCurly | Kind::Colon | Kind::Equal | Kind::Real | Kind::OpenSquare
        );
        if matches!(self.kind(), Kind::Colon | Kind::Equal) {
            let span = self.bump();
            self.report(diagnostic.edit(span, "="));
        } else if goes_on {
            self.report(diagnostic.edit(here, " ="));
        } else {
            self.report(diagnostic);
        }
        goes_on
    }

    fn value(&mut self, block: &str, key: &Name) -> Parsed<Value> {
        let shape = if block == "world attributes" { Shape::Expression } else { keys::shape(&key.text) };
        if self.at_end() || self.kind() == Kind::CloseCurly || self.at_definition_line() {
            return Err(self.no_value());
        }
        let braced = self.kind() == Kind::OpenCurly;
        match shape {
            Shape::Attributes if braced => {
                let names = block == "context" && !matches!(self.kind_after(2), Kind::Equals | Kind::Prime);
                if names || self.braces_hold_names() { self.names() } else { self.definitions() }
            }
            Shape::Definitions if braced => self.definitions(),
            Shape::Names if braced => self.names(),
            Shape::Names if self.kind() == Kind::Name => Ok(Value::Names(vec![self.name()])),
            Shape::Expressions if braced => Ok(Value::Expressions(self.elements()?.0)),
            Shape::Curves if braced => self.curves(),
            Shape::Aliases if braced => self.aliases(),
            Shape::Applicability if braced => self.applicability(),
            Shape::Any if braced => self.any_braces(),
            Shape::Words if self.kind() == Kind::Name => {
                self.words(matches!(key.text.as_str(), "solver" | "integrator"))
            }
            Shape::Any if self.kind() == Kind::Name && self.only_words() => self.words(false),
            Shape::Words | Shape::Expression | Shape::Any => {
                self.function = Some(key.text.clone());
                let value = self.plain();
                self.function = None;
                value
            }
            _ => {
                let (span, met) = (self.span(), self.slice());
                self.report(
                    Diagnostic::new(
                        Code::E128,
                        span,
                        format!("`{}` is set to something in braces, but here is `{met}`", key.text),
                    )
                    .help(format!("write `{} = {{ … }}`", key.text)),
                );
                Err(Stop::Here)
            }
        }
    }

    /// `{}` or `{a, b}`, as opposed to definitions.
    fn braces_hold_names(&self) -> bool {
        self.kind_after(1) == Kind::Name && matches!(self.kind_after(2), Kind::Comma | Kind::CloseCurly)
    }

    fn any_braces(&mut self) -> Parsed<Value> {
        match (self.word(1), self.kind_after(2)) {
            (Some("use"), Kind::Name) => self.aliases(),
            (Some("mandatory"), Kind::Name | Kind::Real) => self.applicability(),
            _ if self.kind_after(1) == Kind::CloseCurly || self.braces_hold_names() => self.names(),
            _ => {
                self.at += 1;
                let definitions = self.at_definition();
                self.at -= 1;
                if definitions { self.definitions() } else { Ok(Value::Expressions(self.elements()?.0)) }
            }
        }
    }

    /// Text in quotes, or an expression.
    fn plain(&mut self) -> Parsed<Value> {
        if self.kind() == Kind::String {
            let span = self.bump();
            let text = self.text_of(span).trim_matches(['"', '“', '”', '„', '«', '»']).to_owned();
            self.finish();
            return Ok(Value::Text(Name { text, span }));
        }
        let (value, _) = self.expression()?;
        self.finish();
        Ok(Value::Expression(*value))
    }

    /// Returns `true` if the value consists of names alone, up to the end of its line or the next entry.
    fn only_words(&self) -> bool {
        let mut ahead = 1;
        while self.kind_after(ahead) == Kind::Name && !self.token(ahead).opens_line {
            ahead += 1;
        }
        let next = self.token(ahead);
        next.opens_line && !next.kind.goes_on()
            || matches!(next.kind, Kind::CloseCurly | Kind::Comma | Kind::End)
            || next.kind == Kind::Equals && ahead > 1
    }

    /// `free fall`: the names up to the end of the line, or to the next key. Where words are `hyphenated`,
    /// `gauss-seidel` is one of them.
    fn words(&mut self, hyphenated: bool) -> Parsed<Value> {
        let mut names = 1;
        while self.kind_after(names) == Kind::Name && !self.token(names).opens_line {
            names += 1;
        }
        if self.kind_after(names) == Kind::Equals {
            // The next entry begins on this line: with the longest key that is known, or else with the last
            // name.
            let is_key = |from: usize| {
                let words: Vec<&str> = (from..names).filter_map(|ahead| self.word(ahead)).collect();
                keys::is_known(&words.join("_"))
            };
            let longest = names.saturating_sub(keys::MOST_WORDS).max(1);
            names = (longest..names).find(|&from| is_key(from)).unwrap_or(names.saturating_sub(1).max(1));
        }
        let mut words = self.name();
        for _ in 1..names {
            let word = self.name();
            words.text.push(' ');
            words.text.push_str(&word.text);
            words.span = words.span.to(word.span);
        }
        while hyphenated && self.kind() == Kind::Minus && self.kind_after(1) == Kind::Name {
            self.bump();
            let word = self.name();
            words.text.push('-');
            words.text.push_str(&word.text);
            words.span = words.span.to(word.span);
        }
        self.finish();
        Ok(Value::Words(words))
    }

    /// `{norm(v), y against x}`.
    fn curves(&mut self) -> Parsed<Value> {
        let opening = self.bump();
        let mut curves = Vec::new();
        loop {
            if self.kind() == Kind::CloseCurly {
                self.bump();
                return Ok(Value::Curves(curves));
            }
            if self.at_end() || self.at_definition_line() || self.at_block() {
                return Err(self.unclosed(Kind::OpenCurly, opening));
            }
            let (value, _) = self.expression()?;
            let against = match self.word(0) {
                Some("against") => {
                    self.bump();
                    Some(*self.expression()?.0)
                }
                _ => None,
            };
            curves.push(Curve { value: *value, against });
            match self.kind() {
                Kind::Comma => {
                    self.bump();
                }
                Kind::CloseCurly => {}
                kind if kind.starts_value() && self.missing_comma() => {}
                _ => return Err(self.unclosed(Kind::OpenCurly, opening)),
            }
        }
    }

    /// `{t0, v0}`.
    fn names(&mut self) -> Parsed<Value> {
        let opening = self.bump();
        let mut names = Vec::new();
        loop {
            match self.kind() {
                Kind::CloseCurly => {
                    self.bump();
                    return Ok(Value::Names(names));
                }
                Kind::Name if !self.at_definition_line() && !self.at_block() => {
                    names.push(self.name());
                    match self.kind() {
                        Kind::Comma => {
                            self.bump();
                        }
                        Kind::Name if !self.at_definition_line() => {
                            self.missing_comma();
                        }
                        _ => {}
                    }
                }
                Kind::End | Kind::Name => return Err(self.unclosed(Kind::OpenCurly, opening)),
                _ => {
                    let (span, met) = (self.span(), self.slice());
                    self.report(
                        Diagnostic::new(
                            Code::E128,
                            span,
                            format!("a name is expected in this list, but here is `{met}`"),
                        )
                        .also(opening, "the list begins here")
                        .help("names stand in braces, separated by commas: `{a, b}`"),
                    );
                    self.past_brace();
                    return Ok(Value::Names(names));
                }
            }
        }
    }

    /// Passes over the rest of a list in braces that cannot be understood, its closing brace included.
    pub(crate) fn past_brace(&mut self) {
        let mut inside = 0_usize;
        while !self.at_end() && !self.at_definition_line() && !self.at_block() {
            match self.kind() {
                Kind::OpenCurly => inside += 1,
                Kind::CloseCurly if inside == 0 => {
                    self.bump();
                    return;
                }
                Kind::CloseCurly => inside -= 1,
                _ => {}
            }
            self.bump();
        }
    }

    /// `{ name = e … }`.
    fn definitions(&mut self) -> Parsed<Value> {
        let opening = self.bump();
        let entries = std::mem::replace(&mut self.in_entries, false);
        let result = self.definition_list(opening);
        self.in_entries = entries;
        result.map(Value::Definitions)
    }

    fn definition_list(&mut self, opening: Span) -> Parsed<Vec<Definition>> {
        let mut definitions = Vec::new();
        loop {
            match self.kind() {
                Kind::CloseCurly => {
                    self.bump();
                    return Ok(definitions);
                }
                Kind::Comma => {
                    self.bump();
                }
                Kind::Semicolon => self.needless_separator(),
                Kind::End => return Err(self.unclosed(Kind::OpenCurly, opening)),
                _ if self.at_block() => return Err(self.unclosed(Kind::OpenCurly, opening)),
                Kind::Name if self.at_braced_key() => {
                    // The brace before was forgotten: this is no function but the next entry.
                    self.unclosed(Kind::OpenCurly, opening);
                    return Ok(definitions);
                }
                Kind::Name => definitions.extend(self.definition()),
                kind if kind.closes().is_some() => {
                    self.too_many_closed();
                    self.skip_to_definition();
                }
                _ if self.foreign_comment() => {}
                Kind::If if self.at_conditional_law() => self.conditional_law(),
                _ => {
                    self.unexpected();
                    self.bump();
                    self.skip_to_definition();
                }
            }
        }
    }

    fn at_braced_key(&self) -> bool {
        self.token(0).opens_line
            && self.kind_after(1) == Kind::Equals
            && self.kind_after(2) == Kind::OpenCurly
            && self.word(0).is_some_and(|word| keys::is_braced(word) && word.len() > 5)
    }
}

impl Kind {
    /// Returns `true` if an expression can go on with it after a complete one.
    fn goes_on(self) -> bool {
        use Kind::{And, Caret, Dot, Equal, Greater, GreaterEqual, Hash, Join, Less, LessEqual};
        use Kind::{Minus, NotEqual, OpenRound, Or, Plus, Slash, Star};
        matches!(
            self,
            And | Caret
                | Dot
                | Equal
                | Greater
                | GreaterEqual
                | Hash
                | Join
                | Less
                | LessEqual
                | Minus
                | NotEqual
                | OpenRound
                | Or
                | Plus
                | Slash
                | Star
        )
    }
}
