//! Walking over the tokens: looking ahead, finding where the next definition begins, and what to say when
//! brackets fail.

use super::token::{Kind, Token, Tokens};
use super::tree::Name;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

/// A mistake was reported and this construct cannot be read on.
pub(crate) enum Stop {
    /// The enclosing bracket may go on after its next comma, or close.
    Here,
    /// Go on with the next definition.
    Definition,
}

/// Result of a parser: what was read, or the place to go on from after a mistake that has been reported.
pub(crate) type Parsed<T> = Result<T, Stop>;

/// Position of the parser, and what it has said.
pub(crate) struct Parser<'a> {
    pub(crate) source: SourceId,
    pub(crate) text: &'a str,
    pub(crate) tokens: Vec<Token>,
    pub(crate) at: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Brackets of the expression being read that are still open.
    pub(crate) open: Vec<(Kind, Span)>,
    /// Function that is being defined, for messages.
    pub(crate) function: Option<String>,
    /// Keys of more than one word can open the next entry, not only definitions.
    pub(crate) in_entries: bool,
    /// `true` if a closing brace ends the surrounding block.
    pub(crate) in_braces: bool,
    /// `true` directly inside a list, where a comma separates elements.
    pub(crate) in_list: bool,
    /// Brackets, signs and `if`s around the place being read.
    pub(crate) nested: u32,
    /// Nodes of the tree above the place being read.
    pub(crate) depth: u32,
    /// `true` if the first mistake was that the text ended.
    pub(crate) ended: bool,
    /// Number of diagnostics that are the lexer's.
    lexical: usize,
    /// Closing brackets that were missed in this definition: one too many of them later on is the same
    /// mistake.
    owed: Vec<Kind>,
}

impl<'a> Parser<'a> {
    pub(crate) fn new(source: SourceId, text: &'a str, tokens: Tokens) -> Self {
        Self {
            source,
            text,
            tokens: tokens.tokens,
            at: 0,
            lexical: tokens.diagnostics.len(),
            diagnostics: tokens.diagnostics,
            owed: Vec::new(),
            open: Vec::new(),
            function: None,
            in_entries: false,
            in_braces: false,
            in_list: false,
            nested: 0,
            depth: 0,
            ended: false,
        }
    }

    pub(crate) fn token(&self, ahead: usize) -> Token {
        self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub(crate) fn kind(&self) -> Kind {
        self.token(0).kind
    }

    pub(crate) fn kind_after(&self, ahead: usize) -> Kind {
        self.token(ahead).kind
    }

    pub(crate) fn at_end(&self) -> bool {
        self.kind() == Kind::End
    }

    pub(crate) fn span(&self) -> Span {
        self.span_of(self.token(0))
    }

    pub(crate) fn span_of(&self, token: Token) -> Span {
        Span::new(self.source, token.start as usize..token.end as usize)
    }

    /// The place of the token read last; the start of the text if there is none.
    pub(crate) fn last_span(&self) -> Span {
        match self.at.checked_sub(1) {
            Some(before) => self.span_of(self.tokens[before]),
            None => Span::new(self.source, 0..0),
        }
    }

    pub(crate) fn last_kind(&self) -> Option<Kind> {
        self.at.checked_sub(1).map(|before| self.tokens[before].kind)
    }

    pub(crate) fn text_of(&self, span: Span) -> &'a str {
        &self.text[span.range()]
    }

