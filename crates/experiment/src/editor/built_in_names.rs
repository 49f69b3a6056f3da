//! Built-in names: the engine gives them their values, in some contexts more than in others.

use super::declarations::{value, words};
use gedanken_lang::check::ContextKind;
use gedanken_lang::syntax::tree::{Block, Value};

/// A name that the engine gives a meaning, and what it is.
pub(super) struct BuiltInName {
    pub(super) name: String,
    pub(super) meaning: String,
}

fn given(name: impl Into<String>, meaning: impl Into<String>) -> BuiltInName {
    BuiltInName { name: name.into(), meaning: meaning.into() }
}

/// More directions are not proposed: every one makes a name for each attribute.
const MAX_DIRECTIONS: usize = 8;

/// Names that the engine gives to the functions of a block. `attributes` are those of objects, whose sums a
/// contact knows.
pub(super) fn given_in(block: &str, tree: Option<&Block>, attributes: &[&str]) -> Vec<BuiltInName> {
    let mut found = vec![given("t", "the time")];
    match block {
        "rule" | "event" => found.push(given("dt", "the length of the step")),
        "force" | "potential" | "constraint" => {
            found.push(given("velocity", "how fast the body moves"));
            found.push(given("angular_velocity", "how fast the body turns"));
            found.push(given(
                "rotation",
                "how the body is turned: a matrix of 3 by 3, from its own frame to the world",
            ));
            found.push(given("centre", "the centre of mass of the body"));
        }
        "context" => found.push(given("dt", "the time since the last frame or event")),
        _ => {}
    }
    let kind = tree.and_then(|it| words(it, "type")).and_then(|it| ContextKind::by_name(&it.text));
    match kind.filter(|_| block == "context") {
        Some(ContextKind::Collision) => {
            found.push(given("collisionNormal", "a vector of length 1 that points out of the other object"));
            found.push(given("collisionPoint", "the place where the two objects meet"));
        }
        Some(ContextKind::Contact) => {
            let directions = match tree.and_then(|it| value(it, "geometric_data_directions")) {
                Some(Value::Expressions(list)) => list.len().min(MAX_DIRECTIONS),
                _ => 0,
            };
            for k in 1..=directions {
                let rows = format!("of all objects that touch in direction {k}, one in a row");
                found.push(given(format!("collisionNormalsDirVec{k}"), format!("the normals {rows}")));
                found.push(given(format!("collisionPointsDirVec{k}"), format!("the points {rows}")));
                found.push(given(
                    format!("hasPathToStaticObjectDirVec{k}"),
                    format!("whether the way in direction {k}, from object to object, leads to a static one"),
                ));
                for attribute in attributes {
                    found.push(given(
                        format!("{attribute}SumDirVec{k}"),
                        format!("the sum of `{attribute}` over all objects on the way in direction {k}"),
                    ));
                }
            }
        }
        Some(ContextKind::FreeFall) | None => {}
    }
    found
}

/// Meaning of `previous` in a block whose laws may call it.
pub(super) fn previous_in(block: &str) -> Option<&'static str> {
    match block {
        "rule" | "event" => Some("the value of an attribute that the rule finds"),
        "context" => Some("the value of an attribute at the last frame or event"),
        _ => None,
    }
}
