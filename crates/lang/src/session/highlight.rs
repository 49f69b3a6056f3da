//! Classes of the parts of an input, for editors that show it in colours.

use crate::native::Native;
use crate::source::Sources;
use crate::syntax::token::{Kind, tokens};
use std::ops::Range;

/// Class of a part of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Of a function, a parameter, an attribute.
    Name,
    /// Of a native.
    Native,
    /// A number, `true` or `false`.
    Constant,
    /// `if`, `import` and their like.
    Keyword,
    /// An operator.
    Operator,
    /// A bracket or a comma.
    Bracket,
    /// A file name in quotes.
    Text,
    /// A comment.
    Comment,
    /// Nothing that the language knows.
    Foreign,
}

/// The parts of a text in their order. White space is in none of them.
pub fn highlight(text: &str) -> Vec<(Range<usize>, Class)> {
    let mut sources = Sources::new();
    let source = sources.add("", text);
    let read = tokens(source, text);
    let mut parts: Vec<(Range<usize>, Class)> = Vec::new();
    for token in &read.tokens {
        let range = token.start as usize..token.end as usize;
        let class = match token.kind {
            Kind::End => continue,
            Kind::Name if text.get(range.clone()).is_some_and(|name| Native::by_name(name).is_some()) => {
                Class::Native
            }
            Kind::Name => Class::Name,
            Kind::Real | Kind::True | Kind::False => Class::Constant,
            Kind::String => Class::Text,
            Kind::Comment => Class::Comment,
            Kind::If | Kind::Then | Kind::Else | Kind::Import | Kind::Export => Class::Keyword,
            Kind::OpenRound
            | Kind::CloseRound
            | Kind::OpenSquare
            | Kind::CloseSquare
            | Kind::OpenCurly
            | Kind::CloseCurly
            | Kind::Comma => Class::Bracket,
            Kind::Foreign => Class::Foreign,
            _ => Class::Operator,
        };
        parts.push((range, class));
    }
    parts.extend(read.comments.iter().map(|comment| (comment.span.range(), Class::Comment)));
    parts.sort_by_key(|(range, _)| range.start);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_has_its_class() {
        let text = "f(x) = if norm(x) > 1 then \"a\" else é // end";
        let parts: Vec<(&str, Class)> =
            highlight(text).into_iter().map(|(range, class)| (&text[range], class)).collect();
        for expected in [
            ("f", Class::Name),
            ("(", Class::Bracket),
            ("if", Class::Keyword),
            ("norm", Class::Native),
            (">", Class::Operator),
            ("1", Class::Constant),
            ("\"a\"", Class::Text),
            ("// end", Class::Comment),
        ] {
            assert!(parts.contains(&expected), "{expected:?} in {parts:?}");
        }
        assert!(parts.windows(2).all(|pair| pair[0].0.as_ptr() < pair[1].0.as_ptr()));
    }
}
