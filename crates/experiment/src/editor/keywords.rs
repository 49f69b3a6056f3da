//! Completion of keys, their values, and the names in their braces.

use super::complete::{Item, ItemKind};
use super::cursor::{Cursor, LAGRANGIAN_LISTS};
use super::declarations::{Declarations, described, name_in, names, words};
use super::expressions::operands;
use crate::lagrangian::method::Method;
use crate::object::shape::ShapeKind;
use crate::read::keys::{keys, written};
use crate::rigid::joint::model::JointKind;
use crate::rigid::soft;
use crate::rigid::soft::settings;
use crate::view::model::{DRAWERS, OVERLAYS, SIDES};
use gedanken_dynamics::integrate::ode;
use gedanken_lang::check::ContextKind;
use gedanken_lang::syntax::tree::Block;
use gedanken_rigid::Combination;
use gedanken_rigid::contacts::SOLVERS;
use std::collections::BTreeMap;

/// The keys that the block at the cursor can still have.
pub(super) fn key_items(cursor: &Cursor<'_>, declarations: &Declarations, offset: usize) -> Vec<Item> {
    let block = block_of(cursor, declarations, offset);
    // A key under the cursor is being written, and may be written anew.
    let is_set = |key: &str| {
        block.is_some_and(|block| {
            block
                .entries
                .iter()
                .any(|entry| entry.key.text == key && entry.key.span.start as usize != cursor.start)
        })
    };
    let free = keys(&cursor.block).iter().filter(|(key, _)| !is_set(key));
    free.map(|(key, meaning)| {
        let label = written(key);
        let insert = match braces(key, &cursor.block) {
            Some((open, close)) => format!("{label} = {open}{close}"),
            None => format!("{label} = "),
        };
        Item::new(ItemKind::Key, label, *meaning).inserting(insert)
    })
    .collect()
}

/// The braces that the value of a key stands in.
fn braces(key: &str, block: &str) -> Option<(&'static str, &'static str)> {
    match key {
        "functions" | "aliases" | "applicability" => Some(("{\n        ", "\n    }")),
        "attributes" if block == "object" => Some(("{\n        ", "\n    }")),
        key if block == "lagrangian" && LAGRANGIAN_LISTS.contains(&key) => Some(("{\n        ", "\n    }")),
        "attributes"
        | "compute_first_time_only_attributes"
        | "objects_involved"
        | "contexts_involved"
        | "parts"
        | "of"
        | "between"
        | "reads"
        | "writes"
        | "adds"
        | "plots"
        | "arrows"
        | "draw"
        | "overlays"
        | "geometric_data_directions" => Some(("{", "}")),
        _ => None,
    }
}

/// The block of the cursor in the tree, if it is there.
pub(super) fn block_of<'k>(
    cursor: &Cursor<'_>,
    declarations: &'k Declarations,
    offset: usize,
) -> Option<&'k Block> {
    declarations.block_at(offset).filter(|block| block.keyword.text == cursor.block)
}

