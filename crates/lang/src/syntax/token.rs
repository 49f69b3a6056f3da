//! The lexer: a text cut into tokens, its comments set aside.
//!
//! Nothing stops it. A character that is not of the language is reported with the way to write it, and the
//! parser then gets what was probably meant, so that one slip makes one message. White space separates tokens
//! and means nothing else; whether a token opens a line is kept for better messages, and for words as values
//! in blocks.

use super::foreign::{self, bars, comments, degrees};
use super::foreign_words::condition_word;
use super::tree::Comment;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};
use logos::{Lexer, Logos};

/// Kind of a token; its text is looked up in the source.
#[derive(Logos, Clone, Copy, Debug, PartialEq, Eq)]
#[logos(skip r"[ \t\r\n\x0B\f]+")]
pub(crate) enum Kind {
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    #[regex(r"[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?")]
    Real,
    #[token("\"", string)]
    String,
    #[token("//", line_comment)]
    #[token("/*", block_comment)]
    Comment,

    #[token("if")]
    If,
    #[token("then")]
    Then,
    #[token("else")]
    Else,
    #[token("true")]
    True,
    #[token("false")]
    False,
    #[token("import")]
    Import,
    #[token("export")]
    Export,

    #[token("(")]
    OpenRound,
    #[token(")")]
    CloseRound,
    #[token("[")]
    OpenSquare,
    #[token("]")]
    CloseSquare,
    #[token("{")]
    OpenCurly,
    #[token("}")]
    CloseCurly,
    #[token(",")]
    Comma,
    #[token("=")]
    Equals,
    #[token("'")]
    Prime,
    #[token("$")]
    Dollar,
    #[token(":")]
    Colon,
    #[token(";")]
    Semicolon,

    #[token("|")]
    Or,
    #[token("&")]
    And,
    #[token("==")]
    Equal,
    #[token("!=")]
    NotEqual,
    #[token("<")]
    Less,
    #[token("<=")]
    LessEqual,
    #[token(">")]
    Greater,
    #[token(">=")]
    GreaterEqual,
    #[token("++")]
    Join,
    #[token("+")]
    Plus,
    #[token("-")]
    Minus,
    #[token("*")]
    Star,
    #[token("/")]
    Slash,
    #[token(".")]
    Dot,
    #[token("^")]
    Caret,
    #[token("#")]
    Hash,
    #[token("!")]
    Not,

    // Signs of other languages: `foreign` says what they are called here, and no later stage sees them.
    #[token("&&")]
    #[token("||")]
    #[token("**")]
    #[token("===")]
    #[token("!==")]
    #[token("=>")]
    #[token("=<")]
    #[token("<>")]
    #[token(":=")]
    #[token("%")]
    #[regex(r".", priority = 0)]
    Foreign,

    /// A value in another notation that has been explained: its type is not known.
    Explained,

    /// After the last one.
    End,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) start: u32,
    pub(crate) end: u32,
    /// `true` if a line ends between the token before and this one.
    pub(crate) opens_line: bool,
}

/// A text in tokens. The last one is [`Kind::End`], and only that.
pub(crate) struct Tokens {
    pub(crate) tokens: Vec<Token>,
    pub(crate) comments: Vec<Comment>,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// `true` if the text ends inside a comment.
    pub(crate) open_comment: bool,
}

fn string(lexer: &mut Lexer<'_, Kind>) {
    let rest = lexer.remainder();
    let end =
        rest.find(['"', '\n']).map_or(rest.len(), |at| if rest[at..].starts_with('"') { at + 1 } else { at });
    lexer.bump(end);
}

fn line_comment(lexer: &mut Lexer<'_, Kind>) {
    let rest = lexer.remainder();
    let end = rest.find('\n').unwrap_or(rest.len());
    lexer.bump(rest[..end].trim_end().len());
}

fn block_comment(lexer: &mut Lexer<'_, Kind>) {
    let rest = lexer.remainder();
    lexer.bump(rest.find("*/").map_or(rest.len(), |at| at + 2));
}

