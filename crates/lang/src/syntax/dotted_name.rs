//! Names with a dot in them: `ball.position`, and `ball.v@rolling` for the one of a context.
//!
//! In the language a dot is the inner product. Whoever reads expressions about things that have parts says of
//! every dot between two names whether both are one name. That is settled between lexer and parser, because
//! precedence cannot: in `2 * ball.v # 1` the dot of a name binds tighter than `#`, and that of a product as
//! loosely as `*`. What is joined is a token like any other, so that places and messages are those of the
//! text as it was written.

use super::token::{Kind, Token, Tokens};
use crate::source::Span;
use std::ops::Range;

/// Two names with a dot between them, as they stand in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dotted<'t> {
    /// Before the dot.
    pub left: &'t str,
    /// After it.
    pub right: &'t str,
    /// After an `@`, which no other text has.
    pub of: Option<&'t str>,
    /// `true` if there is white space beside the dot.
    pub spaced: bool,
    /// `true` if parentheses follow.
    pub called: bool,
}

/// Joins what `is_name` accepts, from left to right: a name that has become part of another begins no further
/// one.
pub(super) fn join(text: &str, found: &mut Tokens, is_name: &dyn Fn(&Dotted<'_>) -> bool) {
    let mut joined: Vec<Range<u32>> = Vec::new();
    let mut rest = found.tokens.as_slice();
    let mut tokens = Vec::with_capacity(rest.len());
    while let Some((&first, others)) = rest.split_first() {
        match dotted(text, rest).filter(|(dotted, _)| is_name(dotted)) {
            Some((_, count)) => {
                let end = rest[count - 1].end;
                joined.push(first.start..end);
                tokens.push(Token { end, ..first });
                rest = &rest[count..];
            }
            None => {
                tokens.push(first);
                rest = others;
            }
        }
    }
    found.tokens = tokens;
    // Elsewhere an `@` is no sign of the language, which has been said.
    let is_inside = |span: Span| {
        let after = joined.partition_point(|range| range.end <= span.start);
        joined.get(after).is_some_and(|range| range.contains(&span.start))
    };
    found.diagnostics.retain(|it| !is_inside(it.primary.span));
}

/// The dotted name that begins with the first of these tokens, and how many tokens it has.
fn dotted<'t>(text: &'t str, tokens: &[Token]) -> Option<(Dotted<'t>, usize)> {
    let kind = |at: usize| tokens.get(at).map(|token| token.kind);
    let slice = |at: usize| &text[tokens[at].start as usize..tokens[at].end as usize];
    let gap = |at: usize| {
        let between = tokens[at].end as usize..tokens[at + 1].start as usize;
        text.get(between).map(str::trim_ascii)
    };
    let is_dotted = [0, 1, 2].map(kind) == [Some(Kind::Name), Some(Kind::Dot), Some(Kind::Name)];
    if !is_dotted || gap(0) != Some("") || gap(1) != Some("") {
        return None;
    }
    let has_context = kind(3) == Some(Kind::Name) && gap(2) == Some("@");
    let count = if has_context { 4 } else { 3 };
    let dotted = Dotted {
        left: slice(0),
        right: slice(2),
        of: has_context.then(|| slice(3)),
        spaced: tokens[0].end != tokens[1].start || tokens[1].end != tokens[2].start,
        called: kind(count) == Some(Kind::OpenRound),
    };
    Some((dotted, count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::source::Sources;
    use crate::syntax::token::tokens;

    /// The tokens of a text in which everything with the left side `ball` is a name, and how many complaints
    /// are left.
    fn joined(text: &str) -> (Vec<String>, usize) {
        let mut sources = Sources::new();
        let source = sources.add("text", text);
        let mut found = tokens(source, text);
        join(text, &mut found, &|dotted| dotted.left == "ball" && !dotted.called);
        let slice = |token: &Token| text[token.start as usize..token.end as usize].to_owned();
        (found.tokens.iter().map(slice).filter(|it| !it.is_empty()).collect(), found.diagnostics.len())
    }

    #[test]
    fn names_are_joined_from_the_left() {
        assert_eq!(joined("ball.v.ball.v").0, ["ball.v", ".", "ball.v"]);
        assert_eq!(joined("2*ball.ball.v#1").0, ["2", "*", "ball.ball", ".", "v", "#", "1"]);
        assert_eq!(joined("a.ball.v").0, ["a", ".", "ball.v"]);
        assert_eq!(joined("ball . v").0, ["ball . v"]);
        assert_eq!(joined("ball.norm(x)").0, ["ball", ".", "norm", "(", "x", ")"]);
        assert_eq!(joined("ball/**/.v").0, ["ball", ".", "v"]);
        assert_eq!(joined("ball.2").0, ["ball", ".", "2"]);
    }

    #[test]
    fn contexts_are_part_of_names_and_nothing_else_is() {
        assert_eq!(joined("ball.v@roll + 1"), (vec!["ball.v@roll".into(), "+".into(), "1".into()], 0));
        assert_eq!(joined("ball.v @ roll").1, 0);
        assert_eq!(joined("ball.v@"), (vec!["ball.v".into()], 1));
        assert_eq!(joined("a.v@roll").1, 1);
        assert_eq!(joined("ball.v@@roll").1, 1);
        assert_eq!(joined("ball.v@a + @ + ball.v@b").1, 1);
    }
}
