//! Values that are probably not what was meant: decimal commas in vectors, angles in degrees, powers of ten.
//!
//! The laws of contexts are looked at where they are checked. Here are the values outside them.

use gedanken_lang::check::{decimal_commas, degrees_of_rotation, suspicious};
use gedanken_lang::diagnostic::{Code, Diagnostic, Family};
use gedanken_lang::syntax::tree::{Block, Curve, Expr, Value};

/// Adds what can be said of the values in these blocks, given all that has been said of them.
pub(crate) fn explain(blocks: &[Block], diagnostics: &mut Vec<Diagnostic>) {
    for block in blocks.iter().filter(|block| !is_checked(block)) {
        each_value(block, &mut |expr| suspicious(expr, diagnostics));
    }
    for block in blocks.iter().filter(|block| block.keyword.text == "object") {
        diagnostics.extend(orientation(block).and_then(degrees_of_rotation));
    }
    let does_not_fit = |it: &Diagnostic| it.code.family() == Family::Types || it.code == Code::E709;
    if !diagnostics.iter().any(|it| it.is_error() && does_not_fit(it)) {
        return;
    }
    let mut found = Vec::new();
    for block in blocks {
        each_value(block, &mut |expr| decimal_commas(expr, &mut found));
    }
    if !found.is_empty() {
        // A vector of another length shows in every law that uses it: that follows from the comma.
        diagnostics.retain(|it| !does_not_fit(it) || !it.is_error());
        diagnostics.append(&mut found);
    }
}

/// Returns `true` if the formulas of the block are checked like laws.
fn is_checked(block: &Block) -> bool {
    ["context", "rule"].contains(&block.keyword.text.as_str())
}

fn orientation(block: &Block) -> Option<&Expr> {
    let definitions = block.entries.iter().filter_map(|entry| match &entry.value {
        Value::Definitions(definitions) if entry.key.text == "attributes" => Some(definitions),
        _ => None,
    });
    definitions.flatten().find(|it| it.name.text == "orientation").map(|it| &it.body)
}

fn each_value(block: &Block, visit: &mut dyn FnMut(&Expr)) {
    for entry in &block.entries {
        match &entry.value {
            Value::Expression(expr) => visit(expr),
            Value::Expressions(list) => list.iter().for_each(&mut *visit),
            Value::Curves(list) => list.iter().flat_map(Curve::expressions).for_each(&mut *visit),
            Value::Definitions(list) => list.iter().for_each(|it| visit(&it.body)),
            Value::Function(definition) => visit(&definition.body),
            Value::Words(_)
            | Value::Text(_)
            | Value::Names(_)
            | Value::Aliases(_)
            | Value::Applicability(_)
            | Value::Missing => {}
        }
    }
}