/// Cuts `text` into tokens.
pub(crate) fn tokens(source: SourceId, text: &str) -> Tokens {
    // A mark that some editors put in front of a text.
    let skipped = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut cut = Cut {
        source,
        text,
        line_from: 0,
        looked: 0,
        line_begun: false,
        found: Tokens {
            tokens: Vec::with_capacity(text.len() / 3),
            comments: Vec::new(),
            diagnostics: Vec::new(),
            open_comment: false,
        },
    };
    let mut lexer = Kind::lexer(text);
    lexer.bump(skipped);
    while let Some(kind) = lexer.next() {
        let mut range = lexer.span();
        let kind = kind.unwrap_or(Kind::Foreign);
        if let Some(end) = cut.other_notation(kind, range.start) {
            lexer.bump(end - range.end);
            continue;
        }
        match kind {
            Kind::Comment => cut.comment(range.start, range.end),
            Kind::String => cut.string(range.start, range.end),
            Kind::Real => cut.real(range.start, range.end),
            Kind::Foreign => {
                let more = foreign::length(text, range.start).saturating_sub(range.len());
                lexer.bump(more);
                range.end += more;
                cut.foreign(range.start, range.end);
            }
            _ => cut.push(kind, range.start, range.end),
        }
    }
    cut.push(Kind::End, text.len(), text.len());
    cut.found
}

struct Cut<'a> {
    source: SourceId,
    text: &'a str,
    /// End of the last token.
    line_from: usize,
    /// Place up to which the line of the last comment has been looked at, and whether something stands on it.
    looked: usize,
    line_begun: bool,
    found: Tokens,
}

impl Cut<'_> {
    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.source, start..end)
    }

    fn push(&mut self, kind: Kind, start: usize, end: usize) {
        let opens_line = self.text[self.line_from.min(start)..start].contains('\n');
        self.line_from = end;
        let span = self.span(start, end);
        self.found.tokens.push(Token { kind, start: span.start, end: span.end, opens_line });
    }

    fn comment(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        if text.starts_with("/*") && (text.len() < 4 || !text.ends_with("*/")) {
            self.found.open_comment = true;
            let diagnostic =
                Diagnostic::new(Code::E104, self.span(start, start + 2), "this comment has no end")
                    .label("opened here")
                    .help("close it with `*/`, or write `//` for a comment that ends with its line");
            self.found.diagnostics.push(diagnostic);
        }
        let gap = &self.text[self.looked..start];
        let line = match gap.rfind('\n') {
            Some(newline) => {
                self.line_begun = false;
                &gap[newline..]
            }
            None => gap,
        };
        self.line_begun |= line.contains(|c: char| !c.is_whitespace());
        self.looked = start;
        self.found.comments.push(Comment { span: self.span(start, end), trailing: self.line_begun });
    }

    fn string(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        if text.len() < 2 || !text.ends_with('"') {
            let diagnostic =
                Diagnostic::new(Code::E103, self.span(start, end), "this text in quotes does not end")
                    .label("from here to the end of the line")
                    .help("close it with `\"` on the same line")
                    .edit(self.span(start + text.trim_end().len(), end), "\"");
            self.found.diagnostics.push(diagnostic);
        }
        self.push(Kind::String, start, end);
    }

    fn real(&mut self, start: usize, end: usize) {
        let text = &self.text[start..end];
        if text.parse().is_ok_and(|value: f64| value.is_infinite()) {
            let diagnostic = Diagnostic::new(
                Code::E102,
                self.span(start, end),
                format!("`{text}` is too large for a number"),
            )
            .help("the largest number is about 1.8e308; measure in a larger unit");
            self.found.diagnostics.push(diagnostic);
        }
        self.push(Kind::Real, start, end);
    }

    /// Explains a comment or a value in bars that opens at `start`; returns its end.
    fn other_notation(&mut self, kind: Kind, start: usize) -> Option<usize> {
        if !matches!(kind, Kind::Hash | Kind::Minus | Kind::Less | Kind::Or | Kind::Foreign) {
            return None;
        }
        let before = self.found.tokens.last().map(|token| token.kind);
        let is_bar = self.text[start..].starts_with('|');
        if is_bar && !before.is_some_and(Kind::ends_value) {
            let end = bars::end(self.text, start)?;
            self.found.diagnostics.push(bars::explain(self.source, self.text, start, end));
            self.push(Kind::Explained, start, end);
            return Some(end);
        }
        let end = comments::end(self.text, start, before)?;
        self.found.diagnostics.push(comments::explain(self.source, self.text, start));
        Some(end)
    }

    fn foreign(&mut self, start: usize, end: usize) {
        let before = self.found.tokens.last().copied();
        if degrees::is_sign(&self.text[start..end]) {
            let number = before.filter(|token| token.kind == Kind::Real);
            let number = number.map(|token| self.span(token.start as usize, token.end as usize));
            self.found.diagnostics.push(degrees::explain(self.text, self.span(start, end), number));
            return;
        }
        let joined = before.filter(|token| token.kind == Kind::Name && token.end as usize == start);
        if let Some(name) = joined
            && let Some(kind) = condition_word(&self.text[name.start as usize..end])
        {
            // `então`: no name has such a letter, so the parser meets this word in its own language only.
            self.found.tokens.pop();
            self.line_from = name.start as usize;
            self.push(kind, name.start as usize, end);
            return;
        }
        let span = self.span(start, end);
        let meaning = foreign::read(span, self.text, before.map(|token| token.kind), joined.is_some());
        self.found.diagnostics.push(meaning.diagnostic);
        if let (Some(name), [Kind::Name]) = (joined, meaning.kinds) {
            // `viteß`: one word, not two.
            self.found.tokens.pop();
            self.line_from = name.start as usize;
            self.push(Kind::Name, name.start as usize, end);
            if let Some(token) = self.found.tokens.last_mut() {
                token.opens_line = name.opens_line;
            }
            return;
        }
        for &kind in meaning.kinds {
            self.push(kind, start, end);
        }
    }
}