    pub(crate) fn slice(&self) -> &'a str {
        self.text_of(self.span())
    }

    /// Returns `true` if the token touches the one before.
    pub(crate) fn touches(&self) -> bool {
        self.at > 0 && self.last_span().end == self.token(0).start
    }

    pub(crate) fn bump(&mut self) -> Span {
        let span = self.span();
        if !self.at_end() {
            self.at += 1;
        }
        span
    }

    pub(crate) fn eat(&mut self, kind: Kind) -> Option<Span> {
        (self.kind() == kind).then(|| self.bump())
    }

    /// The current token, which is a name.
    pub(crate) fn name(&mut self) -> Name {
        let span = self.bump();
        Name { text: self.text_of(span).to_owned(), span }
    }

    pub(crate) fn word(&self, ahead: usize) -> Option<&'a str> {
        let token = self.token(ahead);
        (token.kind == Kind::Name).then(|| self.text_of(self.span_of(token)))
    }

    pub(crate) fn report(&mut self, diagnostic: Diagnostic) {
        // The lexer has said what is wrong with this very token, or with what stands before it.
        let (place, gap) = (diagnostic.primary.span.start, self.last_span().end..=self.token(0).start);
        let lexical = &self.diagnostics[..self.lexical];
        let next = lexical.partition_point(|said| said.primary.span.start < *gap.start());
        let spoke = lexical.get(next).is_some_and(|said| gap.contains(&said.primary.span.start));
        if spoke && gap.contains(&place) {
            return;
        }
        self.diagnostics.push(match &self.function {
            Some(name) => diagnostic.note(format!("in the definition of `{name}`")),
            None => diagnostic,
        });
    }

    /// Reports something that more text could still put right, if this is the end of it.
    pub(crate) fn report_unfinished(&mut self, diagnostic: Diagnostic) {
        self.ended |= self.diagnostics.is_empty() && self.at_end();
        self.report(diagnostic);
    }

    /// Returns `true` if `name =`, `name' =` or `name(a, b) =` stands here: an expression never goes on with
    /// one.
    pub(crate) fn at_definition(&self) -> bool {
        if self.kind() != Kind::Name {
            return false;
        }
        match self.kind_after(1) {
            Kind::Equals => true,
            Kind::Prime => self.kind_after(2) == Kind::Equals,
            Kind::OpenRound => {
                let mut ahead = 2;
                while matches!(self.kind_after(ahead), Kind::Name | Kind::Comma) {
                    ahead += 1;
                }
                self.kind_after(ahead) == Kind::CloseRound && self.kind_after(ahead + 1) == Kind::Equals
            }
            Kind::Name if self.in_entries => {
                let names = (1..5).take_while(|&ahead| self.kind_after(ahead) == Kind::Name).count();
                self.kind_after(1 + names) == Kind::Equals
            }
            _ => false,
        }
    }

    /// Returns `true` if a definition begins here, judged by the line break before it: inside an unfinished
    /// expression `x = …` on the same line is more likely a comparison with one `=` too few.
    pub(crate) fn at_definition_line(&self) -> bool {
        self.token(0).opens_line && self.at_definition()
    }

    /// Returns `true` if something begins on this line that was meant to be a definition: `g == 3`, `if = 3`,
    /// `h(2) = 4`.
    pub(crate) fn at_broken_definition(&self) -> bool {
        if !self.token(0).opens_line {
            return false;
        }
        if self.at_compound_assignment() || self.at_declaring_word() || self.derivative().is_some() {
            return true;
        }
        if self.word(0) == Some("return") && self.kind_after(1).starts_value() {
            return true;
        }
        match (self.kind(), self.kind_after(1)) {
            (Kind::Name, Kind::Equals | Kind::Equal) => true,
            (Kind::Name, Kind::Name) => self.kind_after(2) == Kind::Equals,
            (Kind::Name, Kind::Colon) => true,
            (Kind::Name, Kind::OpenCurly) => self.in_entries,
            (Kind::Name, Kind::Dot) => self.at_component_law(),
            (Kind::If, _) => self.at_conditional_law(),
            (kind, Kind::Equals) if kind.is_word() => true,
            (Kind::Name, Kind::OpenRound | Kind::Prime) => {
                let line = (1..64).take_while(|&ahead| {
                    !self.token(ahead).opens_line && self.kind_after(ahead) != Kind::End
                });
                line.into_iter().any(|ahead| self.kind_after(ahead) == Kind::Equals)
            }
            _ => false,
        }
    }

    /// Returns `true` if a closing bracket stands here that was missed before in the same definition.
    pub(crate) fn is_owed(&self) -> bool {
        self.owed.contains(&self.kind())
    }

    /// Passes over what cannot be understood, up to the next definition, the end of the block, or the end.
    pub(crate) fn skip_to_definition(&mut self) {
        self.open.clear();
        self.owed.clear();
        let mut inside = 0_usize;
        while !self.at_end() {
            if self.at_definition_line()
                || (inside == 0 && (self.at_definition() || self.at_broken_definition()))
            {
                break;
            }
            match self.kind() {
                Kind::Import | Kind::Export if self.token(0).opens_line => break,
                Kind::Dollar => break,
                Kind::Name if self.in_braces && self.at_block() => break,
                Kind::CloseCurly if inside == 0 && self.in_braces => break,
                kind if kind.opens().is_some() => inside += 1,
                kind if kind.closes().is_some() => inside = inside.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// Passes over what cannot be understood, up to the next comma or closing bracket of the bracket being
    /// read; whether there is one before the next definition.
    pub(crate) fn skip_to_element(&mut self) -> bool {
        let mut inside = 0_usize;
        while !self.at_end() && !self.at_definition_line() {
            match self.kind() {
                Kind::Comma if inside == 0 => return true,
                kind if kind.opens().is_some() => inside += 1,
                kind if kind.closes().is_some() => {
                    if inside == 0 {
                        return true;
                    }
                    inside -= 1;
                }
                _ => {}
            }
            self.bump();
        }
        false
    }

    /// Reads the closing bracket of the innermost open one, or says why it is not there.
    pub(crate) fn close(&mut self) -> Parsed<Span> {
        let Some((opened, opening)) = self.open.pop() else { return Err(Stop::Definition) };
        let closing = opened.opens().unwrap_or(Kind::End);
        if self.kind() == closing {
            return Ok(self.bump());
        }
        let elsewhere =
            self.kind().closes().is_some_and(|open| self.open.iter().any(|outer| outer.0 == open));
        let ends_block = self.kind() == Kind::CloseCurly && self.in_braces;
        if self.kind().closes().is_some() && !elsewhere && !ends_block {
            let span = self.span();
            let (met, meant) = (self.kind().sign(), closing.sign());
            self.report(
                Diagnostic::new(Code::E113, span, format!("`{}` is closed by `{met}`", opened.sign()))
                    .label(format!("`{meant}` expected"))
                    .also(opening, "opened here")
                    .help(format!("write `{meant}`"))
                    .edit(span, meant),
            );
            return Ok(self.bump());
        }
        if elsewhere {
            self.owed.push(closing);
        }
        Err(self.unclosed(opened, opening))
    }

    /// Says that a bracket is never closed.
    pub(crate) fn unclosed(&mut self, opened: Kind, opening: Span) -> Stop {
        let meant = opened.opens().map_or("", Kind::sign);
        let last = self.last_span();
        let mut diagnostic =
            Diagnostic::new(Code::E111, opening, format!("`{}` is never closed", opened.sign()))
                .label("opened here")
                .help(format!("write `{meant}` where it ends"));
        if last.start > opening.start {
            let until = if self.at_end() { "the text ends here" } else { "read up to here" };
            diagnostic = diagnostic.also(last.after(), until).edit(last.after(), meant);
        }
        self.report_unfinished(diagnostic);
        if self.kind().closes().is_some() { Stop::Here } else { Stop::Definition }
    }
}
