//! Comments of other languages: `# so`, `-- so`, `% so` and `<!-- so -->`.
//!
//! The first three signs can stand in expressions here: `v # i` is an element, `a --b` a difference. So a sign opens
//! a comment only if no expression can go on like this: after it stand words without operators between them,
//! or something that no index begins with, or there is no value before it.

use super::super::keys;
use super::super::token::Kind;
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span};

const SIGNS: &[&str] = &["<!--", "#", "--", "%"];

/// Number of bytes behind a sign that are looked at: a line may be as long as the text.
const MOST_READ: usize = 200;

/// Words that join values, and therefore prove no prose.
const OPERATOR_WORDS: &[&str] = &["then", "else", "and", "or"];

/// Returns the end of the comment that opens at `start`, if one does; `before` is the token before it.
pub(crate) fn end(text: &str, start: usize, before: Option<Kind>) -> Option<usize> {
    let rest = &text[start..];
    let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign))?;
    let inside = line_within(&rest[sign.len()..], MOST_READ).trim_start();
    let gap = text[..start].trim_end_matches([' ', '\t']);
    let opens_line = gap.is_empty() || gap.ends_with('\n');
    let is_comment = match *sign {
        "<!--" => true,
        "#" => is_prose(inside) || cannot_index(inside) || !before.is_some_and(Kind::ends_value),
        // `--x` is a value, so words are needed.
        "--" => is_prose(inside),
        _ => is_prose(inside) || opens_line,
    };
    is_comment.then(|| start + line_within(rest, rest.len()).trim_end().len())
}

/// The rest of the line, or about `most` bytes of it.
pub(super) fn line_within(text: &str, most: usize) -> &str {
    let most = (most..text.len()).find(|&at| text.is_char_boundary(at)).unwrap_or(text.len());
    let near = &text[..most];
    &near[..near.find('\n').unwrap_or(most)]
}

/// What is said of the comment sign at `start`.
pub(crate) fn explain(source: SourceId, text: &str, start: usize) -> Diagnostic {
    let sign = SIGNS.iter().find(|sign| text[start..].starts_with(**sign)).unwrap_or(&"#");
    let meaning = match *sign {
        "#" => "`#` takes an element of a vector: `v # 1`",
        "--" => "`--` is two minus signs",
        "<!--" => "`<` compares, and `!` says not",
        _ => "`%` is no sign of this language",
    };
    let span = Span::new(source, start..start + sign.len());
    Diagnostic::new(Code::E133, span, format!("a comment does not begin with `{sign}` here"))
        .label("a comment?")
        .note(meaning)
        .help("begin a comment with `//`; it ends with the line")
        .edit(span, "//")
}

/// Returns `true` if the text begins with words side by side, which no expression does. A word that opens the
/// next definition or entry on the same line may follow an index: `a = v # i  b = 3`.
fn is_prose(inside: &str) -> bool {
    let mut words: Vec<&str> = Vec::new();
    let mut rest = inside;
    loop {
        let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
        let word = &rest[..end];
        if !word.starts_with(|c: char| c.is_alphabetic() || c == '_') {
            break;
        }
        words.push(word);
        rest = &rest[end..];
        if !rest.starts_with([' ', '\t']) {
            break;
        }
        rest = rest.trim_start();
    }
    let Some((_, others)) = words.split_first().filter(|(_, others)| !others.is_empty()) else {
        return false;
    };
    if rest.starts_with('=') && !rest.starts_with("==") {
        return others.len() > 1 && !keys::is_known(&others.join("_"));
    }
    // `if p then --a else b`: words of the language join values, however many follow.
    let joins = ["then", "else"].contains(&others[0]);
    let goes_on = others.len() == 1 && (rest.starts_with(['(', '\'', '{', ':']) || is_operator(others[0]));
    !(joins || goes_on)
}

fn is_operator(word: &str) -> bool {
    OPERATOR_WORDS.contains(&word)
}

/// Returns `true` if what stands behind `#` can be no index, not even a wrong one.
fn cannot_index(inside: &str) -> bool {
    let mut rest = inside.chars();
    match rest.next() {
        None => false,
        Some('-' | '+' | '!') => !rest.next().is_some_and(|c| c.is_alphanumeric() || "(_".contains(c)),
        Some(c) => !(c.is_alphanumeric() || "([{_.\"".contains(c)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_side_by_side_are_prose() {
        for text in ["the start", "if it falls, stop", "the radius r = 5", "up and down"] {
            assert!(is_prose(text), "{text}");
        }
        for text in [
            "i",
            "i b = 3",
            "i then 2",
            "i frame rate = 60",
            "i f(x) = 2",
            "a else b",
            "a then b else c",
            "(i + 1)",
            "1",
            "i + j k",
        ] {
            assert!(!is_prose(text), "{text}");
        }
    }

    #[test]
    fn an_index_is_no_comment() {
        let after_value = Some(Kind::Name);
        for text in ["# 1", "# i", "# (i + 1)", "# -1", "#\n1"] {
            assert_eq!(end(text, 0, after_value), None, "{text}");
        }
        for text in ["#!", "# the end", "#----", "# * x"] {
            assert_eq!(end(text, 0, after_value), Some(text.len()), "{text}");
        }
        assert_eq!(end("--b", 0, after_value), None);
        assert_eq!(end("-- b c", 0, after_value), Some(6));
        assert_eq!(end("# i", 0, Some(Kind::Equals)), Some(3));
    }
}
