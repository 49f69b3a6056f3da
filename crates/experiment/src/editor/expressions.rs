//! Completion of names in laws and values, nearest first.

use super::built_in_names::{given_in, previous_in};
use super::complete::{Item, ItemKind};
use super::cursor::Cursor;
use super::declarations::{Attribute, Declarations, definitions, name_of, names, shape_of, value};
use super::keywords::{attributes, block_of, named};
use super::lagrangian_names::{LagrangianName, in_formulas, in_measures};
use crate::object::shape::ShapeKind;
use crate::view::drawing::DrawingKind;
use gedanken_lang::native::{Entry, NATIVES};
use gedanken_lang::syntax::tree::{Alias, AliasOf, Block, Definition, Value};
use std::collections::BTreeSet;

/// The left side of a definition: `f(x, y)`.
pub(super) fn left_side(definition: &Definition) -> String {
    let params: Vec<&str> = definition.params.iter().map(|it| it.text.as_str()).collect();
    let prime = if definition.prime.is_some() { "'" } else { "" };
    let params = if params.is_empty() { String::new() } else { format!("({})", params.join(", ")) };
    format!("{}{prime}{params}", definition.name.text)
}

/// A native with its parameters, types and meaning.
pub(super) fn native_line(entry: &Entry) -> String {
    let params =
        if entry.params.is_empty() { String::new() } else { format!("({})", entry.params.join(", ")) };
    format!("{}{params}: {}", entry.name, entry.signature)
}

/// Meaning of an alias, in words.
pub(super) fn meaning(alias: &Alias) -> String {
    let whose = match &alias.of {
        AliasOf::Index(index, _) => format!("object with index {index}"),
        AliasOf::Object(name) => format!("object {}", name.text),
    };
    format!("alias: attribute {} of {whose}", alias.attribute.text)
}

/// The aliases of a block.
pub(super) fn aliases(block: &Block) -> &[Alias] {
    match value(block, "aliases") {
        Some(Value::Aliases(aliases)) => aliases,
        _ => &[],
    }
}

/// A function, with its brackets if it takes something.
fn function(definition: &Definition, whence: &str) -> Item {
    let name = &definition.name.text;
    let insert = if definition.params.is_empty() { name.clone() } else { format!("{name}(") };
    let detail = format!("{}, {whence}", left_side(definition));
    Item::new(ItemKind::Function, name.as_str(), detail).inserting(insert)
}

