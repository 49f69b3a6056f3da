//! What words mean, told where they stand.

use crate::{cursor, gallery};
use gedanken_lab::assist::hover;

fn at(text: &str) -> Option<(String, String)> {
    let (text, offset) = cursor(text);
    hover(&text, offset).map(|it| (text[it.start..it.end].to_owned(), it.text))
}

/// The bouncing ball with the cursor in the middle of `word`, which stands in `line`.
fn ball(line: &str, word: &str) -> Option<String> {
    let text = gallery("bouncing_ball");
    let at_line = text.find(line).unwrap();
    let offset = at_line + line.find(word).unwrap() + 1;
    let mut with = text.to_owned();
    with.insert(offset, '|');
    let (found, meaning) = at(&with)?;
    assert_eq!(found, word);
    assert!(!meaning.contains('`') && !meaning.is_empty());
    Some(meaning)
}

#[test]
fn natives() {
    let text = ball("(2 * norm(a))", "norm").unwrap();
    assert_eq!(text, "norm(v): vector -> real\nThe length of a vector.\n|v| = √(v · v)");
}

#[test]
fn attributes_and_laws() {
    let law = "v = v_in - (1 + restitution) *";
    assert_eq!(ball(law, "restitution").unwrap(), "restitution = 0.8   attribute of the world, line 11");
    assert_eq!(ball(law, "v_in").unwrap(), "v_in = v\nv_in is defined in context bounce, line 55");
    assert_eq!(
        ball("size + (v # 3)", "size").unwrap(),
        "size = 0.5   attribute of ball, line 20\nsize = [50, 50, 1]   attribute of floor, line 31"
    );
    assert!(ball("size = [50", "size").unwrap().starts_with("size = [50, 50, 1]   attribute of floor"));
    let normal = ball("* (v_in . collisionNormal)", "collisionNormal").unwrap();
    assert!(normal.contains("given by the engine"), "{normal}");
}

#[test]
fn keys_and_things() {
    assert_eq!(ball("    duration = 6", "duration").unwrap(), "duration\na real greater than 0");
    assert_eq!(
        ball("    physical type = dynamic", "type").unwrap(),
        "physical type\nstatic, dynamic or kinematic"
    );
    assert_eq!(ball("{ball, floor}", "floor").unwrap(), "object floor, line 25\nstatic cuboid");
    assert_eq!(ball("{flight, bounce}", "bounce").unwrap(), "context bounce, line 49\ncollision");
    assert!(ball("measure apex {", "measure").unwrap().starts_with("measure\n"));
}

#[test]
fn imported_functions_and_parameters() {
    let text = "import \"solids.vfl\"\nworld attributes { i = cuboid_ine|rtia(1, [1, 2, 3]) }";
    assert_eq!(at(text).unwrap().1, "cuboid_inertia(m, l)\nimported from solids.vfl");
    let text = "context { functions = { f(x, y) = x + |y } }";
    assert_eq!(at(text).unwrap().1, "y\nparameter of f");
}

#[test]
fn nothing_is_said_of_what_means_nothing() {
    assert_eq!(at("// nor|m"), None);
    assert_eq!(at("world attributes { a = 9.|81 }"), None);
    assert_eq!(at(" | "), None);
    assert_eq!(at("context { functions = { x = unkn|own } }"), None);
}
