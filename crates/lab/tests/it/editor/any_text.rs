//! Texts that are being written: cut off anywhere, or torn to pieces. Nothing panics, and places lie in the
//! text.

use super::gallery;
use gedanken_experiment::editor::{complete, formulas, hover, numbers};
use gedanken_experiment::gallery::experiments;
use proptest::prelude::*;

fn at(text: &str, offset: usize) {
    let found = complete(text, offset);
    assert!(found.start <= found.end && text.get(found.start..found.end).is_some());
    let mut labels: Vec<&str> = found.items.iter().map(|it| it.label.as_str()).collect();
    labels.sort_unstable();
    assert!(labels.windows(2).all(|pair| pair[0] != pair[1]), "{labels:?}");
    assert!(found.items.iter().all(|it| !it.label.is_empty() && !it.insert.is_empty()));
    if let Some(found) = hover(text, offset) {
        assert!(text.get(found.start..found.end).is_some_and(|word| !word.is_empty()));
        assert!(found.start <= offset && offset <= found.end && !found.text.is_empty());
    }
}

fn whole(text: &str) {
    for it in formulas(text) {
        assert!(text.get(it.start..it.end).is_some_and(|law| law.starts_with(&it.name)), "{it:?}");
    }
    let found = numbers(text);
    for it in &found {
        let written: String = text[it.start..it.end].split_whitespace().collect();
        assert_eq!(written.parse::<f64>(), Ok(it.value));
        assert!(!it.label.is_empty() && it.value.is_finite());
    }
    assert!(found.windows(2).all(|pair| pair[0].end <= pair[1].start), "one after the other");
}

#[test]
fn every_beginning_of_an_experiment() {
    let text = gallery("bouncing_ball");
    for (end, _) in text.char_indices() {
        whole(&text[..end]);
        at(&text[..end], end);
    }
}

/// Every word of the gallery, as if the cursor had just come behind its second letter.
#[test]
fn every_word_that_is_typed_anew_is_proposed() {
    let text = gallery("bouncing_ball");
    for word in [
        "restitution",
        "collisionNormal",
        "position",
        "duration",
        "dynamic",
        "floor",
        "flight",
        "norm",
        "simulation",
    ] {
        let mut found = 0;
        for (start, _) in text.match_indices(word) {
            let line = &text[text[..start].rfind('\n').map_or(0, |at| at + 1)..];
            let is_word = !text[..start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
            let declares = line.trim_start().starts_with("name =") || line.starts_with("    restitution =");
            if line.starts_with("//") || !is_word || declares {
                continue;
            }
            let proposed = complete(text, start + 2);
            assert!(proposed.items.iter().any(|it| it.label == word), "{word} in {line:.40}: {proposed:?}");
            found += 1;
        }
        assert!(found > 0, "{word}");
    }
}

#[test]
fn every_place_of_the_gallery() {
    for file in experiments() {
        whole(file.text);
        // Every tenth place; the small steps are made above.
        let places = file.text.char_indices().map(|(at, _)| at);
        for offset in places.step_by(file.text.len() / 100) {
            at(file.text, offset);
        }
    }
}

#[test]
fn places_outside_the_text() {
    assert_eq!(complete("object {", 1000), complete("object {", 8));
    assert_eq!(hover("é", 1), None);
    assert_eq!(complete("é", 1), complete("é", 0));
    at("", 0);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_with_pieces_moved(which in 0..3_usize, moves in prop::collection::vec((any::<usize>(), any::<usize>(), 0..30_usize), 1..6), place in any::<usize>()) {
        let mut text = gallery(["bouncing_ball", "carts", "workflow_thermostat"][which]).to_owned();
        for (from, to, length) in moves {
            let (from, to) = (from % text.len(), to % text.len());
            let piece: String = text.chars().skip(from).take(length).collect();
            let to = text.char_indices().map(|(at, _)| at).take_while(|at| *at <= to).last().unwrap_or(0);
            text.insert_str(to, &piece);
            let cut = text.char_indices().map(|(at, _)| at).nth(from).unwrap_or(0);
            text.replace_range(cut..text.len().min(cut + 1), "");
        }
        whole(&text);
        let place = place % (text.len() + 1);
        at(&text, (0..=place).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0));
    }

    #[test]
    fn any_characters(text in "[a-z{}()=\\[\\],'\"#./*\n é²-]{0,80}", place in 0..100_usize) {
        whole(&text);
        at(&text, (0..=place.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0));
    }
}
