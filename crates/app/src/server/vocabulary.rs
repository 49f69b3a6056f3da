//! Vocabulary of the language, for syntax colours.

use crate::wire::Word;
use gedanken_lang::native::NATIVES;

/// Words with a meaning of their own.
const KEYWORDS: [(&str, &str); 20] = [
    ("if", "One of two values: `if c then a else b`. The other one is not evaluated."),
    ("then", "What an `if` is when its condition holds."),
    ("else", "What an `if` is when its condition does not hold."),
    ("true", "The boolean that holds."),
    ("false", "The boolean that does not hold."),
    ("import", "Takes the functions of a library: `import \"solids.vfl\"`."),
    ("previous", "The value of an attribute before the event or the step: `previous(v)`."),
    ("world", "`world attributes`: what is the same for everybody, such as gravity."),
    ("object", "Something that takes part: its shape, and its attributes at the start."),
    ("context", "Laws, and when they hold: in free fall, in a collision, in contact."),
    ("simulation", "Who takes part, from when on, and for how long."),
    ("measure", "A value to look at in the end, and what it should be."),
    ("rule", "A step of a workflow: what it computes for whom."),
    ("event", "Something that happens when a condition becomes true, and what changes then."),
    ("force", "A force between objects, or on each of them."),
    ("potential", "An energy of positions; forces are minus its gradient."),
    ("constraint", "Something that motion must keep."),
    ("joint", "What ties two objects together."),
    ("material", "What surfaces are made of."),
    ("lagrangian", "Kinetic less potential energy, from which motion follows."),
];

/// All words: natives, then keywords.
pub(super) fn words() -> Vec<Word> {
    let word = |name: &str, kind: &str, summary: &str| Word {
        name: name.to_owned(),
        kind: kind.to_owned(),
        summary: summary.to_owned(),
    };
    let natives = NATIVES.iter().map(|entry| word(entry.name, "native", entry.summary));
    let keywords = KEYWORDS.iter().map(|(name, summary)| word(name, "keyword", summary));
    natives.chain(keywords).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gedanken_lang::source::Sources;
    use gedanken_lang::syntax::tree::Item;
    use gedanken_lang::syntax::{Dialect, parse};

    #[test]
    fn every_word_is_there_once_and_says_what_it_is() {
        let words = words();
        for (k, word) in words.iter().enumerate() {
            assert!(words[..k].iter().all(|other| other.name != word.name), "{}", word.name);
            assert!(word.summary.ends_with('.'), "{}: {}", word.name, word.summary);
        }
    }

    #[test]
    fn the_blocks_are_those_of_the_language() {
        let blocks = KEYWORDS.iter().skip_while(|(name, _)| *name != "object");
        for (name, _) in blocks {
            let mut sources = Sources::new();
            let source = sources.add("", format!("{name} x {{\n}}\n"));
            let (tree, found) = parse(&sources, source, Dialect::Experiment);
            assert!(matches!(tree.items.as_slice(), [Item::Block(_)]), "{name}");
            assert!(found.is_empty(), "{name}: {found:?}");
        }
    }
}
