//! Every number of the gallery is found, with a name of its own; and what has an owner can be set by it.

use super::gallery;
use gedanken_experiment::Files;
use gedanken_experiment::Override;
use gedanken_experiment::editor::numbers;
use gedanken_experiment::gallery::{FILES, experiments};
use gedanken_lab::read;
use gedanken_lang::source::Sources;

/// The files of the gallery.
pub(crate) struct Folder;

impl Files for Folder {
    fn text(&self, path: &str) -> Result<String, String> {
        let file = FILES.iter().find(|file| file.name == path);
        file.map(|file| file.text.to_owned()).ok_or_else(|| "there is no such file".to_owned())
    }

    fn bytes(&self, path: &str) -> Result<Vec<u8>, String> {
        self.text(path).map(String::into_bytes)
    }
}

#[test]
fn labels() {
    let text = "world attributes {\n    a = [0, 0, -9.81]\n    restitution = 0.8 // not 0.7\n    gm = 4 * pi^2\n}\n\
        object { name = ball attributes = { v = [1, 2 * u, 0] size = -(3) m = [[1, 2], [3, 4]] } }\n\
        context { name = flight functions = { position = 0.5 * a + 0.5 * b - 2 * v # 3 } \
        applicability = { mandatory 2 dynamic spheres } }\n\
        simulation { name = drop duration = 6 up = [0, 1, 0] }\nmeasure apex { tolerance = 1e-9 }\n";
    let found: Vec<(String, f64, bool)> =
        numbers(text).into_iter().map(|it| (it.label, it.value, it.counts)).collect();
    let expected = [
        ("a#1", 0.0, false),
        ("a#2", 0.0, false),
        ("a#3", -9.81, false),
        ("restitution", 0.8, false),
        ("gm (4)", 4.0, false),
        ("gm (2)", 2.0, false),
        ("ball.v#1", 1.0, false),
        ("ball.v#2 (2)", 2.0, false),
        ("ball.v#3", 0.0, false),
        ("ball.size (3)", 3.0, false),
        ("ball.m#1#1", 1.0, false),
        ("ball.m#1#2", 2.0, false),
        ("ball.m#2#1", 3.0, false),
        ("ball.m#2#2", 4.0, false),
        ("flight: position (0.5)", 0.5, false),
        ("flight: position (0.5) [2]", 0.5, false),
        ("flight: position (2)", 2.0, false),
        ("flight: position (3)", 3.0, true),
        ("flight (2)", 2.0, true),
        ("drop.duration", 6.0, false),
        ("drop.up#1", 0.0, false),
        ("drop.up#2", 1.0, false),
        ("drop.up#3", 0.0, false),
        ("apex.tolerance", 1e-9, false),
    ];
    let found: Vec<(&str, f64, bool)> =
        found.iter().map(|(label, value, counts)| (label.as_str(), *value, *counts)).collect();
    assert_eq!(found, expected);
}

#[test]
fn a_minus_belongs_to_its_number_alone() {
    let text = "world attributes { a = -2^2 b = - 3 c = 1 - 4 d = - /* half */ 5 e = 2 * -6 }";
    let found = numbers(text);
    let slices: Vec<&str> = found.iter().map(|it| &text[it.start..it.end]).collect();
    assert_eq!(slices, ["2", "2", "- 3", "1", "4", "5", "2", "-6"]);
    let values: Vec<f64> = found.iter().map(|it| it.value).collect();
    assert_eq!(values, [2.0, 2.0, -3.0, 1.0, 4.0, 5.0, 2.0, -6.0]);
}

#[test]
fn a_broken_text_has_numbers_too() {
    let text = "object { name = ball attributes = { v = [1, 2 3 4 } } 7 context { functions = { x = (8 ";
    let values: Vec<f64> = numbers(text).iter().map(|it| it.value).collect();
    assert_eq!(values, [1.0, 2.0, 3.0, 4.0, 7.0, 8.0]);
}

/// The runs of digits of a text without its comments, words and quotes, as somebody reads them who knows no
/// grammar.
fn digits(text: &str) -> Vec<f64> {
    let mut found = Vec::new();
    for line in text.lines() {
        let line: &str = line.split("//").next().unwrap();
        let mut chars = line.char_indices().peekable();
        let mut in_quotes = false;
        while let Some((start, c)) = chars.next() {
            in_quotes ^= c == '"';
            if in_quotes || !(c.is_ascii_alphanumeric() || c == '_') {
                continue;
            }
            let mut end = start + 1;
            let number = c.is_ascii_digit();
            while let Some(&(at, next)) = chars.peek() {
                let exponent = number && matches!(next, '-' | '+') && line[..at].ends_with('e');
                if !(next.is_ascii_alphanumeric() || next == '_' || exponent || number && next == '.') {
                    break;
                }
                end = at + 1;
                chars.next();
            }
            if number {
                found.push(line[start..end].parse().unwrap());
            }
        }
    }
    found
}

#[test]
fn of_the_whole_gallery() {
    for file in experiments() {
        let found = numbers(file.text);
        for it in &found {
            let written: String = file.text[it.start..it.end].split_whitespace().collect();
            assert_eq!(written.parse::<f64>(), Ok(it.value), "{}: {written}", file.name);
            if let Some(owner) = &it.owner {
                assert!(owner.start <= it.start && it.end <= owner.end);
                let name = owner.attribute.rsplit('.').next().unwrap();
                let before = file.text[..owner.start].trim_end().strip_suffix('=').unwrap().trim_end();
                assert!(before.ends_with(name), "{}: {}", file.name, owner.attribute);
            }
        }
        let values: Vec<f64> = found.iter().map(|it| it.value.abs()).collect();
        assert_eq!(values, digits(file.text), "{}", file.name);
        let mut labels: Vec<&str> = found.iter().map(|it| it.label.as_str()).collect();
        labels.sort_unstable();
        labels.dedup();
        assert_eq!(labels.len(), found.len(), "{}: no two have the same label", file.name);
    }
}

/// Setting an attribute to what its owner says it is changes nothing, and its name is one that can be set.
#[test]
fn owners_can_be_set() {
    for name in ["bouncing_ball", "workflow_orbit", "chapter5"] {
        let text = gallery(name);
        let owners = numbers(text).into_iter().filter_map(|it| it.owner);
        let settings: Vec<Override> = owners
            .map(|it| Override::read(&format!("{}={}", it.attribute, &text[it.start..it.end])).unwrap())
            .collect();
        assert!(!settings.is_empty());
        let plain = read(&Folder, &mut Sources::new(), "test.lab", text.to_owned(), &[]).unwrap();
        let set = read(&Folder, &mut Sources::new(), "test.lab", text.to_owned(), &settings).unwrap();
        let values = |attributes: &[gedanken_experiment::Attribute]| -> Vec<String> {
            attributes.iter().map(|it| format!("{} = {}", it.name, it.value)).collect()
        };
        assert_eq!(values(&plain.world), values(&set.world));
        for (a, b) in plain.objects.iter().zip(&set.objects) {
            assert_eq!(values(&a.attributes), values(&b.attributes));
        }
    }
}