impl Kind {
    /// Its opening bracket, if it is a closing one.
    pub(crate) fn closes(self) -> Option<Kind> {
        match self {
            Self::CloseRound => Some(Self::OpenRound),
            Self::CloseSquare => Some(Self::OpenSquare),
            Self::CloseCurly => Some(Self::OpenCurly),
            _ => None,
        }
    }

    /// Its closing bracket, if it is an opening one.
    pub(crate) fn opens(self) -> Option<Kind> {
        match self {
            Self::OpenRound => Some(Self::CloseRound),
            Self::OpenSquare => Some(Self::CloseSquare),
            Self::OpenCurly => Some(Self::CloseCurly),
            _ => None,
        }
    }

    /// Returns `true` if it is a word of expressions.
    pub(crate) fn is_word(self) -> bool {
        matches!(self, Self::If | Self::Then | Self::Else | Self::True | Self::False)
    }

    /// Returns `true` if a value can end with it.
    pub(crate) fn ends_value(self) -> bool {
        matches!(
            self,
            Self::Name
                | Self::Real
                | Self::String
                | Self::True
                | Self::False
                | Self::CloseRound
                | Self::CloseSquare
                | Self::CloseCurly
                | Self::Prime
                | Self::Explained
        )
    }

    /// Returns `true` if a value can begin with it, signs apart.
    pub(crate) fn starts_value(self) -> bool {
        matches!(
            self,
            Self::Name
                | Self::Real
                | Self::If
                | Self::True
                | Self::False
                | Self::OpenRound
                | Self::OpenSquare
                | Self::OpenCurly
                | Self::Explained
        )
    }

    /// Brackets, as written.
    pub(crate) fn sign(self) -> &'static str {
        match self {
            Self::OpenRound => "(",
            Self::CloseRound => ")",
            Self::OpenSquare => "[",
            Self::CloseSquare => "]",
            Self::OpenCurly => "{",
            Self::CloseCurly => "}",
            _ => "",
        }
    }
}