/// Words that can begin an operand at the cursor.
pub(super) fn operands(cursor: &Cursor<'_>, declarations: &Declarations, offset: usize) -> Vec<Item> {
    if cursor.key == "workflow" {
        return workflow(declarations);
    }
    if cursor.block == "view" && matches!(cursor.key.as_str(), "plots" | "arrows" | "draw") {
        return in_view(cursor, declarations);
    }
    let block = block_of(cursor, declarations, offset);
    let is_lagrangian = cursor.block == "lagrangian";
    let is_law = cursor.key == "functions";
    let attribute = |name: &str, detail: &str| Item::new(ItemKind::Attribute, name, detail);
    let mut items: Vec<Item> = cursor.params.iter().map(|it| attribute(it, "parameter")).collect();
    if let Some(block) = block.filter(|_| is_law) {
        let kind = block.keyword.text.as_str();
        items.extend(
            names(block, "attributes").iter().map(|it| attribute(&it.text, &format!("of this {kind}"))),
        );
        items.extend(aliases(block).iter().map(|it| attribute(&it.name.text, &meaning(it))));
    }
    // An attribute of an object is computed from those above it.
    if cursor.block == "object" {
        items.extend(
            cursor.heads.iter().filter(|it| cursor.definition != Some(**it)).map(|it| attribute(it, "above")),
        );
    }
    // Laws of rigid bodies and measures stand in keys of their own, not in `functions`.
    let of_bodies = matches!(cursor.block.as_str(), "force" | "potential" | "constraint")
        && matches!(cursor.key.as_str(), "force" | "torque" | "at" | "energy" | "value");
    let of_measure = cursor.block == "measure" && matches!(cursor.key.as_str(), "value" | "at");
    // What a system is at the start is computed before anything moves; its formulas see no object.
    let is_start =
        matches!(cursor.key.as_str(), "coordinates" | "rates" | "momenta" | "parameters" | "restitution");
    let sees_objects = !is_lagrangian && (is_law || of_bodies || of_measure);
    if let Some(block) = block.filter(|_| is_lagrangian && !is_start) {
        items.extend(in_formulas(block, declarations).iter().map(|it| attribute(&it.name, &it.meaning)));
    }
    if of_measure {
        let of = |(system, it): &(String, LagrangianName)| {
            attribute(&it.name, &format!("{}, of {system}", it.meaning))
        };
        items.extend(in_measures(declarations).iter().map(of));
    }
    let all = attributes(declarations);
    match sees_objects {
        true => items.extend(all),
        false => {
            let own =
                cursor.definition.or((cursor.block == "world attributes").then_some(cursor.key.as_str()));
            let world = declarations.world().filter(|name| Some(name.text.as_str()) != own);
            items.extend(world.map(|name| attribute(&name.text, "attribute of the world")));
        }
    }
    if let Some(block) = block.filter(|_| is_law || is_lagrangian && !is_start) {
        let own = definitions(block, "functions").iter();
        items.extend(own.map(|it| function(it, &format!("in {}", name_of(block)))));
    }
    if is_law {
        items.extend(cursor.heads.iter().map(|it| Item::new(ItemKind::Function, *it, "above")));
    }
    items.extend(declarations.imported.iter().map(|(file, it)| function(it, file)));
    if sees_objects || is_lagrangian && !is_start {
        let engine = given_in(&cursor.block, block, &declarations.of_objects());
        items.extend(
            engine.iter().map(|it| attribute(&it.name, &format!("given by the engine: {}", it.meaning))),
        );
    }
    if let Some(meaning) = previous_in(&cursor.block).filter(|_| is_law) {
        items.push(Item::new(ItemKind::Function, "previous", meaning).inserting("previous("));
    }
    items.extend(NATIVES.iter().map(|entry| {
        let insert = if entry.params.is_empty() { entry.name.to_owned() } else { format!("{}(", entry.name) };
        let detail = format!("{}. {}", native_line(entry), entry.summary);
        Item::new(ItemKind::Native, entry.name, detail).inserting(insert)
    }));
    let word = |word: &str, detail: &str| Item::new(ItemKind::Keyword, word, detail);
    items.push(word("if", "if condition then value else other").inserting("if "));
    items.push(word("true", "a truth value"));
    items.push(word("false", "a truth value"));
    items
}

/// What a formula of a view can name, and what can be drawn.
fn in_view(cursor: &Cursor<'_>, declarations: &Declarations) -> Vec<Item> {
    let mut items = Vec::new();
    // `ball.` goes on with an attribute of the ball.
    if let Some(owner) = declarations.before(cursor.start).strip_suffix('.') {
        let owned = |it: &Attribute<'_>| {
            it.object.is_some_and(|object| {
                owner
                    .strip_suffix(object)
                    .is_some_and(|rest| !rest.ends_with(|c: char| c.is_alphanumeric() || c == '_'))
            })
        };
        let own = declarations.attributes().filter(owned);
        items.extend(own.map(|it| Item::new(ItemKind::Attribute, it.name.text.as_str(), "recorded")));
        return items;
    }
    if cursor.key == "draw" {
        let drawing = |(name, _, example, meaning): (&str, _, &str, &str)| {
            Item::new(ItemKind::Function, name, format!("{meaning}: {example}")).inserting(format!("{name}("))
        };
        items.extend(DrawingKind::ALL.map(drawing));
        items.extend(named(declarations, "object", ItemKind::Object));
    }
    for attribute in declarations.attributes() {
        let name = attribute.name.text.as_str();
        items.push(match attribute.object {
            Some(object) => Item::new(ItemKind::Attribute, format!("{object}.{name}"), "recorded"),
            None => Item::new(ItemKind::Attribute, name, "attribute of the world"),
        });
    }
    items.extend(in_measures(declarations).iter().map(|(system, it)| {
        Item::new(ItemKind::Attribute, it.name.as_str(), format!("{}, of {system}", it.meaning))
    }));
    items.extend(NATIVES.iter().filter(|it| !it.params.is_empty()).map(|entry| {
        let detail = format!("{}. {}", native_line(entry), entry.summary);
        Item::new(ItemKind::Native, entry.name, detail).inserting(format!("{}(", entry.name))
    }));
    items
}

