//! Diagnostics as text and as data: whatever the text and the place, they can be shown.

use crate::read::read;
use gedanken_lang::diagnostic::{Code, Diagnostic, Style, render, to_json};
use gedanken_lang::source::{Sources, Span};
use gedanken_lang::syntax::Dialect;

const NASTY: &str = "a\t=\t'日本語'\r\n\n\u{200b}é̂ ⊗ 👩‍👩‍👧 \u{feff}\t\n\0\u{7f}x = 1\r\r\n  ";

#[test]
fn any_place_in_any_text_can_be_shown() {
    let mut sources = Sources::new();
    let nasty = sources.add("nasty.vfl", NASTY);
    let empty = sources.add("", "");
    for start in 0..=NASTY.len() + 2 {
        for end in start..=(start + 9).min(NASTY.len() + 3) {
            let span = Span::new(nasty, start..end);
            let diagnostic = Diagnostic::new(Code::E101, span, "message\nof two lines")
                .label("here")
                .also(Span::new(nasty, end..end + 1), "and here")
                .also(Span::new(empty, 0..0), "elsewhere")
                .note("a note")
                .help("help")
                .edit(span, "x\ty");
            for style in [Style::Plain, Style::Colour] {
                assert!(render(std::slice::from_ref(&diagnostic), &sources, style).contains("nasty.vfl"));
            }
            let data: serde_json::Value = serde_json::from_str(&to_json(&[diagnostic], &sources)).unwrap();
            assert_eq!(data[0]["start"], start);
        }
    }
    let diagnostic =
        Diagnostic::new(Code::E101, Span::new(empty, 0..0), "nothing").also(Span::new(nasty, 3..4), "");
    assert!(render(&[diagnostic], &sources, Style::Plain).contains("nothing"));
    assert_eq!(render(&[], &sources, Style::Plain), "");
    assert_eq!(to_json(&[], &sources), "[]");
}

#[test]
fn a_place_that_runs_backwards_is_shown_as_a_point() {
    let mut sources = Sources::new();
    let source = sources.add("text", "a = 1\nb = 2");
    let span = Span { source, start: 9, end: 2 };
    assert!(render(&[Diagnostic::new(Code::E101, span, "odd")], &sources, Style::Plain).contains("text:2:4"));
}

#[test]
fn long_lines_are_cut_around_the_place() {
    let text = format!("a = {} 2x + {}", "1 + ".repeat(100), "1 + ".repeat(100));
    let (_, diagnostics, sources) = read(&text, Dialect::Library);
    let shown = render(&diagnostics[..1], &sources, Style::Plain);
    assert!(shown.lines().all(|line| line.chars().count() <= 160), "{shown}");
    assert!(shown.contains("2x"), "{shown}");
}

#[test]
fn both_forms() {
    let (_, diagnostics, sources) = read("x = 1\n// Größe\ny = [1 2]", Dialect::Library);
    insta::assert_snapshot!("plain", render(&diagnostics, &sources, Style::Plain));
    insta::assert_snapshot!("json", to_json(&diagnostics, &sources));
}
