//! Help for the editor: laws as mathematics, numbers, completions and descriptions at the cursor.
//!
//! All of it comes from `gedanken_experiment::editor`, which counts bytes; here positions become UTF-16
//! offsets.

use super::WrittenText;
use crate::wire::{Completion, Formula, Number, OwnerAttribute, Reply};
use gedanken_experiment::editor;

/// Returns laws and measures as MathML.
pub(crate) fn formulas(text: &WrittenText) -> Vec<Formula> {
    let formula = |it: editor::Formula| Formula {
        block: it.block,
        block_kind: it.block_kind,
        name: it.name,
        start: text.units.before(it.start),
        end: text.units.before(it.end),
        mathml: it.mathml,
    };
    editor::formulas(&text.text).into_iter().map(formula).collect()
}

/// Returns the numbers of the text.
pub(crate) fn numbers(text: &WrittenText) -> Vec<Number> {
    let owned = |it: editor::Owner| OwnerAttribute {
        name: it.attribute,
        start: text.units.before(it.start),
        end: text.units.before(it.end),
    };
    let number = |it: editor::Number| Number {
        start: text.units.before(it.start),
        end: text.units.before(it.end),
        value: it.value,
        label: it.label,
        counts: it.counts,
        owned: it.owner.map(owned),
    };
    editor::numbers(&text.text).into_iter().map(number).collect()
}

/// Returns the completions at a position.
pub(crate) fn complete(text: &WrittenText, id: u32, at: u32) -> Reply {
    let found = editor::complete(&text.text, text.units.byte(at));
    let item = |it: editor::Item| Completion {
        label: it.label,
        kind: it.kind.name().to_owned(),
        detail: it.detail,
        insert: it.insert,
    };
    Reply::Completions {
        id,
        start: text.units.before(found.start),
        end: text.units.before(found.end),
        items: found.items.into_iter().map(item).collect(),
    }
}

/// Returns the description of the word at a position.
pub(crate) fn hover(text: &WrittenText, id: u32, at: u32) -> Reply {
    match editor::hover(&text.text, text.units.byte(at)) {
        Some(found) => Reply::Hovered {
            id,
            start: text.units.before(found.start),
            end: text.units.before(found.end),
            text: found.text,
        },
        None => Reply::Hovered { id, start: at, end: at, text: String::new() },
    }
}
