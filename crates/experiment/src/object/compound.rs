//! Compounds and their parts.

use super::model::Object;
use super::shape::ShapeKind;
use super::solid::find;
use crate::read::blocks::BlockNames;
use gedanken_lang::check::similar;
use gedanken_lang::diagnostic::{Code, Diagnostic};
use std::collections::{BTreeMap, BTreeSet};

/// Reports parts that do not exist, parts of two wholes, and wholes that are parts of themselves. `names` are
/// all objects that were written.
pub(crate) fn check(objects: &[Object], names: &BlockNames, diagnostics: &mut Vec<Diagnostic>) {
    // A part moves with its whole, so it can have only one.
    let mut whole_of: BTreeMap<&str, &Object> = BTreeMap::new();
    for whole in objects {
        for part in &whole.parts {
            let name = part.text.as_str();
            if !names.contains_key(name) {
                let message = format!("there is no object called `{name}` to be a part of `{}`", whole.name);
                let diagnostic = Diagnostic::new(Code::E715, part.span, message).label("not an object");
                diagnostics.push(
                    match similar(name, names.keys().map(String::as_str).filter(|it| *it != whole.name)) {
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
    // Everybody has one whole at most, so that a walk upwards ends at the top or comes back.
    for object in objects {
        let (mut above, mut steps) = (whole_of.get(object.name.as_str()), 0);
        while let Some(whole) = above {
            if whole.name == object.name {
                let message = format!("`{}` is a part of itself", object.name);
                diagnostics.push(
                    Diagnostic::new(Code::E715, object.shape_span, message)
                        .label("through these parts")
                        .help("leave it out of the parts, here or in one of them"),
                );
                break;
            }
            steps += 1;
            if steps > objects.len() {
                break;
            }
            above = whole_of.get(whole.name.as_str());
        }
    }
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