/// Values of the key at the cursor.
pub(super) fn values(cursor: &Cursor<'_>, declarations: &Declarations, offset: usize) -> Vec<Item> {
    let word = |word: &str, detail: &str| Item::new(ItemKind::Value, word, detail);
    match (cursor.block.as_str(), cursor.key.as_str()) {
        ("object", "physical_type") => {
            vec![
                word("dynamic", "it obeys laws"),
                word("static", "it never changes"),
                word("kinematic", "a rigid body that moves with a given velocity"),
            ]
        }
        ("object", "geometrical_type") => {
            ShapeKind::ALL.map(|shape| word(shape.name(), &fields(shape))).to_vec()
        }
        ("context", "type") => {
            let when = ["it touches nothing", "two objects meet", "objects stay together"];
            ContextKind::NAMES.iter().zip(when).map(|(name, when)| word(name, when)).collect()
        }
        ("simulation", "mechanics") => {
            vec![
                word("contexts", "the laws stand in contexts"),
                word("workflow", "the laws stand in rules"),
                word("rigid", "rigid bodies, with forces, potentials, constraints and joints"),
                word("lagrangian", "what follows from the energies of a lagrangian block"),
            ]
        }
        ("simulation", "integrator") => {
            // Each mechanics has integrators of its own; contexts are the default.
            let block = block_of(cursor, declarations, offset);
            let says = |key: &str, text: &str| {
                block.and_then(|block| words(block, key)).is_some_and(|it| it.text == text)
            };
            match (says("mechanics", "lagrangian"), says("solver", soft::NAME)) {
                (_, true) => soft_values("integrator"),
                (true, _) => Method::names()
                    .map(|name| word(&name.replace('-', "_"), "a method that follows equations of motion"))
                    .collect(),
                _ => ode::Method::all()
                    .map(|name| word(&name.replace('-', "_"), "a method that integrates rates"))
                    .collect(),
            }
        }
        ("simulation", "lagrangian") => named(declarations, "lagrangian", ItemKind::Context),
        ("simulation", "record") => vec![
            word("all", "all attributes, and every function without parameters"),
            word("attributes", "the attributes of objects and of the world"),
        ],
        ("simulation", "solver") => {
            let hard = SOLVERS.iter().map(|it| word(&it.name().replace('-', "_"), it.summary()));
            hard.chain([word(soft::NAME, "soft constraints as in MuJoCo: accelerations of least cost")])
                .collect()
        }
        ("simulation", "cone_edges") => {
            ["4", "8", "16"].map(|edges| word(edges, "edges of `cone = pyramid`")).to_vec()
        }
        ("simulation", key @ ("algorithm" | "line_search" | "stopping" | "cone" | "defaults")) => {
            soft_values(key)
        }
        ("simulation", "combination") => {
            Combination::ALL.map(|(name, _)| word(name, "how coefficients of two surfaces combine")).to_vec()
        }
        ("simulation", "order") => vec![
            word("1", "backward Euler: robust, and dissipative"),
            word("2", "the midpoint rule: symplectic"),
        ],
        ("simulation", "kinetic") => vec![
            word("exact", "keeps angular momentum, for any inertia"),
            word("seed", "a quadratic cost, right for isotropic inertia; order 1, lagged friction"),
        ],
        ("simulation", "friction_iteration") => vec![
            word("coupled", "normal and friction forces are solved together"),
            word("lagged", "friction follows the normal forces of a first pass without it"),
        ],
        ("joint", "kind") => JointKind::names().map(|name| word(name, "a kind of joint")).collect(),
        ("object", "material") => named(declarations, "material", ItemKind::Context),
        ("simulation", "workflow") => operands(cursor, declarations, offset),
        ("view", "drawer") => DRAWERS.map(|(name, meaning)| word(name, meaning)).to_vec(),
        ("view", "camera") => {
            SIDES.map(|side| word(side, "a side to look from, without perspective")).to_vec()
        }
        ("view", "follow") => named(declarations, "object", ItemKind::Object),
        ("view", "trails") => {
            let mut items = vec![word("all", "trails of all objects"), word("none", "no trails")];
            items.extend(named(declarations, "object", ItemKind::Object));
            items
        }
        ("view", "try") => attributes(declarations),
        ("view", "title" | "group") => Vec::new(),
        ("measure" | "view", "simulation") => named(declarations, "simulation", ItemKind::Context),
        (_, "name" | "file") => Vec::new(),
        // Names of lists, whose braces are still missing.
        (_, "objects_involved" | "contexts_involved" | "parts" | "of" | "between") => {
            in_list(cursor, declarations, offset)
        }
        (_, key) if braces(key, &cursor.block).is_some() => Vec::new(),
        _ => operands(cursor, declarations, offset),
    }
}

/// Values of a key of the solver `soft`.
fn soft_values(key: &str) -> Vec<Item> {
    fn items<T, const N: usize>(table: &[(&str, T, &str); N]) -> Vec<Item> {
        let item = |(name, _, meaning): &(&str, T, &str)| {
            Item::new(ItemKind::Value, name.replace('-', "_"), *meaning)
        };
        table.iter().map(item).collect()
    }
    match key {
        "algorithm" => items(&settings::ALGORITHMS),
        "line_search" => items(&settings::LINE_SEARCHES),
        "stopping" => items(&settings::STOPPINGS),
        "cone" => items(&settings::CONES),
        "defaults" => items(&settings::DEFAULTS),
        "integrator" => items(&settings::INTEGRATORS),
        _ => Vec::new(),
    }
}

/// The attributes that tell how large a shape is.
fn fields(shape: ShapeKind) -> String {
    let names: Vec<&str> = shape.own_fields().iter().map(|field| field.name).collect();
    match (names.is_empty(), shape) {
        (false, _) => format!("its attributes: {}", names.join(", ")),
        (true, ShapeKind::Mesh) => "its shape comes from a file".to_owned(),
        (true, ShapeKind::Compound) => "its shape comes from its parts".to_owned(),
        (true, _) => "it has no size".to_owned(),
    }
}

/// The blocks of a kind by their names.
pub(super) fn named(declarations: &Declarations, kind: &str, item: ItemKind) -> Vec<Item> {
    let detail = |block: &Block| match described(block) {
        text if text.is_empty() => kind.to_owned(),
        text => format!("{kind}: {text}"),
    };
    declarations
        .blocks(kind)
        .filter_map(|it| Some(Item::new(item, name_in(it)?.text.as_str(), detail(it))))
        .collect()
}

