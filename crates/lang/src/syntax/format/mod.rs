//! The formatter: the same text in the one style.
//!
//! One definition or entry per line, four spaces inside braces, spaces around operators except `^`, lines
//! broken after operators beyond 100 columns, at most one empty line in a row. Comments stay with what they
//! stood next to. Tokens are written again one by one, so the meaning cannot change; commas between entries,
//! which mean nothing, are left out.
//!
//! `marks` finds out of the tree where lines begin and which signs are unary, `lines` breaks what is too
//! long.

mod lines;
mod marks;

use super::token::{self, Kind, Token};
use super::{Dialect, parse, tree};
use crate::diagnostic::Diagnostic;
use crate::source::Sources;
use lines::Atom;
use marks::Marks;

/// Columns of one level inside braces.
const INDENT: usize = 4;

/// The text in the one style; formatting that again changes nothing. A text with errors is left alone.
///
/// # Errors
/// What [`parse`] says, if any of it is an error.
pub fn format(text: &str, dialect: Dialect) -> Result<String, Vec<Diagnostic>> {
    let mut sources = Sources::new();
    let source = sources.add("text", text);
    let (file, diagnostics) = parse(&sources, source, dialect);
    if diagnostics.iter().any(Diagnostic::is_error) {
        return Err(diagnostics);
    }
    let text = sources.text(source);
    let tokens = token::tokens(source, text).tokens;
    let marks = Marks::new(&file, &tokens);
    let mut writer = Writer { text, comments: &file.comments, out: String::new(), last: 0, opened: true };
    let mut at = 0;
    while tokens[at].kind != Kind::End {
        let indent = marks.line(tokens[at].start).unwrap_or(0);
        let next = (at + 1..tokens.len())
            .find(|&next| tokens[next].kind == Kind::End || marks.line(tokens[next].start).is_some())
            .unwrap_or(tokens.len() - 1);
        let closes = tokens[at].kind == Kind::CloseCurly;
        writer.comments_before(tokens[at].start, if closes { indent + 1 } else { indent });
        writer.unit(&tokens[at..next], tokens[next], indent, &marks);
        at = next;
    }
    writer.comments_before(u32::MAX, 0);
    if !writer.out.is_empty() {
        writer.out.push('\n');
    }
    Ok(writer.out)
}

struct Writer<'a> {
    text: &'a str,
    /// Comments that are still to be written.
    comments: &'a [tree::Comment],
    out: String,
    /// End, in the source, of what was written last.
    last: u32,
    /// `true` if that opened a block, or nothing was written yet: no empty line follows.
    opened: bool,
}

impl<'a> Writer<'a> {
    /// Begins a line for what starts at `start` in the source.
    fn line(&mut self, start: u32, indent: usize, closes: bool) {
        let gap = self.text.get(self.last as usize..start as usize).unwrap_or_default();
        let apart = gap.matches('\n').count() > 1 && !self.opened && !closes;
        if !self.out.is_empty() {
            self.out.push_str(if apart { "\n\n" } else { "\n" });
        }
        self.out.push_str(&" ".repeat(indent * INDENT));
    }

    /// Comments between two lines: behind the first one, or on lines of their own.
    fn comments_before(&mut self, start: u32, indent: usize) {
        while let Some((comment, rest)) =
            self.comments.split_first().filter(|split| split.0.span.start < start)
        {
            self.comments = rest;
            if comment.trailing && !self.out.is_empty() {
                self.out.push(' ');
            } else {
                self.line(comment.span.start, indent, false);
                self.opened = false;
            }
            self.out.push_str(&self.text[comment.span.range()]);
            self.last = comment.span.end;
        }
    }

