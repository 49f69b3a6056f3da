//! Whatever is written, it is a formula that can be computed or something that is refused with its place;
//! nothing else.

use super::sample;
use gedanken_lang::diagnostic::to_json;
use gedanken_recording::formula::Formula;
use proptest::prelude::*;

const PIECES: &[&str] = &[
    " ",
    "\n",
    ".",
    "#",
    "@",
    "+",
    "-",
    "*",
    "/",
    "^",
    "&",
    "<",
    "==",
    "=",
    "!",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    "'",
    "\"",
    "//",
    "/*",
    "0",
    "1",
    "2",
    "3",
    "0.5",
    "1e308",
    "t",
    "dt",
    "g",
    "ball",
    "floor",
    "world",
    "measure",
    "wind",
    "energy",
    "ball.position",
    "ball.e",
    "ball.e@free",
    "@rolling",
    "floor.stress",
    "floor.normal",
    "ball.touches",
    "ball.mass",
    ".v",
    "norm(",
    "sqrt(",
    "head({",
    "identityMatrix(",
    "previous(",
    "VFLangNative.",
    "pi",
    "if ",
    " then ",
    " else ",
    "true",
    "é",
    "²",
    "·",
    "\u{a0}",
    "\u{feff}",
    "ß.ball",
];

/// Reads a text, and computes it everywhere if it is a formula.
fn check(text: &str) {
    let recording = sample::recording();
    match Formula::read(&recording.schema, text) {
        Ok(mut formula) => {
            let samples = recording.samples();
            let series = formula.over(&recording, &samples);
            assert_eq!((series.columns.len(), formula.names().len()), (formula.width(), formula.width()));
            for column in &series.columns {
                assert_eq!(column.len(), samples.len());
                assert!(column.iter().all(|it| !it.is_infinite()), "{text}");
            }
            let value = formula.value(&recording, samples[3]);
            let row: Vec<f64> = series.columns.iter().map(|it| it[3]).collect();
            assert_eq!(value, row.iter().all(|it| !it.is_nan()).then_some(row), "{text}");
            formula.at(&recording, 0.8);
            formula.failure().map(ToString::to_string);
        }
        Err(refused) => {
            assert!(!refused.diagnostics.is_empty(), "a refusal says why: {text}");
            for diagnostic in &refused.diagnostics {
                let place = diagnostic.primary.span;
                assert!(
                    refused.sources.text(place.source).get(place.range()).is_some(),
                    "{diagnostic:?}\n{text}"
                );
            }
            assert!(!refused.to_string().is_empty());
            to_json(&refused.diagnostics, &refused.sources);
        }
    }
}

/// Expressions that are well-formed, of whatever types.
fn expressions() -> impl Strategy<Value = String> {
    let leaves = prop::sample::select(&[
        "t",
        "g",
        "2",
        "0",
        "-1.5",
        "true",
        "wind",
        "energy",
        "ball.position",
        "ball.e",
        "ball.e@free",
        "ball.mass",
        "floor.normal",
        "floor.stress",
        "ball.touches",
        "ball.position#3",
        "pi",
        "[t, g]",
        "{t, g}",
    ]);
    leaves.prop_map(str::to_owned).prop_recursive(4, 24, 3, |inner| {
        let operators = prop::sample::select(&["+", "-", "*", "/", ".", "^", "#", " . ", "<", "==", "&", "|", "++"]);
        let natives = prop::sample::select(&["norm", "sqrt", "abs", "log", "sum", "head", "trace", "normalize"]);
        prop_oneof![
            4 => (inner.clone(), operators, inner.clone()).prop_map(|(a, sign, b)| format!("{a}{sign}{b}")),
            2 => (natives, inner.clone()).prop_map(|(native, a)| format!("{native}({a})")),
            1 => inner.clone().prop_map(|a| format!("({a})")),
            1 => (inner.clone(), inner.clone(), inner).prop_map(|(a, b, c)| format!("if {a} < {b} then {b} else {c}")),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn pieces(pieces in prop::collection::vec(prop::sample::select(PIECES), 0..12)) {
        check(&pieces.concat());
    }

    #[test]
    fn any_characters(text in any::<String>()) {
        check(&text);
    }

    #[test]
    fn whatever_is_well_formed(text in expressions()) {
        check(&text);
    }
}
