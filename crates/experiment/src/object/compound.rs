//! Compounds and their parts.

use super::model::Object;
use super::shape::ShapeKind;
use super::solid::find;
use crate::read::blocks::BlockNames;
use gedanken_lang::check::guess;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use std::collections::{BTreeMap, BTreeSet};

/// Reports parts that do not exist, parts of two wholes, and wholes that are parts of themselves. `names` are
/// all objects that were written.
pub(crate) fn check(objects: &[Object], names: &BlockNames, diagnostics: &mut Vec<Diagnostic>) {
    // A part moves with its whole, so it can have only one.
    let mut whole_of: BTreeMap<&str, &Object> = BTreeMap::new();
    let mut done = BTreeMap::new();
    for whole in objects {
        for part in &whole.parts {
            let name = part.text.as_str();
            if !names.contains_key(name) {
                let message = format!("there is no object called `{name}` to be a part of `{}`", whole.name);
                let diagnostic = Diagnostic::new(Code::E715, part.span, message).label("not an object");
                diagnostics.push(
                    match guess(
                        diagnostics.len(),
                        name,
                        names.keys().map(String::as_str).filter(|it| *it != whole.name),
                    ) {
                        Some(meant) => {
                            diagnostic.help(format!("did you mean `{meant}`?")).edit(part.span, meant)
                        }
                        None => {
                            diagnostic.help("parts are objects of this file, each with a block of its own")
                        }
                    },
                );
            } else if let Some(other) = whole_of.get(name) {
                let message = format!("`{name}` is a part of `{}` already", other.name);
                diagnostics.push(
                    Diagnostic::new(Code::E715, part.span, message)
                        .label("again here")
                        .also(other.shape_span, "a part here")
                        .help("an object is a part of one other: write a second object for the second place"),
                );
            } else {
                whole_of.insert(name, whole);
            }
        }
        // Where there is no list of parts at all, it has been asked for.
        if whole.parts.is_empty() && whole.shape == ShapeKind::Compound && whole.shape_span != whole.span {
            let message = format!("`{}` has no parts", whole.name);
            diagnostics.push(
                Diagnostic::new(Code::E715, whole.shape_span, message)
                    .help("name at least one: `parts = {left, right}`"),
            );
        }
    }
    for object in objects.iter().filter(|it| is_part_of_itself(it, &whole_of, &mut done)) {
        let message = format!("`{}` is a part of itself", object.name);
        diagnostics.push(
            Diagnostic::new(Code::E715, object.shape_span, message)
                .label("through these parts")
                .help("leave it out of the parts, here or in one of them"),
        );
    }
}

/// Returns `true` if the way from an object to its whole, and on to the whole of that, comes back. Everybody has
/// one whole at most, so that every way ends at the top or in one circle. `done` has the result for all objects
/// that a way has passed, so that no part of it is walked twice.
fn is_part_of_itself<'o>(
    object: &'o Object,
    whole_of: &BTreeMap<&'o str, &'o Object>,
    done: &mut BTreeMap<&'o str, bool>,
) -> bool {
    let mut way: Vec<&str> = Vec::new();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    let mut above = Some(object);
    while let Some(next) = above {
        let name = next.name.as_str();
        if done.contains_key(name) {
            break;
        }
        if let Some(&number) = numbers.get(name) {
            done.extend(way.drain(number..).map(|name| (name, true)));
            break;
        }
        numbers.insert(name, way.len());
        way.push(name);
        above = whole_of.get(name).copied();
    }
    done.extend(way.into_iter().map(|name| (name, false)));
    done[object.name.as_str()]
}

/// The names of all that an object consists of, itself included.
pub(crate) fn all_parts<'o>(objects: &'o [Object], whole: &'o Object, names: &mut BTreeSet<&'o str>) {
    let mut queue = vec![whole];
    while let Some(object) = queue.pop() {
        if names.insert(&object.name) {
            queue.extend(object.parts.iter().filter_map(|part| find(objects, &part.text)));
        }
    }
}

/// The objects that each object is a part of.
pub(crate) struct Wholes<'o>(BTreeMap<&'o str, Vec<&'o str>>);

impl<'o> Wholes<'o> {
    pub(crate) fn of(objects: &'o [Object]) -> Self {
        let mut wholes: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for whole in objects {
            for part in &whole.parts {
                wholes.entry(&part.text).or_default().push(&whole.name);
            }
        }
        Self(wholes)
    }

    /// The names of all objects that an object is a part of, or a part of a part.
    pub(crate) fn above(&self, name: &str) -> BTreeSet<&'o str> {
        let mut found = BTreeSet::new();
        let mut queue: Vec<&str> = self.0.get(name).cloned().unwrap_or_default();
        while let Some(whole) = queue.pop() {
            if found.insert(whole) {
                queue.extend(self.0.get(whole).into_iter().flatten());
            }
        }
        found
    }
}