    /// One line, broken where it must; `next` is the token that begins the line after it.
    fn unit(&mut self, tokens: &[Token], next: Token, indent: usize, marks: &Marks) {
        let (Some(&first), Some(&last)) = (tokens.first(), tokens.last()) else { return };
        self.line(first.start, indent, first.kind == Kind::CloseCurly);
        let mut atoms: Vec<Atom<'a>> = Vec::with_capacity(tokens.len());
        let mut spacing = Spacing::default();
        for (i, &token) in tokens.iter().enumerate() {
            if separates(&tokens[i..], next, marks) {
                break;
            }
            while let Some((comment, rest)) =
                self.comments.split_first().filter(|split| split.0.span.start < token.start)
            {
                self.comments = rest;
                atoms.push(Atom::comment(&self.text[comment.span.range()], !comment.trailing, spacing.depth));
            }
            let mut atom = spacing.token(token, self.text, marks);
            atom.hard = atoms.last().is_some_and(Atom::ends_line);
            atoms.push(atom);
        }
        lines::write(&mut self.out, &atoms, indent * INDENT);
        self.last = last.end;
        self.opened = last.kind == Kind::OpenCurly;
    }
}

/// Returns `true` if only commas are left of a line, which then separate entries.
fn separates(rest: &[Token], next: Token, marks: &Marks) -> bool {
    rest.iter().all(|token| token.kind == Kind::Comma)
        && (marks.line(next.start).is_some() || next.kind == Kind::End)
}

/// Spacing before a token: a space, a place where the line may be broken, or neither.
#[derive(Default)]
struct Spacing {
    before: Option<Before>,
    depth: u32,
}

#[derive(Clone, Copy)]
struct Before {
    kind: Kind,
    unary: bool,
    tight: bool,
    native: bool,
}

impl Spacing {
    fn token<'a>(&mut self, token: Token, text: &'a str, marks: &Marks) -> Atom<'a> {
        let slice = &text[token.start as usize..token.end as usize];
        let unary = marks.is_unary(token.start);
        let native = slice == "VFLangNative";
        let selects = token.kind == Kind::Dot && self.before.is_some_and(|before| before.native);
        let tight = match token.kind {
            Kind::Caret => !marks.is_loose(token.start),
            Kind::Minus => marks.is_hyphen(token.start),
            _ => selects,
        };
        let space = self.before.is_some_and(|before| {
            let closes = token.kind.closes().is_some() || matches!(token.kind, Kind::Comma | Kind::Prime);
            let called = token.kind == Kind::OpenRound && before.kind == Kind::Name;
            // `+ +x` must not become the operator `++`.
            let joins = before.unary && !(before.kind == Kind::Plus && token.kind == Kind::Plus);
            !(closes || called || joins || tight || before.tight || before.kind.opens().is_some())
        });
        if token.kind.closes().is_some() {
            self.depth = self.depth.saturating_sub(1);
        }
        let rank = match (token.kind, self.before) {
            (_, None) => None,
            (kind, _) if kind.closes().is_some() || kind == Kind::Comma => None,
            (Kind::Else, _) => Some(lines::ELSE),
            (Kind::Then, _) => Some(1),
            (_, Some(before)) => rank_after(before),
        };
        let score = rank.map(|rank| self.depth * 16 + rank);
        let atom = Atom::token(slice, space, score, self.depth);
        if token.kind.opens().is_some() {
            self.depth += 1;
        }
        self.before = Some(Before { kind: token.kind, unary, tight, native });
        atom
    }
}

/// Returns the rank at which a line is broken after this token; the loosest operator first, and `=` only when
/// nothing else helps.
fn rank_after(before: Before) -> Option<u32> {
    if before.unary || before.tight {
        return None;
    }
    Some(match before.kind {
        Kind::Comma => 1,
        Kind::Or => 2,
        Kind::And => 3,
        Kind::Equal | Kind::NotEqual | Kind::Less | Kind::LessEqual | Kind::Greater | Kind::GreaterEqual => 4,
        Kind::Join => 5,
        Kind::Plus | Kind::Minus => 6,
        Kind::Star | Kind::Slash | Kind::Dot => 7,
        Kind::OpenRound | Kind::OpenSquare | Kind::OpenCurly => 12,
        Kind::Equals => 13,
        _ => return None,
    })
}