/// Words that can stand in the braces of the key at the cursor.
pub(super) fn in_list(cursor: &Cursor<'_>, declarations: &Declarations, offset: usize) -> Vec<Item> {
    let mut items = match cursor.key.as_str() {
        "objects_involved" | "parts" | "of" | "between" => named(declarations, "object", ItemKind::Object),
        "contexts_involved" => named(declarations, "context", ItemKind::Context),
        "reads" | "writes" | "adds" | "record" => attributes(declarations),
        "overlays" => OVERLAYS.map(|(name, meaning)| Item::new(ItemKind::Value, name, meaning)).to_vec(),
        "trails" => named(declarations, "object", ItemKind::Object),
        "compute_first_time_only_attributes" => {
            let own = block_of(cursor, declarations, offset)
                .map(|block| names(block, "attributes"))
                .unwrap_or_default();
            own.iter()
                .map(|name| Item::new(ItemKind::Attribute, name.text.as_str(), "of this context"))
                .collect()
        }
        "aliases" => return alias(cursor, declarations),
        "applicability" => return role(cursor, declarations),
        _ => Vec::new(),
    };
    items.retain(|item| !cursor.listed.contains(&item.label.as_str()));
    items
}

/// Every attribute of objects and the world, with its owners.
pub(super) fn attributes(declarations: &Declarations) -> Vec<Item> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    let mut places: BTreeMap<&str, usize> = BTreeMap::new();
    for attribute in declarations.attributes() {
        let owner = attribute.object.unwrap_or("the world");
        let name = attribute.name.text.as_str();
        let place = *places.entry(name).or_insert(found.len());
        match found.get_mut(place) {
            Some((_, owners)) => owners.push(owner),
            None => found.push((name, vec![owner])),
        }
    }
    let detail = |owners: &[&str]| match owners {
        [first, second, third, _, ..] => {
            format!("attribute of {first}, {second}, {third} and {} more", owners.len() - 3)
        }
        few => format!("attribute of {}", few.join(", ")),
    };
    found.iter().map(|(name, owners)| Item::new(ItemKind::Attribute, *name, detail(owners))).collect()
}

/// The next word of `use n as attribute collisionNormal of object with index 0`.
fn alias(cursor: &Cursor<'_>, declarations: &Declarations) -> Vec<Item> {
    let form = "use n as attribute collisionNormal of object with index 0";
    let word = |word: &str| vec![Item::new(ItemKind::Keyword, word, form).inserting(format!("{word} "))];
    match cursor.words.as_slice() {
        [] => word("use"),
        ["use", _] => word("as"),
        ["use", _, "as"] => word("attribute"),
        ["use", _, "as", "attribute"] => {
            let mut items = attributes(declarations);
            items.push(Item::new(
                ItemKind::Attribute,
                "collisionNormal",
                "given by the engine in a collision",
            ));
            items
        }
        ["use", _, "as", "attribute", _] => word("of"),
        ["use", _, "as", "attribute", _, "of"] => word("object"),
        ["use", _, "as", "attribute", _, "of", "object"] => {
            let mut items = word("with index");
            items.extend(named(declarations, "object", ItemKind::Object));
            items
        }
        [.., "with"] => word("index"),
        // Behind a whole alias, on the same line, the next one.
        [.., "index", _] | ["use", _, "as", "attribute", _, "of", "object", _] => word("use"),
        _ => Vec::new(),
    }
}

/// The next word of `mandatory 1 dynamic sphere and 1 static object`.
fn role(cursor: &Cursor<'_>, declarations: &Declarations) -> Vec<Item> {
    let form = "mandatory 1 dynamic sphere and 1 static object";
    let word = |word: &str| Item::new(ItemKind::Keyword, word, form).inserting(format!("{word} "));
    let counted = |count: &str| {
        let plural = if count == "1" { "" } else { "s" };
        let shapes = ShapeKind::ALL.into_iter().map(ShapeKind::name).chain(["object"]);
        shapes.map(|shape| Item::new(ItemKind::Value, format!("{shape}{plural}"), form)).collect::<Vec<_>>()
    };
    let is_number = |word: &str| word.bytes().all(|byte| byte.is_ascii_digit());
    match cursor.words.as_slice() {
        [] => vec![word("mandatory")],
        [.., "mandatory" | "and"] => named(declarations, "object", ItemKind::Object),
        [.., count] if is_number(count) => {
            let mut items = vec![word("dynamic"), word("static")];
            items.extend(counted(count));
            items
        }
        [.., count, "dynamic" | "static"] => counted(count),
        _ => vec![word("and")],
    }
}
