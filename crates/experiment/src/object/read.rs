//! Objects: what they look like, whether they move, and what is known of them when a simulation begins.

pub(crate) mod attribute;
pub(crate) mod compound;
pub(crate) mod mesh_file;
pub(crate) mod shape;
pub(crate) mod solid;

use super::read::evaluate::Base;
use super::read::fields::{BlockForm, Fields};
use super::read::overrides::Settings;
use crate::Files;
use attribute::{Attribute, Line};
use gedanken_geometry::import::TriangleSoup;
use gedanken_lang::check::{Participant, similar};
use gedanken_lang::diagnostic::{Code, Diagnostic};
use gedanken_lang::source::Span;
use gedanken_lang::syntax::tree::{self, Block, Entry, Expr, ExprKind, Name};
use gedanken_lang::value::Value;
use shape::ShapeKind;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An object of the experiment.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its name; no two objects have the same.
    pub name: String,
    /// Whether its attributes never change.
    pub is_static: bool,
    /// Whether it moves as its velocity says, whatever pushes it: a body of `mechanics = rigid`.
    pub is_kinematic: bool,
    /// The material that it is made of, if it names one.
    pub material: Option<Name>,
    /// Whether other bodies can touch it.
    pub collides: bool,
    /// What it looks like; how large it is, is told by attributes.
    pub shape: ShapeKind,
    /// Sorted by name. There is always a `position` and an `orientation`.
    pub attributes: Vec<Attribute>,
    /// The objects that a compound consists of, in the order of the file.
    pub parts: Vec<Name>,
    /// The triangles of a shape that comes from a file.
    pub surface: Option<Arc<TriangleSoup>>,
    /// Where its name is written.
    pub span: Span,
    /// Where its parts or its file are written, else its name: what a shape that cannot be is blamed on.
    pub(super) shape_span: Span,
}

impl Object {
    /// The attribute with this proper name.
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        let place = self.attributes.binary_search_by(|attribute| attribute.name.as_str().cmp(name)).ok()?;
        Some(&self.attributes[place])
    }

    /// The object as laws see it: names and types.
    pub fn participant(&self) -> Participant {
        let synonyms = self.shape.fields().filter(|field| !field.synonym.is_empty());
        Participant {
            is_static: self.is_static,
            attributes: self.attributes.iter().map(|it| (it.name.clone(), it.ty())).collect(),
            synonyms: synonyms.map(|field| (field.synonym.to_owned(), field.name.to_owned())).collect(),
        }
    }
}

pub(super) const FORM: BlockForm = BlockForm {
    what: "an object",
    keys: &[
        ("name", "a name"),
        ("physical_type", "`static`, `dynamic` or `kinematic`"),
        ("geometrical_type", "a shape, such as `sphere`"),
        ("attributes", "values in braces: `{ position = [0, 0, 5]  size = 1 }`"),
        ("parts", "names of objects in braces: `{left, right}`"),
        ("file", "the name of a file in quotes: `\"ramp.stl\"`"),
        ("material", "the name of a material"),
        ("collides", "`true` or `false`"),
    ],
};

/// Where an object looks for what its values name.
pub(super) struct Surroundings<'s> {
    pub(super) files: &'s dyn Files,
    /// The path of the experiment.
    pub(super) path: &'s str,
    /// What values may name.
    pub(super) base: Base<'s>,
    /// Objects that formulas of a `lagrangian` block place, whatever position they write.
    pub(super) placed: &'s BTreeSet<&'s str>,
}

/// The words of a block that stay words, whether or not the object as a whole can be.
pub(super) struct Read {
    pub(super) name: Name,
    /// Every attribute that was written, by its proper name.
    pub(super) written: Vec<String>,
    pub(super) object: Option<Object>,
}

