//! A text as tokens, comments set aside: all there is to go by where the parser understands nothing
//! yet.

use gedanken_lang::session::{Class, highlight};

/// A word, number or sign.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) class: Class,
    /// `true` if a line ends between the token before and this one.
    pub(super) opens_line: bool,
}

impl Token<'_> {
    /// Returns `true` if it is a name, of a native or of anything else.
    pub(super) fn is_name(&self) -> bool {
        matches!(self.class, Class::Name | Class::Native)
    }

    /// Returns `true` if an expression can end with it.
    pub(super) fn ends_value(&self) -> bool {
        match self.class {
            Class::Name | Class::Native | Class::Constant | Class::Text => true,
            Class::Bracket => matches!(self.text, ")" | "]" | "}"),
            _ => self.text == "'",
        }
    }
}

/// A text cut up.
pub(super) struct Tokens<'t> {
    pub(super) tokens: Vec<Token<'t>>,
    /// First byte and end of every comment.
    comments: Vec<(usize, usize)>,
}

impl<'t> Tokens<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let mut found = Self { tokens: Vec::new(), comments: Vec::new() };
        let mut before = 0;
        for (range, class) in highlight(text) {
            if class == Class::Comment {
                found.comments.push((range.start, range.end));
                continue;
            }
            // A sign such as `²` is two tokens in one place.
            if range.start < before {
                continue;
            }
            let Some(word) = text.get(range.clone()) else { continue };
            let gap = text.get(before..range.start).unwrap_or_default();
            found.tokens.push(Token {
                text: word,
                start: range.start,
                end: range.end,
                class,
                opens_line: before == 0 || gap.contains('\n'),
            });
            before = range.end;
        }
        found
    }

    /// Returns `true` if a place is inside a comment; a line comment ends with its line.
    pub(super) fn is_comment(&self, text: &str, offset: usize) -> bool {
        self.comments.iter().any(|&(start, end)| {
            let comment = text.get(start..end).unwrap_or_default();
            if comment.starts_with("/*") {
                let closed = comment.len() >= 4 && comment.ends_with("*/");
                return start < offset && (offset < end || !closed);
            }
            start < offset && text.get(end..offset).is_none_or(|gap| !gap.contains('\n'))
        })
    }

    /// The token that a place is in, or at the end of.
    pub(super) fn at(&self, offset: usize) -> Option<&Token<'t>> {
        let touches = |token: &&Token<'t>| token.start <= offset && offset <= token.end;
        let all = || self.tokens.iter().filter(touches);
        all().find(|token| token.is_name() || token.class == Class::Keyword).or_else(|| all().next())
    }
}

/// The last place not after `offset` where a character begins.
pub(super) fn boundary(text: &str, offset: usize) -> usize {
    let mut at = offset.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