/// Rules, and what puts them together.
fn workflow(declarations: &Declarations) -> Vec<Item> {
    let mut items = named(declarations, "rule", ItemKind::Context);
    items.extend(named(declarations, "event", ItemKind::Context));
    let join =
        |name: &str, detail: &str| Item::new(ItemKind::Keyword, name, detail).inserting(format!("{name}("));
    items.push(join("seq", "one after the other: each sees what the one before has done"));
    items.push(join("par", "side by side: all see the same state"));
    items
}

/// Names that can be defined at the cursor.
pub(super) fn heads(cursor: &Cursor<'_>, declarations: &Declarations, offset: usize) -> Vec<Item> {
    let block = block_of(cursor, declarations, offset);
    let below = block.map(|it| definitions(it, &cursor.key)).unwrap_or_default();
    let below = below.iter().filter(|it| it.name.span.start as usize != cursor.start);
    let defined: BTreeSet<&str> =
        cursor.heads.iter().copied().chain(below.map(|it| it.name.text.as_str())).collect();
    let mut items = Vec::new();
    if cursor.block == "lagrangian" && cursor.key != "functions" {
        let coordinates = block.map(|it| definitions(it, "coordinates")).unwrap_or_default().iter();
        let of = |name: String, what: &str| assigned(Item::new(ItemKind::Attribute, name, what));
        match cursor.key.as_str() {
            "rates" => items.extend(coordinates.map(|it| of(format!("{}_dot", it.name.text), "a rate"))),
            "momenta" => items.extend(coordinates.map(|it| of(format!("p_{}", it.name.text), "a momentum"))),
            "forces" => items.extend(coordinates.map(|it| of(it.name.text.clone(), "a force along it"))),
            "positions" | "orientations" => {
                items.extend(named(declarations, "object", ItemKind::Object).into_iter().map(assigned));
            }
            _ => {}
        }
    } else if cursor.key == "attributes" {
        // What every shape has, as long as the shape is not known.
        let shape = block.and_then(shape_of).unwrap_or(ShapeKind::HalfSpace);
        for field in shape.fields() {
            let insert = format!("{} = {}", field.name, field.example());
            items.push(Item::new(ItemKind::Attribute, field.name, field.meaning).inserting(insert));
        }
        // What others have is probably wanted here too.
        let others = declarations.of_objects().into_iter();
        let others = others.map(|it| Item::new(ItemKind::Attribute, it, "other objects have it"));
        items.extend(others.map(assigned));
    } else {
        if cursor.block == "event" {
            let detail = "when the event happens: true or false";
            items.push(assigned(Item::new(ItemKind::Attribute, "when", detail)));
        }
        if let Some(block) = block {
            let listed = ["attributes", "writes", "adds"].into_iter().flat_map(|key| names(block, key));
            items.extend(
                listed.map(|it| assigned(Item::new(ItemKind::Attribute, it.text.as_str(), "has no law yet"))),
            );
            let aliased = aliases(block).iter();
            items.extend(
                aliased
                    .map(|it| assigned(Item::new(ItemKind::Attribute, it.name.text.as_str(), meaning(it)))),
            );
        }
        if cursor.block == "context" {
            items.extend(attributes(declarations).into_iter().map(assigned));
        }
    }
    items.retain(|item| !defined.contains(item.label.as_str()));
    items
}

fn assigned(item: Item) -> Item {
    let insert = format!("{} = ", item.label);
    item.inserting(insert)
}
