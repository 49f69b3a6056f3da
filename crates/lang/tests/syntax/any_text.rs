//! Any text is read: never a panic, never a place outside the text, whatever comes in.

use crate::read::{read, shape};
use gedanken_lang::diagnostic::{Style, render, to_json};
use gedanken_lang::syntax::{Dialect, format, is_complete};
use proptest::prelude::*;

const DIALECTS: [Dialect; 4] = [Dialect::Library, Dialect::Experiment, Dialect::Session, Dialect::Expression];

const PIECES: &[&str] = &[
    "a",
    "b",
    "f(",
    "f(x) =",
    "x =",
    "v' =",
    "'",
    "1",
    "2.5",
    ".",
    "1e9",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "=",
    "==",
    "!=",
    "<",
    "++",
    "+",
    "-",
    "*",
    "/",
    "^",
    "#",
    "!",
    "&",
    "|",
    "&&",
    "%",
    "$",
    ":",
    ";",
    "if",
    "then",
    "else",
    "true",
    "import",
    "export",
    "\"f\"",
    "\"",
    "// c\n",
    "/* c */",
    "/*",
    "\n",
    "\n\n",
    "\t",
    "VFLangNative",
    "VFLangNative.norm",
    "object {",
    "context {",
    "world attributes {",
    "simulation",
    "functions = {",
    "attributes = {",
    "aliases = {",
    "applicability = {",
    "name = ",
    "type = free fall",
    "use n as attribute a of object with index 0",
    "mandatory 1 dynamic sphere",
    "and",
    "not",
    "−",
    "²",
    "é",
    "“",
    "\u{a0}",
    "\0",
];

/// Reads, shows and formats a text in every dialect.
fn stands(text: &str) {
    is_complete(text);
    for dialect in DIALECTS {
        let (file, diagnostics, sources) = read(text, dialect);
        for diagnostic in &diagnostics {
            let edit = diagnostic.edit.iter().map(|edit| edit.span);
            for span in edit
                .chain([diagnostic.primary.span])
                .chain(diagnostic.secondary.iter().map(|label| label.span))
            {
                assert!(text.get(span.range()).is_some(), "{span:?} in {text:?}: {diagnostic:?}");
            }
            assert!(!diagnostic.message.is_empty());
        }
        let starts: Vec<u32> = diagnostics.iter().map(|diagnostic| diagnostic.primary.span.start).collect();
        assert!(starts.is_sorted());
        render(&diagnostics[..diagnostics.len().min(3)], &sources, Style::Plain);
        to_json(&diagnostics, &sources);
        if let Ok(once) = format(text, dialect) {
            let (after, said, _) = read(&once, dialect);
            assert!(said.is_empty(), "{text:?}\n{once:?}\n{said:?}");
            assert_eq!(shape(&file), shape(&after), "{text:?}\n{once:?}");
            assert_eq!(format(&once, dialect).unwrap(), once, "{text:?}");
        } else {
            assert!(!diagnostics.is_empty());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_soup_of_pieces(pieces in prop::collection::vec((prop::sample::select(PIECES), prop::bool::weighted(0.7)), 0..40)) {
        let text: String = pieces.iter().map(|(piece, space)| format!("{piece}{}", if *space { " " } else { "" })).collect();
        stands(&text);
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        stands(&String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn any_text_with_a_piece_taken_out(from in 0..600_usize, length in 0..20_usize) {
        let text: String = LAB.chars().enumerate().filter(|(i, _)| !(from..from + length).contains(i)).map(|(_, c)| c).collect();
        stands(&text);
    }
}

const LAB: &str = "import \"tools.vfl\"
world attributes { t = 0 a = [0, 0, -9.81] }
object {
    name = ball // a ball
    physical type = dynamic
    geometrical type = sphere
    attributes = { position = [0, 5, 0] size = 1 }
}
context {
    name = fall
    type = free fall
    attributes = {t0, v0}
    functions = {
        t0 = t
        v' = if t > 1 then a else -(a # 2) * b ^ 2
        position = pos0 + v0 * (t - t0)
    }
    aliases = { use n1 as attribute collisionNormal of object with index 0 }
    applicability = { mandatory 1 dynamic object and 2 spheres and floor }
}
simulation { name = first initial time = 0 duration = 3 objects_involved = {ball} }
";