/// Reads an object.
pub(super) fn read(
    block: &Block,
    around: &Surroundings<'_>,
    settings: &mut Settings<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) -> Read {
    let fields = Fields::read(block, &FORM, diagnostics);
    let name = fields.name(diagnostics);
    let physical = physical_type(&fields, diagnostics);
    let is_static = physical.map(|it| it == Physical::Static);
    let collides = truth(&fields, "collides", true, diagnostics);
    let material = fields.words("material", diagnostics).cloned();
    let shape = shape_kind(&fields, diagnostics);
    let proper = |name: &str| {
        let shape = shape.unwrap_or(ShapeKind::HalfSpace);
        shape.proper(name).to_owned()
    };
    let mut lines = Vec::new();
    for definition in fields.definitions("attributes", diagnostics) {
        let (name, span) =
            (&definition.name, definition.prime.or(definition.params.first().map(|it| it.span)));
        if let Some(span) = span {
            let message = format!("`{}` is given its initial value here, which is one value", name.text);
            diagnostics.push(
                Diagnostic::new(Code::E712, span, message)
                    .label("not in an initial value")
                    .help(format!("write `{} = …`; functions and rates belong into a context", name.text)),
            );
            continue;
        }
        lines.push(Line { name, body: &definition.body });
    }
    let owner = Some(name.text.as_str());
    let mut attributes = attribute::evaluate(&lines, owner, proper, around.base, settings, diagnostics);
    let written: Vec<String> = lines.iter().map(|line| proper(&line.name.text)).collect();
    let mut whole = attributes.len() == lines.len();
    if around.placed.contains(name.text.as_str()) && !written.iter().any(|it| it == "position") {
        let value = Value::Vector(vec![0.0; 3]);
        attributes.push(Attribute { name: "position".to_owned(), value, span: name.span });
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
    }
    // What stands a level too high has been told, and is not missing as well.
    let outside = block.entries.iter().map(|entry| proper(&entry.key.text));
    let met: Vec<String> = written.iter().cloned().chain(outside).collect();
    if let Some(shape) = shape {
        whole &= check_fields(&name, shape, &attributes, &met, diagnostics);
        if shape == ShapeKind::ConvexHull && !written.iter().any(|it| it == "points") && !fields.has("file") {
            diagnostics.push(
                Diagnostic::new(Code::E707, name.span, format!("`{}` is a convex hull without points", name.text))
                    .help("add `points = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]` to its attributes, or `file = \"…\"` to the object"),
            );
        }
    }
    if !written.iter().any(|it| it == "orientation") {
        let value = Value::Vector(vec![0.0; 3]);
        attributes.push(Attribute { name: "orientation".to_owned(), value, span: name.span });
        attributes.sort_by(|a, b| a.name.cmp(&b.name));
    }
    let parts = parts(&fields, shape, diagnostics);
    let surface = mesh_file::read(&fields, shape, is_static, around, diagnostics);
    let shape_key = ["parts", "file"].into_iter().find(|key| fields.has(key));
    let shape_span = shape_key.map_or(name.span, |key| fields.place(key));
    let object = match (is_static, shape, whole, surface) {
        (Some(is_static), Some(shape), true, Ok(surface)) if !name.text.is_empty() => Some(Object {
            name: name.text.clone(),
            is_static,
            is_kinematic: physical == Some(Physical::Kinematic),
            material,
            collides,
            shape,
            attributes,
            parts,
            surface,
            span: name.span,
            shape_span,
        }),
        _ => None,
    };
    Read { name, written, object }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Physical {
    Static,
    Dynamic,
    Kinematic,
}

fn physical_type(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<Physical> {
    fields.require("physical_type", "dynamic", diagnostics);
    let words = fields.words("physical_type", diagnostics)?;
    match words.text.as_str() {
        "static" => Some(Physical::Static),
        "dynamic" => Some(Physical::Dynamic),
        "kinematic" => Some(Physical::Kinematic),
        _ => {
            let help = "`dynamic` objects obey laws, `static` ones never change, `kinematic` ones move as they are told";
            let choices = ["static", "dynamic", "kinematic"];
            diagnostics.push(no_such(words, "physical type", choices, help));
            None
        }
    }
}

/// `key = true` or `key = false`; `usual` if it is absent or wrong, which has been reported.
pub(super) fn truth(fields: &Fields<'_>, key: &str, usual: bool, diagnostics: &mut Vec<Diagnostic>) -> bool {
    match fields.expression(key, diagnostics) {
        None => usual,
        Some(Expr { kind: ExprKind::Bool(truth), .. }) => *truth,
        Some(other) => {
            let message = format!("`{}` is `true` or `false`", key.replace('_', " "));
            diagnostics
                .push(Diagnostic::new(Code::E424, other.span, message).label("this is something else"));
            usual
        }
    }
}

fn shape_kind(fields: &Fields<'_>, diagnostics: &mut Vec<Diagnostic>) -> Option<ShapeKind> {
    if !fields.has("geometrical_type") && fields.has("parts") {
        return Some(ShapeKind::Compound);
    }
    fields.require("geometrical_type", "sphere", diagnostics);
    let words = fields.words("geometrical_type", diagnostics)?;
    let shape = ShapeKind::by_name(&words.text);
    if shape.is_none() {
        let names = ShapeKind::ALL.map(ShapeKind::name);
        let help = format!("the shapes are {}", names.join(", "));
        let boxes = matches!(words.text.as_str(), "box" | "cube" | "block");
        let balls = matches!(words.text.as_str(), "ball" | "circle" | "point");
        diagnostics.push(match (boxes, balls) {
            (true, _) => no_such(words, "shape", ["cuboid"], "a box is a `cuboid`"),
            (_, true) => no_such(words, "shape", ["sphere"], "a ball is a `sphere`"),
            _ => no_such(words, "shape", names, &help),
        });
    }
    shape
}

/// A word that is none of the choices.
pub(super) fn no_such<'n>(
    words: &Name,
    what: &str,
    choices: impl IntoIterator<Item = &'n str>,
    help: &str,
) -> Diagnostic {
    let message = format!("there is no {what} `{}`", words.text);
    let diagnostic = Diagnostic::new(Code::E706, words.span, message).label("not one of the choices");
    match similar(&words.text, choices) {
        Some(meant) => diagnostic.help(format!("did you mean `{meant}`?")).edit(words.span, meant),
        None => diagnostic.help(help),
    }
}

/// Whether all that the shape needs is there, and possible.
fn check_fields(
    name: &Name,
    shape: ShapeKind,
    attributes: &[Attribute],
    written: &[String],
    diagnostics: &mut Vec<Diagnostic>,
) -> bool {
    let mut whole = true;
    for field in shape.fields() {
        match attributes.iter().find(|attribute| attribute.name == field.name) {
            Some(attribute) => {
                if let Some(diagnostic) = field.check(attribute) {
                    // Laws can be checked with a size that is not possible, but not with one of another type.
                    whole &= diagnostic.code != Code::E709;
                    diagnostics.push(diagnostic);
                }
            }
            // Written, but without a value: that has been said.
            None if written.iter().any(|it| it == field.name) => whole = false,
            None if field.required => {
                whole = false;
                let message = format!(
                    "`{}`, a {}, has no `{}`, {}",
                    name.text,
                    shape.name(),
                    field.name,
                    field.meaning
                );
                diagnostics.push(
                    Diagnostic::new(Code::E707, name.span, message)
                        .label(format!("`{}` is missing", field.name))
                        .help(format!("add `{} = {}` to its attributes", field.name, field.example())),
                );
            }
            None => {}
        }
    }
    whole
}

fn parts(fields: &Fields<'_>, shape: Option<ShapeKind>, diagnostics: &mut Vec<Diagnostic>) -> Vec<Name> {
    let parts = fields.names("parts", diagnostics);
    match shape {
        Some(ShapeKind::Compound) if !fields.has("parts") => {
            fields.require("parts", "{left, right}", diagnostics);
        }
        Some(ShapeKind::Compound) | None => {}
        Some(_) if !fields.has("parts") => {}
        Some(shape) => {
            let message = format!("a {} has no parts", shape.name());
            diagnostics
                .push(Diagnostic::new(Code::E715, fields.place("parts"), message).help(
                    "an object is one shape, or it is a `compound` and its shape comes from its parts",
                ));
            return Vec::new();
        }
    }
    parts.to_vec()
}

/// The world's attributes as lines.
pub(super) fn world_lines(block: &Block) -> Vec<Line<'_>> {
    fn line(entry: &Entry) -> Option<Line<'_>> {
        match &entry.value {
            tree::Value::Expression(body) => Some(Line { name: &entry.key, body }),
            _ => None,
        }
    }
    block.entries.iter().filter_map(line).collect()
}
