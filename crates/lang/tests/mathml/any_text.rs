//! Any text: elements that are closed and escaped and have the right number of children, however broken or
//! deep it is.

use crate::texts::{DIALECTS, Part, extremes, parsed, parts, soup};
use crate::xml::read;
use gedanken_lang::syntax::Dialect;
use gedanken_lang::syntax::tree::File;
use gedanken_lang::typeset::mathml;
use proptest::prelude::*;

fn all_of(file: &File) {
    for part in parts(file) {
        match part {
            Part::Expression(it) => read(&mathml::expression(it)).check(),
            Part::Definition(it) => {
                let node = read(&mathml::definition(it));
                node.check();
                assert!(node.names().contains(&it.name.text) || it.name.text.chars().any(char::is_control));
            }
        }
    }
}

fn stands(text: &str) {
    DIALECTS.into_iter().for_each(|dialect| all_of(&parsed(text, dialect).0));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_soup_of_pieces(text in soup()) {
        stands(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        stands(&String::from_utf8_lossy(&bytes));
    }
}

#[test]
fn the_deepest_and_tallest_texts() {
    for text in extremes() {
        let (file, diagnostics) = parsed(&text, Dialect::Library);
        assert!(diagnostics.is_empty(), "{}: {diagnostics:?}", &text[..20]);
        all_of(&file);
    }
}
